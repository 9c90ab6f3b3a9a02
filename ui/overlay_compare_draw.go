package ui

import (
	"strings"

	"floodmark/engine"
)

func (o *compareOverlay) SetRect(r rect) {
	o.rect = r
	table := o.tableRows()
	texts := rect{r.X, r.Y + table + 2, r.W, max(r.H-table-2, 0)} // below the heads and a rule
	half := (texts.W - 1) / 2
	if o.cursor == o.current {
		half = texts.W // one text, not the same one twice
	}
	o.left.SetRect(rect{texts.X, texts.Y, half, texts.H})
	o.right.SetRect(rect{texts.X + half + 1, texts.Y, max(texts.W-half-1, 0), texts.H})
	o.show()
}

// tableRows is how many lines of the table there is room for: half of the screen at most.
func (o *compareOverlay) tableRows() int { return max(min(len(o.rows), (o.H-2)/2), 1) }

// show keeps the chosen policy in sight, and its strategy's heading where there is room.
func (o *compareOverlay) show() {
	at, n := 0, o.tableRows()
	for i, r := range o.rows {
		if r.policy == o.cursor {
			at = i
		}
	}
	if at < o.top {
		o.top = at
		if at > 0 && o.rows[at-1].policy < 0 && n > 1 {
			o.top--
		}
	}
	if at >= o.top+n {
		o.top = at - n + 1
	}
	o.top = max(min(o.top, len(o.rows)-n), 0)
}

// A sightColumn is a figure of each policy: of the conversation, or of the result.
type sightColumn struct {
	title  string
	cells  int
	figure func(p engine.ComparedPolicy, s *engine.Sight) string
}

// columns are the figures that there is room for, of the conversation and of the result.
func (o *compareOverlay) columns() (all, one []sightColumn) {
	bytes := func(n int64) string { return brief(float64(n)) }
	entered := sightColumn{"tokens", 11, func(p engine.ComparedPolicy, _ *engine.Sight) string { return short(p.Totals.Inline.Tokens) }}
	peak := sightColumn{"peak step", 11, func(p engine.ComparedPolicy, _ *engine.Sight) string { return short(p.Totals.PeakStep) }}
	lost := sightColumn{"lost B", 8, func(p engine.ComparedPolicy, _ *engine.Sight) string { return bytes(p.Gone) }}
	this := []sightColumn{
		{"tokens", 11, func(_ engine.ComparedPolicy, s *engine.Sight) string { return short(s.Inline.Tokens) }},
		{"lost B", 8, func(_ engine.ComparedPolicy, s *engine.Sight) string { return bytes(s.Gone) }},
	}
	if o.W < 100 {
		entered = sightColumn{"tokens", 8, func(p engine.ComparedPolicy, _ *engine.Sight) string { return brief(p.Totals.Inline.Tokens) }}
		this[0] = sightColumn{"tokens", 8, func(_ engine.ComparedPolicy, s *engine.Sight) string { return brief(s.Inline.Tokens) }}
		return []sightColumn{entered, lost}, this
	}
	kept := sightColumn{"kept B", 8, func(p engine.ComparedPolicy, _ *engine.Sight) string { return bytes(p.Retrievable) }}
	return []sightColumn{entered, peak, kept, lost}, []sightColumn{this[0],
		{"seen B", 8, func(_ engine.ComparedPolicy, s *engine.Sight) string { return bytes(s.Seen) }},
		{"kept B", 8, func(_ engine.ComparedPolicy, s *engine.Sight) string { return bytes(s.Retrievable) }},
		this[1]}
}

// verdictCells is the width of a verdict with its mark.
const verdictCells = 15

func (o *compareOverlay) View() []string {
	if o.compared == nil || len(o.compared.Results) == 0 {
		text := o.message
		if o.compared != nil {
			text = "no result in this conversation: there is nothing to compare"
		}
		return []string{blank(o.W), pad(" "+text, o.W)}
	}
	all, one := o.columns()
	name := o.nameCells(all, one)
	out := []string{o.theme.faint.on(o.heads(name, all, one))}
	n := o.tableRows()
	for i := o.top; i < o.top+n && i < len(o.rows); i++ {
		out = append(out, o.row(o.rows[i], name, all, one))
	}
	words := ""
	if len(o.rows) > n {
		words = "policy " + grouped(int64(o.cursor+1)) + " of " + grouped(int64(len(o.policies)))
	}
	out = append(out, ruled(words, o.W, o.theme))
	if o.cursor == o.current {
		return append(out, o.left.View()...)
	}
	right := o.right.View()
	for i, line := range o.left.View() {
		out = append(out, line+o.theme.wall+right[i])
	}
	return out
}

// nameCells is what the figures leave for the policy's name.
func (o *compareOverlay) nameCells(all, one []sightColumn) int {
	w := o.W - 2 - verdictCells - 3
	for _, c := range append(append([]sightColumn{}, all...), one...) {
		w -= c.cells
	}
	return max(w, 8)
}

func (o *compareOverlay) heads(name int, all, one []sightColumn) string {
	line := "  " + pad("policy", name)
	for _, c := range all {
		line += padLeft(c.title, c.cells)
	}
	line += " " + o.theme.wall + " " + pad("this result", verdictCells)
	for _, c := range one {
		line += padLeft(c.title, c.cells)
	}
	return pad(line, o.W)
}

func (o *compareOverlay) row(r compareRow, name int, all, one []sightColumn) string {
	if r.policy < 0 {
		return pad(" "+o.theme.faint.on(strategyHeads[r.strategy]), o.W)
	}
	p, s := o.compared.Policies[r.policy], &o.compared.Results[o.result].Sights[r.policy]
	pointer := "  "
	if r.policy == o.cursor {
		pointer = o.theme.pointer + " "
	}
	title := visible(p.Policy.Name)
	switch {
	case len(p.Policy.WhatIf) > 0:
		title += ", what if"
	case len(p.Policy.Changed) > 0:
		title += ", changed"
	}
	if r.policy == o.current {
		title += " (now)"
	}
	line := pointer + pad(title, name)
	for _, c := range all {
		line += padLeft(c.figure(p, s), c.cells)
	}
	verdict := strings.ReplaceAll(string(s.Verdict), "-", " ")
	if s.Cleared != nil {
		verdict = "cleared " + stepNumber(s.Cleared.Turn, s.Cleared.Step)
	}
	line += " " + o.theme.wall + " " + pad(o.theme.verdicts[s.Verdict]+" "+verdict, verdictCells)
	for _, c := range one {
		line += padLeft(c.figure(p, s), c.cells)
	}
	line = pad(line, o.W)
	switch {
	case r.policy == o.cursor:
		return o.theme.selected.on(line)
	case s.Verdict == engine.Lost || s.Verdict == engine.Rejected:
		return o.theme.bad.on(line)
	}
	return line
}

// sightTitle says what a policy leaves of a result.
func sightTitle(label string, s engine.Sight) string {
	return label + ": " + string(s.Verdict) + ", " + tokens(s.Inline.Tokens)
}

// sightLoss says what of the payload is not seen.
func sightLoss(s engine.Sight) string {
	if c := s.Cleared; c != nil {
		what := bytesText(s.Gone) + " lost for good"
		if s.Gone == 0 {
			what = bytesText(s.Retrievable) + " retrievable"
		}
		return "cleared before step " + stepNumber(c.Turn, c.Step) + ": " + what
	}
	switch {
	case s.Gone > 0:
		return bytesText(s.Gone) + " lost for good"
	case s.Retrievable > 0:
		return bytesText(s.Retrievable) + " retrievable"
	}
	return "nothing is left out"
}
