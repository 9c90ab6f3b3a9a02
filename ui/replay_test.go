package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"floodmark/engine"
	"floodmark/history"
)

func TestFiguresStandUnderTheRulesThatMadeThem(t *testing.T) {
	s := newScreen(t, 120, 40, monoTheme(), sampleRecording())
	s.press("down")
	s.shows("moveworks · bytes/4 · per result 7,000", "15,498 tokens")
	s.hold = "run" // the runs that follow are long under way

	s.press("e")
	s.shows("moveworks · bytes/4 · per result 7,000", "→ chars/4…", "15,498 tokens", "counting by moveworks · chars/4… until then as by moveworks · bytes/4")
	s.press("e", "e")
	s.shows("moveworks · bytes/4 · per result 7,000", "→ o200k_base…", "counting by moveworks · o200k_base…")
	s.press("p")
	s.shows("moveworks · bytes/4 · per result 7,000", "→ "+s.e.session.policy.Name+"…", "15,498 tokens")

	// Only the answer of the last one is taken.
	s.hold = ""
	for _, m := range s.held {
		s.send(m)
	}
	s.hides("→ trueforge")
	s.hides("counting")
	s.shows(s.e.session.policy.Name + " · " + string(s.e.session.policy.Estimator))
	if s.e.list.run.Policy != s.e.session.policy {
		t.Errorf("the figures are those of %s", s.e.list.run.Policy.Name)
	}
}

func TestARunThatNobodyWantsDoesNotBegin(t *testing.T) {
	s := newScreen(t, 120, 40, monoTheme(), sampleRecording())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.e.session.convs[0].run(ctx, s.e.session.policy, engine.RunOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v, want %v", err, context.Canceled)
	}
}

// The first pass leaves out what a real tokenizer has to count; the second adds it.
func TestExactWarningsFollowTheVerdicts(t *testing.T) {
	s := newScreen(t, 120, 40, monoTheme(), sampleRecording())
	s.press("down", "5")
	s.hold = "run"
	s.press("t")
	s.typeText("16000") // list_expenses has 15,498 tokens by bytes/4, and more than 16,000 by o200k_base
	s.press("enter")
	_, cmd := s.e.Update(s.held[0])
	s.run(cmd)
	s.shows("per result 16,000 (was 7,000)", "inline: 15,498 tokens")
	s.hides("within-estimator-error")
	if len(s.held) != 2 {
		t.Fatalf("%d runs, want 2", len(s.held))
	}
	s.hold = ""
	s.send(s.held[1])
	s.shows("within-estimator-error", "o200k_base says over")
}

func TestOneRejectedResultDoesNotFlattenACurve(t *testing.T) {
	if got := curveTop(100, []float64{50, 900, 100_000}); got != 900 {
		t.Errorf("the scale ends at %v, want 900", got)
	}
	if got := curveTop(100, []float64{50, 1001}); got != 100 {
		t.Errorf("the scale ends at %v, want 100", got)
	}
}

// The gauge tells how full the context gets, the totals what the model reads at most. They differ where
// the recording ends with a result: nobody read that.
func TestTheFullestContextIsNotCalledThePeak(t *testing.T) {
	call := &history.Call{ID: "a", Tool: "list", Arguments: history.Of("{}"), Result: &history.Result{Payload: history.Of(strings.Repeat("x", 400))}}
	main := &history.Thread{Name: history.Main, Turns: []*history.Turn{{Number: 1, Prompt: history.Of("12345678"), Steps: []*history.Step{{Number: 1, Calls: []*history.Call{call}}}}}}
	c := &history.Conversation{ID: "c", File: "c.json", Format: "openai-chat", Threads: []*history.Thread{main}}
	s := newScreen(t, 120, 40, monoTheme(), &history.Recording{Name: "c.json", Format: "openai-chat", Conversations: []*history.Conversation{c}})
	s.press("6")
	s.shows("fullest 103 after turn 1", "of what the model read 2.") // 8/4 read; 2/4 and 400/4 follow
	s.hides("peak")
}
