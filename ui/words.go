package ui

import "strings"

// wrapWords breaks one line of our own words (made visible already, no styles) at spaces, so that
// no row is wider than w cells; a word that is wider is broken.
func wrapWords(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	var rows []string
	for _, line := range strings.Split(s, "\n") {
		row := ""
		for _, word := range strings.Split(line, " ") {
			switch {
			case row == "":
				row = word
			case width(row)+1+width(word) <= w:
				row += " " + word
			default:
				rows = append(rows, row)
				row = word
			}
			for width(row) > w {
				n := len(clipRaw(row, w))
				rows = append(rows, row[:n])
				row = row[n:]
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// wrapParts breaks one line of our own words between its parts (" · " and ", "), and within a part only where
// that alone is wider than w: a number and its unit stay together.
func wrapParts(s string, w int) []string {
	var rows []string
	row := ""
	for _, dotted := range strings.Split(s, " · ") {
		mark := " · "
		parts := strings.SplitAfter(dotted, ", ")
		for _, part := range parts {
			part = strings.TrimSuffix(part, " ")
			switch {
			case row == "":
				row = part
			case width(row)+width(mark)+width(part) <= w:
				row += mark + part
			default:
				rows = append(rows, wrapWords(row, w)...)
				row = part
			}
			mark = " "
		}
	}
	return append(rows, wrapWords(row, w)...)
}

// clipRaw is the longest beginning of s that fits in w cells; at least one byte.
func clipRaw(s string, w int) string {
	n, col := 0, 0
	for n < len(s) {
		k := clusterLen([]byte(s[n:min(n+128, len(s))]))
		c := width(s[n : n+k])
		if col+c > w && n > 0 {
			break
		}
		col += c
		n += k
	}
	return s[:n]
}

// firstLines are the first n lines; where there are more, the last one says so.
func firstLines(lines []string, n, w int) []string {
	if len(lines) <= n {
		return lines
	}
	if n <= 0 {
		return nil
	}
	out := append([]string{}, lines[:n]...)
	out[n-1] = clip(out[n-1]+" "+lines[n], w)
	if !strings.HasSuffix(out[n-1], "…") {
		out[n-1] = clip(out[n-1], w-1) + "…"
	}
	return out
}
