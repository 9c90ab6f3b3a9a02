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

// units are the hashes of a payload's units, and the bytes that each stands for.
type units struct {
	hashes []uint64
	sizes  []int32
}

// set is a sample of u without repetitions: those whose hashes are smallest by their low bits.
func (u units) set() unitSet {
	s := unitSet{weight: map[uint64]float64{}, back: map[uint64]bool{}}
	every := uint64(1)
	for uint64(len(u.hashes)) > every*unitSample {
		every *= 2
	}
	for i, h := range u.hashes {
		if (h>>7)%every != 0 || s.weight[h] != 0 {
			continue
		}
		s.weight[h] = float64(u.sizes[i])
		s.total += float64(u.sizes[i])
	}
	return s
}

// maxUnits bounds what is remembered of one payload: of a larger one units are left out evenly.
const maxUnits = 1 << 20

// contentUnits are the units of a payload: by values where it is JSON, and by runs of words.
func contentUnits(p []byte, structured bool) [2]units {
	var u [2]units
	if structured {
		eachLeaf(p, func(l leafAt) {
			if l.end-l.start >= leastValue {
				u[0].add(hashBytes(offsetBasis, p[l.start:l.end]), l.end-l.start)
			}
		})
	}
	var run [unitWords]uint64
	var size [unitWords]int
	n := 0
	eachWord(p, func(from, end int) {
		run[n%unitWords], size[n%unitWords] = hashBytes(offsetBasis, p[from:end]), end-from
		n++
		if n < unitWords {
			return
		}
		h := uint64(offsetBasis)
		for i := range unitWords {
			h = (h ^ run[(n+i)%unitWords]) * prime
			h ^= h >> 29
		}
		u[1].add(h, end-from)
	})
	return u
}

func (u *units) add(h uint64, size int) {
	if len(u.hashes) >= maxUnits && h>>50%16 != 0 {
		return // the same ones are left out of every payload that is as large
	}
	u.hashes, u.sizes = append(u.hashes, h), append(u.sizes, int32(min(size, 1<<20)))
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
