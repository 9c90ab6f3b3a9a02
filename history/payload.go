package history

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
)

// Size is the size of a text by every unit that an estimator can start from.
type Size struct {
	Bytes int64 // UTF-8 bytes
	Chars int64 // Unicode code points; an invalid byte is one
	UTF16 int64 // UTF-16 code units
}

// Add returns the sum of both sizes.
func (s Size) Add(t Size) Size {
	return Size{s.Bytes + t.Bytes, s.Chars + t.Chars, s.UTF16 + t.UTF16}
}

// A PartKind says what a part of a payload is.
type PartKind string

// Kinds of parts. Only text counts in a payload's size.
const (
	Text     PartKind = "text"
	Image    PartKind = "image"
	Audio    PartKind = "audio"
	Document PartKind = "document"
	Resource PartKind = "resource"
	Other    PartKind = "other"
)

// A Part is one piece of a payload.
type Part struct {
	Kind  PartKind
	Media string // media type or the recording's own word for it; empty for plain text
	Size  Size   // the decoded text's; zero for parts that are not text
	Blob  int64  // bytes as recorded of a part that is not text
	data  content

	recorded content // the JSON value of a part that is not text, as recorded; nil where it is not known
}

// content makes the bytes of a text part. Implementations are safe for use by several goroutines.
type content interface {
	writeTo(w io.Writer) error
}

// A Payload is the text of a result (or a prompt, a model's words, a call's arguments) with the
// recording's own escaping undone once, byte for byte. The bytes are read when asked for.
// The zero value is an empty payload.
type Payload struct {
	parts []Part
	size  Size
}

// Of makes a payload of the given text, held in memory.
func Of(text string) Payload {
	b := bytesContent(text)
	return newPayload(Part{Kind: Text, Size: Measure(b), data: b})
}

// A Generator makes the bytes of a payload that exists only as a rule, always the same ones.
type Generator struct {
	Size Size
	// SHA256 is the known hash of the bytes, in lower-case hex; it is trusted.
	SHA256 string
	Write  func(io.Writer) error
}

// Generated makes a payload from g; nothing is generated until its bytes are asked for.
func Generated(g Generator) Payload {
	return newPayload(Part{Kind: Text, Size: g.Size, data: generatedContent{g}})
}

func newPayload(parts ...Part) Payload {
	p := Payload{parts: parts}
	for _, q := range parts {
		p.size = p.size.Add(q.Size)
	}
	return p
}

// join returns p with the parts of more behind its own.
func (p Payload) join(more Payload) Payload {
	if len(p.parts) == 0 {
		return more
	}
	return Payload{append(p.parts[:len(p.parts):len(p.parts)], more.parts...), p.size.Add(more.size)}
}

// replaced tells whether U+FFFD stands in p for half a surrogate pair.
func (p Payload) replaced() bool {
	return slices.ContainsFunc(p.parts, func(q Part) bool {
		switch t := q.data.(type) {
		case sourceText:
			return t.replaced
		case nestedText:
			return t.replaced
		}
		return false
	})
}

// Size is the sum over the text parts, without joiners.
func (p Payload) Size() Size { return p.size }

// Parts lists the parts in recorded order. The slice is p's own: read only.
func (p Payload) Parts() []Part { return p.parts }

// WriteTo writes the text parts one after another, in little memory.
func (p Payload) WriteTo(w io.Writer) (int64, error) {
	c := &countWriter{w: w}
	for _, q := range p.parts {
		if q.data == nil {
			continue
		}
		if err := q.data.writeTo(c); err != nil {
			return c.n, err
		}
	}
	return c.n, nil
}

// Bytes returns the text parts one after another, without joiners. The slice is the caller's to
// keep and must not be changed.
func (p Payload) Bytes() ([]byte, error) {
	if len(p.parts) == 1 {
		switch d := p.parts[0].data.(type) {
		case bytesContent:
			return []byte(d), nil
		case sourceText:
			if b := d.direct(); b != nil {
				return b, nil
			}
			b, err := d.bytes()
			if err != nil {
				return nil, err
			}
			return b, p.changed(int64(len(b)))
		}
	}
	w := &sliceWriter{make([]byte, 0, p.size.Bytes)}
	if _, err := p.WriteTo(w); err != nil {
		return nil, err
	}
	return w.b, p.changed(int64(len(w.b)))
}

// changed is an error where p was read as another number of bytes than it had.
func (p Payload) changed(n int64) error {
	if n != p.size.Bytes {
		return fmt.Errorf("the recording changed since it was opened: %d bytes where %d were", n, p.size.Bytes)
	}
	return nil
}

// SHA256 is the hash of Bytes in lower-case hex, made without holding them.
func (p Payload) SHA256() (string, error) {
	if len(p.parts) == 1 {
		if g, ok := p.parts[0].data.(generatedContent); ok && g.g.SHA256 != "" {
			return g.g.SHA256, nil
		}
	}
	h := sha256.New()
	if _, err := p.WriteTo(h); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Text returns the bytes of one text part.
func (p Part) Text() ([]byte, error) {
	return Payload{parts: []Part{p}, size: p.Size}.Bytes()
}

type bytesContent string

func (b bytesContent) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, string(b))
	return err
}

type generatedContent struct{ g Generator }

func (g generatedContent) writeTo(w io.Writer) error { return g.g.Write(w) }

type countWriter struct {
	w io.Writer
	n int64
}

func (c *countWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

type sliceWriter struct{ b []byte }

func (s *sliceWriter) Write(p []byte) (int, error) {
	s.b = append(s.b, p...)
	return len(p), nil
}

func sortCalls(calls []*Call) {
	slices.SortStableFunc(calls, func(a, b *Call) int { return cmp.Compare(a.Order, b.Order) })
}

// is tells whether p and q are the same place, not only the same text.
func (p Payload) is(q Payload) bool {
	return len(p.parts) == len(q.parts) && (len(p.parts) == 0 || &p.parts[0] == &q.parts[0])
}
