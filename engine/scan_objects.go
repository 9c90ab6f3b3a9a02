package engine

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
)

// A candidate is the largest array so far in an open container, or in one just closed.
type candidate struct {
	depth int // of the container it is in; the root is 1
	size  int // bytes of the largest array
	// The array that holds its data: itself, or one inside its only element.
	start, count int
}

// A keyRef is a key of an object whose keys no node remembers.
type keyRef struct {
	hash   uint64
	key    int // the opening quote
	object int // the object's opening bracket
}

// close takes note of the container that ends before i.
func (s *scanner) close(f *frame, i int) {
	depth := len(s.stack)
	inside := len(s.arrays) > 0 && s.arrays[len(s.arrays)-1].depth == depth+1
	if f.object {
		f.node.noteLargest(i-f.start, f.start)
		if n := len(s.keys); n > 0 && s.keys[n-1].object == f.start {
			s.checkKeys(f)
		}
		if !inside {
			return
		}
	}
	var c candidate
	if inside {
		c = s.arrays[len(s.arrays)-1]
		s.arrays = s.arrays[:len(s.arrays)-1]
	}
	if !f.object {
		c.size = i - f.start
		if count := f.at + 1; count != 1 || !inside {
			c.start, c.count = f.start, count
		}
	}
	c.depth = depth
	if n := len(s.arrays); n > 0 && s.arrays[n-1].depth == depth {
		if c.size > s.arrays[n-1].size {
			s.arrays[n-1] = c
		}
		return
	}
	s.arrays = append(s.arrays, c)
}

// records finds the array that holds the data; without one, the largest map.
func (s *scanner) records(root *node) (count int, path string) {
	if len(s.arrays) > 0 {
		return s.arrays[0].count, s.pathOf(s.arrays[0].start)
	}
	var m *node
	root.largestMap(s.o.MapKeys, &m)
	if m == nil {
		return -1, ""
	}
	return s.countMembers(m.largestAt), s.pathOf(m.largestAt)
}

// pathOf is the path of the container at offset.
func (s *scanner) pathOf(offset int) string {
	return pathText(s.p, walkTo(s.p, skipSpace(s.p, 0), offset))
}

// countMembers counts the different keys of the object at start.
func (s *scanner) countMembers(start int) int {
	var keys map[string]bool
	if s.duplicates > 0 {
		keys = map[string]bool{}
	}
	count, depth, expectKey := 0, 0, false
	for i := start; ; {
		switch c := s.p[i]; c {
		case '{', '[':
			depth++
			expectKey = depth == 1
			i++
		case '}', ']':
			if depth--; depth == 0 {
				return count
			}
			i++
		case ',':
			expectKey = depth == 1
			i++
		case '"':
			e := skipString(s.p, i)
			if expectKey {
				count++
				expectKey = false
				if keys != nil {
					key := string(unquote(nil, s.p[i:e], true))
					if keys[key] {
						count--
					}
					keys[key] = true
				}
			}
			i = e
		default:
			i++
		}
	}
}

// keyCost is what a key adds to the counts of a text.
type keyCost struct{ lone, trailing, astral int }

// member takes note of the key from the quote at k to the one before e, which did not stand at
// this place last time, and returns the node of its value.
func (s *scanner) member(top *frame, k, e int, cost keyCost) *node {
	name := s.p[k+1 : e-1]
	if s.escaped {
		s.buf = unquote(s.buf[:0], s.p[k:e], true)
		name = s.buf
	}
	if s.o.Key != "" && string(name) == s.o.Key {
		s.wantedKey(k) // one that a node remembers is not the first of its kind
	}
	n := top.node
	f, pos := n.find(name, int(top.next))
	if f == nil && n.rest == nil && cost.lone == 0 && s.nodes < maxNodes {
		f, pos = n.add(string(name)), len(n.fields)-1
		s.nodes++
		f.raw = f.name
		if s.escaped {
			f.raw = string(s.p[k+1 : e-1])
		}
		f.cost = cost
		f.odd = cost != keyCost{}
		if len(n.fields) >= foldCheck && len(n.fields)&(len(n.fields)-1) == 0 {
			if v := n.mapValues(s.o.MapKeys); v != nil {
				f.at, f.seen = k, 1
				s.foldEarly(top, v)
				return n.rest
			}
		}
	}
	if f == nil {
		if n.rest == nil {
			n.rest = s.any
		}
		n.keys++
		s.keys = append(s.keys, keyRef{maphash.Bytes(keySeed, name), k, top.start})
		return n.rest
	}
	top.next = int32(pos) + 1
	if f.at > top.start {
		s.duplicateKey(k)
	} else {
		f.seen++
	}
	f.at = k
	return &f.node
}

// keySeed only speeds up a comparison: equal hashes are compared as keys.
var keySeed = maphash.MakeSeed()

// foldEarly turns the node of an open object into a map, so that a payload with ever new keys
// takes bounded memory.
func (s *scanner) foldEarly(top *frame, values *node) {
	n := top.node
	before := n.size()
	for _, f := range n.fields {
		if f.at > top.start {
			s.keys = append(s.keys, keyRef{maphash.String(keySeed, f.name), f.at, top.start})
		}
	}
	n.foldInto(values)
	s.nodes += n.size() - before
}

// wantedKey takes note of a key that was asked for.
func (s *scanner) wantedKey(k int) {
	if len(s.stack) > 1 {
		if s.deeper.offset == 0 {
			s.deeper = s.mark(k)
		}
		return
	}
	s.members = append(s.members, Member{Key: int64(k), Value: -1, End: -1, Prev: int64(s.previous), Next: -1})
}

// endTopMember takes note that a member of the root object ends before i.
func (s *scanner) endTopMember(i int) {
	s.previous = i
	for n := len(s.members) - 1; n >= 0 && s.members[n].Next < 0; n-- {
		m := &s.members[n]
		if m.End < 0 {
			m.End = int64(i)
			colon := skipSpace(s.p, skipString(s.p, int(m.Key)))
			m.Value = int64(skipSpace(s.p, colon+1))
			continue
		}
		m.Next = int64(s.stack[0].at)
	}
}

// duplicateKey counts a member whose key is in its object already.
func (s *scanner) duplicateKey(k int) {
	s.duplicates++
	if s.duplicate.offset == 0 || k < s.duplicate.offset {
		s.duplicate = s.mark(k)
	}
}

// checkKeys counts the duplicates among the keys of f that no node remembers.
func (s *scanner) checkKeys(f *frame) {
	from := len(s.keys)
	for from > 0 && s.keys[from-1].object == f.start {
		from--
	}
	keys := s.keys[from:]
	s.keys = s.keys[:from]
	slices.SortFunc(keys, func(a, b keyRef) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.key, b.key))
	})
	for i := 1; i < len(keys); i++ {
		if keys[i].hash == keys[i-1].hash && bytes.Equal(s.keyText(keys[i].key), s.keyText(keys[i-1].key)) {
			f.at = keys[i].key // the mark takes the path from here
			s.duplicateKey(keys[i].key)
			f.node.keys--
		}
	}
}

func (s *scanner) keyText(k int) []byte {
	return unquote(nil, s.p[k:skipString(s.p, k)], true)
}
