package ui

import (
	"fmt"
	"io"
	"math"
	"strings"

	"floodmark/engine"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/linechart"
)

// write writes the report that was asked for.
func (t *tuning) write(out io.Writer, s *Streams, o *tuneOptions) error {
	switch {
	case o.json:
		return t.writeJSON(out, o)
	case o.csv:
		return t.writeCSV(out, o)
	}
	r := tuneReport{tuning: t, out: out, theme: s.theme(), o: o}
	results, steps := t.facts.Counted()
	head := fmt.Sprintf("%s in %s · policy %s · tokens by %s", count(results, "result"), count(steps, "step"), visible(t.policy.Name), t.policy.Estimator)
	r.line("%s", head)
	if t.policy.Fixed {
		r.line(`The vendor's limits are fixed: every value of %s but its own is "what if".`, t.key)
	}
	if t.facts.Replayed() {
		r.line("By replays, one with each value: %s.", visible(r.byReplays))
	}
	if t.facts.Len() == 0 {
		r.line("There is nothing to tune: the recordings have no results.")
		return r.err
	}
	if s.Color && !s.ASCII && s.Width >= 60 && len(t.sweep) > 2 {
		r.plot(s.Width)
	}
	r.table()
	r.recommendation()
	r.costs()
	r.shapesTable()
	return r.err
}

type tuneReport struct {
	*tuning
	out   io.Writer
	theme *theme
	o     *tuneOptions
	err   error
}

