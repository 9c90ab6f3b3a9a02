package history

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// BenchmarkHeapPerCall reports how much an open recording holds in memory for each call: B/call.
func BenchmarkHeapPerCall(b *testing.B) {
	const calls = 50_000
	result := strings.Repeat(`line of a file\n`, 40)
	var s strings.Builder
	s.WriteString(`{"messages":[{"role":"user","content":"go"}`)
	for n := range calls {
		fmt.Fprintf(&s, `,{"role":"assistant","content":null,"tool_calls":[{"id":"call_%024d","type":"function","function":{"name":"read","arguments":"{\"n\":%d}"}}]}`, n, n)
		fmt.Fprintf(&s, `,{"role":"tool","tool_call_id":"call_%024d","content":"%s"}`, n, result)
	}
	s.WriteString(`]}`)
	chat := s.String()
	s.Reset()
	s.WriteString(userLine("u", "", `"go"`) + "\n")
	for n := range calls {
		fmt.Fprintf(&s, "%s\n%s\n", modelLine(fmt.Sprint("a", n), fmt.Sprint("m", n), `"requestId":"q",`, useOf(fmt.Sprintf("toolu_%020d", n), "Read")),
			userLine(fmt.Sprint("r", n), "", `[`+resultOf(fmt.Sprintf("toolu_%020d", n), result)+`]`))
	}
	for name, text := range map[string]string{"openai-chat": chat, "claude-code": s.String()} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "r.json")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			var before, after runtime.MemStats
			var held uint64
			for b.Loop() {
				runtime.GC()
				runtime.ReadMemStats(&before)
				list, err := Open(context.Background(), path, Options{Format: name})
				if err != nil || len(list[0].Conversations[0].Calls()) != calls {
					b.Fatal(err)
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				held = after.HeapAlloc - before.HeapAlloc
				runtime.KeepAlive(list)
			}
			b.ReportMetric(float64(held)/calls, "B/call")
		})
	}
}
