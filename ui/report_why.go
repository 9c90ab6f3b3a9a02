package ui

import (
	"fmt"
	"io"
	"strings"

	"floodmark/engine"
)

// writeWhy writes one explanation: which result, why, the trace, and what would change it.
func writeWhy(w io.Writer, t *theme, f finding, p *engine.Policy, first bool) error {
	o := f.Outcome
	place := []string{f.conv.File, fmt.Sprintf("turn %d", o.Turn), fmt.Sprintf("step %d", o.Step)}
	if o.Thread.Subagent() {
		place = append(place, "subagent "+threadName(o.Thread))
	}
	if o.Batch > 1 && o.Index < o.Batch {
		place = append(place, fmt.Sprintf("%d of %d parallel", o.Index+1, o.Batch))
	}
	place = append(place, o.Call.ID)
	lines := []string{
		o.Call.Tool + "  " + strings.Join(place, " · "),
		t.mark(o) + " " + verdictWord(o) + ": " + summary(f.Diagnosis),
	}
	for _, c := range o.Trace {
		if c.Check != "verdict" {
			lines = append(lines, "  "+pad(c.Check, 13)+checkSentence(c))
		}
	}
	if at := f.At; at != nil {
		lines = append(lines, "  "+pad("where", 13)+spotText(at))
	}
	if d := f.Distance; d != nil {
		lines = append(lines, fmt.Sprintf("  %sto be %s: %s", pad("missing", 13), d.To, change(d)))
	}
	if r := f.Repair; r != nil {
		lines = append(lines, fmt.Sprintf("  %s%s makes it %s: %s in the context, not %s",
			pad("repair", 13), r.Filter, r.Verdict, tokens(r.After), rounded(r.Before)))
	}
	for _, warning := range o.Warnings {
		lines = append(lines, "  "+pad("warning", 13)+warning.Code+": "+warning.Detail)
	}
	if first {
		lines = append([]string{fmt.Sprintf("policy %s, tokens by %s", policyTitle(p), p.Estimator), ""}, lines...)
	} else {
		lines = append([]string{""}, lines...)
	}
	for i, l := range lines {
		lines[i] = visible(l)
	}
	return t.write(w, lines...)
}

func verdictWord(o *engine.Outcome) string {
	switch {
	case o.Verdict == "":
		return "no result"
	case flood(o):
		return "inline, a flood"
	}
	return string(o.Verdict)
}

func spotText(at *engine.Spot) string {
	text := fmt.Sprintf("line %s, column %s, byte %s", grouped(int64(at.Line)), grouped(int64(at.Column)), grouped(at.Offset))
	if at.Path != "" {
		text = at.Path + ", " + text
	}
	return text
}

// checkSentence is one line of a trace in words.
func checkSentence(c engine.Check) string {
	var s string
	switch {
	case c.Observed != nil && c.Limit != nil && c.Unit == "share":
		s = fmt.Sprintf("%s: %s, where %s would be too much", c.Result, checkFigure(c.Observed, c.Unit), checkFigure(c.Limit, c.Unit))
	case c.Observed != nil && c.Limit != nil && c.Unit == "tokens":
		limit, _ := number(c.Limit)
		observed, _ := number(c.Observed)
		s = fmt.Sprintf("%s, %s %s", beside(observed, limit), comparison(c.Result), rounded(limit))
	case c.Observed != nil && c.Limit != nil:
		s = fmt.Sprintf("%s, %s %s", checkFigure(c.Observed, c.Unit), comparison(c.Result), checkFigure(c.Limit, ""))
	case c.Observed != nil:
		s = fmt.Sprintf("%s: %s", checkFigure(c.Observed, c.Unit), c.Result)
	default:
		s = c.Result
	}
	if c.Detail != "" {
		s += "; " + c.Detail
	}
	return s
}

// comparison is a check's result as it stands between what was observed and the limit.
func comparison(result string) string {
	switch result {
	case "under":
		return "within" // equal to a limit is not over it
	case "smaller", "larger":
		return result + " than"
	}
	return result
}

// checkFigure writes what a check observed, or its limit.
func checkFigure(v any, unit string) string {
	n, ok := number(v)
	switch {
	case !ok:
		return fmt.Sprint(v)
	case unit == "share":
		return shareText(n)
	case unit == "tokens":
		return tokens(n)
	case unit != "":
		return inUnits(rounded(n), unit)
	}
	return rounded(n)
}

// beside writes tokens to be compared with a limit: with their fraction where rounding would hide on
// which side of it they are.
func beside(n, limit float64) string {
	return inUnits(besideLimit(n, limit), "tokens")
}

