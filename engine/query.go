package engine

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/itchyny/gojq"
)

// A Query is a compiled jq filter. It is safe for use by several goroutines.
type Query struct {
	parsed    *gojq.Query
	variables []string
	// idle are programs that no run uses; each run takes one, or compiles another.
	mu   sync.Mutex
	idle []*program
}

// QueryLimits are the limits of one run; 0 is none.
type QueryLimits struct {
	Results int
	Bytes   int64         // of all results as JSON
	Time    time.Duration // of the run; a Runner's includes loading and decoding what is not decoded yet
	Memory  int64         // bytes of heap that the run adds while it goes on, what it decodes too
}

// A DataError says why a filter that compiled failed on its input. The message is jq's own and can
// show a part of the data.
type DataError struct {
	Message string
	// Halted tells that the filter ended itself with halt_error; Code is the exit code that it asked for.
	Halted bool
	Code   int
}

func (e *DataError) Error() string { return e.Message }

// Run runs the query on input and gives each result to yield until it returns false. It ends with
// ctx, whose error it returns. halt ends the output and does nothing else; halt_error is a failure on
// the data with the message it is given. values are
// those of the variables given to Compile. Input and values are made by Decode; no one may change
// them or the results, which can share parts. Error: *DataError, or that of ctx.
//
// A cancelled ctx is seen between the steps of a filter and within its longer ones, such as sort,
// tojson and match. What one step can make is limited (128 MB).
func (q *Query) Run(ctx context.Context, input any, values []any, yield func(any) bool) error {
	return q.run(ctx, input, values, nil, yield)
}

// run is Run with the orders of the payloads that input and values come from.
func (q *Query) run(ctx context.Context, input any, values []any, orders []keyOrder, yield func(any) bool) error {
	p, err := q.take()
	if err != nil {
		return err
	}
	p.run.start(ctx, orders)
	defer q.giveBack(p)
	results, err := p.start(input, values)
	if err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, ok, err := next(results)
		if err != nil || !ok {
			return err
		}
		switch v := v.(type) {
		case *gojq.HaltError:
			return halted(v)
		case error:
			if err := ctx.Err(); err != nil {
				return err
			}
			return dataError(v)
		}
		if !yield(v) {
			return nil
		}
	}
}

// halted is the error of a filter that stopped itself; nil for halt, which means no harm.
func halted(h *gojq.HaltError) error {
	switch v := h.Value().(type) {
	case nil:
		if h.ExitCode() == 0 {
			return nil
		}
		return &DataError{"halt_error", true, h.ExitCode()}
	case string:
		if text := strings.TrimRight(v, "\n"); text != "" {
			return &DataError{text, true, h.ExitCode()}
		}
		return &DataError{"halt_error", true, h.ExitCode()}
	default:
		return &DataError{brief(v), true, h.ExitCode()}
	}
}

// dataError is the error that a filter ended with. The value of error can be large: its beginning is
// enough.
func dataError(err error) error {
	if v, ok := err.(gojq.ValueError); ok {
		if text, is := v.Value().(string); is {
			return &DataError{Message: "error: " + text}
		}
		return &DataError{Message: "error: " + brief(v.Value())}
	}
	return &DataError{Message: err.Error()}
}

// brief is a value as JSON, of a long one the beginning.
func brief(v any) string {
	const most = 1000
	w := jsonWriter{most: most}
	w.write(v)
	if len(w.out) <= most {
		return string(w.out)
	}
	return strings.ToValidUTF8(string(w.out[:most]), "") + "…"
}

// take takes a program for one run.
func (q *Query) take() (*program, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.idle); n > 0 {
		p := q.idle[n-1]
		q.idle = q.idle[:n-1]
		return p, nil
	}
	p := &program{run: &filterRun{}}
	var err error
	p.code, err = gojq.Compile(q.parsed, append(p.run.options(), gojq.WithVariables(q.variables))...)
	return p, err
}

// giveBack makes a program free for the next run.
func (q *Query) giveBack(p *program) {
	q.mu.Lock()
	defer q.mu.Unlock()
	p.run.ctx, p.run.orders, p.run.patterns = nil, nil, nil
	q.idle = append(q.idle, p)
}

// Collect runs the query and returns its results as JSON. more tells that it stopped at a limit
// with results still to come; the result that would go over the limit on bytes is left out.
func (q *Query) Collect(ctx context.Context, input any, values []any, l QueryLimits, indent int) (results [][]byte, more bool, err error) {
	size := int64(0)
	err = q.Run(ctx, input, values, func(v any) bool {
		if more = l.Results > 0 && len(results) == l.Results; more {
			return false
		}
		text := Marshal(v, indent)
		size += int64(len(text))
		if more = l.Bytes > 0 && size > l.Bytes; more {
			return false
		}
		results = append(results, text)
		return true
	})
	return results, more, err
}

func (p *program) start(input any, values []any) (results gojq.Iter, err error) {
	defer recoverTo(&err)
	return p.code.RunWithContext(p.run.ctx, input, values...), nil
}

func next(results gojq.Iter) (v any, ok bool, err error) {
	defer recoverTo(&err)
	v, ok = results.Next()
	return v, ok, nil
}

// recoverTo turns a panic inside the jq library into an error: a filter can be anything.
func recoverTo(err *error) {
	if r := recover(); r != nil {
		*err = &DataError{Message: fmt.Sprintf("the filter failed inside the jq library: %s", BugOf(r).Words)}
	}
}
