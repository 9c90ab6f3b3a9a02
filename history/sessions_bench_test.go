package history

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkOpenSessions opens long sessions of short records. Those of pi and Gemini CLI are read
// twice.
func BenchmarkOpenSessions(b *testing.B) {
	const calls = 20_000
	text := strings.Repeat(`line of a file\n`, 40)
	for format, turn := range map[string]func(n int) string{
		"codex": func(n int) string {
			return lines(rollout("response_item", fmt.Sprintf(`{"type":"function_call","call_id":"c%d","name":"shell","arguments":"{}"}`, n)),
				rollout("event_msg", `{"type":"exec_command_end","call_id":"x"}`),
				rollout("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":"%s"}`, n, text)))
		},
		"pi": func(n int) string {
			parent := fmt.Sprintf("r%d", n-1)
			if n == 0 {
				parent = ""
			}
			return lines(piLine(fmt.Sprintf("a%d", n), parent, fmt.Sprintf(`{"role":"assistant","content":[{"type":"toolCall","id":"c%d","name":"bash","arguments":{}}]}`, n)),
				piLine(fmt.Sprintf("r%d", n), fmt.Sprintf("a%d", n), fmt.Sprintf(`{"role":"toolResult","toolCallId":"c%d","content":"%s"}`, n, text)))
		},
		"gemini-cli": func(n int) string {
			return lines(geminiLine(fmt.Sprintf("m%d", n), "gemini", fmt.Sprintf(`"content":"","toolCalls":[{"id":"c%d","name":"read","args":{},"result":null}]`, n)),
				geminiLine(fmt.Sprintf("m%d", n), "gemini", fmt.Sprintf(`"content":"","toolCalls":[{"id":"c%d","name":"read","args":{},"result":[{"functionResponse":{"id":"c%d","name":"read","response":{"output":"%s"}}}]}]`, n, n, text)))
		},
	} {
		b.Run(format, func(b *testing.B) {
			var s strings.Builder
			for n := range calls {
				s.WriteString(turn(n))
			}
			b.SetBytes(int64(s.Len()))
			b.ReportAllocs()
			for b.Loop() {
				rec, err := Read(context.Background(), "-", strings.NewReader(s.String()), Options{Format: format})
				if err != nil || len(rec.Conversations[0].Calls()) != calls {
					b.Fatal(err)
				}
			}
		})
	}
}
