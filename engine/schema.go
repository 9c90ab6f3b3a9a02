package engine

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
)

// A Schema is a JSON Schema 2020-12 document that the payload validates against.
type Schema struct {
	JSON   []byte
	Tokens float64 // of JSON, by the estimator given
	// Folded is what the schema doesn't say, "path: why" each: to meet the budget, or because there
	// was too much to learn.
	Folded []string
	Maps   []string // paths of the objects that count as maps
}

// Schema writes the schema as compact JSON, properties in the payload's order. Over budget tokens
// (by e) parts are left out until it fits, the deepest first, of these the ones that the fewest
// objects have; 0 is no limit. What is left is never less than {}, which every payload fits.
//
// An object with over mapKeys keys (0 is 64) can count as a map: the same schema for every value,
// and no key names.
func (s *Shape) Schema(e Estimator, budget float64, mapKeys int) *Schema {
	return s.schema(e, budget, mapKeys, false)
}

// schema is Schema, and where redact is set with marks for keys that look like a secret or personal data.
func (s *Shape) schema(e Estimator, budget float64, mapKeys int, redact bool) *Schema {
	if mapKeys <= 0 {
		mapKeys = defaultMapKeys
	}
	root := &part{node: s.root, share: 1}
	all := root.grow(mapKeys, nil)
	if redact {
		root.mask()
		for _, p := range all {
			p.mask()
		}
	}
	slices.SortStableFunc(all, func(a, b *part) int {
		return cmp.Or(-cmp.Compare(a.depth, b.depth), cmp.Compare(a.share, b.share), -cmp.Compare(a.order, b.order))
	})
	for i, p := range all {
		p.rank = i
	}
	out := &Schema{JSON: root.document(0)}
	left := 0
	if fits := func() bool { return budget <= 0 || !e.Over(out.JSON, budget, false) }; !fits() {
		left = 1 + sort.Search(len(all)-1, func(i int) bool {
			out.JSON = root.document(i + 1)
			return fits()
		})
		out.JSON = root.document(left)
		if !fits() {
			out.JSON = []byte("{}")
			out.Folded = []string{".: everything left out"}
		}
	}
	if out.Folded == nil {
		root.explain(out, left, nil)
	}
	out.Tokens = e.Of(out.JSON)
	return out
}

// A part is a piece of a schema that can be left out: what a property, the items or the values of
// a map look like.
type part struct {
	node   *node
	name   string // of a property
	quoted []byte // the same as a JSON string
	always bool   // every object at its place has it
	depth  int
	share  float64 // of the objects around it that have it
	order  int     // in the payload
	rank   int     // in the order of leaving out; the root is never left out
	fields []*part
	items  *part
	values *part // of a map
}

// grow adds the parts below p to p and to all.
func (p *part) grow(mapKeys int, all []*part) []*part {
	n := p.node
	if n.unknown {
		return all
	}
	child := func(n *node, share float64) *part {
		c := &part{node: n, depth: p.depth + 1, share: p.share * share, order: len(all)}
		all = append(all, c)
		all = c.grow(mapKeys, all)
		return c
	}
	if values := n.mapValues(mapKeys); values != nil {
		p.values = child(values, 1)
	} else {
		for _, f := range n.fields {
			c := child(&f.node, float64(f.seen)/float64(n.objects))
			c.name, c.quoted, c.always = f.name, appendQuoted(nil, f.name), f.seen == n.objects
			p.fields = append(p.fields, c)
		}
	}
	if n.items != nil {
		p.items = child(n.items, 1)
	}
	return all
}

// mask puts marks for the names of properties that look sensitive, with a number where one stands already.
func (p *part) mask() {
	taken := map[string]bool{}
	for _, f := range p.fields {
		taken[f.name] = true
	}
	for _, f := range p.fields {
		mark := MaskSensitive(f.name)
		if mark == f.name {
			continue
		}
		name := mark
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s %d", mark, n)
		}
		taken[name] = true
		f.name, f.quoted = name, appendQuoted(nil, name)
	}
}

const dialect = `{"$schema":"https://json-schema.org/draft/2020-12/schema"`

// document is the whole schema without the first left parts.
func (p *part) document(left int) []byte {
	return p.append([]byte(dialect), left, true)
}

