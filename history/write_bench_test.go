package history

import (
	"context"
	"io"
	"strings"
	"testing"
)

// A result of 16 MB of JSON with escapes, as a recording has it.
func BenchmarkWriteLargeResult(b *testing.B) {
	const row = `{\"id\":12345,\"note\":\"line one\\nline \\\"two\\\" é\"},\n`
	text := `{"messages":[{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"a","content":"` + strings.Repeat(row, (16<<20)/len(row)) + `"}]}`
	rec, err := Read(context.Background(), "r", strings.NewReader(text), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(io.Discard, WriteFormatOf("openai-chat"), rec.Conversations, WriteOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
