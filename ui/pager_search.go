package ui

import (
	"bytes"
	"context"
	"sort"
)

// Searching is a job: it walks the bytes in blocks, looks at its context between them, and gives
// the offsets of the matches. A query with an upper-case letter is matched as it is, any other
// without regard to case (ASCII).

// maxMatches is the number of matches that are kept; more are said to be more.
const maxMatches = 100_000

// A finder holds the matches of a query in one document.
type finder struct {
	query   string
	offsets []int
	more    bool // there are more than maxMatches
	at      int  // the current match; -1 before the first
}

// spans are the matches that touch the bytes from..to, relative to from.
func (f *finder) spans(from, to int) []span {
	if len(f.offsets) == 0 {
		return nil
	}
	n := len(f.query)
	i := sort.SearchInts(f.offsets, from-n+1)
	var s []span
	for ; i < len(f.offsets) && f.offsets[i] < to; i++ {
		s = append(s, span{max(f.offsets[i]-from, 0), min(f.offsets[i]+n, to) - from})
	}
	return s
}

// move goes to the next match (or the previous one, by -1), round the ends, and returns its offset.
func (f *finder) move(by int) (int, bool) {
	if len(f.offsets) == 0 {
		return 0, false
	}
	f.at = (f.at + by + len(f.offsets)) % len(f.offsets)
	return f.offsets[f.at], true
}

// from makes the first match at or after off the current one.
func (f *finder) from(off int) (int, bool) {
	if len(f.offsets) == 0 {
		return 0, false
	}
	f.at = sort.SearchInts(f.offsets, off) % len(f.offsets)
	return f.offsets[f.at], true
}

// findAll finds query in data. It ends early with ctx, and then returns what it has.
func findAll(ctx context.Context, data []byte, query string) finder {
	f := finder{query: query, at: -1}
	if query == "" {
		return f
	}
	fold := query == string(bytes.ToLower([]byte(query)))
	want := []byte(query)
	const block = 256 << 10
	buffer := make([]byte, 0, block+len(want))
	next := 0 // no match begins before: matches do not overlap
	for off := 0; off < len(data) && ctx.Err() == nil; off += block {
		part := data[off:min(off+block+len(want)-1, len(data))]
		if fold {
			buffer = appendLower(buffer[:0], part)
			part = buffer
		}
		for i := max(0, next-off); i < len(part); {
			j := bytes.Index(part[i:], want)
			if j < 0 {
				break
			}
			if len(f.offsets) == maxMatches {
				f.more = true
				return f
			}
			f.offsets = append(f.offsets, off+i+j)
			i += j + len(want)
			next = off + i
		}
	}
	return f
}

// appendLower appends p in lower case, ASCII letters only, so that offsets stay.
func appendLower(dst, p []byte) []byte {
	for _, c := range p {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}
