package history

import "bytes"

// A node is one value of a document, or the key of a member. The nodes of a document lie in the
// order of the text: a container's children follow it, and next tells where it ends.
type node struct {
	start, end uint32 // bytes in the document's text, quotes included
	next       uint32 // the node after this value; the enclosing container while this one is open
	kind       kind
	escaped    bool // a string with escapes in it
}

// kind is the type of a JSON value.
type kind uint8

const (
	missing kind = iota // no value at all
	null
	boolean
	number
	text
	array
	object
)

// maxText is the largest text that one record may have, in bytes.
const maxText = 1<<32 - 2

// noNode is the container of the root.
const noNode = 1<<32 - 1

// A doc is one JSON value with an index of everything in it. Its scanner takes the text in pieces
// that end between tokens, and has no recursion: depth costs 16 bytes a level.
type doc struct {
	src    *source
	inside *container // the string that the document stands in; nil for the recording's own
	base   int64      // where text begins in the source
	line   int        // the line in which text begins
	text   []byte
	nodes  []node
	breaks []uint32 // where further lines begin in text

	pos   int
	open  uint32 // the innermost open container
	state scanState
}

type scanState uint8

const (
	wantValue scanState = iota
	wantFirst           // a value or the end of an array
	wantKeyOrEnd
	wantKey
	wantColon
	wantComma // or the end of the container
	scanned
)

// A syntaxError says why a text is not JSON. cut tells that the text ended inside a value.
type syntaxError struct {
	pos    int
	reason string
	cut    bool
}

func (e *syntaxError) Error() string { return e.reason }

func (d *doc) reset(src *source, base int64, line int) {
	d.src, d.inside, d.base, d.line = src, nil, base, line
	d.text, d.nodes, d.breaks = nil, d.nodes[:0], d.breaks[:0]
	d.pos, d.open, d.state = 0, noNode, wantValue
}

// parse scans a text that has to be one value with nothing but white space around it.
func parse(src *source, base int64, line int, p []byte) (value, *syntaxError) {
	d := &doc{}
	d.reset(src, base, line)
	d.text = p
	done, err := d.scan()
	switch {
	case err != nil:
		return value{}, err
	case !done:
		return value{}, &syntaxError{len(p), "the text ends inside a value", true}
	}
	if i := skipSpace(p, d.pos); i < len(p) {
		return value{}, &syntaxError{i, "there is something after the value", false}
	}
	return d.root(), nil
}

// valid tells whether p is one JSON value.
func valid(p []byte) bool {
	_, err := parse(nil, 0, 1, p)
	return err == nil
}

func (d *doc) root() value {
	if len(d.nodes) == 0 {
		return value{}
	}
	return value{d, 0}
}

// scan goes on where it stopped. It returns true at the end of the value, and false where the text
// ends before that, but not inside a token: more text may be added then.
func (d *doc) scan() (bool, *syntaxError) {
	p, i := d.text, d.pos
	if len(p) > maxText {
		return false, &syntaxError{0, "the value is larger than 4 GiB", false}
	}
	for {
		i = skipSpace(p, i)
		if d.state == scanned {
			d.pos = i
			return true, nil
		}
		if i >= len(p) {
			d.pos = i
			return false, nil
		}
		c := p[i]
		switch d.state {
		case wantColon:
			if c != ':' {
				return false, d.fail(i, "a colon is missing after a key")
			}
			i++
			d.state = wantValue
			continue
		case wantComma:
			inArray := d.nodes[d.open].kind == array
			switch {
			case c == ',' && inArray:
				d.state = wantValue
			case c == ',':
				d.state = wantKey
			case c == ']' && inArray, c == '}' && !inArray:
				d.close(i + 1)
			case inArray:
				return false, d.fail(i, "a comma or ] is missing in an array")
			default:
				return false, d.fail(i, "a comma or } is missing in an object")
			}
			i++
			if d.state == scanned {
				d.pos = i
				return true, nil
			}
			continue
		case wantKeyOrEnd, wantKey:
			if c == '}' && d.state == wantKeyOrEnd {
				i++
				d.close(i)
				break
			}
			if c != '"' {
				return false, d.fail(i, "a key in quotes is missing in an object")
			}
			end, escaped, err := scanString(p, i)
			if err != nil {
				d.pos = i
				return false, err
			}
			d.add(i, end, text, escaped)
			i = end
			d.state = wantColon
			continue
		case wantFirst:
			if c == ']' {
				i++
				d.close(i)
				break
			}
			fallthrough
		default:
			end, err := d.scanValue(i)
			if err != nil {
				d.pos = i
				return false, err
			}
			i = end
		}
		if d.state == scanned {
			d.pos = i
			return true, nil
		}
	}
}