// shareText writes a share with one decimal. Only the whole is 100 %.
func shareText(share float64) string {
	if share < 1 && share > 0.999 {
		return "99.9 %"
	}
	return percent(share, 1)
}

// summary says in one sentence, with the numbers, why a result got its verdict.
func summary(d *engine.Diagnosis) string {
	o := d.Outcome
	original, entered := tokens(o.Original.Tokens), tokens(o.Inline.Tokens)
	limit := ""
	if d.Limit != nil {
		limit = rounded(*d.Limit)
		original, entered = beside(d.Observed, *d.Limit), beside(o.Inline.Tokens, *d.Limit)
		if o.Instructions != nil {
			original += " without its instructions"
		}
	}
	switch d.Cause {
	case engine.CauseUnderThreshold:
		if limit == "" {
			return original + ", and the policy has no threshold"
		}
		return fmt.Sprintf("%s, not over %s", original, limit)
	case engine.CauseHardLimit:
		return fmt.Sprintf("%s bytes, over the hard limit: nothing entered the context, and nothing is kept", grouped(o.Original.Bytes))
	case engine.CauseStringifiedJSON:
		return fmt.Sprintf("%s, over %s, entered whole: %s of the payload is JSON inside a string, the most of it at %s",
			entered, limit, shareText(d.Share), d.At.Path)
	case engine.CauseRenderedText:
		return fmt.Sprintf("%s, over %s, entered whole: one string, at %s, has %s of the payload",
			entered, limit, d.At.Path, shareText(d.Share))
	case engine.CauseInvalidJSON:
		s := fmt.Sprintf("%s, over %s, entered whole: it starts like JSON and is not", entered, limit)
		if d.Syntax != nil {
			s += fmt.Sprintf(": %s (line %s, column %s)", d.Syntax.Reason, grouped(int64(d.Syntax.Line)), grouped(int64(d.Syntax.Column)))
		}
		return s
	case engine.CauseScalarRoot:
		return fmt.Sprintf("%s, over %s, entered whole: the payload is a single JSON value, neither an object nor an array", entered, limit)
	case engine.CausePlaintext:
		what := "plain text"
		if d.LooksLike != "" {
			what = d.LooksLike
		}
		return fmt.Sprintf("%s, over %s, entered whole: it is not JSON but %s", entered, limit, what)
	case engine.CauseOffloaded:
		return fmt.Sprintf("%s, over %s: %s entered the context in its place, the payload is %s", original, limit, entered, jqName(o.Name))
	case engine.CauseOffloadedCombined:
		return fmt.Sprintf("%s, the largest of a batch of %s, over %s: %s entered the context in its place, the payload is %s",
			tokens(o.Original.Tokens), tokens(d.Observed), limit, entered, jqName(o.Name))
	case engine.CauseFailedCall:
		return fmt.Sprintf("a failed call of %s: %s entered the context", original, entered)
	case engine.CauseSandboxTool:
		return fmt.Sprintf("%s from the sandbox's own tool: a preview of %s entered, nothing is kept", original, entered)
	case engine.CauseEmpty:
		return "the payload has no text"
	case engine.CauseStoreFailed:
		return fmt.Sprintf("%s were to be offloaded and could not be stored: a preview of %s entered, the rest cannot be read back", original, entered)
	case engine.CauseNotSmaller:
		return fmt.Sprintf("%s entered whole: a package in its place would not have been smaller", entered)
	case engine.CauseDisabled:
		return fmt.Sprintf("%s entered whole: the policy is off", entered)
	case engine.CauseNoResult:
		return "the recording has no result for this call"
	}
	return fmt.Sprintf("%s, %s in the context", original, entered)
}

// change says what would have to differ for another verdict.
func change(d *engine.Distance) string {
	switch d.By {
	case engine.ByGrowing:
		if d.Tokens == 0 {
			return "anything more"
		}
		return fmt.Sprintf("more than %s more", beside(d.Tokens, 0))
	case engine.ByShrinking:
		return fmt.Sprintf("%s less", beside(d.Tokens, 0))
	case engine.ByParsing:
		return "parse " + d.Path
	case engine.ByStructure:
		if d.Path != "" && d.Path != "." {
			return "return records instead of the text at " + d.Path
		}
		return "return structured JSON"
	case engine.ByFixingSyntax:
		return "make it valid JSON"
	case engine.ByFixingStore:
		return "a store that works"
	}
	return string(d.By)
}
