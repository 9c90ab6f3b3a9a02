package history

import (
	"bytes"
	"io"
)

// Traces keep JSON documents as strings of a JSON document, often twice over. What is read of such
// a string stays in the recording like everything else.

// A container is the string that a nested document stands in.
type container struct {
	text content  // its text, the escapes undone
	at   Location // where it begins in the recording
}

// nestedDepth is how many strings are opened to get at a document.
const nestedDepth = 3

// nested returns the object or array that a string holds as JSON. Anything else is returned as it is.
func nested(v value) value {
	if inner := unquoted(v); inner.isObject() || inner.isArray() {
		return inner
	}
	return v
}

// unquoted opens a string that holds JSON, down to what is an object, an array or plain text.
func unquoted(v value) value {
	inner := v
	for range nestedDepth {
		if !inner.isText() || !opensDocument(inner) {
			break
		}
		raw := inner.raw()
		raw = raw[1 : len(raw)-1]
		var b bytes.Buffer
		b.Grow(len(raw))
		_, _, _ = unescape(&b, raw, true)
		opened, bad := parse(nil, 0, 0, b.Bytes())
		if bad != nil {
			break
		}
		opened.d.inside = &container{text: inner.part().data, at: inner.at()}
		inner = opened
	}
	return inner
}

// cutDocument is the document that a string holds up to where its text ends inside it: recorders
// cut long strings. It is false for any other string.
func cutDocument(v value) (d *doc, end int, cut bool) {
	if !v.isText() || !opensDocument(v) {
		return nil, 0, false
	}
	raw := v.raw()
	var b bytes.Buffer
	_, _, _ = unescape(&b, raw[1:len(raw)-1], true)
	d = &doc{text: b.Bytes(), open: noNode, inside: &container{text: v.part().data, at: v.at()}}
	done, bad := d.scan()
	if bad != nil {
		return d, bad.pos, bad.cut
	}
	return d, d.pos, !done
}

// completePart is what is complete of a document that was cut; nothing where v holds none.
func completePart(v value) value {
	if d, end, cut := cutDocument(v); cut && d.salvage(end) {
		return d.root()
	}
	return value{}
}

// opensDocument tells whether the text of a string begins like a document, or like a string that
// may hold one.
func opensDocument(v value) bool {
	start := bytes.TrimLeft([]byte(head(v, 16)), " \t\r\n")
	return len(start) > 0 && (start[0] == '{' || start[0] == '[' || start[0] == '"')
}

// held parses a document that stands in the recording in another spelling only, at the given place.
func held(text []byte, at Location) value {
	v, bad := parse(nil, 0, 0, text)
	if bad != nil {
		return value{}
	}
	v.d.inside = &container{text: bytesContent(text), at: at}
	return v
}

// nestedText is text in a nested document.
type nestedText struct {
	in       content
	off, n   int64 // in the container's text, without quotes
	escaped  bool  // the inside of a JSON string with escapes
	replaced bool  // it has halves of surrogate pairs
}

func (t nestedText) writeTo(w io.Writer) error {
	cut := &window{skip: t.off, left: t.n, w: w}
	if !t.escaped {
		return t.in.writeTo(cut)
	}
	u := &unescaper{w: w}
	cut.w = u
	if err := t.in.writeTo(cut); err != nil {
		return err
	}
	return u.flush()
}

// A window passes on what is written behind its first skip bytes, and no more than left bytes.
type window struct {
	skip, left int64
	w          io.Writer
}

func (c *window) Write(p []byte) (int, error) {
	n := len(p)
	if s := min(c.skip, int64(len(p))); s > 0 {
		c.skip -= s
		p = p[s:]
	}
	p = p[:min(int64(len(p)), c.left)]
	if len(p) == 0 {
		return n, nil
	}
	c.left -= int64(len(p))
	_, err := c.w.Write(p)
	return n, err
}

// An unescaper undoes the escapes of a JSON string that is written to it in pieces.
type unescaper struct {
	w    io.Writer
	rest []byte
}

func (u *unescaper) Write(p []byte) (int, error) {
	text := p
	if len(u.rest) > 0 {
		u.rest = append(u.rest, p...)
		text = u.rest
	}
	used, _, err := unescape(u.w, text, false)
	u.rest = append(u.rest[:0], text[used:]...)
	return len(p), err
}

func (u *unescaper) flush() error {
	_, _, err := unescape(u.w, u.rest, true)
	return err
}
