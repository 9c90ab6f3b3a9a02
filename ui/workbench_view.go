package ui

import "strings"

const jqPrompt = " jq› "

// View draws what is queried, the filter, its state, and the answer with the ledger below.
func (t *variableTab) View() []string {
	if t.sel.waiting() != "" || t.sel.outcome == nil {
		return t.textPane.View()
	}
	t.resize() // what stands above the answer has as many lines as it needs
	out := make([]string, 0, t.H)
	for _, line := range t.about() {
		out = append(out, pad(" "+line, t.W))
	}
	room := t.W - width(jqPrompt)
	if t.picker != nil {
		const find = " find› "
		out = append(out, t.theme.strong.on(find)+t.picker.edit.view(t.W-width(find), true, t.theme))
		return fill(append(out, t.picker.view(rect{W: t.W, H: max(t.H-len(out), 0)}, t.theme)...), t.rect)
	}
	out = append(out, pad(t.theme.strong.on(jqPrompt)+t.edit.view(room, t.typing, t.theme), t.W))
	for _, line := range t.stateLines() {
		out = append(out, pad(line, t.W))
	}
	out = append(out, t.answerLines()...)
	under := len(out) // what is wrong, and what runs, stays in sight above the offers
	body := max(t.H-len(out)-t.ledgerRows(), 0)
	out = append(out, fill(t.result(body), rect{W: t.W, H: body})...)
	out = append(out, t.drawLedger()...)
	out = fill(out, t.rect)
	if t.typing && t.popup.open() {
		col, _ := t.edit.column(len(t.popup.before)-t.popup.offers[t.popup.at].Replace, room, true)
		for i, line := range t.drawPopup(t.W, max(col, 0)+width(jqPrompt)-2, t.H-under) {
			out[under+i] = pad(line, t.W)
		}
	}
	return out
}

// stateLines say under the filter what is wrong with it, whole, with a caret at its place, and what can be
// done. There is one line at least, so that the answer stands still while most filters are typed.
func (t *variableTab) stateLines() []string {
	p := t.problem
	if p.text == "" || !t.stale {
		return []string{""}
	}
	style := t.theme.over
	if p.unfinished {
		style = t.theme.faint
	}
	room := t.W - width(jqPrompt)
	indent := blank(width(jqPrompt))
	words := p.text
	add := func(more string) {
		if more != "" {
			words = strings.TrimPrefix(words+" · "+more, " · ")
		}
	}
	var lines []string
	col, seen := t.edit.column(p.caret, room, t.typing)
	switch v := t.edit.value(); {
	case p.unfinished || p.caret < 0 || p.caret > len(v):
	case seen && col+2+width(words) <= room:
		lines, words = append(lines, indent+blank(col)+style.on(t.theme.caret+" "+words)), ""
	case seen && width(words)+1 <= col:
		lines, words = append(lines, indent+blank(col-width(words)-1)+style.on(words+" "+t.theme.caret)), ""
	case seen:
		lines = append(lines, indent+blank(col)+style.on(t.theme.caret))
	default: // the place is out of sight: what stands there is shown again
		before, after := clipStart(visible(v[:p.caret]), room/2), visible(v[p.caret:])
		lines = append(lines, indent+t.theme.faint.on(clip(before+after, room)), indent+blank(width(before))+style.on(t.theme.caret))
	}
	add(p.knows)
	add(t.prefixOffer())
	switch {
	case words == "":
	case width(words) <= room:
		lines = append(lines, indent+style.on(words))
	default:
		for _, line := range wrapParts(words, t.W-2) {
			lines = append(lines, " "+style.on(line))
		}
	}
	return firstLines(lines, max(t.H/2, 1), t.W)
}

// answerLines are the figures of the answer at the end of a rule, those that don't fit above it, and below it
// what looks sensitive in the answer.
func (t *variableTab) answerLines() []string {
	lines := wrapParts(t.answerLine(), max(t.W-4, 1))
	if len(lines) == 0 {
		return []string{ruled("", t.W, t.theme)}
	}
	lines = lines[max(len(lines)-max(t.H/4, 1), 0):]
	out := make([]string, 0, len(lines)+1)
	for _, line := range lines[:len(lines)-1] {
		out = append(out, padLeft(line, t.W-2)+"  ")
	}
	out = append(out, ruled(lines[len(lines)-1], t.W, t.theme))
	if t.answer != nil && t.answer.marks != "" && !t.open {
		out = append(out, pad(" "+t.theme.faint.on(clip(t.answer.marks, t.W-2)), t.W))
	}
	return out
}

// prefixOffer says which beginning of the filter runs, where a key can take it.
func (t *variableTab) prefixOffer() string {
	if t.problem.prefix == "" || !t.typing || !t.stale {
		return ""
	}
	return keyOf(takePrefix, t.theme.ascii, inPrompt) + " cuts it to " + visible(t.problem.prefix)
}

// answerLine is the figures of the last good answer, and what runs.
func (t *variableTab) answerLine() string {
	s := ""
	if t.answer != nil {
		s = t.answer.figures
		if t.stale {
			s = "last good answer: " + s
		}
	}
	if t.open {
		s = "inspection ledger"
	}
	if l := t.session.queries.Lingering(); l.Filter != "" {
		return "an earlier filter can't be stopped yet: " + visible(l.Filter)
	}
	if t.jobs.running("query") || t.jobs.running("replay ledger") {
		return strings.TrimSuffix("running… · "+s, " · ")
	}
	return s
}

// result draws the answer in its form, or the message in its place.
func (t *variableTab) result(h int) []string {
	var out []string
	switch {
	case t.pager.doc == nil:
		for _, line := range wrapWords(t.message, t.W-2) {
			out = append(out, pad(" "+line, t.W))
		}
		return out
	case t.form == formTable && t.table != nil && !t.open:
		for _, line := range t.table.view() {
			out = append(out, t.dimmed(" "+line))
		}
		return out
	}
	from := t.pager.top
	at := -1
	if t.fold != nil && t.fold.moved && t.form == formJSON && !t.open {
		at = t.pager.doc.lineStart(t.fold.shownAt())
	}
	for _, line := range t.pager.view() {
		margin := " "
		if at >= 0 && at == from {
			margin = t.theme.pointer
		}
		out = append(out, t.dimmed(margin+line))
		if at >= 0 && from >= 0 {
			next, more := t.pager.next(from)
			from = next
			if !more {
				from = -1
			}
		}
		if len(out) == h {
			break
		}
	}
	return out
}

// dimmed draws what is not the filter's answer any more.
func (t *variableTab) dimmed(line string) string {
	if t.stale && !t.open {
		return t.theme.faint.on(line)
	}
	return line
}

// position says how much of the answer is in sight.
func (t *variableTab) position() string {
	if t.form == formTable && t.table != nil && !t.open {
		return t.table.position()
	}
	return t.pager.position()
}

// text is what a search looks through: the answer as it is shown, not a table.
func (t *variableTab) text() *pager {
	if t.form == formTable && !t.open {
		return nil
	}
	return t.textPane.text()
}

// ruled is a rule with words at its end.
func ruled(words string, w int, t *theme) string {
	if words == "" {
		return strings.Repeat(t.rule, max(w, 0))
	}
	words = clip(words, w-4)
	return strings.Repeat(t.rule, max(w-width(words)-3, 0)) + " " + words + " " + t.rule
}
