package ui

import (
	"fmt"
	"slices"

	"floodmark/engine"
)

// sizePlot draws how many results there are of each size: structured ones above, plain text below, on
// one axis of tokens, with the thresholds as lines through both.
func (t *tuneScreen) sizePlot(w, h int) []string {
	const gutter = 5
	if t.sizes.len() == 0 || w <= gutter+2 || h < 3 {
		return nil
	}
	p := newPlot(w, h, t.theme)
	axis := newLogAxis(w-gutter-1, 1, t.largest()*1.2)
	limit := t.scopeLimit(t.policy)
	edges, split := axis.edges(limit)
	structured, plain := t.counts(edges, split)
	most := max(slices.Max(structured), slices.Max(plain))
	rows := h - 1
	upper := (rows + 1) / 2
	if was := t.scopeLimit(t.own); was > 0 && was != limit {
		p.upright(gutter+axis.cell(was), 0, rows, t.theme.past, faintInk)
	}
	if split >= 0 {
		p.upright(gutter+split, 0, rows, t.theme.line, overInk)
	}
	p.write(0, 0, "JSON", faintInk)
	p.write(0, upper, "text", faintInk)
	p.bars(gutter, 0, upper, structured, most, split)
	p.bars(gutter, upper, rows-upper, plain, most, split)
	for i, y := range []int{0, upper} {
		s := grouped(int64([]int{len(t.sizes.structured), len(t.sizes.plain)}[i]))
		if p.free(w-1-width(s), y, width(s)) {
			p.write(w-1-width(s), y, s, faintInk)
		}
	}
	var marks []axisMark
	if split >= 0 {
		marks = append(marks, axisMark{split, rounded(limit), overInk})
	}
	axis.draw(p, gutter, h-1, marks...)
	return p.lines()
}

// counts is how many results, structured and plain, each cell of an axis has.
func (t *tuneScreen) counts(edges []float64, split int) (structured, plain []int) {
	reaches := t.policy.Boundary == engine.Reaches
	return counts(t.sizes.structured, edges, split, reaches), counts(t.sizes.plain, edges, split, reaches)
}

// largest is the size up to which an axis of sizes goes, in tokens.
func (t *tuneScreen) largest() float64 {
	return max(t.sizes.largest(), t.scopeLimit(t.policy), t.scopeLimit(t.own), 100)
}

// scopeLimit is the threshold for one result, in tokens, that holds for what is shown; 0 without one.
func (t *tuneScreen) scopeLimit(p *engine.Policy) float64 {
	limits := p.Limits
	if !t.scope.all() {
		limits = p.LimitsFor(t.scope.role, t.scope.agent, t.scope.tool)
	}
	switch {
	case limits.PerResult != nil && unitOf(p, engine.PerResultKey) == "":
		return *limits.PerResult
	case limits.Second != nil && unitOf(p, engine.SecondKey) == "":
		return *limits.Second
	}
	return 0
}

// sweepPlot draws what the values of the swept setting come to: what enters, the largest step, and
// how many results do not enter whole, each on a scale of its own from nothing to its most.
func (t *tuneScreen) sweepPlot(w, h int) []string {
	const gutter = 11
	s := t.sweep
	if s == nil || len(s.points) < 2 || w <= gutter+4 || h < 3 {
		return nil
	}
	p := newPlot(w, h, t.theme)
	axis := newLogAxis(w-gutter-1, s.points[0].Value, s.points[len(s.points)-1].Value)
	k := t.sweptKnob()
	now, some := k.value(t.policy)
	was, had := k.value(t.own)
	rows := h - 1
	if had && (!some || was != now) {
		p.upright(gutter+axis.cell(was), 0, rows, t.theme.past, faintInk)
	}
	if some {
		p.upright(gutter+axis.cell(now), 0, rows, t.theme.line, overInk)
	}
	at := make([]float64, len(s.points))
	for i, q := range s.points {
		at[i] = axis.share(q.Value)
	}
	y := 0
	curves := t.curves()
	if rows < len(curves) {
		curves = curves[:rows]
	}
	for i, c := range curves {
		n := rows / len(curves)
		if i < rows%len(curves) {
			n++
		}
		heights := make([]float64, len(s.points))
		most := 0.0
		for k, q := range s.points {
			heights[k] = c.figure(q)
			most = max(most, heights[k])
		}
		p.curve(rect{gutter, y, axis.cells, n}, curve{at, heights}, most, plainInk)
		p.write(1, y, c.name, faintInk)
		if n > 1 {
			p.write(1, y+1, c.upTo(most), faintInk)
		}
		y += n
	}
	var marks []axisMark
	if some {
		marks = append(marks, axisMark{axis.cell(now), rounded(now), overInk})
	}
	if a := t.advice; a != nil && a.Key == s.of.field && a.Knee.Value > 0 {
		marks = append(marks, axisMark{axis.cell(a.Knee.Value), "knee", plainInk})
	}
	axis.draw(p, gutter, h-1, marks...)
	return p.lines()
}

// A tuneCurve is one figure of a sweep.
type tuneCurve struct {
	name   string
	figure func(engine.Point) float64
	upTo   func(float64) string
}

func (t *tuneScreen) curves() []tuneCurve {
	upTo := func(most float64) string { return fmt.Sprintf("0–%s", brief(most)) }
	return []tuneCurve{
		{"entered", func(p engine.Point) float64 { return p.InlineTokens }, upTo},
		{"peak step", func(p engine.Point) float64 { return p.PeakStepTokens }, upTo},
		{"not whole", func(p engine.Point) float64 { return float64(p.Verdicts.NotInline()) }, upTo},
	}
}
