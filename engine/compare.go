package engine

import (
	"context"
	"fmt"
	"slices"

	"floodmark/history"
)

// A Sight is what one policy leaves of one result. Seen, Retrievable and Gone divide the payload's
// bytes: each byte is one of the three.
type Sight struct {
	Verdict  Verdict
	Original Measure // tokens by the policy's own estimator
	Inline   Measure
	// Cleared says from which step on the result is gone from the context again; nil where it stays.
	Cleared *Clearing
	// Notice says that nothing of the payload entered, only words on it: what a policy does that warns in
	// place of a result. The verdict is then PreviewOnly; Rejected enters with nothing at all.
	Notice bool
	Seen   int64 // stand in what entered and stays, instructions included
	// Retrievable are not seen, and can be read back from where the policy keeps the payload.
	Retrievable int64
	Gone        int64 // neither: lost for good
}

// A ComparedResult is one result under each of the policies.
type ComparedResult struct {
	Call   *history.Call
	Thread *history.Thread
	Turn   int
	Step   int
	Index  int
	Batch  int
	Sights []Sight // one for each policy, in their order
}

// CountedElsewhere tells whether another conversation of the same folder counts the result.
func (c *ComparedResult) CountedElsewhere() bool { return c.Call.Flags.Has(history.CountedElsewhere) }

// Differs tells whether the policies disagree on the verdict, or on whether the result goes later.
func (c *ComparedResult) Differs() bool {
	first := c.Sights[0]
	return slices.ContainsFunc(c.Sights, func(s Sight) bool {
		return s.Verdict != first.Verdict || (s.Cleared == nil) != (first.Cleared == nil)
	})
}

// A ComparedPolicy is what a policy makes of all results. Bytes are summed as in Sight.
type ComparedPolicy struct {
	Policy                  *Policy
	Totals                  Totals
	Seen, Retrievable, Gone int64
	// Cleared counts the results that entered and went later; ClearedBytes are those of their payloads that
	// are not seen since, ClearedGone those of these that can't be read back.
	Cleared                   int
	ClearedBytes, ClearedGone int64
}

// Add adds what the same policy made of another conversation.
func (c *ComparedPolicy) Add(d ComparedPolicy) {
	c.Totals.Add(d.Totals)
	c.Seen += d.Seen
	c.Retrievable += d.Retrievable
	c.Gone += d.Gone
	c.Cleared += d.Cleared
	c.ClearedBytes += d.ClearedBytes
	c.ClearedGone += d.ClearedGone
}

// A Comparison is a conversation under several policies.
type Comparison struct {
	Conversation *history.Conversation
	Results      []ComparedResult // calls with a result, in call order
	Policies     []ComparedPolicy // in the order that was asked for
	Recorded     Recorded
}

// Compare runs each of the policies over the conversation. Payloads are measured once for all of
// them; of what enters in their place only the sizes are kept. Of o, Fault and Progress are used,
// Progress over all policies. An error is as of Run.
func (r *Replayer) Compare(ctx context.Context, policies []*Policy, o RunOptions) (*Comparison, error) {
	c := &Comparison{Conversation: r.conv, Policies: make([]ComparedPolicy, len(policies)), Recorded: recordedStrategies(r.conv)}
	for done, i := range measuringOrder(policies) {
		own := RunOptions{Fault: o.Fault, SkipExact: true}
		if o.Progress != nil {
			own.Progress = func(step, steps int) { o.Progress(done*steps+step, len(policies)*steps) }
		}
		run, err := r.Run(ctx, policies[i], own)
		if err != nil {
			return nil, fmt.Errorf("under %s: %w", policies[i].Name, err)
		}
		if err := c.take(r, run, i, o.Fault); err != nil {
			return nil, err
		}
		clear(r.cache.packages) // another policy's are other ones, and they may be large
	}
	r.cache.release()
	return c, nil
}

