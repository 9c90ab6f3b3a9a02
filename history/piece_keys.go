package history

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
)

// compactMost is up to which size arguments are compared without regard to white space, in bytes.
const compactMost = 1 << 20

// arguments hashes what a call was given.
func (r *pieceReader) arguments(v value) uint64 {
	var h maphash.Hash
	h.SetSeed(r.seed)
	if v = nested(v); !v.given() {
		_, _ = h.WriteString("{}")
		return h.Sum64()
	}
	if raw := v.raw(); !v.isText() && len(raw) <= compactMost {
		var b bytes.Buffer
		if json.Compact(&b, raw) == nil {
			_, _ = h.Write(b.Bytes())
			return h.Sum64()
		}
	}
	writeText(&h, v)
	return h.Sum64()
}

// known completes a piece by what it is known by: its kind, the id, and these values.
func (r *pieceReader) known(i piece, identity ...value) piece {
	var h maphash.Hash
	h.SetSeed(r.seed)
	_ = h.WriteByte(byte(i.kind))
	_, _ = h.WriteString(i.id)
	_ = h.WriteByte(0)
	for _, v := range identity {
		writeText(&h, v)
		_ = h.WriteByte(0)
	}
	i.key = h.Sum64()
	return i
}

// writeText hashes the text of v: the same whether and how it was escaped.
func writeText(h *maphash.Hash, v value) {
	raw := v.raw()
	if !v.isText() {
		_, _ = h.Write(raw)
		return
	}
	_, _, _ = unescape(h, raw[1:len(raw)-1], true)
}

func writeNumber(h *maphash.Hash, n uint64) {
	for range 8 {
		_ = h.WriteByte(byte(n))
		n >>= 8
	}
}
