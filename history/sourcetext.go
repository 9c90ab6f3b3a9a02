package history

import (
	"bytes"
	"io"
	"os"
)

// sourceText is text that stays where it was recorded.
type sourceText struct {
	src      *source
	off, n   int64 // as recorded, without quotes
	escaped  bool  // the inside of a JSON string with escapes
	replaced bool  // it has halves of surrogate pairs
}

// textChunk is how much is read at once.
const textChunk = 64 << 10

func (t sourceText) writeTo(w io.Writer) error {
	if p := t.src.slice(t.off, t.n); p != nil {
		if !t.escaped {
			_, err := w.Write(p)
			return err
		}
		return t.unescapeTo(w, bytes.NewReader(p))
	}
	r, done, err := t.src.section(t.off, t.n)
	if err != nil {
		return err
	}
	defer done()
	if t.escaped {
		return t.unescapeTo(w, r)
	}
	n, err := io.CopyBuffer(onlyWriter{w}, r, make([]byte, min(t.n+1, textChunk)))
	if err == nil && n != t.n {
		err = errChanged
	}
	return err
}

// onlyWriter hides everything else that w can do, so that copying uses our buffer.
type onlyWriter struct{ io.Writer }

func (t sourceText) unescapeTo(w io.Writer, r io.Reader) error {
	buf := make([]byte, min(t.n, textChunk))
	out := &batchWriter{w: w, b: make([]byte, 0, min(t.n, textChunk))}
	have := 0
	for left := t.n; left > 0 || have > 0; {
		n, err := io.ReadFull(r, buf[have:min(int64(len(buf)), int64(have)+left)])
		if err != nil {
			return errChanged
		}
		left -= int64(n)
		have += n
		used, _, err := unescape(out, buf[:have], left == 0)
		if err != nil {
			return err
		}
		have = copy(buf, buf[used:have])
	}
	return out.flush()
}

// direct returns the text where it is held in memory as it is.
func (t sourceText) direct() []byte {
	if t.escaped {
		return nil
	}
	return t.src.slice(t.off, t.n)
}

// bytes reads the text at once.
func (t sourceText) bytes() ([]byte, error) {
	r, done, err := t.src.section(t.off, t.n)
	if err != nil {
		return nil, err
	}
	defer done()
	raw := make([]byte, t.n)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, errChanged
	}
	if t.escaped {
		raw = unescapeInPlace(raw)
	}
	return raw[:len(raw):len(raw)], nil
}

// batchWriter joins short writes.
type batchWriter struct {
	w io.Writer
	b []byte
}

func (b *batchWriter) Write(p []byte) (int, error) {
	if len(b.b)+len(p) > cap(b.b) {
		if err := b.flush(); err != nil {
			return 0, err
		}
		if len(p) > cap(b.b) {
			return b.w.Write(p)
		}
	}
	b.b = append(b.b, p...)
	return len(p), nil
}

func (b *batchWriter) flush() error {
	if len(b.b) == 0 {
		return nil
	}
	_, err := b.w.Write(b.b)
	b.b = b.b[:0]
	return err
}

// filePayload is the whole of a side file as one text.
func filePayload(path string) (Payload, error) {
	f, err := os.Open(path)
	if err != nil {
		return Payload{}, err
	}
	defer func() { _ = f.Close() }()
	s, err := fileSource(path, f, nil)
	if err != nil {
		return Payload{}, err
	}
	var m sizeWriter
	buf := make([]byte, textChunk)
	have := 0
	for {
		n, err := io.ReadFull(f, buf[have:])
		have += n
		end := have
		if err == nil {
			end = wholeRunes(buf[:have])
		}
		_, _ = m.Write(buf[:end])
		have = copy(buf, buf[end:have])
		switch err {
		case nil:
			continue
		case io.EOF, io.ErrUnexpectedEOF:
			if m.size.Bytes != s.size {
				return Payload{}, errChanged
			}
			return newPayload(Part{Kind: Text, Size: m.size, data: sourceText{src: s, n: s.size}}), nil
		default:
			return Payload{}, err
		}
	}
}
