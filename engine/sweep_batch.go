package engine

import (
	"math/bits"
	"slices"
	"sort"
)

// A bout is one processor's part of a sweep.
type bout struct {
	*sweep
	*tally
	hand     hand
	replaced []bool
	passes   []int // by fact of the hand: the first value that it is not over
	cuts     []int
	fallen   []int64 // by number of facts replaced: by how much they lower the sum

	reads int64 // later steps that read what this one brings
	last  bool  // this step's results are read by none
	once  bool  // this step counts here, and not in another conversation
	// changes of what the segment brings into its context, by value
	changes []change
	bitmap  []uint64
	dense   []int64
}

type change struct {
	at int
	by int64
}

// segment goes through the steps of one context, which only grows: its peak is what its last step reads.
func (b *bout) segment(from, to int) error {
	col := b.column
	b.changes = b.changes[:0]
	fixed, context, model := int64(0), int64(0), int64(0)
	n := len(b.limits)
	for i := from; i < to; i++ {
		s := &b.c.steps[i]
		context += col.before[i]
		if !s.copied {
			model += context
		}
		if i == to-1 {
			fixed = context
		}
		context += col.after[i]
		if s.count == 0 {
			continue
		}
		if err := b.deal(&b.hand, s, b.prepared); err != nil {
			return err
		}
		context += b.hand.taken
		b.reads, b.last = int64(b.prepared.reads[i]), i == to-1
		b.once = !s.copied
		if b.hand.rejected > 0 && b.once {
			spread(b.verdicts[rejectedAt], 0, n, int64(b.hand.rejected))
		}
		if len(b.hand.fact) > 0 {
			b.batch(s)
		}
	}
	spread(b.model, 0, n, model)
	b.peak(fixed)
	return nil
}

// peak raises the peak context: fixed, and what the results brought at each value.
func (b *bout) peak(fixed int64) {
	n := len(b.limits)
	sum, from := fixed, 0
	take := func(at int, by int64) {
		if by == 0 {
			return
		}
		if at > from {
			b.context.raise(from, at, sum)
			from = at
		}
		sum += by
	}
	if words := n/64 + 1; words < 4*len(b.changes) {
		if b.dense == nil {
			b.dense, b.bitmap = make([]int64, n+1), make([]uint64, words)
		}
		for _, c := range b.changes {
			b.dense[c.at] += c.by
			b.bitmap[c.at/64] |= 1 << (c.at % 64)
		}
		for i, word := range b.bitmap {
			for ; word != 0; word &= word - 1 {
				at := i*64 + bits.TrailingZeros64(word)
				take(at, b.dense[at])
				b.dense[at] = 0
			}
			b.bitmap[i] = 0
		}
	} else {
		slices.SortFunc(b.changes, func(x, y change) int { return x.at - y.at })
		for _, c := range b.changes {
			take(c.at, c.by)
		}
	}
	if from < n {
		b.context.raise(from, n, sum)
	}
}

// batch finds the pieces of one step.
func (b *bout) batch(s *stepFact) {
	h := &b.hand
	if b.key == CombinedKey {
		if b.sweptThreads[s.thread] {
			b.combinedPieces()
		} else {
			b.replay(0, len(b.limits), b.combined[s.thread])
		}
		return
	}
	swept := 0
	for j := range h.fact {
		if h.swept[j] {
			swept++
		}
	}
	switch swept {
	case len(h.fact):
		b.perResultPieces(b.combined[s.thread])
	case 0:
		b.replay(0, len(b.limits), b.combined[s.thread])
	default:
		b.mixedPieces(b.combined[s.thread])
	}
}

// pass is the first value by which tokens are not over, of the first high.
func (b *bout) pass(tokens int64, high int) int {
	low := 0
	for low < high {
		m := int(uint(low+high) >> 1)
		if tokens > b.limits[m] {
			low = m + 1
		} else {
			high = m
		}
	}
	return low
}

// A standing is what a batch comes to with its largest results replaced.
type standing struct {
	inline, visible int64
	verdicts        [6]int32
}

func (b *bout) allStay() standing {
	st := standing{visible: b.hand.visible}
	for _, q := range b.hand.stay {
		st.inline += q
	}
	st.verdicts[inlineAt] = int32(len(b.hand.fact))
	return st
}

// swap replaces the j-th (sign 1), or puts it back (sign -1).
func (st *standing) swap(h *hand, j int, sign int64) {
	if h.at[j] == inlineAt {
		return
	}
	st.inline += sign * (h.in[j] - h.stay[j])
	st.visible -= sign * h.bytes[j]
	st.verdicts[inlineAt] -= int32(sign)
	st.verdicts[h.at[j]] += int32(sign)
}

