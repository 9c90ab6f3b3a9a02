package history

import (
	"encoding/binary"
	"math/bits"
)

func skipSpace(p []byte, i int) int {
	for i < len(p) && (p[i] == ' ' || p[i] == '\n' || p[i] == '\r' || p[i] == '\t') {
		i++
	}
	return i
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain returns the first place from i on where a string holds a quote, a backslash or a control
// character, or len(p). It looks at eight bytes at once; a borrow can only mark bytes behind a
// real find, so the lowest mark is exact.
func plain(p []byte, i int) int {
	for ; i+8 <= len(p); i += 8 {
		w := binary.LittleEndian.Uint64(p[i:])
		q, b := w^(ones*'"'), w^(ones*'\\')
		m := ((w-ones*0x20)&^w | (q-ones)&^q | (b-ones)&^b) & highs
		if m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(p); i++ {
		if c := p[i]; c == '"' || c == '\\' || c < 0x20 {
			return i
		}
	}
	return i
}

// scanString finds the end of the string that begins with the quote at i.
func scanString(p []byte, i int) (end int, escaped bool, err *syntaxError) {
	for i++; ; {
		i = plain(p, i)
		if i >= len(p) {
			return 0, false, &syntaxError{len(p), "the text ends inside a string", true}
		}
		switch c := p[i]; {
		case c == '"':
			return i + 1, escaped, nil
		case c == '\n':
			// The end of the line as a rule: the line was cut.
			return 0, false, &syntaxError{i, "the line ends inside a string", i+1 == len(p)}
		case c != '\\':
			return 0, false, &syntaxError{i, "a control character stands unescaped in a string", false}
		}
		escaped = true
		n := 2
		if i+1 < len(p) && p[i+1] == 'u' {
			n = 6
		}
		if i+n > len(p) {
			return 0, false, &syntaxError{len(p), "the text ends inside an escape", true}
		}
		if n == 2 && unescaped[p[i+1]] == 0 || n == 6 && hex4(p[i+2:]) < 0 {
			return 0, false, &syntaxError{i, "an escape in a string is not valid", false}
		}
		i += n
	}
}

// unescaped maps the letter of a short escape to its character.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// hex4 reads four hexadecimal digits, -1 where they are none.
func hex4(p []byte) rune {
	var r rune
	for _, c := range p[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

func scanNumber(p []byte, i int) (int, *syntaxError) {
	start := i
	bad := func(i int) (int, *syntaxError) {
		if i >= len(p) {
			return 0, &syntaxError{i, "the text ends inside a number", true}
		}
		return 0, &syntaxError{start, "a number is not written as JSON has it", false}
	}
	digits := func() bool {
		from := i
		for i < len(p) && p[i] >= '0' && p[i] <= '9' {
			i++
		}
		return i > from
	}
	if p[i] == '-' {
		i++
	}
	if i < len(p) && p[i] == '0' {
		i++
	} else if !digits() {
		return bad(i)
	}
	if i < len(p) && p[i] == '.' {
		i++
		if !digits() {
			return bad(i)
		}
	}
	if i < len(p) && (p[i] == 'e' || p[i] == 'E') {
		i++
		if i < len(p) && (p[i] == '+' || p[i] == '-') {
			i++
		}
		if !digits() {
			return bad(i)
		}
	}
	return i, nil
}
