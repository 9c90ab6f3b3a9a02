package ui

import (
	"fmt"
	"io"
	"strings"

	"floodmark/engine"
)

// A whyReport writes findings in the way that was asked for.
type whyReport struct {
	out     io.Writer
	theme   *theme
	policy  *engine.Policy
	options *whyOptions
}

// write writes the findings, sorted already, from so many recordings.
func (w *whyReport) write(found []finding, recordings int) error {
	o := w.options
	if o.beside != "" {
		return w.beside(found)
	}
	if o.causes || recordings > 1 && !o.json {
		if err := w.causes(causeRows(found), len(found)); err != nil || o.causes {
			return err
		}
	}
	for i, f := range found {
		var err error
		switch {
		case o.json:
			err = writeJSON(w.out, whyObject(f))
		case o.markdown:
			err = w.ticket(f)
		default:
			err = w.explain(f, i == 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// explain writes one explanation: which result, why, the trace, and what would change it.
func (w *whyReport) explain(f finding, first bool) error {
	o := f.Outcome
	lines := []string{
		o.Call.Tool + "  " + strings.Join(standing(f), " · "),
		w.theme.mark(o) + " " + verdictWord(o) + ": " + summary(f.Diagnosis),
	}
	for _, c := range o.Trace {
		if c.Check != "verdict" {
			lines = append(lines, "  "+pad(c.Check, 13)+checkSentence(c))
		}
	}
	for _, h := range help(f.Diagnosis) {
		lines = append(lines, "  "+pad(h.word, 13)+h.text)
	}
	if f.field != nil {
		for i, sentence := range fieldSentences(f) {
			lines = append(lines, "  "+pad([]string{"field", ""}[min(i, 1)], 13)+sentence)
		}
	}
	if r := f.Repair; r != nil && r.Mapper != "" {
		for i, line := range strings.Split(r.Mapper, "\n") {
			lines = append(lines, "  "+pad([]string{"mapper", ""}[min(i, 1)], 13)+line)
		}
	}
	for i, a := range f.values {
		lines = append(lines, "  "+pad([]string{"argument", ""}[min(i, 1)], 13)+a.Path+" "+clip(a.Text, valueCells)+": "+groundText(a))
	}
	if f.chain != nil {
		for i, text := range chainLines(f.chain) {
			lines = append(lines, "  "+pad([]string{"chain", ""}[min(i, 1)], 13)+text)
		}
	}
	for _, warning := range o.Warnings {
		lines = append(lines, "  "+pad("warning", 13)+warning.Code+": "+warningText(warning))
	}
	if first {
		lines = append([]string{fmt.Sprintf("policy %s, tokens by %s", policyTitle(w.policy), w.policy.Estimator), ""}, lines...)
	} else {
		lines = append([]string{""}, lines...)
	}
	for i, l := range lines {
		lines[i] = visible(l)
		if gone := o.Verdict == engine.Lost || o.Verdict == engine.Rejected; gone && strings.HasPrefix(l, w.theme.mark(o)+" ") {
			lines[i] = w.theme.bad.on(lines[i])
		}
	}
	return w.theme.write(w.out, lines...)
}

// standing says where a result stands, from the file to the call.
func standing(f finding) []string {
	o := f.Outcome
	place := []string{f.conv.File, fmt.Sprintf("turn %d", o.Turn), fmt.Sprintf("step %d", o.Step)}
	if o.Thread.Subagent() {
		place = append(place, "subagent "+threadName(o.Thread))
	}
	if o.Batch > 1 && o.Index < o.Batch {
		place = append(place, fmt.Sprintf("%d of %d parallel", o.Index+1, o.Batch))
	}
	if place = append(place, o.Call.ID); o.Label != "" {
		place = append(place, "label "+o.Label)
	}
	return place
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
		limit, _ := engine.Number(c.Limit)
		observed, _ := engine.Number(c.Observed)
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
	n, ok := engine.Number(v)
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

// warningText is a warning's sentence, after the path where it has one.
func warningText(w engine.Warning) string {
	if w.Path == "" {
		return w.Detail
	}
	return w.Path + ", " + w.Detail
}
