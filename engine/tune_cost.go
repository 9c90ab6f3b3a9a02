package engine

// A BreakEven is how many inspections of offloaded payloats would cost as much as offloading saves. A
// recording does not hold the steps that an offload would have brought, so that this is a limit, and no
// estimate of what happens.
type BreakEven struct {
	Offloads int // results that are kept as variables
	// Saved is what the model reads less, over all steps of the recordings, since these are packages.
	Saved float64
	// Step is what one more step would read besides the inspection's own result: the context at the step
	// after each offload, on the average.
	Step float64
	// Later is how many later steps of the recordings read what an inspection brings, on the average.
	Later float64
}

// BreakEven works out what offloading saves, for Inspections.
func (c *Corpus) BreakEven(d *Decisions) (*BreakEven, error) {
	n, err := c.setting(d.Policy)
	if err != nil {
		return nil, err
	}
	reads := c.prepare(n).reads
	b := &BreakEven{}
	if d.Policy.History.Active() { // what is offloaded may go later, too
		return b, nil
	}
	saved, context, later := int64(0), int64(0), int64(0)
	for i, at := range d.verdicts {
		if at != offloadedAt || c.copied(&c.facts[i]) {
			continue
		}
		b.Offloads++
		step := int(c.facts[i].step)
		saved += (c.columns[n].stay[i] - d.inline[i]) * int64(reads[step])
		later += int64(reads[step])
		if reads[step] > 0 {
			context += d.stepContext[step+1]
		} else {
			context += d.stepContext[step] + c.columns[n].after[step] + d.stepInline[step]
		}
	}
	if b.Offloads > 0 {
		b.Saved = inTokens(saved)
		b.Step = inTokens(context) / float64(b.Offloads)
		b.Later = float64(later) / float64(b.Offloads)
	}
	return b, nil
}

// Inspections is how many inspections of an offload, each of which brings a result of so many tokens, cost
// as much as offloading saves: more cost more. It is 0 where nothing is saved.
func (b *BreakEven) Inspections(tokens float64) float64 {
	if b.Offloads == 0 || b.Saved <= 0 {
		return 0
	}
	return b.Saved / float64(b.Offloads) / (b.Step + tokens*b.Later)
}
