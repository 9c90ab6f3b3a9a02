package history

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
)

// A record is one JSON object or array of a recording, with the document that it is the root of.
// It is good until the next record is read.
type record struct {
	value
	prefix  []byte // what stands before it in its line: a log's time stamp, for example
	partial bool   // it was cut off: what was complete of it
}

// An input is what a format reads: the records of a source, one after another.
type input struct {
	path string   // of the file as given; "-" for standard input
	more []string // further files of the conversation, where a folder was opened
	src  *source

	onDisk bool // path is a file's: what lies beside it can be read

	strict   bool
	progress func(read, total int64)
	read     func(int64) // told behind each record how far it is, in bytes; nil: nobody asks
	problem  func(Location, string)
	whole    *record // the only record, where it was loaded for detection already
	tape     *tape   // of whole, where it is recorded traffic
	failed   error
	broken   bool // a document was damaged: what it had complete was given
}

// records lists the records of the recording. What is no record is reported and passed over. It
// stops early where in.err then says why.
func (in *input) records(ctx context.Context) iter.Seq[record] {
	return func(yield func(record) bool) {
		if in.whole != nil {
			if in.progress != nil {
				in.progress(in.src.size, in.src.size)
			}
			if yield(*in.whole) {
				in.failed = ctx.Err()
			}
			return
		}
		r, err := newRecordReader(ctx, in.src)
		if err != nil {
			in.failed = err
			return
		}
		defer r.close()
		r.progress = in.progress
		r.problem = func(at Location, reason string) {
			if err := in.damaged([]Problem{{at, reason}}); err != nil && in.failed == nil {
				in.failed = err
			}
		}
		for rec := range r.all() {
			in.broken = in.broken || rec.partial
			if in.failed != nil || !yield(rec) {
				return
			}
			if in.read != nil {
				in.read(r.base + int64(r.lo))
			}
		}
		if in.failed == nil {
			in.failed = r.failed
		}
	}
}

// tapeOf finds the recorded traffic in a record; false where there is none.
func (in *input) tapeOf(rec record) (*tape, bool) {
	if in.tape != nil {
		return in.tape, true
	}
	return openTape(rec.value)
}

// damaged reports damage of the recording; in strict reading the first is an error instead.
func (in *input) damaged(list []Problem) error {
	if len(list) == 0 {
		return nil
	}
	if !in.strict {
		for _, p := range list {
			in.problem(p.At, p.Reason)
		}
		return nil
	}
	return &OpenError{Path: in.path, Reason: lineReason(list[0].At, list[0].Reason), Hint: "without --strict the rest of the recording is read"}
}

// kept is a record that outlives the next one: a copy, where there may be a next one.
func (in *input) kept(rec record) value {
	if in.whole != nil {
		return rec.value
	}
	return rec.keep().value
}

// err says why records stopped before the end, nil where it did not.
func (in *input) err() error { return in.failed }

// also returns the input of a further file of the same conversation, a subagent's for example. Its
// problems are reported with in's.
func (in *input) also(path string) (*input, error) {
	src, err := openSource(context.Background(), path, nil)
	if err != nil {
		return nil, err
	}
	return &input{path: path, onDisk: true, src: src, strict: in.strict, problem: in.problem}, nil
}

// A recordReader finds JSON values in text. It goes line by line and holds one record at a time:
// a line as a rule, several lines where a value is spread over them.
type recordReader struct {
	ctx      context.Context
	src      *source
	r        io.Reader // nil once everything is in buf
	close    func()
	buf      []byte
	lo       int   // what is read and not yet used begins here
	base     int64 // where buf begins in the source
	line     int   // the line of lo
	progress func(read, total int64)
	problem  func(Location, string)
	other    func(line []byte) // told of each line that is no record; nil: nobody asks
	failed   error

	d      doc
	count  int
	wasted int64 // bytes scanned in vain, over several lines
}

const (
	firstBuffer = 64 << 10
	// maxWasted limits how often lines are tried again, so that reading stays linear.
	maxWasted = 8 << 20
)

