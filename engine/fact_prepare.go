package engine

import (
	"runtime"
	"slices"
	"sync"
)

// preparation is what is worked out once of a complete corpus.
type preparation struct {
	once     sync.Once
	group    []int32     // of a fact: an index into kinds
	kinds    []groupKind // all that overrides can tell apart
	reads    []int32     // of a step: how many later steps, counted once, read what it brought
	segments []int32     // the steps with which a context starts anew
	orders   []order     // one a setting
	// What the quick way through a step asks of the corpus as a whole: the largest payload in bytes, whether
	// any was not read, and the bytes of each step's payloads.
	largest   int64
	unread    bool
	stepBytes []int64
}

type groupKind struct{ role, agent, tool string }

// An order is the facts of each step, the largest by what the limits are compared with first; of equals the call made first.
type order struct {
	once sync.Once
	fact []int32
	step []stepSums
}

// stepSums are the results of a step taken together, in quarters, were all of them to stay.
type stepSums struct {
	most, second int64 // the largest, as the limits for one result and the second ones see it
	tokens, stay int64 // sums
	taken        int64
	original     int64
}

// prepare works out what deciding by setting n needs.
func (c *Corpus) prepare(n int) *preparation {
	p := c.prepared
	p.once.Do(func() {
		p.group = make([]int32, len(c.facts))
		known := map[groupKind]int32{}
		for i := range c.facts {
			f := &c.facts[i]
			t := &c.threads[c.steps[f.step].thread]
			k := groupKind{t.role, t.agent, f.tool}
			g, ok := known[k]
			if !ok {
				g = int32(len(p.kinds))
				known[k], p.kinds = g, append(p.kinds, k)
			}
			p.group[i] = g
		}
		p.stepBytes = make([]int64, len(c.steps))
		for i := range c.facts {
			f := &c.facts[i]
			p.largest, p.unread = max(p.largest, f.original.Bytes), p.unread || f.unread
			p.stepBytes[f.step] += f.size.Bytes
		}
		p.reads = make([]int32, len(c.steps))
		for i := len(c.steps) - 1; i >= 0; i-- {
			if i+1 < len(c.steps) && !c.steps[i+1].reset {
				p.reads[i] = p.reads[i+1]
				if !c.steps[i+1].copied {
					p.reads[i]++
				}
			}
		}
		for i := range c.steps {
			if c.steps[i].reset {
				p.segments = append(p.segments, int32(i))
			}
		}
	})
	o := &p.orders[n]
	o.once.Do(func() {
		tokens := c.columns[n].measures()
		o.fact = make([]int32, len(c.facts))
		for i := range o.fact {
			o.fact[i] = int32(i)
		}
		o.step = make([]stepSums, len(c.steps))
		col := &c.columns[n]
		inParallel(len(c.steps), func(from, to int) {
			for i := from; i < to; i++ {
				s, sums := &c.steps[i], &o.step[i]
				for f := s.first; f < s.first+s.count; f++ {
					sums.most, sums.second = max(sums.most, tokens[f]), max(sums.second, col.second[f])
					sums.tokens += tokens[f]
					sums.stay += col.stay[f]
					sums.taken += col.taken[f]
					sums.original += col.original[f]
				}
				if s.count < 2 {
					continue
				}
				slices.SortFunc(o.fact[s.first:s.first+s.count], func(a, b int32) int {
					switch x, y := tokens[a], tokens[b]; {
					case x > y || x == y && a < b:
						return -1
					}
					return 1
				})
			}
		})
	})
	return p
}

// inParallel divides n things among the processors.
func inParallel(n int, do func(from, to int)) {
	workers := max(min(runtime.GOMAXPROCS(0), n/10_000), 1)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() { do(w*n/workers, (w+1)*n/workers) })
	}
	wait.Wait()
}
