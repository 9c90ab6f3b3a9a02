package engine

import (
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

const (
	// headTailMark stands between the two ends of a preview.
	headTailMark = "\n…\n"
	// clusterBytes is how far a cut looks around for the ends of a grapheme cluster or an ANSI
	// sequence. What is longer is not taken for one.
	clusterBytes = 4096
	// unitBytes is the most bytes that a UTF-16 code unit can have in UTF-8.
	unitBytes = 3
)

// HeadTailPreview keeps the first head and the last tail characters (UTF-16 code units; an invalid
// byte is one) with a mark between; a payload of up to head+tail stays whole. The cut moves inwards
// to the end of a grapheme cluster, and never falls inside an ANSI sequence, nor inside an escape
// where isJSON. A cluster longer than head, or tail, is cut between code points. It looks at both
// ends of the payload only, so LeftOut stays empty.
func HeadTailPreview(p []byte, head, tail int, isJSON bool) *Preview {
	head, tail = max(head, 0), max(tail, 0)
	if unitsUpTo(p, head+tail) == len(p) {
		return &Preview{Text: string(p), Records: -1, Whole: true}
	}
	text := string(p[:headCut(p, head, isJSON)]) + headTailMark + string(p[tailCut(p, tail, isJSON):])
	return &Preview{Text: text, Records: -1}
}

// unitsUpTo returns the number of bytes of the code points that fit in so many units.
func unitsUpTo(p []byte, units int) int {
	i := 0
	for i < len(p) {
		r, size := utf8.DecodeRune(p[i:])
		if units -= unitsOf(r); units < 0 {
			break
		}
		i += size
	}
	return i
}

func unitsOf(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// headCut returns the end of the first units.
func headCut(p []byte, units int, isJSON bool) int {
	most := unitsUpTo(p, units)
	window := p[:min(len(p), most+units*unitBytes+clusterBytes)]
	for at := 0; ; {
		size, whole := atomLen(window[at:], isJSON)
		if at+size > most {
			if !whole && unitsUpTo(window[at:at+size], units) < size {
				return most // the cluster alone is longer than the head
			}
			return at
		}
		if at += size; at == most {
			return at
		}
	}
}

// tailCut returns the start of the last units.
func tailCut(p []byte, units int, isJSON bool) int {
	least := len(p)
	for left := units; least > 0; {
		r, size := utf8.DecodeLastRune(p[:least])
		if left -= unitsOf(r); left < 0 {
			break
		}
		least -= size
	}
	for at := atomStart(p, least-units*unitBytes-clusterBytes, least, isJSON); at < least; {
		size, whole := atomLen(p[at:], isJSON)
		if at+size > least {
			if !whole && unitsUpTo(p[at:at+size], units) < size {
				return least
			}
			return at + size
		}
		at += size
	}
	return least
}

// atomLen is the length of what a cut at the start of p must not divide: an ANSI sequence or an
// escape (whole), or a grapheme cluster.
func atomLen(p []byte, isJSON bool) (n int, whole bool) {
	if p[0] == '\\' && isJSON {
		// A mark can follow the escape's last character.
		last := escapeLen(p) - 1
		return last + clusterLen(p[last:]), true
	}
	if p[0] == '\x1b' {
		n = clusterLen(p)
		return n, n > 1
	}
	return clusterLen(p), false
}

func clusterLen(p []byte) int {
	clusters := graphemes.FromBytes(p[:min(len(p), clusterBytes*4)])
	clusters.AnsiEscapeSequences = true
	clusters.Next()
	return clusters.End()
}

// atomStart returns a place from which the atoms up to end can be told: after from the first one
// between two ASCII characters that are no part of a sequence or an escape.
func atomStart(p []byte, from, end int, isJSON bool) int {
	if from <= 0 {
		return 0
	}
	escape := from + 12 // where the last backslash can still reach
	for i := from; i < end; i++ {
		switch c := p[i]; {
		case c == '\x1b':
			return i
		case c == '\\':
			escape = i + 12
		case i > from && (i > escape || !isJSON) && isPrintable(c) && isPrintable(p[i-1]):
			return i
		}
	}
	i := from
	for i < end && !utf8.RuneStart(p[i]) {
		i++
	}
	if isJSON {
		slashes := 0
		for i-slashes > 0 && p[i-slashes-1] == '\\' {
			slashes++
		}
		i += slashes % 2
	}
	return i
}

func isPrintable(c byte) bool { return c >= ' ' && c <= '~' }
