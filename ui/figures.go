package ui

import (
	"math"
	"strconv"
)

// grouped writes n with commas between thousands: 46,006.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// rounded is a fraction of tokens as screens show it: rounded half up and grouped.
func rounded(f float64) string {
	if math.IsNaN(f) || math.Abs(f) >= math.MaxInt64/2 {
		return "?"
	}
	return grouped(int64(math.Floor(f + 0.5)))
}

// short writes a figure in few cells: 46,006 as it is up to 9,999,999, then 25.0 M and 1.2 G.
func short(f float64) string {
	switch n := math.Abs(f); {
	case n >= 999_950_000:
		return strconv.FormatFloat(f/1e9, 'f', 1, 64) + " G"
	case n >= 9_999_999.5:
		return strconv.FormatFloat(f/1e6, 'f', 1, 64) + " M"
	}
	return rounded(f)
}

// brief writes a figure in at most six cells: 9,999, then 46.0 k, 1.2 M.
func brief(f float64) string {
	switch n := math.Abs(f); {
	case n >= 999_950:
		return strconv.FormatFloat(f/1e6, 'f', 1, 64) + " M"
	case n >= 9_999.5:
		return strconv.FormatFloat(f/1e3, 'f', 1, 64) + " k"
	}
	return rounded(f)
}

// sized writes a figure for a column of w cells.
func sized(f float64, w int) string {
	if s := short(f); width(s) <= w {
		return s
	}
	return brief(f)
}

// percent writes a share of a whole: 1.1 %, 29 %; "–" where there is no whole.
func percent(part, whole float64) string {
	if whole == 0 {
		return "–"
	}
	p := 100 * part / whole
	if p > 0 && p < 0.05 {
		return "<0.1 %"
	}
	if math.Abs(p) < 9.95 {
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// count writes n with its noun in the right number: 1 result, 8 results.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(int64(n)) + " " + noun + "s"
}
