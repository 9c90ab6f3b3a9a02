package engine

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// A matcher finds many texts in another in one pass, where they stand as words of their own: not inside
// a longer word, number or hyphenated name.
//
// It looks at raw bytes. So it finds a value in JSON, in JSON inside strings of JSON, and in plain text
// alike, without decoding any of them.
type matcher struct {
	needles []string
	owner   []int // of a needle: which text it is a spelling of
	short   map[uint32][]int
	long    map[uint64][]int
	filter  [1 << 13]byte // a bit for each hash of the first three bytes
}

func newMatcher() *matcher {
	return &matcher{short: map[uint32][]int{}, long: map[uint64][]int{}}
}

// add adds text number owner, with the spellings that JSON may give it.
func (m *matcher) add(text string, owner int) {
	spellings := []string{text}
	if escaped := string(appendQuoted(nil, text)); escaped[1:len(escaped)-1] != text {
		spellings = append(spellings, escaped[1:len(escaped)-1])
	}
	if strings.Contains(text, "/") {
		spellings = append(spellings, strings.ReplaceAll(text, "/", `\/`))
	}
	if ascii := strconv.QuoteToASCII(text); len(ascii) > len(text)+2 && !strings.Contains(ascii, `\x`) && !strings.Contains(ascii, `\U`) {
		spellings = append(spellings, ascii[1:len(ascii)-1])
	}
	for _, s := range spellings {
		if len(s) < minTracked {
			continue
		}
		n := len(m.needles)
		m.needles, m.owner = append(m.needles, s), append(m.owner, owner)
		k := three(s[0], s[1], s[2])
		m.filter[filterBit(k)>>3] |= 1 << (filterBit(k) & 7)
		if len(s) >= 8 {
			l := binary.LittleEndian.Uint64([]byte(s))
			m.long[l] = append(m.long[l], n)
		} else {
			m.short[k] = append(m.short[k], n)
		}
	}
}

// three are three bytes in one word, and filterBit is their place in a matcher's filter.
func three(a, b, c byte) uint32 { return uint32(a) | uint32(b)<<8 | uint32(c)<<16 }

func filterBit(k uint32) uint16 { return uint16(k * 0x9e3779b1 >> 16) }

// find gives every place where a text stands in p, in rising order.
func (m *matcher) find(p []byte, hit func(owner, at, end int)) {
	if len(m.needles) == 0 {
		return
	}
	before := false // a word's character stands before i
	for i := 0; i+minTracked <= len(p); i++ {
		c := p[i]
		in := wordByte(c, before)
		inside := before && in
		before = in
		if inside && !afterEscape(p, i) {
			continue
		}
		k := three(c, p[i+1], p[i+2])
		if h := filterBit(k); m.filter[h>>3]&(1<<(h&7)) == 0 {
			continue
		}
		for _, n := range m.short[k] {
			m.check(p, i, n, hit)
		}
		if i+8 <= len(p) {
			for _, n := range m.long[binary.LittleEndian.Uint64(p[i:])] {
				m.check(p, i, n, hit)
			}
		}
	}
}

func (m *matcher) check(p []byte, i, n int, hit func(owner, at, end int)) {
	s := m.needles[n]
	e := i + len(s)
	if e <= len(p) && string(p[i:e]) == s && standsAlone(p, i, e) {
		hit(m.owner[n], i, e)
	}
}

// standsAlone tells whether p[i:e], which begins where a word may, is not a part of something longer.
func standsAlone(p []byte, i, e int) bool {
	if e < len(p) && asciiWord(p[e-1]) {
		if wordByte(p[e], false) {
			return false
		}
		if (p[e] == '-' || p[e] == '.') && e+1 < len(p) && asciiWord(p[e+1]) {
			return false
		}
	}
	if i == 0 || !asciiWord(p[i]) {
		return true
	}
	switch p[i-1] {
	case '.':
		return i < 2 || !asciiWord(p[i-2])
	case '-':
		return p[i]-'0' >= 10 && (i < 2 || !asciiWord(p[i-2]))
	}
	return true
}

func asciiWord(c byte) bool { return c == '_' || c-'0' < 10 || c|0x20-'a' < 26 }

// wordByte tells whether c belongs to a word. Of what is not ASCII, letters of Latin, Greek and Cyrillic
// do; Chinese and Japanese have no spaces between words, so that theirs do not.
func wordByte(c byte, before bool) bool {
	switch {
	case c < 0x80:
		return asciiWord(c)
	case c < 0xc0: // a continuation
		return before
	}
	return c >= 0xc3 && c < 0xd5
}

// afterEscape tells whether the escape of a string of JSON ends before i: in "\nACC-1" a word begins
// after the n.
func afterEscape(p []byte, i int) bool {
	if i >= 2 && p[i-2] == '\\' {
		switch p[i-1] {
		case 'b', 'f', 'n', 'r', 't':
			return true
		}
	}
	return i >= 6 && p[i-6] == '\\' && p[i-5] == 'u'
}
