package engine

import "slices"

// Sizes lists the sizes of the results that an override would select (its thresholds do not count; one
// that selects nothing is all), in tokens that the rules measure, ascending: what p can offload by its
// structure, and what it can't, apart. Unread results count by their original size, as plain. Error:
// *PolicyError where the corpus was measured for other settings.
func (c *Corpus) Sizes(p *Policy, of Override) (structured, plain []float64, err error) {
	n, err := c.setting(p)
	if err != nil {
		return nil, nil, err
	}
	for i := range c.facts {
		f := &c.facts[i]
		t := &c.threads[c.steps[f.step].thread]
		if !of.matches(t.role, t.agent, f.tool) {
			continue
		}
		switch {
		case f.unread:
			plain = append(plain, inTokens(c.columns[n].original[i]))
		case f.structure(p.Structured.MaxStringShare) == IsStructured:
			structured = append(structured, inTokens(c.columns[n].tokens[i]))
		default:
			plain = append(plain, inTokens(c.columns[n].tokens[i]))
		}
	}
	slices.Sort(structured)
	slices.Sort(plain)
	return structured, plain, nil
}
