package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Options say how recordings are opened. The zero value is the usual way.
type Options struct {
	Format string    // the name of a format to force; empty to detect
	Strict bool      // a damaged record is an error, not a problem
	Stdin  io.Reader // what "-" reads
	// Progress, where set, is told now and then how many of total bytes were read of the recording
	// being opened; total is -1 where it is not known.
	Progress func(read, total int64)
	// Found, where set, is given each recording as soon as it is read; Open then returns none. It is
	// called by the goroutine that opens, which goes on when it returns.
	Found func(*Recording)
	// Loading makes Found get a recording that takes a while also before it is read, as far as it is:
	// with its Loading set, and a later one takes its place, in which what did not change is the same
	// pointer. What Found was given never changes.
	Loading bool
	// Generated gives calls of built-in recordings, by id, a payload that exists only as a rule.
	Generated map[string]Generator

	// Copies, where set, marks calls that are copies of those in recordings opened with it before, as
	// the recordings of a folder are marked among each other. Nil: a file is the only one.
	Copies *Copies

	pace func(read int64) bool // when to show what was read so far; nil: by the clock
}

// An OpenError says what could not be opened, and what to do about it.
type OpenError struct {
	Path   string
	Reason string // lower case, without a full stop
	Hint   string // empty where there is none
	Err    error  // nil, or the cause
}

func (e *OpenError) Error() string { return e.Path + ": " + e.Reason }
func (e *OpenError) Unwrap() error { return e.Err }

// Open opens a file, a folder or standard input ("-").
//
// A file is that file alone. A folder that holds one conversation with its subagents is that
// conversation; any other folder is all recordings in it, in the order of their names, and files
// that are no recordings are passed over; the error of a folder joins those of all files in it that can't
// be read. With an error the recordings that could be read are
// returned too, or were given to Options.Found.
func Open(ctx context.Context, path string, o Options) ([]*Recording, error) {
	if path == "-" {
		if o.Stdin == nil {
			return nil, &OpenError{Path: path, Reason: "there is no standard input"}
		}
		rec, err := Read(ctx, path, o.Stdin, o)
		return one(rec, err, o)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return openFolder(ctx, path, o)
	case mode&fs.ModeNamedPipe != 0:
		return openPipe(ctx, path, o)
	case !mode.IsRegular():
		return nil, &OpenError{Path: path, Reason: "a device or a socket is no recording", Hint: "name a file or a folder, or - for standard input"}
	}
	rec, err := openFile(ctx, path, nil, o)
	return one(rec, err, o)
}

func one(rec *Recording, err error, o Options) ([]*Recording, error) {
	if rec == nil {
		return nil, err
	}
	if o.Found != nil {
		o.Found(rec)
		return nil, err
	}
	return []*Recording{rec}, err
}

// openPipe reads a named pipe as standard input is read. Opening and reading wait for whoever writes
// into it, and end with ctx.
func openPipe(ctx context.Context, path string, o Options) ([]*Recording, error) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		if err == nil && ctx.Err() != nil {
			_ = f.Close() // nobody waits for it any more
		}
		done <- opened{f, err}
	}()
	var pipe opened
	select {
	case pipe = <-done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if pipe.err != nil {
		return nil, unreadable(path, pipe.err)
	}
	stop := context.AfterFunc(ctx, func() { _ = pipe.f.Close() }) // which ends a read that waits
	defer func() {
		if stop() {
			_ = pipe.f.Close()
		}
	}()
	rec, err := Read(ctx, path, pipe.f, o)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return one(rec, err, o)
}

func openFile(ctx context.Context, path string, more []string, o Options) (*Recording, error) {
	src, err := openSource(ctx, path, o.Progress)
	if err != nil {
		return nil, err
	}
	return read(ctx, &input{path: path, more: more, onDisk: true, src: src}, o)
}

// Read opens what r gives, under the given name.
func Read(ctx context.Context, name string, r io.Reader, o Options) (*Recording, error) {
	src, err := streamSource(name, &watched{ctx, r, o.Progress, 0, -1})
	if err != nil {
		return nil, err
	}
	return read(ctx, &input{path: name, src: src}, o)
}

// OpenFS opens one file of an embedded file system.
func OpenFS(ctx context.Context, fsys fs.FS, name string, o Options) (*Recording, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer func() { _ = f.Close() }()
	return Read(ctx, name, f, o)
}

