package engine

import (
	"slices"
	"strconv"
)

const (
	// previewLines is the number of lines below a preview that say what is left out. Where there
	// would be more, the deepest are told together with others of the part that they are in.
	previewLines = 12
	// A line names a part by a path of at most this many steps and about as many bytes; what is
	// deeper is told with the part around it.
	pathSteps, pathBytes = 32, 160
)

// line is how a preview's text tells an omission.
func (o Omission) line() string {
	unit := o.Unit
	if unit == "chars" {
		unit = "characters"
	}
	if o.N == 1 {
		unit = unit[:len(unit)-1]
	}
	return o.Path + ": left out " + strconv.FormatInt(o.N, 10) + " " + unit
}

// A leftOut is what is missing from one node, or in several of the same path.
type leftOut struct {
	node    int // the first
	several bool
	n       int64
	unit    string
}

// omissions merges what is left out, given in document order, to at most so many lines, or to one
// for each unit if that is more. The line of the records is always there.
func (t *previewTree) omissions(left []leftOut, lines int) []Omission {
	for i := range left {
		left[i].node = t.nodes[left[i].node].named
	}
	left = t.merge(left)
	for len(left) > lines && t.lift(left, len(left)-lines) {
		left = t.merge(left)
	}
	out := make([]Omission, len(left))
	for i, l := range left {
		out[i] = Omission{Path: t.path(l.node, l.several), N: l.n, Unit: l.unit}
	}
	return out
}

// lift moves the deepest of left to the part around them, the last part first, until so many less
// remain when they are merged, as far as can be told. It returns false where all are at the root.
func (t *previewTree) lift(left []leftOut, less int) bool {
	deepest := 0
	for _, l := range left {
		if l.unit != "records" {
			deepest = max(deepest, t.nodes[l.node].depth)
		}
	}
	if deepest == 0 {
		return false
	}
	part := -1
	for i := len(left) - 1; i >= 0; i-- {
		n := &t.nodes[left[i].node]
		if n.depth != deepest || left[i].unit == "records" {
			continue
		}
		if n.parent == part {
			less--
		} else if less <= 0 {
			break
		}
		part = n.parent
		left[i].node = part
	}
	return true
}

// merge adds up what has one unit and one path, with [] for any element.
func (t *previewTree) merge(left []leftOut) []leftOut {
	type place struct{ path, unit string }
	at := make(map[place]int, len(left))
	merged := left[:0]
	for _, l := range left {
		key := place{t.path(l.node, true), l.unit}
		i, ok := at[key]
		if !ok {
			at[key] = len(merged)
			merged = append(merged, l)
			continue
		}
		m := &merged[i]
		m.n += l.n
		m.several = m.several || l.several || m.node != l.node
	}
	return merged
}

// path is the jq path of a node, with [] for any element if it stands for several. A folded map's
// entries count as elements.
func (t *previewTree) path(node int, several bool) string {
	var steps []int
	for ; t.nodes[node].parent >= 0; node = t.nodes[node].parent {
		steps = append(steps, node)
	}
	if len(steps) == 0 {
		return "."
	}
	slices.Reverse(steps)
	var path []byte
	for _, i := range steps {
		n := &t.nodes[i]
		inArray := n.key.len() == 0
		switch {
		case several && (inArray && n.of != inSpine || n.of == isRecord):
			path = appendIndex(path, "")
		case inArray:
			path = appendIndex(path, strconv.Itoa(n.index))
		default:
			path = appendKey(path, string(unquote(nil, t.p[n.key.start:n.key.end], false)))
		}
	}
	return string(path)
}
