package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Markdown writes the ledger as a table with its sums, for a ticket. Filters and problems are text from
// outside: a terminal must not get them as they are.
func (n *Inspection) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Inspection of `$%s`\n\n", n.Variable)
	fmt.Fprintf(&b, "Policy %s, tokens by %s", n.Policy, n.Estimator)
	if n.Threshold != nil {
		fmt.Fprintf(&b, ", threshold per result %s", figureText(*n.Threshold))
	}
	fmt.Fprintf(&b, ". The payload has %s bytes, %s tokens; %s tokens entered the context in its place.\n\n",
		figureText(float64(n.Whole.Bytes)), figureText(n.Whole.Tokens), figureText(n.Package.Tokens))
	b.WriteString("| # | step | filter | read bytes | returned bytes | tokens | total | outcome |\n|---:|---|---|---:|---:|---:|---:|---|\n")
	for i, s := range n.Steps {
		filter := ""
		if s.Filter != "" {
			filter = codeSpan(s.Filter)
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s | %s | %s | %s |\n", i+1, s.Kind, filter, figureText(float64(s.Read)), figureText(float64(s.Returned.Bytes)),
			figureText(s.Returned.Tokens), figureText(n.Totals(i+1).Entered.Tokens), cell(s.Outcome()))
	}
	t := n.Totals(len(n.Steps))
	fmt.Fprintf(&b, "\n%s.\n", t.Counts())
	fmt.Fprintf(&b, "They returned %s tokens; with the package %s of %s", figureText(t.Returned.Tokens), figureText(t.Entered.Tokens), figureText(n.Whole.Tokens))
	if n.Whole.Tokens > 0 {
		fmt.Fprintf(&b, " (%.1f %%)", 100*t.Entered.Tokens/n.Whole.Tokens)
	}
	b.WriteString(".\n" + strings.ToUpper(t.BreakEven()[:1]) + t.BreakEven()[1:] + ".\n")
	return b.String()
}

// BreakEven says in words how far the steps are from costing what the whole payload would have. Its figure
// is the difference of the two as they are shown, so that a reader's sum is right.
func (t InspectionTotals) BreakEven() string {
	left := math.Floor(t.Left+t.Entered.Tokens+0.5) - math.Floor(t.Entered.Tokens+0.5)
	switch {
	case left < 0:
		return "past break-even: the whole payload would have been cheaper by " + figureText(-left) + " tokens"
	case left == 0:
		return "at break-even: as much entered as the whole payload has"
	case t.StepsLeft < 0:
		return "break-even after " + figureText(left) + " more tokens"
	case t.StepsLeft == 1:
		return "break-even after " + figureText(left) + " more tokens, 1 step of the mean size"
	}
	return "break-even after " + figureText(left) + " more tokens, " + figureText(float64(t.StepsLeft)) + " steps of the mean size"
}

// Outcome says in words what became of a step.
func (s InspectionStep) Outcome() string {
	var words []string
	switch {
	case s.Problem != "":
		words = append(words, "failed: "+s.Problem)
	case s.Kind == KeepStep:
		words = append(words, "kept as $"+s.Kept)
	case s.Stopped == StoppedByHand:
		words = append(words, "stopped by hand before it was done")
	case s.Stopped != "":
		words = append(words, "stopped at the limit on "+s.Stopped+" before it was done")
	case s.Found:
		words = append(words, "found")
	default:
		words = append(words, "nothing")
	}
	if s.Over {
		words = append(words, "would be offloaded again")
	}
	if s.Reread {
		words = append(words, "reread")
	}
	return strings.Join(words, ", ")
}

// figureText rounds half up and groups thousands, as screens do.
func figureText(f float64) string {
	s := strconv.FormatInt(int64(f+0.5), 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// codeSpan is text in Markdown's code quotes, in a table.
func codeSpan(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	quote := "`"
	for strings.Contains(s, quote) {
		quote += "`"
	}
	if len(quote) > 1 || strings.HasPrefix(s, "`") {
		s = " " + s + " "
	}
	return quote + strings.ReplaceAll(s, "|", `\|`) + quote
}

// cell is text in a table of Markdown.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", "<", "&lt;", "`", "'").Replace(s)
}
