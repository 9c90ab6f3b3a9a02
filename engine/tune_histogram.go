package engine

import (
	"cmp"
	"math"
	"slices"
)

// A Histogram is how results are distributed over sizes, in tokens that the rules measure.
type Histogram struct {
	Tool    string   // empty for all
	Buckets []Bucket // without gaps, ascending; the first begins at 0
	Results int
}

// A Bucket is the results of From up to, not including, To tokens.
type Bucket struct {
	From, To                      float64
	Structured, Plain             int
	StructuredTokens, PlainTokens float64
}

// Histogram counts results by size, of one tool or (empty) of all: those under a token first, then in
// buckets that double, perOctave (at least 1) to each doubling. What p can offload by its structure and
// what it can't stand apart. Rejected and unread results count by their original size, as plain.
func (c *Corpus) Histogram(p *Policy, tool string, perOctave int) (*Histogram, error) {
	n, err := c.setting(p)
	if err != nil {
		return nil, err
	}
	perOctave = max(perOctave, 1)
	h := &Histogram{Tool: tool}
	edge := func(i int) float64 {
		if i == 0 {
			return 0
		}
		return math.Pow(2, float64(i-1)/float64(perOctave))
	}
	for i := range c.facts {
		f := &c.facts[i]
		if tool != "" && f.tool != tool || c.copied(f) {
			continue
		}
		tokens := inTokens(c.columns[n].tokens[i])
		if f.unread {
			tokens = inTokens(c.columns[n].original[i])
		}
		at := 0
		if tokens >= 1 {
			at = 1 + int(math.Log2(tokens)*float64(perOctave))
			for edge(at) > tokens { // a logarithm may be off by a hair
				at--
			}
			for edge(at+1) <= tokens {
				at++
			}
		}
		for len(h.Buckets) <= at {
			h.Buckets = append(h.Buckets, Bucket{From: edge(len(h.Buckets)), To: edge(len(h.Buckets) + 1)})
		}
		b := &h.Buckets[at]
		if !f.unread && f.structure(p.Structured.MaxStringShare) == IsStructured {
			b.Structured++
			b.StructuredTokens += tokens
		} else {
			b.Plain++
			b.PlainTokens += tokens
		}
		h.Results++
	}
	return h, nil
}

// A ToolFacts is what one tool's results come to.
type ToolFacts struct {
	Tool    string
	Results int
	Tokens  float64 // that the rules measure, by the first policy of the corpus
}

// Tools lists the tools, the most tokens first.
func (c *Corpus) Tools() []ToolFacts {
	sums := map[string]*ToolFacts{}
	var list []ToolFacts
	for i := range c.facts {
		if c.copied(&c.facts[i]) {
			continue
		}
		name := c.facts[i].tool
		if sums[name] == nil {
			sums[name] = &ToolFacts{Tool: name}
		}
		sums[name].Results++
		sums[name].Tokens += inTokens(c.columns[0].tokens[i])
	}
	for _, t := range sums {
		list = append(list, *t)
	}
	slices.SortFunc(list, func(a, b ToolFacts) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Tool, b.Tool))
	})
	return list
}
