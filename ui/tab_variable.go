package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
	"floodmark/history"
)

const (
	// wholeFilter is what an empty filter stands for.
	wholeFilter = "."
	// typingPause is how long typing must rest before a filter runs.
	typingPause = 120 * time.Millisecond
	// A filter's answer is cut here; the screen says so.
	maxQueryResults = 100_000
	maxQueryBytes   = 8 << 20
	// eagerBytes is the largest payload that is decoded without a filter having been typed:
	// decoding takes about 24 ms and nine times the memory for each MB.
	eagerBytes = 8 << 20
)

// variableTab runs a jq filter over the complete payload as it is typed. The last good answer stays
// while a filter is unfinished or wrong.
type variableTab struct {
	textPane
	edit   *lineEdit
	typing bool
	before string // the filter when typing began
	sel    selection
	data   *decoded // of the selected result; nil until it was needed

	answer  string // figures of the last good answer
	stale   bool   // the answer is not that of the filter as it stands
	problem string
	caret   int // byte in the filter; -1 without
	offers  []string
	offered int
	under   string // the policy under which data was kept
	kept    string // where the variable is kept, or why it is not
}

// decoded is a payload as filters see it.
type decoded struct {
	call  *history.Call
	value any
	json  bool
	kept  string
}

func newVariable(d *deps) *variableTab {
	t := &variableTab{textPane: newTextPane(d), edit: newLineEdit(), caret: -1}
	t.edit.placeholder = wholeFilter
	return t
}

func (t *variableTab) name() (string, string) { return "Variable", "Var" }

func (t *variableTab) SetRect(r rect) {
	t.rect = r
	t.resize()
}

// resize gives the pager what is left under what is queried, the filter, its state and a rule.
func (t *variableTab) resize() { t.pager.setSize(t.W-1, t.H-len(t.about())-3) }

// about says what is queried, in one line or more.
func (t *variableTab) about() []string {
	lines := wrapWords(t.queried(), t.W-2)
	if t.H < 10 {
		return firstLines(lines, 1, t.W-2)
	}
	return firstLines(lines, 3, t.W-2)
}

func (t *variableTab) show(s selection) tea.Cmd {
	now := s.shown()
	if t.shown == now {
		return nil
	}
	before, _ := t.shown.(shownOutcome)
	t.shown, t.sel = now, s
	if before.id == now.id && before.outcome != nil {
		// Another policy or threshold: nothing is opened, so nothing is written. The answer stays; the
		// next filter decodes and keeps anew where the verdict is another.
		if s.outcome != nil && (s.outcome.Verdict != before.outcome.Verdict || s.policy.Name != t.under) {
			t.data, t.kept = nil, ""
		}
		if s.outcome == nil {
			t.shown = before
		}
		return nil
	}
	t.under = s.policy.Name
	if before.id != now.id {
		t.data, t.answer, t.problem, t.caret, t.stale, t.kept = nil, "", "", -1, false, ""
		t.pager.setDoc(nil)
		t.edit.set("")
	}
	t.message = s.waiting()
	if t.message != "" {
		t.jobs.stop("query")
		return nil
	}
	if s.outcome.Verdict == engine.Rejected {
		t.jobs.stop("query")
		t.message = "The result was rejected: nothing is kept that could be queried."
		return nil
	}
	if s.outcome.Original.Bytes > eagerBytes && t.data == nil {
		t.message = fmt.Sprintf("%s bytes. Type a filter (%s) and they will be decoded.", grouped(s.outcome.Original.Bytes), keyOf(typeQuery, t.theme.ascii))
		return nil
	}
	return t.query(0)
}

// queried says what a filter looks at.
func (t *variableTab) queried() string {
	o := t.sel.outcome
	if o == nil {
		return ""
	}
	s := jqName(o.Name) + " · " + bytesText(o.Original.Bytes)
	if f := o.Facts; f != nil && f.Records >= 0 {
		s += " · " + count(f.Records, "record")
	}
	if o.Verdict == engine.Offloaded {
		if t.kept != "" {
			return s + " · " + t.kept
		}
		return s + " · not opened yet"
	}
	return s + " · " + string(o.Verdict) + ", not a variable: the payload itself is queried"
}

// begin gives the filter the keys.
func (t *variableTab) begin() {
	if t.sel.waiting() == "" {
		t.typing, t.before = true, t.edit.value()
	}
}

// try runs a filter that somebody else proposes.
func (t *variableTab) try(filter string) tea.Cmd {
	t.edit.set(filter)
	t.stale = true
	return t.query(0)
}

