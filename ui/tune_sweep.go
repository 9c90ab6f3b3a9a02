package ui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// A tuneSweep is what each value of one setting would come to.
type tuneSweep struct {
	of     sweepBasis
	points []engine.Point // by value
}

// A sweepBasis is what a sweep depends on. The swept setting's own value is not part of it.
type sweepBasis struct {
	field     string
	corpus    *engine.Corpus
	policy    *engine.Policy
	aim       engine.Aim
	tokens    float64
	stepLimit float64
}

// sweepPoints are as many as the dots of a wide plot.
const sweepPoints = 160

// basis is what the sweep on the screen should stand on, and the policy that is swept: with the swept
// setting as it was before.
func (t *tuneScreen) basis() (sweepBasis, *engine.Policy) {
	k := t.goalKnob()
	if t.swept == nil || t.sweptField != k.field {
		own, some := k.value(t.own)
		p, err := k.set(t.policy, own, some)
		if err != nil {
			p = t.policy // the value of before does not go with the rest
		}
		t.swept, t.sweptField = p, k.field
	}
	return sweepBasis{k.field, t.facts.corpus, t.swept, t.currentGoal().aim, t.currentGoal().tokens, t.stepLimit()}, t.swept
}

// sweepTune makes the curve and the recommendation, where something that they depend on is new.
func (e *explorer) sweepTune() tea.Cmd {
	t := e.tune
	if t == nil || t.facts == nil || t.facts.corpus.Len() == 0 {
		return nil
	}
	basis, p := t.basis()
	if t.sweep != nil && t.sweep.of == basis || t.wanted == basis && e.jobs.running("sweep") {
		return nil
	}
	t.wanted = basis
	c, goal, limit := t.facts.corpus.Under(t.session.fault), t.currentGoal().goal(), t.stepLimit()
	var extra []float64
	k := t.goalKnob()
	for _, q := range []*engine.Policy{t.own, t.policy} {
		if v, some := k.value(q); some {
			extra = append(extra, v)
		}
	}
	return e.jobs.start("sweep", func(ctx context.Context) answer {
		s, err := sweepOver(ctx, c, p, basis.field, extra, limit)
		var advice *engine.Recommendation
		var shapes []engine.ShapeAdvice
		if err == nil {
			advice, err = c.Recommend(ctx, p, basis.field, goal)
		}
		if err == nil && p.Fixed {
			shapes, err = c.Shapes(p)
		}
		return func() tea.Cmd {
			if t.facts.corpus != basis.corpus {
				return nil
			}
			t.advice, t.shapes, t.adviceProblem = advice, shapes, ""
			if err != nil {
				t.adviceProblem = visible(err.Error())
			}
			if s != nil {
				s.of = basis
				t.sweep = s
			}
			return nil
		}
	})
}

// sweepOver sweeps one setting over what the corpus holds.
func sweepOver(ctx context.Context, c *engine.Corpus, p *engine.Policy, field string, extra []float64, limit float64) (*tuneSweep, error) {
	values, err := c.SweepValues(p, field, 0, 0, sweepPoints)
	if err != nil {
		return nil, err
	}
	values = slices.Clone(values)
	for _, v := range extra {
		if _, err := p.SetNumber(field, v); err == nil { // one that goes with the rest
			values = append(values, v)
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	points, err := c.Sweep(ctx, p, field, values, engine.SweepOptions{StepTokens: limit})
	if err != nil {
		return nil, err
	}
	return &tuneSweep{points: points}, nil
}
