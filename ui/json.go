package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// writeJSON writes v as one line. It is the way of every JSON output: what a terminal could obey or a
// reader could not see is written as \uXXXX, which is the same text to a parser.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escaped(b.Bytes()))
	return err
}

// escaped returns a JSON document with everything invisible in it written as \uXXXX: DEL, C1, bidi
// controls, zero-width characters. C0 characters inside strings are escaped by JSON's own rules; what
// stands between the values stays. Bytes that are not UTF-8 become U+FFFD.
func escaped(doc []byte) []byte {
	i := 0
	for i < len(doc) && doc[i] < 0x7f {
		i++
	}
	if i == len(doc) {
		return doc
	}
	out := make([]byte, i, len(doc)+64)
	copy(out, doc)
	return appendEscaped(out, doc[i:])
}

// appendEscaped appends to out what escaped makes of doc.
func appendEscaped(out, doc []byte) []byte {
	from := 0
	for i := 0; i < len(doc); {
		if doc[i] < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(doc[i:])
		broken := r == utf8.RuneError && n == 1
		if !broken && !invisible(r) {
			i += n
			continue
		}
		out = append(out, doc[from:i]...)
		switch {
		case broken:
			out = append(out, "\ufffd"...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += n
		from = i
	}
	return append(out, doc[from:]...)
}
