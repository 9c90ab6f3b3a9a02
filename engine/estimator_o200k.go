package engine

import (
	"bytes"
	"sync"
	"unicode"
	"unicode/utf8"
)

// o200k_base counts by the pieces that its pattern splits a text into. Splitting by hand and
// remembering what a piece counts is some twenty times faster than the library's general way; the
// library still counts every piece that is met for the first time.
//
// The pattern, its alternatives in order, at each place the first that matches:
//
//	a letter-like run, one other character before it, a contraction after it
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+

// class sorts characters by what the pattern asks of them.
type class uint8

const (
	upper class = 1 << iota // Lu, Lt, Lm, Lo, M
	lower                   // Ll, Lm, Lo, M
	letter
	number
	space
	newline // \r, \n
)

var asciiClass = func() (c [utf8.RuneSelf]class) {
	for i := range c {
		c[i] = classify(rune(i))
	}
	return c
}()

func classify(r rune) class {
	var c class
	switch {
	case unicode.Is(unicode.Lu, r), unicode.Is(unicode.Lt, r):
		c = upper | letter
	case unicode.Is(unicode.Ll, r):
		c = lower | letter
	case unicode.Is(unicode.Lm, r), unicode.Is(unicode.Lo, r):
		c = upper | lower | letter
	case unicode.Is(unicode.M, r):
		c = upper | lower
	case unicode.Is(unicode.N, r):
		c = number
	case unicode.IsSpace(r):
		c = space
		if r == '\r' || r == '\n' {
			c |= newline
		}
	}
	return c
}

func classAt(p []byte, i int) (class, int) {
	if p[i] < utf8.RuneSelf {
		return asciiClass[p[i]], 1
	}
	r, n := utf8.DecodeRune(p[i:])
	return classify(r), n
}

// run is the end of the characters from i on that have any of the classes.
func run(p []byte, i int, any class) int {
	for i < len(p) {
		c, n := classAt(p, i)
		if c&any == 0 {
			break
		}
		i += n
	}
	return i
}

// o200kPiece is the length of the first piece of p, which is valid UTF-8 and not empty.
func o200kPiece(p []byte) int {
	first, n := classAt(p, 0)
	prefix := 0
	if first&(letter|number|newline) == 0 {
		prefix = n
	}
	if end := wordPiece(p, prefix); end > 0 {
		return end
	}
	if first&number != 0 {
		end := n
		for range 2 {
			if end < len(p) {
				if c, k := classAt(p, end); c&number != 0 {
					end += k
				}
			}
		}
		return end
	}
	return otherPiece(p, first)
}

// wordPiece matches the two letter-like alternatives, each with the prefix first; 0 for no match.
func wordPiece(p []byte, prefix int) int {
	starts := [2]int{prefix, 0}
	tries := starts[:]
	if prefix == 0 {
		tries = tries[:1]
	}
	for _, at := range tries { // upper* lower+
		if end := upperLower(p, at); end > 0 {
			return end + contraction(p[end:])
		}
	}
	for _, at := range tries { // upper+ lower*
		if end := run(p, at, upper); end > at {
			return end + contraction(p[end:])
		}
	}
	return 0
}

// upperLower matches upper* lower+ from at on; where nothing lower follows the upper run, the run
// gives back to the last of its characters that counts as lower too.
func upperLower(p []byte, at int) int {
	back, i := 0, at
	for i < len(p) {
		c, n := classAt(p, i)
		if c&upper == 0 {
			break
		}
		i += n
		if c&lower != 0 {
			back = i
		}
	}
	if end := run(p, i, lower); end > i {
		return end
	}
	return back
}

// contraction is the length of 's, 't, 're, 've, 'm, 'll or 'd in any case at the start of p.
func contraction(p []byte) int {
	if len(p) < 2 || p[0] != '\'' {
		return 0
	}
	if bytes.HasPrefix(p[1:], []byte("ſ")) { // the long s folds to s
		return 1 + len("ſ")
	}
	a := p[1] | 0x20
	switch a {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(p) < 3 {
		return 0
	}
	switch b := p[2] | 0x20; {
	case a == 'r' && b == 'e', a == 'v' && b == 'e', a == 'l' && b == 'l':
		return 3
	}
	return 0
}

// otherPiece matches the alternatives without letters and numbers.
func otherPiece(p []byte, first class) int {
	at := 0
	if p[0] == ' ' {
		at = 1
	}
	end := at
	for end < len(p) {
		c, n := classAt(p, end)
		if c&(space|letter|number) != 0 {
			break
		}
		end += n
	}
	if end > at {
		for end < len(p) && (p[end] == '\r' || p[end] == '\n' || p[end] == '/') {
			end++
		}
		return end
	}
	// White space: up to its last line break; else all but the last character, unless it ends the
	// text or is the only one.
	lastBreak, before, i := 0, 0, 0
	for i < len(p) {
		c, n := classAt(p, i)
		if c&space == 0 {
			break
		}
		before = i
		i += n
		if c&newline != 0 {
			lastBreak = i
		}
	}
	switch {
	case lastBreak > 0:
		return lastBreak
	case i == len(p) || before == 0:
		return i
	}
	return before
}

// A pieceCounter remembers how many tokens the pieces that it met have.
type pieceCounter struct{ counts map[string]int32 }

const (
	maxPieces     = 1 << 16 // remembered by one counter
	maxPieceBytes = 32      // longer pieces seldom come again
)

var pieceCounters = sync.Pool{New: func() any { return &pieceCounter{counts: map[string]int32{}} }}

// o200kCount counts the tokens of p, which is valid UTF-8.
func o200kCount(p []byte) (int, error) {
	c := pieceCounters.Get().(*pieceCounter)
	defer pieceCounters.Put(c)
	codec := o200kBase()
	total := 0
	for len(p) > 0 {
		n := o200kPiece(p)
		k, ok := c.counts[string(p[:n])]
		if !ok {
			m, err := codec.Count(string(p[:n]))
			if err != nil {
				return 0, err
			}
			k = int32(m)
			if n <= maxPieceBytes {
				if len(c.counts) >= maxPieces {
					clear(c.counts)
				}
				c.counts[string(p[:n])] = k
			}
		}
		total += int(k)
		p = p[n:]
	}
	return total, nil
}
