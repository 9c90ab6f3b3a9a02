package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
)

// What a sweep says of a value is what deciding with that value says.
func TestASweepIsDecidingAtEveryValue(t *testing.T) {
	seeds := uint64(4)
	if testing.Short() {
		seeds = 1
	}
	overrides := `overrides=[{"role":"subagent","per_result":700},{"agent":"agent_1","combined":1500},{"tool":"tool_3","per_result":null},{"tool":"tool_4","role":"root","per_result":40}]`
	for _, set := range [][]string{
		{"moveworks"},
		{"moveworks", "structured.only=false"},
		{"moveworks", "limits.combined=9000", "boundary=reaches"},
		{"trueforge", "limits.hard_bytes=100000000"},
		{"trueforge", "limits.hard_bytes=100000000", "boundary=reaches", "limits.combined=4000.5", "limits.per_result=1000"},
		{"trueforge", "limits.hard_bytes=20000", "package.must_shrink=true", "limits.per_result=300", "limits.combined=2000"},
		{"trueforge", "limits.hard_bytes=100000000", "limits.per_result=null"},
		{"trueforge", "limits.hard_bytes=100000000", overrides, "limits.per_result=900", "limits.combined=3000"},
	} {
		p := policy(t, set[0], set[1:]...)
		for seed := range seeds {
			s := shape{results: 3000, batch: 6, sizes: 9000, special: true}
			if seed%2 == 1 {
				s.hugeBatch = 120
			}
			c := randomCorpus(t, p, seed, s)
			for _, key := range []string{PerResultKey, CombinedKey} {
				values := sweepable(t, c, p, key)
				points, err := c.Sweep(context.Background(), p, key, values, SweepOptions{StepTokens: 2500})
				if err != nil {
					t.Fatalf("%v: %v", set, err)
				}
				for i, v := range values {
					q, err := p.SetNumber(key, v)
					if err != nil {
						t.Fatal(err)
					}
					d, err := c.Decide(q)
					if err != nil {
						t.Fatal(err)
					}
					want := d.Point
					want.Value, want.StepsOver = v, len(d.StepsOver(2500))
					if points[i] != want {
						t.Fatalf("%v, seed %d, %s=%v:\n%+v, decided\n%+v", set, seed, key, v, points[i], want)
					}
				}
			}
		}
	}
}

// sweepable are values for a test, on and beside the sizes that the corpus has, in no order.
func sweepable(t *testing.T, c *Corpus, p *Policy, key string) []float64 {
	low, high, err := c.span(p, key)
	if err != nil {
		t.Fatal(err)
	}
	if key == PerResultKey {
		low = 0
	}
	values := []float64{high, low, (low + high) / 2, low, math.Nextafter(high, 0)}
	for i := 0; i < c.Len() && len(values) < 30; i += 1 + c.Len()/50 {
		for _, v := range []float64{c.At(i).Tokens, c.At(i).Tokens + 0.25, c.At(i).Tokens - 0.1} {
			if v >= low && v <= high {
				values = append(values, v)
			}
		}
	}
	return values
}

func TestASweepRefusesWhatThePolicyCanNotHave(t *testing.T) {
	p := policy(t, "trueforge")
	c := randomCorpus(t, p, 1, shape{results: 100, batch: 3, sizes: 9000})
	for _, test := range []struct {
		key    string
		values []float64
		want   string
	}{
		{PerResultKey, []float64{100, 10_001}, "limits.per_result 10001 is over limits.combined 10000"},
		{CombinedKey, []float64{5999, 7000}, "limits.per_result 6000 is over limits.combined 5999"},
		{PerResultKey, []float64{-1}, "limits.per_result"},
		{"preview.head_chars", []float64{7}, "preview.head_chars 7 is not what the facts were measured with, which is 100"},
		{"preview.nothing", []float64{7}, "preview.nothing"},
	} {
		_, err := c.Sweep(context.Background(), p, test.key, test.values, SweepOptions{})
		if err == nil || !slices.Contains([]bool{len(err.Error()) >= len(test.want) && err.Error()[:len(test.want)] == test.want}, true) {
			t.Errorf("%s over %v: %v, want %s", test.key, test.values, err, test.want)
		}
	}
}

// A sweep of a million facts over a thousand thresholds, with both rules, beside the naive loop over
// steps and thresholds. That one is measured on every 50th threshold, and its time taken 50 times.
func BenchmarkSweep(b *testing.B) {
	p := policy(b, "trueforge", "limits.combined=40000", "limits.per_result=6000")
	c := randomCorpus(b, p, 3, shape{results: 1_000_000, batch: 5, sizes: 60_000, hugeBatch: 60})
	c.prepare(0)
	values := make([]float64, 1000)
	for i := range values {
		values[i] = 40 * float64(i+1)
	}
	combined := make([]float64, len(values))
	for i := range combined {
		combined[i] = 6000 + values[i]
	}
	for _, key := range []string{PerResultKey, CombinedKey} {
		v := values
		if key == CombinedKey {
			v = combined
		}
		b.Run(key, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Sweep(context.Background(), p, key, v, SweepOptions{StepTokens: 20_000}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/sweep")
		})
	}
	b.Run("naive, every 50th", func(b *testing.B) {
		for b.Loop() {
			for i := 0; i < len(values); i += 50 {
				q, err := p.SetNumber(PerResultKey, values[i])
				if err != nil {
					b.Fatal(err)
				}
				if naive(c, q).Verdicts[inlineAt] == 0 {
					b.Fatal("nothing is inline")
				}
			}
		}
		b.ReportMetric(50*float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/sweep")
	})
}

func BenchmarkPrepare(b *testing.B) {
	p := policy(b, "trueforge")
	c := randomCorpus(b, p, 3, shape{results: 1_000_000, batch: 5, sizes: 60_000, hugeBatch: 60})
	for b.Loop() {
		c.prepared = &preparation{orders: make([]order, 1)}
		c.prepare(0)
	}
}

// A slider's step on 100,000 results.
func BenchmarkDecide(b *testing.B) {
	p := policy(b, "trueforge")
	c := randomCorpus(b, p, 3, shape{results: 100_000, batch: 5, sizes: 60_000, hugeBatch: 60})
	before, err := c.Decide(p)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		q, err := p.SetNumber(PerResultKey, 4000)
		if err != nil {
			b.Fatal(err)
		}
		d, err := c.Decide(q)
		if err != nil {
			b.Fatal(err)
		}
		if len(Flips(before, d)) == 0 {
			b.Fatal("nothing flipped")
		}
	}
}