func newRecordReader(ctx context.Context, s *source) (*recordReader, error) {
	rr := &recordReader{ctx: ctx, src: s, line: 1, close: func() {}, problem: func(Location, string) {}}
	if p := s.slice(0, s.size); p != nil || s.size == 0 {
		rr.buf = p
		return rr, nil
	}
	r, done, err := s.section(0, s.size)
	if err != nil {
		return nil, err
	}
	rr.r, rr.close, rr.buf = r, done, make([]byte, 0, min(firstBuffer, s.size+1))
	return rr, nil
}

// fill reads more; false at the end.
func (r *recordReader) fill() bool {
	if r.r == nil {
		return false
	}
	if err := r.ctx.Err(); err != nil {
		r.failed, r.r = err, nil
		return false
	}
	if r.lo > 0 {
		n := copy(r.buf, r.buf[r.lo:])
		r.base += int64(r.lo)
		r.buf, r.lo = r.buf[:n], 0
	}
	if len(r.buf) == cap(r.buf) {
		bigger := make([]byte, len(r.buf), r.grown())
		copy(bigger, r.buf)
		r.buf = bigger
	}
	n, err := r.r.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf = r.buf[:len(r.buf)+n]
	if err != nil {
		r.r = nil
		if !errors.Is(err, io.EOF) {
			r.failed = err
		}
	}
	if r.progress != nil {
		r.progress(r.base+int64(len(r.buf)), r.src.size)
	}
	return n > 0 || r.r != nil
}

// grown is the capacity of the next buffer: twice as much, and from longLine on all of the text that
// is left, since a document is one value then. Memory that is not written to costs nothing, and what
// doubling leaves behind would stay until the next collection.
func (r *recordReader) grown() int64 {
	left := max(r.src.size-r.base, int64(len(r.buf))) + 1
	if size := int64(cap(r.buf)); size < longLine || left > wholeText {
		return min(2*size, left)
	}
	return left
}

const (
	longLine  = 1 << 20
	wholeText = 512 << 20
)

// rest is what is read and not yet used.
func (r *recordReader) rest() []byte { return r.buf[r.lo:] }

// lineEnd returns the length of rest up to and with the first newline behind from, or all of it
// where the text ends before.
func (r *recordReader) lineEnd(from int) int {
	for {
		if i := bytes.IndexByte(r.rest()[from:], '\n'); i >= 0 {
			return from + i + 1
		}
		from = len(r.rest())
		if !r.fill() {
			return len(r.rest())
		}
	}
}

// atEnd tells whether nothing but white space follows the first n bytes of rest.
func (r *recordReader) atEnd(n int) bool {
	for {
		if n = skipSpace(r.rest(), n); n < len(r.rest()) {
			return false
		}
		if !r.fill() {
			return true
		}
	}
}

// behind is the place in rest where a record ends.
func (r *recordReader) behind(rec record) int {
	return int(rec.d.base-r.base) - r.lo + len(rec.d.text)
}

func (r *recordReader) here(i int) Location {
	return Location{File: r.src.name, Line: r.line, Offset: r.base + int64(r.lo+i)}
}

// all lists the records to the end of the text.
func (r *recordReader) all() iter.Seq[record] {
	return func(yield func(record) bool) {
		for r.failed == nil {
			end := r.lineEnd(0)
			if end == 0 || r.failed != nil {
				return
			}
			start := skipSpace(r.rest()[:end], 0)
			if start == end {
				r.skipLine(end)
				continue
			}
			if c := r.rest()[start]; c != '{' && c != '[' {
				start = r.behindPrefix(start, end)
				if start < 0 {
					r.skipLine(end)
					continue
				}
			}
			rec, next := r.record(start, end)
			if rec.ok() {
				r.count++
				logged := len(rec.prefix) > 0
				if !yield(rec) {
					return
				}
				if logged { // what follows in the line is the log's too
					next = r.lineEnd(next)
				}
			}
			r.line += bytes.Count(r.rest()[:next], newline)
			r.lo += next
		}
	}
}

var newline = []byte{'\n'}

func (r *recordReader) skipLine(end int) {
	r.lo += end
	r.line++
}

// maxPrefixes is how many brackets of a line that doesn't begin with one are tried.
const maxPrefixes = 8

