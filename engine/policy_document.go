package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// A docNode is a value of a policy document, with what encoding/json would not tell: the order of
// members, repeated keys, and lines.
type docNode struct {
	line    int // from 1; 0 where the value is from no document
	scalar  any // json.Number, string, bool or nil
	members []docMember
	items   []*docNode
	kind    byte // '{', '[', or 0 for a scalar
}

type docMember struct {
	key   string
	value *docNode
}

// readDocument reads the single JSON value that doc is.
func readDocument(doc []byte) (*docNode, error) {
	if !utf8.Valid(doc) {
		return nil, &PolicyError{Reason: "is not UTF-8"}
	}
	r := &docReader{dec: json.NewDecoder(bytes.NewReader(doc)), doc: doc}
	r.dec.UseNumber()
	if err := json.Unmarshal(doc, new(json.RawMessage)); err != nil {
		return nil, r.broken(err)
	}
	n, err := r.value()
	if err != nil {
		return nil, r.broken(err)
	}
	return n, nil
}

type docReader struct {
	dec    *json.Decoder
	doc    []byte
	offset int64 // up to which breaks counts
	breaks int
}

// value reads the next value; the document is known to be valid.
func (r *docReader) value() (*docNode, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	n := &docNode{line: r.lineAt(r.dec.InputOffset())}
	d, ok := t.(json.Delim)
	if !ok {
		n.scalar = t
		return n, nil
	}
	n.kind = byte(d)
	for r.dec.More() {
		var key json.Token
		if d == '{' {
			if key, err = r.dec.Token(); err != nil {
				return nil, err
			}
		}
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		if d == '{' {
			n.members = append(n.members, docMember{key.(string), v})
		} else {
			n.items = append(n.items, v)
		}
	}
	_, err = r.dec.Token() // the closing bracket
	return n, err
}

// lineAt is called with offsets that never go back.
func (r *docReader) lineAt(offset int64) int {
	offset = min(max(offset, r.offset), int64(len(r.doc)))
	r.breaks += bytes.Count(r.doc[r.offset:offset], []byte("\n"))
	r.offset = offset
	return 1 + r.breaks
}

func (r *docReader) broken(err error) error {
	e := &PolicyError{Reason: fmt.Sprintf("is not JSON: %v", err), Hint: "floodmark policy show trueforge prints a document to start from"}
	var syntax *json.SyntaxError
	switch {
	case len(bytes.TrimSpace(r.doc)) == 0:
		e.Reason = "is empty"
	case errors.As(err, &syntax):
		e.Line = r.lineAt(syntax.Offset - 1)
	}
	return e
}

// is names what n is, in an error's words.
func (n *docNode) is() string {
	switch n.kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	switch v := n.scalar.(type) {
	case json.Number:
		return v.String()
	case bool:
		return fmt.Sprint(v)
	case string:
		return "a string"
	}
	return "null"
}
