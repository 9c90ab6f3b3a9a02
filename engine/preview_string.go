package engine

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// clusterChars is how far a cut looks ahead for the end of a grapheme cluster. Longer clusters,
// which no script has, are cut between code points.
const clusterChars = 64

// cutString cuts the JSON string whose opening quote is at i so that at most limit characters (code
// points of its text) remain. It returns the byte at which the cut falls, which is never inside an
// escape or, if it can be helped, a grapheme cluster, how many characters are left out, and the
// byte after the closing quote. Where nothing is left out the cut falls on the closing quote.
func cutString(p []byte, i, limit int) (cut int, left int64, end int) {
	end = skipString(p, i)
	text := p[i+1 : end-1]
	cut = end - 1
	if len(text) <= limit {
		return cut, 0, end
	}
	var start []byte // decoded, as far as the cut has to see
	ends := make([]int, 0, 256)
	chars := 0
	for at := 0; at < len(text); chars++ {
		r, size := decodeChar(text[at:])
		at += size
		if chars < limit+clusterChars {
			start = utf8.AppendRune(start, r)
			ends = append(ends, at)
		}
	}
	if chars <= limit {
		return cut, 0, end
	}
	keep := clusterEnd(start, limit)
	if keep == 0 {
		return i + 1, int64(chars), end
	}
	return i + 1 + ends[keep-1], int64(chars - keep), end
}

// clusterEnd returns the number of characters up to the last end of a grapheme cluster that is
// limit or less, or limit where the cluster there is longer than that by itself.
func clusterEnd(text []byte, limit int) int {
	at := 0
	for clusters := graphemes.FromBytes(text); clusters.Next(); {
		n := utf8.RuneCount(clusters.Value())
		if at+n > limit {
			if n > limit {
				return limit
			}
			return at
		}
		at += n
	}
	return at
}

// decodeChar decodes the first character of a JSON string's text. A surrogate escape without its
// other half is U+FFFD, as is an invalid byte.
func decodeChar(text []byte) (r rune, size int) {
	if text[0] != '\\' {
		return utf8.DecodeRune(text)
	}
	size = escapeLen(text)
	switch size {
	case 12:
		return utf16.DecodeRune(escaped(text[2:]), escaped(text[8:])), size
	case 6:
		if r = escaped(text[2:]); utf16.IsSurrogate(r) {
			r = utf8.RuneError
		}
		return r, size
	}
	if size < 2 {
		return '\\', size
	}
	switch c := text[1]; c {
	case 'n':
		return '\n', size
	case 'r':
		return '\r', size
	case 't':
		return '\t', size
	case 'b':
		return '\b', size
	case 'f':
		return '\f', size
	default:
		return rune(c), size
	}
}

// escapeLen is the length of the JSON escape at the start of text: 2, 6, or 12 for a pair of
// surrogates. It is less at the end of text.
func escapeLen(text []byte) int {
	if len(text) < 2 || text[1] != 'u' {
		return min(2, len(text))
	}
	if len(text) < 6 {
		return len(text)
	}
	if high := escaped(text[2:]); high >= 0xd800 && high < 0xdc00 && len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
		if low := escaped(text[8:]); low >= 0xdc00 && low < 0xe000 {
			return 12
		}
	}
	return 6
}

// escaped reads the four hexadecimal digits of a valid escape.
func escaped(p []byte) rune {
	r, _ := hex4(p, 0)
	return r
}
