package ui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// The inspection ledger: every filter that was accepted is a step, and so is every look by a key.

// A ledgerKey names a ledger: figures by other rules are another ledger's.
type ledgerKey struct {
	of        string
	policy    string
	estimator engine.Estimator
	threshold float64 // -1 without one
}

// ledgers are those of all variables that were looked into.
type ledgers map[ledgerKey]*engine.Inspection

func ofLedger(s selection) ledgerKey {
	k := ledgerKey{of: fmt.Sprintf("%s\x00%s\x00%d\x00%s", s.conv.File, s.conv.ID, s.conv.Ordinal, s.outcome.Name), policy: s.policy.Name,
		estimator: s.policy.Estimator, threshold: -1}
	if limit := s.policy.Limits.PerResultTokens(); limit != nil && s.policy.Enabled {
		k.threshold = *limit
	}
	return k
}

// shown is the ledger of what is selected; nil while there is none.
func (l ledgers) shown(s selection) *engine.Inspection {
	if s.outcome == nil {
		return nil
	}
	return l[ofLedger(s)]
}

// latest is the ledger of what is selected, or one of the same variable by other rules.
func (l ledgers) latest(s selection) *engine.Inspection {
	if n := l.shown(s); n != nil || s.outcome == nil {
		return n
	}
	key := ofLedger(s)
	var longest *engine.Inspection
	for k, n := range l {
		if k.of == key.of && (longest == nil || len(n.Steps) > len(longest.Steps)) {
			longest = n
		}
	}
	return longest
}

// add adds a step.
func (t *variableTab) add(s engine.InspectionStep, compact int64) {
	key := ofLedger(t.sel)
	n := t.ledgers[key]
	if n == nil {
		n = engine.NewInspection(t.sel.policy, t.sel.conv.ID, t.sel.outcome, compact)
		t.ledgers[key] = n
	}
	s = n.Add(t.sel.policy, s)
	switch {
	case s.Reread:
		t.deps.tell(fmt.Sprintf("reread: it brings %s of the payload back into the context", percent(s.Share, 1)))
	case s.Over:
		t.deps.tell("over the threshold: in a context it would be offloaded again")
	}
	t.resize()
	if t.open {
		t.showLedger()
	}
}

// note makes the answer a step.
func (t *variableTab) note() tea.Cmd {
	t.add(stepOf(t.answer, t.kind), t.answer.compact)
	return nil
}

// stepOf is an answer as a step.
func stepOf(a *queryAnswer, kind engine.InspectionKind) engine.InspectionStep {
	return engine.InspectionStep{Kind: kind, Filter: a.filter, Read: a.read, Returned: a.measure, Results: len(a.lines), Found: a.found, Stopped: string(a.stopped)}
}

// noteProblem makes a filter that failed a step: it cost nothing, and found nothing.
func (t *variableTab) noteProblem(r filterResult) tea.Cmd {
	t.add(engine.InspectionStep{Kind: t.kind, Filter: r.filter, Read: r.read, Problem: r.problem.text}, t.sources.facts(sourceKey(t.sel, t.sel.outcome)).compact)
	return nil
}

// noteStopped makes the filter that runs a step, where it was accepted: it is given up before its answer
// came.
func (t *variableTab) noteStopped() {
	q := t.asked
	t.asked.accepted = false
	if !q.accepted || !t.jobs.running("query") {
		return
	}
	f := t.sources.facts(sourceKey(t.sel, t.sel.outcome))
	t.add(engine.InspectionStep{Kind: q.kind, Filter: q.filter, Read: f.bytes, Stopped: engine.StoppedByHand}, f.compact)
}

// ledgerRows is the room that the last steps take below the result.
func (t *variableTab) ledgerRows() int {
	n := t.ledgers.shown(t.sel)
	if n == nil || len(n.Steps) == 0 || t.open || t.H < 18 {
		return 0
	}
	return 2 + min(len(n.Steps), max(t.H/6, 2))
}

