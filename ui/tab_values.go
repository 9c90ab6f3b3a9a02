package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// valuesTab shows where the arguments of the selected call come from, and what of its result later calls
// use. Of the picked value it shows the way through the conversation.
type valuesTab struct {
	*deps
	rect
	sel   selection
	rows  []valueRow
	ways  map[string][]*engine.Argument // the uses of a value, in call order
	at    int                           // the picked row
	lines linesPane
	way   linesPane
}

// A valueRow is a line of the list: a heading, or a value that can be picked.
type valueRow struct {
	heading string
	arg     *engine.Argument // nil for a heading or a remark
}

func newValues(d *deps) *valuesTab { return &valuesTab{deps: d} }

func (t *valuesTab) name() (string, string) { return "Values", "Val" }

func (t *valuesTab) SetRect(r rect) {
	rewrap := r.W != t.W
	t.rect = r
	if rewrap { // remarks stand below the values: what is picked stays
		t.collect()
	}
	t.layout()
}

func (t *valuesTab) show(s selection) tea.Cmd {
	same := s.run == t.sel.run && s.outcome == t.sel.outcome
	moved := s.outcome == nil || t.sel.outcome == nil || s.outcome.Call != t.sel.outcome.Call
	t.sel = s
	if same {
		return nil
	}
	t.collect()
	if moved {
		t.at = 0
	}
	t.at = min(t.at, max(len(t.rows)-1, 0))
	t.pick(0)
	t.layout()
	return nil
}

// collect lists what concerns the selected call.
func (t *valuesTab) collect() {
	t.rows, t.ways = nil, map[string][]*engine.Argument{}
	o := t.sel.outcome
	if o == nil || t.sel.run == nil || t.sel.run.Tracking == nil {
		return
	}
	k := t.sel.run.Tracking
	head := func(format string, a ...any) { t.rows = append(t.rows, valueRow{heading: fmt.Sprintf(format, a...)}) }
	var own, later []*engine.Argument
	for _, a := range k.Arguments {
		if a.Ground != engine.TrivialGround {
			t.ways[a.Text] = append(t.ways[a.Text], a)
		}
		switch {
		case a.Outcome.Call == o.Call:
			own = append(own, a)
		case fromResult(a.First, o), fromResult(a.Seen, o):
			later = append(later, a)
		}
	}
	head("its arguments: %s", count(len(own), "value"))
	for _, a := range own {
		t.rows = append(t.rows, valueRow{arg: a})
	}
	head("from its result, in later calls: %s", count(len(later), "value"))
	for _, a := range later {
		t.rows = append(t.rows, valueRow{arg: a})
	}
	remark := func(text string) {
		for i, line := range wrapWords(visible(text), max(t.W-4, 8)) {
			head("%s%s", []string{"", "  "}[min(i, 1)], line)
		}
	}
	if c := k.ChainOf(o); c != nil {
		for _, text := range chainLines(c) {
			remark(text)
		}
	}
	for i := range k.References {
		if r := &k.References[i]; r.Outcome == o && r.How != "read" {
			remark(referenceText(r, k.Superseded[o]))
		}
	}
}

// fromResult tells whether a place is in the result of a call.
func fromResult(p *engine.Origin, o *engine.Outcome) bool {
	return p != nil && !p.Argument && p.Outcome != nil && p.Outcome.Call == o.Call
}

// layout gives the list what the picked value's way leaves, at least half.
func (t *valuesTab) layout() {
	if t.W <= 0 {
		return
	}
	way := t.wayLines()
	below := min(len(way), t.H/2)
	t.lines.rect = rect{t.X, t.Y, t.W, t.H - below}
	t.way.rect = rect{t.X, t.Y + t.H - below, t.W, below}
	t.way.set(way)
	t.lines.lines(len(t.rows), t.row)
	t.lines.reveal(t.at)
}

