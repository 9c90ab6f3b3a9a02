package engine

import "bytes"

// arrow is what stands behind a line's number in what an editor's tool prints.
var arrow = []byte("→")

// A payload is compared by its units: for JSON its values (so that indenting, other keys and another order
// make no difference), and for every text its runs of words (so that a part of a text, or one with numbers
// before its lines, is found again).

// Sizes of units and samples. A sample of so many units tells shares apart by about a hundredth.
const (
	unitWords  = 4
	unitSample = 8192
	leastValue = 4 // bytes; shorter ones (true, 12, EUR) are in every payload
)

// A unitSet is a sample of the different units of a payload, with what each weighs in bytes and which of them
// came back: those whose hashes are a multiple of every, in bits that the hash mixes well.
type unitSet struct {
	weight map[uint64]float64
	every  uint64
	total  float64
	back   map[uint64]bool
	shared float64
}

// Two ways of comparing: by values, and by runs of words.
const (
	byValues = iota
	byWords
	unitWays
)

func newUnitSet() unitSet {
	return unitSet{weight: map[uint64]float64{}, every: 1, back: map[uint64]bool{}}
}

// add adds a unit; a sample that grows too large is halved. So a payload of any size takes as little memory.
func (s *unitSet) add(h uint64, size int) {
	if (h>>7)%s.every != 0 || s.weight[h] != 0 {
		return
	}
	s.weight[h] = float64(size)
	s.total += float64(size)
	for len(s.weight) > unitSample {
		s.every *= 2
		for h, w := range s.weight {
			if (h>>7)%s.every != 0 {
				delete(s.weight, h)
				s.total -= w
			}
		}
	}
}

// eachUnit gives the units of a payload: values where it is JSON, and runs of words.
func eachUnit(p []byte, structured bool, do func(way int, h uint64, size int)) {
	if structured {
		eachLeaf(p, func(l leafAt) {
			if l.end-l.start >= leastValue {
				do(byValues, hashBytes(offsetBasis, p[l.start:l.end]), l.end-l.start)
			}
		})
	}
	var run [unitWords]uint64
	n := 0
	eachWord(p, func(from, end int) {
		run[n%unitWords] = hashBytes(offsetBasis, p[from:end])
		n++
		if n < unitWords {
			return
		}
		h := uint64(offsetBasis)
		for i := range unitWords {
			h = (h ^ run[(n+i)%unitWords]) * prime
			h ^= h >> 29
		}
		do(byWords, h, end-from)
	})
}

// Constants of the hash FNV-1a, 64 bits.
const (
	offsetBasis = 14695981039346656037
	prime       = 1099511628211
)

func hashBytes(h uint64, p []byte) uint64 {
	for _, c := range p {
		h = (h ^ uint64(c)) * prime
	}
	return h
}

// eachWord gives the words of a text: letters and digits. The number before a line, as cat -n and editors
// write it, is none where it is followed by a tab, an arrow, a bar or a colon.
func eachWord(p []byte, do func(from, end int)) {
	lineStart := true
	for i := 0; i < len(p); {
		c := p[i]
		switch {
		case c == '\n':
			lineStart = true
			i++
		case lineStart && (c == ' ' || c == '\t'):
			i++
		case c == '\\' && i+1 < len(p):
			lineStart = p[i+1] == 'n'
			i += 2
		case asciiWord(c) || c >= 0x80:
			from := i
			for i < len(p) && (asciiWord(p[i]) || p[i] >= 0x80) && !(lineStart && bytes.HasPrefix(p[i:], arrow)) {
				i++
			}
			if !lineStart || !lineNumber(p, from, i) {
				do(from, i)
			}
			lineStart = false
		default:
			lineStart = false
			i++
		}
	}
}

// lineNumber tells whether p[from:end] numbers a line.
func lineNumber(p []byte, from, end int) bool {
	i := from
	for i < end && p[i]-'0' < 10 {
		i++
	}
	if i == from {
		return false
	}
	return i == end && i < len(p) && (p[i] == '\t' || p[i] == ':' || p[i] == '|' || bytes.HasPrefix(p[i:], arrow))
}
