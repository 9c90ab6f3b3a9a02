package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

func asciiTheme() *theme { return newTheme(termenv.Ascii, true, false) }

func drawn(p *plot) string { return strings.Join(p.lines(), "\n") }

func TestAnAxisPutsPowersOfTenAtEqualDistances(t *testing.T) {
	a := newLogAxis(40, 1, 10_000)
	for v, want := range map[float64]int{0: 0, 1: 0, 10: 10, 100: 20, 1000: 30, 9999: 39, 1e9: 39} {
		if got := a.cell(v); got != want {
			t.Errorf("%v lies in cell %d, want %d", v, got, want)
		}
	}
	p := newPlot(40, 1, monoTheme())
	a.draw(p, 0, 0, axisMark{cell: 25, label: "316", ink: overInk})
	if got, want := drawn(p), "1         10        100  ▴316 1k        "; got != want {
		t.Errorf("the axis is\n%q, want\n%q", got, want)
	}
}

// A mark takes the place of a tick, stands before its glyph at the right end, and is a glyph alone
// where there is no room for its figure.
func TestMarksOfAnAxisComeBeforeItsTicks(t *testing.T) {
	a := newLogAxis(20, 1, 100)
	p := newPlot(20, 1, monoTheme())
	a.draw(p, 0, 0, axisMark{cell: 9, label: "8"}, axisMark{cell: 18, label: "7,000"}, axisMark{cell: 0, label: "a long label of more cells"})
	if got, want := drawn(p), "▴        ▴8  7,000▴ "; got != want {
		t.Errorf("the axis is\n%q, want\n%q", got, want)
	}
}

func TestTheThresholdIsTheEdgeOfACell(t *testing.T) {
	a := newLogAxis(4, 1, 10_000)
	edges, at := a.edges(150)
	if want := []float64{10, 150, 1000}; !slices.EqualFunc(edges, want, func(x, y float64) bool { return x > y-0.001 && x < y+0.001 }) || at != 2 {
		t.Errorf("edges %v, the threshold before cell %d; want %v, cell 2", edges, at, want)
	}
	if _, at := a.edges(0); at != -1 {
		t.Errorf("without a threshold there is one before cell %d", at)
	}
	// At either end too, and the edges stay in order.
	for split, want := range map[float64]int{1.01: 1, 9999: 3, 1e6: 3} {
		edges, at := a.edges(split)
		if at != want || !slices.IsSorted(edges) {
			t.Errorf("split at %v: edges %v, before cell %d; want %d", split, edges, at, want)
		}
	}
}

func TestBarsShowEveryCount(t *testing.T) {
	p := newPlot(5, 2, monoTheme())
	p.bars(0, 0, 2, []int{0, 1, 8, 16, 1000}, 1000, -1)
	if got, want := drawn(p), "    █\n ▁▁▁█"; got != want {
		t.Errorf("the bars are\n%s\nwant\n%s", got, want)
	}
	p = newPlot(4, 2, monoTheme())
	p.bars(0, 0, 2, []int{4, 8, 12, 16}, 16, -1)
	if got, want := drawn(p), "  ▄█\n▄███"; got != want {
		t.Errorf("the bars are\n%s\nwant\n%s", got, want)
	}
	p = newPlot(2, 1, colourTheme())
	p.bars(0, 0, 1, []int{8, 8}, 8, 1)
	if got, want := drawn(p), "█"+colourTheme().over.on("█"); got != want {
		t.Errorf("over the threshold: %q, want %q", got, want)
	}
}

func TestACurveGoesThroughItsPoints(t *testing.T) {
	rising := curve{at: []float64{0, 1}, height: []float64{0, 10}}
	p := newPlot(4, 1, monoTheme())
	p.upright(1, 0, 1, "┆", overInk)
	p.curve(rect{0, 0, 4, 1}, rising, 10, plainInk)
	if got, want := drawn(p), "⣀⠤⠒⠉"; got != want {
		t.Errorf("the curve is %s, want %s", got, want)
	}
	p = newPlot(4, 4, asciiTheme())
	p.curve(rect{0, 0, 4, 4}, rising, 10, plainInk)
	if got, want := drawn(p), "   *\n  * \n *  \n*   "; got != want {
		t.Errorf("the curve is\n%s\nwant\n%s", got, want)
	}
	// What it leaves free keeps what was drawn before.
	p = newPlot(2, 2, monoTheme())
	p.upright(0, 0, 2, "┆", plainInk)
	p.curve(rect{0, 0, 2, 2}, curve{at: []float64{0, 1}, height: []float64{0, 0}}, 10, plainInk)
	if got, want := drawn(p), "┆ \n⣀⣀"; got != want {
		t.Errorf("the curve is\n%s\nwant\n%s", got, want)
	}
}
