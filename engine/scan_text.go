package engine

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// space returns the first place from i on that is not JSON white space.
func (s *scanner) space(i int) int {
	p := s.p
	for i < len(p) {
		switch p[i] {
		case '\n':
			s.breaks++
		case ' ', '\t', '\r':
		default:
			return i
		}
		i++
		for i+8 <= len(p) && binary.LittleEndian.Uint64(p[i:]) == each*' ' {
			i += 8
		}
	}
	return i
}

// skipSpace is space for a text whose line breaks are counted already.
func skipSpace(p []byte, i int) int {
	s := scanner{p: p}
	return s.space(i)
}

// skipString returns the place after the string that opens at i, in a valid text.
func skipString(p []byte, i int) int {
	s := scanner{p: p}
	return s.str(i + 1)
}

const (
	each = 0x0101010101010101 // times a byte: that byte eight times
	high = 0x8080808080808080
)

// str returns the place after the closing quote of the string whose first character is at i, -1
// where it is not one.
func (s *scanner) str(i int) int {
	p := s.p
	for {
		// Eight bytes at a time, up to a quote, a backslash, a control character or non-ASCII.
		for i+8 <= len(p) {
			w := binary.LittleEndian.Uint64(p[i:])
			q, b := w^each*'"', w^each*'\\'
			if m := ((q-each)&^q | (b-each)&^b | (w - each*0x20) | w) & high; m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(p) {
			s.fail(i, inString)
			return -1
		}
		switch c := p[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			s.escaped = true
			if i = s.escape(i); i < 0 {
				return -1
			}
		case c < 0x20:
			s.fail(i, inString)
			return -1
		case c < utf8.RuneSelf:
			i++
		default:
			if i = s.multibyte(i); i < 0 {
				return -1
			}
		}
	}
}

// multibyte passes the characters from i on that are not ASCII; -1 where one is not UTF-8.
func (s *scanner) multibyte(i int) int {
	p := s.p
	for i < len(p) && p[i] >= utf8.RuneSelf {
		// The two ranges in which nothing but the continuation bytes can be wrong go the short way.
		if c := p[i]; c >= 0xe1 && c < 0xed && i+2 < len(p) && p[i+1]&0xc0 == 0x80 && p[i+2]&0xc0 == 0x80 {
			s.trailing += 2
			i += 3
			continue
		} else if c >= 0xc2 && c < 0xe0 && i+1 < len(p) && p[i+1]&0xc0 == 0x80 {
			s.trailing++
			i += 2
			continue
		}
		r, n := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && n == 1 {
			if !utf8.FullRune(p[i:]) {
				i = len(p) // the rest of the character may have been cut off
			}
			s.fail(i, inString)
			return -1
		}
		s.trailing += n - 1
		if n == 4 {
			s.astral++
		}
		i += n
	}
	return i
}

// escape returns the place after the escape at i, after both halves of a surrogate pair.
func (s *scanner) escape(i int) int {
	p := s.p
	if i+1 >= len(p) {
		s.fail(len(p), inString)
		return -1
	}
	switch p[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
	default:
		s.fail(i+1, inEscape)
		return -1
	}
	r, bad := hex4(p, i+2)
	if bad >= 0 {
		s.fail(bad, inEscape)
		return -1
	}
	i += 6
	if r < 0xd800 || r > 0xdfff {
		return i
	}
	if r < 0xdc00 && i+1 < len(p) && p[i] == '\\' && p[i+1] == 'u' {
		if low, bad := hex4(p, i+2); bad < 0 && low >= 0xdc00 && low <= 0xdfff {
			return i + 6
		}
	}
	s.lone++
	return i
}

// hex4 reads four hexadecimal digits at i; bad is the place of the first that is none, else -1.
func hex4(p []byte, i int) (r rune, bad int) {
	for end := i + 4; i < end; i++ {
		if i >= len(p) {
			return 0, len(p)
		}
		switch c := p[i]; {
		case c-'0' < 10:
			r = r<<4 | rune(c-'0')
		case c|0x20-'a' < 6:
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, i
		}
	}
	return r, -1
}

// number returns the place after the number at i, and whether it has a fraction or an exponent.
func (s *scanner) number(i int) (end int, fraction bool) {
	p := s.p
	if p[i] == '-' {
		i++
	}
	if i < len(p) && p[i] == '0' {
		i++
	} else if j := digits(p, i); j > i {
		i = j
	} else {
		s.fail(i, inNumber)
		return -1, false
	}
	if i < len(p) && p[i] == '.' {
		fraction = true
		j := digits(p, i+1)
		if j == i+1 {
			s.fail(j, inNumber)
			return -1, false
		}
		i = j
	}
	if i < len(p) && p[i]|0x20 == 'e' {
		fraction = true
		i++
		if i < len(p) && (p[i] == '+' || p[i] == '-') {
			i++
		}
		j := digits(p, i)
		if j == i {
			s.fail(j, inNumber)
			return -1, false
		}
		i = j
	}
	return i, fraction
}

func digits(p []byte, i int) int {
	for i < len(p) && p[i]-'0' < 10 {
		i++
	}
	return i
}

// unquote appends the text of a valid JSON string, given from quote to quote, to dst. A lone
// surrogate becomes U+FFFD, or where exact the three bytes that UTF-8 would have for it, so that
// different ones stay different.
func unquote(dst, quoted []byte, exact bool) []byte {
	p := quoted[1 : len(quoted)-1]
	for i := 0; i < len(p); {
		if p[i] != '\\' {
			dst = append(dst, p[i])
			i++
			continue
		}
		c := p[i+1]
		i += 2
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, _ := hex4(p, i)
			i += 4
			if r >= 0xd800 && r < 0xdc00 && i+1 < len(p) && p[i] == '\\' && p[i+1] == 'u' {
				if low, bad := hex4(p, i+2); bad < 0 && low >= 0xdc00 && low <= 0xdfff {
					r = 0x10000 + (r-0xd800)<<10 + low - 0xdc00
					i += 6
				}
			}
			if exact && r >= 0xd800 && r <= 0xdfff {
				dst = append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
			} else {
				dst = utf8.AppendRune(dst, r)
			}
			continue
		}
		dst = append(dst, c)
	}
	return dst
}
