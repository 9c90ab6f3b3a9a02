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
// The zero value is an empty payload. Payloads are equal (==) where they are the same one, not where
// they have the same text.
type Payload struct {
	c *contents // nil: nothing
}

// contents are a payload's parts. Of most there is one, a text of the recording: that takes less room.
type contents struct {
	size Size
	text sourceText // the only part, where list is nil
	list *[]Part    // a pointer, since few have it
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
	if len(parts) == 0 {
		return Payload{}
	}
	if q := parts[0]; len(parts) == 1 && q.Kind == Text && q.Media == "" {
		if t, ok := q.data.(sourceText); ok && q.recorded == nil {
			return Payload{&contents{size: q.Size, text: t}}
		}
	}
	c := &contents{list: &parts}
	for _, q := range parts {
		c.size = c.size.Add(q.Size)
	}
	return Payload{c}
}

// empty tells whether p has no parts, not even one without text.
func (p Payload) empty() bool { return p.c == nil }

// onlyText tells whether p has one part, and that is text.
func (p Payload) onlyText() bool {
	return p.c != nil && (p.c.list == nil || len(*p.c.list) == 1 && (*p.c.list)[0].Kind == Text)
}

// join returns p with the parts of more behind its own.
func (p Payload) join(more Payload) Payload {
	switch {
	case p.empty():
		return more
	case more.empty():
		return p
	}
	list := slices.Concat(p.Parts(), more.Parts())
	return Payload{&contents{list: &list, size: p.c.size.Add(more.c.size)}}
}

// replaced tells whether U+FFFD stands in p for half a surrogate pair.
func (p Payload) replaced() bool {
	if p.c != nil && p.c.list == nil {
		return p.c.text.replaced
	}
	return slices.ContainsFunc(p.Parts(), func(q Part) bool {
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
func (p Payload) Size() Size {
	if p.c == nil {
		return Size{}
	}
	return p.c.size
}

// Parts lists the parts in recorded order. The slice is p's own: read only.
func (p Payload) Parts() []Part {
	switch {
	case p.c == nil:
		return nil
	case p.c.list == nil:
		return []Part{{Kind: Text, Size: p.c.size, data: p.c.text}}
	}
	return *p.c.list
}

// WriteTo writes the text parts one after another, in little memory.
func (p Payload) WriteTo(w io.Writer) (int64, error) {
	c := &countWriter{w: w}
	for _, q := range p.Parts() {
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
	if parts := p.Parts(); len(parts) == 1 {
		switch d := parts[0].data.(type) {
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
	w := &sliceWriter{make([]byte, 0, p.Size().Bytes)}
	if _, err := p.WriteTo(w); err != nil {
		return nil, err
	}
	return w.b, p.changed(int64(len(w.b)))
}

// changed is an error where p was read as another number of bytes than it had.
func (p Payload) changed(n int64) error {
	if size := p.Size().Bytes; n != size {
		return fmt.Errorf("the recording changed since it was opened: %d bytes where %d were", n, size)
	}
	return nil
}

// SHA256 is the hash of Bytes in lower-case hex, made without holding them.
func (p Payload) SHA256() (string, error) {
	if parts := p.Parts(); len(parts) == 1 {
		if g, ok := parts[0].data.(generatedContent); ok && g.g.SHA256 != "" {
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
	return newPayload(p).Bytes()
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
	return p.c == q.c
}
