package engine

import (
	"context"
	"slices"

	"floodmark/history"
)

// combined makes a batch that is over the combined limit smaller, by the policy's rule.
func (r *Replayer) combined(ctx context.Context, p *Policy, t *history.Thread, items []*item) error {
	l := p.LimitsFor(role(t), t.Agent, "")
	if l.Combined == nil || !p.Enabled || l.CombinedRule == EqualShare {
		return nil
	}
	limit := *l.Combined
	sum := 0.0
	for _, it := range items {
		sum += it.now
	}
	over := func(it *item, why string) error {
		it.settled = true
		it.check(Check{Check: "combined", Observed: sum, Limit: limit, Unit: string(l.CombinedUnit), Result: "over", Detail: why})
		return r.replaceBy(ctx, p, it, p.wayOf(it.Call))
	}
	var err error
	switch l.CombinedRule {
	case ReplaceAll, FairShare:
		if p.over(sum, limit) {
			err = replaceSome(l, items, over)
		}
		sum = 0
		for _, it := range items {
			sum += it.now
		}
	default:
		sum, err = r.replaceLargest(p, limit, sum, items, func(it *item, now float64) error {
			sum = now
			return over(it, "the largest of the batch that was still inline")
		})
	}
	if err != nil {
		return err
	}
	for _, it := range items {
		if it.m != nil && !it.hasCheck("combined") {
			it.check(Check{Check: "combined", Observed: sum, Limit: limit, Unit: string(l.CombinedUnit), Result: overUnder(p.over(sum, limit))})
		}
	}
	return nil
}

// replaceLargest replaces the largest results while what the batch puts into the context is over the
// limit. Of equal sizes the call made first goes first.
func (r *Replayer) replaceLargest(p *Policy, limit, sum float64, items []*item, replace func(it *item, sum float64) error) (float64, error) {
	for p.over(sum, limit) {
		var largest *item
		for _, it := range items {
			if !it.settled && (largest == nil || it.amount > largest.amount) {
				largest = it
			}
		}
		if largest == nil {
			break
		}
		if err := replace(largest, sum); err != nil {
			return 0, err
		}
		sum -= max(0, largest.amount-largest.now)
	}
	return sum, nil
}

// replaceSome replaces all that may be replaced, or by fair shares what is larger than its share.
func replaceSome(l Limits, items []*item, replace func(*item, string) error) error {
	level, why := 0.0, "the whole batch is replaced"
	if l.CombinedRule == FairShare {
		level, why = fairLevel(l, items), "larger than its share of the batch"
	}
	for _, it := range items {
		if it.settled || it.m == nil || it.amount <= level {
			continue
		}
		it.level = level
		if err := replace(it, why); err != nil {
			return err
		}
	}
	return nil
}

// fairLevel is the most that each result may have, so that what all have reaches the limit: those that
// need less leave the rest to the others.
func fairLevel(l Limits, items []*item) float64 {
	amounts := make([]float64, len(items))
	for i, it := range items {
		amounts[i] = it.now
	}
	slices.Sort(amounts)
	left := *l.Combined
	for i, amount := range amounts {
		share := left / float64(len(amounts)-i)
		if amount > share {
			return max(share, l.CombinedLeast)
		}
		left -= amount
	}
	return *l.Combined
}
