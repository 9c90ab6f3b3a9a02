package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"floodmark/engine"
)

// Running a filter over a result, in a job.

// variables are the other results that the filter names, by their names in jq.
func (t *variableTab) variables(filter string) map[string]*engine.Outcome {
	if t.sel.run == nil || !strings.Contains(filter, "$") {
		return nil
	}
	m := map[string]*engine.Outcome{}
	for _, o := range t.sel.run.Outcomes {
		if name := jqName(o.Name); o.Verdict != "" && o.Verdict != engine.Rejected && namesIn(filter, name) {
			m[name] = o
		}
	}
	return m
}

var jqWord = regexp.MustCompile(`\$[A-Za-z_][A-Za-z0-9_]*`)

func namesIn(filter, name string) bool {
	return slices.Contains(jqWord.FindAllString(filter, -1), name)
}

// A filterResult is what running a filter gave.
type filterResult struct {
	data    *decoded
	doc     *document
	figures string
	problem string
	caret   int
}

// runFilter compiles the filter, decodes the payload if nobody has, and collects the answer.
func runFilter(ctx context.Context, d *deps, s selection, data *decoded, filter string, others map[string]*engine.Outcome) (r filterResult) {
	r.caret = -1
	fail := func(err error) filterResult {
		var q *engine.QueryError
		if errors.As(err, &q) {
			r.caret = q.Offset
		}
		r.problem = visible(err.Error())
		return r
	}
	names := make([]string, 0, len(others))
	for name := range others {
		names = append(names, name)
	}
	slices.Sort(names)
	q, err := engine.Compile(filter, names...)
	if err != nil {
		return fail(err)
	}
	if data == nil {
		if data, err = decode(ctx, d, s, s.outcome); err != nil {
			return fail(err)
		}
	}
	r.data = data
	values := make([]any, len(names))
	for i, name := range names {
		v := data
		if others[name] != s.outcome {
			if v, err = decode(ctx, d, s, others[name]); err != nil {
				return fail(err)
			}
		}
		values[i] = v.value
	}
	// What is shown is indented; what is measured is one line a result, as a model would get it.
	var out, compact bytes.Buffer
	n, cut := 0, false
	start := d.now()
	err = q.Run(ctx, data.value, values, func(v any) bool {
		if n == maxQueryResults || out.Len() > maxQueryBytes {
			cut = true
			return false
		}
		n++
		out.Write(engine.Marshal(v, 2))
		out.WriteByte('\n')
		compact.Write(engine.Marshal(v, 0))
		compact.WriteByte('\n')
		return true
	})
	elapsed := d.now().Sub(start)
	if err != nil {
		return fail(err)
	}
	text := bytes.TrimSuffix(out.Bytes(), []byte{'\n'})
	r.doc = newDocument(text)
	line := bytes.TrimSuffix(compact.Bytes(), []byte{'\n'})
	size := s.policy.Estimator.Of(line)
	r.figures = fmt.Sprintf("%s · %s · %s · %.1f ms", count(n, "result"), tokens(size), bytesText(int64(len(line))),
		float64(elapsed.Microseconds())/1000)
	if limit := s.policy.Limits.PerResultTokens(); limit != nil && s.policy.Enabled && size > *limit {
		r.figures += " · over " + rounded(*limit)
	}
	if cut {
		r.figures += " · cut here"
	}
	return r
}

// decode reads and decodes a result's payload. One that is offloaded is written to the store, and
// what is queried is what the store gives back.
func decode(ctx context.Context, d *deps, s selection, o *engine.Outcome) (*decoded, error) {
	var payload []byte
	err := s.conv.read(ctx, func(r *engine.Replayer) (err error) {
		payload, err = r.Payload(s.policy, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	v := &decoded{call: o.Call}
	if o.Verdict == engine.Offloaded {
		stored, note, err := d.session.keep(ctx, s.conv, s.policy, o, payload)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			v.kept = "not kept: " + visible(err.Error())
		case stored == nil:
			v.kept = "kept nowhere: there is no store"
		default:
			payload, v.kept = stored, "kept in "+visible(note)
		}
	}
	if v.value, err = engine.Decode(payload); err != nil {
		return nil, err
	}
	v.json = o.Facts != nil && o.Facts.Valid
	return v, ctx.Err()
}