// drawLedger draws the last steps, with a rule above and the sums below.
func (t *variableTab) drawLedger() []string {
	rows := t.ledgerRows()
	if rows == 0 {
		return nil
	}
	n := t.ledgers.shown(t.sel)
	out := []string{t.ledgerRule(n)}
	steps := rows - 2
	for i := len(n.Steps) - steps; i < len(n.Steps); i++ {
		out = append(out, t.ledgerLine(n, i, t.W))
	}
	total := n.Totals(len(n.Steps))
	return append(out, t.theme.faint.on(pad(" "+total.BreakEven(), t.W)))
}

// Columns of the ledger.
const (
	ledgerNumber = 3
	ledgerFigure = 9
)

func (t *variableTab) ledgerRule(n *engine.Inspection) string {
	head := t.theme.rule + " inspection, " + count(len(n.Steps), "step") + " "
	tail := " " + padLeft("returned", ledgerFigure) + padLeft("total", ledgerFigure) + "  of " + rounded(n.Whole.Tokens) + " " + t.theme.rule
	room := t.W - width(head) - width(tail)
	if room < 0 {
		return pad(head, t.W)
	}
	return head + strings.Repeat(t.theme.rule, room) + tail
}

// ledgerLine draws one step: what was asked, what it returned, the running total and its share.
func (t *variableTab) ledgerLine(n *engine.Inspection, i, w int) string {
	s := n.Steps[i]
	entered := n.Totals(i + 1).Entered.Tokens
	share := padLeft(percent(entered, n.Whole.Tokens), 8)
	figures := padLeft(sized(s.Returned.Tokens, ledgerFigure-1), ledgerFigure) + padLeft(sized(entered, ledgerFigure-1), ledgerFigure) + share + " "
	mark := ""
	switch {
	case s.Problem != "":
		mark = "failed"
	case s.Stopped != "":
		mark = "stopped"
	case s.Reread:
		mark = "reread"
	case s.Over:
		mark = "over"
	case s.Kind == engine.KeepStep:
		mark = "kept"
	case !s.Found:
		mark = "nothing"
	}
	what := padLeft(grouped(int64(i+1)), ledgerNumber) + " " + pad(string(s.Kind), 7) + visible(stepText(s))
	if mark != "" {
		mark = " " + mark
	}
	line := pad(what, w-width(figures)-width(mark)) + mark + figures
	if s.Over || s.Reread || s.Problem != "" || s.Stopped != "" {
		return t.theme.over.on(line)
	}
	return line
}

// stepText is what a step asked.
func stepText(s engine.InspectionStep) string {
	switch s.Kind {
	case engine.PrefixStep:
		return fmt.Sprintf("the first %d bytes", s.Read)
	case engine.SchemaStep:
		return "of the complete payload"
	case engine.KeepStep:
		return "$" + s.Kept + " = " + s.Filter
	}
	return s.Filter
}

// showLedger covers the result with the ledger, or uncovers it.
func (t *variableTab) showLedger() {
	if !t.open {
		t.resize()
		t.showForm()
		return
	}
	n := t.ledgers.shown(t.sel)
	if n == nil || len(n.Steps) == 0 {
		t.open = false
		text := "no step yet: a filter that is accepted (" + keyOf(accept, t.theme.ascii, inPrompt) + ") is one"
		if t.ledgers.latest(t.sel) != nil {
			text = "no step by these rules: " + keyOf(replayLedger, t.theme.ascii, inVariable) + " runs those by other rules again"
		}
		t.deps.tell(text)
		return
	}
	t.resize()
	t.pager.setDoc(newDocument([]byte(ledgerText(n, t.W-1))))
}

