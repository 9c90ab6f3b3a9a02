package engine

import "math/bits"

const (
	defaultMapKeys = 64
	// maxShapeDepth is how deep a structure is learnt; below, only the type is.
	maxShapeDepth = 128
	// maxNodes bounds what is learnt of a payload in which nothing repeats.
	maxNodes = 100_000
	// foldCheck is the number of an object's keys at which it is first asked whether it is a map.
	foldCheck = 4096
)

// The types seen at a place, as bits.
const (
	isNull = 1 << iota
	isBoolean
	isInteger
	isNumber
	isString
	isArray
	isObject
)

// A node is what was learnt of all values at one place: the root, the elements of an array, the
// values of one key.
type node struct {
	types   uint8
	unknown bool // nothing was learnt: any value fits
	cut     bool // arrays and objects here were too deep to look into
	folded  bool // a map: its keys are forgotten
	objects int  // how many objects were here
	fields  []*field
	index   map[string]*field
	items   *node // nil while all arrays are empty
	// rest is the values of the keys that are not in fields; nil without any.
	rest *node
	keys int // how many members of all objects have such keys
	// The largest object here, by bytes.
	largest, largestAt int
}

// A field is a key of the objects at a place.
type field struct {
	name string // decoded
	raw  string // as first written
	pos  int    // in fields
	at   int    // where it stood last, by its opening quote; -1 before that
	seen int    // in how many objects
	odd  bool   // it has a cost
	cost keyCost
	node
}

// anyNode is a node for all that is not looked into.
func anyNode() *node {
	n := &node{unknown: true}
	n.items, n.rest = n, n
	return n
}

// itemsOf is the node of the elements of n's arrays.
func (s *scanner) itemsOf(n *node) *node {
	if n.items == nil {
		if s.nodes >= maxNodes {
			n.items = s.any
		} else {
			n.items = &node{}
			s.nodes++
		}
	}
	return n.items
}

// fewFields is the number of fields up to which looking at each is quicker than a map.
const fewFields = 8

// find returns the field called name and its place; next is where it probably is.
func (n *node) find(name []byte, next int) (*field, int) {
	for i := next; i < len(n.fields) && i < next+2; i++ {
		if n.fields[i].name == string(name) {
			return n.fields[i], i
		}
	}
	if len(n.fields) > fewFields {
		if f := n.index[string(name)]; f != nil {
			return f, f.pos
		}
		return nil, -1
	}
	for i, f := range n.fields {
		if f.name == string(name) {
			return f, i
		}
	}
	return nil, -1
}

func (n *node) add(name string) *field {
	f := &field{name: name, pos: len(n.fields), at: -1}
	n.fields = append(n.fields, f)
	if n.index != nil {
		n.index[name] = f
	} else if len(n.fields) > fewFields {
		n.index = make(map[string]*field, 2*len(n.fields))
		for _, f := range n.fields {
			n.index[f.name] = f
		}
	}
	return f
}

func (n *node) noteLargest(size, at int) {
	if size > n.largest {
		n.largest, n.largestAt = size, at
	}
}

// merge adds to n what was learnt in o.
func (n *node) merge(o *node) {
	if n.unknown || o.unknown {
		n.unknown = true
		return
	}
	n.types |= o.types
	n.cut = n.cut || o.cut
	n.objects += o.objects
	n.noteLargest(o.largest, o.largestAt)
	if o.items != nil {
		if n.items == nil {
			n.items = &node{}
		}
		n.items.merge(o.items)
	}
	if o.folded && !n.folded {
		values := &node{}
		for _, f := range n.fields {
			values.merge(&f.node)
		}
		if n.rest != nil {
			values.merge(n.rest)
		}
		n.foldInto(values)
	}
	if o.rest != nil {
		if n.rest == nil {
			n.rest = &node{}
		}
		n.rest.merge(o.rest)
		n.keys += o.keys
	}
	for i, f := range o.fields {
		if n.folded {
			n.rest.merge(&f.node)
			n.keys += f.seen
			continue
		}
		g, _ := n.find([]byte(f.name), i)
		if g == nil {
			g = n.add(f.name)
		}
		g.seen += f.seen
		g.node.merge(&f.node)
	}
}

// foldInto forgets the keys of n; values is what they have in common.
func (n *node) foldInto(values *node) {
	for _, f := range n.fields {
		n.keys += f.seen
	}
	n.fields, n.index = nil, nil
	n.rest = values
	n.folded = true
}

// size counts the nodes from n down.
func (n *node) size() int {
	if n.unknown {
		return 0
	}
	c := 1
	for _, f := range n.fields {
		c += f.node.size()
	}
	if n.items != nil {
		c += n.items.size()
	}
	if n.rest != nil {
		c += n.rest.size()
	}
	return c
}

// mapValues tells whether the objects at n are maps from names that are data (ids, dates, hosts)
// to values of one shape, and returns that shape, nil where they aren't: over mapKeys keys, and
// with several objects more than half of the keys in one object only.
func (n *node) mapValues(mapKeys int) *node {
	if n.folded {
		return n.rest
	}
	if n.unknown || n.rest != nil || len(n.fields) <= mapKeys {
		return nil
	}
	if n.objects > 1 {
		once := 0
		for _, f := range n.fields {
			if f.seen == 1 {
				once++
			}
		}
		if 2*once <= len(n.fields) {
			return nil
		}
	}
	var common uint8
	for _, f := range n.fields {
		k := kinds(f.types)
		if k == 0 {
			continue
		}
		if common != 0 && k != common {
			return nil
		}
		common = k
	}
	if bits.OnesCount8(common) > 1 {
		return nil
	}
	values := &node{}
	for _, f := range n.fields {
		values.merge(&f.node)
	}
	// Objects have one shape where all their keys together are few, where most keys recur, or where
	// they are maps in turn.
	if len(values.fields) > mapKeys && !values.recurs() && values.mapValues(mapKeys) == nil {
		return nil
	}
	return values
}

// recurs tells whether more than half of the keys are in half of the objects at least.
func (n *node) recurs() bool {
	often := 0
	for _, f := range n.fields {
		if 2*f.seen >= n.objects {
			often++
		}
	}
	return 2*often > len(n.fields)
}

// kinds are the types without null, integers and numbers being one.
func kinds(types uint8) uint8 {
	if types&isInteger != 0 {
		types = types&^isInteger | isNumber
	}
	return types &^ isNull
}

// largestMap finds the largest object that counts as a map, from n down.
func (n *node) largestMap(mapKeys int, best **node) {
	if n.unknown {
		return
	}
	if (*best == nil || n.largest > (*best).largest) && n.mapValues(mapKeys) != nil {
		*best = n
	}
	for _, f := range n.fields {
		f.node.largestMap(mapKeys, best)
	}
	if n.rest != nil {
		n.rest.largestMap(mapKeys, best)
	}
}
