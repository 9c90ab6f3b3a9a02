package history

import (
	"strings"
	"testing"
)

// "jq -s" puts the lines of a session into one array: it is the same session.
func TestAnArrayOfLinesIsReadAsTheLinesAre(t *testing.T) {
	const session = `{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"go"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","isSidechain":false,"sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Read","input":{"path":"x"}}]}}
{"type":"user","uuid":"u2","parentUuid":"a1","isSidechain":false,"sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"FOUND"}]}}`
	array := "[" + strings.ReplaceAll(session, "\n", ",\n") + "]"
	rec := readText(t, array)
	if rec.Format != "claude-code" || len(rec.Conversations) != 1 {
		t.Fatalf("read as %s with %d conversations, want claude-code with 1", rec.Format, len(rec.Conversations))
	}
	calls := rec.Conversations[0].Calls()
	if len(calls) != 1 || calls[0].Result == nil || textOf(t, calls[0].Result.Payload) != "FOUND" {
		t.Fatalf("calls are %+v, want one that found FOUND", calls)
	}
	at := calls[0].Result.At
	if at.Line != 3 || !strings.HasPrefix(array[at.Offset:], `"FOUND"`) {
		t.Errorf("the result is at line %d, byte %d", at.Line, at.Offset)
	}
}
