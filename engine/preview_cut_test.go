package engine

import (
	"strings"
	"testing"
)

func cutRules(u Unit, share float64) PreviewRules {
	return PreviewRules{Kind: CutKind, Unit: u, HeadShare: share, Round: RoundDown, Mark: true}
}

func TestACutFallsBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		text  string
		rules PreviewRules
		size  int
		want  string
	}{
		{"abcdefghij", cutRules(Bytes, 0.5), 4, "ab\n… 6 bytes left out …\nij"},
		{"abcdefghij", cutRules(Bytes, 0.5), 5, "ab\n… 5 bytes left out …\nhij"},
		{"abcdefghij", cutRules(Bytes, 1), 3, "abc\n… 7 bytes left out …"},
		{"abcdefghij", cutRules(Bytes, 0), 3, "… 7 bytes left out …\nhij"},
		{"abcdefghij", cutRules(Bytes, 0.5), 10, "abcdefghij"},
		{"", cutRules(Bytes, 0.5), 10, ""},
		{"aébcdef", cutRules(Bytes, 1), 2, "a\n… 7 bytes left out …"},
		{"abcdeéf", cutRules(Bytes, 0), 2, "… 7 bytes left out …\nf"},
		{"ab🎉cd", cutRules(UTF16, 1), 3, "ab\n… 4 UTF-16 units left out …"},
		{"ab🎉cd", cutRules(UTF16, 0), 3, "… 4 UTF-16 units left out …\ncd"},
		{"ab🎉cd", cutRules(Chars, 1), 3, "ab🎉\n… 2 characters left out …"},
		{"界界界界", cutRules(Columns, 0.5), 5, "界\n… 4 columns left out …\n界"},
		{"\x1b[31m界\x1b[0m界界", cutRules(Columns, 1), 2, "\x1b[31m界\x1b[0m\n… 4 columns left out …"},
	} {
		if got := cutPreview([]byte(c.text), c.rules, c.size).Text; got != c.want {
			t.Errorf("%d %s of %q: %q, want %q", c.size, c.rules.Unit, c.text, got, c.want)
		}
	}
}

func TestTheStartsShareIsRoundedAndTheMarkTakesItsRoom(t *testing.T) {
	r := cutRules(Chars, 0.5)
	r.Round, r.MarkSize = RoundUp, 4
	if got, want := cutPreview([]byte("abcdefghijklmnop"), r, 9).Text, "abc\n… 11 characters left out …\nop"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r = cutRules(Chars, 0.2)
	if got := len(cutPreview([]byte(letters(100_000)), r, 40_000).Text); got != 40_000+len("\n… 60000 characters left out …\n") {
		t.Errorf("a fifth of 40,000 and the rest are %d bytes", got)
	}
}

func TestACutMovesBackToALinesEndInItsSecondHalf(t *testing.T) {
	r := cutRules(Chars, 1)
	r.AtLineEnd, r.Mark = true, false
	for _, c := range []struct{ text, want string }{
		{"aaaaaa\nbbbbbbb", "aaaaaa\n"}, // the line feed is the 7th of 10
		{"aaa\nbbbbbbbbbbb", "aaa\nbbbbbb"},
		{"aaaaa\nbbbbbbbb", "aaaaa\nbbbb"}, // five of ten are not more than half
	} {
		if got := cutPreview([]byte(c.text), r, 10).Text; got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestWholeLines(t *testing.T) {
	for _, c := range []struct {
		text        string
		size, lines int
		rules       PreviewRules
		want        string
	}{
		{"aa\nbb\ncc", 8, 3, PreviewRules{HeadShare: 1}, "aa\nbb\ncc"},
		{"aa\nbb\ncc", 5, 3, PreviewRules{HeadShare: 1}, "aa\nbb"},
		{"aa\nbb\ncc", 4, 3, PreviewRules{HeadShare: 1}, "aa"},
		{"aa\nbb\ncc", 8, 2, PreviewRules{HeadShare: 1}, "aa\nbb"},
		{"aa\nbb\ncc", 8, 1, PreviewRules{}, "cc"},
		{"aa\nbb\ncc\n", 8, 2, PreviewRules{}, "cc\n"},
		{"aaaaaaaaaa\nbb", 8, 9, PreviewRules{HeadShare: 1}, ""},
		{"aaaaaaaaaa\nbb", 8, 9, PreviewRules{HeadShare: 1, LongLine: ClipLine, ClipSize: 3}, "aaaaa…"},
		{"aa\nbbbbbbbbbb", 8, 9, PreviewRules{LongLine: ClipLine, ClipSize: 3}, "…bbbbb"},
		{"aaaaaaaaaab", 4, 9, PreviewRules{LongLine: EndOfLine}, "aaab"},
		{"aaaaaaaaaab\n", 4, 9, PreviewRules{LongLine: EndOfLine}, ""},
		{"a\nb\nc\nd\ne\nf\ng\nh\ni\nj", 100, 5, PreviewRules{HeadShare: 0.2}, "a\ng\nh\ni\nj"},
		{"aaaaaa\nbb", 100, 9, PreviewRules{HeadShare: 1, LineChars: 4, ClipSize: 1}, "aaa…\nbb"},
	} {
		c.rules.Unit = Bytes
		if got := wholeLinesPreview([]byte(c.text), c.rules, c.size, c.lines).Text; got != c.want {
			t.Errorf("%q by %+v: %q, want %q", c.text, c.rules, got, c.want)
		}
	}
}

func TestLinesOfBothEnds(t *testing.T) {
	for _, c := range []struct {
		text  string
		rules PreviewRules
		size  int
		want  string
	}{
		{"a\nb\nc\nd\n", PreviewRules{HeadLines: 1, TailLines: 1, Mark: true}, -1, "a\n… 2 lines left out …\nd"},
		{"a\nb\n", PreviewRules{HeadLines: 1, TailLines: 1, Mark: true}, -1, "a\nb\n"},
		{"aaaa\nb\n", PreviewRules{HeadLines: 1, TailLines: 1, Mark: true, LineChars: 2}, -1, "aa\nb"},
		{"a\nbbb\nccc", PreviewRules{TailLines: 2}, 6, "bb\nccc"},
		{"bbb\nccc", PreviewRules{TailLines: 2}, 5, "b\nccc"},
		{"a\rb\u2028c", PreviewRules{HeadLines: 1, TailLines: 1, Mark: true, Breaks: UnicodeBreaks}, -1, "a\n… 1 line left out …\nc"},
		{"a\rb\u2028c", PreviewRules{HeadLines: 1, TailLines: 1, Mark: true, Breaks: LineFeeds}, -1, "a\rb\u2028c"},
	} {
		c.rules.Unit = Bytes
		if got := endLinesPreview([]byte(c.text), c.rules, c.size).Text; got != c.want {
			t.Errorf("%q by %+v: %q, want %q", c.text, c.rules, got, c.want)
		}
	}
}

func TestToolPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, tool string
		want          bool
	}{
		{"bash", "Bash", true}, {"bash", "bashful", false}, {"mcp__*", "mcp__crm__list", true}, {"*", "", true},
		{"*search*", "web_search_2", true}, {"a*b*c", "abc", true}, {"a*b*c", "acb", false}, {"aa*aa", "aaa", false}, {"mcp_*", "mcp", false},
	} {
		if got := toolMatches([]string{c.pattern}, c.tool); got != c.want {
			t.Errorf("%s of %s is %v", c.pattern, c.tool, got)
		}
	}
	if starMatches(strings.Repeat("*a", 50), strings.Repeat("a", 49)) {
		t.Error("fifty letters are in forty-nine")
	}
}
