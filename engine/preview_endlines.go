package engine

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// endLinesPreview keeps the first and the last lines, each clipped to the rules' line_chars, and in
// all at most size units where it is not negative. Of as many lines or fewer it keeps all, and marks
// nothing.
func endLinesPreview(p []byte, r PreviewRules, size int) *Preview {
	first, last, gone := linesOfEnds(p, r)
	head, cut := clipLines(first, r, size)
	tail, _ := clipLines(last, r, size)
	if gone <= 0 && !cut && (size < 0 || unitsIn(p, r.Unit) <= size) {
		return &Preview{Text: string(p), Records: -1, Whole: true}
	}
	v := &Preview{Records: -1, label: "Preview, lines of both ends:"}
	switch {
	case r.HeadLines == 0:
		v.label = "Preview, lines of the end:"
	case r.TailLines == 0:
		v.label = "Preview, lines of the start:"
	case gone <= 0:
		v.label = "Preview, lines cut to " + counted(int64(r.LineChars), "character") + ":"
	}
	if size >= 0 { // what is nearest to the ends stays
		if r.HeadLines == 0 {
			if gone <= 0 {
				head, tail = nil, head
			}
			tail = tail[unitTail(tail, size, r.Unit):]
		} else {
			head = head[:unitHead(head, size, r.Unit)]
			tail = tail[unitTail(tail, size-unitsIn(head, r.Unit), r.Unit):]
		}
	}
	text := head
	if r.Mark && gone > 0 {
		if len(text) > 0 {
			text = append(text, '\n')
		}
		text = append(text, "… "+counted(int64(gone), "line")+" left out …"...)
	}
	if len(tail) > 0 {
		if len(text) > 0 {
			text = append(text, '\n')
		}
		text = append(text, tail...)
	}
	v.Text = string(text)
	return v
}

// clipLines joins lines by line feeds, each cut to the rules' line_chars, and where the rules ask for it masked as far
// as the size of all may reach.
func clipLines(lines [][]byte, r PreviewRules, size int) (text []byte, cut bool) {
	most := r.LineChars
	for i, line := range lines {
		if i > 0 {
			text = append(text, '\n')
		}
		switch {
		case !r.Redact:
		case most > 0:
			line = maskedLine(line, most, false)
		case size >= 0:
			line = maskedLine(maskedLine(line, size, false), size, true)
		}
		if most > 0 {
			end := unitHead(line, most, Chars)
			cut = cut || end < len(line)
			line = line[:end]
		}
		text = append(text, line...)
	}
	return text, cut
}

// linesOfEnds gives the first and the last lines, and how many are between them; first has all where
// there are no more than both.
func linesOfEnds(p []byte, r PreviewRules) (first, last [][]byte, gone int) {
	ring := make([][]byte, r.TailLines)
	n := 0
	eachLine(p, r.Breaks, func(line []byte) {
		if n < r.HeadLines+r.TailLines {
			first = append(first, line)
		}
		if r.TailLines > 0 {
			ring[n%r.TailLines] = line
		}
		n++
	})
	if gone = n - r.HeadLines - r.TailLines; gone <= 0 {
		return first, nil, gone
	}
	if r.TailLines > 0 {
		last = append(slices.Clone(ring[n%r.TailLines:]), ring[:n%r.TailLines]...)
	}
	return first[:r.HeadLines], last, gone
}

// eachLine gives the lines of a text one by one; a final line break ends the last one.
func eachLine(p []byte, how LineBreaks, each func([]byte)) {
	start := 0
	for i := 0; i < len(p); {
		n := breakLen(p[i:], how)
		if n == 0 {
			_, size := utf8.DecodeRune(p[i:])
			i += size
			continue
		}
		each(p[start:i])
		i += n
		start = i
	}
	if start < len(p) {
		each(p[start:])
	}
}

// breakLen is the length of the line break that p starts with; 0 without one. The wider set is that of
// Python's splitlines: CR, LF, VT, FF, the separators 1c to 1e, NEL, U+2028 and U+2029.
func breakLen(p []byte, how LineBreaks) int {
	switch {
	case p[0] == '\n':
		return 1
	case how != UnicodeBreaks:
		return 0
	case p[0] == '\r':
		if len(p) > 1 && p[1] == '\n' {
			return 2
		}
		return 1
	case p[0] == '\v' || p[0] == '\f' || p[0] >= 0x1c && p[0] <= 0x1e:
		return 1
	case bytes.HasPrefix(p, []byte("\u0085")):
		return 2
	case bytes.HasPrefix(p, []byte("\u2028")), bytes.HasPrefix(p, []byte("\u2029")):
		return 3
	}
	return 0
}
