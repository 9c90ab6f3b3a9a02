package engine

import "math"

// span proposes the ends of a sweep: for limits what the corpus holds, within what p allows.
func (c *Corpus) span(p *Policy, key string) (low, high float64, err error) {
	switch key {
	case "structured.max_string_share":
		return 0.05, 1, nil
	case "limits.hard_bytes":
		for i := range c.facts {
			high = max(high, float64(c.facts[i].original.Bytes))
		}
		return 1, max(high, 1), nil
	case PerResultKey, CombinedKey, SecondKey:
	default:
		return 0, 0, &PolicyError{Field: key, Reason: "is not a number that can be swept",
			Hint: "limits.per_result, limits.second, limits.combined, limits.hard_bytes, structured.max_string_share, or a field that the facts are measured for"}
	}
	n, err := c.setting(p)
	if err != nil {
		return 0, 0, err
	}
	tokens := c.columns[n].measures()
	for i := range c.steps {
		s, sum := &c.steps[i], int64(0)
		for f := s.first; f < s.first+s.count; f++ {
			switch key {
			case PerResultKey:
				high = max(high, inTokens(tokens[f]))
			case SecondKey:
				high = max(high, inTokens(c.columns[n].second[f]))
			}
			sum += tokens[f]
		}
		if key == CombinedKey {
			high = max(high, inTokens(sum))
		}
	}
	low, high = 100, max(math.Ceil(high), 1000)
	if own := p.Limits.Second; key == SecondKey && own != nil {
		low, high = min(low, *own), max(high, *own)
	}
	if own := p.Limits.PerResult; key == PerResultKey && own != nil {
		high = max(high, *own)
	}
	for _, o := range p.Overrides { // the narrowest room that any of them leaves
		if limit := o.Combined.Limit; key == PerResultKey && limit != nil {
			high = min(high, *limit)
		}
		if limit := o.PerResult.Limit; key == CombinedKey && limit != nil {
			low = max(low, *limit)
		}
	}
	if limit := p.Limits.Combined; key == PerResultKey && limit != nil {
		high = min(high, *limit)
	}
	if limit := p.Limits.PerResult; key == CombinedKey && limit != nil {
		low = max(low, *limit)
	}
	return min(low, high), max(low, high), nil
}

// openEnds puts an end of the span in the place of one that is NaN, and an eighth or the fourfold of the other
// end where that lies outside the span.
func openEnds(low, high, least, most float64) (from, to float64) {
	from, to = low, high
	if math.IsNaN(low) {
		from = least
	}
	if math.IsNaN(high) {
		to = most
	}
	switch {
	case to > from || math.IsNaN(low) == math.IsNaN(high):
	case math.IsNaN(high):
		to = from * 4
	default:
		from = to / 8
	}
	return from, to
}
