package history

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestMeasure(t *testing.T) {
	long := strings.Repeat("a", 4095)
	for _, c := range []struct {
		name, text string
		want       Size
	}{
		{"nothing", "", Size{}},
		{"ASCII", "abc", Size{3, 3, 3}},
		{"two, three and four bytes", "é東😀", Size{9, 3, 4}},
		{"an invalid byte is one of each", "a\xffb\xc0", Size{4, 4, 4}},
		{"each byte of half a character is one", "\xe6\x9d", Size{2, 2, 2}},
		{"each byte of an encoded surrogate is one", "\xed\xa0\x80", Size{3, 3, 3}},
		{"a character across the edge of a piece", long + "😀b", Size{4100, 4097, 4098}},
		{"half a character across the edge of a piece", long + "\xf0\x9f\x98b", Size{4099, 4099, 4099}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Measure(c.text); got != c.want {
				t.Errorf("string: %+v, want %+v", got, c.want)
			}
			if got := Measure([]byte(c.text)); got != c.want {
				t.Errorf("bytes: %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestMeasureCountsAsGoDecodes(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	pieces := []string{"abcdefgh", "é", "東京", "😀", "\xff", "\xe6\x9d", "\xf0\x9f", "\x80"}
	for range 300 {
		var b strings.Builder
		for size := r.IntN(10_000); b.Len() < size; {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		runes := []rune(b.String())
		want := Size{int64(b.Len()), int64(len(runes)), int64(len(utf16.Encode(runes)))}
		if got := Measure(b.String()); got != want {
			t.Fatalf("seed %d: %+v, want %+v", seed, got, want)
		}
	}
}

func BenchmarkMeasure(b *testing.B) {
	for name, text := range map[string]string{"ascii": "business records ", "mixed": "São Paulo, 東京 ", "cjk": "東京"} {
		p := []byte(strings.Repeat(text, 10_000_000/len(text)))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(p)))
			for b.Loop() {
				Measure(p)
			}
		})
	}
}
