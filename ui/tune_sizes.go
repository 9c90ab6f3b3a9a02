package ui

import "slices"

// tuneSizes are the sizes of results in tokens, ascending.
type tuneSizes struct {
	structured, plain []float64
}

func (s tuneSizes) len() int { return len(s.structured) + len(s.plain) }

// largest is the largest size.
func (s tuneSizes) largest() float64 {
	top := 0.0
	for _, sizes := range [][]float64{s.structured, s.plain} {
		if n := len(sizes); n > 0 {
			top = max(top, sizes[n-1])
		}
	}
	return top
}

// counts is how many sizes lie in each of the cells of an axis, the edges being the least of all cells
// but the first. What is at the edge split is in the cell before it, since it is not over a limit there,
// unless the limit is over where it is reached.
func counts(sizes, edges []float64, split int, reaches bool) []int {
	out := make([]int, len(edges)+1)
	from := 0
	for i := range out {
		to := len(sizes)
		if i < len(edges) {
			var found bool
			to, found = slices.BinarySearch(sizes, edges[i])
			for found && i+1 == split && !reaches && to < len(sizes) && sizes[to] == edges[i] {
				to++
			}
		}
		to = max(to, from)
		out[i] = to - from
		from = to
	}
	return out
}
