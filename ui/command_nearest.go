package ui

// nearest is the name that somebody who wrote word most likely meant: the one with the fewest
// changed letters, at most a third of them; empty without one.
func nearest(word string, names []string) string {
	best, found := 1+max(1, len(word)/3), ""
	for _, n := range names {
		if d := distance(word, n); d < best {
			best, found = d, n
		}
	}
	return found
}

// distance counts the letters to insert, delete, replace or swap with their neighbour to make b of a.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
