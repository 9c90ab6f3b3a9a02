package ui

// bars draws counts as columns on the rows from top to below, one a cell from x on, the tallest as
// high as most is. A count that is not 0 is never invisible. Columns from cell over on are painted as
// over the threshold; -1 is none.
func (p *plot) bars(x, top, rows int, counts []int, most, over int) {
	levels := len(p.theme.spark)
	for i, n := range counts {
		if n == 0 || most == 0 {
			continue
		}
		k := plainInk
		if over >= 0 && i >= over {
			k = overInk
		}
		height := max((n*rows*levels+most/2)/most, 1) // in parts of a cell
		for row := range rows {
			switch fill := height - row*levels; {
			case fill >= levels:
				p.put(x+i, top+rows-1-row, p.theme.spark[levels-1], k)
			case fill > 0:
				p.put(x+i, top+rows-1-row, p.theme.spark[fill-1], k)
			}
		}
	}
}
