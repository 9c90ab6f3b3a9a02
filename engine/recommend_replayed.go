package engine

import (
	"context"
	"math"
	"slices"
)

// triedValues is the number of values that a limit is tried with where it is not swept in one pass and nothing
// was replayed.
const triedValues = 50

// recommendOf finds the best of the values that were replayed, or of some that are tried one by one.
func (c *Corpus) recommendOf(ctx context.Context, p *Policy, d *Decisions, key string, g Goal) (*Recommendation, error) {
	values, err := c.SweepValues(p, key, 0, 0, triedValues)
	if err != nil {
		return nil, err
	}
	if own := p.limit(key); own != nil && !c.Replayed() {
		values = append(values, *own)
		slices.Sort(values)
	}
	points, err := c.Sweep(ctx, p, key, values, SweepOptions{StepTokens: g.MaxStepTokens})
	if err != nil {
		return nil, err
	}
	if len(points) == 0 { // the limit is none, and nothing else was replayed
		now := d.Point
		now.Value = -1
		points = []Point{now}
	}
	best := 0
	for i := range points {
		if g.better(&points[i], &points[best]) {
			best = i
		}
	}
	r := &Recommendation{Key: key, Goal: g, Met: g.excess(&points[best]) == 0, Best: points[best], Now: d.Point, Knee: knee(points), WhatIf: p.fixed()}
	r.now(p, d)
	r.preferNow()
	if !c.Replayed() {
		if err := c.trust(p, r); err != nil {
			return nil, err
		}
		r.Why = r.why()
		r.HeldUp, err = c.heldUp(p, r)
		return r, err
	}
	n, err := c.setting(p)
	if err != nil {
		return nil, err
	}
	v, can := r.Best.Value, 0
	for i := range c.facts {
		if c.copied(&c.facts[i]) {
			continue
		}
		if key == PerResultKey && math.Abs(inTokens(c.columns[n].measures()[i])-v) <= nearValue*v ||
			key == SecondKey && math.Abs(inTokens(c.columns[n].second[i])-v) <= nearValue*v {
			r.Near++
		}
		for j := range c.columns {
			if c.columns[j].replays.verdict[i] != inlineAt {
				can++
				break
			}
		}
	}
	r.Thin = thin(can)
	r.Why = r.why()
	r.HeldUp, err = c.heldUp(p, r)
	return r, err
}
