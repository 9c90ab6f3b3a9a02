package ui

import (
	"bytes"
	"sort"
)

// The pager shows bytes of any number in a few rows. It never lays out more than a segment: a line,
// or a piece of a long line, of at most about segmentBytes. Where segments begin follows from the
// bytes alone, so that scrolling back shows the same rows as scrolling forward did.

// segmentBytes is the distance at which a long line may be broken; farLine the distance within
// which a line break on either side means that it is not a long line.
const (
	segmentBytes = 256 << 10
	farLine      = 64 << 10
	// blockBytes is the grain of the line index.
	blockBytes = 64 << 10
)

// A document is text that the pager can show, with its line index. It is made in a job and not
// changed after.
type document struct {
	data  []byte
	lines []int32 // line breaks before each block of blockBytes
	total int     // lines, as people count them: the last need not end in a break
}

// newDocument indexes data, at about a gigabyte a second.
func newDocument(data []byte) *document {
	d := &document{data: data, lines: make([]int32, 0, len(data)/blockBytes+1)}
	n := int32(0)
	for off := 0; off < len(data); off += blockBytes {
		d.lines = append(d.lines, n)
		n += int32(bytes.Count(data[off:min(off+blockBytes, len(data))], []byte{'\n'}))
	}
	d.total = int(n)
	if len(data) > 0 && data[len(data)-1] != '\n' {
		d.total++
	}
	return d
}

// line is the number, from 1, of the line that holds the byte at off.
func (d *document) line(off int) int {
	if len(d.lines) == 0 {
		return 1
	}
	b := min(off/blockBytes, len(d.lines)-1)
	return int(d.lines[b]) + bytes.Count(d.data[b*blockBytes:off], []byte{'\n'}) + 1
}

// segmentAt finds the segment that holds off.
func (d *document) segmentAt(off int) (start, end int) {
	off = min(max(off, 0), max(len(d.data)-1, 0))
	// The boundary after off comes first: a break may lie a little before its boundary.
	for lo := (off/segmentBytes + 1) * segmentBytes; lo > 0; lo -= segmentBytes {
		if lo < off {
			if i := bytes.LastIndexByte(d.data[lo:min(off, lo+segmentBytes)], '\n'); i >= 0 {
				start = lo + i + 1
				break
			}
		}
		if cut, ok := d.breakAt(lo); ok && cut <= off {
			start = cut
			break
		}
		if lo == segmentBytes {
			start = bytes.LastIndexByte(d.data[:min(off, lo)], '\n') + 1
		}
	}
	for hi := start/segmentBytes*segmentBytes + segmentBytes; ; hi += segmentBytes {
		stop := min(hi, len(d.data))
		if i := bytes.IndexByte(d.data[max(start, stop-segmentBytes):stop], '\n'); i >= 0 {
			return start, max(start, stop-segmentBytes) + i + 1
		}
		if stop == len(d.data) {
			return start, stop
		}
		if cut, ok := d.breakAt(hi); ok && cut > off {
			return start, cut
		}
	}
}

// breakAt tells whether the line around the byte at off is a long one, and where near off it may be
// broken: before an ASCII character if there is one, never inside a character.
func (d *document) breakAt(off int) (int, bool) {
	if off >= len(d.data) ||
		bytes.IndexByte(d.data[max(0, off-farLine):min(off+farLine, len(d.data))], '\n') >= 0 {
		return 0, false
	}
	for i := 0; i < 64; i++ {
		if d.data[off-i] < 0x80 && d.data[off-i] > 0x20 {
			return off - i, true
		}
	}
	for i := 0; i < 4; i++ {
		if d.data[off-i]&0xc0 != 0x80 {
			return off - i, true
		}
	}
	return off, true
}

// A segment is laid out for one width: rows holds the offset at which each row begins.
type segment struct {
	start, end int
	width      int
	rows       []int32 // relative to start; never empty
}

// rowAt is the index of the row that holds off.
func (s *segment) rowAt(off int) int {
	return sort.Search(len(s.rows), func(i int) bool { return s.start+int(s.rows[i]) > off }) - 1
}

// row is where row i begins and ends.
func (s *segment) row(i int) (from, to int) {
	from = s.start + int(s.rows[i])
	if i+1 < len(s.rows) {
		return from, s.start + int(s.rows[i+1])
	}
	return from, s.end
}

// A pager shows a document from the row that begins at top.
type pager struct {
	doc   *document
	top   int // byte offset at which the first visible row begins
	w, h  int
	theme *theme
	cache []*segment // of this width, the latest used last
	find  finder
}

