package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/itchyny/gojq"
)

// A Query is a compiled jq filter. It is safe for use by several goroutines.
type Query struct{ code *gojq.Code }

// QueryLimits are the limits of one run; 0 is none.
type QueryLimits struct {
	Results int
	Bytes   int64 // of all results as JSON
}

// A DataError says why a filter that compiled failed on its input. The message is jq's own and can
// show a part of the data.
type DataError struct{ Message string }

func (e *DataError) Error() string { return e.Message }

// Run runs the query on input and gives each result to yield until it returns false. It ends with
// ctx, whose error it returns. halt ends the output and does nothing else; halt_error is a failure on
// the data with the message it is given. values are
// those of the variables given to Compile. Input and values are made by Decode; no one may change
// them or the results, which can share parts. Error: *DataError, or that of ctx.
//
// A cancelled ctx is seen between the steps of a filter, not within a single one such as sort or
// tojson.
func (q *Query) Run(ctx context.Context, input any, values []any, yield func(any) bool) error {
	results, err := q.start(ctx, input, values)
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
			return &DataError{v.Error()}
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
		return &DataError{"halt_error"}
	case string:
		if text := strings.TrimRight(v, "\n"); text != "" {
			return &DataError{text}
		}
		return &DataError{"halt_error"}
	default:
		return &DataError{string(Marshal(v, 0))}
	}
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

func (q *Query) start(ctx context.Context, input any, values []any) (results gojq.Iter, err error) {
	defer recoverTo(&err)
	return q.code.RunWithContext(ctx, input, values...), nil
}

func next(results gojq.Iter) (v any, ok bool, err error) {
	defer recoverTo(&err)
	v, ok = results.Next()
	return v, ok, nil
}

// recoverTo turns a panic inside the jq library into an error: a filter can be anything.
func recoverTo(err *error) {
	if r := recover(); r != nil {
		*err = &DataError{fmt.Sprintf("the filter failed inside the jq library: %v", r)}
	}
}
