package ui

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"floodmark/engine"
	"floodmark/history"
)

// Columns of a replay's lines, in cells.
const (
	figureCells = 11
	maxTool     = 28
)

// replayText reports a replay as one aligned line a result.
type replayText struct {
	out    io.Writer
	policy *engine.Policy
	theme  *theme
	turn   int // cells of the column of turns and steps, for the conversation at hand
	tool   int // cells of the column of tools
	begun  bool
	redact bool // leave out what looks sensitive in names; no other text is shown
}

func (t *replayText) conversation(c *history.Conversation, _ *engine.Replayer) error {
	t.turn, t.tool = len("turn"), len("tool")
	turns := 0
	for _, thread := range c.Threads {
		for _, u := range thread.Turns {
			if u.Number > 0 {
				turns++
			}
			for _, step := range u.Steps {
				t.turn = max(t.turn, len(stepNumber(u.Number, step.Number)))
				for _, call := range step.Calls {
					t.tool = min(maxTool, max(t.tool, width(visible(call.Tool))))
				}
			}
		}
	}
	head := []string{c.File, c.Format, "conversation " + c.ID, count(turns, "turn")}
	if t.redact {
		head[2] = engine.MaskSensitive(head[2])
	}
	if t.begun {
		head[0] = "\n" + head[0]
	}
	t.begun = true
	return t.theme.write(t.out, visibleLines(strings.Join(head, " · ")),
		fmt.Sprintf("  %s    %s %s → %s  verdict", pad("turn", t.turn), pad("tool", t.tool),
			padLeft("original", figureCells), padLeft("inline", figureCells)))
}

func (t *replayText) result(o *engine.Outcome) error {
	if t.redact {
		o = redactedOutcome(o)
	}
	original, inline := rounded(o.Original.Tokens), rounded(o.Inline.Tokens)
	if limit := limitOf(o); limit > 0 {
		original, inline = besideLimit(o.Original.Tokens, limit), besideLimit(o.Inline.Tokens, limit)
	}
	verdict := string(o.Verdict)
	switch {
	case o.Call.Result == nil:
		original, inline, verdict = "–", "–", "no result"
	case o.Verdict == engine.Offloaded:
		verdict = fmt.Sprintf("%-9s to %s", verdict, jqName(o.Name))
	}
	parts := []string{verdict}
	if o.Label != "" {
		parts = append(parts, "label "+o.Label)
	}
	for _, code := range codes(o.Warnings) {
		if code != string(o.Verdict) { // a lost payload's warning says no more than its verdict
			parts = append(parts, code)
		}
	}
	if o.Thread.Subagent() {
		name := threadName(o.Thread)
		if t.redact {
			name = engine.MaskSensitive(name)
		}
		parts = append(parts, "subagent "+name)
	}
	line := fmt.Sprintf("  %s  %s %s %s → %s  %s",
		pad(stepNumber(o.Turn, o.Step), t.turn), t.theme.mark(o), pad(visible(o.Call.Tool), t.tool),
		padLeft(original, figureCells), padLeft(inline, figureCells), visible(strings.Join(parts, " · ")))
	if o.Verdict == engine.Lost || o.Verdict == engine.Rejected {
		line = t.theme.bad.on(line)
	}
	return t.theme.write(t.out, line)
}

// threadName is a subagent's type where it is recorded, else its id.
func threadName(t *history.Thread) string {
	if t.Agent != "" {
		return t.Agent
	}
	return t.Name
}

// stepNumber is a step's number in its thread: turn 3, step 2 is 3.2.
func stepNumber(turn, step int) string { return fmt.Sprintf("%d.%d", turn, step) }

func (t *replayText) totals(sum engine.Totals, skipped int) error {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	var verdicts []string
	for _, v := range engine.Verdicts {
		if n := sum.Verdicts[v]; n > 0 {
			verdicts = append(verdicts, fmt.Sprintf("%s %s", grouped(int64(n)), v))
		}
	}
	head := count(sum.Results, "result")
	if len(verdicts) > 0 {
		head += ": " + strings.Join(verdicts, ", ")
	}
	if t.begun {
		add("")
	}
	add("%s", head)
	add("original      %s  %s", column(rounded(sum.Original.Tokens), "tokens"), column(grouped(sum.Original.Bytes), "bytes"))
	add("inline        %s  %s", column(rounded(sum.Inline.Tokens), "tokens"), column(grouped(sum.Inline.Bytes), "bytes"))
	add("model         %s  read by the model over all steps", column(rounded(sum.Model), "tokens"))
	if u := sum.Reported; u != nil {
		bound := ""
		if u.LowerBound {
			bound = ", at least"
		}
		add("reported      %s  of it %s cached; output %s%s",
			column(grouped(u.Input+u.Cached), "tokens"), grouped(u.Cached), grouped(u.Output), bound)
	}
	add("peak step     %s", column(rounded(sum.PeakStep), "tokens"))
	add("peak context  %s", column(rounded(sum.PeakContext), "tokens"))
	if sum.NoResult > 0 {
		add("%s without a result", count(sum.NoResult, "call"))
	}
	if sum.Copied > 0 {
		add("%s counted once: copied from one recording into another", count(sum.Copied, "call"))
	}
	if skipped > 0 {
		add("%s could not be used", count(skipped, "record"))
	}
	if w := warningTotals(sum.Warnings); w != "" {
		add("warnings: %s", w)
	}
	add("policy %s, tokens by %s", policyTitle(t.policy), t.policy.Estimator)
	for i, l := range lines {
		lines[i] = strings.TrimRight(visible(l), " ")
	}
	return t.theme.write(t.out, lines...)
}

// column writes a figure with its unit in the right number, as wide as any other of its column.
func column(figure, units string) string {
	cells := figureCells + 1 + len(units)
	return pad(padLeft(figure, figureCells)+strings.TrimPrefix(inUnits(figure, units), figure), cells)
}

// write writes lines that are safe to show.
func (t *theme) write(w io.Writer, lines ...string) error {
	for _, l := range lines {
		if t.ascii {
			l = plainASCII(l)
		}
		if _, err := fmt.Fprintln(w, l); err != nil {
			return err
		}
	}
	return nil
}

// warningTotals lists how often each warning was given, the most frequent first.
func warningTotals(warnings map[string]int) string {
	var codes []string
	for c := range warnings {
		codes = append(codes, c)
	}
	slices.SortFunc(codes, func(a, b string) int {
		if d := warnings[b] - warnings[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for i, c := range codes {
		codes[i] = fmt.Sprintf("%d %s", warnings[c], c)
	}
	return strings.Join(codes, ", ")
}

// policyTitle is a policy's name, and what was changed in it: a "what if" where its vendor's users
// cannot change it.
func policyTitle(p *engine.Policy) string {
	switch {
	case len(p.WhatIf) > 0:
		return fmt.Sprintf("%s (what if: %s)", p.Name, strings.Join(p.WhatIf, ", "))
	case len(p.Changed) > 0:
		return fmt.Sprintf("%s (changed: %s)", p.Name, strings.Join(p.Changed, ", "))
	}
	return p.Name
}

// codes lists the warnings' codes, each once.
func codes(warnings []engine.Warning) []string {
	var s []string
	for _, w := range warnings {
		if !slices.Contains(s, w.Code) {
			s = append(s, w.Code)
		}
	}
	return s
}
