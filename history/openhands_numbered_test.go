package history

import (
	"path/filepath"
	"testing"
)

// The server of the first generation keeps each event in a file named by its number.
func TestNumberedOpenHandsEventsAreOneConversation(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "events", "2.json"), `{"id":2,"source":"agent","action":"run","args":{"command":"ls"},"timestamp":"2026-01-01T00:00:00"}`)
	write(t, filepath.Join(dir, "events", "10.json"), `{"id":10,"source":"agent","observation":"run","content":"LS","extras":{},"cause":2,"timestamp":"2026-01-01T00:00:01"}`)
	write(t, filepath.Join(dir, "events", "0.json"), `{"id":0,"source":"user","action":"message","args":{"content":"q"},"timestamp":"2026-01-01T00:00:00"}`)
	list, err := Open(t.Context(), dir, Options{})
	if err != nil || len(list) != 1 || len(list[0].Conversations) != 1 {
		t.Fatalf("%d recordings, %v, want one of one conversation", len(list), err)
	}
	if c := onlyCall(t, list[0]); c.Result == nil || textOf(t, c.Result.Payload) != "LS" {
		t.Errorf("the call has no result, want LS")
	}
}
