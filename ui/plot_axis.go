package ui

import (
	"math"
	"strconv"
)

// A logAxis is a logarithmic axis of cells from one count to another, both over 0.
type logAxis struct {
	cells    int
	from, to float64
}

// newLogAxis holds everything from low to high, and is at least a factor of ten long.
func newLogAxis(cells int, low, high float64) logAxis {
	low = max(low, 1)
	return logAxis{max(cells, 1), low, max(high, low*10)}
}

// share is where v lies on the axis, from 0 to 1; what lies outside is at its ends.
func (a logAxis) share(v float64) float64 {
	if v <= a.from {
		return 0
	}
	return min(math.Log(v/a.from)/math.Log(a.to/a.from), 1)
}

// cell is the cell that v lies in. A power of ten is not moved out of its cell by the last bits of a
// logarithm.
func (a logAxis) cell(v float64) int { return min(int(a.share(v)*float64(a.cells)+1e-9), a.cells-1) }

// value is the count at a share of the axis.
func (a logAxis) value(share float64) float64 {
	return a.from * math.Pow(a.to/a.from, share)
}

// edges are the lower bounds of all cells but the first, which begins at nothing. Where split lies on
// the axis, the bound nearest to it is moved there: what is over it never shares a cell with what is
// not.
func (a logAxis) edges(split float64) (edges []float64, at int) {
	edges = make([]float64, a.cells-1)
	for i := range edges {
		edges[i] = a.value(float64(i+1) / float64(a.cells))
	}
	if split <= 0 || len(edges) == 0 {
		return edges, -1
	}
	at = min(max(int(a.share(split)*float64(a.cells)+0.5), 1), a.cells-1)
	edges[at-1] = split
	for i := at - 2; i >= 0 && edges[i] > split; i-- {
		edges[i] = split
	}
	for i := at; i < len(edges) && edges[i] < split; i++ {
		edges[i] = split
	}
	return edges, at
}

// An axisMark is a count that the axis names.
type axisMark struct {
	cell  int
	label string
	ink   ink
}

// draw writes the axis in row y of p from x on: the marks first, each with its glyph where it stands,
// then the powers of ten that there is room for.
func (a logAxis) draw(p *plot, x, y int, marks ...axisMark) {
	for _, m := range marks {
		at := x + m.cell
		n := width(m.label)
		switch {
		case p.free(at, y, n+1):
			p.put(at, y, p.theme.caret, m.ink)
			p.write(at+1, y, m.label, m.ink)
		case p.free(at-n, y, n+1):
			p.write(at-n, y, m.label, m.ink)
			p.put(at, y, p.theme.caret, m.ink)
		case p.free(at, y, 1):
			p.put(at, y, p.theme.caret, m.ink)
		}
	}
	for v := math.Pow(10, math.Ceil(math.Log10(a.from))); v <= a.to; v *= 10 {
		label := powerOfTen(v)
		if at := x + a.cell(v); p.free(at, y, width(label)) {
			p.write(at, y, label, faintInk)
		}
	}
}

// powerOfTen writes 1, 10, 100, 1k … 1G.
func powerOfTen(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= unit.size {
			return strconv.FormatFloat(v/unit.size, 'f', 0, 64) + unit.name
		}
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}
