package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

const (
	// wholeFilter is what an empty filter stands for.
	wholeFilter = "."
	// typingPause is how long typing must rest before a filter runs.
	typingPause = 120 * time.Millisecond
	// eagerBytes is the largest payload that is decoded without a filter having been typed:
	// decoding takes about 24 ms and nine times the memory for each MB.
	eagerBytes = 8 << 20
)

// variableTab is the workbench: jq over the complete payload, as it is typed, and what each look would put
// into the context. The last good answer stays while a filter is unfinished or wrong.
type variableTab struct {
	textPane
	runner  *engine.Runner
	sources *sources
	sel     selection

	edit   *lineEdit
	typing bool
	before string // the filter when typing began
	kind   engine.InspectionKind
	popup  popup
	picker *picker // covers the result while something is chosen; nil else

	answer  *queryAnswer // the last good one; nil without
	form    answerForm
	fold    *folding // of the answer as JSON; nil where it can't be folded
	table   *answerTable
	stale   bool // the answer is not that of the filter as it stands
	problem queryProblem
	noting  bool // the filter was accepted: its answer is a step of the ledger
	asked   askedFilter

	outlines outlines
	past     pastFilters
	ledgers  ledgers
	open     bool // the ledger covers the result

	under string // the policy under which data was kept
}

// An askedFilter is the one that was run last.
type askedFilter struct {
	filter   string
	kind     engine.InspectionKind
	accepted bool
}

func newVariable(d *deps) *variableTab {
	t := &variableTab{textPane: newTextPane(d), edit: newLineEdit(), runner: d.session.runner(), sources: newSources(), kind: engine.FilterStep}
	t.edit.placeholder = wholeFilter
	t.ledgers = ledgers{}
	t.problem.caret = -1
	return t
}

func (t *variableTab) name() (string, string) { return "Variable", "Var" }

func (t *variableTab) SetRect(r rect) {
	t.rect = r
	t.resize()
	if t.open {
		t.showLedger()
	}
}

// resize gives the pager what is left between what is queried, the filter, its state and figures, and the ledger.
func (t *variableTab) resize() {
	t.pager.setSize(t.W-1, max(t.H-len(t.about())-1-len(t.stateLines())-len(t.answerLines())-t.ledgerRows(), 0))
	if t.table != nil {
		t.table.setSize(t.W-1, t.pager.h)
	}
}

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
	if before.id != now.id {
		t.noteStopped()
	}
	t.shown, t.sel = now, s
	if before.id == now.id && before.outcome != nil {
		// Another policy or threshold: nothing is opened, so nothing is written. The answer stays; the
		// next filter keeps anew where the verdict is another.
		if s.outcome == nil {
			t.shown = before
		}
		t.resize()
		return nil
	}
	if before.id != now.id {
		t.forget()
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
	if s.outcome.Original.Bytes > eagerBytes {
		t.message = fmt.Sprintf("%s bytes. Type a filter (%s) and they will be decoded.", grouped(s.outcome.Original.Bytes), keyOf(typeQuery, t.theme.ascii))
		return nil
	}
	return t.query(0)
}

// forget makes room for another result.
func (t *variableTab) forget() {
	for _, kind := range []jobKind{"query", "offers", "outline", "keep", "replay ledger", "table", "marks"} {
		t.jobs.stop(kind)
	}
	t.runner.Stop()
	t.answer, t.fold, t.table, t.stale, t.problem, t.noting = nil, nil, nil, false, queryProblem{caret: -1}, false
	t.typing, t.picker, t.popup, t.open, t.kind, t.form = false, nil, popup{}, false, engine.FilterStep, formJSON
	t.outlines = outlines{}
	t.pager.setDoc(nil)
	t.edit.set("")
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
	if f := o.Facts; f != nil && !f.Valid {
		s += " · not JSON: the filter sees one string"
	}
	if o.Label != "" {
		s += " · label " + o.Label
	}
	if o.Verdict == engine.Offloaded {
		if note, ok := t.sources.note(sourceKey(t.sel, o)); ok {
			return s + " · " + note
		}
		return s + " · not opened yet"
	}
	return s + " · " + string(o.Verdict) + ", not a variable: the payload itself is queried"
}

func (t *variableTab) isTyping() bool { return t.typing || t.picker != nil }

// begin gives the filter the keys.
func (t *variableTab) begin() tea.Cmd {
	if t.sel.waiting() != "" || t.sel.outcome == nil || t.sel.outcome.Verdict == engine.Rejected {
		return nil
	}
	t.typing, t.before, t.open = true, t.edit.value(), false
	t.past.at = -1
	t.resize()
	return t.outline()
}

// try runs a filter that somebody else proposes; accepted tells that it is a step of the ledger.
func (t *variableTab) try(filter string) tea.Cmd { return t.propose(filter, engine.FilterStep, false) }

func (t *variableTab) propose(filter string, kind engine.InspectionKind, accepted bool) tea.Cmd {
	t.edit.set(filter)
	t.kind, t.stale, t.noting, t.open = kind, true, accepted, false
	t.form = formJSON
	t.resize()
	return t.query(0)
}

// back leaves what covers the result, or a filter that runs; false where there is neither.
func (t *variableTab) back() bool {
	switch {
	case t.jobs.running("query"):
		t.noteStopped()
		t.jobs.stop("query")
		t.runner.Stop()
		t.deps.tell("stopped")
		if t.answer == nil {
			t.message = "stopped: there is no answer yet"
		}
	case t.jobs.running("replay ledger"):
		t.jobs.stop("replay ledger")
		t.runner.Stop()
		t.deps.tell("stopped: the ledger is as it was")
	case t.open:
		t.open = false
		t.resize()
	default:
		return false
	}
	return true
}