// ledgerText is a ledger as lines of at most w cells, each step with what became of it.
func ledgerText(n *engine.Inspection, w int) string {
	var b, wrapped strings.Builder
	total := n.Totals(len(n.Steps))
	fmt.Fprintf(&b, "%s\n", total.Counts())
	fmt.Fprintf(&b, "returned %s, with the package %s of %s (%s)\n", tokens(total.Returned.Tokens), rounded(total.Entered.Tokens), rounded(n.Whole.Tokens), percent(total.Entered.Tokens, n.Whole.Tokens))
	fmt.Fprintf(&b, "%s\n", total.BreakEven())
	if n.Threshold != nil {
		fmt.Fprintf(&b, "a result over %s is offloaded again: %s; rereads: %s\n", rounded(*n.Threshold), grouped(int64(total.Over)), grouped(int64(total.Reread)))
	}
	for i, s := range n.Steps {
		fmt.Fprintf(&b, "\n%d %s  %s\n  read %s · returned %s, %s · total %s\n  %s\n", i+1, s.Kind, visible(stepText(s)), bytesText(s.Read), bytesText(s.Returned.Bytes),
			tokens(s.Returned.Tokens), rounded(n.Totals(i+1).Entered.Tokens), visible(s.Outcome()))
	}
	for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		words := strings.TrimLeft(line, " ")
		indent := blank(len(line) - len(words))
		for _, row := range wrapParts(words, max(w-len(indent), 1)) {
			wrapped.WriteString(indent + row + "\n")
		}
	}
	return strings.TrimSuffix(wrapped.String(), "\n")
}

// replay runs a ledger's steps again over what is selected, by the policy as it is now. What comes of it
// takes the place of the ledger.
func (t *variableTab) replay(old *engine.Inspection) tea.Cmd {
	if old == nil || len(old.Steps) == 0 {
		t.deps.tell("there is no ledger to run again")
		return nil
	}
	if t.sel.outcome == nil || t.sel.waiting() != "" || t.sel.outcome.Verdict == engine.Rejected {
		return nil
	}
	s, d, src, run := t.sel, t.deps, t.sources, t.runner
	steps := append([]engine.InspectionStep{}, old.Steps...)
	t.deps.tell("running " + count(len(steps), "step") + " again…")
	return t.jobs.start("replay ledger", func(ctx context.Context) answer {
		again := make([]engine.InspectionStep, 0, len(steps))
		for _, step := range steps {
			got, err := repeat(ctx, d, run, src, s, step)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				got = engine.InspectionStep{Kind: step.Kind, Filter: step.Filter, Problem: visible(err.Error())}
			}
			again = append(again, got)
		}
		compact := src.facts(sourceKey(s, s.outcome)).compact
		return func() tea.Cmd {
			key := ofLedger(s)
			n := engine.NewInspection(s.policy, s.conv.ID, s.outcome, compact)
			differs := 0
			for i, step := range again {
				step = n.Add(s.policy, step)
				if step.Kind != engine.KeepStep && (step.Returned.Bytes != steps[i].Returned.Bytes || step.Found != steps[i].Found || (step.Problem == "") != (steps[i].Problem == "") || (step.Stopped == "") != (steps[i].Stopped == "")) {
					differs++
				}
			}
			t.ledgers[key] = n
			word := "all return the same"
			if differs > 0 {
				word = grouped(int64(differs)) + " return something else"
			}
			t.deps.tell(count(len(again), "step") + " run again: " + word)
			t.open = true
			t.showLedger()
			return nil
		}
	})
}

// repeat runs one step again.
func repeat(ctx context.Context, d *deps, run *engine.Runner, src *sources, s selection, step engine.InspectionStep) (engine.InspectionStep, error) {
	switch step.Kind {
	case engine.KeepStep:
		return step, nil
	case engine.PrefixStep, engine.SchemaStep:
		a, err := lookAt(ctx, d, src, s, step.Kind)
		if err != nil {
			return step, err
		}
		return stepOf(a, step.Kind), nil
	}
	r := runFilter(ctx, d, run, src, s, step.Filter)
	if r.answer == nil {
		return engine.InspectionStep{Kind: step.Kind, Filter: step.Filter, Read: r.read, Problem: r.problem.text}, nil
	}
	return stepOf(r.answer, step.Kind), nil
}
