package ui

import (
	"bytes"
	"encoding/json"
)

const (
	// indentBytes is the largest JSON payload that is indented: above it the text would take three
	// times the memory and a second to make.
	indentBytes = 16 << 20
	// largePreviewBytes is what is shown of a payload over loadBytes.
	largePreviewBytes = 1 << 20
)

// indentedDocument indents data where it is a JSON object or array that is not indented already.
// Key order, number spelling and escapes stay. note says why a JSON payload is shown as it is.
func indentedDocument(data []byte) (doc *document, note string) {
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
		return nil, ""
	}
	if len(data) > indentBytes {
		return nil, "as it is: too large to indent"
	}
	var b bytes.Buffer
	b.Grow(len(data) * 2)
	if json.Indent(&b, trimmed, "", "  ") != nil {
		return nil, ""
	}
	if out := bytes.TrimRight(b.Bytes(), " \t\r\n"); !bytes.Equal(out, bytes.TrimSpace(data)) {
		return newDocument(out), ""
	}
	return nil, ""
}
