package ui

import (
	"io"
	"unicode/utf8"
)

// An escapingWriter does to JSON what escaped does, however it comes in pieces.
type escapingWriter struct {
	w       io.Writer
	begun   []byte // of a character whose end is to come
	buf     []byte // what is written, to be used again
	invalid int    // bytes that are not UTF-8 so far
}

func (h *escapingWriter) Write(p []byte) (int, error) {
	n := len(p)
	if len(h.begun) > 0 {
		p = append(h.begun, p...)
		h.begun = nil
	}
	end := len(p)
	for k := 1; k < utf8.UTFMax && k <= len(p); k++ {
		if start := len(p) - k; utf8.RuneStart(p[start]) {
			if !utf8.FullRune(p[start:]) {
				end = start
			}
			break
		}
	}
	h.begun = append(h.begun, p[end:]...)
	return n, h.put(p[:end])
}

// flush writes what came of a character without an end.
func (h *escapingWriter) flush() error {
	rest := h.begun
	h.begun = nil
	return h.put(rest)
}

func (h *escapingWriter) put(p []byte) error {
	if !utf8.Valid(p) {
		for i := 0; i < len(p); {
			r, n := utf8.DecodeRune(p[i:])
			if r == utf8.RuneError && n == 1 {
				h.invalid++
			}
			i += n
		}
	}
	if len(p) == 0 {
		return nil
	}
	h.buf = appendEscaped(h.buf[:0], p)
	_, err := h.w.Write(h.buf)
	return err
}
