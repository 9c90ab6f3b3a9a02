package engine

import (
	"bytes"
	"math"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// ends are the parts of a payload that a preview keeps: up to head, and from tail on.
type ends struct{ head, tail int }

// cutPreview keeps size units of the payload, by the rules' share for the start, and says how many
// units are gone. A mark inside the size takes its room first. Nothing is cut inside a character.
func cutPreview(p []byte, r PreviewRules, size int) *Preview {
	room := max(size-r.MarkSize, 0)
	head := r.headRoom(room)
	e := ends{unitHead(p, head, r.Unit), unitTail(p, room-head, r.Unit)}
	if r.AtLineEnd {
		e.head = backToLineEnd(p, e.head, head, r.Unit)
	}
	if e.head >= e.tail {
		return &Preview{Text: string(p), Records: -1, Whole: true}
	}
	return e.preview(p, r)
}

// headRoom is the start's share of the room.
func (r PreviewRules) headRoom(room int) int {
	x := r.HeadShare * float64(room)
	if near := math.Round(x); math.Abs(x-near) < 1e-6 {
		x = near // 0.2 of 40,000 is 8,000, whatever floats say
	}
	if r.Round == RoundUp {
		return int(math.Ceil(x))
	}
	return int(x)
}

// preview writes both ends, with a mark where something was left out between them.
func (e ends) preview(p []byte, r PreviewRules) *Preview {
	label := "Preview, both ends:"
	switch {
	case e.tail == len(p):
		label = "Preview, the start:"
	case e.head == 0:
		label = "Preview, the end:"
	}
	return joinEnds(p[:e.head], p[e.tail:], p[e.head:e.tail], r, label)
}

// joinEnds makes the preview of two ends and what is missing between them.
func joinEnds(head, tail, gone []byte, r PreviewRules, label string) *Preview {
	text := append([]byte{}, head...)
	if r.Mark {
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(text, '\n')
		}
		text = append(text, leftOutMark(gone, r.Unit)...)
		if len(tail) > 0 {
			text = append(text, '\n')
		}
	}
	return &Preview{Text: string(append(text, tail...)), Records: -1, label: label}
}

// leftOutMark says how much is missing.
func leftOutMark(gone []byte, u Unit) string {
	return "… " + counted(int64(unitsIn(gone, u)), unitWord(u)) + " left out …"
}

// unitWord names one of a unit.
func unitWord(u Unit) string {
	switch u {
	case Bytes:
		return "byte"
	case Chars:
		return "character"
	case UTF16:
		return "UTF-16 unit"
	case Columns:
		return "column"
	case Lines, SplitLines:
		return "line"
	}
	return "token"
}

// backToLineEnd moves the end of a start back behind its last line feed, if that is in its second
// half.
func backToLineEnd(p []byte, end, units int, u Unit) int {
	at := bytes.LastIndexByte(p[:end], '\n')
	if end == len(p) || at < 0 || unitsIn(p[:at], u) <= units/2 {
		return end
	}
	return at + 1
}

// unitsIn counts the units of a text.
func unitsIn(b []byte, u Unit) int {
	switch u {
	case Bytes:
		return len(b)
	case Chars:
		return utf8.RuneCount(b)
	case Columns:
		return columnsOf(b)
	}
	n := 0
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		n += unitsOf(r)
		i += size
	}
	return n
}

// unitHead is the end of the first units of p, between two characters.
func unitHead(p []byte, units int, u Unit) int {
	switch u {
	case Bytes:
		if units >= len(p) {
			return len(p)
		}
		return runeStart(p, max(units, 0))
	case Columns:
		return columnHead(p, units)
	case Chars:
		i := 0
		for ; units > 0 && i < len(p); units-- {
			_, size := utf8.DecodeRune(p[i:])
			i += size
		}
		return i
	}
	return unitsUpTo(p, units)
}

// runeStart is at, or where the character starts that at is inside of.
func runeStart(p []byte, at int) int {
	for i := at; i > at-utf8.UTFMax && i >= 0; i-- {
		if utf8.RuneStart(p[i]) {
			if _, size := utf8.DecodeRune(p[i:]); i+size > at {
				return i
			}
			return at
		}
	}
	return at
}

// unitTail is the start of the last units of p, between two characters.
func unitTail(p []byte, units int, u Unit) int {
	switch u {
	case Bytes:
		switch {
		case units >= len(p):
			return 0
		case units <= 0:
			return len(p)
		}
		at := len(p) - units
		if i := runeStart(p, at); i < at {
			_, size := utf8.DecodeRune(p[i:])
			return i + size
		}
		return at
	case Columns:
		return columnTail(p, units)
	}
	i := len(p)
	for i > 0 {
		r, size := utf8.DecodeLastRune(p[:i])
		if u == Chars {
			units--
		} else {
			units -= unitsOf(r)
		}
		if units < 0 {
			break
		}
		i -= size
	}
	return i
}

func columnHead(p []byte, columns int) int {
	clusters := graphemes.FromBytes(p)
	clusters.AnsiEscapeSequences = true
	for clusters.Next() {
		if columns -= clusterColumns(clusters.Value()); columns < 0 {
			return clusters.Start()
		}
	}
	return len(p)
}

func columnTail(p []byte, columns int) int {
	skip := columnsOf(p) - columns
	clusters := graphemes.FromBytes(p)
	clusters.AnsiEscapeSequences = true
	for clusters.Next() {
		if skip <= 0 {
			return clusters.Start()
		}
		skip -= clusterColumns(clusters.Value())
	}
	return len(p)
}
