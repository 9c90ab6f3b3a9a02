package ui

import (
	"context"
	"math"
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

const (
	// sweepPoints are as many as the dots of a wide plot.
	sweepPoints = 160
	// replayedPoints are the values of a sweep each of which takes a replay.
	replayedPoints = 12
)

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

// A sweptCorpus is a sweep's answer: what each value comes to, and the value that serves the goal.
type sweptCorpus struct {
	sweep  *tuneSweep
	advice *engine.Recommendation
	shapes []engine.ShapeAdvice
}

// sweepTune makes the curve and the recommendation, where something that they depend on is new. They come
// after what is shown of the settings themselves.
func (e *explorer) sweepTune() tea.Cmd {
	t := e.tune
	if t == nil || t.facts == nil || t.facts.corpus.Len() == 0 {
		return nil
	}
	basis, p := t.basis()
	if t.sweep != nil && t.sweep.of == basis || t.wanted == basis && e.jobs.running("sweep") {
		return nil
	}
	if t.missing != nil || t.source == nil {
		if t.wanted != basis {
			e.jobs.stop("sweep")
		}
		return nil
	}
	if t.source.corpus.Replayed() && t.facts.tried < t.total {
		return nil // each value takes a replay: not before all is there
	}
	t.wanted = basis
	goal, limit := t.currentGoal().goal(), t.stepLimit()
	var extra []float64
	k := t.goalKnob()
	for _, q := range []*engine.Policy{t.own, t.policy} {
		if v, some := k.value(q); some {
			extra = append(extra, v)
		}
	}
	source, curve, convs := t.source, (*tuneFacts)(nil), e.collectable()[:t.facts.tried]
	if t.curve != nil && t.curveOf.replays(basis) {
		curve = t.curve
	}
	return e.jobs.start("sweep", func(ctx context.Context) answer {
		var s *sweptCorpus
		var err error
		if curve == nil {
			curve, err = curveFacts(p, basis.field, t.fault)
		}
		switch {
		case err != nil:
		case curve == nil: // facts are enough
			s, err = sweepOver(ctx, source.corpus.Under(t.fault), p, basis, extra, goal, limit)
		default:
			if more := curve.portion(convs); len(more) > 0 {
				curve, err = curve.with(ctx, more, e.session.factCache())
			}
			if err == nil && curve.tried == len(convs) {
				s, err = sweepOver(ctx, curve.corpus, p, basis, nil, goal, limit)
			}
		}
		return func() tea.Cmd {
			if e.tune != t || t.facts.corpus != basis.corpus {
				return nil
			}
			t.curve, t.curveOf = curve, basis
			if s == nil && err == nil {
				return e.sweepTune() // the next portion
			}
			t.adviceProblem = ""
			if err != nil {
				t.adviceProblem = visible(err.Error())
				s = &sweptCorpus{sweep: &tuneSweep{}}
			}
			t.advice, t.shapes, t.sweep = s.advice, s.shapes, s.sweep
			t.sweep.of = basis
			return nil
		}
	})
}

// replays tells whether what was replayed for b is what c needs: goals do not matter.
func (b sweepBasis) replays(c sweepBasis) bool {
	return b.field == c.field && b.policy == c.policy
}

// curveFacts are the facts of a sweep each value of which takes a replay, without any conversation yet; nil
// where facts are enough.
func curveFacts(p *engine.Policy, field string, fault engine.Fault) (*tuneFacts, error) {
	o := tuneOptions{key: field, points: replayedPoints, from: math.NaN(), to: math.NaN()}
	policies, err := o.measuredFor(p)
	if err != nil || len(policies) < 2 {
		return nil, err
	}
	return newTuneFacts(fault, policies...)
}

// sweepOver sweeps one setting over what the corpus holds, and recommends a value.
func sweepOver(ctx context.Context, c *engine.Corpus, p *engine.Policy, of sweepBasis, extra []float64, goal engine.Goal, limit float64) (*sweptCorpus, error) {
	values, err := c.SweepValues(p, of.field, 0, 0, sweepPoints)
	if err != nil {
		return nil, err
	}
	values = slices.Clone(values)
	for _, v := range extra {
		if _, err := p.SetNumber(of.field, v); err == nil { // one that goes with the rest
			values = append(values, v)
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	s := &sweptCorpus{sweep: &tuneSweep{of: of}}
	if s.sweep.points, err = c.Sweep(ctx, p, of.field, values, engine.SweepOptions{StepTokens: limit}); err != nil {
		return nil, err
	}
	if s.advice, err = c.Recommend(ctx, p, of.field, goal); err == nil && p.Fixed {
		s.shapes, err = c.Shapes(p)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// outdated tells whether the curve and the recommendation are of other settings, another goal or fewer results
// than those that are shown.
func (t *tuneScreen) outdated() bool {
	return t.sweep != nil && t.facts != nil && (t.sweep.of.corpus != t.facts.corpus || t.sweep.of != t.wanted || t.missing != nil && t.swept != t.sweep.of.policy)
}

// sweeping says how far replaying for the curve is; empty where facts are enough, and when it is done.
func (t *tuneScreen) sweeping() string {
	if t.curve == nil || t.facts == nil || !t.curveOf.replays(t.wanted) || t.curve.tried >= t.facts.tried {
		return ""
	}
	return t.curve.progress(t.facts.tried)
}
