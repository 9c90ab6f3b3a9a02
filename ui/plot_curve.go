package ui

import (
	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

// A curve is a line of points: where each lies from left (0) to right (1), and how high it is.
type curve struct {
	at, height []float64
}

// curve draws c into r, as high as top is. Dots of a quarter of a cell's height make it, where the
// terminal can show them; what was drawn before stays visible between them.
func (p *plot) curve(r rect, c curve, top float64, k ink) {
	if r.W <= 0 || r.H <= 0 || len(c.at) == 0 {
		return
	}
	if top <= 0 {
		top = 1
	}
	if p.theme.ascii {
		p.coarse(r, c, top, k)
		return
	}
	g := graph.NewBrailleGrid(r.W, r.H, 0, 1, 0, top)
	var last canvas.Point
	for i := range c.at {
		now := g.GridPoint(canvas.Float64Point{X: c.at[i], Y: c.height[i]})
		if i == 0 {
			last = now
		}
		for _, dot := range graph.GetLinePoints(last, now) {
			g.Set(dot)
		}
		last = now
	}
	for y, row := range g.BraillePatterns() {
		for x, dots := range row {
			if dots != runes.BrailleBlockOffset {
				p.put(r.X+x, r.Y+y, string(dots), k)
			}
		}
	}
}

// coarse draws a curve by one character a cell.
func (p *plot) coarse(r rect, c curve, top float64, k ink) {
	point := func(i int) canvas.Point {
		return canvas.Point{
			X: min(int(c.at[i]*float64(r.W)), r.W-1),
			Y: r.H - 1 - min(int(c.height[i]/top*float64(r.H)), r.H-1),
		}
	}
	last := point(0)
	for i := range c.at {
		now := point(i)
		for _, dot := range graph.GetLinePoints(last, now) {
			p.put(r.X+dot.X, r.Y+dot.Y, "*", k)
		}
		last = now
	}
}
