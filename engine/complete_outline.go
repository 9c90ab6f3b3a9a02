package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// An Outline is what can be found at one place of a payload, for whoever writes a filter: types, keys in
// the payload's order, and the few values of fields that have few. It says the same as the schema without
// a budget; the values are learnt apart, and no schema shows them.
type Outline struct {
	Types  []string        // JSON Schema names of what was seen here
	Fields []*OutlineField // of the objects here, in the payload's order; none for a map
	Items  *Outline        // of the arrays' elements; nil without any
	Values *Outline        // of an object that is used as a map; nil for others
	// Few are the different values here as JSON, the most frequent first, where they were at most
	// FewValues; nil where nothing was learnt or there were more.
	Few []string

	seen   int            // how many values the few are
	counts map[string]int // of each value, while learning; nil after
	many   bool           // more values than few
}

// An OutlineField is a key of the objects at a place.
type OutlineField struct {
	Name   string
	Always bool // every object here has it
	*Outline
}

const (
	// FewValues is how many different values a field of low cardinality has at most.
	FewValues = 24
	// fewBytes is the longest value that is remembered, as JSON.
	fewBytes = 80
	// outlineDepth and outlineNodes bound an outline: what is deeper or later is left out. Completion
	// offers keys to a person.
	outlineDepth = 40
	outlineNodes = 20_000
	// learnNodes is the number of values that Learn looks at. One takes some 50 ns.
	learnNodes = 4_000_000
)

// Outline makes the outline of what was learnt. An object with over mapKeys keys (0 is 64) can count as
// a map, as for Schema.
func (s *Shape) Outline(mapKeys int) *Outline {
	if mapKeys <= 0 {
		mapKeys = defaultMapKeys
	}
	left := outlineNodes
	return s.root.outline(mapKeys, outlineDepth, &left)
}

func (n *node) outline(mapKeys, depth int, left *int) *Outline {
	o := &Outline{Types: n.typeNames()}
	if *left--; n.unknown || depth == 0 || *left <= 0 {
		return o
	}
	if values := n.mapValues(mapKeys); values != nil {
		o.Values = values.outline(mapKeys, depth-1, left)
	} else {
		for _, f := range n.fields {
			o.Fields = append(o.Fields, &OutlineField{Name: f.name, Always: f.seen == n.objects, Outline: f.node.outline(mapKeys, depth-1, left)})
		}
	}
	if n.items != nil {
		o.Items = n.items.outline(mapKeys, depth-1, left)
	}
	return o
}

// Field is what stands under a key; nil where no object here has it.
func (o *Outline) Field(name string) *Outline {
	if o == nil {
		return nil
	}
	for _, f := range o.Fields {
		if f.Name == name {
			return f.Outline
		}
	}
	return o.Values
}

// Is tells whether values of this JSON Schema type were seen here.
func (o *Outline) Is(kind string) bool {
	if o == nil {
		return false
	}
	for _, t := range o.Types {
		if t == kind || t == "integer" && kind == "number" {
			return true
		}
	}
	return false
}

// Type is one word for what stands here: "string", "array of object", "string or null".
func (o *Outline) Type() string {
	if o == nil || len(o.Types) == 0 {
		return ""
	}
	s := strings.Join(o.Types, " or ")
	if len(o.Types) == 1 && o.Types[0] == "array" && o.Items != nil && len(o.Items.Types) > 0 {
		return "array of " + strings.Join(o.Items.Types, " or ")
	}
	return s
}

// Learn counts the values at each place of v, which Decode made of the same payload, and fills in Few.
// It ends early with ctx, and then has learnt nothing. It looks at the first few million values only.
func (o *Outline) Learn(ctx context.Context, v any) {
	left := learnNodes
	o.count(ctx, v, &left)
	o.learnt(ctx.Err() == nil)
}

func (o *Outline) count(ctx context.Context, v any, left *int) {
	if *left--; o == nil || *left < 0 || *left%4096 == 0 && ctx.Err() != nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if o.Values != nil {
			for _, w := range v {
				o.Values.count(ctx, w, left)
			}
			return
		}
		for _, f := range o.Fields {
			if w, ok := v[f.Name]; ok {
				f.count(ctx, w, left)
			}
		}
	case []any:
		for _, w := range v {
			o.Items.count(ctx, w, left)
		}
	case string:
		if len(v) > fewBytes {
			o.many = true
		}
		o.tally(v, true)
	case json.Number:
		o.tally(string(v), false)
	case int, float64, bool:
		o.tally(string(Marshal(v, 0)), false)
	}
}

// tally counts a value; text tells that it is a string and not JSON yet.
func (o *Outline) tally(value string, text bool) {
	if o.many {
		return
	}
	if o.counts == nil {
		o.counts = map[string]int{}
	}
	key := value
	if text {
		key = "\"" + value // told apart from 1 and true
	}
	if _, seen := o.counts[key]; !seen && len(o.counts) == FewValues {
		o.many, o.counts = true, nil
		return
	}
	o.counts[key]++
}

// learnt turns the counts into Few; without complete it forgets them.
func (o *Outline) learnt(complete bool) {
	if o == nil {
		return
	}
	if complete && !o.many && len(o.counts) > 0 {
		keys := byCount(o.counts)
		o.Few = make([]string, len(keys))
		for i, k := range keys {
			o.seen += o.counts[k]
			if text, ok := strings.CutPrefix(k, `"`); ok {
				k = string(Marshal(text, 0))
			}
			o.Few[i] = k
		}
	}
	o.counts = nil
	for _, f := range o.Fields {
		f.learnt(complete)
	}
	o.Items.learnt(complete)
	o.Values.learnt(complete)
}

// byCount lists the keys, the most frequent first, of equals in the order of their letters.
func byCount(counts map[string]int) []string {
	keys := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(keys, func(a, b string) int { return counts[b] - counts[a] })
	return keys
}

// outlineBytes is the largest payload of which the values are learnt: it is decoded for that.
const outlineBytes = 16 << 20

// OutlineOf reads the outline of a payload, with the values of fields that have few where it is not over
// 16 MiB; nil where it is not JSON. It ends early with ctx, whose error it returns.
func OutlineOf(ctx context.Context, payload []byte, mapKeys int) (*Outline, error) {
	facts := Scan(payload, ScanOptions{Shape: true, MapKeys: mapKeys})
	if facts.Shape == nil {
		return nil, ctx.Err()
	}
	o := facts.Shape.Outline(mapKeys)
	if len(payload) > outlineBytes || facts.Depth > maxQueryDepth || ctx.Err() != nil {
		return o, ctx.Err()
	}
	v, err := Decode(payload)
	if err != nil {
		return nil, err
	}
	o.Learn(ctx, v)
	return o, ctx.Err()
}
