package history

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStringsAreUnescapedOnce(t *testing.T) {
	for _, c := range []struct {
		json, want string
		size       Size
		replaced   bool
	}{
		{`"plain"`, "plain", Size{5, 5, 5}, false},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", Size{8, 8, 8}, false},
		{`"\u00e9\u0000"`, "é\x00", Size{3, 2, 2}, false},
		{`"\ud83d\ude00"`, "😀", Size{4, 1, 2}, false},
		{`"a\ud83db"`, "a\ufffdb", Size{5, 3, 3}, true},
		{`"\ude00\ud83d"`, "\ufffd\ufffd", Size{6, 2, 2}, true},
		{`"\ud83d\ud83d\ude00"`, "\ufffd😀", Size{7, 2, 3}, true},
		{`"\ud83d\n"`, "\ufffd\n", Size{4, 2, 2}, true},
		{`"{\"a\":\"\\n\"}"`, `{"a":"\n"}`, Size{10, 10, 10}, false},
		{`{"raw": "\n" }`, `{"raw": "\n" }`, Size{14, 14, 14}, false},
		{`1.10`, "1.10", Size{4, 4, 4}, false},
		{`null`, "", Size{}, false},
		{"\"\xff\"", "\xff", Size{1, 1, 1}, false},
	} {
		v, bad := parse(memorySource("m", []byte(c.json)), 0, 1, []byte(c.json))
		if bad != nil {
			t.Fatal(bad)
		}
		p := v.payload()
		got, err := p.Bytes()
		if err != nil || string(got) != c.want || p.Size() != c.size || p.replaced() != c.replaced {
			t.Errorf("%s: %q %+v replaced %v, error %v; want %q %+v", c.json, got, p.Size(), p.replaced(), err, c.want, c.size)
		}
		var streamed bytes.Buffer
		if _, err := p.WriteTo(&streamed); err != nil || streamed.String() != c.want {
			t.Errorf("%s: streamed it is %q, error %v; want %q", c.json, streamed.String(), err, c.want)
		}
	}
}

// escapesEverywhere is a text whose escapes fall on every place of a chunk's end.
func escapesEverywhere(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("x", i%13))
		b.WriteString("😀\"é\\\n")
	}
	return b.String()
}

func TestPayloadsAreReadFromTheFile(t *testing.T) {
	want := escapesEverywhere(3 * textChunk)
	quoted, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	ascii := strings.ReplaceAll(string(quoted), "😀", `\ud83d\ude00`)
	path := filepath.Join(t.TempDir(), "r.jsonl")
	write(t, path, `[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":{}}}]},`+
		`{"role":"tool","tool_call_id":"a","content":`+ascii+`}]`)
	call := onlyCall(t, open(t, path, Options{}))
	got, err := call.Result.Payload.Bytes()
	if err != nil || string(got) != want {
		t.Fatalf("%d bytes, %v; want the %d that were recorded", len(got), err, len(want))
	}
	if size := call.Result.Payload.Size(); size != Measure(want) {
		t.Errorf("size %+v, want %+v", size, Measure(want))
	}
	w := &largestWrite{}
	if _, err := call.Result.Payload.WriteTo(w); err != nil || w.n > textChunk {
		t.Errorf("%d bytes at once, %v; at most %d", w.n, err, textChunk)
	}
	if hash, err := call.Result.Payload.SHA256(); err != nil || hash != mustHash(t, Of(want)) {
		t.Errorf("hash %s, %v", hash, err)
	}
}

type largestWrite struct{ n int }

func (l *largestWrite) Write(p []byte) (int, error) { l.n = max(l.n, len(p)); return len(p), nil }

func mustHash(t *testing.T, p Payload) string {
	t.Helper()
	h, err := p.SHA256()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestAChangedFileIsAnError(t *testing.T) {
	text := chatOf("one")
	path := filepath.Join(t.TempDir(), "r.json")
	write(t, path, text)
	p := onlyCall(t, open(t, path, Options{})).Result.Payload
	read := func() error { _, err := p.Bytes(); return err }
	if err := read(); err != nil {
		t.Fatal(err)
	}
	write(t, path, text+"\n"+text)
	if err := read(); err != nil {
		t.Errorf("a file that grew still has what it had: %v", err)
	}
	write(t, path, text[:20])
	if err := read(); !errors.Is(err, errChanged) {
		t.Errorf("a shorter file: %v", err)
	}
	write(t, path, strings.Replace(text, "one", "two", 1)+"\n"+text)
	if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := read(); !errors.Is(err, errChanged) {
		t.Errorf("another text: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := read(); err == nil {
		t.Error("a file that is gone has no payloads")
	}
}

func TestSideFilesAreMeasuredInPieces(t *testing.T) {
	want := "x" + strings.Repeat("€", textChunk)
	path := filepath.Join(t.TempDir(), "side.txt")
	write(t, path, want)
	p, err := filePayload(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Bytes()
	if err != nil || string(got) != want || p.Size() != Measure(want) {
		t.Errorf("%d bytes %+v, %v", len(got), p.Size(), err)
	}
	if _, err := filePayload(path + ".none"); err == nil {
		t.Error("no file, no payload")
	}
}

// chatOf is a conversation with one call and this result.
func chatOf(result string) string {
	q, _ := json.Marshal(result)
	return `[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":` + string(q) + `}]`
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// open opens the single recording at path.
func open(t *testing.T, path string, o Options) *Recording {
	t.Helper()
	list, err := Open(context.Background(), path, o)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d recordings, %v", len(list), err)
	}
	return list[0]
}

// readText reads a recording from memory.
func readText(t *testing.T, text string) *Recording {
	t.Helper()
	rec, err := Read(context.Background(), "-", strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func onlyCall(t *testing.T, rec *Recording) *Call {
	t.Helper()
	if len(rec.Conversations) == 0 {
		t.Fatal("no conversation")
	}
	calls := rec.Conversations[0].Calls()
	if len(calls) != 1 || calls[0].Result == nil {
		t.Fatalf("%d calls", len(calls))
	}
	return calls[0]
}

// results lists the texts of all results of a recording.
func results(t *testing.T, rec *Recording) []string {
	t.Helper()
	var list []string
	for _, c := range rec.Conversations {
		for _, call := range c.Calls() {
			if call.Result != nil {
				p, err := call.Result.Payload.Bytes()
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, string(p))
			}
		}
	}
	return list
}

func TestALargeTextIsHeldOnce(t *testing.T) {
	text := `"` + strings.Repeat("x", 1<<20) + `\n"`
	v, bad := parse(memorySource("m", []byte(text)), 0, 1, []byte(text))
	if bad != nil {
		t.Fatal(bad)
	}
	p := v.payload()
	if b, _ := p.Bytes(); cap(b) != 1<<20+1 {
		t.Errorf("%d bytes held for %d", cap(b), 1<<20+1)
	}
}
