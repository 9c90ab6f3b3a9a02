package ui

import (
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
		m.count(f)
	}
}

// addText looks at a text that need not be JSON: its finds have no path.
func (m *sensitiveMarks) addText(text []byte) {
	text = text[:min(len(text), max(mostMarked-m.looked, 0))]
	m.looked += len(text)
	for _, s := range engine.Sensitives(text) {
		m.count(engine.SensitiveFind{Kind: s.Kind, N: 1})
	}
}

func (m *sensitiveMarks) count(f engine.SensitiveFind) {
	for i := range m.finds {
		if k := &m.finds[i]; k.Kind == f.Kind && k.Path == f.Path {
			k.N += f.N
			return
		}
	}
	m.finds = append(m.finds, f)
}

// mostPlaces is how many kinds and paths a note names.
const mostPlaces = 5

// note says what was found and where, never the value; empty where nothing was.
func (m *sensitiveMarks) note() string {
	if len(m.finds) == 0 {
		return ""
	}
	return engine.WarnSensitive + ": the result has what looks like " + m.places("at")
}

// places are the kinds, and where each stands, after the word at.
func (m *sensitiveMarks) places(at string) string {
	var places []string
	for _, f := range m.finds[:min(len(m.finds), mostPlaces)] {
		place := engine.SensitiveWords(f.Kind, f.N)
		if f.Path != "" {
			place += " " + at + " " + f.Path
		}
		places = append(places, place)
	}
	if more := len(m.finds) - len(places); more > 0 {
		places = append(places, "and "+count(more, "more place"))
	}
	return strings.Join(places, ", ")
}
