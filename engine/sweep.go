package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"
)

// The limits that are tuned. A sweep decides about the first two in one pass, whatever the number of values.
const (
	PerResultKey = "limits.per_result"
	CombinedKey  = "limits.combined"
	SecondKey    = "limits.second"
	HistoryKey   = "history.over"
)

// SweepOptions say what else a sweep counts.
type SweepOptions struct {
	StepTokens float64 // for Point.StepsOver; 0 counts none
}

// Sweep decides once for each value of a field, all else being p's: "limits.per_result" and
// "limits.combined" in one pass, any other field with numbers value by value. Values may come in any
// order. Error: ctx's, or a *PolicyError for a value that the policy can't have or the facts know too
// little of.
func (c *Corpus) Sweep(ctx context.Context, p *Policy, key string, values []float64, o SweepOptions) ([]Point, error) {
	if len(values) == 0 {
		return nil, nil
	}
	if key != PerResultKey && key != CombinedKey || !p.Enabled || c.Replayed() {
		return c.sweepOneByOne(ctx, p, key, values, o)
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	limits := make([]int64, len(sorted))
	for i, v := range sorted {
		limits[i] = p.most(&v)
	}
	points, err := c.sweepLimits(ctx, p, key, sorted[0], sorted[len(sorted)-1], limits, o)
	if err != nil {
		return nil, err
	}
	asked := make([]Point, len(values))
	for i, v := range values {
		at, _ := slices.BinarySearch(sorted, v)
		asked[i] = points[at]
		asked[i].Value = v
	}
	return asked, nil
}

// SetNumber returns p with one number changed, and checked. Error: *PolicyError.
func (p *Policy) SetNumber(key string, v float64) (*Policy, error) {
	return p.Set(key + "=" + strconv.FormatFloat(v, 'f', -1, 64))
}

// Number is the number that p has in a field; false where the field is none, or has no number.
func (p *Policy) Number(key string) (float64, bool) {
	var doc map[string]any
	if !slices.Contains(documentField().names("", false), key) || json.Unmarshal(p.Document(), &doc) != nil {
		return 0, false
	}
	v, ok := valueAt(doc, key).(float64)
	return v, ok
}

func (c *Corpus) sweepOneByOne(ctx context.Context, p *Policy, key string, values []float64, o SweepOptions) ([]Point, error) {
	points := make([]Point, 0, len(values))
	for _, v := range values {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		q, err := p.SetNumber(key, v)
		if err != nil {
			return nil, err
		}
		d, err := c.Decide(q)
		if err != nil {
			return nil, err
		}
		point := d.Point
		point.Value = v
		if o.StepTokens > 0 {
			point.StepsOver = len(d.StepsOver(o.StepTokens))
		}
		points = append(points, point)
	}
	return points, nil
}

// sweepLimits sweeps a limit over ascending quarters (the most that is not over), which stand for
// values from low to high.
func (c *Corpus) sweepLimits(ctx context.Context, p *Policy, key string, low, high float64, limits []int64, o SweepOptions) ([]Point, error) {
	for _, v := range []float64{low, high} {
		if _, err := p.SetNumber(key, v); err != nil { // what lies between is fine where both ends are
			return nil, err
		}
	}
	q := *p
	if key == PerResultKey {
		q.Limits.PerResult = &high
	} else {
		q.Limits.Combined = &low
	}
	r, err := c.ruling(&q)
	if err != nil {
		return nil, err
	}
	sw := &sweep{ruling: r, key: key, limits: limits, most: without, prepared: c.prepare(r.n), sweptThreads: make([]bool, len(c.threads))}
	if o.StepTokens > 0 {
		sw.most = int64(math.Floor(min(o.StepTokens, math.MaxInt64/8) * quartersPerToken))
	}
	for i := range c.threads {
		t := &c.threads[i]
		k := groupKind{t.role, t.agent, ""}
		sw.sweptThreads[i] = !q.overridden(k, func(o *Override) bool { return o.Combined.Given })
	}
	return sw.run(ctx)
}

// A sweep is one pass over a corpus for all values of a limit. It relies on this: what becomes of a
// batch changes only where the limit passes the size of one of its results (or, for the combined limit,
// a sum of the batch), so that a batch has a few pieces, ranges of values in which nothing changes.
type sweep struct {
	*ruling
	key          string
	limits       []int64 // ascending
	most         int64   // quarters that a step may bring; without where that is not counted
	prepared     *preparation
	sweptThreads []bool // the combined limit is the policy's own
}

// run divides the corpus among the processors, where a context starts anew.
func (w *sweep) run(ctx context.Context) ([]Point, error) {
	segments := w.prepared.segments
	workers := max(min(runtime.GOMAXPROCS(0), len(segments)/64), 1)
	tallies, errs := make([]*tally, workers), make([]error, workers)
	var wait sync.WaitGroup
	for i := range workers {
		wait.Go(func() {
			b := &bout{sweep: w, tally: newTally(len(w.limits))}
			tallies[i] = b.tally
			from, to := len(segments)*i/workers, len(segments)*(i+1)/workers
			for s := from; s < to; s++ {
				if s%64 == 0 && ctx.Err() != nil {
					errs[i] = ctx.Err()
					return
				}
				end := len(w.c.steps)
				if s+1 < len(segments) {
					end = int(segments[s+1])
				}
				if errs[i] = b.segment(int(segments[s]), end); errs[i] != nil {
					return
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for _, t := range tallies[1:] {
		tallies[0].add(t)
	}
	return tallies[0].points(), nil
}

// SweepValues proposes n values for a sweep of key, ascending and from low to high, evenly by their
// logarithm. An end that is NaN is what the corpus holds and p allows, and so are both where both are 0.
// Error: *PolicyError for a field that has no numbers.
func (c *Corpus) SweepValues(p *Policy, key string, low, high float64, n int) ([]float64, error) {
	if n < 1 {
		return nil, nil
	}
	if l := c.Ladder(key); l != nil {
		var values []float64
		for _, s := range l {
			if s == "null" {
				continue // no limit is no number
			}
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return nil, &PolicyError{Field: key, Reason: "is not a number, and can't be swept"}
			}
			values = append(values, v)
		}
		slices.Sort(values)
		return values, nil
	}
	if low == 0 && high == 0 {
		low, high = math.NaN(), math.NaN()
	}
	if math.IsNaN(low) || math.IsNaN(high) {
		least, most, err := c.span(p, key)
		if err != nil {
			return nil, err
		}
		low, high = openEnds(low, high, least, most)
	}
	if high < low {
		return nil, &PolicyError{Field: key, Reason: fmt.Sprintf("can't be swept from %s to %s", plainNumber(low), plainNumber(high)), Hint: "the first has to be the lower"}
	}
	if high == low || n == 1 {
		return []float64{low}, nil
	}
	values := make([]float64, n)
	for i := range values {
		part := float64(i) / float64(n-1)
		if low > 0 {
			values[i] = low * math.Pow(high/low, part)
		} else {
			values[i] = math.Pow(high+1, part) - 1
		}
		switch {
		case high > 100:
			values[i] = math.Round(values[i])
		case high <= 1:
			values[i] = math.Round(values[i]*1000) / 1000
		}
	}
	values[0], values[n-1] = low, high
	return slices.Compact(values), nil
}
