package engine

import (
	"cmp"
	"context"
	"slices"

	"floodmark/history"
)

// A StepSize is how the context grows at one step. All figures are tokens by the policy's estimator.
type StepSize struct {
	Thread *history.Thread
	Turn   int
	Step   int
	Calls  []*Outcome // of this step, in call order
	// Original and Inline are the batch's results before and after the policy.
	Original, Inline float64
	// Model is the estimate of all that the model reads to make this step's response: system
	// prompt, messages, calls and results of all earlier steps of the thread, as they entered.
	// ModelOriginal is the same had every result entered as it was.
	Model, ModelOriginal float64
	// After is what the context holds once the step is over: with its own text, calls and results.
	After, AfterOriginal float64
}

// Totals are sums over a run, in tokens of the policy's estimator where not said otherwise.
type Totals struct {
	Results     int // calls with a result, orphans included
	Verdicts    map[Verdict]int
	Original    Measure
	Inline      Measure
	Model       float64 // StepSize.Model over all steps but those that were copied
	Reported    *history.Usage
	PeakStep    float64 // the largest StepSize.Inline
	PeakContext float64 // the largest StepSize.Model
	NoResult    int
	Copied      int            // calls that another conversation of the same folder counts; they are in no other figure
	Warnings    map[string]int // by code
}

// Add adds the totals of another run (of another conversation under the same policy) to t.
func (t *Totals) Add(u Totals) {
	if t.Verdicts == nil {
		t.Verdicts, t.Warnings = map[Verdict]int{}, map[string]int{}
	}
	t.Results += u.Results
	t.NoResult += u.NoResult
	t.Copied += u.Copied
	for v, n := range u.Verdicts {
		t.Verdicts[v] += n
	}
	for code, n := range u.Warnings {
		t.Warnings[code] += n
	}
	t.Original = t.Original.plus(u.Original)
	t.Inline = t.Inline.plus(u.Inline)
	t.Model += u.Model
	t.PeakStep = max(t.PeakStep, u.PeakStep)
	t.PeakContext = max(t.PeakContext, u.PeakContext)
	t.Reported = t.Reported.Add(u.Reported)
}

func (m Measure) plus(n Measure) Measure { return Measure{m.Bytes + n.Bytes, m.Tokens + n.Tokens} }

// total sums up a run over batches.
func total(c *history.Conversation, batches []batch, run *Run) Totals {
	var t Totals
	t.Add(Totals{Reported: c.Usage})
	for _, o := range run.Outcomes {
		if o.Call.Flags.Has(history.CountedElsewhere) {
			t.Copied++
			continue
		}
		for _, w := range o.Warnings {
			t.Warnings[w.Code]++
		}
		if o.Verdict == "" {
			t.NoResult++
			continue
		}
		t.Results++
		t.Verdicts[o.Verdict]++
		t.Original = t.Original.plus(o.Original)
		t.Inline = t.Inline.plus(o.Inline)
	}
	for i, b := range batches {
		s := &run.Steps[i]
		if !b.step.Copied {
			t.Model += s.Model
		}
		t.PeakStep = max(t.PeakStep, s.Inline)
		t.PeakContext = max(t.PeakContext, s.Model)
	}
	return t
}

// context fills in how the context grows, thread by thread: aggregates never cross threads, since
// the parent sees only a subagent's final text.
func (r *Replayer) context(ctx context.Context, p *Policy, steps []StepSize) error {
	var c contextSum
	i := 0
	for _, thread := range r.conv.Threads {
		old, stepsSoFar := clearer{r: r, p: p, larger: map[*Outcome]bool{}}, 0
		c = contextSum{ctx: ctx, r: r, e: p.Estimator}
		c.add(thread.System)
		system := c.now
		fresh := false // only prompts came since the history was replaced
		for number, turn := range thread.Turns {
			if turn.Compacted {
				old.results = nil
				c.now, c.original, fresh = system, system, true
			}
			c.add(turn.Prompt)
			for _, step := range turn.Steps {
				s := &steps[i]
				i++
				if step.Compacted {
					if !fresh {
						old.results = nil
						c.now, c.original = system, system
					}
					c.add(step.Summary)
				}
				fresh = false
				cleared, err := old.before(number, stepsSoFar, s, c.now)
				if err != nil {
					return err
				}
				c.now -= cleared
				s.Model, s.ModelOriginal = c.now, c.original
				c.add(step.Text)
				for _, o := range s.Calls {
					c.add(o.Call.Arguments)
					s.Original += o.Original.Tokens
					s.Inline += o.Inline.Tokens
					old.add(o, number, stepsSoFar)
					if o.Instructions != nil {
						c.text(o.Instructions.Text)
					}
				}
				c.now += s.Inline
				c.original += s.Original
				stepsSoFar++
				s.After, s.AfterOriginal = c.now, c.original
			}
		}
	}
	return c.err
}

type contextSum struct {
	ctx           context.Context // ends counting
	r             *Replayer
	e             Estimator
	now, original float64
	err           error
}

func (c *contextSum) add(p history.Payload) {
	t, err := c.r.cache.tokens(c.ctx, c.e, p)
	c.counted(t, err)
}

func (c *contextSum) text(s string) { c.counted(c.e.OfContext(c.ctx, []byte(s))) }

func (c *contextSum) counted(tokens float64, err error) {
	if err != nil && c.err == nil {
		c.err = err
	}
	c.now += tokens
	c.original += tokens
}

func sortOutcomes(o []*Outcome) {
	slices.SortStableFunc(o, func(a, b *Outcome) int { return cmp.Compare(a.Call.Order, b.Call.Order) })
}

// inOrder hands outcomes on in call order, though batches end in thread order.
type inOrder struct {
	each    func(*Outcome) error
	order   []*history.Call
	waiting map[*history.Call]*Outcome
}

func newInOrder(c *history.Conversation, each func(*Outcome) error) *inOrder {
	if each == nil {
		return &inOrder{}
	}
	return &inOrder{each: each, order: c.Calls(), waiting: map[*history.Call]*Outcome{}}
}

func (n *inOrder) done(outcomes []*Outcome) error {
	if n.each == nil {
		return nil
	}
	for _, o := range outcomes {
		n.waiting[o.Call] = o
	}
	for len(n.order) > 0 {
		o, ok := n.waiting[n.order[0]]
		if !ok {
			return nil
		}
		delete(n.waiting, n.order[0])
		n.order = n.order[1:]
		if err := n.each(o); err != nil {
			return err
		}
	}
	return nil
}
