package history

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// bigRecording writes 64 MiB of conversations, one a line, whose results are JSON in a string.
func bigRecording(b *testing.B) (path string, size int64) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "big.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	var rows []string
	for i := range 500 {
		rows = append(rows, fmt.Sprintf(`{"id": %d, "name": "Größe %d", "note": "a text of some length that people wrote"}`, i, i))
	}
	line := chatOf("["+strings.Join(rows, ", ")+"]") + "\n"
	for i := 0; size < 64<<20; i++ {
		n, err := w.WriteString(strings.Replace(line, "hi", fmt.Sprintf("question %d", i), 1))
		if err != nil {
			b.Fatal(err)
		}
		size += int64(n)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path, size
}

func BenchmarkOpenJSONLines(b *testing.B) {
	path, size := bigRecording(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(context.Background(), path, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLineScan is what opening is measured by: reading the same file and finding its lines.
func BenchmarkLineScan(b *testing.B) {
	path, size := bigRecording(b)
	b.SetBytes(size)
	buf := make([]byte, 1<<20)
	for b.Loop() {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		lines := 0
		for {
			n, err := f.Read(buf)
			for p := buf[:n]; ; lines++ {
				i := bytes.IndexByte(p, '\n')
				if i < 0 {
					break
				}
				p = p[i+1:]
			}
			if err != nil {
				break
			}
		}
		if err := f.Close(); err != nil || lines == 0 {
			b.Fatal(lines, err)
		}
	}
}

// BenchmarkOpenLoading opens the same file as the explorer does, and keeps all that it is shown.
func BenchmarkOpenLoading(b *testing.B) {
	path, size := bigRecording(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		shown := 0
		_, err := Open(context.Background(), path, Options{Loading: true, Found: func(*Recording) { shown++ }})
		if err != nil || shown == 0 {
			b.Fatal(shown, err)
		}
	}
}

// BenchmarkOpenSession opens a session of many calls, and reports the bytes in memory for each.
func BenchmarkOpenSession(b *testing.B) {
	const turns = 20_000
	path := filepath.Join(b.TempDir(), "session.jsonl")
	text := sessionLines(turns)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	var held float64
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		list, err := Open(context.Background(), path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		held = (float64(after.HeapAlloc) - float64(before.HeapAlloc)) / turns
		runtime.KeepAlive(list)
	}
	b.ReportMetric(held, "B/call")
}

func BenchmarkPayloads(b *testing.B) {
	path, _ := bigRecording(b)
	list, err := Open(context.Background(), path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	var calls []*Call
	var size int64
	for _, c := range list[0].Conversations {
		calls = append(calls, c.Calls()...)
	}
	for _, c := range calls {
		size += c.Result.Payload.Size().Bytes
	}
	b.SetBytes(size)
	for b.Loop() {
		for _, c := range calls {
			if _, err := c.Result.Payload.WriteTo(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkScan(b *testing.B) {
	quoted, err := json.Marshal(strings.Repeat(`{"id": 1, "name": "n"}, `, 100_000))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, text string }{
		{"plain string", `"` + strings.Repeat("a text of some length ", 100_000) + `"`},
		{"escaped string", string(quoted)},
		{"small values", "[" + strings.Repeat(`{"id": 1, "name": "n", "ok": true}, `, 50_000) + "0]"},
	} {
		b.Run(c.name, func(b *testing.B) {
			d, text := &doc{}, []byte(c.text)
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				d.reset(nil, 0, 1)
				d.text = text
				if done, err := d.scan(); !done || err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
