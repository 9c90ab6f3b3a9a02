package ui

import (
	"fmt"
	"path/filepath"

	"floodmark/engine"
)

// An overlay covers the panes: the help, or the list of conversations.
type overlay interface {
	SetRect(rect)
	// Key tells whether the overlay closes, and which conversation it chose (-1 for none).
	Key(action) (closes bool, chosen int)
	View() []string
	position() string
}

// helpOverlay is the key table, with the marks and what the sizes mean.
type helpOverlay struct {
	linesPane
	theme    *theme
	session  *session
	sections map[scope]int // the line of each heading
}

// helpCells is for how wide a screen the help is written before it knows its own.
const helpCells = 80

func newHelp(t *theme, s *session) *helpOverlay {
	h := &helpOverlay{theme: t, session: s, sections: map[scope]int{}}
	h.fill(helpCells)
	return h
}

// fill writes the help for a screen that is so many cells wide: what a key does is never cut.
func (h *helpOverlay) fill(cells int) {
	const keyCells = 3 + 14 + 1
	t, s := h.theme, h.session
	var out []string
	heading := func(s string) { out = append(out, "", " "+t.strong.on(s)) }
	for _, title := range scopeTitles {
		h.sections[title.scope] = len(out)
		heading(upperFirst(title.title))
		for _, b := range bindings {
			if b.scope == title.scope {
				before := "   " + pad(keyName(b, t.ascii), 14) + " "
				for _, part := range wrapWords(b.long, max(cells-keyCells-1, 20)) {
					out = append(out, before+part)
					before = blank(keyCells)
				}
			}
		}
	}
	heading("Marks")
	for _, v := range engine.Verdicts {
		out = append(out, "   "+t.verdicts[v]+"  "+verdictWords[v])
		if v == engine.Inline {
			out = append(out, "   "+t.flood+"  a flood: large, and inline because it is not structured JSON")
		}
	}
	out = append(out, "   "+t.warned+"  has a warning ("+keyOf(viewWhy, t.ascii)+" shows it, "+keyOf(nextWarning, t.ascii)+" goes to the next)")
	heading("Words of Tune")
	out = append(out,
		"   whole      entered as it is; not whole: a package, a part or nothing entered",
		"   over       larger than the threshold, which is the line in the plot of sizes",
		"   steps >    steps whose results together brought more than the goal's number",
		"   near       results within 5 % of the recommended value: a little drift flips them",
		"   knee       beyond it each further result that is not whole saves less than the average",
		"   thin       so few results can be replaced that the recommendation says little",
		"   break-even so many inspections of an offload cost as much as it saves")
	heading("Sizes")
	out = append(out,
		"   Bars stand on one logarithmic scale; the line through all of them is the",
		"   threshold per result. In Context a bar is what entered, "+t.left+" what was kept out.",
		"   A step of a subagent has a + before its number.",
		"   Tokens are an estimate by the estimator named at the top right.")
	if s.policy != nil {
		heading("Policy " + visible(s.policy.Name))
		for _, c := range s.policy.Sources {
			line := "   " + visible(c.From)
			if c.Date != "" {
				line += ", " + visible(c.Date)
			}
			out = append(out, line+" ("+visible(c.Status)+")")
		}
		out = append(out, "   A changed threshold changes nothing outside this screen.")
	}
	h.set(out[1:])
}

var verdictWords = map[engine.Verdict]string{
	engine.Inline:      "inline: entered the context as it is",
	engine.Offloaded:   "offloaded: preview, schema and pointer entered, the payload is a variable",
	engine.Rejected:    "rejected: over the hard limit, nothing entered",
	engine.Truncated:   "truncated: a part entered, the rest is gone by design",
	engine.PreviewOnly: "preview only: nothing is kept, by design",
	engine.Lost:        "lost: the store could not take it",
}

func (h *helpOverlay) SetRect(r rect) {
	if r.W != h.rect.W {
		h.fill(r.W)
	}
	h.rect = r
	h.scrollTo(h.top)
}

