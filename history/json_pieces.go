package history

// A pieceWriter writes JSON that is put together from pieces of a recording, and remembers where
// each of them lay. Strings are joined as they were escaped, so that nothing is lost between pieces.
type pieceWriter struct {
	out    []byte
	places []place
}

// write adds JSON text; at says where it comes from.
func (w *pieceWriter) write(at Location, text ...string) {
	if n := len(w.places); n == 0 || w.places[n-1].at != at {
		w.places = append(w.places, place{int64(len(w.out)), at})
	}
	for _, s := range text {
		w.out = append(w.out, s...)
	}
}

// value parses what was written.
func (w *pieceWriter) value(name string) value {
	src := memorySource(name, w.out)
	src.places = w.places
	v, bad := parse(src, 0, 1, src.memory)
	if bad != nil { // pieces are valid JSON, so all of it is
		return value{}
	}
	return v
}

// inner is the inside of a string as it was escaped.
func (v value) inner() []byte {
	raw := v.raw()
	if !v.isText() {
		return nil
	}
	return raw[1 : len(raw)-1]
}
