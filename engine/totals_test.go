package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"floodmark/history"
)

// One token is four bytes here. The thread has a system prompt of 10 tokens and a first prompt of 3;
// each step calls with 1 token of arguments and reads 5, the first one 1000.
func TestAfterACompactionTheContextIsSystemPromptAndSummary(t *testing.T) {
	tokens := func(n int) history.Payload { return history.Of(strings.Repeat("wxyz", n)) }
	step := func(n, result int, id string) *history.Step {
		c := &history.Call{ID: id, Tool: "read", Arguments: tokens(1), Result: &history.Result{Payload: tokens(result)}}
		return &history.Step{Number: n, Calls: []*history.Call{c}}
	}
	after := func(summary int, s *history.Step) *history.Step {
		s.Compacted = true
		if summary > 0 {
			s.Summary = tokens(summary)
		}
		return s
	}
	turn := func(n, prompt int, compacted bool, steps ...*history.Step) *history.Turn {
		return &history.Turn{Number: n, Prompt: tokens(prompt), Compacted: compacted, Steps: steps}
	}
	for _, tt := range []struct {
		name  string
		turns []*history.Turn
		model string // of each step
	}{
		{"none", []*history.Turn{turn(1, 3, false, step(1, 1000, "a"), step(2, 5, "b"))}, "13 1014"},
		{"within a turn, whose prompt is in the summary",
			[]*history.Turn{turn(1, 3, false, step(1, 1000, "a"), after(10000, step(2, 5, "b")), step(3, 5, "c"))}, "13 10010 10016"},
		{"within a turn, without a summary on record",
			[]*history.Turn{turn(1, 3, false, step(1, 1000, "a"), after(0, step(2, 5, "b")))}, "13 10"},
		{"before a prompt, which is read",
			[]*history.Turn{turn(1, 3, false, step(1, 1000, "a")), turn(2, 7, true, after(20, step(1, 5, "b")), step(2, 5, "c"))}, "13 37 43"},
		{"before two prompts, which are both read",
			[]*history.Turn{turn(1, 3, false, step(1, 1000, "a")), turn(2, 7, true), turn(3, 2, false, after(20, step(1, 5, "b")))}, "13 39"},
		{"in a format that marks turns only",
			[]*history.Turn{turn(1, 3, false, step(1, 1000, "a")), turn(2, 7, true, step(1, 5, "b")), turn(3, 2, false, step(1, 5, "c"))}, "13 17 25"},
	} {
		c := &history.Conversation{ID: "c", Threads: []*history.Thread{{Name: history.Main, System: tokens(10), Turns: tt.turns}}}
		run, err := NewReplayer(c).Run(context.Background(), policy(t, "none", "estimator=bytes/4"), RunOptions{SkipExact: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range run.Steps {
			got = append(got, fmt.Sprint(s.ModelOriginal))
		}
		if strings.Join(got, " ") != tt.model {
			t.Errorf("%s: the model reads %s, should be %s", tt.name, strings.Join(got, " "), tt.model)
		}
	}
}

func TestWhatAnotherConversationCountsIsInNoTotal(t *testing.T) {
	result := func() *history.Result { return &history.Result{Payload: history.Of("12345678")} }
	c := &history.Conversation{ID: "c", Threads: []*history.Thread{{Name: history.Main, Turns: []*history.Turn{{Number: 1, Prompt: history.Of("abcd"), Steps: []*history.Step{
		{Number: 1, Copied: true, Calls: []*history.Call{{ID: "a", Tool: "f", Result: result(), Flags: history.CopiedHistory | history.CountedElsewhere}}},
		{Number: 2, Calls: []*history.Call{{ID: "b", Tool: "f", Order: 1, Result: result()}}},
	}}}}}}
	run, err := NewReplayer(c).Run(context.Background(), policy(t, "none", "estimator=bytes/4"), RunOptions{SkipExact: true})
	if err != nil {
		t.Fatal(err)
	}
	// The second step reads the prompt, 1 token, and the first result, 2. What the first step reads counts elsewhere.
	if got := run.Totals; got.Results != 1 || got.Copied != 1 || got.Original.Bytes != 8 || got.Model != 3 || got.PeakContext != 3 {
		t.Errorf("%+v", got)
	}
}
