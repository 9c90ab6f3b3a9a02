package ui

import (
	"fmt"
	"strings"

	"floodmark/engine"
)

// sensitiveMarks adds up what looks sensitive in results that are written one after the other.
type sensitiveMarks struct {
	finds  []engine.SensitiveFind
	looked int // bytes
}

// mostMarked is how many bytes of results are looked at in all, 1 MiB: a second.
const mostMarked = 1 << 20

// add looks at one result, a JSON text.
func (m *sensitiveMarks) add(result []byte) {
	if m.looked >= mostMarked {
		return
	}
	m.looked += len(result)
	for _, f := range engine.SensitiveIn(result) {
		known := false
		for i := range m.finds {
			if k := &m.finds[i]; k.Kind == f.Kind && k.Path == f.Path {
				k.N += f.N
				known = true
			}
		}
		if !known {
			m.finds = append(m.finds, f)
		}
	}
}

// mostPlaces is how many kinds and paths a note names.
const mostPlaces = 5

// note says what was found and where, never the value; empty where nothing was.
func (m *sensitiveMarks) note() string {
	if len(m.finds) == 0 {
		return ""
	}
	var places []string
	for _, f := range m.finds[:min(len(m.finds), mostPlaces)] {
		places = append(places, engine.SensitiveWords(f.Kind, f.N)+" at "+f.Path)
	}
	if more := len(m.finds) - len(places); more > 0 {
		places = append(places, fmt.Sprintf("and %d more places", more))
	}
	return engine.WarnSensitive + ": the result has what looks like " + strings.Join(places, ", ")
}
