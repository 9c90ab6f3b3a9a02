package engine

import (
	"math"
	"slices"
)

// A previewNode is a value that can be in a preview. Nodes stand in document order, so that the
// nodes in it are those up to end.
type previewNode struct {
	key    span   // from quote to quote; empty in an array and at the root
	value  span   // of a scalar; of a string that is cut up to the cut
	open   byte   // { or [; 0 for a scalar
	cut    int64  // characters left out of a string
	mark   string // stands at the end of a cut string for what the cut divides
	total  int    // members or elements of the payload's value
	index  int    // in the array around it
	parent int    // -1 for the root
	end    int    // the node after the last one in it
	depth  int    // from the root
	named  int    // itself, or the nearest around it whose path is short enough to name it
	path   int    // bytes of its path
	level  int    // the nodes of a higher level go first
	of     nodePart
}

// A nodePart says which part of a preview a node belongs to.
type nodePart uint8

const (
	inSpine  nodePart = iota // the records' array and what holds it
	isRecord                 // an element of the records' array
	inRecord
	inAround // a field beside the spine, and what is in it
)

// A previewTree holds what a preview can be made of: the spine, the first records and the fields
// around them, with strings and inner arrays already cut, and of what can't fit the budget only as
// much as shows that it does not.
type previewTree struct {
	p       []byte
	o       PreviewOptions
	nodes   []previewNode
	spine   []spineStep
	records recordsPlace
	found   bool   // there are records
	kept    int    // records that have a node
	holder  int    // the node of the records' array; -1 where no budget has room for it
	at      string // its path
	order   []int  // of each node the place in rank's order

	frames []treeFrame
	limit  int // bytes of one level that no budget has room for
	around levelSums
	record levelSums // of the current record
	spent  int       // bytes of the records so far
}

// levelSums are the bytes of the nodes so far, by depth.
type levelSums []int

func (s *levelSums) add(depth, bytes int) {
	for len(*s) <= depth {
		*s = append(*s, 0)
	}
	(*s)[depth] += bytes
}

func (s levelSums) at(depth int) int {
	if depth < len(s) {
		return s[depth]
	}
	return 0
}

// A treeFrame is an array or object that growPreview is in.
type treeFrame struct {
	node   int
	seen   int // members or elements so far
	depth  int // of its members, in their part
	spine  int // of the next step of the spine in here; 0 where there is none
	holder bool
}

// growPreview reads p once more and makes the tree.
func growPreview(p []byte, o PreviewOptions) *previewTree {
	t := &previewTree{p: p, o: o, limit: math.MaxInt, holder: -1}
	if o.Budget > 0 {
		t.limit = int(math.Min(o.Budget*mostBytes(o.Estimator)+1024, math.MaxInt32))
	}
	t.records = locateRecords(p, o.MapKeys)
	t.found = t.records.len() > 0
	t.spine = spineTo(p, skipSpace(p, 0))
	if t.found {
		t.spine = spineTo(p, t.records.start)
	}
	i := t.add(t.spine[0].start, span{}, 0, -1)
	for len(t.frames) > 0 {
		i = t.step(i)
	}
	if t.found {
		t.at = pathText(p, walkTo(p, skipSpace(p, 0), t.records.start))
	}
	return t
}

// mostBytes is the size of text that an estimator can take for one token, generously.
func mostBytes(e Estimator) float64 {
	if e.Exact() {
		return 256 // the longest token of the vocabularies is 128 spaces
	}
	return 32 // four characters of four bytes
}

// step goes from i to the next value of the innermost frame and takes it in or skips it.
func (t *previewTree) step(i int) int {
	p, f := t.p, &t.frames[len(t.frames)-1]
	i = skipSpace(p, i)
	switch p[i] {
	case ',':
		return i + 1
	case '}', ']':
		n := &t.nodes[f.node]
		n.total, n.end = f.seen, len(t.nodes)
		t.frames = t.frames[:len(t.frames)-1]
		return i + 1
	}
	if f.holder && (t.kept >= t.o.Records || t.spent > t.limit) {
		f.seen = t.records.count
		return t.records.end - 1
	}
	var key span
	if t.nodes[f.node].open == '{' {
		key = span{i, skipString(p, i)}
		i = skipSpace(p, key.end)
		i = skipSpace(p, i+1)
	}
	index := f.seen
	f.seen++
	onSpine := t.onSpine(f, i)
	if onSpine && t.nodes[f.node].depth >= t.limit/2 {
		return skipValue(p, i) // every level takes two bytes: there is no room for it
	}
	inner := t.nodes[f.node].open == '[' && t.nodes[f.node].of != inSpine
	if !onSpine && (inner && index >= t.o.InnerItems || t.full(f)) {
		return skipValue(p, i)
	}
	return t.add(i, key, index, f.node)
}