func (t *valuesTab) row(i int) string {
	r := t.rows[i]
	if r.arg == nil {
		return t.theme.faint.on(clip(" "+visible(r.heading), t.W))
	}
	a := r.arg
	mark := " "
	if a.Suspicious() {
		mark = t.theme.warned
	}
	name := a.Path
	if a.Outcome.Call != t.sel.outcome.Call {
		name = a.Outcome.Call.Tool + " " + a.Path
	}
	room := max((t.W-6)/3, 8)
	text := mark + " " + pad(clip(visible(name), room), room) + " " + pad(clip(visible(a.Text), room), room) + " " + visible(groundWord(a))
	if i == t.at {
		return t.theme.selected.on(pad(t.theme.pointer+clip(text, t.W-1), t.W))
	}
	return " " + clip(text, t.W-1)
}

// groundWord is where an argument comes from, in few words.
func groundWord(a *engine.Argument) string {
	switch a.Ground {
	case engine.TrivialGround:
		return "–"
	case engine.Ungrounded, engine.UnknownGround:
		return "nowhere before"
	case engine.Loosely:
		return "another spelling"
	}
	if a.Seen == nil {
		return "out of sight: " + a.First.String()
	}
	return a.First.String()
}

// wayLines is the way of the picked value: where it was first, and every use.
func (t *valuesTab) wayLines() []string {
	if t.at >= len(t.rows) || t.rows[t.at].arg == nil {
		return nil
	}
	a := t.rows[t.at].arg
	out := []string{t.theme.faint.on(clip(" the way of "+visible(a.Text), t.W))}
	out = append(out, indent(wrapWords(visible(upperFirst(groundText(a))+"."), t.W-2))...)
	for _, use := range t.ways[a.Text] {
		out = append(out, clip(fmt.Sprintf(" turn %d, step %d  %s %s", use.Outcome.Turn, use.Outcome.Step, visible(use.Outcome.Call.Tool), visible(use.Path)), t.W))
	}
	return out
}

// pick moves to the next value in a direction, over headings.
func (t *valuesTab) pick(by int) {
	step := 1
	if by < 0 {
		step = -1
	}
	isHeading := func(i int) bool { return i >= 0 && i < len(t.rows) && t.rows[i].arg == nil }
	to := t.at + by
	for isHeading(to) {
		to += step
	}
	if to < 0 || to >= len(t.rows) { // a page ends among headings: the nearest value before them
		for to -= step; isHeading(to); {
			to -= step
		}
	}
	if by != 0 && to == t.at {
		return // what was scrolled to below the values stays in sight
	}
	if to >= 0 && to < len(t.rows) {
		t.at = to
	}
	t.layout()
}

func (t *valuesTab) Key(a action) (tea.Cmd, bool) {
	switch a {
	case up:
		before := t.at
		if t.pick(-1); t.at == before {
			return t.lines.Key(up)
		}
	case down:
		before := t.at
		if t.pick(1); t.at == before { // below the last value are remarks
			return t.lines.Key(down)
		}
	case pageUp:
		t.pick(-min(max(t.lines.H-1, 1), t.at))
	case pageDown:
		t.pick(min(max(t.lines.H-1, 1), len(t.rows)-1-t.at))
	case toTop:
		t.at = 0
		t.pick(0)
		t.lines.reveal(0)
	case toEnd:
		t.at = max(len(t.rows)-1, 0)
		t.pick(0)
		t.lines.reveal(len(t.rows) - 1)
	default:
		return nil, false
	}
	return nil, true
}

func (t *valuesTab) View() []string {
	if m := t.sel.waiting(); m != "" || t.sel.run == nil || t.sel.run.Tracking == nil {
		if m == "" {
			m = "following the values…"
		}
		return fill([]string{pad(" "+m, t.W)}, t.rect)
	}
	return fill(append(t.lines.View(), t.way.View()...), t.rect)
}

func (t *valuesTab) position() string { return t.lines.position() }
func (t *valuesTab) text() *pager     { return nil }
