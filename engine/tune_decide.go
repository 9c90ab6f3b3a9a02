package engine

import (
	"math"
	"slices"
)

// Decisions are what a policy makes of a corpus, result by result.
type Decisions struct {
	Policy *Policy
	Point  Point // the totals; Value and StepsOver are 0
	// Original is what the results had as they arrived, and ModelOriginal what the model would have
	// read at all steps had all of it entered. That is counted from the payloads, whose parts have no
	// joiners: a replay with the policy switched off reads the joiners, too, that a policy writes between
	// the parts of one result. On a corpus with such results it is larger by these, once for each later step.
	OriginalTokens, ModelOriginal float64

	verdicts                []uint8
	inline                  []int64 // quarters
	stepInline, stepContext []int64
	steps                   []stepFact
}

// Decide decides about every result: the same as Replayer.Run with a store that works (see Under).
// Error: *PolicyError that names the field of which the facts know too little.
func (c *Corpus) Decide(p *Policy) (*Decisions, error) {
	r, err := c.ruling(p)
	if err != nil {
		return nil, err
	}
	d := &Decisions{Policy: p, verdicts: make([]uint8, len(c.facts)), stepInline: make([]int64, len(c.steps)), stepContext: make([]int64, len(c.steps)), steps: c.steps}
	if r.quick() {
		d.inline = slices.Clone(r.column.stay) // what stays; the others are dealt with
	} else {
		d.inline = make([]int64, len(c.facts))
	}
	if c.Replayed() && !(!p.Enabled && !p.History.Active()) {
		d.recall(c, r.n)
		return d, nil
	}
	if err := r.decide(d); err != nil {
		return nil, err
	}
	return d, nil
}

// quick tells whether steps that are over no limit need no look at their results.
func (r *ruling) quick() bool {
	prepared := r.c.prepare(r.n)
	return r.p.Enabled && prepared.largest <= r.hard && !prepared.unread
}

func (r *ruling) decide(d *Decisions) error {
	c, col := r.c, r.column
	prepared := c.prepare(r.n)
	sums := prepared.orders[r.n].step
	quick := r.quick()
	perResult, second := slices.Min(append(r.perResult, without)), slices.Min(append(r.second, without))
	var h hand
	var replaced []bool
	var context, contextOriginal, model, modelOriginal, inline, original, peakStep, peakContext int64
	for i := range c.steps {
		s := &c.steps[i]
		if s.reset {
			context, contextOriginal = 0, 0
		}
		context += col.before[i]
		contextOriginal += col.before[i]
		if !s.copied {
			model += context
			modelOriginal += contextOriginal
		}
		peakContext = max(peakContext, context)
		d.stepContext[i] = context
		step, taken := int64(0), int64(0)
		if t := &sums[i]; quick {
			alone, ok := stepOutcome{enters: t.stay, visible: prepared.stepBytes[i]}, t.tokens <= r.combined[s.thread]
			if t.most > perResult || t.second > second {
				var err error
				if alone, ok, err = r.alone(d, s, t, prepared); err != nil {
					return err
				}
				alone.visible += prepared.stepBytes[i]
			}
			if ok {
				d.stepInline[i] = alone.enters
				if !s.copied {
					inline += alone.enters
					original += t.original
					d.Point.Verdicts[inlineAt] += int(s.count)
					d.Point.VisibleBytes += alone.visible
					for f := s.first; f < s.first+s.count && alone.replaced > 0; f++ {
						d.Point.Verdicts[inlineAt]--
						d.Point.Verdicts[d.verdicts[f]]++
					}
				}
				peakStep = max(peakStep, alone.enters)
				context += col.after[i] + t.taken + alone.enters
				contextOriginal += col.after[i] + t.taken + t.original
				continue
			}
		}
		if r.p.Enabled {
			if err := r.deal(&h, s, prepared); err != nil {
				return err
			}
			replaced = append(replaced[:0], make([]bool, len(h.fact))...)
			h.play(replaced, r.combined[s.thread])
			step, taken = d.deal(&h, replaced), h.taken
			if h.rejected > 0 {
				d.reject(c, s, r.hard)
			}
		} else {
			for f := s.first; f < s.first+s.count; f++ {
				if c.facts[f].unread {
					return r.unread()
				}
				d.inline[f] = col.whole[f]
				step += col.whole[f]
			}
		}
		brought := int64(0)
		for f := s.first; f < s.first+s.count; f++ {
			if d.verdicts[f] != rejectedAt || !r.p.Estimator.Exact() {
				brought += col.original[f] // a real tokenizer does not read what is rejected
			}
		}
		d.stepInline[i] = step
		if !s.copied {
			inline += step
			original += brought
			d.count(c, s)
		}
		peakStep = max(peakStep, step)
		context += col.after[i] + taken + step
		contextOriginal += col.after[i] + taken + brought
	}
	d.OriginalTokens, d.ModelOriginal = inTokens(original), inTokens(modelOriginal)
	d.Point.InlineTokens, d.Point.ModelTokens = inTokens(inline), inTokens(model)
	d.Point.PeakStepTokens, d.Point.PeakContextTokens = inTokens(peakStep), inTokens(peakContext)
	return nil
}

