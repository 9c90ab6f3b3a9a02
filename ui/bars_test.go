package ui

import (
	"slices"
	"strings"
	"testing"
)

func TestABarCrossesTheLineOnlyOverTheThreshold(t *testing.T) {
	th := monoTheme()
	s := newScale(20, 1_000_000, 7000)
	for _, c := range []struct {
		tokens  float64
		crosses bool
	}{
		{0, false}, {1, false}, {6999, false}, {7000, false}, {7000.25, true}, {7001, true}, {1_000_000, true}, {1e12, true},
	} {
		bar := s.bar(c.tokens, th)
		if got := strings.Contains(bar, "┿"); got != c.crosses {
			t.Errorf("%v tokens: %q, crosses %v, want %v", c.tokens, bar, got, c.crosses)
		}
		if got := width(bar); got != 20 {
			t.Errorf("%v tokens: %d cells", c.tokens, got)
		}
	}
	if got := s.bar(1, th); !strings.HasPrefix(got, "╸ ") {
		t.Errorf("one token leaves a trace: %q", got)
	}
	if got := s.bar(0, th); strings.ContainsAny(got, "╸━") {
		t.Errorf("nothing leaves none: %q", got)
	}
	if got := newScale(20, 20_000, 7000).bar(25e6, th); !strings.HasSuffix(got, "━…") {
		t.Errorf("longer than the axis: %q", got)
	}
	if got := newScale(20, 1000, 0).bar(1000, th); got != strings.Repeat("━", 20) {
		t.Errorf("without a threshold: %q", got)
	}
}

func TestWhatWasKeptOutIsDashed(t *testing.T) {
	th := monoTheme()
	s := newScale(20, 50_000, 7000)
	bar := s.both(300, 46_000, th, true)
	if strings.Contains(bar, "┿") || !strings.Contains(bar, "━╌") && !strings.Contains(bar, "╸╌") || !strings.Contains(bar, "┆╌") {
		t.Errorf("300 of 46,000 entered: %q", bar)
	}
	if got := s.both(500, 400, th, true); strings.Contains(got, "╌") {
		t.Errorf("more entered than there was: %q", got)
	}
}

func TestASparklineShowsThePastOnly(t *testing.T) {
	th := monoTheme()
	if got, want := sparkline([]float64{0, 10, 20, 80}, 80, 2, th), "▁▂▃·"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	values, cellOf := resample([]float64{1, 9, 2, 3, 4, 8}, 3)
	if !slices.Equal(values, []float64{9, 3, 8}) {
		t.Errorf("six values in three cells: %v, want the largest of each two", values)
	}
	if cellOf(5) != 2 || cellOf(0) != 0 {
		t.Errorf("the last value is in cell %d, the first in %d", cellOf(5), cellOf(0))
	}
	values, cellOf = resample([]float64{1, 2}, 5)
	if !slices.Equal(values, []float64{1, 1, 1, 2, 2}) || cellOf(0) != 2 || cellOf(1) != 4 {
		t.Errorf("two values in five cells: %v, ending at %d and %d", values, cellOf(0), cellOf(1))
	}
	for n := 1; n < 40; n++ {
		for cells := 1; cells < 40; cells++ {
			values, cellOf := resample(make([]float64, n), cells)
			if len(values) > cells || cellOf(n-1) != len(values)-1 {
				t.Fatalf("%d values in %d cells: %d cells, the last at %d", n, cells, len(values), cellOf(n-1))
			}
		}
	}
}