// append writes the schema of p; begun tells that its bracket stands already.
func (p *part) append(b []byte, left int, begun bool) []byte {
	if !begun {
		b = append(b, '{')
	}
	member := func(key string) {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, key...)
		b = append(b, `":`...)
	}
	if p.node.unknown {
		return append(b, '}')
	}
	if types := p.node.typeNames(); len(types) > 0 {
		member("type")
		b = appendTypes(b, types)
	}
	kept := p.kept(left)
	switch more := p.moreKeys(kept); {
	case p.values != nil:
		member("$comment")
		b = appendQuoted(b, p.mapComment())
	case more > 0:
		member("$comment")
		b = fmt.Appendf(b, `"%d more key%s"`, more, "s"[:min(more-1, 1)])
	}
	if len(kept) > 0 {
		member("properties")
		var required []byte
		sep, requiredSep := byte('{'), byte('[')
		for _, f := range kept {
			b = append(append(append(b, sep), f.quoted...), ':')
			b = f.append(b, left, false)
			sep = ','
			if f.always {
				required = append(append(required, requiredSep), f.quoted...)
				requiredSep = ','
			}
		}
		b = append(b, '}')
		if len(required) > 0 {
			member("required")
			b = append(append(b, required...), ']')
		}
	}
	if p.values != nil && p.values.rank >= left && !p.values.node.unknown {
		member("additionalProperties")
		b = p.values.append(b, left, false)
	}
	if p.items != nil && p.items.rank >= left && !p.items.node.unknown {
		member("items")
		b = p.items.append(b, left, false)
	}
	return append(b, '}')
}

// kept are the properties that are not left out.
func (p *part) kept(left int) []*part {
	var kept []*part
	for _, f := range p.fields {
		if f.rank >= left {
			kept = append(kept, f)
		}
	}
	return kept
}

// moreKeys counts the keys that the schema doesn't name, other than a map's.
func (p *part) moreKeys(kept []*part) int {
	if p.node.folded {
		return 0
	}
	return len(p.fields) - len(kept) + p.node.keys
}

// mapComment says how large a map is. Of many objects whose keys were forgotten early, the
// different keys cannot be told.
func (p *part) mapComment() string {
	n := p.node
	if n.folded && n.objects > 1 {
		return fmt.Sprintf("maps with %d keys in %d objects", n.keys, n.objects)
	}
	return fmt.Sprintf("a map with %d keys", n.keys+len(n.fields))
}

// typeNames are the JSON Schema types of what was seen.
func (n *node) typeNames() []string {
	types := n.types
	if types&isNumber != 0 {
		types &^= isInteger // every integer is a number
	}
	var names []string
	for _, t := range []struct {
		bit  uint8
		name string
	}{
		{isObject, "object"}, {isArray, "array"}, {isString, "string"}, {isInteger, "integer"},
		{isNumber, "number"}, {isBoolean, "boolean"}, {isNull, "null"},
	} {
		if types&t.bit != 0 {
			names = append(names, t.name)
		}
	}
	return names
}

func appendTypes(b []byte, types []string) []byte {
	if len(types) == 1 {
		return appendQuoted(b, types[0])
	}
	for i, name := range types {
		b = append(b, "[,"[min(i, 1)])
		b = appendQuoted(b, name)
	}
	return append(b, ']')
}

// explain lists the maps, and what the schema leaves out.
func (p *part) explain(out *Schema, left int, path []byte) {
	at := "."
	if len(path) > 0 {
		at = string(path)
	}
	folded := func(format string, args ...any) {
		out.Folded = append(out.Folded, at+": "+fmt.Sprintf(format, args...))
	}
	if p.node.cut {
		folded("deeper than %d levels", maxShapeDepth)
	}
	kept := p.kept(left)
	if n := p.moreKeys(kept); n > 0 {
		folded("%d of %d keys left out", n, n+len(kept))
	}
	for _, f := range kept {
		f.explain(out, left, appendKey(slices.Clone(path), f.name))
	}
	if v := p.values; v != nil {
		out.Maps = append(out.Maps, at)
		if v.rank < left {
			folded("what the map's values look like left out")
		} else {
			v.explain(out, left, appendIndex(slices.Clone(path), ""))
		}
	}
	if v := p.items; v != nil {
		switch {
		case v.rank < left:
			folded("what the elements look like left out")
		case v.node.unknown:
			folded("too much to learn")
		default:
			v.explain(out, left, appendIndex(slices.Clone(path), ""))
		}
	}
}