// unreadable explains an error of the operating system.
func unreadable(path string, err error) *OpenError {
	e := &OpenError{Path: path, Err: err}
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Reason, e.Hint = "no such file or folder", "check the path; without one the built-in recordings are shown"
	case errors.Is(err, fs.ErrPermission):
		e.Reason, e.Hint = "no permission to read it", "change its permissions, or run as the user that owns it"
	case errors.As(err, &pe):
		e.Reason = pe.Err.Error()
	default:
		e.Reason = err.Error()
	}
	return e
}

func lineReason(at Location, reason string) string {
	if at.Line == 0 {
		return fmt.Sprintf("byte %d: %s", at.Offset, reason)
	}
	return fmt.Sprintf("line %d, byte %d: %s", at.Line, at.Offset, reason)
}

// read makes a recording of in.
func read(ctx context.Context, in *input, o Options) (*Recording, error) {
	identity, err := in.src.identity()
	if err != nil {
		return nil, unreadable(in.path, err)
	}
	s, err := takeSample(ctx, in.src)
	if err != nil {
		return nil, err
	}
	rec := &Recording{Name: in.path}
	f, err := choose(rec, s, in.path, o.Format)
	if err != nil {
		return nil, err
	}
	b := newBuilder(rec, identity)
	in.problem, in.strict, in.progress = b.problem, o.Strict, o.Progress
	if s.whole {
		in.whole, in.tape = &s.records[0], s.tape
	}
	pub := newPublisher(b, o)
	in.read = pub.offer
	err = in.damaged(s.damage)
	if err == nil {
		err = f.read(ctx, in, b)
	}
	if err == nil {
		err = in.err()
	}
	if err == nil && in.src.damage != "" {
		err = in.cutOff(rec)
	}
	b.finish()
	if o.Copies != nil {
		o.Copies.find(b)
	}
	if o.Strict && err == nil && len(rec.Problems) > 0 {
		p := rec.Problems[0]
		rec.Problems = rec.Problems[1:] // the error says it
		err = &OpenError{Path: in.path, Reason: lineReason(p.At, p.Reason)}
	}
	rec.Partial = in.broken && err == nil // an error says it already
	rec.generate(o.Generated)
	pub.finish()
	var shown *OpenError
	if err != nil && ctx.Err() == nil && !errors.As(err, &shown) {
		err = &OpenError{Path: in.path, Reason: err.Error(), Err: err}
	}
	if err == nil && len(rec.Conversations) == 0 {
		return nil, &OpenError{Path: in.path, Reason: s.noConversation(f), Hint: "--format reads it as another format: floodmark formats lists them"}
	}
	return rec, err
}

// cutOff reports damage of the compressed text, which then ends there. That its last record is cut is
// no second cause.
func (in *input) cutOff(rec *Recording) error {
	if n := len(rec.Problems); n > 0 && rec.Problems[n-1].At.Offset == in.src.size {
		rec.Problems[n-1].Reason = in.src.damage
		return nil
	}
	return in.damaged([]Problem{{Location{File: in.src.name, Offset: in.src.size}, in.src.damage}})
}

// choose finds the format of a sample: the forced one, else the one that is recognised.
func choose(rec *Recording, s *sample, path, forced string) (*Format, error) {
	if forced != "" {
		f, err := named(forced)
		if err != nil {
			return nil, err
		}
		rec.Format, rec.Reason = f.Name, "as asked for"
		return f, nil
	}
	if reason := s.prose.reason(); reason != "" && len(s.records) > 0 {
		return nil, &OpenError{Path: path, Reason: reason, Hint: "--format reads the records in it all the same"}
	}
	f, why := detect(s)
	if f == nil {
		return nil, &OpenError{Path: path, Reason: s.noConversation(nil), Hint: "floodmark formats lists the formats, --format forces one"}
	}
	rec.Format, rec.Reason = f.Name, why
	return f, nil
}

// generate gives results the payload that exists only as a rule.
func (r *Recording) generate(rules map[string]Generator) {
	if len(rules) == 0 {
		return
	}
	for _, c := range r.Conversations {
		for _, call := range c.Calls() {
			if g, ok := rules[call.ID]; ok && call.Result != nil {
				call.Result.Payload = Generated(g)
			}
		}
	}
}
