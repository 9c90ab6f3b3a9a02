package ui

import (
	"fmt"
	"strings"

	"floodmark/engine"
	"floodmark/history"
)

// Verdicts in words, with their numbers. The same sentences stand above every view.

// jqName is a variable's name as a filter writes it.
func jqName(name string) string { return "$" + engine.JQName(name) }

// check finds a line of the trace.
func check(o *engine.Outcome, name string) *engine.Check {
	for i := range o.Trace {
		if o.Trace[i].Check == name {
			return &o.Trace[i]
		}
	}
	return nil
}

// limitOf is the threshold that o was compared with, from its trace: 0 where there was none.
func limitOf(o *engine.Outcome) float64 {
	if c := check(o, "size"); c != nil {
		if n, ok := engine.Number(c.Limit); ok {
			return n
		}
	}
	return 0
}

// foreign tells whether a check compares something else than tokens.
func foreign(c *engine.Check) bool { return c.Unit != string(engine.Tokens) }

// comparedSize writes a result's size as it was compared with a limit, in its unit.
func comparedSize(o *engine.Outcome, c *engine.Check, limit float64) string {
	if foreign(c) {
		return checkFigure(c.Observed, c.Unit)
	}
	return beside(o.Original.Tokens, limit)
}

// tokens writes a measure's tokens with their unit.
func tokens(n float64) string {
	return inUnits(rounded(n), "tokens")
}

// verdictSentence says what became of o, and a second sentence what entered the context.
func verdictSentence(o *engine.Outcome) (verdict, entered string) {
	if o == nil {
		return "", ""
	}
	limit := limitOf(o)
	size := tokens(o.Original.Tokens)
	compared := ""
	if limit > 0 {
		c := check(o, "size")
		size = comparedSize(o, c, limit)
		compared = ", over " + rounded(limit)
		if c.Result == "under" {
			compared = ", within " + rounded(limit)
		}
	}
	entered = fmt.Sprintf("%s entered the context in its place (%s)", tokens(o.Inline.Tokens), percent(o.Inline.Tokens, o.Original.Tokens))
	switch o.Verdict {
	case engine.Inline:
		entered = "entered the context as it is"
		if o.Instructions != nil {
			entered = fmt.Sprintf("entered as it is, less %s of instructions", bytesText(o.Instructions.Bytes))
		}
		if flood(o) {
			return "inline, a flood: " + size + compared + ", and not structured", entered
		}
		return "inline: " + size + compared, entered
	case engine.Offloaded:
		if warned(o, "combined-limit") {
			return "offloaded to " + jqName(o.Name) + " because of its batch: " + size, entered
		}
		return "offloaded to " + jqName(o.Name) + ": " + size + compared, entered
	case engine.Rejected:
		hard := ""
		if c := check(o, "hard-limit"); c != nil {
			if n, ok := engine.Number(c.Limit); ok {
				hard = ", over the hard limit of " + rounded(n)
			}
		}
		return "rejected: " + bytesText(o.Original.Bytes) + hard, "nothing entered the context, nothing is kept"
	case engine.Truncated:
		if failed := check(o, "failed-call"); failed == nil {
			return "truncated: " + size + compared, fmt.Sprintf("%s entered, the rest is gone", tokens(o.Inline.Tokens))
		}
		return "truncated: " + size + compared + ", a failed call", fmt.Sprintf("%s entered, the rest is gone", tokens(o.Inline.Tokens))
	case engine.PreviewOnly:
		if own := check(o, "sandbox-tool"); own == nil {
			return "preview only: " + size + compared, fmt.Sprintf("%s entered, the rest is gone", tokens(o.Inline.Tokens))
		}
		return "preview only: " + size + compared, fmt.Sprintf("%s entered, the rest is gone: output of the sandbox's own tool", tokens(o.Inline.Tokens))
	case engine.Lost:
		return "lost: " + size + compared + ", and the store could not take it", fmt.Sprintf("%s of preview entered, the rest can't be read back", tokens(o.Inline.Tokens))
	}
	return "no result in this recording", ""
}

// verdictShort says the same in fewer cells.
func verdictShort(o *engine.Outcome, verdict, entered string) (string, string) {
	if o == nil {
		return verdict, entered
	}
	size := tokens(o.Original.Tokens)
	if c := check(o, "size"); c != nil && c.Result == "over" {
		if foreign(c) {
			size = checkFigure(c.Observed, c.Unit)
		}
		size += " over " + rounded(limitOf(o))
	}
	instead := tokens(o.Inline.Tokens) + " entered instead (" + percent(o.Inline.Tokens, o.Original.Tokens) + ")"
	switch {
	case flood(o):
		return "flood: " + size, "not structured: entered as it is"
	case o.Verdict == engine.Offloaded && warned(o, "combined-limit"):
		return "offloaded by its batch: " + size, instead
	case o.Verdict == engine.Offloaded, o.Verdict == engine.Truncated, o.Verdict == engine.Lost:
		return string(o.Verdict) + ": " + size, instead
	case o.Verdict == engine.PreviewOnly:
		return "preview only: " + size, instead
	case o.Verdict == engine.Rejected:
		return "rejected: " + bytesText(o.Original.Bytes), "nothing entered, nothing is kept"
	}
	return verdict, entered
}

// shape describes a payload in a few words: "array · 500 records", "text · 120 lines".
func shape(f *engine.Facts) string {
	if f == nil {
		return ""
	}
	s := strings.ReplaceAll(string(f.Kind), "-", " ")
	if f.Records >= 0 {
		s += " · " + count(f.Records, "record")
		if f.RecordsPath != "" && f.RecordsPath != "." {
			s += " in " + visible(f.RecordsPath)
		}
	}
	if f.Lines > 1 {
		s += " · " + count(f.Lines, "line")
	}
	return s
}

// places say where a call stands, the longest first: "turn 1 · step 2 · 1 of 3 parallel · call_9".
func places(r row) []string {
	var s []string
	if r.turn != nil {
		s = append(s, fmt.Sprintf("turn %d", r.turn.Number))
	}
	if r.step != nil {
		s = append(s, fmt.Sprintf("step %d", r.step.Number))
	}
	if r.tree.batch > 1 {
		s = append(s, fmt.Sprintf("%d of %d parallel", r.tree.index+1, r.tree.batch))
	}
	if r.thread != nil && r.thread.Subagent() {
		name := r.thread.Agent
		if name == "" {
			name = r.thread.Name
		}
		s = append(s, "subagent "+clip(visible(name), 20))
	}
	if r.call != nil && r.call.ID != "" {
		s = append(s, visible(r.call.ID))
	}
	var out []string
	for n := len(s); n > 0; n-- {
		out = append(out, strings.Join(s[:n], " · "))
	}
	return out
}

// oddities are a call's and its result's flags in words.
func oddities(c *history.Call) string {
	names := c.Flags.Names()
	if c.Result != nil {
		names = append(names, c.Result.Flags.Names()...)
		if c.Result.Failed {
			names = append(names, "failed call")
		} else if c.Result.Error {
			names = append(names, "error answer")
		}
	}
	return strings.ReplaceAll(strings.Join(names, ", "), "-", " ")
}

// oneLine makes text of several lines one, for a title.
func oneLine(p []byte) string {
	return visible(strings.Join(strings.Fields(strings.ToValidUTF8(string(p), "\ufffd")), " "))
}
