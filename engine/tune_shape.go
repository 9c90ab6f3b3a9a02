package engine

import (
	"cmp"
	"slices"
)

// ShapeAdvice says which tool's output would gain from another shape: the advice where the limits can't be
// changed.
type ShapeAdvice struct {
	Tool    string
	Results int // that are over the limit for one result
	// Whole of these entered whole, since they are not structured, with so many tokens.
	Whole       int
	WholeTokens float64
	// Gain is what these would save were each a package as large as the policy's average one, or at
	// the limit where there is none.
	Gain   float64
	Cause  Structure // why most of what entered whole, by tokens, did; IsStructured where none did
	Advice string    // one sentence without a full stop
}

// Shapes lists the tools with results over their limit, the largest gain first; none of a replayed corpus.
func (c *Corpus) Shapes(p *Policy) ([]ShapeAdvice, error) {
	if c.Replayed() {
		return nil, nil
	}
	r, err := c.ruling(p)
	if err != nil {
		return nil, err
	}
	d, err := c.Decide(p)
	if err != nil {
		return nil, err
	}
	packages, packed := int64(0), int64(0)
	type tool struct {
		ShapeAdvice
		causes map[Structure]int64
		whole  []int64
		limit  []int64
	}
	tools := map[string]*tool{}
	for i := range c.facts {
		f, limit := &c.facts[i], r.perResult[c.prepared.group[i]]
		if d.verdicts[i] == offloadedAt && !c.copied(f) {
			packages++
			packed += d.inline[i]
		}
		if c.copied(f) || f.unread || limit == without || r.column.tokens[i] <= limit {
			continue
		}
		t := tools[f.tool]
		if t == nil {
			t = &tool{ShapeAdvice: ShapeAdvice{Tool: f.tool}, causes: map[Structure]int64{}}
			tools[f.tool] = t
		}
		t.Results++
		if d.verdicts[i] == inlineAt {
			t.Whole++
			t.WholeTokens += inTokens(d.inline[i])
			t.causes[f.structure(r.share)] += d.inline[i]
			t.whole, t.limit = append(t.whole, d.inline[i]), append(t.limit, limit)
		}
	}
	list := []ShapeAdvice{}
	for _, t := range tools {
		for j, q := range t.whole {
			floor := t.limit[j]
			if packages > 0 {
				floor = min(floor, packed/packages)
			}
			t.Gain += inTokens(max(0, q-floor))
		}
		t.Cause = IsStructured
		most := int64(0)
		for _, cause := range []Structure{NotJSON, ScalarRoot, StringifiedJSON, RenderedText} {
			if t.causes[cause] > most {
				t.Cause, most = cause, t.causes[cause]
			}
		}
		t.Advice = shapeAdvice[t.Cause]
		list = append(list, t.ShapeAdvice)
	}
	slices.SortFunc(list, func(a, b ShapeAdvice) int {
		return cmp.Or(cmp.Compare(b.Gain, a.Gain), cmp.Compare(b.Results, a.Results), cmp.Compare(a.Tool, b.Tool))
	})
	return list, nil
}

var shapeAdvice = map[Structure]string{
	IsStructured:    "project the fields that are needed and put the most important records first: the preview shows the first few",
	NotJSON:         "return JSON records in place of text, or filter at the source: text enters whole, whatever its size",
	ScalarRoot:      "return an object or a list of records in place of one value",
	StringifiedJSON: "return the data as JSON, not as a string that holds JSON",
	RenderedText:    "return fields in place of one rendered text, or filter at the source",
}