func (r *tuneReport) line(format string, args ...any) {
	if r.err == nil {
		_, r.err = fmt.Fprintln(r.out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
}

// rows writes a table whose figures are flush right, all columns but the last.
func (r *tuneReport) rows(heads []string, rows [][]string) {
	cells := make([]int, len(heads))
	table := append([][]string{heads}, rows...)
	for _, row := range table {
		for i, c := range row {
			cells[i] = max(cells[i], width(c))
		}
	}
	for _, row := range table {
		var b strings.Builder
		for i, c := range row[:len(row)-1] {
			b.WriteString(padLeft(c, cells[i]) + "  ")
		}
		r.line("%s%s", b.String(), row[len(row)-1])
	}
}

// table writes the sweep. Columns of verdicts that never occur are left out.
func (r *tuneReport) table() {
	r.line("")
	r.line("%s%s: results by verdict; tokens that entered, that the model read, of the largest step, of the largest context", r.key, unitOf(r.policy, r.key))
	heads := []string{"value"}
	var shown []int
	for i, v := range engine.Verdicts {
		for _, p := range r.sweep {
			if p.Verdicts[i] > 0 {
				heads, shown = append(heads, string(v)), append(shown, i)
				break
			}
		}
	}
	heads = append(heads, "entered", "model", "step", "context")
	if r.o.window > 0 {
		heads = append(heads, "of window")
	}
	if r.o.step > 0 {
		heads = append(heads, "steps over")
	}
	if r.prices != nil {
		heads = append(heads, "model costs")
	}
	heads = append(heads, "")
	var rows [][]string
	for _, p := range r.sweep {
		row := []string{figureOf(p.Value)}
		for _, i := range shown {
			row = append(row, grouped(int64(p.Verdicts[i])))
		}
		row = append(row, rounded(p.InlineTokens), short(p.ModelTokens), rounded(p.PeakStepTokens), rounded(p.PeakContextTokens))
		if r.o.window > 0 {
			row = append(row, percent(p.PeakContextTokens, r.o.window))
		}
		if r.o.step > 0 {
			row = append(row, grouped(int64(p.StepsOver)))
		}
		if r.prices != nil {
			row = append(row, visible(r.prices.text(p.ModelTokens)))
		}
		var marks []string
		if b := r.best; b != nil {
			if p.Value == b.Now.Value {
				marks = append(marks, "now")
			}
			if p.Value == b.Best.Value {
				marks = append(marks, "recommended")
			}
		}
		rows = append(rows, append(row, strings.Join(marks, ", ")))
	}
	r.rows(heads, rows)
	if len(rows) == 1 && len(r.o.values) == 0 && r.o.from != r.o.to {
		hint := "name others with --values N,N,… or with --from N and --to N"
		if r.o.fromFacts {
			hint = "the facts hold no other; measure others with tune --facts --key " + r.key + " --values N,N,…"
		}
		r.line("That is one value only: %s.", visible(hint))
	}
}

// unitOf says what a limit is counted in, where that is not tokens.
func unitOf(p *engine.Policy, key string) string {
	unit := engine.Tokens
	switch key {
	case engine.PerResultKey:
		unit = p.Limits.Unit
	case engine.CombinedKey:
		unit = p.Limits.CombinedUnit
	case "limits.second":
		unit = p.Limits.SecondUnit
	}
	if unit == engine.Tokens || unit == "" {
		return ""
	}
	return " in " + string(unit)
}

func (r *tuneReport) recommendation() {
	b := r.best
	if b == nil {
		return
	}
	r.line("")
	what := "recommended"
	switch {
	case !b.Met:
		what = "nearest to the goal"
	case b.WhatIf && b.Best.Value != b.Now.Value:
		what = "best, what if"
	}
	r.line("%s   %s = %s", what, r.key, figureOf(b.Best.Value))
	r.line("  goal %s: %s", b.Goal.Aim, b.Why)
	r.line("  inline %s → %s tokens, peak step %s → %s, peak context %s → %s, model %s → %s",
		rounded(b.Now.InlineTokens), rounded(b.Best.InlineTokens), rounded(b.Now.PeakStepTokens), rounded(b.Best.PeakStepTokens),
		rounded(b.Now.PeakContextTokens), rounded(b.Best.PeakContextTokens), short(b.Now.ModelTokens), short(b.Best.ModelTokens))
	if b.Knee.Value >= 0 {
		r.line("  knee at %s: not whole %s, inline %s tokens; each further one saves less than the average (Kneedle)",
			figureOf(b.Knee.Value), grouped(int64(b.Knee.Verdicts.NotInline())), rounded(b.Knee.InlineTokens))
	}
	r.line("  near: %s within 5 %% of the value", count(b.Near, "result"))
	if b.HeldUp != "" {
		r.line("  held up by %s", visible(b.HeldUp))
	}
	if b.Thin != "" {
		r.line("  thin: %s", b.Thin)
	}
}

func (r *tuneReport) costs() {
	d := r.now
	r.line("")
	r.line("costs with the policy as it is")
	money := func(tokens float64) string {
		if r.prices == nil {
			return ""
		}
		return visible(r.prices.text(tokens))
	}
	rows := [][]string{
		{"  original", rounded(d.OriginalTokens), "", "what the tools gave back"},
		{"  inline", rounded(d.Point.InlineTokens), "", "what entered the context for it"},
		{"  model", rounded(d.Point.ModelTokens), money(d.Point.ModelTokens), "all that the model read, each step all earlier ones again"},
		{"  all inline", rounded(d.ModelOriginal), money(d.ModelOriginal), "what it would have read had everything entered"},
	}
	if u := r.usage; u != nil {
		bound := ""
		if u.LowerBound {
			bound = ", at least"
		}
		rows = append(rows, []string{"  reported", grouped(u.Input + u.Cached), "", fmt.Sprintf("what the provider billed as input%s, %s of it from its cache", bound, grouped(u.Cached))})
	}
	cells, most := 0, 0
	for _, row := range rows {
		cells, most = max(cells, width(row[1])), max(most, width(row[2]))
	}
	for _, row := range rows {
		if most > 0 {
			row[1] = padLeft(row[1], cells) + "  " + padLeft(row[2], most)
		} else {
			row[1] = padLeft(row[1], cells)
		}
		r.line("%s  %s  %s", pad(row[0], 12), row[1], row[3])
	}
	b := r.breakEven
	if b.Offloads == 0 {
		return
	}
	r.line("")
	if b.Saved <= 0 {
		r.line("break-even: there is none. No step of the recordings reads less since %s left the context", count(b.Offloads, "result"))
		return
	}
	r.line("break-even: %s model tokens are saved by %s. Each inspection adds a step that reads about %s tokens", rounded(b.Saved), count(b.Offloads, "offload"), rounded(b.Step))
	r.line("and brings a result that later steps read again (%s on the average). More inspections of each offload", decimal(b.Later))
	r.line("than these cost more than offloading saves; how many there would be, a recording does not say.")
	for _, size := range inspectionSizes {
		n := b.Inspections(size)
		seconds := ""
		if r.o.latency > 0 {
			seconds = fmt.Sprintf(", %s s of waiting", decimal(n*r.o.latency))
		}
		r.line("  results of %s tokens   %s inspections%s", padLeft(rounded(size), 6), decimal(n), seconds)
	}
}

// decimal writes a small figure with one decimal.
func decimal(x float64) string {
	if math.Abs(x) >= 100 {
		return rounded(x)
	}
	return fmt.Sprintf("%.1f", x)
}

// maxShapes is the number of tools that the advice names.
const maxShapes = 8

func (r *tuneReport) shapesTable() {
	if !r.policy.Fixed || len(r.shapes) == 0 {
		return
	}
	r.line("")
	r.line("the shape of the output is what can be changed; the largest gain first. over: results over the limit; whole: how many")
	r.line("of them entered whole, for they are not structured; gain: the tokens fewer, were those as large as a package is")
	rows := [][]string{}
	for i, s := range r.shapes {
		if i == maxShapes {
			r.rows([]string{"  gain", "over", "whole", ""}, rows)
			r.line("  %d more", len(r.shapes)-maxShapes)
			return
		}
		rows = append(rows, []string{rounded(s.Gain), grouped(int64(s.Results)), grouped(int64(s.Whole)), visible(s.Tool) + ": " + s.Advice})
	}
	r.rows([]string{"  gain", "over", "whole", ""}, rows)
}

// plot draws the inline tokens over the swept value, on an axis that is logarithmic from 1 on.
func (r *tuneReport) plot(cells int) {
	const height = 12
	low, high, top := math.Inf(1), 0.0, 0.0
	at := func(v float64) float64 { return math.Log10(max(v, 1)) }
	for _, p := range r.sweep {
		low, high, top = min(low, at(p.Value)), max(high, at(p.Value)), max(top, p.InlineTokens)
	}
	if high <= low || top == 0 {
		return
	}
	lc := linechart.New(min(cells, 100), height, low, high, 0, top, linechart.WithXYSteps(12, 2),
		linechart.WithXLabelFormatter(func(_ int, v float64) string { return brief(math.Pow(10, v)) }),
		linechart.WithYLabelFormatter(func(_ int, v float64) string { return padLeft(brief(v), 8) }))
	lc.DrawXYAxisAndLabel()
	for i := 1; i < len(r.sweep); i++ {
		a, b := r.sweep[i-1], r.sweep[i]
		lc.DrawBrailleLine(canvas.Float64Point{X: at(a.Value), Y: a.InlineTokens}, canvas.Float64Point{X: at(b.Value), Y: b.InlineTokens})
	}
	r.line("")
	r.line("inline tokens over %s", r.key)
	for _, l := range strings.Split(lc.View(), "\n") {
		r.line("%s", l)
	}
}
