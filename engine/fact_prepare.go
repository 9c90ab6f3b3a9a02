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
}

type groupKind struct{ role, agent, tool string }

// An order is the facts of each step, the largest by what the limits are compared with first; of equals the call made first.
type order struct {
	once sync.Once
	fact []int32
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
		inParallel(len(c.steps), func(from, to int) {
			for _, s := range c.steps[from:to] {
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
