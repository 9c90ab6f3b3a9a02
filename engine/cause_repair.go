package engine

import (
	"context"
	"reflect"
	"strings"

	"floodmark/history"
)

const (
	// maxRepairBytes is the largest payload on which repairs are tried: each step of one makes the
	// payload anew.
	maxRepairBytes = 16 << 20
	// maxRepairSteps is how many filters one repair can have, one after the other.
	maxRepairSteps = 10
)

// repair looks for a filter after which p gives another verdict. It goes step by step: what is wrong
// with the payload as it stands is put right, and what comes out is looked at again. nil where no
// filter does it. Filters keep all data; what they cannot keep they do not offer.
func (r *Replayer) repair(ctx context.Context, p *Policy, o *Outcome, payload []byte) (*Repair, error) {
	if len(payload) > maxRepairBytes {
		return nil, nil
	}
	value, err := Decode(payload)
	if err != nil {
		return nil, nil //nolint:nilerr // nested deeper than jq's values can be
	}
	var steps []string
	for len(steps) < maxRepairSteps {
		progress := false
		for _, filter := range repairsOf(value, p.Structured.MaxStringShare) {
			next, ok, err := runOnce(ctx, filter, value)
			if err != nil {
				return nil, err
			}
			if !ok || reflect.DeepEqual(next, value) {
				continue
			}
			value, progress = next, true
			steps = append(steps, filter)
			break
		}
		if !progress {
			return nil, nil
		}
		if _, text := value.(string); text {
			continue // no policy takes a single string for structure
		}
		repaired := Marshal(value, 0)
		after, err := r.again(ctx, p, o, repaired)
		if err != nil {
			return nil, err
		}
		if after.Verdict != o.Verdict {
			return &Repair{Filter: strings.Join(steps, " | "), Verdict: after.Verdict,
				Before: o.Inline.Tokens, After: after.Inline.Tokens, Mapper: mapper(repaired, after.Facts)}, nil
		}
	}
	return nil, nil
}

// runOnce runs a filter that is expected to give one result. ok is false where it gives another
// number of them, or fails on the data. Error: ctx's.
func runOnce(ctx context.Context, filter string, value any) (result any, ok bool, err error) {
	q, err := Compile(filter)
	if err != nil {
		return nil, false, nil //nolint:nilerr // a path that jq cannot follow
	}
	n := 0
	err = q.Run(ctx, value, nil, func(v any) bool {
		result = v
		n++
		return n < 2
	})
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	return result, err == nil && n == 1, nil
}

// repairsOf are the filters worth trying on a value, the best first.
func repairsOf(value any, maxShare float64) []string {
	if text, ok := value.(string); ok {
		return textRepairs(text)
	}
	payload := Marshal(value, 0)
	f := Scan(payload, ScanOptions{})
	switch f.Structure(maxShare) {
	case StringifiedJSON:
		if unwrap := mcpUnwrap(value, f.Strings.LargestJSON.Path); unwrap != "" {
			return append([]string{unwrap}, stringRepairs(&f.Strings)...)
		}
		return stringRepairs(&f.Strings)
	case RenderedText:
		return renderedRepairs(value, f.Strings.Largest.Path)
	}
	return nil
}

// renderedRepairs put the one string right that holds the data, in its place.
func renderedRepairs(value any, path string) []string {
	if unwrap := mcpUnwrap(value, path); unwrap != "" {
		return []string{unwrap}
	}
	text, ok, err := runOnce(context.Background(), path, value)
	if err != nil || !ok {
		return nil
	}
	s, _ := text.(string)
	var list []string
	for _, filter := range textRepairs(s) {
		list = append(list, path+" |= ("+filter+")")
	}
	return list
}

// again runs p over a conversation with one call: o's, had its payload been this.
func (r *Replayer) again(ctx context.Context, p *Policy, o *Outcome, payload []byte) (*Outcome, error) {
	call := *o.Call
	result := *o.Call.Result
	result.Payload, result.Structured = history.Of(string(payload)), nil
	call.Result, call.Order = &result, 0
	step := &history.Step{Number: 1, Calls: []*history.Call{&call}}
	c := *r.conv
	c.Threads = []*history.Thread{{Name: o.Thread.Name, Agent: o.Thread.Agent,
		Turns: []*history.Turn{{Number: 1, Steps: []*history.Step{step}}}}}
	run, err := NewReplayer(&c).Run(ctx, p, RunOptions{SkipExact: true})
	if err != nil {
		return nil, err
	}
	return run.Outcomes[0], nil
}
