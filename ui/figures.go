package ui

import (
	"math"
	"strconv"
	"strings"
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

// figureOf writes a number with all its digits, those before the point grouped.
func figureOf(f float64) string {
	whole, fraction, fractional := strings.Cut(exactly(f), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	switch {
	case err != nil:
		return exactly(f)
	case fractional:
		return grouped(n) + "." + fraction
	}
	return grouped(n)
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

// percent writes a share of a whole: 1.1 %, 29 %; "–" where there is no whole. From 99 % on it has a
// decimal and is cut instead of rounded: only the whole is 100 %, only nothing is 0 %. The engine's
// warnings follow the same rule.
func percent(part, whole float64) string {
	if whole == 0 {
		return "–"
	}
	p := 100 * part / whole
	if p > 0 && p < 0.05 {
		return "<0.1 %"
	}
	if p >= 99 && p < 100 {
		return strconv.FormatFloat(math.Floor(p*10)/10, 'f', 1, 64) + " %"
	}
	if math.Abs(p) < 9.95 {
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// besideLimit is rounded for a figure that stands beside a limit: with its fraction where rounding
// would hide on which side of the limit it is.
func besideLimit(n, limit float64) string {
	if n == limit || rounded(n) != rounded(limit) {
		return rounded(n)
	}
	whole, fraction := math.Modf(n)
	return grouped(int64(whole)) + strings.TrimPrefix(strconv.FormatFloat(fraction, 'f', 2, 64), "0")
}

// inUnits writes a figure with its unit in the right number: 1 byte, 20,113 bytes.
func inUnits(figure, units string) string {
	if figure == "1" {
		units = strings.TrimSuffix(units, "s")
	}
	return figure + " " + units
}

// bytesText writes a number of bytes.
func bytesText(n int64) string { return inUnits(grouped(n), "bytes") }

// count writes n with its noun in the right number: 1 result, 8 results.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(int64(n)) + " " + noun + "s"
}
