package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"floodmark/history"
)

func TestEstimatorsKeepFractions(t *testing.T) {
	// One ASCII letter, one of two bytes, one of three, and one that takes two UTF-16 units.
	const text = "aé界🎉" // 1+2+3+4 bytes, 4 code points, 5 code units
	for _, c := range []struct {
		e    Estimator
		text string
		want float64
	}{
		{Bytes4, "", 0},
		{Bytes4, "a", 0.25},
		{Bytes4, text, 2.5},
		{Chars4, text, 1},
		{UTF164, text, 1.25},
		{Bytes4, strings.Repeat("界", 6000), 4500},
		{Chars4, strings.Repeat("界", 6000), 1500},
		{UTF164, strings.Repeat("界", 6000), 1500},
		{Chars4, "\xff\xfea", 0.75}, // an invalid byte is one
		{UTF164, "\xff\xfea", 0.75},
	} {
		if got := c.e.Of([]byte(c.text)); got != c.want {
			t.Errorf("%s of %q is %v, want %v", c.e, c.text, got, c.want)
		}
		if got := c.e.OfSize(history.Measure(c.text)); got != c.want {
			t.Errorf("%s of the size of %q is %v, want %v", c.e, c.text, got, c.want)
		}
	}
}

func TestTokenizersCountTokens(t *testing.T) {
	for _, c := range []struct {
		text          string
		o200k, cl100k float64
	}{
		{"", 0, 0},
		{"hello world", 2, 2},
		{"tiktoken is great!", 6, 6}, // the example of OpenAI's cookbook: [t, ik, token, is, great, !]
	} {
		if got := O200kBase.Of([]byte(c.text)); got != c.o200k {
			t.Errorf("o200k_base of %q is %v, want %v", c.text, got, c.o200k)
		}
		if got := CL100kBase.Of([]byte(c.text)); got != c.cl100k {
			t.Errorf("cl100k_base of %q is %v, want %v", c.text, got, c.cl100k)
		}
	}
}

func TestPiecesCountLikeTheWhole(t *testing.T) {
	alphabet := []string{"a", "Z", "é", "界", "'", "'s", "'LL", "ſ", "0", "7", "½", "٣", " ", "  ", "\n", "\r\n", "\t",
		"\u00a0", "\u2028", "/", "\"", ",", "{", "\u0301", "ा", "🎉", "\xff", "\xe7\x95", "ǅ", "ʰ", "_", "<|endoftext|>"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b strings.Builder
		for range random.IntN(40) {
			b.WriteString(alphabet[random.IntN(len(alphabet))])
		}
		text := b.String()
		for _, e := range []Estimator{O200kBase, CL100kBase} {
			whole, err := e.codec().Count(text)
			if err != nil {
				t.Fatal(err)
			}
			least, pieces := random.IntN(8), 0
			for p := []byte(text); len(p) > 0; {
				n := safeCut(p, least)
				if n == 0 {
					n = safeCut(p, 1)
				}
				k, _ := e.codec().Count(string(p[:n]))
				pieces += k
				p = p[n:]
			}
			if pieces != whole {
				t.Fatalf("%s counts %d tokens in pieces, %d in the whole of %q", e, pieces, whole, text)
			}
		}
	}
}

func TestLargeTextsCountLikeTheWhole(t *testing.T) {
	source, err := os.ReadFile("policy_test.go")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("policy.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		strings.Repeat(string(source), 3),
		strings.Repeat(string(document), 5),
		strings.Join(strings.Fields(strings.Repeat(string(document), 5)), ""),
		strings.Repeat("大数据，", 20_000),
		strings.Repeat("a", 50_000), // one piece, nowhere to cut
		strings.Repeat(" ", 50_000),
	} {
		for _, e := range []Estimator{O200kBase, CL100kBase} {
			whole, err := e.codec().Count(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := e.Of([]byte(text)); got != float64(whole) {
				t.Errorf("%s counts %v tokens, %d at once, of %q…", e, got, whole, text[:20])
			}
		}
	}
}

func TestOverAgreesWithTheCount(t *testing.T) {
	text := []byte(strings.Repeat(`{"id":12345,"name":"界🎉 é"},`, 2000))
	for _, e := range Estimators {
		n := e.Of(text)
		for _, c := range []struct {
			limit         float64
			over, reaches bool
		}{
			{n, false, true},
			{n - 0.25, true, true},
			{n + 0.25, false, false},
			{0, true, true},
		} {
			if got := e.Over(text, c.limit, false); got != c.over {
				t.Errorf("%s: %v tokens exceed %v: %v, want %v", e, n, c.limit, got, c.over)
			}
			if got := e.Over(text, c.limit, true); got != c.reaches {
				t.Errorf("%s: %v tokens reach %v: %v, want %v", e, n, c.limit, got, c.reaches)
			}
		}
	}
}

func TestOverTakesInvalidBytes(t *testing.T) {
	text := []byte(strings.Repeat("\xff\xfe\x80", 100))
	for _, e := range Estimators {
		if n := e.Of(text); n <= 0 || e.Over(text, n, false) || !e.Over(text, n, true) {
			t.Errorf("%s: a count of %v is not what Over goes by", e, n)
		}
	}
}

func TestCountEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := O200kBase.OfContext(ctx, []byte("text")); !errors.Is(err, context.Canceled) {
		t.Errorf("the count ended with %v, want %v", err, context.Canceled)
	}
}

func BenchmarkEstimator(b *testing.B) {
	text := []byte(strings.Repeat(`{"id":12345,"name":"Ada Lovelace","amount":10.50,"currency":"EUR"},`+"\n", 15000))
	for _, e := range Estimators {
		b.Run(string(e), func(b *testing.B) {
			e.Of([]byte("load"))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				e.Of(text)
			}
		})
	}
	b.Run("over 7000 by o200k_base", func(b *testing.B) {
		for b.Loop() {
			O200kBase.Over(text, 7000, false)
		}
	})
}

func TestVocabulariesAreLazy(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.run=^TestNothingLoadsAVocabularyBeforeItIsNeeded$")
	c.Env = append(os.Environ(), "FLOODMARK_FRESH=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