func (h *helpOverlay) Key(a action) (bool, int) {
	if a == leave || a == accept {
		return true, -1
	}
	h.linesPane.Key(a)
	return false, -1
}

// conversationsOverlay lists the conversations with what the policy makes of each.
type conversationsOverlay struct {
	linesPane
	*deps
	totals map[*conversation]engine.Totals
	cursor int
	known  int // so many conversations from the first on have their totals, or are getting them
}

func newConversations(d *deps, current int, totals map[*conversation]engine.Totals) *conversationsOverlay {
	o := &conversationsOverlay{deps: d, totals: totals, cursor: current}
	o.update()
	return o
}

func (o *conversationsOverlay) update() {
	o.lines(len(o.session.convs), o.line)
	o.show()
}

func (o *conversationsOverlay) SetRect(r rect) {
	r.Y++
	r.H--
	o.rect = r
	o.show()
}

// show keeps the cursor in sight.
func (o *conversationsOverlay) show() {
	if o.cursor < o.top || o.cursor >= o.top+o.H {
		o.scrollTo(o.cursor - o.H/2)
	}
}

func (o *conversationsOverlay) Key(a action) (bool, int) {
	n := len(o.session.convs)
	switch a {
	case leave:
		return true, -1
	case accept:
		return true, o.cursor
	case up:
		o.cursor--
	case down:
		o.cursor++
	case pageUp:
		o.cursor -= o.H
	case pageDown:
		o.cursor += o.H
	case toTop:
		o.cursor = 0
	case toEnd:
		o.cursor = n - 1
	}
	o.cursor = max(min(o.cursor, n-1), 0)
	o.show()
	return false, -1
}

// A totalColumn is one figure of each conversation.
type totalColumn struct {
	title  string
	cells  int
	figure func(engine.Totals) string
}

// columns are the figures that there is room for.
func (o *conversationsOverlay) columns() []totalColumn {
	verdicts := func(v engine.Verdict) func(engine.Totals) string {
		return func(t engine.Totals) string { return grouped(int64(t.Verdicts[v])) }
	}
	original := totalColumn{"tokens", 11, func(t engine.Totals) string { return short(t.Original.Tokens) }}
	entered := totalColumn{"entered", 11, func(t engine.Totals) string { return short(t.Inline.Tokens) }}
	if o.W < twoPanes {
		return []totalColumn{original, entered}
	}
	return []totalColumn{
		{"inline", 8, verdicts(engine.Inline)},
		{"offl.", 7, verdicts(engine.Offloaded)},
		{"floods", 8, func(t engine.Totals) string { return grouped(int64(t.Warnings["large-plaintext"])) }},
		original, entered,
	}
}

func (o *conversationsOverlay) line(i int) string {
	c := o.session.convs[i]
	pointer := " "
	if i == o.cursor {
		pointer = o.theme.pointer
	}
	name := visible(c.File)
	clipName := clipStart
	if c.Title != "" {
		name, clipName = visible(filepath.Base(c.File)+" · "+c.Title), clip
	} else if len(c.recording.Conversations) > 1 {
		name += fmt.Sprintf(" · conversation %d", c.Ordinal+1)
	}
	if n := len(c.recording.Problems); n > 0 {
		name += " · " + count(n, "part") + " passed over"
	}
	figures := padLeft(grouped(int64(c.results)), 8)
	t, ok := o.totals[c]
	for _, k := range o.columns() {
		text := "…"
		if ok {
			text = k.figure(t)
		}
		figures += padLeft(text, k.cells)
	}
	room := o.W - width(figures) - 2
	line := pointer + pad(clipName(name, room), room) + figures + " "
	if i == o.cursor {
		return o.theme.selected.on(pad(line, o.W))
	}
	return line
}

func (o *conversationsOverlay) View() []string {
	heading := padLeft("results", 8)
	for _, k := range o.columns() {
		heading += padLeft(k.title, k.cells)
	}
	heading = pad(" "+count(len(o.session.convs), "conversation"), o.W-width(heading)-1) + heading
	return append([]string{o.theme.faint.on(pad(heading, o.W))}, o.linesPane.View()...)
}
