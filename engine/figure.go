package engine

import (
	"fmt"
	"math"
	"strconv"
)

// figure writes a count for a sentence: rounded half up, thousands apart.
func figure(x float64) string {
	s := strconv.FormatFloat(math.Floor(x+0.5), 'f', 0, 64)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// percent writes a share with one decimal.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", share*100) }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return figure(float64(n)) + " " + many
}
