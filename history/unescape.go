package history

import (
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// longestEscape is a pair of surrogates: what must be seen together.
const longestEscape = 12

// unescape writes the text that the inside of a JSON string stands for. It returns how much of raw
// it used: all where final is set, else it stops before an escape that might go on behind raw.
// Halves of surrogate pairs become U+FFFD, which replaced tells.
func unescape(w io.Writer, raw []byte, final bool) (used int, replaced bool, err error) {
	var char [utf8.UTFMax]byte
	for used < len(raw) {
		n := bytes.IndexByte(raw[used:], '\\')
		if n < 0 {
			n = len(raw) - used
		}
		if n > 0 {
			if _, err := w.Write(raw[used : used+n]); err != nil {
				return used, replaced, err
			}
			used += n
			continue
		}
		if !final && len(raw)-used < longestEscape {
			return used, replaced, nil
		}
		r, n := escapedRune(raw[used:])
		if r < 0 {
			r, replaced = utf8.RuneError, true
		}
		if _, err := w.Write(char[:utf8.EncodeRune(char[:], r)]); err != nil {
			return used, replaced, err
		}
		used += n
	}
	return used, replaced, nil
}

// unescapeInPlace is unescape into raw itself: no escape is shorter than what it stands for.
func unescapeInPlace(raw []byte) []byte {
	n := 0
	for i := 0; i < len(raw); {
		k := bytes.IndexByte(raw[i:], '\\')
		if k < 0 {
			k = len(raw) - i
		}
		if i > n {
			copy(raw[n:], raw[i:i+k])
		}
		n, i = n+k, i+k
		if i == len(raw) {
			break
		}
		r, k := escapedRune(raw[i:])
		if r < 0 {
			r = utf8.RuneError
		}
		i += k
		if r < utf8.RuneSelf {
			raw[n] = byte(r)
			n++
		} else {
			n += utf8.EncodeRune(raw[n:n+utf8.RuneLen(r)], r)
		}
	}
	return raw[:n]
}

// escapedRune reads the valid escape at the start of p: -1 stands for half a surrogate pair. What
// is no escape (a file that changed) gives a backslash, so that reading goes on.
func escapedRune(p []byte) (r rune, n int) {
	if len(p) < 2 {
		return '\\', 1
	}
	if p[1] != 'u' {
		return rune(unescaped[p[1]]), 2
	}
	if len(p) < 6 {
		return '\\', 1
	}
	r = hex4(p[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(p) >= 12 && p[6] == '\\' && p[7] == 'u' {
		if both := utf16.DecodeRune(r, hex4(p[8:])); both != utf8.RuneError {
			return both, 12
		}
	}
	return -1, 6
}

// unescapedSize is the size of what unescape writes: that of raw, less what its escapes take more.
func unescapedSize(raw []byte) (s Size, replaced bool) {
	s = Measure(raw)
	for i := 0; ; {
		n := bytes.IndexByte(raw[i:], '\\')
		if n < 0 {
			return s, replaced
		}
		i += n
		if i+1 < len(raw) && raw[i+1] != 'u' {
			s.Bytes, s.Chars, s.UTF16 = s.Bytes-1, s.Chars-1, s.UTF16-1
			i += 2
			continue
		}
		r, n := escapedRune(raw[i:])
		if r < 0 {
			r, replaced = utf8.RuneError, true
		}
		s.Bytes += int64(utf8.RuneLen(r) - n)
		s.Chars += int64(1 - n)
		s.UTF16 += int64(utf16.RuneLen(r) - n)
		i += n
	}
}

// A sizeWriter measures what is written in pieces that end between characters.
type sizeWriter struct{ size Size }

func (s *sizeWriter) Write(p []byte) (int, error) {
	s.size = s.size.Add(Measure(p))
	return len(p), nil
}