// Type handles a key while the filter is typed, or something is chosen.
func (t *variableTab) Type(k tea.KeyMsg, a action, bound bool) tea.Cmd {
	if t.picker != nil {
		return t.pick(k, a, bound)
	}
	if bound {
		switch a {
		case accept:
			return t.accept()
		case leave:
			t.typing, t.popup = false, popup{}
			if t.edit.value() != t.before {
				t.edit.set(t.before)
				t.noting = false
				return t.query(0)
			}
			return nil
		case complete:
			return t.complete()
		case takePrefix:
			return t.takePrefix()
		case searchHistory:
			return t.chooseFilter()
		case up, down:
			by := 1
			if a == up {
				by = -1
			}
			if t.popup.move(by) {
				return nil
			}
			return t.recall(by)
		case pageUp, pageDown:
			cmd, _ := t.textPane.Key(a)
			return cmd
		}
	}
	if !t.edit.key(k) {
		t.popup = popup{}
		return nil
	}
	return t.typed()
}

// typed goes on after the filter has changed.
func (t *variableTab) typed() tea.Cmd {
	t.stale, t.kind, t.noting = true, engine.FilterStep, false
	return tea.Batch(t.offer(false), t.query(typingPause))
}

// accept ends typing: the answer becomes a step.
func (t *variableTab) accept() tea.Cmd {
	t.typing, t.popup = false, popup{}
	remember := t.remember(t.edit.value())
	_, read := t.sources.note(sourceKey(t.sel, t.sel.outcome)) // under another verdict it is kept anew
	if t.answer != nil && read && !t.stale && t.answer.filter == t.filter() && !t.jobs.running("query") {
		return tea.Batch(remember, t.note())
	}
	t.noting = true
	return tea.Batch(t.query(0), remember)
}

// filter is what is run for what is typed.
func (t *variableTab) filter() string {
	if f := t.edit.value(); strings.TrimSpace(f) != "" {
		return f
	}
	return wholeFilter
}

func (t *variableTab) Key(a action) (tea.Cmd, bool) {
	if t.open {
		switch a {
		case up, down, pageUp, pageDown, toTop, toEnd:
			return t.textPane.Key(a)
		}
	}
	switch a {
	case typeQuery, editFilter:
		return t.begin(), true
	case up, down:
		by := 1
		if a == up {
			by = -1
		}
		switch {
		case t.table != nil && t.form == formTable:
			t.table.Key(a)
			return nil, true
		case t.fold != nil && t.form == formJSON && t.pager.doc != nil:
			t.fold.point(&t.pager, by)
			return nil, true
		}
	case pageUp, pageDown, toTop, toEnd:
		if t.table != nil && t.form == formTable {
			t.table.Key(a)
			return nil, true
		}
	case inspectPrefix, inspectSchema, inspectShape, inspectText, keepResult:
		return t.inspect(a), true
	case nextAnswer, rawPretty:
		return t.nextForm(a == rawPretty), true
	case foldHere, foldAll:
		t.foldKey(a)
		return nil, true
	case prevColumn, nextColumn, sortColumn:
		return t.tableKey(a), true
	case copyResult:
		t.copyShown()
		return nil, true
	case copyCommand:
		return t.copyFilter(), true
	case writeResult:
		t.askWrite()
		return nil, true
	case showLedger:
		t.open = !t.open
		t.showLedger()
		return nil, true
	case replayLedger:
		return t.replay(t.ledgers.latest(t.sel)), true
	case openLedger:
		t.askLedger()
		return nil, true
	case showStarters:
		return t.chooseStarter(), true
	case searchHistory:
		return t.chooseFilter(), true
	case nameFilter:
		t.askName()
		return nil, true
	}
	return t.textPane.Key(a)
}

// query runs the filter after a pause.
func (t *variableTab) query(pause time.Duration) tea.Cmd {
	s, filter := t.sel, t.filter()
	if s.outcome == nil || s.outcome.Verdict == engine.Rejected {
		return nil
	}
	t.noteStopped()
	t.asked = askedFilter{filter, t.kind, t.noting}
	if t.answer == nil {
		t.message = "running…"
	}
	d, run, src := t.deps, t.runner, t.sources
	return t.jobs.start("query", func(ctx context.Context) answer {
		if pause > 0 && !d.wait(ctx, pause) {
			return nil
		}
		r := runFilter(ctx, d, run, src, s, filter)
		return func() tea.Cmd { return t.take(r) }
	})
}

func (t *variableTab) take(r filterResult) tea.Cmd {
	t.under = t.sel.policy.Name
	t.stale = r.answer == nil
	t.problem = r.problem
	noting := t.noting
	t.noting = false
	after := t.loadHistory()
	if r.answer == nil {
		if t.answer == nil {
			t.message = "no answer yet"
		}
		t.resize()
		if noting {
			return tea.Batch(after, t.noteProblem(r))
		}
		return after
	}
	marks := t.showAnswer(r.answer)
	if noting {
		return tea.Batch(after, t.note(), marks)
	}
	return tea.Batch(after, marks)
}

// showAnswer shows an answer, and goes on to look for what is sensitive in it.
func (t *variableTab) showAnswer(a *queryAnswer) tea.Cmd {
	t.answer, t.message, t.table, t.stale, t.problem = a, "", nil, false, queryProblem{caret: -1}
	if t.form == formTable && a.step != engine.FilterStep {
		t.form = formJSON
	}
	t.showForm()
	return t.mark(a)
}
