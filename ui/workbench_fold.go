package ui

import (
	"bytes"
	"fmt"
)

// A folding hides parts of indented JSON: each array or object can be folded into one line. What is shown
// is another document, so that wrapping, scrolling and searching are the pager's.
type folding struct {
	full   *document
	starts []int32 // of the lines of full, and the end
	closes []int32 // for a line that opens an array or object the line that closes it; else 0
	shut   map[int]bool
	lines  []int32 // the lines of full that are shown
	at     int     // the line that the pointer stands at
	moved  bool    // the pointer is in use, and drawn
}

// maxFoldLines is the largest text that can be folded: folding goes through its lines.
const maxFoldLines = 1_000_000

// newFolding prepares a document of indented JSON; nil where there is nothing to fold, or too much.
func newFolding(full *document) *folding {
	if full.total < 2 || full.total > maxFoldLines {
		return nil
	}
	f := &folding{full: full, shut: map[int]bool{}}
	var open []int
	for at := 0; at < len(full.data); {
		end := bytes.IndexByte(full.data[at:], '\n')
		if end < 0 {
			end = len(full.data) - at
		}
		line := full.data[at : at+end]
		i := len(f.starts)
		f.starts = append(f.starts, int32(at))
		f.closes = append(f.closes, 0)
		if first := bytes.TrimLeft(line, " "); len(first) > 0 && (first[0] == '}' || first[0] == ']') && len(open) > 0 {
			f.closes[open[len(open)-1]] = int32(i)
			open = open[:len(open)-1]
		}
		if n := len(line); n > 0 && (line[n-1] == '{' || line[n-1] == '[') {
			open = append(open, i)
		}
		at += end + 1
	}
	if len(open) > 0 {
		return nil // not what indenting makes
	}
	f.starts = append(f.starts, int32(len(full.data)))
	f.document()
	return f
}

func (f *folding) line(i int) []byte {
	return bytes.TrimSuffix(f.full.data[f.starts[i]:f.starts[i+1]], []byte{'\n'})
}

// children counts the elements or members of what line i opens.
func (f *folding) children(i int) int {
	n := 0
	for j := i + 1; j < int(f.closes[i]); j++ {
		n++
		if f.closes[j] > 0 {
			j = int(f.closes[j])
		}
	}
	return n
}

// document is the text with what is shut on one line each.
func (f *folding) document() *document {
	f.lines = f.lines[:0]
	var b bytes.Buffer
	if len(f.shut) > 0 {
		b.Grow(len(f.full.data))
	}
	for i := 0; i < len(f.closes); i++ {
		f.lines = append(f.lines, int32(i))
		if !f.shut[i] {
			if len(f.shut) > 0 {
				b.Write(f.line(i))
				b.WriteByte('\n')
			}
			continue
		}
		end := int(f.closes[i])
		b.Write(f.line(i))
		fmt.Fprintf(&b, " … %s … ", grouped(int64(f.children(i))))
		b.Write(bytes.TrimLeft(f.line(end), " "))
		b.WriteByte('\n')
		i = end
	}
	if len(f.shut) == 0 {
		return f.full
	}
	return newDocument(bytes.TrimSuffix(b.Bytes(), []byte{'\n'}))
}

// shownAt is where the line with the pointer stands in what is shown.
func (f *folding) shownAt() int {
	for i, l := range f.lines {
		if int(l) >= f.at {
			return i
		}
	}
	return len(f.lines) - 1
}

// point moves the pointer by lines, and the text with it.
func (f *folding) point(p *pager, by int) {
	if !f.moved || !f.inSight(p) {
		f.moved = true
		f.at = int(f.lines[min(max(p.doc.line(p.top)-1, 0), len(f.lines)-1)])
		if by < 0 {
			p.scroll(by)
			f.at = int(f.lines[min(max(p.doc.line(p.top)-1, 0), len(f.lines)-1)])
			return
		}
	} else {
		i := min(max(f.shownAt()+by, 0), len(f.lines)-1)
		f.at = int(f.lines[i])
	}
	off := p.doc.lineStart(f.shownAt())
	switch {
	case off < p.top:
		p.goTo(off)
	case off >= p.bottom():
		for off >= p.bottom() {
			before := p.top
			p.scroll(1)
			if p.top == before {
				break
			}
		}
	}
}

func (f *folding) inSight(p *pager) bool {
	off := p.doc.lineStart(f.shownAt())
	return off >= p.top && off < p.bottom()
}

// toggle folds or unfolds at the pointer: what its line opens, or what the line lies in. all folds
// everything below the first level, or unfolds everything.
func (f *folding) toggle(p *pager, all bool) {
	if !f.moved || !f.inSight(p) {
		f.moved = true
		f.at = int(f.lines[min(max(p.doc.line(p.top)-1, 0), len(f.lines)-1)])
	}
	if all {
		if len(f.shut) > 0 {
			clear(f.shut)
		} else {
			f.shutBelow()
		}
	} else {
		i := f.at
		for i >= 0 && int(f.closes[i]) < f.at && !(i == f.at && f.closes[i] > 0) {
			i--
		}
		if i < 0 || f.closes[i] == 0 {
			return
		}
		f.at = i
		if f.shut[i] {
			delete(f.shut, i)
		} else {
			f.shut[i] = true
		}
	}
	find := p.find
	doc := f.document()
	row := f.shownAt()
	f.at = int(f.lines[row])
	p.setDoc(doc)
	if doc == f.full && find.query != "" {
		p.find = find
	}
	p.reveal(doc.lineStart(row))
}

// shutBelow folds what lies within the outermost arrays and objects.
func (f *folding) shutBelow() {
	depth, ends := 0, []int32{}
	for i := 0; i < len(f.closes); i++ {
		for len(ends) > 0 && int32(i) > ends[len(ends)-1] {
			ends = ends[:len(ends)-1]
			depth--
		}
		if f.closes[i] == 0 {
			continue
		}
		if depth >= 1 {
			f.shut[i] = true
			i = int(f.closes[i])
			continue
		}
		ends = append(ends, f.closes[i])
		depth++
	}
	if len(f.shut) == 0 {
		for i, end := range f.closes {
			if end > 0 {
				f.shut[i] = true
				break
			}
		}
	}
}

// lineStart is where line i, from 0, begins.
func (d *document) lineStart(i int) int {
	lo, hi := 0, len(d.lines)-1
	for lo < hi { // the last block with at most i breaks before it
		mid := (lo + hi + 1) / 2
		if int(d.lines[mid]) <= i {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if len(d.lines) == 0 {
		return 0
	}
	// The line may begin in the block before, where this one begins within it.
	off, left := lo*blockBytes, i-int(d.lines[lo])
	if left == 0 {
		return bytes.LastIndexByte(d.data[:off], '\n') + 1
	}
	for ; left > 0; left-- {
		n := bytes.IndexByte(d.data[off:], '\n')
		if n < 0 {
			return len(d.data)
		}
		off += n + 1
	}
	return off
}
