package engine

import (
	"math"
	"strconv"
	"strings"
)

// figure writes a count for a sentence: rounded half up, thousands apart. Under ten a fraction shows,
// with two decimals at most: a quarter of a token over a limit is over it.
func figure(x float64) string {
	if math.Abs(x) < 10 {
		return decimals(x)
	}
	return thousands(strconv.FormatFloat(math.Floor(x+0.5), 'f', 0, 64))
}

// beside writes a count that stands beside a limit: with its fraction where rounding would hide on
// which side of it the count is.
func beside(x, limit float64) string {
	if s := figure(x); x == limit || s != figure(limit) {
		return s
	}
	return decimals(x)
}

// decimals writes x with two decimals, without zeros at their end.
func decimals(x float64) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Floor(x*100+0.5)/100, 'f', 2, 64), ".")
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		fraction = "." + fraction
	}
	return thousands(whole) + fraction
}

func thousands(s string) string {
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// percent writes a share: with one decimal under 10 %, and from 99 % on, where it is cut instead of
// rounded. Only the whole is 100 %, only nothing is 0 %.
func percent(share float64) string {
	p := share * 100
	switch {
	case p > 0 && p < 0.05:
		return "<0.1 %"
	case p >= 99 && p < 100:
		return strconv.FormatFloat(math.Floor(p*10)/10, 'f', 1, 64) + " %"
	case math.Abs(p) < 9.95:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// amount writes a count with its noun in the right number: 1 token, 0.25 tokens.
func amount(x float64, noun string) string {
	if s := figure(x); s != "1" {
		return s + " " + noun + "s"
	}
	return "1 " + noun
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return figure(float64(n)) + " " + many
}
