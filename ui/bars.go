package ui

import (
	"math"
	"strings"
)

// A scale places token counts on one logarithmic axis, so that 100 and 1,000,000 tokens stand in
// one column, with the threshold as a line through all rows.
type scale struct {
	cells int
	max   float64 // the largest count that has room
	limit float64 // the threshold; 0 is none
}

// newScale makes a scale that holds the largest of the counts, and the threshold with room after it.
func newScale(cells int, largest, limit float64) scale {
	return scale{cells, max(largest, limit*4, 100), limit}
}

// smallest is the count from which the axis is logarithmic; below it there is next to nothing to see.
const smallest = 10

// at is the place of n on the axis, in cells, fractions kept.
func (s scale) at(n float64) float64 {
	if n <= 0 || s.cells <= 0 {
		return 0
	}
	return min(math.Log1p(n/smallest)/math.Log1p(s.max/smallest), 1) * float64(s.cells)
}

// threshold is the cell with the line; -1 without one.
func (s scale) threshold() int {
	if s.limit <= 0 || s.cells <= 0 {
		return -1
	}
	return min(int(s.at(s.limit)), s.cells-1)
}

// bar draws n as a bar of exactly s.cells cells; one that is longer than the axis ends in "…". It reaches past the line only where n is over the
// threshold: rounding never moves it across.
func (s scale) bar(n float64, t *theme) string { return s.draw(n, n, t, true) }

// plain is bar without styles, for the selected row.
func (s scale) plain(n float64, t *theme) string { return s.draw(n, n, t, false) }

// both draws what entered the context as a bar, and what was kept out as its dashed rest.
func (s scale) both(entered, original float64, t *theme, styled bool) string {
	return s.draw(entered, original, t, styled)
}

func (s scale) draw(solid, whole float64, t *theme, styled bool) string {
	if s.cells <= 0 {
		return ""
	}
	line := s.threshold()
	end := func(n float64) (full int, half bool) {
		c := s.at(n)
		full = int(c)
		half = c-float64(full) >= 0.5
		if n > 0 && full == 0 {
			half = true
		}
		if line >= 0 {
			switch over := n > s.limit; {
			case over && full <= line:
				full, half = line+1, false
			case !over && full >= line:
				full, half = line, false
			case !over && full == line-1 && half:
				half = true
			}
		}
		return min(full, s.cells), half
	}
	full, half := end(solid)
	most, mostHalf := end(max(solid, whole))
	if mostHalf {
		most++
	}
	var plain, over strings.Builder
	for i := range s.cells {
		b := &plain
		if line >= 0 && i >= line && i < max(full, most) || i == line {
			b = &over
		}
		g := " "
		switch {
		case i == s.cells-1 && max(solid, whole) > s.max && i != line:
			g = "…" // it goes on
		case i == line && i < full:
			g = t.cross
		case i == line:
			g = t.line
		case i < full:
			g = t.bar
		case i == full && half:
			g = t.half
		case i < most:
			g = t.left
		}
		if b == &plain && over.Len() > 0 {
			over.WriteString(g) // the cells after the painted ones are blank
			continue
		}
		b.WriteString(g)
	}
	if !styled {
		return plain.String() + over.String()
	}
	return plain.String() + t.over.on(over.String())
}

// sparkline draws values on a linear scale from 0 to top, one cell each; what lies after the cell
// "now" has not happened yet and is a dot.
func sparkline(values []float64, top float64, now int, t *theme) string {
	var b strings.Builder
	for i, v := range values {
		if i > now {
			b.WriteString(t.future)
			continue
		}
		if v > top && top > 0 {
			b.WriteString(t.offScale)
			continue
		}
		n := len(t.spark)
		k := 0
		if top > 0 {
			k = min(int(v/top*float64(n)), n-1)
		}
		b.WriteString(t.spark[max(k, 0)])
	}
	return b.String()
}

// maxStretch is how many cells one value of a short sparkline takes at most.
const maxStretch = 6

// resample brings values to at most cells: of those that share a cell the largest is kept, and where
// there is room each takes several. cellOf is the last cell of value i.
func resample(values []float64, cells int) (out []float64, cellOf func(int) int) {
	n := len(values)
	if n == 0 || cells <= 0 {
		return nil, func(int) int { return -1 }
	}
	if n > cells {
		out = make([]float64, cells)
		cellOf = func(i int) int { return i * cells / n }
		for i, v := range values {
			out[cellOf(i)] = max(out[cellOf(i)], v)
		}
		return out, cellOf
	}
	cells = min(cells, n*maxStretch)
	for j := range cells {
		out = append(out, values[j*n/cells])
	}
	return out, func(i int) int { return ((i+1)*cells+n-1)/n - 1 }
}
