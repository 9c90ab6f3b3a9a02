package history

import (
	"bytes"
	"iter"
	"sort"
	"strconv"
	"time"
)

// A value is a place in a document: no text is copied until it is asked for. The zero value is
// "nothing there"; every question about it has an empty answer. A value is good as long as its
// record is: until the next one is read.
type value struct {
	d *doc
	i uint32
}

func (v value) node() node {
	if v.d == nil {
		return node{}
	}
	return v.d.nodes[v.i]
}

func (v value) kind() kind     { return v.node().kind }
func (v value) ok() bool       { return v.d != nil }
func (v value) isText() bool   { return v.kind() == text }
func (v value) isObject() bool { return v.kind() == object }
func (v value) isArray() bool  { return v.kind() == array }

// given tells whether there is a value other than null.
func (v value) given() bool { return v.kind() > null }

// raw is the text of v as recorded, in the document's own bytes.
func (v value) raw() []byte {
	n := v.node()
	if n.kind == missing {
		return nil
	}
	return v.d.text[n.start:n.end]
}

// offset is where v begins in its source.
func (v value) offset() int64 {
	if v.d == nil {
		return 0
	}
	return v.d.base + int64(v.node().start)
}

// at says where v begins; in a nested document, where the string around it does.
func (v value) at() Location {
	if v.d == nil {
		return Location{}
	}
	if v.d.src != nil && len(v.d.src.places) > 0 {
		return v.d.src.placeOf(v.offset())
	}
	if v.d.inside != nil {
		return v.d.inside.at
	}
	start := v.node().start
	line := v.d.line + sort.Search(len(v.d.breaks), func(i int) bool { return v.d.breaks[i] > start })
	l := Location{Line: line, Offset: v.offset()}
	if v.d.src != nil {
		l.File = v.d.src.name
	}
	return l
}

// members lists the keys and values of an object in recorded order.
func (v value) members() iter.Seq2[value, value] {
	return func(yield func(value, value) bool) {
		if v.kind() != object {
			return
		}
		for i, end := v.i+1, v.node().next; i < end; {
			member := value{v.d, i + 1}
			if !yield(value{v.d, i}, member) {
				return
			}
			i = member.node().next
		}
	}
}

// elements lists the elements of an array.
func (v value) elements() iter.Seq[value] {
	return func(yield func(value) bool) {
		if v.kind() != array {
			return
		}
		for i, end := v.i+1, v.node().next; i < end; i = v.d.nodes[i].next {
			if !yield(value{v.d, i}) {
				return
			}
		}
	}
}

// get returns the member of this key, the last one where the key is repeated. With several keys it
// goes deeper.
func (v value) get(keys ...string) value {
	for _, key := range keys {
		var found value
		for k, m := range v.members() {
			if k.is(key) {
				found = m
			}
		}
		v = found
	}
	return v
}

// first returns the first element of an array.
func (v value) first() value {
	for e := range v.elements() {
		return e
	}
	return value{}
}

// keys lists the keys of an object.
func (v value) keys() []string {
	var s []string
	for k := range v.members() {
		s = append(s, k.str())
	}
	return s
}

// is tells whether v is this string.
func (v value) is(s string) bool {
	n := v.node()
	if n.kind != text {
		return false
	}
	if n.escaped {
		return v.str() == s
	}
	return string(v.d.text[n.start+1:n.end-1]) == s
}

// str is the text of a string, with its escapes undone; empty for anything else. Use payload for
// what may be long.
func (v value) str() string {
	n := v.node()
	if n.kind != text {
		return ""
	}
	raw := v.d.text[n.start+1 : n.end-1]
	if !n.escaped {
		return string(raw)
	}
	var b bytes.Buffer
	_, _, _ = unescape(&b, raw, true)
	return b.String()
}

// truth tells whether v is true.
func (v value) truth() bool { return v.kind() == boolean && v.raw()[0] == 't' }

// int64 is an integer, also one that was written as a string.
func (v value) int64() (int64, bool) {
	s := string(v.raw())
	switch v.kind() {
	case text:
		s = v.str()
	case number:
	default:
		return 0, false
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != f || f < -1<<62 || f > 1<<62 {
		return 0, false
	}
	return int64(f), true
}

// time reads a time: RFC 3339, or seconds, milliseconds, microseconds or nanoseconds since 1970 by
// their size. The zero time stands for none.
func (v value) time() time.Time {
	if v.isText() {
		s := v.str()
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999"} {
			if t, err := time.Parse(layout, s); err == nil {
				return t.UTC()
			}
		}
		return time.Time{}
	}
	if v.kind() != number {
		return time.Time{}
	}
	f, err := strconv.ParseFloat(string(v.raw()), 64)
	if err != nil || f <= 0 || f > 1<<62 {
		return time.Time{}
	}
	switch {
	case f < 1e11:
		return time.UnixMicro(int64(f * 1e6)).UTC()
	case f < 1e14:
		return time.UnixMilli(int64(f)).UTC()
	case f < 1e17:
		return time.UnixMicro(int64(f)).UTC()
	}
	n, _ := v.int64()
	return time.Unix(0, n).UTC()
}

// payload is the text of a string with its escapes undone, or the JSON text of any other value.
// What is missing or null is an empty payload.
func (v value) payload() Payload {
	if !v.given() {
		return Payload{}
	}
	if v.d.inside != nil {
		return newPayload(v.part())
	}
	t, size := v.text()
	return Payload{&contents{size: size, text: t}}
}

// part is v as one text part.
func (v value) part() Part {
	c, size := v.text()
	if v.d.inside != nil {
		return Part{Kind: Text, Size: size, data: nestedText{v.d.inside.text, c.off, c.n, c.escaped, c.replaced}}
	}
	return Part{Kind: Text, Size: size, data: c}
}

// text is where v's text lies, and its size once it is unescaped.
func (v value) text() (c sourceText, size Size) {
	n := v.node()
	c = sourceText{src: v.d.src, off: v.offset(), n: int64(n.end - n.start)}
	raw := v.raw()
	if n.kind == text {
		raw = raw[1 : len(raw)-1]
		c.off, c.n = c.off+1, c.n-2
		c.escaped = n.escaped
	}
	if c.escaped {
		size, c.replaced = unescapedSize(raw)
	} else {
		size = Measure(raw)
	}
	return c, size
}

// blob is v as a part that is not text: it counts with its recorded bytes.
func (v value) blob(k PartKind, media string) Part {
	if !v.ok() {
		return Part{Kind: k, Media: media}
	}
	n := int64(len(v.raw()))
	if v.isText() {
		n -= 2
	}
	raw := v.node()
	return Part{Kind: k, Media: media, Blob: n, recorded: sourceText{src: v.d.src, off: v.offset(), n: int64(raw.end - raw.start)}}
}

// arguments is what a call was given, and whether that is JSON: a value, or a string that holds
// one. Nothing at all is fine too.
func (v value) arguments() (Payload, bool) {
	p := v.payload()
	if !v.isText() {
		return p, true
	}
	if p.Size().Bytes == 0 {
		return p, true
	}
	raw := v.raw()
	raw = raw[1 : len(raw)-1]
	if !v.node().escaped {
		return p, valid(raw)
	}
	b := bytes.NewBuffer(make([]byte, 0, p.Size().Bytes))
	_, _, _ = unescape(b, raw, true)
	return p, valid(b.Bytes())
}
