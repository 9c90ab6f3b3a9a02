package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Everything that comes from a recording, a file name, a policy or an error passes visible before it
// is drawn: the terminal never sees a control character that is not ours. Widths are measured here
// alone, by grapheme cluster, in cells.

// maxMarks is the number of combining marks that one character may carry. No script needs more; a
// longer run is there to break the screen, and is shown by number.
const maxMarks = 8

// visible returns s as one line of text that is safe to draw. C0 and DEL become control pictures
// (a line break is ␊, a tab ␉, ESC ␛), C1, bidi controls, zero-width and other invisible
// characters their number as in <U+202E>, bytes that are not UTF-8 their value as in <FF>.
// It is idempotent.
func visible(s string) string { return shown(s, false) }

// visibleLines is visible for text of several lines: line breaks and tabs stay as they are.
func visibleLines(s string) string { return shown(s, true) }

func shown(s string, lines bool) string {
	if harmless(s, lines) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	prev, marks := rune(-1), 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "<%02X>", s[i])
			prev, marks = '>', 0
		case lines && (r == '\n' || r == '\t'):
			b.WriteByte(s[i])
			prev, marks = -1, 0
		case r < 0x20:
			b.WriteRune('\u2400' + r)
			prev, marks = r, 0
		case r == 0x7f:
			b.WriteRune('\u2421')
			prev, marks = r, 0
		case r == 0xfe0f && prev >= 0x23 && prev != 0xfe0f:
			// The emoji form of the character before, the one variation selector in daily use.
			b.WriteString(s[i : i+n])
			prev = r
		case invisible(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
			prev, marks = '>', 0
		case r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me):
			if marks++; marks > maxMarks {
				fmt.Fprintf(&b, "<U+%04X>", r)
				prev, marks = '>', 0
				break
			}
			if prev < 0 {
				b.WriteRune('◌') // a mark needs something of ours to sit on
			}
			b.WriteString(s[i : i+n])
			prev = r
		default:
			b.WriteString(s[i : i+n])
			prev, marks = r, 0
		}
		i += n
	}
	return b.String()
}

// harmless tells quickly whether s is printable ASCII only.
func harmless(s string, lines bool) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < 0x20 && lines && (c == '\n' || c == '\t') {
			continue
		}
		if c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}

// invisible tells whether r would not show, or would change how its neighbours show.
func invisible(r rune) bool {
	if r < 0x80 {
		return r < 0x20 || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// width is the number of cells that s takes, styles not counted.
func width(s string) int { return ansi.StringWidth(s) }

// clip cuts s to at most w cells; what is cut ends in "…". Styles survive.
func clip(s string, w int) string {
	if w <= 0 {
		return ""
	}
	return ansi.Truncate(s, w, "…")
}

// clipStart cuts s to at most w cells and keeps its end: "…" and the tail. s has no styles.
func clipStart(s string, w int) string {
	n := width(s)
	if n <= w {
		return s
	}
	if w <= 0 {
		return ""
	}
	return "…" + ansi.TruncateLeft(s, n-w+1, "")
}

// pad makes s exactly w cells wide: cut with "…", or filled with spaces on the right.
func pad(s string, w int) string {
	s = clip(s, w)
	return s + blank(w-width(s))
}

// padLeft is pad with the spaces on the left, for figures.
func padLeft(s string, w int) string {
	s = clip(s, w)
	return blank(w-width(s)) + s
}

// blank is w spaces; none where w is negative.
func blank(w int) string {
	if w <= 0 {
		return ""
	}
	return strings.Repeat(" ", w)
}

// clusterLen is the length of the first grapheme cluster; a very long one is taken in pieces.
func clusterLen(p []byte) int {
	if len(p) > 128 {
		p = p[:128]
	}
	first, _ := ansi.FirstGraphemeCluster(p, ansi.GraphemeWidth)
	n := len(first)
	for cut := n; n == 128 && cut > n-4; cut-- {
		if utf8.RuneStart(p[cut-1]) {
			return cut - 1
		}
	}
	return max(1, n)
}
