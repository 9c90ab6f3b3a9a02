package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"floodmark/engine"
	"floodmark/history"
)

// maxNotes is the number of damaged records of one recording that are named; the rest are counted.
const maxNotes = 5

// A corpus is the recordings of one command line on their way through one policy.
type corpus struct {
	o      *replayOptions
	policy *engine.Policy
	stdin  io.Reader
	typed  bool // stdin is a terminal

	note     func(string)             // tells of what could not be used
	progress func(path, words string) // tells how far reading path is; without words: it is done
	fail     func(error)              // tells of a PATH that could not be read while others may be
	loading  bool                     // recordings are visited while they are read, too

	failed  bool // fail was called
	skipped int  // records that could not be used
}

// newCorpus loads the policy. Notes and progress go to standard error.
func newCorpus(s *Streams, o *replayOptions) (*corpus, error) {
	p, err := o.load()
	if err != nil {
		return nil, err
	}
	return corpusUnder(s, o, p), nil
}

// corpusUnder is a corpus on its way through p.
func corpusUnder(s *Streams, o *replayOptions, p *engine.Policy) *corpus {
	show := s.progress(o.common)
	for _, n := range o.notes {
		s.note(o.common, "%s", n)
	}
	return &corpus{o: o, policy: p, stdin: s.In, typed: s.InTerminal,
		note: func(text string) { s.note(o.common, "%s", text) },
		progress: func(path, words string) {
			if words != "" {
				words = fmt.Sprintf("reading %s: %s", path, words)
			}
			show(words)
		},
		fail: func(err error) { Report(s, err) },
	}
}

// each opens the paths one after the other, those that begin as a copy of another one last, and gives each recording to visit as soon as it is read,
// and keeps none. One of several that cannot be read is reported at once, and the others go on.
func (c *corpus) each(ctx context.Context, paths []string, visit func(*history.Recording) error) error {
	if len(paths) == 0 {
		recordings, err := builtin(ctx, c.openOptions(ctx, ""))
		for _, r := range recordings {
			if err := c.visit(r, visit); err != nil {
				return err
			}
		}
		return err
	}
	copies := history.NewCopies()
	for _, path := range history.OriginalsFirst(paths) {
		n, err, visitErr := c.open(ctx, path, copies, visit)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case visitErr != nil:
			return visitErr
		case err == nil:
		case len(paths) == 1 && n == 0:
			return err
		default:
			c.failed = true
			for _, e := range separate(err) {
				c.fail(e)
			}
		}
	}
	return nil
}

// open opens path and gives its recordings to visit, whose error ends it. n is how many there were.
// Copies of what was opened with the same copies count there.
func (c *corpus) open(ctx context.Context, path string, copies *history.Copies, visit func(*history.Recording) error) (n int, err, visitErr error) {
	if path == "-" && c.typed {
		return 0, usage("pipe a recording into it, or name a file", "standard input is a terminal"), nil
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	o := c.openOptions(ctx, path)
	o.Copies = copies
	o.Found = func(r *history.Recording) {
		if visitErr != nil {
			return
		}
		n++
		if !r.Loading {
			c.progress(path, "")
		}
		if visitErr = c.visit(r, visit); visitErr != nil {
			stop()
		}
	}
	_, err = history.Open(ctx, path, o)
	c.progress(path, "")
	return n, suggested(path, err), visitErr
}

// visit gives a recording to f and says what in it could not be used.
func (c *corpus) visit(r *history.Recording, f func(*history.Recording) error) error {
	if r.Loading {
		return f(r)
	}
	c.skipped += len(r.Problems)
	problems := r.Problems
	if r.Partial {
		if done := c.partial(r); done {
			return nil
		}
		problems = problems[:max(len(problems)-1, 0)] // the last is the damage
	}
	for i, p := range problems {
		if i == maxNotes {
			c.note(fmt.Sprintf("%s: %d more", r.Name, len(problems)-maxNotes))
			break
		}
		c.note(placed(p.At) + ": " + p.Reason)
	}
	return f(r)
}

// placed writes where something is, FILE:LINE as far as the line is known.
func placed(at history.Location) string {
	if at.Line == 0 {
		return at.File
	}
	return fmt.Sprintf("%s:%d", at.File, at.Line)
}

// partial says that a document was damaged, and whether nothing of it is worth showing. What was
// complete is replayed all the same; the exit code tells.
func (c *corpus) partial(r *history.Recording) (done bool) {
	c.failed = true
	results := 0
	for _, conv := range r.Conversations {
		for _, call := range conv.Calls() {
			if call.Result != nil {
				results++
			}
		}
	}
	f := &failure{what: r.Name, why: "the document is damaged", hint: "what stands behind the damage is missing; export it again"}
	if len(r.Problems) > 0 {
		last := r.Problems[len(r.Problems)-1]
		f.what, f.why = placed(last.At), last.Reason
	}
	if results == 0 {
		f.hint = "nothing in it is complete; export it again"
	}
	c.fail(f)
	return results == 0
}

// end is the error to end with once all recordings that could be read were visited.
func (c *corpus) end() error {
	if c.failed {
		return &failure{why: "not every recording could be read", silent: true}
	}
	return nil
}

func (c *corpus) openOptions(ctx context.Context, path string) history.Options {
	o := history.Options{Format: c.o.format, Strict: c.o.strict, Stdin: interruptible(ctx, c.stdin), Loading: c.loading}
	shown := int64(0)
	o.Progress = func(read, total int64) {
		const every = 16 << 20 // bytes: a few times a second
		if read/every == shown {
			return
		}
		shown = read / every
		if total > 0 {
			c.progress(path, fmt.Sprintf("%d %%", 100*read/total))
		} else {
			c.progress(path, bytesText(read))
		}
	}
	return o
}

// note writes a line for the person who runs the command.
func (s *Streams) note(c *common, format string, args ...any) {
	if !c.quiet {
		fmt.Fprintf(s.Err, "floodmark: %s\n", visible(fmt.Sprintf(format, args...)))
	}
}

// progress returns what shows how far a slow thing is: one line that replaces itself, on a terminal
// only.
func (s *Streams) progress(c *common) func(string) {
	if !s.ErrTerminal || c.quiet {
		return func(string) {}
	}
	shown := false
	return func(text string) {
		if text != "" || shown {
			fmt.Fprintf(s.Err, "\r\x1b[K%s", clip(visible(text), s.Width-1))
		}
		shown = text != ""
	}
}

// commandNames are what a PATH that does not exist may have been meant to be.
var commandNames = []string{"replay", "why", "values", "tune", "compare", "check", "audit", "export", "query", "vars", "policy", "formats", "completion", "man", "version", "help"}

// suggested adds to the error of a path that does not exist the command that may have been meant.
func suggested(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, near := explain(err), nearest(path, commandNames)
	if near == "" {
		return err
	}
	return &failure{what: f.what, why: f.why, hint: fmt.Sprintf(`did you mean "floodmark %s"?`, near)}
}
