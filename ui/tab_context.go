package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// contextTab shows how the context grows step by step, had every result entered as it was and as it
// did enter.
type contextTab struct {
	*deps
	rect
	lines   linesPane
	head    []string
	sel     selection
	largest float64 // of a step's results, tokens
}

func newContext(d *deps) *contextTab { return &contextTab{deps: d} }

func (t *contextTab) name() (string, string) { return "Context", "Ctx" }

func (t *contextTab) SetRect(r rect) {
	t.rect = r
	t.rebuild()
}

func (t *contextTab) show(s selection) tea.Cmd {
	t.sel = s
	t.rebuild()
	t.lines.reveal(s.row.at)
	return nil
}

func (t *contextTab) Key(a action) (tea.Cmd, bool) { return t.lines.Key(a) }
func (t *contextTab) position() string             { return t.lines.position() }
func (t *contextTab) text() *pager                 { return nil }

func (t *contextTab) rebuild() {
	run := t.sel.run
	if run == nil {
		t.head = nil
		t.lines.rect = t.rect
		t.lines.set([]string{" replaying…"})
		return
	}
	t.largest = 0
	for i := range run.Steps {
		t.largest = max(t.largest, run.Steps[i].Original, run.Steps[i].Inline)
	}
	t.head = t.summary(run)
	t.head = t.head[:min(len(t.head), max(t.H-3, 0))]
	t.lines.rect = rect{t.X, t.Y, t.W, max(t.H-len(t.head), 0)}
	t.lines.lines(len(run.Steps), t.step)
}

// stepColumns are the widths of a step's name, of its figures, and of its bar.
func (t *contextTab) stepColumns() (name, figure, bar int) {
	name, figure = 6, 10
	if t.W < 60 {
		name, figure = 5, 7
	}
	return name, figure, max(t.W-1-name-3*(figure+1)-2, 4)
}

// step draws one step: what its results would have brought, what they brought, and what the model
// reads after it.
func (t *contextTab) step(i int) string {
	s := &t.sel.run.Steps[i]
	name, figure, bar := t.stepColumns()
	sc := newScale(bar, t.largest, t.limit())
	label := fmt.Sprintf("%d.%d", s.Turn, s.Step)
	if s.Thread != nil && s.Thread.Subagent() {
		label = "+" + label
	}
	selected := i == t.sel.row.at
	pointer := " "
	if selected {
		pointer = t.theme.pointer
	}
	left := pointer + pad(label, name) + " " + padLeft(sized(s.Original, figure), figure) + " " + padLeft(sized(s.Inline, figure), figure) + " "
	right := " " + padLeft(sized(s.After, figure), figure) + " "
	if selected {
		return t.theme.selected.on(pad(left+sc.both(s.Inline, s.Original, t.theme, false)+right, t.W))
	}
	return left + sc.both(s.Inline, s.Original, t.theme, true) + right
}

// limit is the line in the bars: a batch's own threshold where the policy has one.
func (t *contextTab) limit() float64 {
	for _, limit := range []*float64{t.sel.policy.Limits.CombinedTokens(), t.sel.policy.Limits.PerResultTokens()} {
		if limit != nil {
			return *limit
		}
	}
	return 0
}

func (t *contextTab) View() []string {
	out := make([]string, 0, t.H)
	for _, line := range t.head {
		out = append(out, pad(line, t.W))
	}
	return fill(append(out, t.lines.View()...), t.rect)
}

// summary draws both curves on one scale, the totals, and the heading of the steps.
func (t *contextTab) summary(run *engine.Run) []string {
	var entered, original []float64
	top := 0.0
	for i := range run.Steps {
		entered = append(entered, run.Steps[i].After)
		original = append(original, run.Steps[i].AfterOriginal)
		top = max(top, run.Steps[i].After)
	}
	top = curveTop(top, original)
	const words, figure = 12, 9
	room := max(t.W-1-words-figure-2, 4)
	line := func(word string, v []float64) string {
		last := 0.0
		if len(v) > 0 {
			last = v[len(v)-1]
		}
		cells, _ := resample(v, room)
		return " " + pad(word, words) + pad(sparkline(cells, top, len(cells), t.theme), room) + " " + padLeft(short(last), figure)
	}
	u := run.Totals
	kept := u.Original.Tokens - u.Inline.Tokens
	figures := fmt.Sprintf("Results: %s returned, %s entered, %s kept out (%s).",
		tokens(u.Original.Tokens), rounded(u.Inline.Tokens), rounded(kept), percent(kept, u.Original.Tokens))
	figures += fmt.Sprintf(" Peak of a step's results %s, of what the model read %s.", rounded(u.PeakStep), rounded(u.PeakContext))
	if r := u.Reported; r != nil {
		figures += fmt.Sprintf(" The provider reported %s read, %s written.", grouped(r.Input+r.Cached), grouped(r.Output))
	}
	name, column, bar := t.stepColumns()
	first := "original"
	if column < len(first) {
		first = "orig."
	}
	heading := " " + pad("step", name) + " " + padLeft(first, column) + " " + padLeft("inline", column) + " " +
		pad("results", bar) + " " + padLeft("context", column)
	out := []string{line("as returned", original), line("as entered", entered)}
	out = append(out, indent(wrapWords(figures, t.W-2))...)
	return append(out, strings.Repeat(t.theme.rule, max(t.W, 0)), t.theme.faint.on(clip(heading, t.W)))
}
