package ui

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"floodmark/engine"
	"floodmark/history"
)

// compareText reports a comparison: the results on which the policies disagree, and the totals.
type compareText struct {
	out    io.Writer
	labels []string
	theme  *theme
	conv   *history.Conversation // whose heading is written
	begun  bool
}

func (t *compareText) result(c *history.Conversation, r *engine.ComparedResult, _ func(int) (string, error)) error {
	if !r.Differs() {
		return nil
	}
	if t.conv != c {
		t.conv = c
		head := visibleLines(strings.Join([]string{c.File, c.Format, "conversation " + c.ID}, " · ")) + " · tokens that entered:"
		if t.begun {
			head = "\n" + head
		}
		t.begun = true
		if err := t.theme.write(t.out, head); err != nil {
			return err
		}
	}
	place := []string{stepNumber(r.Turn, r.Step), visible(r.Call.Tool), visible(r.Call.ID), bytesText(r.Sights[0].Original.Bytes)}
	if r.Thread.Subagent() {
		place = append(place, "subagent "+visible(threadName(r.Thread)))
	}
	lines := []string{"  " + strings.Join(place, " · ")}
	for _, g := range sameVerdicts(r.Sights, t.labels) {
		head := fmt.Sprintf("    %s %s ", t.theme.verdicts[g.verdict], pad(g.word(), 12))
		for i, row := range wrapWords(g.text(), reportCells-width(head)) {
			if i > 0 {
				head = blank(width(head))
			}
			line := head + row
			if g.verdict == engine.Lost || g.verdict == engine.Rejected {
				line = t.theme.bad.on(line)
			}
			lines = append(lines, line)
		}
	}
	return t.theme.write(t.out, lines...)
}

// A verdictGroup is the policies that do the same with a result.
type verdictGroup struct {
	verdict engine.Verdict
	cleared bool
	notice  bool
	same    []sameSights
}

// sameSights are those of them that let the same enter, and lose the same.
type sameSights struct {
	tokens string
	gone   int64 // bytes
	labels []string
}

// noticeWord is said in the place of the verdict preview-only where there is no preview.
const noticeWord = "warning only"

// word is what the policies do.
func (g verdictGroup) word() string {
	switch {
	case g.cleared:
		return "cleared"
	case g.notice:
		return noticeWord
	}
	return strings.ReplaceAll(string(g.verdict), "-", " ")
}

// text names the policies, each with the tokens that entered before it, and what is lost behind it.
func (g verdictGroup) text() string {
	parts := make([]string, len(g.same))
	for i, s := range g.same {
		parts[i] = s.tokens + " " + strings.Join(s.labels, ", ")
		if s.gone > 0 {
			parts[i] += " (" + bytesText(s.gone) + " lost)"
		}
	}
	return strings.Join(parts, "; ")
}

// sameVerdicts puts policies that do the same with a result together, in the order of the first of each
// group.
func sameVerdicts(sights []engine.Sight, labels []string) []verdictGroup {
	var groups []verdictGroup
	for i, s := range sights {
		cleared := s.Cleared != nil
		k := slices.IndexFunc(groups, func(g verdictGroup) bool {
			return g.verdict == s.Verdict && g.cleared == cleared && g.notice == s.Notice
		})
		if k < 0 {
			k = len(groups)
			groups = append(groups, verdictGroup{verdict: s.Verdict, cleared: cleared, notice: s.Notice})
		}
		g, entered := &groups[k], rounded(s.Inline.Tokens)
		n := slices.IndexFunc(g.same, func(o sameSights) bool { return o.tokens == entered && o.gone == s.Gone })
		if n < 0 {
			n = len(g.same)
			g.same = append(g.same, sameSights{tokens: entered, gone: s.Gone})
		}
		g.same[n].labels = append(g.same[n].labels, labels[i])
	}
	return groups
}

func (t *compareText) totals(sum *comparedTotals) error {
	var lines []string
	if t.begun {
		lines = append(lines, "")
	}
	lines = append(lines, differing(sum), "")
	lines = append(lines, t.table(sum, tokenColumns)...)
	lines = append(lines, "")
	lines = append(lines, t.table(sum, byteColumns)...)
	lines = append(lines, "")
	for _, s := range compareNotes(sum) {
		lines = append(lines, wrapWords(s, reportCells)...)
	}
	return t.theme.write(t.out, lines...)
}

// reportCells is how wide sentences of a report are.
const reportCells = 100

// differing says on how much the policies disagree.
func differing(sum *comparedTotals) string {
	return fmt.Sprintf("%s in %s under %s: the verdicts differ on %s", count(sum.results, "result"),
		count(sum.conversations, "conversation"), policyCount(len(sum.policies)), grouped(int64(sum.differ)))
}

func policyCount(n int) string {
	if n == 1 {
		return "1 policy"
	}
	return grouped(int64(n)) + " policies"
}