// behindPrefix looks for a value behind a log's prefix or a program's chatter. It returns -1 where
// the line has none, and reports that unless nothing was recorded yet.
func (r *recordReader) behindPrefix(start, end int) int {
	line := r.rest()[:end]
	for i, tries := start, 0; tries < maxPrefixes; tries++ {
		n := bytes.IndexAny(line[i:], "{[")
		if n < 0 {
			break
		}
		i += n
		r.d.reset(nil, 0, 0)
		r.d.text = line[i:]
		done, err := r.d.scan()
		if done && !r.d.root().plainList() || err == nil && !done && r.count == 0 {
			return i
		}
		i++
	}
	if r.other != nil {
		r.other(line)
	}
	if trimmed := bytes.Trim(line, " \t\r\n,]"); r.count > 0 && len(trimmed) > 0 && !eventField(trimmed) {
		r.problem(r.here(start), "the line is neither a JSON object nor an array")
	}
	return -1
}

// plainList tells whether v is an array that holds no object or array: a number in brackets, for
// example, as logs have them.
func (v value) plainList() bool { return v.isArray() && !v.first().isObject() && !v.first().isArray() }

// eventField tells whether a line belongs to an event stream and has no data of its own.
func eventField(line []byte) bool {
	for _, field := range []string{"event:", "id:", "retry:", ":", "data: [DONE"} {
		if bytes.HasPrefix(line, []byte(field)) {
			return true
		}
	}
	return false
}

// record scans the value at start of a line that goes to end, and further lines where it needs
// them. It returns the value, or none where it is damaged, and where to go on.
func (r *recordReader) record(start, end int) (record, int) {
	d := &r.d
	line := end
	d.reset(r.src, r.base+int64(r.lo+start), r.line)
	d.text = r.rest()[start:end]
	for {
		done, err := d.scan()
		if done {
			d.text = r.rest()[start : start+d.pos]
			return record{value: d.root(), prefix: bytes.TrimSpace(r.rest()[:start])}, start + d.pos
		}
		if err == nil {
			if more := r.lineEnd(end); more > end {
				d.breaks = append(d.breaks, uint32(end-start))
				end = more
				d.text = r.rest()[start:end]
				continue
			}
			if r.failed != nil {
				return record{}, end
			}
			err = &syntaxError{end - start, "the text ends inside a value", true}
		}
		return r.damaged(start, line, end, err)
	}
}

// damaged reports a broken value and decides where to go on: behind the line of one that has a line
// to itself, behind all of one that was spread over lines. The first value of a text, where it is
// the only one or spread over lines, is a document: what was complete of it is kept.
func (r *recordReader) damaged(start, line, end int, err *syntaxError) (record, int) {
	d := &r.d
	at := Location{File: r.src.name, Line: r.line + len(d.breaks), Offset: d.base + int64(err.pos)}
	several := len(d.breaks) > 0
	document := r.count == 0 && (err.cut || several || r.atEnd(end))
	if several && r.joined(line, err) && !(err.cut && document) {
		// JSON Lines, of which this line was cut between two tokens: the next line seemed to go on with it.
		r.problem(Location{r.src.name, r.line, d.base + int64(d.breaks[0]) - 1}, "the line ends inside a value")
		wasted := r.wasted
		if r.wasted += int64(end - line); wasted > maxWasted {
			return record{}, end
		}
		return record{}, line
	}
	r.problem(at, err.reason)
	if !document && !several {
		return record{}, end
	}
	next := r.nextDocument(end)
	d.text = r.rest()[start:end]
	if document && d.salvage(min(err.pos, end-start)) {
		return record{value: d.root(), prefix: bytes.TrimSpace(r.rest()[:start]), partial: true}, next
	}
	return record{}, next
}

// joined tells whether a value over several lines is really a line that was cut and those behind
// it: the second line begins with a bracket, and the error is where a line begins, or at the end.
func (r *recordReader) joined(second int, err *syntaxError) bool {
	if c := r.rest()[second]; c != '{' && c != '[' {
		return false
	}
	return err.cut || err.pos == int(r.d.breaks[len(r.d.breaks)-1])
}

// nextDocument goes on from a line end to the next line that begins with a bracket: lines that
// are indented belong to the document that broke.
func (r *recordReader) nextDocument(from int) int {
	for {
		end := r.lineEnd(from)
		if end == from {
			return from
		}
		if c := r.rest()[from]; c == '{' || c == '[' {
			return from
		}
		from = end
	}
}
