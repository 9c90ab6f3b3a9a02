package engine

import (
	"slices"

	"floodmark/history"
)

// Scan reads a payload once. It takes any bytes, and any depth of nesting.
func Scan(p []byte, o ScanOptions) *Facts {
	if o.MapKeys <= 0 {
		o.MapKeys = defaultMapKeys
	}
	f := &Facts{FirstBadUTF8: -1, Records: -1}
	if len(p) == 0 {
		f.Kind = Empty
		return f
	}
	s := &scanner{p: p, o: o, any: anyNode()}
	root := &node{}
	if !s.run(root) {
		s.describeInvalid(f)
		return f
	}
	s.describe(f, root)
	if o.Shape {
		f.Shape = &Shape{root: root}
	}
	return f
}

// A scanner walks a JSON text once, without recursion, and gathers the facts on its way.
type scanner struct {
	p   []byte
	o   ScanOptions
	any *node // where nothing is learnt of a structure
	// bare checks the grammar only; it is for texts inside strings.
	bare  bool
	stack []frame
	depth int // the deepest so far

	failure failure

	strs     StringFacts
	largest  mark
	json     mark
	escaped  bool // the string passed last holds a backslash
	breaks   int  // line breaks in white space; a valid text has no others
	trailing int  // continuation bytes of UTF-8
	astral   int  // characters of two UTF-16 code units
	lone     int

	arrays     []candidate
	keys       []keyRef // of the open objects whose keys no node remembers
	duplicates int
	duplicate  mark // the first; its offset is 0 without one
	members    []Member
	previous   int // the end of the last top-level member, -1 before it
	deeper     mark
	buf        []byte
	nodes      int // nodes made
}

// A frame is an open array or object.
type frame struct {
	start  int   // the opening bracket
	at     int   // of an object: the current member's key; of an array: the current index
	node   *node // what is learnt at this place
	next   int32 // the place in node.fields where the next key is expected
	object bool
}

