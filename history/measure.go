package history

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Measure counts the units of a text. An invalid byte counts as one character and one code unit.
func Measure[T ~string | ~[]byte](p T) Size {
	s := Size{Bytes: int64(len(p))}
	var piece [4096]byte // strings and slices alike, without a copy of the whole
	for len(p) > 0 {
		n := copy(piece[:], p)
		if n < len(p) {
			n = wholeRunes(piece[:n])
		}
		chars, astral := countRunes(piece[:n])
		s.Chars += chars
		s.UTF16 += chars + astral
		p = p[n:]
	}
	return s
}

// wholeRunes is the length of p without a character that may go on after its end.
func wholeRunes(p []byte) int {
	for k := 1; k < utf8.UTFMax; k++ {
		if start := len(p) - k; utf8.RuneStart(p[start]) {
			if !utf8.FullRune(p[start:]) {
				return start
			}
			break
		}
	}
	return len(p)
}

// countRunes counts the characters of p, and those of two UTF-16 code units among them.
func countRunes(p []byte) (chars, astral int64) {
	if ascii(p) {
		return int64(len(p)), 0
	}
	if !utf8.Valid(p) {
		for i := 0; i < len(p); {
			_, n := utf8.DecodeRune(p[i:])
			chars++
			if n == 4 {
				astral++
			}
			i += n
		}
		return chars, astral
	}
	// In valid text every byte but 10xxxxxx starts a character, 11110xxx a character of four bytes.
	const each = 0x0101010101010101
	chars = int64(len(p))
	for ; len(p) >= 8; p = p[8:] {
		w := binary.LittleEndian.Uint64(p)
		chars -= int64(bits.OnesCount64(w >> 7 &^ (w >> 6) & each))
		astral += int64(bits.OnesCount64(w >> 7 & (w >> 6) & (w >> 5) & (w >> 4) & each))
	}
	for _, c := range p {
		if !utf8.RuneStart(c) {
			chars--
		}
		if c >= 0xf0 {
			astral++
		}
	}
	return chars, astral
}

// ascii tells whether p has no byte of a longer character.
func ascii(p []byte) bool {
	const tops = 0x8080808080808080
	for ; len(p) >= 32; p = p[32:] {
		if (binary.LittleEndian.Uint64(p)|binary.LittleEndian.Uint64(p[8:])|
			binary.LittleEndian.Uint64(p[16:])|binary.LittleEndian.Uint64(p[24:]))&tops != 0 {
			return false
		}
	}
	for _, c := range p {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
