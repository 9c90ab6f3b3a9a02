package engine

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// The library that reads the published pattern as it stands is the oracle.
func checkO200k(t *testing.T, text string) {
	t.Helper()
	want, err := o200kBase().Count(text)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := o200kCount([]byte(text)); got != want {
		t.Errorf("%d tokens, the library counts %d: %q", got, want, text)
	}
}

func TestO200kCountsAsTheLibraryDoes(t *testing.T) {
	for _, text := range []string{
		"", "a", " a", "  a", "   ", " \n a", "\n\n  \n x", "x  ", "don't WON'T they'LL I'm x's'", "'s", "'S 'lL",
		"ABCdef ABC DEFg A", "1234567 12.5e-9", `{"id":"EXP-20931","n":[1,2,3]}`, "//////\n\r\n/ a", "…—“x”",
		"界界 世界。", "é e\u0301 \u0301a \u0301", "ǅabc ǅ ǅA", "हिन्दी", "ªbc ʰA", "👩‍👩‍👧 🌊", "\u00a0x \u2003\u2003y", "٣٤٥٦ Ⅷ",
		strings.Repeat("a", 300), strings.Repeat(" ", 300), "\t\tif x {\n\t\t\treturn\n\t\t}\n", "a\u0085b", "x'ſ", "\u180e x",
	} {
		checkO200k(t, text)
	}
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 2))
	alphabet := []rune("aA zZ  \n\r\t'sStTrReE/1290.,:{}[]\"\\-_éÉ界ǅʰªा\u0301 \u00a0\u2028🌊٣\u200d\ufffd")
	for range 3000 {
		var b strings.Builder
		for range rnd.IntN(30) {
			b.WriteRune(alphabet[rnd.IntN(len(alphabet))])
		}
		checkO200k(t, b.String())
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzO200k(f *testing.F) {
	f.Add("don't  \n stop 123")
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) && len(text) < 1000 && !strings.Contains(text, "\x7f") { // the library drops it
			checkO200k(t, text)
		}
	})
}

func BenchmarkO200k(b *testing.B) {
	text := []byte(strings.Repeat(`{"id":"EXP-20931","employee":"E-1042","category":"travel","amount":412.50,"note":"Train to Lyon, two days"},`, 2000))
	b.Run("by pieces", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			o200kCount(text)
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			o200kBase().Count(string(text))
		}
	})
}

func TestNoTokenIsLongerThanTheBoundThatOverGoesBy(t *testing.T) {
	for _, e := range []Estimator{O200kBase, CL100kBase} {
		longest := 0
		for id := range uint(200_000) {
			if text, err := e.codec().Decode([]uint{id}); err == nil {
				longest = max(longest, len(text))
			}
		}
		if longest != longestToken {
			t.Errorf("the longest token of %s has %d bytes, the bound is %d", e, longest, longestToken)
		}
	}
}

func TestOverDecidesOnAGiantPieceWithoutCountingIt(t *testing.T) {
	text := bytes.Repeat([]byte("a"), 20_000_000) // at least 156,250 tokens
	start := time.Now()
	if !O200kBase.Over(text, 7000, false) {
		t.Error("20 MB are not over 7,000 tokens")
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("it took %s", took)
	}
}
