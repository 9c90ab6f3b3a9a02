package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// A Recommendation is the best value of a field for a goal, and how far to trust it.
type Recommendation struct {
	Key  string
	Goal Goal
	// Met is false where no value keeps within the goal's limits: Best is the nearest to them.
	Met  bool
	Best Point // with the value
	Now  Point // with the policy as it is
	// Knee is where replacing more results stops paying as well as before. With the results that do not
	// enter whole on one axis and the tokens that this saves on the other, each as a share of the
	// largest, it is the point with the largest difference of the two: Kneedle without smoothing
	// (V. Satopää, J. Albrecht, D. Irwin, B. Raghavan: Finding a "Kneedle" in a Haystack, 2011). Value
	// is -1 where the curve has no knee.
	Knee   Point
	Near   int    // results whose size is within 5 % of the value
	HeldUp string // the step that no value brings within the goal, and what would help; empty where Met
	Thin   string // why this is little to go by, one sentence; empty where it is enough
	Why    string // one sentence with the numbers
	WhatIf bool   // the vendor's limits can't be changed
}

const (
	// nearValue is how far from a recommended value, as a share of it, a result's size is near.
	nearValue = 0.05
	// enoughResults is the number of results that can be replaced below which a recommendation is called
	// thin. It is ours: with thirty, one more result moves a share by 3 %.
	enoughResults = 30
)

// Recommend finds the value of a limit that serves the goal best: of "limits.per_result" and "limits.combined"
// among all that make a difference, of "limits.second" among fifty, and of any limit of a replayed corpus,
// "history.over" too, among those that were replayed. Where many values come to the same it is the policy's own, if that is one of
// them, else the roundest. Error: ctx's, or *PolicyError.
func (c *Corpus) Recommend(ctx context.Context, p *Policy, key string, g Goal) (*Recommendation, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{PerResultKey, CombinedKey, SecondKey, HistoryKey}, key) {
		return nil, &PolicyError{Field: key, Reason: "has no recommendation; limits.per_result, limits.second, limits.combined and history.over have"}
	}
	d, err := c.Decide(p)
	if err != nil {
		return nil, err
	}
	if c.Replayed() || key != PerResultKey && key != CombinedKey {
		return c.recommendOf(ctx, p, d, key, g)
	}
	limits, ceiling, err := c.distinct(p, key)
	if err != nil {
		return nil, err
	}
	low, high := p.limitOf(limits[0]), p.limitOf(limits[len(limits)-1])
	points, err := c.sweepLimits(ctx, p, key, low, high, limits, SweepOptions{StepTokens: g.MaxStepTokens})
	if err != nil {
		return nil, err
	}
	best := 0
	for i := range points {
		points[i].Value = p.limitOf(limits[i])
		if i > 0 && g.better(&points[i], &points[best]) {
			best = i
		}
	}
	r := &Recommendation{Key: key, Goal: g, Met: g.excess(&points[best]) == 0, Best: points[best], Now: d.Point, Knee: knee(points), WhatIf: p.fixed()}
	r.now(p, d)
	end := ceiling
	if best+1 < len(points) {
		end = points[best+1].Value
	}
	r.Best.Value = agreeable(r.Best.Value, end, best+1 == len(points), r.Now.Value)
	r.preferNow()
	if err := c.trust(p, r); err != nil {
		return nil, err
	}
	r.Why = r.why()
	r.HeldUp, err = c.heldUp(p, r)
	return r, err
}

// now fills in what the policy's own value comes to.
func (r *Recommendation) now(p *Policy, d *Decisions) {
	if own := p.limit(r.Key); own != nil {
		r.Now.Value = *own
	} else {
		r.Now.Value = -1
	}
	if r.Goal.MaxStepTokens > 0 {
		r.Now.StepsOver = len(d.StepsOver(r.Goal.MaxStepTokens))
	}
}

