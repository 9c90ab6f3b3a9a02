package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/engine"
)

// How the explorer opens the Tune screen, leaves it for one of its results, and comes back.

// A visit is a look at one result from the Tune screen: the session measures as is tuned until the
// way back.
type visit struct {
	chosen int   // the policy's number at that time
	before tuned // what the session had changed
}

// openTune opens the Tune screen, as it was left if the policy is still the same.
func (e *explorer) openTune() tea.Cmd {
	e.stop()
	if e.visiting != nil {
		return e.backToTune()
	}
	if e.tune == nil || e.tune.own != e.session.own || e.tune.from != e.session.policy || e.tune.fault != e.session.fault {
		e.tune = newTune(e.deps, e.session.own, e.session.policy)
	}
	e.tuning = true
	e.tune.SetRect(e.tuneRect())
	return e.tuneFacts()
}

// tuneRect is the whole screen but header, rule and footer.
func (e *explorer) tuneRect() rect { return rect{0, 2, e.lay.W, max(e.lay.H-3, 0)} }

// tuneFacts shows the facts that there are for the policy, and collects what is missing.
func (e *explorer) tuneFacts() tea.Cmd {
	t := e.tune
	known, err := e.session.factsFor(t.from)
	if err != nil {
		t.problem = visible(err.Error())
		return nil
	}
	t.total = len(e.collectable())
	t.take(known)
	return tea.Batch(e.followTune(), e.collect())
}

// collectable are the conversations that are read to their end, or as far as they will be.
func (e *explorer) collectable() []*conversation {
	if e.loading {
		return e.session.convs[:e.session.settled]
	}
	return e.session.convs
}

// collect measures the next conversations, unless that is under way.
func (e *explorer) collect() tea.Cmd {
	t := e.tune
	if t == nil || t.facts == nil || !e.tuning || e.jobs.running("facts") {
		return nil
	}
	facts, all := t.facts, e.collectable()
	t.total = len(all)
	more := facts.portion(all)
	if len(more) == 0 {
		return nil
	}
	return e.jobs.start("facts", func(ctx context.Context) answer {
		next, err := facts.with(ctx, more, e.session.factCache())
		return func() tea.Cmd {
			if err != nil {
				e.status = "facts can't be collected: " + visible(err.Error())
				return nil
			}
			if e.session.knows(facts, next) && t.facts == facts {
				t.total = len(e.collectable())
				t.take(next)
			}
			if e.tune != t {
				return nil
			}
			return tea.Batch(e.followTune(), e.collect())
		}
	})
}

// visitFlip shows the selected result in the explorer, under what is tuned.
func (e *explorer) visitFlip() tea.Cmd {
	t := e.tune
	fact, i, ok := t.flips.selected()
	if !ok {
		e.status = "no result is selected"
		return nil
	}
	c := t.facts.conversation(i)
	at := -1
	for k, have := range e.session.convs {
		if have == c {
			at = k
		}
	}
	if at < 0 {
		e.status = "that conversation is not open any more"
		return nil
	}
	e.visiting = &visit{chosen: e.session.chosen, before: e.session.tuned}
	e.tuning = false
	var cmds []tea.Cmd
	if t.policy != e.session.policy {
		if err := e.session.change(tuned{base: t.policy}); err != nil {
			e.status = visible(err.Error())
		}
		cmds = append(cmds, e.changed())
	}
	if at != e.conv {
		cmds = append(cmds, e.open(at))
	}
	e.focus(false)
	for k, r := range e.list.rows {
		if r.kind == callRow && r.call.Order == fact.Order && r.call.ID == fact.Call {
			e.list.move(k)
		}
	}
	e.status = "as tuned; " + keyOf(stopLoading, e.theme.ascii, inList) + " goes back to Tune"
	return tea.Batch(append(cmds, e.selected())...)
}

// backToTune ends a visit: the session measures as before it.
func (e *explorer) backToTune() tea.Cmd {
	v := e.visiting
	e.visiting = nil
	var cmds []tea.Cmd
	if v.chosen == e.session.chosen && e.session.tuned != v.before {
		if err := e.session.change(v.before); err != nil {
			e.status = visible(err.Error())
		}
		cmds = append(cmds, e.changed())
	}
	if e.tune.own != e.session.own {
		return tea.Batch(append(cmds, e.openTune())...) // another policy was chosen meanwhile
	}
	e.tuning = true
	e.tune.SetRect(e.tuneRect())
	return tea.Batch(append(cmds, e.followTune(), e.collect())...)
}

// leaveTune goes back to the explorer.
func (e *explorer) leaveTune() {
	e.tuning = false
	for _, kind := range []jobKind{"facts", "measure", "sweep"} {
		e.jobs.stop(kind)
	}
	if e.tune.changed() && e.tune.policy != e.session.policy {
		e.status = "what is tuned stays in Tune; " + keyOf(applyTuned, e.theme.ascii, inTune) + " there applies it here"
	}
}

// applyTune makes what is tuned the explorer's.
func (e *explorer) applyTune() tea.Cmd {
	t := e.tune
	to := tuned{}
	if t.changed() {
		to.base = t.policy
	}
	if err := e.session.change(to); err != nil {
		e.status = visible(err.Error())
		return nil
	}
	t.from = e.session.policy
	e.status = "applied to the explorer; " + keyOf(resetLimit, e.theme.ascii) + " there takes it back"
	return e.changed()
}

// factsFor are the facts for a policy, those that there are already.
func (s *session) factsFor(p *engine.Policy) (*tuneFacts, error) {
	if s.facts == nil {
		s.facts = map[string]*tuneFacts{}
	}
	key := fmt.Sprintf("%s %s %+v %+v", p.Name, p.Estimator, p.Preview, p.Schema)
	if p.ByReplays() != "" { // replays decide by all that it says
		key = fmt.Sprintf("%s %s %s", p.Name, s.fault, p.Document())
	}
	if f := s.facts[key]; f != nil {
		return f, nil
	}
	f, err := newTuneFacts(s.fault, p)
	if err == nil {
		s.facts[key] = f
	}
	return f, err
}

// knows puts next in the place of facts; false where those are not the current ones any more.
func (s *session) knows(facts, next *tuneFacts) bool {
	for key, f := range s.facts {
		if f == facts {
			s.facts[key] = next
			return true
		}
	}
	return false
}