// full tells whether nodes in f have no chance to be in a preview.
func (t *previewTree) full(f *treeFrame) bool {
	sums := t.record
	switch t.nodes[f.node].of {
	case inSpine, inAround:
		sums = t.around
	}
	return !f.holder && (f.depth > t.limit/2 || sums.at(f.depth) > t.limit)
}

// add makes a node of the value at i, and a frame where it can hold others. It returns where to go
// on.
func (t *previewTree) add(i int, key span, index, parent int) int {
	n := previewNode{key: key, index: index, parent: parent, named: len(t.nodes), end: len(t.nodes) + 1}
	frame := treeFrame{node: len(t.nodes), depth: 1, spine: 1}
	if parent >= 0 {
		t.place(&n, &frame, i)
	}
	if frame.spine == len(t.spine) {
		frame.spine = 0
		frame.holder, t.holder = t.found, frame.node
	}
	next := i + 1
	switch c := t.p[i]; c {
	case '{', '[':
		n.open = c
		t.frames = append(t.frames, frame)
	case '"':
		n.value.start = i
		n.value.end, n.cut, next = cutString(t.p, i, t.o.StringChars)
		if t.o.Redact && n.cut > 0 {
			if at, kind := divided(t.p, i+1, n.value.end, next-1); kind != "" {
				n.value.end, n.mark = at, sensitiveMark(kind)
			}
		}
	default:
		next = skipScalar(t.p, i)
		n.value = span{i, next}
	}
	t.nodes = append(t.nodes, n)
	bytes := key.len() + n.value.len() + 3
	switch n.of {
	case inAround:
		t.around.add(frame.depth-1, bytes)
	case inRecord:
		t.record.add(frame.depth-1, bytes)
		t.spent += bytes
	case isRecord:
		t.spent += bytes
	}
	return next
}

// place says where a node that is not the root belongs, whose value is at i: in the innermost frame.
func (t *previewTree) place(n *previewNode, frame *treeFrame, i int) {
	f, around := &t.frames[len(t.frames)-1], &t.nodes[n.parent]
	n.depth, n.path = around.depth+1, around.path+n.key.len()+2
	if n.depth > pathSteps || n.path > pathBytes {
		n.named = around.named
	}
	frame.spine = 0
	switch {
	case f.holder:
		n.of, n.level = isRecord, 1
		t.kept++
		t.record = t.record[:0]
	case t.onSpine(f, i):
		n.of = inSpine
		frame.spine = f.spine + 1
	case around.of == inSpine || around.of == inAround:
		n.of, n.level = inAround, 2*f.depth+1
		frame.depth = f.depth + 1
	default:
		n.of, n.level = inRecord, 2*f.depth
		frame.depth = f.depth + 1
	}
}

// onSpine tells whether the value at i in f is the next step to the records.
func (t *previewTree) onSpine(f *treeFrame, i int) bool {
	return f.spine > 0 && t.spine[f.spine].start == i
}

// rank puts the nodes of a preview of this many records in the order in which they are kept: the
// spine, the records, then level by level.
func (t *previewTree) rank(records int) {
	t.order = make([]int, len(t.nodes))
	var in []int
	for i := 0; i < len(t.nodes); {
		if n := &t.nodes[i]; n.of == isRecord && n.index >= records {
			t.order[i] = math.MaxInt
			i = n.end
			continue
		}
		in = append(in, i)
		i++
	}
	slices.SortStableFunc(in, func(a, b int) int { return t.nodes[a].level - t.nodes[b].level })
	for at, i := range in {
		t.order[i] = at
	}
}