// preferNow keeps the policy's own value where no other serves the goal better: what serves it as well is no
// reason to change anything.
func (r *Recommendation) preferNow() {
	now := r.Now
	if now.Value < 0 {
		return
	}
	now.Value = r.Best.Value
	if !r.Goal.better(&r.Best, &now) {
		r.Best = r.Now
	}
}

// limit is p's own value of a limit; nil without.
func (p *Policy) limit(key string) *float64 {
	switch key {
	case PerResultKey:
		return p.Limits.PerResult
	case SecondKey:
		return p.Limits.Second
	case HistoryKey:
		return p.History.Over
	}
	return p.Limits.Combined
}

// fixed tells whether nobody can change p's limits at the vendor's.
func (p *Policy) fixed() bool { return p.Fixed }

// distinct lists the limits (the most quarters that is not over) at which something can change,
// ascending and never empty, and the highest value that p can have.
func (c *Corpus) distinct(p *Policy, key string) (limits []int64, ceiling float64, err error) {
	n, err := c.setting(p)
	if err != nil {
		return nil, 0, err
	}
	zero := 0.0
	floor, most := p.most(&zero), int64(without)
	ceiling = math.Inf(1)
	lower := func(limit *float64) {
		if limit != nil {
			ceiling, most = min(ceiling, *limit), min(most, p.most(limit))
		}
	}
	raise := func(limit *float64) {
		if limit != nil {
			floor = max(floor, p.most(limit))
		}
	}
	limits = append(limits, floor)
	if key == PerResultKey {
		lower(p.Limits.Combined)
		for _, o := range p.Overrides {
			lower(o.Combined.Limit)
		}
		limits = append(limits, c.columns[n].measures()...)
	} else {
		raise(p.Limits.PerResult)
		for _, o := range p.Overrides {
			raise(o.PerResult.Limit)
		}
		limits[0] = floor
		sums, err := c.sums(p)
		if err != nil {
			return nil, 0, err
		}
		limits = append(limits, sums...)
	}
	slices.Sort(limits)
	limits = slices.Compact(limits)
	from, _ := slices.BinarySearch(limits, floor)
	to, _ := slices.BinarySearch(limits, most)
	if to < len(limits) && limits[to] == most {
		to++
	}
	return limits[from:max(to, from+1)], ceiling, nil
}

// sums lists what the batches put into the context, as the combined limit sees it, while one result
// after the other is replaced.
func (c *Corpus) sums(p *Policy) ([]int64, error) {
	q := *p
	if q.Limits.Combined == nil {
		zero := 0.0
		q.Limits.Combined = &zero
	}
	r, err := c.ruling(&q)
	if err != nil {
		return nil, err
	}
	var h hand
	var sums []int64
	prepared := c.prepare(r.n)
	for i := range c.steps {
		s := &c.steps[i]
		if s.count == 0 {
			continue
		}
		if err := r.deal(&h, s, prepared); err != nil {
			return nil, err
		}
		sum := int64(0)
		for j, tokens := range h.tokens {
			if tokens > h.limit[j] {
				tokens = h.in[j]
			}
			sum += tokens
		}
		sums = append(sums, sum)
		for j, tokens := range h.tokens {
			if h.at[j] != inlineAt && tokens <= h.limit[j] && h.gain[j] > 0 {
				sum -= h.gain[j]
				sums = append(sums, sum)
			}
		}
	}
	return sums, nil
}

// knee finds the point with the largest difference between the share of the tokens saved and the share
// of the results replaced.
func knee(points []Point) Point {
	saved := func(p *Point) float64 { return p.InlineTokens }
	lowest, highest, most, least := math.Inf(1), 0.0, 0, math.MaxInt
	for i := range points {
		lowest, highest = min(lowest, saved(&points[i])), max(highest, saved(&points[i]))
		n := points[i].Verdicts.NotInline()
		most, least = max(most, n), min(least, n)
	}
	best, at := 0.0, Point{Value: -1}
	if highest == lowest || most == least {
		return at
	}
	for i := range points {
		p := &points[i]
		gain := (highest - p.InlineTokens) / (highest - lowest)
		price := float64(p.Verdicts.NotInline()-least) / float64(most-least)
		if gain-price > best {
			best, at = gain-price, *p
		}
	}
	return at
}

