package ui

import (
	"fmt"
	"strings"

	"floodmark/engine"
)

// View draws the frame: exactly as many lines as the screen has, each as wide as it is.
func (e *explorer) View() string {
	defer passBug()
	l := e.lay
	if l.W <= 0 || l.H <= 0 {
		return ""
	}
	lines := e.frame()
	if e.theme.ascii {
		for i := range lines {
			lines[i] = plainASCII(lines[i])
		}
	}
	return strings.Join(lines, "\n")
}

func (e *explorer) frame() []string {
	l := e.lay
	if l.small {
		return e.tooSmall()
	}
	out := make([]string, 0, l.H)
	split := -1
	if !l.narrow && e.overlay == nil && e.conv >= 0 {
		split = l.list.W
	}
	if e.tuning && e.overlay == nil {
		out = append(out, e.tune.header(l.W, e.loading), e.tune.ruleTop(l.W))
		return append(append(out, fill(e.tune.View(), e.tuneRect())...), e.footer())
	}
	if e.tuning { // what covers Tune belongs to it
		out = append(out, e.tune.header(l.W, e.loading))
	} else {
		out = append(out, e.header())
	}
	if e.overlay != nil {
		out = append(out, ruled(e.overlay.position(), l.W, e.theme))
	} else {
		out = append(out, e.rule(split, e.theme.teeDown))
	}
	switch {
	case e.overlay != nil:
		out = append(out, fill(e.overlay.View(), e.overlayRect())...)
		if e.tuning { // the context below is the explorer's
			return append(out, e.footer())
		}
	case e.conv < 0:
		out = append(out, e.nothingOpen()...)
	case l.narrow && e.inResult:
		out = append(out, e.result()...)
	case l.narrow:
		out = append(out, e.list.View()...)
	default:
		right := e.result()
		for i, line := range e.list.View() {
			out = append(out, line+e.theme.wall+right[i])
		}
	}
	out = append(out, e.rule(split, e.theme.teeUp))
	out = append(out, e.gauge.View()...)
	return append(out, e.footer())
}

// tooSmall is the message on a screen that has no room.
func (e *explorer) tooSmall() []string {
	text := fmt.Sprintf("floodmark needs %d×%d cells, this is %d×%d. %s quits.", minWidth, minHeight, e.lay.W, e.lay.H, keyOf(quit, e.theme.ascii))
	out := make([]string, 0, e.lay.H)
	for _, line := range wrapWords(text, e.lay.W) {
		if len(out) < e.lay.H {
			out = append(out, pad(line, e.lay.W))
		}
	}
	return fill(out, rect{W: e.lay.W, H: e.lay.H})
}

// rule is a line across, joined with the wall between the panes.
func (e *explorer) rule(split int, tee string) string {
	if split < 0 {
		return strings.Repeat(e.theme.rule, e.lay.W)
	}
	return strings.Repeat(e.theme.rule, split) + tee + strings.Repeat(e.theme.rule, e.lay.W-split-1)
}

// header says what is open, and by which rules it is measured.
func (e *explorer) header() string {
	right, warned := e.measuredBy()
	right = clip(right, e.lay.W-3)
	room := max(e.lay.W-width(right)-3, 0)
	left := " floodmark"
	if e.conv >= 0 {
		c := e.session.convs[e.conv]
		facts := fmt.Sprintf(" · %s · %s, %s", visible(c.Format), count(c.turns, "turn"), count(c.results, "result"))
		if n := len(e.session.convs); n > 1 {
			facts += fmt.Sprintf(" · %d of %d", e.conv+1, n)
		}
		loading := ""
		if e.loading {
			loading = " · " + strings.TrimSpace("opening… "+visible(e.far))
		}
		name := visible(c.File)
		left = headline(room, name, facts+loading, " · "+visible(c.Format)+loading, loading, "")
	}
	left = pad(left, room+2)
	if warned {
		return left + e.theme.over.on(right) + " "
	}
	return left + right + " "
}

// headline is the name with as many of the facts as there is room for.
func headline(room int, name string, facts ...string) string {
	if s := " floodmark  " + name + facts[0]; width(s) <= room {
		return s
	}
	for _, f := range facts {
		if n := room - 1 - width(f); n >= min(width(name), 20) {
			return " " + clipStart(name, n) + f
		}
	}
	return " " + clipStart(name, room-1)
}

// measuredBy says what the figures on the screen were made by, and what comes next where a run by
// other rules is long under way. changed tells that the rules are not the policy's own.
func (e *explorer) measuredBy() (s string, changed bool) {
	by := e.list.measuredBy()
	if _, ok := e.overlay.(*conversationsOverlay); ok {
		by = e.session.rules // all its totals are made by these
	}
	s, changed = by.describe(e.lay.W >= 100)
	if e.late && by.revision != e.session.revision {
		s += " → " + by.next(e.session.rules) + "…"
	}
	return s, changed
}

// nothingOpen stands in the panes' place while there is no conversation.
func (e *explorer) nothingOpen() []string {
	r := e.overlayRect()
	out := []string{""}
	if e.loading {
		out = append(out, strings.TrimSpace("opening "+visible(e.title)+"… "+visible(e.far)))
	} else {
		out = append(out, "nothing to show: no recording was found in "+visible(e.title))
	}
	for _, f := range e.failed {
		out = append(out, wrapWords("not opened: "+f, r.W-2)...)
	}
	for i := range out {
		out[i] = pad(" "+out[i], r.W)
	}
	return fill(out, r)
}

