package ui

import (
	"context"
	"fmt"
	"path"
	"strings"
	"testing"

	"floodmark/history"
)

// resumedRecording is the built-in recording of a workflow that goes on days later: a list that is offloaded
// twice, read back, and asked about with a wrong id and with a value of another record.
func resumedRecording(t testing.TB) *history.Recording {
	t.Helper()
	all, err := builtin(context.Background(), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if path.Base(r.Name) == "resumed-workflow.jsonl" {
			return r
		}
	}
	t.Fatal("no such built-in recording")
	return nil
}

// The way of a value through a conversation, and the chain of a payload that came back, as they are seen.
func TestFramesOfValues(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		keys []string
	}{
		{"values-wrong-id-120x40", 120, 40, []string{"down", "down", "down", "7", "tab"}},
		{"values-other-record-120x40", 120, 40, []string{"down", "down", "down", "down", "7", "tab"}},
		{"values-chain-80x24", 80, 24, []string{"down", "down", "7", "tab", "down"}},
		{"values-chain-120x40", 120, 40, []string{"down", "down", "7", "tab", "down", "down"}},
		{"why-chain-120x40", 120, 40, []string{"down", "down", "5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScreen(t, c.w, c.h, monoTheme(), resumedRecording(t))
			s.press(c.keys...)
			golden(t, c.name, s.frame())
		})
	}
}

// manyArguments is a recording whose second call has thirty arguments, all from the first one's result.
func manyArguments() *history.Recording {
	var keys, ids []string
	for i := range 30 {
		keys = append(keys, fmt.Sprintf(`"k%02d":"ROW-%04d"`, i, 1000+i))
		ids = append(ids, fmt.Sprintf(`"ROW-%04d"`, 1000+i))
	}
	calls := []*history.Call{
		{ID: "call_1", Tool: "list", Arguments: history.Of("{}"), Result: &history.Result{Payload: history.Of("[" + strings.Join(ids, ",") + "]")}},
		{ID: "call_2", Tool: "get", Order: 1, Arguments: history.Of("{" + strings.Join(keys, ",") + "}"), Result: &history.Result{Payload: history.Of("{}"), Arrival: 1}},
	}
	c := &history.Conversation{ID: "c", File: "many.json", Format: "openai-chat", Threads: []*history.Thread{{Name: history.Main,
		Turns: []*history.Turn{{Number: 1, Prompt: history.Of("Get them."), Steps: []*history.Step{{Number: 1, Calls: calls[:1]}, {Number: 2, Calls: calls[1:]}}}}}}}
	return &history.Recording{Name: c.File, Format: c.Format, Conversations: []*history.Conversation{c}}
}

// Every key that moves in the view picks a value, never a heading, and shows its way.
func TestKeysOfTheViewValues(t *testing.T) {
	s := newScreen(t, 80, 24, monoTheme(), manyArguments())
	s.press("down", "7", "tab")
	s.shows("its arguments: 30 values", "▸  .k00        ROW-1000    call_1 .[0]", "the way of ROW-1000", "From call_1 .[0], record 0.", "turn 1, step 2  get .k00")
	for _, c := range []struct{ key, way string }{
		{"down", "ROW-1001"}, {"down", "ROW-1002"}, {"up", "ROW-1001"}, {"up", "ROW-1000"}, {"up", "ROW-1000"},
		{"end", "ROW-1029"}, {"down", "ROW-1029"}, {"home", "ROW-1000"}, {"pgup", "ROW-1000"},
	} {
		s.press(c.key)
		s.shows("the way of "+c.way, "▸  ")
	}
	s.press("pgdown")
	s.hides("the way of ROW-1000")
	s.press("pgdown", "pgdown", "pgdown", "pgdown")
	s.shows("the way of ROW-1029")
	s.press("pgup", "pgup", "pgup", "pgup", "pgup")
	s.shows("the way of ROW-1000")
	s.press("esc", "up") // the list again: the other end of the same values
	s.shows("from its result, in later calls: 30 va", "get .k00", "its arguments: 0 values")
}

func TestTheViewValuesNamesAWrongIDAndAnotherRecord(t *testing.T) {
	s := newScreen(t, 120, 40, monoTheme(), resumedRecording(t))
	s.press("down", "down", "down", "7", "tab")
	s.shows("ACC-10012", "nowhere before", "Nothing before it has it; ACC-10021 (transposed) is in")
	s = newScreen(t, 120, 40, monoTheme(), resumedRecording(t))
	s.press("down", "down", "down", "down", "7", "tab")
	s.shows("64069.03", "(other-record)")
}

// On a small screen the chain is below what fits: the end key and going on downwards show it.
func TestTheChainIsReachedOnASmallScreen(t *testing.T) {
	for _, keys := range [][]string{{"end"}, strings.Fields(strings.Repeat("down ", 20))} {
		s := newScreen(t, 80, 24, monoTheme(), resumedRecording(t))
		s.press("down", "down", "7", "tab")
		s.press(keys...)
		s.shows("in all 4,742 tokens entered in 2")
		s.press("home")
		s.shows("its arguments: 2 values", "▸  .to")
	}
}

func TestTheViewsWhyAndValuesDrawTheChain(t *testing.T) {
	for _, key := range []string{"5", "7"} {
		s := newScreen(t, 200, 60, monoTheme(), resumedRecording(t))
		s.press("down", "down", key)
		s.shows("$list_accounts_1, turn 1, step 1: 7,105 tokens kept out, 305 entered instead", "→ read_lines, turn 1, step 3: 63 % of $list_accounts_2 back, 4,437 tokens entered",
			"in all 4,742 tokens entered in 2 hops")
	}
}
