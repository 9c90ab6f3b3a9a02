package engine

import (
	"context"
	"math"
	"unicode/utf8"

	"floodmark/history"
)

// An Estimator turns text into tokens. The estimate is a control signal, not an invoice.
type Estimator string

// Estimators. The first three divide a size by four and keep fractions; the last two do so and round
// up to whole tokens; the two between are real tokenizers and need the text.
const (
	Bytes4     Estimator = "bytes/4"
	Chars4     Estimator = "chars/4"
	UTF164     Estimator = "utf16/4"
	O200kBase  Estimator = "o200k_base"
	CL100kBase Estimator = "cl100k_base"
	CeilBytes4 Estimator = "ceil(bytes/4)"
	CeilChars4 Estimator = "ceil(chars/4)"
)

// Estimators lists all of them.
var Estimators = []Estimator{Bytes4, Chars4, UTF164, O200kBase, CL100kBase, CeilBytes4, CeilChars4}

// unitsPerToken is what the first three estimators divide by. Moveworks' "7K tokens (about 28KB)"
// and TrueForge's characters / 4 both come to four.
const unitsPerToken = 4

// Exact tells whether e is a real tokenizer, which needs the text.
func (e Estimator) Exact() bool { return e == O200kBase || e == CL100kBase }

// OfSize is the estimate for a text of this size; e must not be Exact.
func (e Estimator) OfSize(s history.Size) float64 {
	switch e {
	case Bytes4:
		return float64(s.Bytes) / unitsPerToken
	case Chars4:
		return float64(s.Chars) / unitsPerToken
	case UTF164:
		return float64(s.UTF16) / unitsPerToken
	case CeilBytes4:
		return math.Ceil(float64(s.Bytes) / unitsPerToken)
	case CeilChars4:
		return math.Ceil(float64(s.Chars) / unitsPerToken)
	}
	panic("engine: the estimator " + string(e) + " has no estimate for a size without its text")
}

// Of is the estimate for a text, of any bytes. The vocabulary of a real tokenizer is loaded on
// first use. A real tokenizer reads invalid bytes as U+FFFD.
func (e Estimator) Of(p []byte) float64 {
	n, _ := e.OfContext(context.Background(), p) // it fails with its context only
	return n
}

// OfContext is Of for texts that take a real tokenizer long; it ends early with ctx's error.
func (e Estimator) OfContext(ctx context.Context, p []byte) (float64, error) {
	if e == Bytes4 {
		return float64(len(p)) / unitsPerToken, nil
	}
	if !e.Exact() {
		return e.OfSize(history.Measure(p)), nil
	}
	var n int
	err := e.count(p, func(k int) error {
		n += k
		return ctx.Err()
	})
	return float64(n), err
}

// Over tells whether p has more than limit tokens by e (or as many, where reaches), without
// counting further than it has to.
func (e Estimator) Over(p []byte, limit float64, reaches bool) bool {
	over := func(tokens float64) bool {
		if reaches {
			return tokens >= limit
		}
		return tokens > limit
	}
	if most := e.most(p); !over(most) {
		return false
	}
	if over(e.least(p)) {
		return true
	}
	if !e.Exact() {
		return over(e.Of(p))
	}
	n, stopped := 0, false
	e.count(p, func(k int) error {
		n += k
		if stopped = over(float64(n)); stopped {
			return errEnough
		}
		return nil
	})
	return stopped || over(float64(n))
}

// most is a figure that the estimate for p can't be above: every unit and every token is a byte or
// more. An invalid byte becomes the three of U+FFFD before a real tokenizer sees it.
func (e Estimator) most(p []byte) float64 {
	switch {
	case !e.Exact():
		return math.Ceil(float64(len(p)) / unitsPerToken)
	case utf8.Valid(p):
		return float64(len(p))
	}
	return 3 * float64(len(p))
}

// longestToken is the length of the longest token that o200k_base and cl100k_base have, in bytes.
const longestToken = 128

// least is a figure that the estimate for p can't be below. It decides on megabytes at once, which
// may be a single piece that takes a real tokenizer seconds. What an invalid byte becomes is no
// shorter than it was.
func (e Estimator) least(p []byte) float64 {
	if !e.Exact() {
		return 0
	}
	return float64((len(p) + longestToken - 1) / longestToken)
}
