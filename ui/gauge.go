package ui

import (
	"fmt"
	"strings"
)

// The gauge stands under both panes: how full the context is where the replay stands. Its figures are
// of the context once a step is over; the peak of the totals is of what the model reads to make one.
type gauge struct {
	*deps
	rect
	sel     selection
	playing bool
}

func (g *gauge) SetRect(r rect) { g.rect = r }

// maxScale is how many times the largest context that entered a scale reaches.
const maxScale = 10

// curveTop is the top of a scale for two curves: what entered, with its largest value, and the whole.
// One rejected result would make all else a flat line: what is far above the scale is marked.
func curveTop(entered float64, whole []float64) float64 {
	top := entered
	for _, v := range whole {
		if v <= maxScale*entered {
			top = max(top, v)
		}
	}
	return top
}

// figures of the context at the selected step.
func (g *gauge) figures() (now, original, kept float64, ok bool) {
	run := g.sel.run
	if run == nil || g.sel.row.at >= len(run.Steps) {
		return 0, 0, 0, false
	}
	s := &run.Steps[g.sel.row.at]
	return s.After, s.AfterOriginal, s.AfterOriginal - s.After, true
}

func (g *gauge) View() []string {
	now, original, kept, ok := g.figures()
	if !ok {
		return fill(nil, g.rect)
	}
	run, at := g.sel.run, g.sel.row.at
	t := g.theme
	// The curve is that of the thread in which the step is.
	first, last := at, at
	for first > 0 && run.Steps[first-1].Thread == run.Steps[at].Thread {
		first--
	}
	for last+1 < len(run.Steps) && run.Steps[last+1].Thread == run.Steps[at].Thread {
		last++
	}
	var entered, whole []float64
	fullest, fullestAt := 0.0, first
	for i := first; i <= last; i++ {
		s := &run.Steps[i]
		entered, whole = append(entered, s.After), append(whole, s.AfterOriginal)
		if s.After > fullest {
			fullest, fullestAt = s.After, i
		}
	}
	top := curveTop(fullest, whole)
	symbol := ""
	if g.playing {
		symbol = t.play + " "
	}
	head := fmt.Sprintf(" context at step %d of %d %s", at+1, len(run.Steps), symbol)
	tail := fmt.Sprintf(" %s · as returned %s · kept out %s · fullest %s after turn %d ", tokens(now), rounded(original), rounded(kept), rounded(fullest), run.Steps[fullestAt].Turn)
	if g.H >= 3 {
		return g.tall(head, tail, entered, whole, top, at-first)
	}
	room := g.W - width(head) - width(tail)
	if room < 8 {
		tail = fmt.Sprintf(" %s · kept out %s · fullest %s ", tokens(now), rounded(kept), rounded(fullest))
		room = g.W - width(head) - width(tail)
	}
	if room < 8 {
		tail = fmt.Sprintf(" %s ", tokens(now))
		room = g.W - width(head) - width(tail)
	}
	if room < 4 {
		return fill([]string{pad(head+tail, g.W)}, g.rect)
	}
	v, cellOf := resample(entered, room)
	line := head + sparkline(v, top, cellOf(at-first), t)
	return fill([]string{pad(line, g.W-width(tail)) + tail}, g.rect)
}

// tall draws both curves, one above the other, on one scale.
func (g *gauge) tall(head, tail string, entered, whole []float64, top float64, now int) []string {
	room := g.W - 15
	a, cellOf := resample(entered, room)
	b, _ := resample(whole, room)
	at := cellOf(now)
	return fill([]string{
		pad(strings.TrimRight(head, " ")+":"+tail, g.W),
		pad(" as returned  "+sparkline(b, top, at, g.theme), g.W),
		pad(" as entered   "+sparkline(a, top, at, g.theme), g.W),
	}, g.rect)
}