// run reads one text into root. Where it is not JSON, s.failure says why.
//
// The labels are the states of the grammar: before a value, after one, before a key, after a
// closing bracket. The stack of frames takes the place of recursion, so that depth costs memory
// only; nothing is allocated for a value.
func (s *scanner) run(root *node) bool {
	p := s.p
	s.previous = -1
	i := s.space(0)
	n := root // of the value to read next
	where := inRoot
	var top *frame
	var k, e int

value:
	if i >= len(p) {
		return s.fail(i, where)
	}
	switch c := p[i]; c {
	case '"':
		s.escaped = false
		if e = s.str(i + 1); e < 0 {
			return false
		}
		n.types |= isString
		if !s.bare {
			s.stringValue(i, e)
		}
		i = e
	case '{', '[':
		object := c == '{'
		if object {
			n.types |= isObject
			n.objects++
		} else {
			n.types |= isArray
		}
		if len(s.stack) >= maxShapeDepth {
			n.cut = true
			n = s.any
		}
		if len(s.stack) == cap(s.stack) {
			s.stack = slices.Grow(s.stack, len(s.stack)+8) // by less, millions of levels are copied too often
		}
		s.stack = append(s.stack, frame{start: i, node: n, object: object})
		top = &s.stack[len(s.stack)-1]
		s.depth = max(s.depth, len(s.stack))
		i++
		if i < len(p) && p[i] <= ' ' {
			i = s.space(i)
		}
		if object {
			if i < len(p) && p[i] == '}' {
				i++
				goto closed
			}
			where = inKey
			goto key
		}
		if i < len(p) && p[i] == ']' {
			top.at = -1
			i++
			goto closed
		}
		n = s.itemsOf(n)
		where = inElement
		goto value
	case 't':
		if i+4 > len(p) || string(p[i:i+4]) != "true" {
			return s.failWord(i, "true", where)
		}
		n.types |= isBoolean
		i += 4
	case 'f':
		if i+5 > len(p) || string(p[i:i+5]) != "false" {
			return s.failWord(i, "false", where)
		}
		n.types |= isBoolean
		i += 5
	case 'n':
		if i+4 > len(p) || string(p[i:i+4]) != "null" {
			return s.failWord(i, "null", where)
		}
		n.types |= isNull
		i += 4
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		var fraction bool
		if i, fraction = s.number(i); i < 0 {
			return false
		}
		if fraction {
			n.types |= isNumber
		} else {
			n.types |= isInteger
		}
	default:
		return s.fail(i, where)
	}

after:
	if top == nil {
		if i < len(p) && p[i] <= ' ' {
			i = s.space(i)
		}
		if i < len(p) {
			return s.fail(i, afterRoot)
		}
		return true
	}
	if len(s.stack) == 1 && top.object {
		s.endTopMember(i)
	}
	if i < len(p) && p[i] <= ' ' {
		i = s.space(i)
	}
	if i >= len(p) {
		return s.fail(i, afterValue)
	}
	switch {
	case p[i] == ',':
		i++
		if i < len(p) && p[i] <= ' ' {
			i = s.space(i)
		}
		if top.object {
			where = inNextKey
			goto key
		}
		top.at++
		n = top.node.items
		where = inNextElement
		goto value
	case p[i] == '}' && top.object, p[i] == ']' && !top.object:
		i++
		goto closed
	}
	return s.fail(i, afterValue)

key:
	if i >= len(p) || p[i] != '"' {
		return s.fail(i, where)
	}
	k = i
	top.at = k
	n = nil
	// The key that stood at this place last time, compared in one go.
	if int(top.next) < len(top.node.fields) {
		f := top.node.fields[top.next]
		if e = k + 1 + len(f.raw); e < len(p) && p[e] == '"' && string(p[k+1:e]) == f.raw && f.at < top.start {
			e++
			f.at = k
			f.seen++
			top.next++
			n = &f.node
			if f.odd {
				s.count(f.cost)
			}
		}
	}
	if n == nil {
		s.escaped = false
		lone, trailing, astral := s.lone, s.trailing, s.astral
		if e = s.str(k + 1); e < 0 {
			return false
		}
		n = s.any
		if !s.bare {
			n = s.member(top, k, e, keyCost{s.lone - lone, s.trailing - trailing, s.astral - astral})
		}
	}
	i = e
	if i < len(p) && p[i] <= ' ' {
		i = s.space(i)
	}
	if i >= len(p) || p[i] != ':' {
		return s.fail(i, afterKey)
	}
	i++
	if i < len(p) && p[i] <= ' ' {
		i = s.space(i)
	}
	where = inMember
	goto value

closed:
	if !s.bare {
		s.close(top, i)
	}
	s.stack = s.stack[:len(s.stack)-1]
	top = nil
	if len(s.stack) > 0 {
		top = &s.stack[len(s.stack)-1]
	}
	goto after
}

// count adds the cost of a key that was recognised without reading it.
func (s *scanner) count(c keyCost) {
	s.lone += c.lone
	s.trailing += c.trailing
	s.astral += c.astral
}

// valid tells whether p is one JSON text.
func valid(p []byte) bool {
	s := scanner{p: p, bare: true, any: anyNode()}
	return s.run(s.any)
}

// describe fills f with the facts of a valid payload.
func (s *scanner) describe(f *Facts, root *node) {
	f.Valid = true
	switch {
	case root.types&isObject != 0:
		f.Kind = Object
	case root.types&isArray != 0:
		f.Kind = Array
	default:
		f.Kind = Scalar
	}
	f.Size = history.Size{Bytes: int64(len(s.p)), Chars: int64(len(s.p) - s.trailing)}
	f.Size.UTF16 = f.Size.Chars + int64(s.astral)
	f.Lines = s.breaks
	if s.p[len(s.p)-1] != '\n' {
		f.Lines++
	}
	f.Depth = s.depth
	f.LoneSurrogates = s.lone

	f.Strings = s.strs
	if s.strs.Count > 0 {
		f.Strings.Largest.Path = pathTo(s.p, s.largest)
	}
	if s.strs.JSONCount > 0 {
		f.Strings.LargestJSON.Path = pathTo(s.p, s.json)
	}
	f.Duplicates = s.duplicates
	if s.duplicates > 0 {
		f.FirstDuplicate = &Place{pathTo(s.p, s.duplicate), int64(s.duplicate.offset)}
	}
	f.Members = s.members
	if s.deeper.offset > 0 {
		f.DeeperKey = pathTo(s.p, s.deeper)
	}
	f.Records, f.RecordsPath = s.records(root)
}
