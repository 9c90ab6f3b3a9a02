package ui

import (
	"fmt"
	"math"
	"strings"

	"floodmark/engine"
)

// looks names in words what a text looks like.
var looks = map[string]string{
	"":                        "plain text",
	engine.LooksProse:         "prose",
	engine.LooksLog:           "a log",
	engine.LooksCSV:           "CSV",
	engine.LooksTSV:           "tab-separated values",
	engine.LooksMarkdownTable: "a Markdown table",
	engine.LooksXML:           "XML",
	engine.LooksHTML:          "an HTML page",
	engine.LooksYAML:          "YAML",
	engine.LooksSQL:           "SQL",
	engine.LooksBase64:        "base64",
	engine.LooksList:          "a rendered list",
	engine.LooksPython:        "what Python prints for its objects",
	engine.LooksJSONLines:     "JSON lines",
	engine.LooksJSONAfterText: "JSON after other text",
	engine.LooksNumberedLines: "a file with line numbers",
	engine.LooksCode:          "source code",
	engine.LooksBinary:        "binary data",
	engine.LooksBlank:         "white space",
}

// lookText adds what the text looks like that holds the data.
func lookText(d *engine.Diagnosis) string {
	if d.LooksLike == "" {
		return ""
	}
	return "; it looks like " + looks[d.LooksLike]
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
		return fmt.Sprintf("%s, over %s, entered whole: one string, at %s, has %s of the payload%s",
			entered, limit, d.At.Path, shareText(d.Share), lookText(d))
	case engine.CauseEnvelope:
		return fmt.Sprintf("%s, over %s, entered whole: the data is in an envelope, as one string at %s with %s of the payload%s",
			entered, limit, d.At.Path, shareText(d.Share), lookText(d))
	case engine.CauseInvalidJSON:
		s := fmt.Sprintf("%s, over %s, entered whole: it starts like JSON and is not", entered, limit)
		if d.Syntax != nil && d.Syntax.Fault == "code-fence" {
			return fmt.Sprintf("%s, over %s, entered whole: it is JSON in a code fence", entered, limit)
		}
		if d.Syntax != nil {
			s += fmt.Sprintf(": %s (line %s, column %s)", d.Syntax.Reason, grouped(int64(d.Syntax.Line)), grouped(int64(d.Syntax.Column)))
		}
		return s + lookText(d)
	case engine.CauseScalarRoot:
		return fmt.Sprintf("%s, over %s, entered whole: the payload is a single JSON value, neither an object nor an array%s", entered, limit, lookText(d))
	case engine.CausePlaintext:
		what := "it is not JSON but " + looks[d.LooksLike]
		if s := d.Outcome.Facts.Syntax; s != nil && s.Fault == "code-fence" {
			what = "it stands in a code fence"
		}
		return fmt.Sprintf("%s, over %s, entered whole: %s", entered, limit, what)
	case engine.CauseOffloaded:
		return fmt.Sprintf("%s, over %s: %s entered the context in its place, the payload is %s", original, limit, entered, jqName(o.Name))
	case engine.CauseOffloadedCombined:
		return fmt.Sprintf("%s, the largest of a batch of %s, over %s: %s entered the context in its place, the payload is %s",
			tokens(o.Original.Tokens), tokens(d.Observed), limit, entered, jqName(o.Name))
	case engine.CauseFailedCall:
		return fmt.Sprintf("a failed call of %s: %s entered the context", original, entered)
	case engine.CauseSandboxTool:
		return fmt.Sprintf("%s from the sandbox's own tool: a preview of %s entered, nothing is kept", original, entered)
	case engine.CauseTruncated:
		return fmt.Sprintf("%s%s: %s entered the context, the rest is gone", original, overText(d), entered)
	case engine.CauseNotKept:
		return fmt.Sprintf("%s%s: %s entered in its place, nothing of it is kept", original, overText(d), entered)
	case engine.CauseExempt:
		return fmt.Sprintf("%s entered whole: the policy's limits are not for this result", entered)
	case engine.CauseCleared:
		return fmt.Sprintf("%s entered whole, and went from the context later", entered)
	case engine.CauseEmpty:
		return "the payload has no text"
	case engine.CauseSuperseded:
		return fmt.Sprintf("%s, over %s: it is %s, and the same call later gave %s", original, limit, jqName(o.Name), jqName(d.Newer))
	case engine.CauseExpired:
		return fmt.Sprintf("%s were offloaded to %s, and its retention time passed before it was used", original, jqName(o.Name))
	case engine.CauseStoreFailed:
		if o.Verdict == engine.Offloaded {
			return fmt.Sprintf("%s were offloaded to %s, and reading it back fails", original, jqName(o.Name))
		}
		if o.Verdict == engine.Inline {
			return fmt.Sprintf("%s were to be offloaded and could not be stored: it entered whole", original)
		}
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

// overText names the limit that a result is over, where it has a size in tokens.
func overText(d *engine.Diagnosis) string {
	if d.Limit == nil {
		return ""
	}
	return ", over " + rounded(*d.Limit)
}

// change says what would have to differ for another verdict.
func change(d *engine.Distance) string {
	switch d.By {
	case engine.ByGrowing:
		switch {
		case d.Size == 0 && d.Tokens == 0:
			return "anything more"
		case d.Tokens == 0:
			return fmt.Sprintf("more than %s %s more", grouped(d.Size), d.Unit)
		}
		return fmt.Sprintf("more than %s more", beside(d.Tokens, 0)) + distanceText(d)
	case engine.ByShrinking:
		if d.Tokens == 0 {
			return fmt.Sprintf("%s %s less", grouped(d.Size), d.Unit)
		}
		return fmt.Sprintf("%s less", beside(d.Tokens, 0)) + distanceText(d)
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

// distanceText is a distance from a threshold in what the estimator counts.
func distanceText(d *engine.Distance) string {
	if d.Unit == "" {
		return ""
	}
	unit, side := d.Unit, "under"
	if d.Size == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	if d.By == engine.ByShrinking {
		side = "over"
	}
	return fmt.Sprintf("; it is %s %s %s the threshold", grouped(d.Size), unit, side)
}

// A hint is one line under a trace: a word, and what it says.
type hint struct{ word, text string }

// help says where the cause lies, what is missing to another verdict in both directions, what a real
// tokenizer says, and what repairs it.
func help(d *engine.Diagnosis) []hint {
	var list []hint
	add := func(word, format string, a ...any) { list = append(list, hint{word, fmt.Sprintf(format, a...)}) }
	if d.At != nil {
		add("where", "%s", spotText(d.At))
	}
	for i, distance := range []*engine.Distance{d.Distance, d.Further} {
		switch {
		case distance == nil:
		case i > 0 && d.Distance != nil && !nearHardLimit(distance):
		case distance.To == "":
			add("missing", "not to be rejected: %s", change(distance))
		default:
			add("missing", "to be %s: %s", distance.To, change(distance))
		}
	}
	if e := d.Exact; e != nil && d.Limit != nil {
		side := "not over"
		if e.Over {
			side = "over"
		}
		add("exact", "%s by %s, %s %s too", beside(e.Tokens, *d.Limit), e.Estimator, side, rounded(*d.Limit))
		if e.Over != (d.Cause != engine.CauseUnderThreshold) {
			last := &list[len(list)-1]
			last.text = fmt.Sprintf("%s by %s, %s %s: the limit is within the estimate's error", beside(e.Tokens, *d.Limit), e.Estimator, side, rounded(*d.Limit))
		}
	}
	if r := d.Repair; r != nil {
		add("repair", "%s makes it %s: %s in the context, not %s; %s saved", r.Filter, r.Verdict, tokens(r.After), rounded(r.Before), saved(r))
	}
	return list
}

// nearHardLimit tells whether a distance to the hard limit is worth a line: a tenth of 100 MB.
func nearHardLimit(d *engine.Distance) bool { return d.Size <= 10_000_000 }

// saved is what a repair keeps out of the context, as the difference of the figures beside it.
func saved(r *engine.Repair) string {
	return grouped(int64(math.Floor(r.Before+0.5)) - int64(math.Floor(r.After+0.5)))
}
