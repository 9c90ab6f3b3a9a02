package history

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// longTrace is a trace of n requests, each with all that was said before, a tool's result of size
// bytes between two of them.
func longTrace(n, size int) string {
	var b strings.Builder
	history := []any{map[string]any{"role": "user", "parts": []any{map[string]any{"type": "text", "content": "go"}}}}
	for i := range n {
		id := fmt.Sprintf("c%d", i)
		call := map[string]any{"role": "assistant", "parts": []any{map[string]any{"type": "tool_call", "id": id, "name": "f", "arguments": map[string]any{}}}}
		in, _ := json.Marshal(history)
		out, _ := json.Marshal([]any{call})
		line, _ := json.Marshal(map[string]any{"trace_id": "t", "span_id": fmt.Sprint(i), "name": "chat", "start_time": 1700000000 + i,
			"attributes": map[string]any{"gen_ai.operation.name": "chat", "gen_ai.input.messages": string(in), "gen_ai.output.messages": string(out)}})
		b.Write(line)
		b.WriteByte('\n')
		result := strings.Repeat("a \"quoted\" word\n", size/16) + id
		history = append(history, call, map[string]any{"role": "tool", "parts": []any{map[string]any{"type": "tool_call_response", "id": id, "response": result}}})
	}
	return b.String()
}

func TestALongTraceCountsEachResultOnce(t *testing.T) {
	rec := readAs(t, "otel-genai", longTrace(40, 1600))
	calls := rec.Conversations[0].Calls()
	results := 0
	for _, c := range calls {
		if c.Result != nil {
			results++
		}
	}
	if len(calls) != 40 || results != 39 {
		t.Errorf("%d calls with %d results, should be 40 with 39: no request tells of the last", len(calls), results)
	}
}

func BenchmarkOtelGenAI(b *testing.B) {
	text := longTrace(60, 8000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Read(context.Background(), "r", strings.NewReader(text), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
