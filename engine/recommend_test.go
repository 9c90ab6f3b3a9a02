package engine

import (
	"context"
	"math"
	"testing"
)

// A recommendation serves its goal as well as the best of all thresholds that there are: tried one by one,
// with a naive replay of the facts, on quarters of a token from nothing to more than the corpus holds.
func TestARecommendationIsTheBestOfAllThresholds(t *testing.T) {
	for _, set := range [][]string{
		{"moveworks", "structured.only=false"},
		{"moveworks"},
		{"moveworks", "boundary=reaches", "limits.per_result=100"},
		{"trueforge", "limits.hard_bytes=100000000", "limits.per_result=60", "limits.combined=250"},
	} {
		p := policy(t, set[0], set[1:]...)
		for seed := range uint64(3) {
			c := randomCorpus(t, p, seed, shape{results: 120, batch: 4, sizes: 150, special: true})
			col := &c.columns[0] // packages of a size that fits
			for i := range col.offloaded {
				if !c.facts[i].unread {
					col.offloaded[i], col.preview[i] = col.offloaded[i]/10, col.preview[i]/10
				}
			}
			for _, key := range []string{PerResultKey, CombinedKey} {
				if key == CombinedKey && p.Limits.Combined == nil {
					continue
				}
				low, high := 0.0, 160.0
				if key == CombinedKey {
					low, high = *p.Limits.PerResult, 650
				} else if p.Limits.Combined != nil {
					high = *p.Limits.Combined
				}
				var all []Point
				for v := low; v <= high; v += 0.25 {
					q, limit := *p, v
					if key == CombinedKey {
						q.Limits.Combined = &limit
					} else {
						q.Limits.PerResult = &limit
					}
					point := naive(c, &q)
					point.Value = v
					all = append(all, point)
				}
				for _, g := range []Goal{
					{Aim: LowestTokens}, {Aim: LowestTokens, MaxStepTokens: 200}, {Aim: FewestOffloads, MaxStepTokens: 200},
					{Aim: FewestOffloads, MaxContextTokens: 9000}, {Aim: MostVisible, Budget: 3000}, {Aim: MostVisible, MaxStepTokens: 1},
				} {
					best := &all[0]
					for i := range all {
						if served(g, &all[i], best) {
							best = &all[i]
						}
					}
					r, err := c.Recommend(context.Background(), p, key, g)
					if err != nil {
						t.Fatal(err)
					}
					got, want := r.Best, *best
					got.Value, want.Value, got.StepsOver = 0, 0, 0
					if got != want {
						t.Errorf("%v, seed %d, %s, %+v:\n%v comes to %+v, the best\n%v to %+v", set, seed, key, g, r.Best.Value, got, best.Value, want)
					}
					q, err := p.SetNumber(key, r.Best.Value)
					if err != nil {
						t.Fatal(err)
					}
					if real := naive(c, q); real != got {
						t.Errorf("%v, seed %d, %s: %v comes to %+v, it was said to %+v", set, seed, key, r.Best.Value, real, got)
					}
					if r.Met != (tooMuch(g, best) == 0) {
						t.Errorf("%v, seed %d, %s, %+v: met is %v", set, seed, key, g, r.Met)
					}
				}
			}
		}
	}
}

// served tells whether a serves g better than b does, of two thresholds of which a's is not lower.
func served(g Goal, a, b *Point) bool {
	if x, y := tooMuch(g, a), tooMuch(g, b); x != y {
		return x < y
	}
	replacedA, replacedB := a.Verdicts.NotInline(), b.Verdicts.NotInline()
	switch g.Aim {
	case LowestTokens:
		return a.InlineTokens < b.InlineTokens || a.InlineTokens == b.InlineTokens && replacedA <= replacedB
	case FewestOffloads:
		return replacedA < replacedB || replacedA == replacedB && a.InlineTokens <= b.InlineTokens
	}
	if a.VisibleBytes != b.VisibleBytes {
		return a.VisibleBytes > b.VisibleBytes
	}
	return a.InlineTokens < b.InlineTokens || a.InlineTokens == b.InlineTokens && replacedA <= replacedB
}

func tooMuch(g Goal, p *Point) float64 {
	worst := 0.0
	if g.MaxStepTokens > 0 {
		worst = math.Max(worst, p.PeakStepTokens/g.MaxStepTokens-1)
	}
	if g.MaxContextTokens > 0 {
		worst = math.Max(worst, p.PeakContextTokens/g.MaxContextTokens-1)
	}
	if g.Budget > 0 {
		worst = math.Max(worst, p.InlineTokens/g.Budget-1)
	}
	return worst
}

func TestOfEqualValuesTheRoundestOrThePolicysOwnIsRecommended(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		open      bool
		own, want float64
	}{
		{4123.25, 4877.5, false, 7000, 4500},
		{4123.25, 5200, false, 7000, 5000},
		{4123.25, 5200, false, 4321, 4321},
		{4123.25, 4123.5, false, 7000, 4123.25},
		{12, 14, false, 0, 12},
		{0, 80, false, 100, 0},
		{8000, 10_000, true, 6000, 8000},
		{184_731, math.Inf(1), true, 6000, 200_000},
		{8000, math.Inf(1), true, 9000, 9000},
		{7000.25, 7001, false, 7000, 7000.5},
	} {
		if got := agreeable(c.low, c.high, c.open, c.own); got != c.want {
			t.Errorf("from %v to %v, now %v: %v, want %v", c.low, c.high, c.own, got, c.want)
		}
	}
}

// Nine results of 100 tokens and one of 10,000, packages of 10: replacing the one saves 9,990 of 10,800
// tokens.
func TestTheKneeIsWhereTheLargestIsReplaced(t *testing.T) {
	point := func(value, inline float64, offloaded int) Point {
		return Point{Value: value, InlineTokens: inline, Verdicts: Counts{inlineAt: 10 - offloaded, offloadedAt: offloaded}}
	}
	got := knee([]Point{point(0, 100, 10), point(100, 910, 1), point(10_000, 10_900, 0)})
	if got.Value != 100 {
		t.Errorf("the knee is at %v, want 100", got.Value)
	}
	if got := knee([]Point{point(0, 900, 0), point(100, 900, 0)}); got.Value != -1 {
		t.Errorf("a flat line has a knee at %v", got.Value)
	}
}

func TestThinDataAndAGoalThatIsNone(t *testing.T) {
	p := policy(t, "trueforge")
	c := randomCorpus(t, p, 1, shape{results: 20, batch: 2, sizes: 9000})
	r, err := c.Recommend(context.Background(), p, PerResultKey, Goal{Aim: LowestTokens})
	if err != nil {
		t.Fatal(err)
	}
	if r.Thin == "" {
		t.Error("20 results are said to be enough")
	}
	for _, bad := range []struct {
		key  string
		goal Goal
	}{{PerResultKey, Goal{Aim: "cheap"}}, {"preview.records", Goal{Aim: LowestTokens}}} {
		if _, err := c.Recommend(context.Background(), p, bad.key, bad.goal); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}