func (p *pager) setDoc(d *document) {
	p.doc, p.top, p.cache = d, 0, nil
	p.find = finder{}
}

func (p *pager) setSize(w, h int) {
	if w != p.w {
		p.cache = nil
	}
	p.w, p.h = max(w, 1), max(h, 0)
	if p.doc != nil {
		p.goTo(p.top)
	}
}

// at is the segment that holds off, laid out.
func (p *pager) at(off int) *segment {
	for i := len(p.cache) - 1; i >= 0; i-- {
		if s := p.cache[i]; off >= s.start && (off < s.end || s.end == len(p.doc.data) && off == s.end) {
			return s
		}
	}
	start, end := p.doc.segmentAt(off)
	s := &segment{start: start, end: end, width: p.w}
	s.rows = wrap(p.doc.data[start:end], p.w)
	if len(p.cache) >= 256 {
		p.cache = append(p.cache[:0], p.cache[128:]...)
	}
	p.cache = append(p.cache, s)
	return s
}

// next is where the row after the one at off begins; ok is false at the end.
func (p *pager) next(off int) (int, bool) {
	s := p.at(off)
	_, to := s.row(s.rowAt(off))
	return to, to < len(p.doc.data)
}

// prev is where the row before the one at off begins.
func (p *pager) prev(off int) (int, bool) {
	if off <= 0 {
		return 0, false
	}
	s := p.at(off - 1)
	from, _ := s.row(s.rowAt(off - 1))
	return from, true
}

// scroll moves by n rows, forward or back, and stops with the last row in sight.
func (p *pager) scroll(n int) {
	if p.doc == nil {
		return
	}
	off := p.top
	for ; n > 0; n-- {
		to, ok := p.next(off)
		if !ok {
			break
		}
		off = to
	}
	for ; n < 0; n++ {
		to, ok := p.prev(off)
		if !ok {
			break
		}
		off = to
	}
	p.goTo(off)
}

// goTo shows the row that holds off at the top, or lower where the text ends before the pane does.
func (p *pager) goTo(off int) {
	if p.doc == nil || len(p.doc.data) == 0 {
		p.top = 0
		return
	}
	off = min(max(off, 0), len(p.doc.data)-1)
	s := p.at(off)
	p.top, _ = s.row(s.rowAt(off))
	rows, at := 1, p.top
	for rows < p.h {
		to, ok := p.next(at)
		if !ok {
			break
		}
		at = to
		rows++
	}
	for ; rows < p.h; rows++ {
		to, ok := p.prev(p.top)
		if !ok {
			break
		}
		p.top = to
	}
}

// reveal brings off into sight, a third down from the top unless it is visible already.
func (p *pager) reveal(off int) {
	if off >= p.top && off < p.bottom() {
		return
	}
	p.goTo(off)
	above := 0 // rows before the one with off
	for at := p.top; above < p.h/3; above++ {
		to, ok := p.next(at)
		if !ok || to > off {
			break
		}
		at = to
	}
	p.scroll(above - p.h/3)
}

// bottom is the offset after the last visible row.
func (p *pager) bottom() int {
	if p.doc == nil || len(p.doc.data) == 0 {
		return 0
	}
	off := p.top
	for i := 0; i < p.h; i++ {
		to, ok := p.next(off)
		off = to
		if !ok {
			break
		}
	}
	return off
}

// percent is how far the visible part reaches, and 100 at the end.
func (p *pager) percent() int {
	if p.doc == nil || len(p.doc.data) == 0 {
		return 100
	}
	return int(int64(p.bottom()) * 100 / int64(len(p.doc.data)))
}

// toPercent shows the byte at n percent of the text.
func (p *pager) toPercent(n float64) {
	if p.doc == nil {
		return
	}
	p.goTo(int(float64(len(p.doc.data)) * min(max(n, 0), 100) / 100))
}

// view draws the visible rows, exactly h of w cells.
func (p *pager) view() []string {
	out := make([]string, 0, p.h)
	if p.doc != nil && len(p.doc.data) > 0 {
		off := p.top
		for len(out) < p.h {
			s := p.at(off)
			from, to := s.row(s.rowAt(off))
			out = append(out, drawRow(p.doc.data[from:to], p.w, p.find.spans(from, to), p.theme))
			if to >= len(p.doc.data) {
				break
			}
			off = to
		}
	}
	for len(out) < p.h {
		out = append(out, blank(p.w))
	}
	return out
}
