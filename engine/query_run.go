package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/itchyny/gojq"
)

// Limits of what one step of a filter can make, since no step of the library can be interrupted.
const (
	maxRepeated  = 64 << 20  // bytes of a string times a number
	maxStepBytes = 128 << 20 // bytes of memory that one step can ask for
	maxPath      = 10_000    // elements of a path: the library recurses into it
	maxIndex     = 4 << 20   // index beyond the end of an array at which a value can be put
	maxDigits    = 100_000   // of an integer that is calculated with
	maxOrder     = 100_000   // n of jn and yn, whose time grows with it
)

// A program is a compiled filter with the state of the run that uses it: one at a time.
type program struct {
	code *gojq.Code
	run  *filterRun
}

// A filterRun is what the functions of one run share.
type filterRun struct {
	ctx    context.Context
	orders []keyOrder // of the decoded payloads that the run can meet
	steps  int
	// nested values are looked at after so many events more, by a source of numbers that is the same
	// in each run: so no pattern of a filter hides what grows.
	untilCheck int
	random     *rand.PCG
	patterns   map[[2]string]*pattern
}

func (r *filterRun) start(ctx context.Context, orders []keyOrder) {
	r.ctx, r.orders, r.steps = ctx, orders, 0
	r.random = rand.NewPCG(1, 2)
	r.untilCheck = 256
}

// stopped is what poll panics with; step turns it into an error.
type stopped struct{ err error }

// poll ends the step where the run has been cancelled. It is called for every value that is looked
// at, and is cheap.
func (r *filterRun) poll() {
	if r.steps++; r.steps&1023 == 0 {
		if err := r.ctx.Err(); err != nil {
			panic(stopped{err})
		}
	}
}

// step makes a function that ends with its run.
func step(f func(v any, args []any) any) func(any, []any) any {
	return func(v any, args []any) (result any) {
		defer func() {
			switch p := recover().(type) {
			case nil:
			case stopped:
				result = p.err
			default:
				panic(p)
			}
		}()
		return f(v, args)
	}
}

// room is an error where a step would need too many bytes of memory.
func room(what string, bytes int) error {
	if bytes > maxStepBytes || bytes < 0 {
		return fmt.Errorf("%s would take %d MB at once, at most %d", what, max(bytes, -bytes)/1_000_000, maxStepBytes/1_000_000)
	}
	return nil
}

// nested looks now and then how deep values have become. One that is too deep fails: the library
// recurses into values, and a stack that overflows ends the process. Between two looks a filter can
// add some tens of thousands of levels, which the stack has room for.
func (r *filterRun) nested(v any, _ []any) any {
	if r.untilCheck--; r.untilCheck > 0 {
		return v
	}
	deepest, seen := depth(v, maxQueryDepth+1, 200_000)
	if deepest > maxQueryDepth {
		return fmt.Errorf("a value has become nested too deeply: more than %d levels", maxQueryDepth)
	}
	span := min(max(256, seen/8), 20_000)
	r.untilCheck = span/2 + int(r.random.Uint64()%uint64(span))
	return v
}

// depth is how many levels of arrays and objects v has, as far as so many values tell, and how many
// were looked at. It ends at the first place deeper than most.
func depth(v any, most, values int) (deepest, seen int) {
	type place struct {
		v     any
		depth int
	}
	open := []place{{v, 0}}
	for len(open) > 0 && seen < values && deepest <= most {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		switch v := p.v.(type) {
		case []any:
			deepest = max(deepest, p.depth+1)
			seen += len(v)
			for _, e := range v[:min(len(v), values)] {
				if container(e) {
					open = append(open, place{e, p.depth + 1})
				}
			}
		case map[string]any:
			deepest = max(deepest, p.depth+1)
			seen += len(v)
			for _, e := range v {
				if container(e) {
					open = append(open, place{e, p.depth + 1})
				}
			}
		}
	}
	return deepest, seen
}

func container(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

// shortPath fails at a path that is too long, reaches too far or has a step that is a search.
func shortPath(v any, _ []any) any {
	path, ok := v.([]any)
	if !ok {
		return v
	}
	if len(path) > maxPath {
		return fmt.Errorf("a path of %d steps is too long: at most %d", len(path), maxPath)
	}
	for _, p := range path {
		for _, check := range []func(any, []any) any{nearIndex, noArray} {
			if err, ok := check(p, nil).(error); ok {
				return err
			}
		}
	}
	return v
}

// noArray fails at an array as a step of a path or as a key, which would be a search that nothing
// can end.
func noArray(v any, _ []any) any {
	if _, ok := v.([]any); ok {
		return errors.New("an array can't be a step of a path: indices finds where it is")
	}
	return v
}

// nearIndex fails at an index that is too large.
func nearIndex(v any, _ []any) any {
	switch v.(type) {
	case nil, string, bool, map[string]any, []any:
		return v
	}
	if f, ok := gojq.ToFloat64(v); ok && f > maxIndex {
		return fmt.Errorf("the array index %.0f is too large: at most %d", f, maxIndex)
	}
	return v
}

// streamEvent fails at an event of a stream whose path is too long or reaches too far.
func streamEvent(v any, _ []any) any {
	if event, ok := v.([]any); ok && len(event) > 0 {
		if err, ok := shortPath(event[0], nil).(error); ok {
			return err
		}
	}
	return v
}