// compareNotes are the sentences that a comparison ends with.
func compareNotes(sum *comparedTotals) []string {
	notes := []string{"Bytes are the payloads': seen in the context, not seen and retrievable, or lost for good. " +
		"Tokens are counted by each policy's own estimator; --estimator NAME counts all by one."}
	if s := recordedSentence(sum.recorded); s != "" {
		notes = append(notes, s)
	}
	for _, p := range sum.policies {
		if title := policyTitle(p.Policy); title != p.Policy.Name {
			notes = append(notes, visible(title)+".")
		}
	}
	notes = append(notes, "A replay knows sizes, visibility and reachability, not how the agent would have acted.")
	if sum.skipped > 0 {
		notes = append(notes, count(sum.skipped, "record")+" could not be used.")
	}
	return notes
}

// recordedSentence names the strategies that the recordings themselves show; empty where there are
// none.
func recordedSentence(r engine.Recorded) string {
	var s []string
	add := func(n int, one, what string) {
		if n > 0 {
			s = append(s, count(n, one)+" "+what)
		}
	}
	add(r.Compactions, "summary", "in the history's place (summarised)")
	add(r.Offloaded, "result", "kept elsewhere by the recorder")
	add(r.Reads, "call", "that read such a result back (retrieved)")
	add(r.Truncated, "result", "cut by the recorder")
	if len(s) == 0 {
		return ""
	}
	text := strings.Join(s, ", ")
	return "The recordings show " + strings.ReplaceAll(text, "summarys", "summaries") + ": recognised, not simulated."
}

// A compareColumn is a figure of each policy.
type compareColumn struct {
	title  string
	figure func(engine.ComparedPolicy) string
	left   bool // aligned at the left
}

var tokenColumns = []compareColumn{
	{title: "tokens: original", figure: func(p engine.ComparedPolicy) string { return rounded(p.Totals.Original.Tokens) }},
	{title: "inline", figure: func(p engine.ComparedPolicy) string { return rounded(p.Totals.Inline.Tokens) }},
	{title: "model", figure: func(p engine.ComparedPolicy) string { return rounded(p.Totals.Model) }},
	{title: "peak step", figure: func(p engine.ComparedPolicy) string { return rounded(p.Totals.PeakStep) }},
	{title: "peak context", figure: func(p engine.ComparedPolicy) string { return rounded(p.Totals.PeakContext) }},
	{title: "by", left: true, figure: func(p engine.ComparedPolicy) string { return string(p.Policy.Estimator) }},
}

var byteColumns = []compareColumn{
	{title: "bytes: seen", figure: func(p engine.ComparedPolicy) string { return grouped(p.Seen) }},
	{title: "retrievable", figure: func(p engine.ComparedPolicy) string { return grouped(p.Retrievable) }},
	{title: "lost for good", figure: func(p engine.ComparedPolicy) string { return grouped(p.Gone) }},
	{title: "verdicts", left: true, figure: func(p engine.ComparedPolicy) string { return comparedVerdicts(p) }},
}

// comparedVerdicts writes how often each verdict was given, and how much of what entered went later.
func comparedVerdicts(p engine.ComparedPolicy) string {
	s := verdictList(p.Totals.Verdicts)
	if p.Policy.InEffect() == engine.Reject {
		s = strings.Replace(s, string(engine.PreviewOnly), noticeWord, 1)
	}
	if p.Cleared > 0 {
		s += fmt.Sprintf("; %s cleared later, with %s", grouped(int64(p.Cleared)), bytesText(p.ClearedBytes))
		switch {
		case p.ClearedGone == p.ClearedBytes:
			s += ", all lost"
		case p.ClearedGone > 0:
			s += ", " + grouped(p.ClearedGone) + " of them lost"
		default:
			s += ", all retrievable"
		}
	}
	return s
}

// verdictList writes how often each verdict was given, those that occur.
func verdictList(n map[engine.Verdict]int) string {
	var s []string
	for _, v := range engine.Verdicts {
		if n[v] > 0 {
			s = append(s, grouped(int64(n[v]))+" "+string(v))
		}
	}
	return strings.Join(s, ", ")
}

// table writes a line a policy, under a heading for each strategy.
func (t *compareText) table(sum *comparedTotals, columns []compareColumn) []string {
	name := 0
	for _, l := range t.labels {
		name = max(name, width(l)+2)
	}
	cells := make([]int, len(columns))
	for k, c := range columns {
		cells[k] = width(c.title)
		for _, p := range sum.policies {
			cells[k] = max(cells[k], width(c.figure(p)))
		}
	}
	row := func(head string, figure func(compareColumn) string) string {
		line := pad(head, name)
		for k, c := range columns {
			if c.left {
				line += "  " + pad(figure(c), cells[k])
			} else {
				line += "  " + padLeft(figure(c), cells[k])
			}
		}
		return strings.TrimRight(line, " ")
	}
	lines := []string{t.theme.strong.on(row("", func(c compareColumn) string { return c.title }))}
	strategy := engine.Strategy("")
	for i, p := range sum.policies {
		if s := p.Policy.InEffect(); s != strategy {
			strategy = s
			lines = append(lines, strategyHeads[s])
		}
		lines = append(lines, row("  "+t.labels[i], func(c compareColumn) string { return c.figure(p) }))
	}
	return lines
}
