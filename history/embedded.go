package history

import (
	"bytes"
	"slices"
)

// embedded is the JSON value whose text a string holds; false where it holds none.
func embedded(v value) (value, bool) {
	if !v.isText() || v.d.src == nil {
		return value{}, false
	}
	src := memorySource(v.d.src.name, v.decoded())
	src.places = []place{{0, v.at()}}
	inner, bad := parse(src, 0, 1, src.memory)
	return inner, bad == nil
}

// decoded is the text of a string with its escapes undone, in bytes of its own.
func (v value) decoded() []byte {
	raw := v.inner()
	if !v.node().escaped {
		return slices.Clone(raw)
	}
	b := bytes.NewBuffer(make([]byte, 0, len(raw)))
	_, _, _ = unescape(b, raw, true)
	return b.Bytes()
}