// measuringOrder puts the policies that look for instructions first: what they measured of a payload
// without any holds for the others.
func measuringOrder(policies []*Policy) []int {
	order := make([]int, len(policies))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := policies[a].instructionsKey() != "", policies[b].instructionsKey() != ""
		switch {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return order
}

// take takes in a run of policy i.
func (c *Comparison) take(r *Replayer, run *Run, i int, f Fault) error {
	p := &c.Policies[i]
	p.Policy, p.Totals = run.Policy, run.Totals
	first := c.Results == nil
	k := 0
	for _, o := range run.Outcomes {
		if o.Verdict == "" {
			continue
		}
		if first {
			c.Results = append(c.Results, ComparedResult{Call: o.Call, Thread: o.Thread, Turn: o.Turn, Step: o.Step,
				Index: o.Index, Batch: o.Batch, Sights: make([]Sight, len(c.Policies))})
		}
		s, err := r.sight(run.Policy, o, f)
		if err != nil {
			return err
		}
		c.Results[k].Sights[i] = s
		k++
		if c.Results[k-1].CountedElsewhere() {
			continue
		}
		p.Seen += s.Seen
		p.Retrievable += s.Retrievable
		p.Gone += s.Gone
		if s.Cleared != nil {
			p.Cleared++
			p.ClearedBytes += s.Original.Bytes - s.Seen
			p.ClearedGone += s.Gone
		}
	}
	return nil
}

// sight divides o's payload into what is seen, kept and gone.
func (r *Replayer) sight(p *Policy, o *Outcome, f Fault) (Sight, error) {
	s := Sight{Verdict: o.Verdict, Original: o.Original, Inline: o.Inline, Cleared: o.Cleared,
		Notice: o.Verdict == PreviewOnly && p.InEffect() == Reject}
	all := o.Original.Bytes
	var err error
	switch {
	case o.Cleared != nil:
		s.Seen, err = r.stays(p, o)
	case o.Verdict == Inline:
		s.Seen = all
	case o.Package != nil && o.Package.Preview != nil:
		s.Seen, err = r.shown(p, o)
		s.Seen = min(s.Seen+all-o.Facts.Size.Bytes, all)
	}
	readable := f != ReadFails && f != Expired
	if readable && (o.Verdict == Offloaded || o.Cleared != nil && p.History.Kept) {
		s.Retrievable = all - s.Seen
	} else {
		s.Gone = all - s.Seen
	}
	return s, err
}

// stays is how many bytes of a cleared result stand in what took its place.
func (r *Replayer) stays(p *Policy, o *Outcome) (int64, error) {
	if p.History.HeadChars+p.History.TailChars == 0 {
		return 0, nil
	}
	payload, err := r.Payload(p, o)
	return inCommon(payload, o.Cleared.Text), err
}

// shown is how many bytes of what o's rules measured stand in its preview. Of a preview of records it
// is the size of the JSON, which leaves out white space and never adds anything; of any other what it
// has in common with the payload's beginning and end.
func (r *Replayer) shown(p *Policy, o *Outcome) (int64, error) {
	v, size := o.Package.Preview, o.Facts.Size.Bytes
	switch {
	case o.Package.stays != nil:
		return min(o.Package.shown, size), nil
	case v.Whole:
		return size, nil
	case v.JSON != nil:
		return min(int64(len(v.JSON)), size), nil
	}
	payload, err := r.Payload(p, o)
	if err != nil {
		return 0, err
	}
	return shownOf(v, payload), nil
}

// shownOf is how many bytes of payload stand in its preview.
func shownOf(v *Preview, payload []byte) int64 {
	switch {
	case v.Whole:
		return int64(len(payload))
	case v.JSON != nil:
		return int64(min(len(v.JSON), len(payload)))
	}
	return inCommon(payload, v.Text)
}

// inCommon is how many bytes a payload and a text have in common at their beginning and end.
func inCommon(payload []byte, text string) int64 {
	head := commonStart(payload, text)
	return int64(head + commonEnd(payload[head:], text[head:]))
}

func commonStart(a []byte, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonEnd(a []byte, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// Outcome is what p makes of one call of the conversation, as in a Run: the batch that the call is in
// is decided alone. nil where c is no call of it. Of o, Fault is used.
func (r *Replayer) Outcome(ctx context.Context, p *Policy, c *history.Call, o RunOptions) (*Outcome, error) {
	for _, b := range r.batches() {
		if !slices.Contains(b.step.Calls, c) {
			continue
		}
		outcomes, err := r.batch(ctx, p, b, RunOptions{Fault: o.Fault, SkipExact: true})
		if err != nil {
			return nil, err
		}
		return outcomes[slices.Index(b.step.Calls, c)], nil
	}
	return nil, nil
}
