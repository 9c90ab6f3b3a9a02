package ui

import "strings"

const jqPrompt = " jq› "

// View draws what is queried, the filter, its state, and the answer with the ledger below.
func (t *variableTab) View() []string {
	if t.sel.waiting() != "" || t.sel.outcome == nil {
		return t.textPane.View()
	}
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
	under := len(out)
	out = append(out, pad(t.stateLine(room), t.W), ruled(t.answerLine(), t.W, t.theme))
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

// stateLine says under the filter what is wrong with it and what can be done.
func (t *variableTab) stateLine(room int) string {
	p := t.problem
	offer := ""
	if o := t.prefixOffer(); o != "" {
		offer = " · " + o
	}
	indent := blank(width(jqPrompt))
	switch col, seen := t.edit.column(p.caret, room, t.typing); {
	case p.text == "" || !t.stale:
		return ""
	case p.unfinished:
		return indent + t.theme.faint.on(clip(p.text+offer, room))
	case seen && col+2+width(p.text) <= room:
		return indent + blank(col) + t.theme.over.on(t.theme.caret+" "+p.text)
	case seen && width(p.text)+1 <= col:
		return indent + blank(col-width(p.text)-1) + t.theme.over.on(p.text+" "+t.theme.caret)
	}
	return indent + t.theme.over.on(clip(p.text, room))
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
	if o := t.prefixOffer(); o != "" && !t.problem.unfinished {
		s = strings.TrimSuffix(o+" · "+s, " · ") // an error takes the line above
	}
	if k := t.problem.knows; k != "" && t.stale {
		s = strings.TrimSuffix(k+" · "+s, " · ")
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
