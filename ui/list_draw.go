package ui

import (
	"fmt"
	"strings"

	"floodmark/engine"
)

// How a row of the list is drawn.

// columns are the widths of the parts of a row.
type columns struct{ tool, tokens, bar int }

func (l *listPane) columns() columns {
	c := columns{tokens: 9}
	if l.W < 48 {
		c.tokens = 7
	}
	rest := l.W - 1 - 2 - 1 - 1 - 1 - 1 - c.tokens - 1 - 1
	c.bar = max(rest*45/100, 6)
	c.tool = max(rest-c.bar, 4)
	return c
}

func (l *listPane) scale() scale {
	limit := l.measuredBy().thresholdTokens()
	return newScale(l.columns().bar, l.largest, limit)
}

func (l *listPane) View() []string {
	out := make([]string, 0, l.H)
	c, sc := l.columns(), l.scale()
	if l.H > 0 {
		out = append(out, l.heading(c, sc))
	}
	for i := l.top; len(out) < l.H; i++ {
		if i >= len(l.rows) {
			out = append(out, blank(l.W))
			continue
		}
		out = append(out, l.line(i, c, sc))
	}
	return out
}

// heading names the columns; the threshold stands over its line.
func (l *listPane) heading(c columns, sc scale) string {
	left := pad(" turn · call", l.W-c.bar-c.tokens-2) + padLeft("tokens", c.tokens) + " "
	line := sc.threshold()
	if line < 0 {
		return pad(l.theme.faint.on(left), l.W)
	}
	label := rounded(sc.limit)
	start := max(min(line-width(label)/2, c.bar-width(label)), 0)
	return pad(l.theme.faint.on(left)+blank(start)+l.theme.over.on(clip(label, c.bar)), l.W)
}

func (l *listPane) line(i int, c columns, sc scale) string {
	r, t := l.rows[i], l.theme
	selected := i == l.cursor
	pointer := " "
	if selected {
		pointer = t.resting
		if l.focus {
			pointer = t.pointer
		}
	} else if l.hits[i] {
		pointer = t.hit
	}
	future := l.playing && r.at > l.at()
	finish := func(plain string) string {
		switch plain = pad(plain, l.W); {
		case selected:
			return t.selected.on(plain)
		case future:
			return t.faint.on(plain)
		case l.hits[i]:
			return t.match.on(pointer) + strings.TrimPrefix(plain, pointer)
		}
		return plain
	}
	switch r.kind {
	case threadRow:
		name := "main thread"
		if r.thread.Subagent() {
			name = "subagent " + visible(r.thread.Name)
			if r.thread.Agent != "" {
				name += " · " + visible(r.thread.Agent)
			}
		}
		return finish(pointer + name)
	case turnRow:
		title := l.titles[r.turn]
		if r.turn.Number == 0 {
			title = "before the first message"
		}
		if r.turn.Compacted {
			title = "(history compacted) " + title
		}
		text := pad(pointer+fmt.Sprint(r.turn.Number)+" "+title, l.W-1) + " "
		if selected || future || l.hits[i] {
			return finish(text)
		}
		return t.strong.on(text)
	case wordsRow:
		title := l.titles[r.step]
		if title != "" {
			title = "“" + title + "”"
		}
		title = replacedMark(r) + title
		text := pad(pointer+r.tree.branch(&t.glyphs)+" "+title, l.W-1) + " "
		if selected || future || l.hits[i] {
			return finish(text)
		}
		return t.faint.on(text)
	}
	o := l.outcomes[r.call]
	size, n := "none", 0.0
	mark := " "
	switch {
	case o != nil && o.Verdict != "":
		size, n, mark = sized(o.Original.Tokens, c.tokens), o.Original.Tokens, t.mark(o)
	case o == nil && r.call.Result != nil:
		size = "…"
	}
	replaced := replacedMark(r)
	if c.tool-width(replaced) < leastTool {
		replaced = ""
	}
	tool := c.tool - width(replaced)
	name := clip(visible(r.call.Tool), tool)
	if arg, room := l.titles[r.call], tool-width(name)-1; arg != "" && room >= 6 {
		name += " " + clipArgument(arg, room)
	}
	if !selected && !future && !l.hits[i] {
		replaced = t.faint.on(replaced)
	}
	left := pointer + r.tree.branch(&t.glyphs) + " " + replaced + pad(name, tool) + " "
	right := " " + padLeft(size, c.tokens) + " "
	tail := " "
	if o != nil && len(o.Warnings) > 0 {
		tail = t.warned
	}
	if selected || future || l.hits[i] {
		return finish(left + mark + right + sc.plain(n, t) + tail)
	}
	switch {
	case o != nil && (o.Verdict == engine.Lost || o.Verdict == engine.Rejected):
		mark = t.bad.on(mark)
	case o != nil && o.Verdict != engine.Inline || flood(o):
		mark = t.over.on(mark)
	}
	return left + mark + right + sc.bar(n, t) + tail
}

// leastTool is how many cells of a tool's name have to be left beside a mark.
const leastTool = 3

// replacedMark says in the first row of a step that a summary took the history's place before it,
// where the row of its turn does not say so.
func replacedMark(r row) string {
	said := r.turn.Compacted && r.turn.Steps[0] == r.step
	if !r.step.Compacted || said || r.tree.index > 0 {
		return ""
	}
	return "compacted "
}