// naive decides as the rules are told, step by step, looking for the largest each time. It knows
// neither hands nor orders; limits are looked up once for each kind of result.
func naive(c *Corpus, p *Policy) Point {
	var point Point
	col := &c.columns[0]
	var context, model, inline, peakStep, peakContext int64
	type who struct{ role, agent, tool string }
	known := map[who]Limits{}
	groups := c.prepare(0)
	limits := make([]Limits, len(groups.kinds))
	sandbox := make([]bool, len(groups.kinds))
	for g, k := range groups.kinds {
		limits[g], sandbox[g] = p.LimitsFor(k.role, k.agent, k.tool), p.sandboxTool(k.tool)
		known[who{k.role, k.agent, ""}] = p.LimitsFor(k.role, k.agent, "")
	}
	combined := make([]*float64, len(c.threads))
	for i, t := range c.threads {
		combined[i] = known[who{t.role, t.agent, ""}].Combined
	}
	over := func(quarters int64, limit *float64) bool {
		return limit != nil && p.over(float64(quarters)/4, *limit)
	}
	type held struct {
		fact      int32
		now       int64
		at        int
		settled   bool
		unchanged bool
	}
	for i, s := range c.steps {
		if s.reset {
			context = 0
		}
		context += col.before[i]
		if !s.copied {
			model += context
		}
		peakContext = max(peakContext, context)
		batch := make([]held, s.count)
		sum := int64(0)
		replace := func(h *held) {
			f := &c.facts[h.fact]
			h.settled = true
			in, at := int64(0), offloadedAt
			switch {
			case f.failed && p.Errors.TruncateChars != nil:
				in, at = col.cut[h.fact], truncatedAt
			case sandbox[groups.group[h.fact]]:
				in, at = col.preview[h.fact], previewOnlyAt
			case p.Structured.Only && f.structure(p.Structured.MaxStringShare) != IsStructured:
				h.settled = false
				h.unchanged = true
				return
			default:
				in = col.offloaded[h.fact]
			}
			if in == entersWhole || p.Package.MustShrink && in >= col.tokens[h.fact] {
				return
			}
			h.now, h.at = in, at
		}
		for j := range batch {
			h := &batch[j]
			h.fact = s.first + int32(j)
			f := &c.facts[h.fact]
			if p.Limits.HardBytes != nil && f.original.Bytes > *p.Limits.HardBytes {
				h.settled, h.at = true, rejectedAt
				continue
			}
			context += col.taken[h.fact]
			h.now = col.tokens[h.fact]
			if over(h.now, limits[groups.group[h.fact]].PerResult) {
				replace(h)
			}
			sum += h.now
		}
		for limit := combined[s.thread]; over(sum, limit); {
			largest := -1
			for j := range batch {
				if !batch[j].settled && (largest < 0 || col.tokens[batch[j].fact] > col.tokens[batch[largest].fact]) {
					largest = j
				}
			}
			if largest < 0 {
				break
			}
			h := &batch[largest]
			replace(h)
			h.settled = true
			sum -= max(0, col.tokens[h.fact]-h.now)
		}
		step := int64(0)
		for j := range batch {
			h := &batch[j]
			if h.at == inlineAt {
				h.now = col.stay[h.fact]
				if !s.copied {
					point.VisibleBytes += c.facts[h.fact].size.Bytes
				}
			}
			if !s.copied {
				point.Verdicts[h.at]++
			}
			step += h.now
		}
		if !s.copied {
			inline += step
		}
		peakStep = max(peakStep, step)
		context += col.after[i] + step
	}
	point.InlineTokens, point.ModelTokens = inTokens(inline), inTokens(model)
	point.PeakStepTokens, point.PeakContextTokens = inTokens(peakStep), inTokens(peakContext)
	return point
}

func TestDecidingIsWhatTheRulesSayStepByStep(t *testing.T) {
	for _, set := range [][]string{
		{"moveworks", "limits.per_result=500"},
		{"trueforge", "limits.hard_bytes=100000000", "limits.per_result=300", "limits.combined=900"},
		{"trueforge", "limits.hard_bytes=100000000", "limits.per_result=300", "limits.combined=900", "boundary=reaches", "package.must_shrink=true"},
	} {
		p := policy(t, set[0], set[1:]...)
		for seed := range uint64(5) {
			c := randomCorpus(t, p, seed, shape{results: 2000, batch: 8, sizes: 9000, special: true, hugeBatch: 90})
			d, err := c.Decide(p)
			if err != nil {
				t.Fatal(err)
			}
			if want := naive(c, p); d.Point != want {
				t.Errorf("%s: %+v, want %+v", fmt.Sprint(set), d.Point, want)
			}
		}
	}
}
