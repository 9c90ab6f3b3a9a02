package history

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// A jsonOut writes JSON piece by piece. After an error it writes nothing more.
type jsonOut struct {
	w       *bufio.Writer
	lines   bool   // each line is a record: no line break inside
	more    bool   // a value was written, so that the next one needs a comma
	escaped []byte // of the text that is being written, to be used again
	err     error  // of the output, of a payload, or of whoever gives the results' texts
}

func (j *jsonOut) put(s string) {
	if j.err == nil {
		_, j.err = j.w.WriteString(s)
	}
}

func (j *jsonOut) comma() {
	if j.more {
		j.put(",")
	}
	j.more = true
}

// open begins an object or an array, close ends it.
func (j *jsonOut) open(bracket string) {
	j.comma()
	j.put(bracket)
	j.more = false
}

func (j *jsonOut) close(bracket string) {
	j.put(bracket)
	j.more = true
}

// line ends a record, where there is one.
func (j *jsonOut) line() {
	if j.more {
		j.put("\n")
	}
	j.more = false
}

// key begins a member.
func (j *jsonOut) key(name string) {
	j.comma()
	j.quote(name)
	j.put(":")
	j.more = false
}

// str writes a string, where there is a key.
func (j *jsonOut) str(s string) {
	j.comma()
	j.quote(s)
}

func (j *jsonOut) quote(s string) {
	j.put(`"`)
	_, _ = io.WriteString(escaper{j}, s)
	j.put(`"`)
}

// literal writes JSON of our own.
func (j *jsonOut) literal(s string) {
	j.comma()
	j.put(s)
}

// member writes a key and a string.
func (j *jsonOut) member(key, s string) {
	j.key(key)
	j.str(s)
}

// given is member where s is not empty.
func (j *jsonOut) given(key, s string) {
	if s != "" {
		j.member(key, s)
	}
}

// typed begins an object of a type.
func (j *jsonOut) typed(kind string) {
	j.open("{")
	j.member("type", kind)
}

// text writes the text parts of p as one string.
func (j *jsonOut) text(p Payload) {
	j.comma()
	j.put(`"`)
	if _, err := p.WriteTo(escaper{j}); err != nil && j.err == nil {
		j.err = err
	}
	j.put(`"`)
}

// part writes one text part as a string.
func (j *jsonOut) part(p Part) { j.text(newPayload(p)) }

// value writes JSON that was recorded, as it is. Between its values a line break becomes a space in JSON
// Lines.
func (j *jsonOut) value(c content) {
	j.comma()
	j.copy(c)
}

func (j *jsonOut) copy(c content) {
	if err := c.writeTo(flatWriter{j}); err != nil && j.err == nil {
		j.err = err
	}
}

// escaper writes the inside of a string.
type escaper struct{ j *jsonOut }

func (e escaper) Write(p []byte) (int, error) {
	if e.j.err != nil {
		return 0, e.j.err
	}
	b := e.j.escaped[:0]
	from := 0
	for i, c := range p {
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, p[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			const digits = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	e.j.escaped = b
	if _, e.j.err = e.j.w.Write(b); e.j.err == nil {
		_, e.j.err = e.j.w.Write(p[from:])
	}
	return len(p), e.j.err
}

// rawJSON is JSON that is at hand.
type rawJSON []byte

func (r rawJSON) writeTo(w io.Writer) error {
	_, err := w.Write(r)
	return err
}

// flatWriter writes JSON without line breaks where lines are records. In valid JSON these stand
// between values only.
type flatWriter struct{ j *jsonOut }

func (f flatWriter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0 && f.j.err == nil; {
		n := len(rest)
		if f.j.lines {
			if n = bytes.IndexAny(rest, "\r\n"); n == 0 {
				f.j.put(" ")
				rest = rest[1:]
				continue
			} else if n < 0 {
				n = len(rest)
			}
		}
		_, f.j.err = f.j.w.Write(rest[:n])
		rest = rest[n:]
	}
	return len(p), f.j.err
}

// skipper drops the first n bytes of what is written.
type skipper struct {
	w io.Writer
	n int
}

func (s *skipper) Write(p []byte) (int, error) {
	n := min(s.n, len(p))
	s.n -= n
	if n == len(p) {
		return n, nil
	}
	_, err := s.w.Write(p[n:])
	return len(p), err
}

var errEnough = errors.New("enough")

// headWriter keeps the first bytes of what is written, and stops the writing then.
type headWriter struct {
	b []byte
	n int
}

func (h *headWriter) Write(p []byte) (int, error) {
	n := min(len(p), h.n-len(h.b))
	h.b = append(h.b, p[:n]...)
	if len(h.b) == h.n {
		return n, errEnough
	}
	return n, nil
}

// head is the beginning of a part, at most n bytes: of its text, or of what was recorded for it.
func (p Part) head(n int) ([]byte, error) {
	c := p.data
	if p.Kind != Text {
		c = p.recorded
	}
	if c == nil {
		return nil, nil
	}
	h := &headWriter{n: n}
	if err := c.writeTo(h); err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return h.b, nil
}

// argumentsValue writes a call's arguments as a JSON value: what is no JSON, or would be read as
// something else, as a string. Nothing is no member.
func (j *jsonOut) argumentsValue(key string, p Payload) {
	if p.Size().Bytes == 0 {
		return
	}
	b, err := p.Bytes()
	if err != nil {
		j.err = firstError(j.err, err)
		return
	}
	j.key(key)
	v, bad := parse(nil, 0, 1, b)
	if bad != nil || v.isText() || !v.given() {
		j.text(p)
		return
	}
	j.value(rawJSON(v.raw()))
}

// firstError is the error that came first.
func firstError(first, then error) error {
	if first != nil {
		return first
	}
	return then
}