// agreeable picks of the values from low up to, not including, high one that a person would: own where
// it is one of them, else the roundest. Where open is set, there is no end but a ceiling, which counts.
func agreeable(low, high float64, open bool, own float64) float64 {
	if own >= low && (own < high || open && own <= high) {
		return own
	}
	for digit := math.Pow(10, math.Floor(math.Log10(max(low, 1)))); digit >= 1; digit /= 10 {
		for _, step := range []float64{digit, digit / 2} {
			if v := math.Ceil(low/step) * step; v < high || open && v <= high {
				return v
			}
		}
	}
	return low
}

// trust counts what a recommendation rests on.
func (c *Corpus) trust(p *Policy, r *Recommendation) error {
	rule, err := c.ruling(p)
	if err != nil {
		return err
	}
	v := r.Best.Value
	near := func(q int64) bool { return math.Abs(inTokens(q)-v) <= nearValue*v }
	can := 0
	for i := range c.facts {
		f := &c.facts[i]
		if c.copied(f) || f.unread || f.original.Bytes > rule.hard {
			continue
		}
		at, _, err := rule.replacement(int32(i), c.prepared.group[i])
		if err != nil {
			return err
		}
		if at == inlineAt {
			continue
		}
		can++
		if r.Key == PerResultKey && near(rule.column.measures()[i]) || r.Key == SecondKey && near(rule.column.second[i]) {
			r.Near++
		}
	}
	if r.Key == CombinedKey {
		for i := range c.steps {
			if c.steps[i].copied {
				continue
			}
			sum := int64(0)
			for _, q := range rule.column.tokens[c.steps[i].first : c.steps[i].first+c.steps[i].count] {
				sum += q
			}
			if near(sum) {
				r.Near += int(c.steps[i].count)
			}
		}
	}
	r.Thin = thin(can)
	return nil
}

// thin says that so many results that can be replaced are little to go by; empty where they are enough.
func thin(can int) string {
	if can >= enoughResults {
		return ""
	}
	return fmt.Sprintf("only %s can be replaced at all: fewer than %d are little to go by", counted(int64(can), "result"), enoughResults)
}

func (r *Recommendation) why() string {
	what := map[Aim]string{
		LowestTokens:   "the fewest tokens in the context",
		FewestOffloads: "the fewest results that do not enter whole",
		MostVisible:    "the most bytes that enter whole",
	}[r.Goal.Aim]
	var within string
	for _, l := range []struct {
		words string
		limit float64
	}{{"in one step", r.Goal.MaxStepTokens}, {"of context", r.Goal.MaxContextTokens}, {"in all", r.Goal.Budget}} {
		if l.limit > 0 {
			within += fmt.Sprintf(", with at most %s tokens %s", figure(l.limit), l.words)
		}
	}
	if !r.Met {
		return fmt.Sprintf("no value keeps to it%s; %s is the nearest: %s tokens in the largest step, %s of context at the most",
			within, figure(r.Best.Value), figure(r.Best.PeakStepTokens), figure(r.Best.PeakContextTokens))
	}
	change := r.Best.InlineTokens - r.Now.InlineTokens
	words := "as many tokens as now"
	switch {
	case change < 0:
		words = figure(-change) + " tokens fewer than now"
	case change > 0:
		words = figure(change) + " tokens more than now"
	}
	return fmt.Sprintf("%s%s: %s; not whole %s of %s (now %s)", what, within, words,
		figure(float64(r.Best.Verdicts.NotInline())), figure(float64(sumOf(r.Best.Verdicts))), figure(float64(r.Now.Verdicts.NotInline())))
}

func sumOf(n Counts) int { return n[inlineAt] + n.NotInline() }