// piece adds what a batch comes to at the values from l up to, not including, r.
func (b *bout) piece(l, r int, st *standing) {
	if l >= r {
		return
	}
	if b.once {
		b.counted(l, r, st)
	}
	if b.reads != 0 {
		spread(b.model, l, r, st.inline*b.reads)
	}
	b.step.raise(l, r, st.inline)
	if !b.last {
		b.changes = append(b.changes, change{l, st.inline}, change{r, -st.inline})
	}
}

// counted adds what each result comes to once, however many conversations hold it.
func (b *bout) counted(l, r int, st *standing) {
	spread(b.inline, l, r, st.inline)
	spread(b.visible, l, r, st.visible)
	for v, n := range st.verdicts {
		if n != 0 {
			spread(b.verdicts[v], l, r, int64(n))
		}
	}
	if st.inline > b.sweep.most {
		spread(b.over, l, r, 1)
	}
}

// perResultPieces finds the pieces where all results have the limit that is swept. What is over it are
// the largest, and the combined limit takes the largest that are left: always the first so many.
func (b *bout) perResultPieces(combined int64) {
	h, n := &b.hand, len(b.hand.fact)
	b.passes = b.passes[:0]
	high, sum := len(b.limits), int64(0)
	for _, tokens := range h.tokens {
		high = b.pass(tokens, high)
		b.passes = append(b.passes, high)
		sum += tokens
	}
	b.fallen = append(b.fallen[:0], 0)
	for j := range n {
		b.fallen = append(b.fallen, b.fallen[j]+h.gain[j])
	}
	st, standing := b.allStay(), 0
	// From the highest values, where fewest are over, to the lowest.
	for k, r := 0, len(b.limits); ; {
		l := 0
		if k < n {
			l = b.passes[k]
		}
		if l < r {
			m := k
			if sum > combined {
				m = k + sort.Search(n-k, func(x int) bool { return sum-(b.fallen[k+x]-b.fallen[k]) <= combined })
			}
			for ; standing < m; standing++ {
				st.swap(h, standing, 1)
			}
			for ; standing > m; standing-- {
				st.swap(h, standing-1, -1)
			}
			b.piece(l, r, &st)
			r = l
		}
		if k == n || r == 0 {
			return
		}
		sum += h.in[k] - h.tokens[k]
		k++
	}
}

// combinedPieces finds the pieces where the combined limit is swept.
func (b *bout) combinedPieces() {
	h := &b.hand
	st, sum := b.allStay(), int64(0)
	for j, tokens := range h.tokens {
		if tokens > h.limit[j] {
			st.swap(h, j, 1)
			tokens = h.in[j]
		}
		sum += tokens
	}
	r := len(b.limits)
	for j := -1; r > 0; {
		l := b.pass(sum, r) // from here on the sum is not over
		b.piece(l, r, &st)
		r = l
		for j++; j < len(h.fact) && (h.at[j] == inlineAt || h.tokens[j] > h.limit[j]); j++ {
		}
		if j >= len(h.fact) {
			break
		}
		st.swap(h, j, 1)
		sum -= h.gain[j]
	}
	b.piece(0, r, &st)
}

// mixedPieces finds the pieces where some results have a limit of their own.
func (b *bout) mixedPieces(combined int64) {
	h := &b.hand
	b.cuts = append(b.cuts[:0], 0, len(b.limits))
	for j, tokens := range h.tokens {
		if h.swept[j] {
			b.cuts = append(b.cuts, b.pass(tokens, len(b.limits)))
		}
	}
	slices.Sort(b.cuts)
	for i, l := range b.cuts[:len(b.cuts)-1] {
		r := b.cuts[i+1]
		if l == r {
			continue
		}
		for j := range h.limit {
			if h.swept[j] {
				h.limit[j] = b.limits[l]
			}
		}
		b.replay(l, r, combined)
	}
}

// replay adds one piece, in which the limits are the hand's.
func (b *bout) replay(l, r int, combined int64) {
	h := &b.hand
	b.replaced = slices.Grow(b.replaced[:0], len(h.fact))[:len(h.fact)]
	h.play(b.replaced, combined)
	st := b.allStay()
	for j, replaced := range b.replaced {
		if replaced {
			st.swap(h, j, 1)
		}
	}
	b.piece(l, r, &st)
}