// A stepOutcome is what became of a step's results: quarters that enter, bytes that stay visible or are hidden, and
// how many were replaced.
type stepOutcome struct {
	enters, visible int64
	replaced        int
}

// alone replaces what is over its own limit, and looks at no other result. It tells false, and leaves everything
// as it was, where the batch is then over the combined limit.
func (r *ruling) alone(d *Decisions, s *stepFact, t *stepSums, prepared *preparation) (o stepOutcome, ok bool, err error) {
	col := r.column
	measures := col.measures()
	o.enters = t.stay
	sum := t.tokens
	for f := s.first; f < s.first+s.count; f++ {
		group := prepared.group[f]
		if measures[f] <= r.perResult[group] && col.second[f] <= r.second[group] {
			continue
		}
		at, in, err := r.replacement(f, group)
		if err != nil {
			return o, false, err
		}
		if at == inlineAt {
			continue
		}
		d.verdicts[f], d.inline[f] = at, in
		sum += in - measures[f]
		o.enters += in - col.stay[f]
		o.visible -= r.c.facts[f].size.Bytes
		o.replaced++
	}
	if sum <= r.combined[s.thread] {
		return o, true, nil
	}
	for f := s.first; f < s.first+s.count; f++ {
		d.verdicts[f], d.inline[f] = inlineAt, col.stay[f]
	}
	return o, false, nil
}

// deal writes down what became of a hand, and returns what it brought into the context.
func (d *Decisions) deal(h *hand, replaced []bool) int64 {
	sum := int64(0)
	for j, f := range h.fact {
		d.inline[f] = h.enters(j, replaced[j])
		sum += d.inline[f]
		if replaced[j] {
			d.verdicts[f] = h.at[j]
		}
	}
	return sum
}

func (d *Decisions) reject(c *Corpus, s *stepFact, hard int64) {
	for f := s.first; f < s.first+s.count; f++ {
		if c.facts[f].original.Bytes > hard {
			d.verdicts[f] = rejectedAt
		}
	}
}

// count adds the results of a step to the totals.
func (d *Decisions) count(c *Corpus, s *stepFact) {
	for f := s.first; f < s.first+s.count; f++ {
		d.Point.Verdicts[d.verdicts[f]]++
		switch {
		case d.verdicts[f] != inlineAt:
		case d.Policy.Enabled:
			d.Point.VisibleBytes += c.facts[f].size.Bytes
		default:
			d.Point.VisibleBytes += c.facts[f].original.Bytes
		}
	}
}

// Verdict is result i's.
func (d *Decisions) Verdict(i int) Verdict { return Verdicts[d.verdicts[i]] }

// InlineTokens is what entered the context for result i.
func (d *Decisions) InlineTokens(i int) float64 { return inTokens(d.inline[i]) }

// StepTokens is what the results of step i brought into the context, as StepSize.Inline.
func (d *Decisions) StepTokens(i int) float64 { return inTokens(d.stepInline[i]) }

// ContextTokens is what the model read at step i, as StepSize.Model.
func (d *Decisions) ContextTokens(i int) float64 { return inTokens(d.stepContext[i]) }

// StepsOver lists the steps, those counted elsewhere left out, whose results brought more than limit tokens, in corpus order.
func (d *Decisions) StepsOver(limit float64) []int {
	var over []int
	most := int64(math.Floor(min(limit, math.MaxInt64/8) * quartersPerToken))
	for i, q := range d.stepInline {
		if q > most && !d.steps[i].copied {
			over = append(over, i)
		}
	}
	return over
}

// A Flip is a result, not counted elsewhere, whose verdict differs between two decisions.
type Flip struct {
	Fact          int
	From, To      Verdict
	Before, After float64 // inline tokens
}

// Flips lists the results on which two decisions about the same corpus differ in verdict, in corpus order.
func Flips(a, b *Decisions) []Flip {
	n := 0
	for i, v := range a.verdicts {
		if v != b.verdicts[i] {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	flips := make([]Flip, 0, n)
	for k := range a.steps {
		s := &a.steps[k]
		if string(a.verdicts[s.first:s.first+s.count]) == string(b.verdicts[s.first:s.first+s.count]) {
			continue
		}
		for i := int(s.first); i < int(s.first+s.count) && !s.copied; i++ {
			if a.verdicts[i] != b.verdicts[i] {
				flips = append(flips, Flip{i, a.Verdict(i), b.Verdict(i), a.InlineTokens(i), b.InlineTokens(i)})
			}
		}
	}
	return flips
}
