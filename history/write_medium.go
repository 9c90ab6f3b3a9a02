package history

import (
	"io"
	"strings"
)

// A medium is a part that is not text, as far as another format can take it over.
type medium struct {
	part   Part
	object bool   // it was recorded as an object, or anything else but a string
	url    bool   // it is a link, or a data URL
	media  string // its media type, empty where it is not known
	skip   int    // how long the beginning of a data URL is, before the data
}

func (w *writer) medium(p Part) medium {
	m := medium{part: p}
	head, err := p.head(256)
	if err != nil {
		w.err = firstError(w.err, err)
	}
	s, isString := strings.CutPrefix(string(head), `"`)
	m.object = len(head) > 0 && !isString
	if strings.Contains(p.Media, "/") {
		m.media = p.Media
	}
	switch {
	case strings.HasPrefix(s, "data:"):
		m.url = true
		if before, _, ok := strings.Cut(s, ","); ok {
			m.skip = len(before) + 1
			m.media = strings.TrimSuffix(strings.TrimPrefix(before, "data:"), ";base64")
		}
	case strings.HasPrefix(s, "http://"), strings.HasPrefix(s, "https://"), strings.HasPrefix(s, "gs://"), strings.HasPrefix(s, "file:"):
		m.url = true
	}
	return m
}

// link tells whether m is only linked.
func (m medium) link() bool { return m.url && m.skip == 0 }

// whole writes what was recorded, as a value.
func (j *jsonOut) whole(m medium) {
	if m.part.recorded == nil {
		j.str("")
		return
	}
	j.value(m.part.recorded)
}

// dataURL writes m as a URL.
func (j *jsonOut) dataURL(m medium) {
	if m.url || m.media == "" || m.part.recorded == nil {
		j.whole(m)
		return
	}
	j.comma()
	j.put(`"`)
	_, _ = io.WriteString(escaper{j}, "data:"+m.media+";base64,")
	j.skipping(m, 1)
}

// base64 writes the data of m alone.
func (j *jsonOut) base64(m medium) {
	if m.skip == 0 || m.part.recorded == nil {
		j.whole(m)
		return
	}
	j.comma()
	j.put(`"`)
	j.skipping(m, 1+m.skip)
}

func (j *jsonOut) skipping(m medium, n int) {
	if err := m.part.recorded.writeTo(&skipper{flatWriter{j}, n}); err != nil && j.err == nil {
		j.err = err
	}
}

// named writes a part that a format has no place for: its own object, or its data under its name.
func (j *jsonOut) named(m medium) {
	if m.object {
		j.whole(m)
		return
	}
	kind := m.part.Media
	if kind == "" || strings.Contains(kind, "/") {
		kind = string(m.part.Kind)
	}
	j.typed(kind)
	if m.part.recorded != nil {
		j.key("data")
		j.whole(m)
	}
	j.close("}")
}
