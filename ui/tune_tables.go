package ui

import (
	"math"
	"slices"

	"floodmark/engine"
)

// The figures of the two plots in words, for those who can't see a plot or do not want one.

// sizeTable counts results by size in as many rows as there are, the threshold between two of them.
func (t *tuneScreen) sizeTable(w, h int) []string {
	if t.sizes.len() == 0 || h < 2 {
		return nil
	}
	label, figure := 17, 8
	if w < 36 {
		label, figure = 15, 6
	}
	heading := " " + pad("tokens", label) + padLeft("JSON", figure) + padLeft("text", figure)
	limit := t.scopeLimit(t.policy)
	if explained := heading + " over: larger than " + rounded(limit); limit > 0 && width(explained) <= w {
		heading = explained
	}
	out := []string{t.theme.faint.on(pad(clip(heading, w), w))}
	axis := newLogAxis(h-1, 10, t.largest())
	edges, split := axis.edges(limit)
	structured, plain := t.counts(edges, split)
	for i := range structured {
		from := "0"
		if i > 0 {
			from = brief(math.Ceil(edges[i-1]))
		}
		to := "more"
		if i < len(edges) {
			to = brief(math.Ceil(edges[i]))
		}
		line := " " + pad(padLeft(from, label-10)+" – "+to, label) + padLeft(grouped(int64(structured[i])), figure) + padLeft(grouped(int64(plain[i])), figure)
		over := split >= 0 && i >= split
		if over {
			line += " over"
		}
		line = pad(clip(line, w), w)
		if over {
			line = t.theme.over.on(line)
		}
		out = append(out, line)
	}
	return out
}

// sweepTable shows the sweep at some values: those that matter, and others between them.
func (t *tuneScreen) sweepTable(w, h int) []string {
	s := t.sweep
	if s == nil || len(s.points) == 0 || h < 2 {
		return nil
	}
	write, value, entered, peak, whole, notWhole := short, 7, 10, 10, 10, "not whole"
	if w < 44 {
		entered, peak = 8, 8
	}
	if w < 36 {
		write, value, whole, notWhole = brief, 6, 6, "cut"
	}
	row := func(v, e, k, n, name string) string {
		return pad(clip(" "+padLeft(v, value)+padLeft(e, entered)+padLeft(k, peak)+padLeft(n, whole)+" "+name, w), w)
	}
	out := []string{t.theme.faint.on(row("value", "entered", "step", notWhole, ""))}
	names := t.namedValues()
	for _, p := range t.someOf(s.points, names, h-1) {
		name := names[p.Value]
		line := row(write(p.Value), write(p.InlineTokens), write(p.PeakStepTokens), grouped(int64(p.Verdicts.NotInline())), name)
		if name == "now" {
			line = t.theme.strong.on(line)
		}
		out = append(out, line)
	}
	return out
}

// namedValues are the values of the swept setting that mean something.
func (t *tuneScreen) namedValues() map[float64]string {
	names := map[float64]string{}
	k := t.sweptKnob()
	if a := t.advice; a != nil && a.Key == k.field {
		if a.Knee.Value > 0 {
			names[a.Knee.Value] = "knee"
		}
		names[a.Best.Value] = "best"
	}
	if v, ok := k.value(t.own); ok {
		names[v] = "was"
	}
	if v, ok := k.value(t.policy); ok {
		names[v] = "now"
	}
	return names
}

// someOf chooses n points: the named ones (those of the recommendation need not be among the points),
// and others evenly between.
func (t *tuneScreen) someOf(points []engine.Point, names map[float64]string, n int) []engine.Point {
	var chosen []engine.Point
	if a := t.advice; a != nil {
		for _, p := range []engine.Point{a.Best, a.Knee} {
			if names[p.Value] == "best" || names[p.Value] == "knee" {
				chosen = append(chosen, p)
			}
		}
	}
	for _, p := range points {
		if names[p.Value] == "was" {
			chosen = append(chosen, p)
		}
	}
	if now, ok := t.sweptKnob().value(t.policy); ok && t.after != nil && t.missing == nil {
		p := t.after.Point
		p.Value = now
		chosen = append(chosen, p)
	}
	if more := n - len(chosen); more > 0 {
		for i := range more {
			at := i
			if more > 1 {
				at = i * (len(points) - 1) / (more - 1)
			}
			if names[points[at].Value] == "" {
				chosen = append(chosen, points[at])
			}
		}
	}
	slices.SortFunc(chosen, func(a, b engine.Point) int {
		if a.Value < b.Value {
			return -1
		}
		if a.Value > b.Value {
			return 1
		}
		return 0
	})
	chosen = slices.CompactFunc(chosen, func(a, b engine.Point) bool { return a.Value == b.Value })
	return chosen[:min(len(chosen), max(n, 0))]
}
