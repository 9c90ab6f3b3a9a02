package ui

import (
	"fmt"
	"io"
	"strings"
)

// writeTable writes rows in aligned columns under their heads. The last column is never padded.
func writeTable(w io.Writer, heads []string, rows [][]string) error {
	cells := make([]int, len(heads))
	table := append([][]string{heads}, rows...)
	for _, row := range table {
		for i, c := range row {
			cells[i] = max(cells[i], width(visible(c)))
		}
	}
	for _, row := range table {
		var b strings.Builder
		for i, c := range row {
			c = visible(c)
			switch {
			case i == len(row)-1:
				b.WriteString(c)
			case rightAligned(heads[i]):
				b.WriteString(padLeft(c, cells[i]) + "  ")
			default:
				b.WriteString(pad(c, cells[i]) + "  ")
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// rightAligned tells whether a column holds figures: their heads name a unit.
func rightAligned(head string) bool {
	return head == "bytes" || head == "kept" || strings.HasSuffix(head, "tokens")
}
