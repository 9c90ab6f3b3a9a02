package ui

import (
	"fmt"
	"strings"
	"testing"

	"floodmark/engine"
	"floodmark/history"
)

// answeredTurn is a turn with one call, and its result where text is not empty.
func answeredTurn(n int, text string) *history.Turn {
	c := &history.Call{ID: fmt.Sprintf("call_%d", n), Tool: fmt.Sprintf("tool_%d", n), Order: n - 1, Arguments: history.Of("{}")}
	if text != "" {
		c.Result = &history.Result{Payload: history.Of(text), Arrival: n - 1}
	}
	return &history.Turn{Number: n, Prompt: history.Of(fmt.Sprintf("question %d", n)), Steps: []*history.Step{{Number: 1, Calls: []*history.Call{c}}}}
}

// state is a recording of one conversation as far as these turns.
func state(loading bool, turns ...*history.Turn) *history.Recording {
	return &history.Recording{Name: "long.jsonl", Format: "openai-chat", Loading: loading, Conversations: []*history.Conversation{
		{ID: "c", File: "long.jsonl", Format: "openai-chat", Threads: []*history.Thread{{Name: history.Main, Turns: turns}}}}}
}

func (c *screen) finds(all ...found) {
	c.e.loading = true
	c.send(finds(all))
}

func TestARecordingGrowsOnTheScreen(t *testing.T) {
	s := newScreen(t, 120, 40, monoTheme())
	one, two := answeredTurn(1, "a small answer"), answeredTurn(2, "")
	s.finds(found{recording: state(true, one, two)}, found{progress: "12 %"})
	s.shows("long.jsonl · openai-chat · 2 turns, 1 result · opening… 12 %", "▸└─ tool_1", "= inline: 4 tokens")
	s.press("down", "down")
	s.shows("▸└─ tool_2", "has no result")

	// The call that is selected gets its result, and more comes behind it.
	big := `[` + strings.Repeat(`{"id": 1, "name": "n"},`, 2000) + `{}]`
	two, three := answeredTurn(2, big), answeredTurn(3, "x")
	first := s.e.list.outcomes[one.Steps[0].Calls[0]]
	s.finds(found{recording: state(true, one, two, three)}, found{progress: "60 %"})
	s.shows("3 turns, 3 results · opening… 60 %", "▸└─ tool_2", "↑ offloaded to $tool_2_1", "tool_3")
	if s.e.list.outcomes[one.Steps[0].Calls[0]] != first {
		t.Error("what did not change was made anew")
	}

	s.finds(found{recording: state(false, one, two, three, answeredTurn(4, "y"))}, found{done: true})
	s.shows("long.jsonl · openai-chat · 4 turns, 4 results ", "▸└─ tool_2", "tool_4")
	s.hides("opening")
	if n := len(s.e.session.convs); n != 1 {
		t.Errorf("one conversation in several states is %d", n)
	}
}

func TestWhatGrowsWhileItIsReplayedIsReplayedAgain(t *testing.T) {
	s := newScreen(t, 120, 40, monoTheme())
	one, two := answeredTurn(1, "a"), answeredTurn(2, "b")
	s.hold = "run"
	s.finds(found{recording: state(true, one)})
	s.finds(found{recording: state(false, one, two)}, found{done: true})
	if len(s.held) != 1 {
		t.Fatalf("%d replays ran at once", len(s.held))
	}
	s.hold = ""
	s.send(s.held[0])
	if n := len(s.e.list.outcomes); n != 2 {
		t.Errorf("%d results have an outcome", n)
	}
	if sum, ok := s.e.totals[s.e.session.convs[0]]; !ok || sum.Results != 2 {
		t.Errorf("the totals are %+v", sum)
	}
}

func TestNewConversationsKeepTheOneInFront(t *testing.T) {
	s := newScreen(t, 120, 40, monoTheme())
	rec := func(loading bool, ordinals ...int) *history.Recording {
		r := &history.Recording{Name: "all.jsonl", Loading: loading}
		for _, n := range ordinals {
			c := state(false, answeredTurn(1, strings.Repeat("x", 4*n))).Conversations[0]
			c.Ordinal = n
			r.Conversations = append(r.Conversations, c)
		}
		return r
	}
	s.finds(found{recording: rec(true, 2)})
	front := s.e.list.conv.replays
	s.finds(found{recording: rec(true, 1, 2, 3)})
	s.finds(found{recording: rec(false, 1, 2, 3, 5)}, found{recording: state(false, answeredTurn(1, "z"))}, found{done: true})
	s.shows("2 of 5")
	if s.e.list.conv.replays != front || s.e.session.convs[1].replays != front {
		t.Error("another conversation came to the front")
	}
	s.press("c")
	var got []engine.Measure
	for _, c := range s.e.session.convs {
		got = append(got, s.e.totals[c].Original)
	}
	if want := "[{4 1} {8 2} {12 3} {20 5} {1 0.25}]"; fmt.Sprint(got) != want {
		t.Errorf("the conversations' totals are %v, not %s", got, want)
	}
}

func TestEscStopsLoading(t *testing.T) {
	s := newScreen(t, 120, 40, monoTheme())
	s.finds(found{recording: state(true, answeredTurn(1, "a"))})
	stopped := 0
	s.e.cancel = func() { stopped++ }
	s.press("esc")
	s.shows("loading stopped: what was read stays", "tool_1")
	s.finds(found{done: true})
	s.press("esc")
	if stopped != 1 {
		t.Errorf("loading was stopped %d times", stopped)
	}
}
