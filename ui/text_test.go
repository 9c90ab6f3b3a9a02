package ui

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVisibleShowsWhatATerminalWouldObey(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain text stays", "Train to Lyon, 412.50 €", "Train to Lyon, 412.50 €"},
		{"an escape sequence", "\x1b[2J", "␛[2J"},
		{"a clipboard write", "\x1b]52;c;aGk=\a", "␛]52;c;aGk=␇"},
		{"line break, return, tab, NUL", "a\r\n\tb\x00", "a␍␊␉b␀"},
		{"DEL", "a\x7f", "a␡"},
		{"the one-byte CSI as a character", "\u009b31m", "<U+009B>31m"},
		{"the one-byte CSI as a bare byte", "\x9b31m", "<9B>31m"},
		{"right-to-left override", "invoice\u202efdp.exe", "invoice<U+202E>fdp.exe"},
		{"isolates", "\u2066a\u2069", "<U+2066>a<U+2069>"},
		{"zero-width space and joiner", "a\u200bb\u200dc", "a<U+200B>b<U+200D>c"},
		{"a byte order mark", "\ufeff{", "<U+FEFF>{"},
		{"soft hyphen", "a\u00adb", "a<U+00AD>b"},
		{"line separator", "a\u2028b", "a<U+2028>b"},
		{"tag characters", "a\U000e0041", "a<U+E0041>"},
		{"a Hangul filler", "\u3164", "<U+3164>"},
		{"the emoji form stays", "⚠\ufe0f", "⚠\ufe0f"},
		{"a hidden run of selectors", "a\ufe0f\ufe0f\ufe01", "a\ufe0f<U+FE0F><U+FE01>"},
		{"a mark with nothing before it", "\u0301a", "◌\u0301a"},
		{"Thai, Devanagari and wide text stay", "กำ हिन्दी 日本", "กำ हिन्दी 日本"},
	} {
		if got := visible(c.in); got != c.want {
			t.Errorf("%s: visible(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
	if got, want := visibleLines("a\tb\nc\r\x1b[m"), "a\tb\nc␍␛[m"; got != want {
		t.Errorf("visibleLines = %q, want %q", got, want)
	}
	if got := visible("e" + strings.Repeat("\u0301", 1000)); strings.Count(got, "<U+0301>") == 0 {
		t.Error("a thousand marks on one letter were drawn")
	}
}

func TestPadGivesExactlyTheCellsAsked(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"abc", 5, "abc  "},
		{"abcdef", 5, "abcd…"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日… "},
		{"abc", 0, ""},
		{"abc", -3, ""},
		{"日", 1, "…"},
	} {
		if got := pad(c.in, c.w); got != c.want {
			t.Errorf("pad(%q, %d) = %q, want %q", c.in, c.w, got, c.want)
		}
	}
	if got, want := padLeft("46,006", 8), "  46,006"; got != want {
		t.Errorf("padLeft = %q, want %q", got, want)
	}
	if got, want := clipStart("recordings/expenses.json", 14), "…expenses.json"; got != want {
		t.Errorf("clipStart = %q, want %q", got, want)
	}
}

func TestFiguresAreGroupedAndRoundedHalfUp(t *testing.T) {
	for got, want := range map[string]string{
		grouped(0): "0", grouped(999): "999", grouped(46006): "46,006", grouped(-1234567): "-1,234,567",
		rounded(46005.5): "46,006", rounded(528.25): "528", short(25e6): "25.0 M", short(184022): "184,022",
		percent(529, 46006): "1.1 %", percent(29, 100): "29 %", percent(9998, 10000): "99.9 %", percent(1, 1): "100 %", percent(1, 10000): "<0.1 %", percent(1, 0): "–",
		count(1, "result"): "1 result", count(1200, "result"): "1,200 results",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	for _, s := range []string{"", "\x1b[31m", "\u202e", "a\u0301", "\xff\xfe", "日本", "⚠\ufe0f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := visible(s)
		if !utf8.ValidString(v) {
			t.Fatalf("visible(%q) is not UTF-8", s)
		}
		for _, r := range v {
			if r != 0xfe0f && invisible(r) {
				t.Fatalf("visible(%q) = %q holds %U", s, v, r)
			}
		}
		if again := visible(v); again != v {
			t.Fatalf("visible twice: %q, then %q", v, again)
		}
		for _, w := range []int{0, 1, 7, 40} {
			if got := width(pad(v, w)); got != w {
				t.Fatalf("pad(%q, %d) is %d cells", v, w, got)
			}
		}
	})
}
