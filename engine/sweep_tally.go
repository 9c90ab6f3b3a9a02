package engine

// A tally adds up what batches come to over the values of a sweep. Sums are kept as differences between
// neighbouring values, maxima as the marks of a tree of ranges: both take ranges of values in one go.
type tally struct {
	inline, model, visible []int64
	over                   []int64
	verdicts               [6][]int64
	step, context          ranges
}

func newTally(n int) *tally {
	t := &tally{inline: make([]int64, n+1), model: make([]int64, n+1), visible: make([]int64, n+1), over: make([]int64, n+1),
		step: newRanges(n), context: newRanges(n)}
	for i := range t.verdicts {
		t.verdicts[i] = make([]int64, n+1)
	}
	return t
}

// spread adds x to the values from l up to, not including, r.
func spread(differences []int64, l, r int, x int64) {
	differences[l] += x
	differences[r] -= x
}

func (t *tally) sums() [][]int64 {
	return append([][]int64{t.inline, t.model, t.visible, t.over}, t.verdicts[:]...)
}

func (t *tally) add(u *tally) {
	for i, s := range t.sums() {
		for j, x := range u.sums()[i] {
			s[j] += x
		}
	}
	for _, pair := range [][2]ranges{{t.step, u.step}, {t.context, u.context}} {
		for i, x := range pair[1].most {
			pair[0].most[i] = max(pair[0].most[i], x)
		}
	}
}

func (t *tally) points() []Point {
	n := len(t.inline) - 1
	for _, s := range t.sums() {
		for i := 1; i < n; i++ {
			s[i] += s[i-1]
		}
	}
	step, context := t.step.values(), t.context.values()
	points := make([]Point, n)
	for i := range points {
		p := Point{InlineTokens: inTokens(t.inline[i]), ModelTokens: inTokens(t.model[i]), VisibleBytes: t.visible[i],
			StepsOver: int(t.over[i]), PeakStepTokens: inTokens(step[i]), PeakContextTokens: inTokens(context[i])}
		for v := range p.Verdicts {
			p.Verdicts[v] = int(t.verdicts[v][i])
		}
		points[i] = p
	}
	return points
}

// ranges keep the largest of what was said of each place, where it is said of whole ranges: a tree of
// ranges, each half as long as the one above it.
type ranges struct{ most []int64 }

func newRanges(n int) ranges { return ranges{make([]int64, 2*n)} }

// raise says x, not negative, of the places from l up to, not including, r.
func (t ranges) raise(l, r int, x int64) {
	n := len(t.most) / 2
	for l, r = l+n, r+n; l < r; l, r = l/2, r/2 {
		if l&1 == 1 {
			t.most[l] = max(t.most[l], x)
			l++
		}
		if r&1 == 1 {
			r--
			t.most[r] = max(t.most[r], x)
		}
	}
}

// values are the largest of each place.
func (t ranges) values() []int64 {
	n := len(t.most) / 2
	for i := 1; i < n; i++ {
		t.most[2*i] = max(t.most[2*i], t.most[i])
		t.most[2*i+1] = max(t.most[2*i+1], t.most[i])
	}
	return t.most[n:]
}
