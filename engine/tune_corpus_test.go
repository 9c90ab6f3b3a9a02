package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"floodmark/history"
)

// A shape says what random facts are like.
type shape struct {
	results   int
	batch     int  // the most calls of a step
	sizes     int  // the most tokens of a result, seldom reached
	hugeBatch int  // one step in 500 has so many calls; 0 none
	special   bool // failed calls, sandbox tools, several agents, unread payloads, compactions
}

// randomCorpus makes facts without recordings, as Add makes them, measured for p.
func randomCorpus(t testing.TB, p *Policy, seed uint64, s shape) *Corpus {
	t.Helper()
	c, err := NewCorpus(p)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 5))
	tools := make([]string, 20)
	for i := range tools {
		tools[i] = fmt.Sprint("tool_", i)
	}
	tools[1] = "exec"
	col := &c.columns[0]
	for step := 0; len(c.facts) < s.results; step++ {
		reset := step%40 == 0
		if reset {
			agent, kind := "", RootRole
			if s.special && r.IntN(3) == 0 {
				agent, kind = fmt.Sprint("agent_", r.IntN(3)), SubagentRole
			}
			c.threads = append(c.threads, threadFact{"file", fmt.Sprint("c", step), history.Main, agent, kind})
		}
		n := r.IntN(s.batch + 1)
		if s.hugeBatch > 0 && step%500 == 7 {
			n = s.hugeBatch
		}
		c.steps = append(c.steps, stepFact{thread: int32(len(c.threads) - 1), turn: 1, number: int32(step), first: int32(len(c.facts)), count: int32(n),
			reset: reset || s.special && r.IntN(25) == 0, copied: s.special && step%80 < 9})
		col.before, col.after = append(col.before, int64(r.IntN(2000))), append(col.after, int64(r.IntN(2000)))
		for i := range n {
			f, k := randomFact(r, s)
			f.step, f.index, f.batch, f.tool = int32(len(c.steps)-1), int32(i), int32(n), tools[r.IntN(len(tools))]
			c.facts = append(c.facts, f)
			col.add(k)
		}
	}
	return c
}

func randomFact(r *rand.Rand, s shape) (fact, tokenCounts) {
	quarters := int64(float64(4*s.sizes) / (1 + 5*r.ExpFloat64()*r.ExpFloat64()*float64(1+r.IntN(40))))
	if r.IntN(5) == 0 {
		quarters = int64(r.IntN(400))
	}
	size := history.Size{Bytes: quarters, Chars: quarters, UTF16: quarters}
	f := fact{kind: Array, valid: true, original: size, size: size, lines: 1, jsonBytes: -1, textBytes: -1}
	switch r.IntN(3) {
	case 0:
		f.kind, f.valid = PlainText, false
	case 1:
		f.textBytes = int64(float64(quarters) * r.Float64())
	}
	in := int64(300 + r.IntN(1500))
	k := tokenCounts{Original: quarters, Tokens: quarters, Stay: quarters, Whole: quarters,
		Offloaded: in, Lost: in - 40, Preview: in - 80, Cut: min(quarters, 500)}
	if !s.special {
		return f, k
	}
	f.failed = r.IntN(10) == 0
	if quarters <= 500 {
		k.Cut = entersWhole
	}
	if r.IntN(8) == 0 {
		k.Stay += 3 // joiners
	}
	if r.IntN(50) == 0 {
		k.Taken = 80
	}
	if r.IntN(200) == 0 {
		f.unread, f.kind, f.valid = true, "", false
		f.original.Bytes = 200_000_000
		k = unmeasured
		k.Original = 200_000_000
	}
	return f, k
}
