package engine

import "fmt"

// heldUp names the step that is furthest outside the goal with the best value, its largest result, and what
// would help; empty where no single step is.
func (c *Corpus) heldUp(p *Policy, r *Recommendation) (string, error) {
	if r.Met {
		return "", nil
	}
	best := p
	if r.Best.Value >= 0 {
		var err error
		if best, err = p.SetNumber(r.Key, r.Best.Value); err != nil {
			return "", err
		}
	}
	d, err := c.Decide(best)
	if err != nil {
		return "", err
	}
	sizes, limit, what := d.stepInline, r.Goal.MaxStepTokens, "of results"
	if limit == 0 || r.Best.PeakStepTokens <= limit {
		sizes, limit, what = d.stepContext, r.Goal.MaxContextTokens, "of context"
	}
	if limit == 0 {
		return "", nil
	}
	worst := 0
	for i, q := range sizes {
		if q > sizes[worst] {
			worst = i
		}
	}
	if len(sizes) == 0 || inTokens(sizes[worst]) <= limit {
		return "", nil
	}
	s := c.StepAt(worst)
	text := fmt.Sprintf("%s, turn %d, step %d has %s tokens %s", s.File, s.Turn, s.Step, figure(inTokens(sizes[worst])), what)
	if what == "of context" {
		return text + ": clearing or summarising earlier turns would help, a limit for results does not reach it", nil
	}
	largest := s.First
	for i := s.First; i < s.First+s.Count; i++ {
		if d.inline[i] > d.inline[largest] {
			largest = i
		}
	}
	text += fmt.Sprintf(", the largest from %s: %s tokens, %s", c.facts[largest].tool, figure(d.InlineTokens(largest)), d.Verdict(largest))
	switch {
	case d.Verdict(largest) == Inline && best.Structured.Only && c.facts[largest].structure(best.Structured.MaxStringShare) != IsStructured:
		return text + "; " + shapeAdvice[c.facts[largest].structure(best.Structured.MaxStringShare)], nil
	case d.Verdict(largest) == Inline:
		return text + "; ask the tool for less: a filter, fewer fields, or a page", nil
	}
	return text + "; a smaller preview or schema, or fewer calls in one step, would help", nil
}
