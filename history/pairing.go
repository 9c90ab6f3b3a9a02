package history

import (
	"fmt"
	"slices"
)

// A pairing is what is known of one id.
type pairing struct {
	open   []*Call // without a result, oldest first
	closed *Call   // the last that got one
	early  *Call   // the orphan whose result closed got, where the result came first
	more   []*Call // what further results of closed are shown as
}

// result pairs r with the open call of this id. With an empty id it goes to the oldest open call
// of the newest step, of the same tool where tool is not empty.
func (t *threadBuilder) result(id, tool string, r *Result) *Call {
	r.Arrival = t.c.b.results
	t.c.b.results++
	if r.Payload.replaced() {
		r.Flags |= ReplacedSurrogates
	}
	if id == "" {
		return t.resultByOrder(tool, r)
	}
	p := t.pairs[id]
	if p != nil && len(p.open) > 0 {
		c := t.newestOpen(p.open)
		t.answer(p, c, r)
		return c
	}
	if p == nil || p.closed == nil {
		c := t.orphan(id, tool, r)
		t.waiting[id] = append(t.waiting[id], c)
		return c
	}
	for _, c := range append([]*Call{p.closed}, p.more...) {
		if samePayload(c.Result, r) {
			t.c.b.results--
			return c
		}
	}
	if p.early != nil {
		// The call has a result behind it: the one before it was somebody else's.
		c, orphan := p.closed, p.early
		p.early = nil
		t.place(t.home[orphan], orphan)
		c.Flags &^= ResultBeforeCall
		c.Result = r
		return c
	}
	c := &Call{ID: id, Tool: p.closed.Tool, Arguments: p.closed.Arguments, Result: r,
		Order: t.c.b.calls, At: r.At, Flags: RepeatedResult}
	t.c.b.calls++
	t.place(t.lastStep(), c)
	p.more = append(p.more, c)
	return c
}

// newestOpen picks the oldest of the open calls that are in the newest of their steps.
func (t *threadBuilder) newestOpen(open []*Call) *Call {
	newest := t.home[open[len(open)-1]]
	for _, c := range open {
		if t.home[c] == newest {
			return c
		}
	}
	return nil
}

// resultByOrder pairs a result without an id.
func (t *threadBuilder) resultByOrder(tool string, r *Result) *Call {
	if s := t.stepWithCalls(); s != nil {
		for _, c := range s.Calls {
			if c.Result != nil || tool != "" && c.Tool != tool {
				continue
			}
			flag := PairedByOrder
			if tool != "" {
				flag = PairedByName
			}
			t.answer(t.pairing(c.ID), c, r)
			c.Flags |= flag
			return c
		}
	}
	c := t.orphan("", tool, r)
	return c
}

// stepWithCalls is the newest step of the thread that has calls.
func (t *threadBuilder) stepWithCalls() *Step {
	for _, u := range slices.Backward(t.Thread.Turns) {
		for _, s := range slices.Backward(u.Steps) {
			if slices.ContainsFunc(s.Calls, func(c *Call) bool { return c.Flags&OrphanResult == 0 }) {
				return s
			}
		}
	}
	return nil
}

func (t *threadBuilder) answer(p *pairing, c *Call, r *Result) {
	c.Result = r
	c.Flags &^= NoResult
	p.open = slices.DeleteFunc(p.open, func(o *Call) bool { return o == c })
	p.closed, p.early, p.more = c, nil, nil
}

// orphan keeps a result that belongs to no call, in the step where it arrived.
func (t *threadBuilder) orphan(id, tool string, r *Result) *Call {
	c := &Call{ID: id, Tool: tool, Result: r, Order: t.c.b.calls, At: r.At, Flags: OrphanResult}
	t.c.b.calls++
	if id == "" {
		c.ID = fmt.Sprintf("line%d-%d", r.At.Line, c.Order)
		c.Flags |= SyntheticID
	}
	t.place(t.lastStep(), c)
	return c
}

func (t *threadBuilder) pairing(id string) *pairing {
	p := t.pairs[id]
	if p == nil {
		p = &pairing{}
		t.pairs[id] = p
	}
	return p
}

func (t *threadBuilder) place(s *Step, c *Call) {
	s.Calls = append(s.Calls, c)
	t.home[c] = s
}

func (t *threadBuilder) remove(c *Call) {
	s := t.home[c]
	s.Calls = slices.DeleteFunc(s.Calls, func(o *Call) bool { return o == c })
}

// samePayload tells whether two results have the same bytes. What can't be read is not the same.
func samePayload(a, b *Result) bool {
	if a.Payload.Size() != b.Payload.Size() {
		return false
	}
	x, err := a.Payload.SHA256()
	y, err2 := b.Payload.SHA256()
	return err == nil && err2 == nil && x == y
}