// resultRows is the room above a view: what the result is, its verdict in two lines, the tabs, and a
// rule where there is room.
func resultRows(body rect) int {
	if body.H < 14 {
		return 4
	}
	return 5
}

// result draws the selected result: what it is, its verdict, the tabs and the view in front.
func (e *explorer) result() []string {
	r := e.lay.body
	s := e.list.selected()
	out := make([]string, 0, r.H)
	add := func(line string) { out = append(out, pad(line, r.W)) }
	add(e.resultTitle(s, r.W))
	verdict, entered := verdictSentence(s.outcome)
	if width(verdict) > r.W-3 || width(entered) > r.W-3 {
		verdict, entered = verdictShort(s.outcome, verdict, entered)
	}
	mark := e.theme.mark(s.outcome)
	line := clip(" "+mark+" "+verdict, r.W)
	switch o := s.outcome; {
	case o == nil:
		add("")
		add("")
	case o.Verdict == engine.Lost || o.Verdict == engine.Rejected:
		add(e.theme.bad.on(line))
		add("   " + entered)
	case o.Verdict == engine.Inline && !flood(o):
		add(line)
		add("   " + entered)
	default:
		add(e.theme.over.on(line))
		add("   " + entered)
	}
	t := e.tabs[e.tab]
	row := e.tabRow(r.W)
	position := t.position()
	if resultRows(r) == 5 {
		add(row)
		out = append(out, ruled(position, r.W, e.theme))
	} else {
		if room := r.W - width(row) - 2; width(position) <= room {
			row = pad(row, r.W-width(position)-1) + position
		}
		add(row)
	}
	return fill(append(out, t.View()...), r)
}

// resultTitle names what is selected.
func (e *explorer) resultTitle(s selection, w int) string {
	name, where := "", places(s.row)
	switch s.row.kind {
	case callRow:
		name = visible(s.row.call.Tool)
	case turnRow:
		name = "what a person wrote"
		if s.row.turn.Number == 0 {
			name = "before the first message"
		} else if s.row.thread.Subagent() {
			name = "what the agent was asked"
		}
	case wordsRow:
		name = "what the model wrote"
	case threadRow:
		name = "thread"
	}
	name = clip(name, w-4)
	left := " " + e.theme.strong.on(name)
	arg := ""
	if s.row.call != nil {
		arg = e.list.titles[s.row.call]
	}
	// The place stands at the end, as much of it as leaves room for the argument.
	for _, where := range where {
		if room := w - width(name) - 5 - width(where); room >= min(width(arg), 16) {
			return pad(left+"  "+clipArgument(arg, room), w-width(where)-1) + where + " "
		}
	}
	return left + clip("  "+arg, w-1-width(name))
}

// tabRow lists the views by number, the one in front between ▌ and ▐.
func (e *explorer) tabRow(w int) string {
	build := func(narrow bool, gap, end string) string {
		var b strings.Builder
		for i, t := range e.tabs {
			name, short := t.name()
			if narrow {
				name = short
			}
			label := fmt.Sprintf("%d%s%s", i+1, gap, name)
			switch {
			case i == e.tab:
				b.WriteString(e.theme.tabOpen + e.focused(label) + e.theme.tabClose)
			case i+1 == e.tab && end == "":
				b.WriteString(" " + label)
			default:
				b.WriteString(" " + label + end)
			}
		}
		return b.String()
	}
	for _, row := range []string{build(false, " ", " "), build(false, " ", ""), build(true, " ", "")} {
		if width(row) <= w {
			return row
		}
	}
	return clip(build(true, "", ""), w)
}

// focused draws the name of the view in front: loud where it has the keys.
func (e *explorer) focused(label string) string {
	if e.inResult {
		return e.theme.selected.on(label)
	}
	return e.theme.strong.on(label)
}

// counting says what the run is for that is long under way, and whose the figures are until then.
func (e *explorer) counting() string {
	p := e.session.policy
	s := " counting by " + visible(p.Name) + " · " + string(p.Estimator) + "…"
	if e.list.run != nil {
		shown := e.list.rules.policy
		s += " until then as by " + visible(shown.Name) + " · " + string(shown.Estimator)
	}
	return s
}

// footer is the line being typed, what was just said, or the keys.
func (e *explorer) footer() string {
	w := e.lay.W
	switch {
	case e.prompt != nil:
		label := " " + e.prompt.label
		return e.theme.strong.on(label) + e.prompt.edit.view(w-width(label), true, e.theme)
	case e.status != "":
		return pad(" "+e.status, w)
	case e.overlay != nil:
		return pad(footerKeys(w, e.theme.ascii, e.overlayScope()), w)
	case e.tuning:
		return pad(footerKeys(w, e.theme.ascii, inTune), w)
	case e.late:
		return pad(e.counting(), w)
	}
	if t, ok := e.tabs[e.tab].(typist); ok && t.isTyping() {
		return pad(footerKeys(w, e.theme.ascii, inPrompt), w)
	}
	if _, ok := e.tabs[e.tab].(*variableTab); ok && e.inResult {
		return pad(footerKeys(w, e.theme.ascii, inVariable, everywhere), w)
	}
	if e.inResult {
		return pad(footerKeys(w, e.theme.ascii, inResult, everywhere), w)
	}
	return pad(footerKeys(w, e.theme.ascii, everywhere), w)
}
