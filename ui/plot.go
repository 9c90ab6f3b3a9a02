package ui

import "strings"

// A plot is a place of cells in which curves, bars and lines are drawn one over the other, and which
// becomes lines of text at the end. Its styles follow the theme's rule: colour is the threshold and
// what is over it, all else is told by glyphs.
type plot struct {
	w, h  int
	cells []plotCell
	theme *theme
}

type plotCell struct {
	glyph string // empty: nothing was drawn here
	ink   ink
}

// An ink is how a cell of a plot is painted.
type ink int

const (
	plainInk ink = iota
	overInk      // the threshold, and what is over it
	faintInk
	strongInk
)

func newPlot(w, h int, t *theme) *plot {
	w, h = max(w, 0), max(h, 0)
	return &plot{w: w, h: h, cells: make([]plotCell, w*h), theme: t}
}

// put draws one cell; what lies outside is left out.
func (p *plot) put(x, y int, glyph string, k ink) {
	if x >= 0 && x < p.w && y >= 0 && y < p.h {
		p.cells[y*p.w+x] = plotCell{glyph, k}
	}
}

// write draws text of one-cell characters from x on, as much of it as has room.
func (p *plot) write(x, y int, s string, k ink) {
	for _, r := range s {
		p.put(x, y, string(r), k)
		x++
	}
}

// free tells whether n cells from x on have nothing in them and lie inside, with an empty cell (or
// the border) on both sides.
func (p *plot) free(x, y, n int) bool {
	if x < 0 || x+n > p.w || y < 0 || y >= p.h {
		return false
	}
	for i := max(x-1, 0); i < min(x+n+1, p.w); i++ {
		if p.cells[y*p.w+i].glyph != "" {
			return false
		}
	}
	return true
}

// upright draws a vertical line through rows from to below.
func (p *plot) upright(x, from, to int, glyph string, k ink) {
	for y := from; y < to; y++ {
		p.put(x, y, glyph, k)
	}
}

// lines are the rows, each w cells.
func (p *plot) lines() []string {
	paints := map[ink]paint{overInk: p.theme.over, faintInk: p.theme.faint, strongInk: p.theme.strong}
	out := make([]string, p.h)
	for y := range out {
		var b, run strings.Builder
		last := plainInk
		flush := func() {
			b.WriteString(paints[last].on(run.String()))
			run.Reset()
		}
		for _, c := range p.cells[y*p.w : (y+1)*p.w] {
			if c.glyph == "" {
				c.glyph, c.ink = " ", plainInk
			}
			if c.ink != last {
				flush()
				last = c.ink
			}
			run.WriteString(c.glyph)
		}
		flush()
		out[y] = b.String()
	}
	return out
}
