package engine

import (
	"context"
	"regexp"
	"strings"

	"floodmark/history"
)

// repair parses the strings that hold the data and runs the policy over the result. nil where the
// filter does not fit the payload.
func (r *Replayer) repair(ctx context.Context, p *Policy, o *Outcome, payload []byte) (*Repair, error) {
	filter := repairFilter(&o.Facts.Strings)
	q, err := Compile(filter)
	if err != nil {
		return nil, nil //nolint:nilerr // a path that jq cannot follow has no repair by jq
	}
	input, err := Decode(payload)
	if err != nil {
		return nil, nil //nolint:nilerr // nested deeper than jq's values can be
	}
	var results []any
	err = q.Run(ctx, input, nil, func(v any) bool {
		results = append(results, v)
		return true
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || len(results) != 1 {
		return nil, nil //nolint:nilerr // not every string at the path is JSON
	}
	after, err := r.again(ctx, p, o, Marshal(results[0], 0))
	if err != nil {
		return nil, err
	}
	return &Repair{Filter: filter, Verdict: after.Verdict, Before: o.Inline.Tokens, After: after.Inline.Tokens}, nil
}

var elementIndex = regexp.MustCompile(`\[\d+\]`)

// repairFilter parses the largest string that holds JSON; where there are several, all at its path
// with elements of arrays taken together.
func repairFilter(s *StringFacts) string {
	parse := strings.Repeat(" | fromjson", max(1, s.Decodings))[len(" | "):]
	path := s.LargestJSON.Path
	if s.JSONCount > 1 {
		path = elementIndex.ReplaceAllString(path, "[]")
	}
	if path == "." || path == "" {
		return parse
	}
	if s.Decodings > 1 {
		parse = "(" + parse + ")"
	}
	return path + " |= " + parse
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
	run, err := NewReplayer(&c).Run(ctx, p, RunOptions{})
	if err != nil {
		return nil, err
	}
	return run.Outcomes[0], nil
}
