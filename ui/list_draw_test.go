package ui

import (
	"testing"

	"floodmark/history"
)

func TestAStepSaysThatTheHistoryWasCompactedBeforeIt(t *testing.T) {
	step := &history.Step{Compacted: true, Calls: []*history.Call{{}, {}}}
	conversation := func(u *history.Turn) *history.Conversation {
		return &history.Conversation{Threads: []*history.Thread{{Name: history.Main, Turns: []*history.Turn{u}}}}
	}
	marks := func(u *history.Turn) (list []string) {
		rows, _ := buildRows(conversation(u))
		for _, r := range rows[1:] {
			list = append(list, replacedMark(r))
		}
		return list
	}
	within := marks(&history.Turn{Number: 1, Steps: []*history.Step{{Calls: []*history.Call{{}}}, step}})
	if len(within) != 3 || within[0] != "" || within[1] != "compacted " || within[2] != "" {
		t.Errorf("within a turn: %q", within)
	}
	said := marks(&history.Turn{Number: 1, Compacted: true, Steps: []*history.Step{step}})
	if len(said) != 2 || said[0] != "" || said[1] != "" {
		t.Errorf("where the turn says so: %q", said)
	}
}
