package engine

import (
	"errors"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// A vocabulary takes 30 to 165 ms to load, so that nothing loads one before it has to.
var (
	o200kBase    = sync.OnceValue(func() tokenizer.Codec { return loadCodec(tokenizer.O200kBase) })
	cl100kBase   = sync.OnceValue(func() tokenizer.Codec { return loadCodec(tokenizer.Cl100kBase) })
	vocabularies atomic.Int32 // how many are loaded
)

func loadCodec(name tokenizer.Encoding) tokenizer.Codec {
	c, err := tokenizer.Get(name)
	if err != nil {
		panic("engine: the tokenizer " + string(name) + " is not built in: " + err.Error())
	}
	c.SetErrorMode(tokenizer.ErrorModeReplace)
	vocabularies.Add(1)
	return c
}

func (e Estimator) codec() tokenizer.Codec {
	if e == CL100kBase {
		return cl100kBase()
	}
	return o200kBase()
}

// errEnough ends a count whose outcome is known.
var errEnough = errors.New("enough counted")

// count gives the tokens of p piece by piece to each, and ends with its error.
func (e Estimator) count(p []byte, each func(tokens int) error) error {
	for len(p) > 0 {
		n := safeCut(p, pieceBytes)
		tokens, err := e.countPiece(p[:n])
		if err != nil {
			return err
		}
		if err := each(tokens); err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}

func (e Estimator) countPiece(p []byte) (int, error) {
	if e == O200kBase && utf8.Valid(p) {
		return o200kCount(p)
	}
	return e.codec().Count(string(p))
}

// pieceBytes is how much a tokenizer is given at once, as far as the text can be cut there. The
// library needs about a hundred bytes of memory for each byte that it is given.
const pieceBytes = 16 << 10

// safeCut returns a length from which on p can be tokenized on its own: the first place after
// least bytes that both tokenizers split at, whatever stands before and after it.
//
// That is so after a letter where neither a letter, a mark nor an apostrophe follows (an apostrophe
// can start a contraction), and after a number where no number follows: no pattern of theirs takes
// in both sides, and none that ends there looks ahead.
func safeCut(p []byte, least int) int {
	if len(p) <= least {
		return len(p)
	}
	before := utf8.RuneError
	for i := least; i < len(p); {
		r, n := utf8.DecodeRune(p[i:])
		switch {
		case unicode.IsLetter(before) && !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'',
			unicode.IsNumber(before) && !unicode.IsNumber(r):
			return i
		}
		before = r
		i += n
	}
	return len(p)
}