// minusInfinity, Infinity and NaN are no JSON, but Python writes them into its own: nothing is there.
var minusInfinity = []byte("-Infinity")

// scanValue takes a scalar, or the opening bracket of a container.
func (d *doc) scanValue(i int) (int, *syntaxError) {
	p := d.text
	switch c := p[i]; {
	case c == '{':
		d.push(i, object, wantKeyOrEnd)
		return i + 1, nil
	case c == '[':
		d.push(i, array, wantFirst)
		return i + 1, nil
	case c == '"':
		end, escaped, err := scanString(p, i)
		if err != nil {
			return i, err
		}
		d.add(i, end, text, escaped)
		d.after()
		return end, nil
	case c == '-' && bytes.HasPrefix(p[i:], minusInfinity):
		d.add(i, i+len(minusInfinity), null, false)
		d.after()
		return i + len(minusInfinity), nil
	case c == '-' || c >= '0' && c <= '9':
		end, err := scanNumber(p, i)
		if err != nil {
			return i, err
		}
		d.add(i, end, number, false)
		d.after()
		return end, nil
	default:
		for _, w := range [...]struct {
			word string
			kind kind
		}{{"true", boolean}, {"false", boolean}, {"null", null}, {"NaN", null}, {"Infinity", null}} {
			if c != w.word[0] {
				continue
			}
			n := 0
			for n < len(w.word) && i+n < len(p) && p[i+n] == w.word[n] {
				n++
			}
			if n == len(w.word) {
				d.add(i, i+n, w.kind, false)
				d.after()
				return i + n, nil
			}
			if i+n == len(p) {
				return i, &syntaxError{i + n, "the text ends inside a word", true}
			}
			return i, &syntaxError{i, "a word is neither true, false nor null", false}
		}
		return i, &syntaxError{i, "a value is missing", false}
	}
}

func (d *doc) fail(i int, reason string) *syntaxError {
	d.pos = i
	return &syntaxError{i, reason, false}
}

func (d *doc) add(start, end int, k kind, escaped bool) {
	d.nodes = append(d.nodes, node{uint32(start), uint32(end), uint32(len(d.nodes) + 1), k, escaped})
}

func (d *doc) push(start int, k kind, s scanState) {
	d.nodes = append(d.nodes, node{start: uint32(start), next: d.open, kind: k})
	d.open = uint32(len(d.nodes) - 1)
	d.state = s
}

// close ends the innermost container at end.
func (d *doc) close(end int) {
	n := &d.nodes[d.open]
	n.end = uint32(end)
	n.next, d.open = uint32(len(d.nodes)), n.next
	d.after()
}

func (d *doc) after() {
	d.state = wantComma
	if d.open == noNode {
		d.state = scanned
	}
}

// salvage makes a value of what was complete before an error: the outermost open array that has a
// complete element keeps its complete elements, everything around it is closed. It returns false
// where nothing is worth keeping. An incomplete element is dropped as a whole, since a result
// without its end is no result.
func (d *doc) salvage(end int) bool {
	var chain []uint32 // open containers, outermost last
	for c := d.open; c != noNode; c = d.nodes[c].next {
		chain = append(chain, c)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		c := chain[i]
		if d.nodes[c].kind != array {
			continue
		}
		keep := uint32(len(d.nodes))
		if i > 0 {
			keep = chain[i-1] // the element that is still open
		}
		if keep == c+1 {
			continue
		}
		d.nodes = d.nodes[:keep]
		d.open = c
		for d.open != noNode {
			d.close(end)
		}
		d.text = d.text[:end]
		return true
	}
	return false
}
