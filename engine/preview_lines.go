package engine

import (
	"bytes"
	"math"
	"slices"
)

// wholeLinesPreview keeps as many lines as there is room for in size units and most lines: of the
// start by the rules' share, the rest of the end. A line feed between two kept lines is a unit. A
// final line feed starts one more line, which is empty.
func wholeLinesPreview(p []byte, r PreviewRules, size, most int) *Preview {
	lines := 1 + bytes.Count(p, []byte{'\n'})
	room := max(size-r.MarkSize, 0)
	first, last := lineShares(r.HeadShare, min(most, lines))
	head := linesRoom{PreviewRules: r, left: r.headRoom(room)}
	for at, more := 0, true; more && len(head.kept) < first; {
		line, _, _ := bytes.Cut(p[at:], []byte{'\n'})
		at += len(line) + 1
		more = head.take(line, false)
	}
	tail := linesRoom{PreviewRules: r, left: room - head.used}
	for end, more := len(p), true; more && len(tail.kept) < min(last, lines-len(head.kept)); {
		start := 1 + bytes.LastIndexByte(p[:end], '\n')
		more = tail.take(p[start:end], true)
		end = start - 1
	}
	slices.Reverse(tail.kept)
	if len(head.kept)+len(tail.kept) == lines && !head.clipped && !tail.clipped {
		return &Preview{Text: string(p), Records: -1, Whole: true}
	}
	if r.LongLine == EndOfLine && len(head.kept)+len(tail.kept) == 0 {
		if r.Redact {
			p, _ = maskedEnds(p, len(p)-unitTail(p, room, r.Unit))
		}
		from := max(unitTail(p, room, r.Unit), 1+bytes.LastIndexByte(p, '\n'))
		return joinEnds(nil, p[from:], p[:from], r, "Preview, the end:")
	}
	return head.with(&tail, lines, p)
}

// lineShares are the lines that the start and the end may have; a start has one at least.
func lineShares(share float64, most int) (first, last int) {
	switch share {
	case 0:
		return 0, most
	case 1:
		return most, 0
	}
	first = max(int(math.Floor(share*float64(most)+1e-9)), 1)
	return first, most - first
}

// linesRoom is one end of a preview of whole lines while it is filled.
type linesRoom struct {
	PreviewRules
	left, used int // units
	kept       [][]byte
	clipped    bool
}

// take adds a line to those that are kept, which of the end are the last one first, and tells whether
// there may be room for more.
func (l *linesRoom) take(line []byte, ofEnd bool) bool {
	if l.Redact {
		line = maskedLine(line, l.left, ofEnd)
	}
	if l.LineChars > 0 && unitsIn(line, Chars) > l.LineChars {
		line = append(append([]byte{}, line[:unitHead(line, l.LineChars-l.ClipSize, Chars)]...), clipMark...)
		l.clipped = true
	}
	need := unitsIn(line, l.Unit)
	if len(l.kept) > 0 {
		need++
	}
	if need <= l.left {
		l.keep(line, need)
		return true
	}
	room := l.left - l.ClipSize
	if len(l.kept) > 0 {
		room--
	}
	if l.LongLine != ClipLine || room < 0 {
		return false
	}
	clip := append(append([]byte{}, line[:unitHead(line, room, l.Unit)]...), clipMark...)
	if ofEnd {
		clip = append([]byte(clipMark), line[unitTail(line, room, l.Unit):]...)
	}
	l.clipped = true
	l.keep(clip, l.left)
	return false
}

func (l *linesRoom) keep(line []byte, need int) {
	l.left -= need
	l.used += need
	l.kept = append(l.kept, line)
}

// clipMark stands where the rest of a line is missing.
const clipMark = "…"

// with writes what a start and an end keep, and how many lines are missing between them.
func (l *linesRoom) with(tail *linesRoom, lines int, p []byte) *Preview {
	label := "Preview, lines of both ends:"
	switch {
	case len(tail.kept) == 0:
		label = "Preview, lines of the start:"
	case len(l.kept) == 0:
		label = "Preview, lines of the end:"
	}
	text := bytes.Join(l.kept, []byte{'\n'})
	if l.Mark {
		mark := "… " + counted(int64(lines-len(l.kept)-len(tail.kept)), "line") + " left out …"
		if lines == len(l.kept)+len(tail.kept) {
			mark = "… lines were cut, of " + counted(int64(unitsIn(p, l.Unit)), unitWord(l.Unit)) + " …"
		}
		if len(l.kept) > 0 {
			text = append(text, '\n')
		}
		text = append(text, mark...)
	}
	if len(tail.kept) > 0 {
		if len(text) > 0 {
			text = append(text, '\n')
		}
		text = append(text, bytes.Join(tail.kept, []byte{'\n'})...)
	}
	return &Preview{Text: string(text), Records: -1, label: label}
}
