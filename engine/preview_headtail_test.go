package engine

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestHeadTailKeepsBothEnds(t *testing.T) {
	const (
		family = "👨‍👩‍👧" // 8 units, one cluster
		flag   = "🇩🇪"    // 4 units
		link   = "\x1b]8;;https://example.org\x1b\\"
	)
	tests := []struct {
		name       string
		payload    string
		head, tail int
		isJSON     bool
		want       string // with | for the mark
	}{
		{"empty", "", 3, 3, false, ""},
		{"exactly head and tail", "abcdef", 3, 3, false, "abcdef"},
		{"one more", "abcdefg", 3, 3, false, "abc|efg"},
		{"no head", "abcdefg", 0, 3, false, "|efg"},
		{"no tail", "abcdefg", 3, 0, false, "abc|"},
		{"neither", "abcdefg", 0, 0, false, "|"},
		{"characters of three bytes", "一二三四五六七", 3, 3, false, "一二三|五六七"},
		{"an emoji is two: exactly", "😀😀", 2, 2, false, "😀😀"},
		{"an emoji is two: one more", "😀a😀", 2, 2, false, "😀|😀"},
		{"an emoji does not fit the rest", "a😀bcd😀e", 2, 2, false, "a|e"},
		{"a family is not divided at the head", "ab" + family + "cdefgh", 9, 3, false, "ab|fgh"},
		{"a family is not divided at the tail", "abcdef" + family + "gh", 3, 9, false, "abc|gh"},
		{"a family that fits stays", "a" + family + "bcdefgh", 9, 3, false, "a" + family + "|fgh"},
		{"a family longer than the head is cut between code points", family + "abcdef", 5, 2, false, "👨‍👩|ef"},
		{"and longer than the tail", "abcdef" + family, 2, 5, false, "ab|👩‍👧"},
		{"a cluster longer than the head is cut where it stands", "ab" + family + "cdefgh", 7, 3, false, "ab👨‍👩|fgh"},
		{"flags are not divided at the head", "a" + flag + flag + "bcdef", 6, 2, false, "a" + flag + "|ef"},
		{"flags are not divided at the tail", "abcdef" + flag + flag + "g", 2, 6, false, "ab|" + flag + "g"},
		{"a combining mark stays at the head", "abe\u0301cdef", 3, 2, false, "ab|ef"},
		{"a combining mark stays at the tail", "abcde\u0301fg", 2, 3, false, "ab|fg"},
		{"a line end at the head", "ab\r\ncdef", 3, 2, false, "ab|ef"},
		{"a line end at the tail", "abcdef\r\ngh", 2, 3, false, "ab|gh"},
		{"a line end that fits", "ab\r\ncdef", 4, 2, false, "ab\r\n|ef"},
		{"a colour at the head", "ab\x1b[31mcdefgh", 4, 2, false, "ab|gh"},
		{"a colour at the tail", "abcdef\x1b[31mgh", 2, 4, false, "ab|gh"},
		{"a colour that fits", "ab\x1b[31mcdefgh", 7, 2, false, "ab\x1b[31m|gh"},
		{"a link at the head is no cluster and goes whole", link + "abcdef", 5, 2, false, "|ef"},
		{"a link at the tail", "abcdef" + link + "g", 2, 5, false, "ab|g"},
		{"two bytes of escape", "ab\x1bcdefgh", 3, 2, false, "ab|gh"},
		{"an escape character alone is a character", "ab\x1b\ncdefgh", 3, 2, false, "ab\x1b|gh"},
		{"invalid bytes are one each: exactly", "\xff\xfe\xffabc", 3, 3, false, "\xff\xfe\xffabc"},
		{"invalid bytes are one each: one more", "\xff\xfe\xff\xffabc", 3, 3, false, "\xff\xfe\xff|abc"},
		{"half a character at the end is bytes", "abcdefg\xe6\x97", 3, 2, false, "abc|\xe6\x97"},
		{"a backslash is a character in text", `ab\ncdefgh`, 3, 2, false, `ab\|gh`},
		{"an escape at the head", `["\n12345678"]`, 3, 2, true, `["|"]`},
		{"an escape at the tail", `["12345678\n"]`, 2, 3, true, `["|"]`},
		{"an escape that fits", `["\n12345678"]`, 4, 2, true, `["\n|"]`},
		{"an escaped backslash before an n", `["\\n1234567"]`, 5, 2, true, `["\\n|"]`},
		{"a code at the head", `["\u00e9345678"]`, 7, 2, true, `["|"]`},
		{"a code at the tail", `["12345678\u00e9"]`, 2, 7, true, `["|"]`},
		{"a pair of codes at the head", `["\ud83d\ude00345678"]`, 8, 2, true, `["|"]`},
		{"a pair of codes at the tail", `["12345678\ud83d\ude00"]`, 2, 8, true, `["|"]`},
		{"a pair of codes that fits", `["\ud83d\ude00345678"]`, 14, 2, true, `["\ud83d\ude00|"]`},
		{"half a pair is a code of its own", `["\ud83d\u0041345678"]`, 8, 2, true, `["\ud83d|"]`},
		{"a long payload", strings.Repeat("日", 1<<20) + "end", 2, 4, false, "日日|日end"},
		{"a long run of backslashes, odd from the end", `["` + strings.Repeat(`\\`, 1<<16) + `"]`, 3, 5, true, `["|\\"]`},
		{"a long run of backslashes, even from the end", `["` + strings.Repeat(`\\`, 1<<16) + `"]`, 4, 4, true, `["\\|\\"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := HeadTailPreview([]byte(tt.payload), tt.head, tt.tail, tt.isJSON)
			if want := strings.ReplaceAll(tt.want, "|", "\n…\n"); v.Text != want {
				t.Errorf("%q, want %q", v.Text, want)
			}
			if whole := tt.want == tt.payload; v.Whole != whole {
				t.Errorf("whole is %t, want %t", v.Whole, whole)
			}
			if v.Records != -1 || v.JSON != nil {
				t.Errorf("records %d and JSON %q, want none", v.Records, v.JSON)
			}
		})
	}
}

func TestHeadTailKeepsNoMoreThanItMayAndNoLessThanItCan(t *testing.T) {
	parts := []string{"a", "b ", "é", "日", "😀", "e\u0301", "👨‍👩‍👧", "🇩🇪", "\r\n", "\n", "\x1b[1;31m", "\x1b]0;title\x07", "\xff"}
	const longest = 10 // units of the longest part, the window title
	units := func(s string) int {
		n := 0
		for _, r := range s {
			n++
			if r > 0xffff {
				n++
			}
		}
		return n
	}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		for range 60 {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		head, tail := longest+r.IntN(20), longest+r.IntN(20)
		p := b.String()
		v := HeadTailPreview([]byte(p), head, tail, false)
		if v.Whole {
			t.Fatalf("seed %d: whole", seed)
		}
		first, last, _ := strings.Cut(v.Text, headTailMark)
		if !strings.HasPrefix(p, first) || !strings.HasSuffix(p, last) {
			t.Fatalf("seed %d: %q are not the ends of %q", seed, v.Text, p)
		}
		for _, end := range []struct{ got, most int }{{units(first), head}, {units(last), tail}} {
			if end.got > end.most {
				t.Fatalf("seed %d: %d units of at most %d", seed, end.got, end.most)
			}
			if end.got <= end.most-longest {
				t.Fatalf("seed %d: only %d units of at most %d: %q", seed, end.got, end.most, v.Text)
			}
		}
		for _, whole := range []string{"\x1b[1;31m", "\x1b]0;title\x07", "\r\n", "e\u0301"} {
			for i := 1; i < len(whole); i++ {
				if strings.HasSuffix(first, whole[:i]) && strings.HasPrefix(p[len(first):], whole[i:]) ||
					strings.HasPrefix(last, whole[i:]) && strings.HasSuffix(p[:len(p)-len(last)], whole[:i]) {
					t.Fatalf("seed %d: a cut in %q: %q", seed, whole, v.Text)
				}
			}
		}
	}
}

func BenchmarkHeadTailPreview100MB(b *testing.B) {
	p := []byte(strings.Repeat("0123456789", 10_000_000))
	for b.Loop() {
		HeadTailPreview(p, 100, 100, true)
	}
}

func BenchmarkRecordsPreview10MB(b *testing.B) {
	record := `{"id":12345,"name":"Widget \"A\"","tags":["x","y","z","w"],"nested":{"a":1.10,"b":null,"text":"` + strings.Repeat("lorem ipsum ", 10) + `"}},`
	p := []byte(`{"ok":true,"items":[` + strings.Repeat(record, 10_000_000/len(record)) + `1]}`)
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		RecordsPreview(p, moveworksPreview)
	}
}