// Type handles a key while the filter is typed.
func (t *variableTab) Type(k tea.KeyMsg, a action, bound bool) tea.Cmd {
	if bound {
		switch a {
		case accept:
			t.typing, t.offers = false, nil
			return t.query(0)
		case leave:
			t.typing, t.offers = false, nil
			if t.edit.value() != t.before {
				t.edit.set(t.before)
				return t.query(0)
			}
			return nil
		case complete:
			return t.complete()
		case pageUp, pageDown:
			cmd, _ := t.textPane.Key(a)
			return cmd
		}
	}
	t.offers = nil
	if t.edit.key(k) {
		t.stale = true
		return t.query(typingPause)
	}
	return nil
}

func (t *variableTab) Key(a action) (tea.Cmd, bool) {
	if a == typeQuery {
		t.begin()
		return nil, true
	}
	return t.textPane.Key(a)
}

// query runs the filter after a pause.
func (t *variableTab) query(pause time.Duration) tea.Cmd {
	s, data, filter := t.sel, t.data, t.edit.value()
	if s.outcome == nil || s.outcome.Verdict == engine.Rejected {
		return nil
	}
	if strings.TrimSpace(filter) == "" {
		filter = wholeFilter
	}
	if t.pager.doc == nil {
		t.message = "running…"
	}
	others := t.variables(filter)
	d := t.deps
	return t.jobs.start("query", func(ctx context.Context) answer {
		if pause > 0 && !d.wait(ctx, pause) {
			return nil
		}
		r := runFilter(ctx, d, s, data, filter, others)
		return func() tea.Cmd { t.take(r); return nil }
	})
}

func (t *variableTab) take(r filterResult) {
	if r.data != nil {
		t.data, t.kept, t.under = r.data, r.data.kept, t.sel.policy.Name
	}
	t.stale = r.problem != ""
	t.problem, t.caret = r.problem, r.caret
	if r.problem != "" {
		if t.pager.doc == nil {
			t.message = "no answer yet"
		}
		return
	}
	t.message, t.answer = "", r.figures
	t.pager.setDoc(r.doc)
	t.resize()
	if len(r.doc.data) == 0 {
		t.message = "The filter gives nothing."
		t.pager.setDoc(nil)
	}
}

func (t *variableTab) View() []string {
	out := make([]string, 0, t.H)
	add := func(s string) {
		if len(out) < t.H {
			out = append(out, pad(s, t.W))
		}
	}
	if t.sel.waiting() != "" || t.sel.outcome == nil {
		return t.textPane.View()
	}
	for _, line := range t.about() {
		add(" " + line)
	}
	const prompt = " jq› "
	room := t.W - width(prompt)
	add(t.theme.strong.on(prompt) + t.edit.view(room, t.typing, t.theme))
	switch col, seen := t.edit.column(t.caret, room, t.typing); {
	case len(t.offers) > 0:
		add(blank(width(prompt)) + strings.Join(t.offers, "  "))
	case t.problem != "" && seen && col+2+width(t.problem) <= room:
		add(blank(width(prompt)+col) + t.theme.over.on(t.theme.caret+" "+t.problem))
	case t.problem != "" && seen && width(t.problem)+1 <= col:
		add(blank(width(prompt)+col-width(t.problem)-1) + t.theme.over.on(t.problem+" "+t.theme.caret))
	case t.problem != "":
		add(blank(width(prompt)) + t.theme.over.on(clip(t.problem, room)))
	case t.sel.outcome.Facts != nil && !t.sel.outcome.Facts.Valid:
		add(blank(width(prompt)) + t.theme.faint.on(clip("not JSON: the filter sees one string", room)))
	default:
		add("")
	}
	state := t.answer
	if t.stale && state != "" {
		state = "last good answer: " + state
	}
	add(ruled(state, t.W, t.theme))
	if t.pager.doc == nil {
		for _, line := range wrapWords(t.message, t.W-2) {
			add(" " + line)
		}
		return fill(out, t.rect)
	}
	for _, line := range t.pager.view() {
		if t.stale {
			line = t.theme.faint.on(line)
		}
		if len(out) < t.H {
			out = append(out, " "+line)
		}
	}
	return fill(out, t.rect)
}

// ruled is a rule with words at its end.
func ruled(words string, w int, t *theme) string {
	if words == "" {
		return strings.Repeat(t.rule, max(w, 0))
	}
	words = clip(words, w-4)
	return strings.Repeat(t.rule, max(w-width(words)-3, 0)) + " " + words + " " + t.rule
}
