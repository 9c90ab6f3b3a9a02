package history

import (
	"cmp"
	"slices"
)

// A passageKind says what is written next of a thread.
type passageKind int

const (
	promptPassage passageKind = iota // of a turn
	answerPassage                    // of a step: the model's text and calls
	resultPassage                    // of a call
)

type passage struct {
	kind passageKind
	turn *Turn
	step *Step
	call *Call
}

// passages puts a thread in an order in which reading it finds the same again: a result behind its
// step, in the order of arrival, unless it stood before its call.
func (t *Thread) passages() []passage {
	s := &schedule{written: map[*Call]bool{}, ready: map[*Call]bool{}}
	for _, u := range t.Turns {
		for _, step := range u.Steps {
			for _, c := range step.Calls {
				if c.Result != nil {
					s.arrivals = append(s.arrivals, c)
				}
			}
		}
	}
	slices.SortStableFunc(s.arrivals, func(a, b *Call) int { return cmp.Compare(a.Result.Arrival, b.Result.Arrival) })
	for _, u := range t.Turns {
		if u.Number > 0 {
			s.list = append(s.list, passage{kind: promptPassage, turn: u})
		}
		for i, step := range u.Steps {
			s.step(u, step, i == 0)
		}
	}
	for _, c := range s.arrivals {
		s.result(c)
	}
	return s.list
}

// A schedule is the order of passages as far as it is made.
type schedule struct {
	list     []passage
	arrivals []*Call // calls with a result, in the order of these
	next     int     // in arrivals
	ready    map[*Call]bool
	waiting  []*Call // ready, and not written: something arrived earlier
	written  map[*Call]bool
}

func (s *schedule) result(c *Call) {
	if !s.written[c] {
		s.written[c] = true
		s.list = append(s.list, passage{kind: resultPassage, call: c})
	}
}

func (s *schedule) step(u *Turn, step *Step, first bool) {
	again := map[string]*Call{}
	for _, c := range step.Calls {
		again[c.ID] = c
		if c.Result != nil && c.Flags.Has(ResultBeforeCall) {
			s.result(c)
		}
	}
	for _, c := range s.waiting {
		// Behind this step it would stand in another one, or be the result of a call with the same id.
		same := again[c.ID]
		if !c.made() || same != nil && (same.Result == nil || same.Result.Arrival > c.Result.Arrival) {
			s.result(c)
		}
	}
	if !first || len(step.made()) > 0 || !step.Text.empty() || len(step.Calls) == 0 {
		s.list = append(s.list, passage{kind: answerPassage, turn: u, step: step})
	}
	for _, c := range step.Calls {
		if c.Result != nil {
			s.ready[c] = true
			s.waiting = append(s.waiting, c)
		}
	}
	for ; s.next < len(s.arrivals); s.next++ {
		c := s.arrivals[s.next]
		if !s.ready[c] && !s.written[c] {
			break
		}
		s.result(c)
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(c *Call) bool { return s.written[c] })
}

// made tells whether the model made the call, rather than that a result stands for itself.
func (c *Call) made() bool { return c.Flags&(OrphanResult|RepeatedResult) == 0 }

// made lists the calls that the model made.
func (s *Step) made() []*Call {
	var list []*Call
	for _, c := range s.Calls {
		if c.made() {
			list = append(list, c)
		}
	}
	return list
}
