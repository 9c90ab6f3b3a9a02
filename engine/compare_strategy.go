package engine

import (
	"cmp"
	"slices"
)

// ByStrategy orders policies by what they do with a result that is over a limit, in the order of
// Strategies; those of one strategy stay as they were.
func ByStrategy(policies []*Policy) []*Policy {
	sorted := slices.Clone(policies)
	slices.SortStableFunc(sorted, func(a, b *Policy) int {
		return cmp.Compare(slices.Index(Strategies, a.InEffect()), slices.Index(Strategies, b.InEffect()))
	})
	return sorted
}

// InEffect is p's strategy as things are: KeepAll where it is switched off, or has no limit that could
// make it act.
func (p *Policy) InEffect() Strategy {
	l := p.Limits
	if !p.Enabled || l.PerResult == nil && l.Second == nil && l.Combined == nil && !p.History.Active() {
		return KeepAll
	}
	return p.Strategy
}
