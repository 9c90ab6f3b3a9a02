package history

import "testing"

func TestAnEntryRecordedTwiceIsOne(t *testing.T) {
	const first = `{"messages":[{"role":"user","content":"q"}],"response":{"id":"x1","choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}}],"usage":{"prompt_tokens":10,"completion_tokens":1}}}`
	const second = `{"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"F"}],"response":{"id":"x2","choices":[{"message":{"role":"assistant","content":"done"}}],"usage":{"prompt_tokens":20,"completion_tokens":2}}}`
	rec := readText(t, lines(first, second, second))
	if n := len(rec.Conversations); n != 1 {
		t.Fatalf("%d conversations, want 1", n)
	}
	if u := rec.Conversations[0].Usage; *u != (Usage{Input: 30, Output: 3}) {
		t.Errorf("usage is %+v, want 30 in and 3 out", *u)
	}
	if c := onlyCall(t, rec); textOf(t, c.Result.Payload) != "F" {
		t.Errorf("the result is %q", textOf(t, c.Result.Payload))
	}
}
