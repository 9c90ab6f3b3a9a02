package engine

import "math/bits"

// A lookalikeIndex finds the lookalikes that a token may be near to without comparing it with all of them: so that
// the time for a payload does not grow with the number of values.
//
// Texts that are one edit apart, or have two neighbours exchanged, are equal once each has lost at most one
// byte. So each value is kept under its own hash and those of what is left without one of its bytes, under
// that of its letters and digits, and under that of its number.
type lookalikeIndex struct {
	by      map[uint64][]*lookalike
	filter  []uint64 // a bit for each hash
	shift   int
	lengths [longestNear + 1]bool // of tokens that can be near a value
	numbers bool
	powers  [longestNear + 1]uint64
	before  [longestNear + 1]uint64 // hashes of a token's beginnings
}

// longestNear is over the longest value that is followed, 200 bytes and maxMarks.
const longestNear = 255

// hashBase is the base of the hash: large, odd, without a pattern.
const hashBase = 0x9e3779b97f4a7c15

// Hashes of letters and digits, and of numbers, are told apart from those of texts.
const (
	foldedSeed = 0x2545f4914f6cdd1d
	numberSeed = 0x5851f42d4c957f2d
)

func newLookalikeIndex(all map[string]*lookalike) *lookalikeIndex {
	x := &lookalikeIndex{by: map[uint64][]*lookalike{}, powers: [longestNear + 1]uint64{1}}
	for i := 1; i < len(x.powers); i++ {
		x.powers[i] = x.powers[i-1] * hashBase
	}
	for _, l := range all {
		for d := -maxMarks; d <= maxMarks; d++ {
			if n := len(l.value) + d; n > 0 && n <= longestNear {
				x.lengths[n] = true
			}
		}
		x.numbers = x.numbers || l.number != ""
		x.eachKey([]byte(l.value), func(h uint64) {
			if list := x.by[h]; len(list) == 0 || list[len(list)-1] != l {
				x.by[h] = append(list, l)
			}
		})
	}
	x.shift = 64 - max(bits.Len(uint(16*len(x.by))), 6)
	x.filter = make([]uint64, 1<<(64-x.shift)/64)
	for h := range x.by {
		b := h * hashBase >> x.shift
		x.filter[b/64] |= 1 << (b % 64)
	}
	return x
}

// candidates gives the values that token may be near to, some of them several times.
func (x *lookalikeIndex) candidates(token []byte, do func(*lookalike)) {
	if len(token) > longestNear || !x.lengths[len(token)] {
		return
	}
	x.eachKey(token, func(h uint64) {
		if b := h * hashBase >> x.shift; x.filter[b/64]&(1<<(b%64)) != 0 {
			for _, l := range x.by[h] {
				do(l)
			}
		}
	})
}

// eachKey gives the hashes under which a text of up to longestNear bytes is kept, or looked for.
func (x *lookalikeIndex) eachKey(text []byte, do func(uint64)) {
	n := len(text)
	if n == 0 || n > longestNear {
		return
	}
	fold := uint64(foldedSeed)
	for i, c := range text {
		x.before[i+1] = x.before[i]*hashBase + uint64(c) + 1
		switch {
		case 'A' <= c && c <= 'Z':
			fold = fold*hashBase + uint64(c+'a'-'A') + 1
		case c >= 0x80, c-'0' < 10, 'a' <= c && c <= 'z':
			fold = fold*hashBase + uint64(c) + 1
		}
	}
	do(x.before[n])
	do(fold)
	for i := range n {
		rest := x.powers[n-1-i]
		do(x.before[i]*rest + x.before[n] - x.before[i+1]*rest)
	}
	if x.numbers && (text[0]-'0' < 10 || text[0] == '-') {
		do(hashBytes(numberSeed, []byte(canonical(string(text)))))
	}
}
