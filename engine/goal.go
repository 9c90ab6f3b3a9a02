package engine

import "slices"

// An Aim is what a goal is after.
type Aim string

// Aims.
const (
	LowestTokens   Aim = "lowest-tokens"   // the fewest inline tokens
	FewestOffloads Aim = "fewest-offloads" // the fewest results that do not enter whole
	MostVisible    Aim = "most-visible"    // the most bytes that enter whole
)

// Aims lists all of them.
var Aims = []Aim{LowestTokens, FewestOffloads, MostVisible}

// A Goal is an aim within limits, in tokens; 0 is none.
type Goal struct {
	Aim              Aim
	MaxStepTokens    float64 // no step's results over it
	MaxContextTokens float64 // no step's context over it
	Budget           float64 // all inline tokens together
}

// validate refuses an aim that is none.
func (g Goal) validate() error {
	if !slices.Contains(Aims, g.Aim) {
		return &PolicyError{Field: "goal " + string(g.Aim), Reason: "is none; there are lowest-tokens, fewest-offloads and most-visible"}
	}
	return nil
}

// excess is by how much p is outside the goal's limits: the largest share of one of them, 0 where it is
// within all.
func (g Goal) excess(p *Point) float64 {
	worst := 0.0
	for _, l := range [][2]float64{{p.PeakStepTokens, g.MaxStepTokens}, {p.PeakContextTokens, g.MaxContextTokens}, {p.InlineTokens, g.Budget}} {
		if l[1] > 0 && l[0] > l[1] {
			worst = max(worst, l[0]/l[1]-1)
		}
	}
	return worst
}

// better tells whether p serves the goal better than q. What is outside the limits is worse the further
// it is; of equals it is the one with fewer offloads, then with fewer tokens, then with the higher value.
func (g Goal) better(p, q *Point) bool {
	if a, b := g.excess(p), g.excess(q); a != b {
		return a < b
	}
	for _, pair := range g.ranking(p, q) {
		if pair[0] != pair[1] {
			return pair[0] < pair[1]
		}
	}
	return false
}

// ranking are the figures of p and q by which they are told apart, the first that differs deciding;
// less is better.
func (g Goal) ranking(p, q *Point) [][2]float64 {
	tokens := [2]float64{p.InlineTokens, q.InlineTokens}
	offloads := [2]float64{float64(p.Verdicts.NotInline()), float64(q.Verdicts.NotInline())}
	value := [2]float64{-p.Value, -q.Value}
	switch g.Aim {
	case FewestOffloads:
		return [][2]float64{offloads, tokens, value}
	case MostVisible:
		return [][2]float64{{-float64(p.VisibleBytes), -float64(q.VisibleBytes)}, tokens, offloads, value}
	}
	return [][2]float64{tokens, offloads, value}
}
