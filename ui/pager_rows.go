package ui

import "strings"

// How bytes become rows: by grapheme cluster, each made visible, as many as fit.

// tabCells is the distance of tab stops in the pager. A tab is shown as → and fills up to the next.
const tabCells = 4

// wrap returns the offsets at which the rows of line begin. line is one line with its break, or a
// piece of one.
func wrap(line []byte, w int) []int32 {
	rows := make([]int32, 1, len(line)/max(w, 1)+1)
	col := 0
	for i := 0; i < len(line); {
		if c := line[i]; c >= 0x20 && c < 0x7f && (i+1 == len(line) || line[i+1] < 0x80) {
			if col == w {
				rows = append(rows, int32(i))
				col = 0
			}
			col++
			i++
			continue
		}
		if line[i] == '\n' && i == len(line)-1 {
			break // the break itself takes no cell
		}
		n, cells := cluster(line[i:], col)
		if col+cells > w && col > 0 {
			rows = append(rows, int32(i))
			col = 0
			_, cells = cluster(line[i:], 0)
		}
		col += cells
		i += n
	}
	return rows
}

// cluster measures the first grapheme cluster of p as it would be shown at this column.
func cluster(p []byte, col int) (bytes, cells int) {
	switch c := p[0]; {
	case c == '\t':
		return 1, tabCells - col%tabCells
	case c < 0x20 || c == 0x7f:
		return 1, 1
	}
	n := clusterLen(p)
	return n, width(visible(string(p[:n])))
}

// A span is a part of the bytes that is matched text.
type span struct{ from, to int }

// drawRow draws the bytes of one row, w cells wide, matched parts painted. The spans are relative to
// row, in order, and do not overlap.
func drawRow(row []byte, w int, spans []span, t *theme) string {
	if n := len(row); n > 0 && row[n-1] == '\n' {
		row = row[:n-1]
	}
	var b strings.Builder
	b.Grow(len(row) + w)
	col, at := 0, 0
	for _, s := range spans {
		from, to := max(at, min(s.from, len(row))), min(s.to, len(row))
		if to <= from {
			continue
		}
		var text string
		text, col = cells(row[at:from], col, w)
		b.WriteString(text)
		text, col = cells(row[from:to], col, w)
		b.WriteString(t.match.on(text))
		at = to
	}
	text, col := cells(row[at:], col, w)
	b.WriteString(text)
	if col < w {
		b.WriteString(blank(w - col))
	}
	return b.String()
}

// cells makes p visible from column col on, in at most w cells, and returns the column after it.
func cells(p []byte, col, w int) (string, int) {
	start := col
	plain := true
	for _, c := range p {
		if c < 0x20 || c >= 0x7f {
			plain = false
			break
		}
	}
	if plain && col+len(p) <= w {
		return string(p), col + len(p)
	}
	var b strings.Builder
	for i := 0; i < len(p); {
		if p[i] == '\t' {
			n := min(tabCells-col%tabCells, w-col)
			if n <= 0 {
				break
			}
			b.WriteString("→" + blank(n-1))
			col += n
			i++
			continue
		}
		n := clusterLen(p[i:])
		if p[i] < 0x20 || p[i] == 0x7f {
			n = 1
		}
		v := visible(string(p[i : i+n]))
		c := width(v)
		if col+c > w {
			v = clip(v, w-col)
			b.WriteString(v)
			col += width(v)
			break
		}
		b.WriteString(v)
		col += c
		i += n
	}
	s := b.String()
	// Clusters made visible one by one could join into others: what counts is the whole.
	if got := width(s); got != col-start {
		s = pad(s, col-start)
	}
	return s, col
}
