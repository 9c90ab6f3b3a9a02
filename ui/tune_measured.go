package ui

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// What is tuned can need more than the facts hold: a preview that was not made, or a policy for which facts are
// never enough, so that each value of it takes a replay. That is measured in the background, for this one
// policy; until it comes, what was decided last stays in sight and is marked as such.

// measured is what was measured for single settings, beside the facts of the screen.
type measured struct {
	missing           *engine.Policy // what is being measured; nil where nothing is
	asked             string         // the document of what the running job measures
	source, ownSource *tuneFacts     // what after and before were decided from
	others            []*tuneFacts   // one policy each, the last used at the end; some not complete
	own               *ownDecisions  // nil until there are some
	curve             *tuneFacts     // for a sweep by replays: all its values; nil without
	curveOf           sweepBasis     // what curve is for
}

// ownDecisions are those of before, which stay while nothing is added.
type ownDecisions struct {
	*engine.Decisions
	tried int
}

// maxOthers is the number of settings whose measurements are kept, some 400 bytes for each result and setting.
const maxOthers = 16

// decideOwn makes the verdicts of before; nil where they have to be measured first.
func (t *tuneScreen) decideOwn() (*engine.Decisions, error) {
	if t.measured.own != nil && t.measured.own.tried == t.facts.tried {
		return t.measured.own.Decisions, nil
	}
	d, f, err := t.decided(t.own)
	if d != nil {
		t.ownSource = f
		t.measured.own = &ownDecisions{d, t.facts.tried}
	}
	return d, err
}

// decided makes the verdicts of p from what is measured; nil without an error where that has to be measured
// first.
func (t *tuneScreen) decided(p *engine.Policy) (*engine.Decisions, *tuneFacts, error) {
	byReplays := p.ByReplays() != ""
	try := func(f *tuneFacts) (*engine.Decisions, error) {
		if f.tried != t.facts.tried || byReplays && !f.corpus.Replayed() {
			return nil, nil
		}
		d, err := f.corpus.Under(t.fault).Decide(p)
		var knowsTooLittle *engine.PolicyError
		if errors.As(err, &knowsTooLittle) && string(f.policies[0].Document()) != string(p.Document()) {
			err = nil
		}
		return d, err
	}
	for _, f := range append([]*tuneFacts{t.facts}, t.others...) {
		if f.corpus.Replayed() && !sameDocument(f.policies[0], p) {
			continue // it knows this one policy only
		}
		if d, err := try(f); d != nil || err != nil {
			return d, f, err
		}
	}
	return nil, nil, nil
}

func sameDocument(a, b *engine.Policy) bool {
	return a == b || a.Name == b.Name && string(a.Document()) == string(b.Document())
}

// other finds what is measured for p so far, and puts it last; nil without.
func (t *tuneScreen) other(p *engine.Policy) *tuneFacts {
	for i, f := range t.others {
		if sameDocument(f.policies[0], p) {
			t.others = append(slices.Delete(t.others, i, i+1), f)
			return f
		}
	}
	return nil
}

// learn puts next in the place of what was measured before for the same policy.
func (t *tuneScreen) learn(next *tuneFacts) {
	if t.other(next.policies[0]) != nil {
		t.others[len(t.others)-1] = next
		return
	}
	t.others = append(t.others, next)
	if n := len(t.others) - maxOthers; n > 0 {
		t.others = slices.Delete(t.others, 0, n)
	}
}

// waiting says how far measuring what is tuned is; empty where nothing is missing.
func (t *tuneScreen) waiting() string {
	if t.missing == nil || t.facts == nil {
		return ""
	}
	if f := t.other(t.missing); f != nil {
		return f.progress(t.facts.tried)
	}
	return "replaying…"
}

// followTune measures what is missing, and makes the curve and the recommendation.
func (e *explorer) followTune() tea.Cmd {
	return tea.Batch(e.measureTuned(), e.countCosts(), e.sweepTune())
}

// measureTuned measures the next conversations for the policy that is missing, unless that is under way. What
// is measured for another one is given up: a newer key press is what counts.
func (e *explorer) measureTuned() tea.Cmd {
	t := e.tune
	if t == nil || t.missing == nil || !e.tuning {
		e.jobs.stop("measure")
		return nil
	}
	p := t.missing
	document := string(p.Document())
	if e.jobs.running("measure") && t.asked == document {
		return nil
	}
	facts := t.other(p)
	if facts == nil {
		var err error
		if facts, err = newTuneFacts(t.fault, p); err != nil {
			t.missing, t.problem = nil, visible(err.Error())
			return nil
		}
		t.learn(facts)
	}
	all := e.collectable()
	more := facts.portion(all[:min(t.facts.tried, len(all))])
	if len(more) == 0 { // all of it is measured, and it does not go with the rest
		t.missing, t.problem = nil, "what was measured does not go together; leave Tune and come back"
		return nil
	}
	t.asked = document
	return e.jobs.start("measure", func(ctx context.Context) answer {
		next, err := facts.with(ctx, more, e.session.factCache())
		return func() tea.Cmd {
			if e.tune != t {
				return nil
			}
			if err != nil {
				t.missing, t.problem = nil, "can't be replayed: "+visible(err.Error())
				return nil
			}
			t.learn(next)
			t.decide()
			return e.followTune()
		}
	})
}
