package history

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// everything renders all that a recording holds but the bytes of its payloads.
func everything(rec *Recording) string {
	var b strings.Builder
	usage := func(u *Usage) string {
		if u == nil {
			return "-"
		}
		return fmt.Sprintf("%+v", *u)
	}
	for _, c := range rec.Conversations {
		fmt.Fprintf(&b, "%s %s %s %d %q %q %s\n", c.ID, c.File, c.Format, c.Ordinal, c.Title, c.Model, usage(c.Usage))
		for _, t := range c.Threads {
			fmt.Fprintf(&b, " %s %s %v\n", t.Name, t.Agent, t.System.Size())
			for _, u := range t.Turns {
				fmt.Fprintf(&b, "  %d %v %v %v\n", u.Number, u.Prompt.Size(), u.At, u.Compacted)
				for _, s := range u.Steps {
					fmt.Fprintf(&b, "   %d %s %v %v %s\n", s.Number, s.ID, s.Text.Size(), s.Time, usage(s.Usage))
					for _, k := range s.Calls {
						fmt.Fprintf(&b, "    %s %s %v %d %v %v", k.ID, k.Tool, k.Arguments.Size(), k.Order, k.At, k.Flags.Names())
						if r := k.Result; r != nil {
							fmt.Fprintf(&b, " = %v %v %v %v %v %d %v %v", r.Payload.Size(), r.Error, r.Failed, r.At, r.Time, r.Arrival, r.Recorded, r.Flags.Names())
						}
						b.WriteByte('\n')
					}
				}
			}
		}
	}
	return b.String() + fmt.Sprint(rec.Problems)
}

// watch opens path, shown what there is behind each record, and returns all that was shown.
func watch(t *testing.T, path string) (shown []*Recording) {
	t.Helper()
	o := Options{Loading: true}
	o.pace = func(int64) bool { return true }
	o.Found = func(r *Recording) { shown = append(shown, r) }
	if list, err := Open(context.Background(), path, o); err != nil || len(list) > 0 || len(shown) == 0 {
		t.Fatalf("%d were shown and %d returned (%v)", len(shown), len(list), err)
	}
	return shown
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	sessionAsk    = `{"type":"user","uuid":"u%d","parentUuid":null,"isSidechain":false,"sessionId":"s","timestamp":"2026-01-01T00:00:0%dZ","message":{"role":"user","content":"question %d"}}`
	sessionCall   = `{"type":"assistant","uuid":"a%d","parentUuid":null,"isSidechain":false,"sessionId":"s","timestamp":"2026-01-01T00:00:1%dZ","requestId":"r%d","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{}}]}}`
	sessionResult = `{"type":"user","uuid":"v%d","parentUuid":null,"isSidechain":false,"sessionId":"s","timestamp":"2026-01-01T00:00:2%dZ","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"answer %d"}]}}`
)

func sessionLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, strings.ReplaceAll(sessionAsk+"\n"+sessionCall+"\n"+sessionResult, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

func TestASessionGrowsWhileItIsRead(t *testing.T) {
	shown := watch(t, writeFile(t, "s.jsonl", sessionLines(3)))
	var calls, results []int
	for _, r := range shown {
		n, answered := 0, 0
		for _, k := range r.Conversations[0].Calls() {
			if n++; k.Result != nil {
				answered++
			}
			if k.Flags.Has(NoResult) {
				t.Error("a call that may still get its result counts as one without")
			}
		}
		calls, results = append(calls, n), append(results, answered)
		if got := r.Conversations[0].ID; got != "s" {
			t.Errorf("the conversation is %q while it is read", got)
		}
	}
	// After each of nine lines, and at the end.
	if got, want := fmt.Sprint(calls, results), "[0 1 1 1 2 2 2 3 3 3] [0 0 1 1 1 2 2 2 3 3]"; got != want {
		t.Errorf("calls and results were\n%s, not\n%s", got, want)
	}
	for i, r := range shown {
		if last := i == len(shown)-1; r.Loading == last {
			t.Errorf("recording %d of %d has Loading %v", i+1, len(shown), r.Loading)
		}
	}
	// What did not change is the same pointer: the first turn from its result on, its result to the end.
	for _, r := range shown[3:] {
		if got, want := r.Conversations[0].Threads[0].Turns[0], shown[2].Conversations[0].Threads[0].Turns[0]; got != want {
			t.Error("a turn that did not change is another pointer")
		}
	}
	if shown[1].Conversations[0].Calls()[0] == shown[2].Conversations[0].Calls()[0] {
		t.Error("a call that got its result is the same pointer as before")
	}
}

func TestAConversationThatIsCompleteIsHandedOverOnce(t *testing.T) {
	one := func(n int, more string) string {
		return strings.ReplaceAll(`{"id":"c%","messages":[{"role":"user","content":"q%"},`+
			`{"role":"assistant","tool_calls":[{"id":"k","type":"function","function":{"name":"f","arguments":"{}"}}]},`+
			`{"role":"tool","tool_call_id":"k","content":"r%"},{"role":"assistant","content":"done"}`, "%", fmt.Sprint(n)) + more + "]}"
	}
	again := `,{"role":"user","content":"more"},{"role":"assistant","tool_calls":[{"id":"k","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"k","content":"r"}`
	text := lines(one(1, ""), one(2, ""), one(1, again), one(3, ""))
	path := writeFile(t, "c.jsonl", text)
	shown := watch(t, path)
	var counts []int
	for _, r := range shown {
		counts = append(counts, len(r.Conversations))
	}
	if got := fmt.Sprint(counts); got != "[1 2 2 3 3]" {
		t.Fatalf("there were %s conversations", got)
	}
	first, last := shown[0].Conversations[0], shown[4].Conversations[0]
	if first != shown[1].Conversations[0] || shown[2].Conversations[0] != last || shown[1].Conversations[1] != shown[4].Conversations[1] {
		t.Error("conversations that did not change are not the same pointers")
	}
	if got := len(first.Calls()); got != 1 {
		t.Errorf("what was handed over has %d calls now", got)
	}
	calls := last.Calls()
	if len(calls) != 2 || !calls[1].Flags.Has(IDReused) || calls[1].Result == nil {
		t.Errorf("the conversation that went on has %d calls", len(calls))
	}
	if got, want := everything(shown[4]), everything(readString(t, path, text)); got != want {
		t.Errorf("the recording is\n%s, not\n%s", got, want)
	}
}

func TestWatchingChangesNothing(t *testing.T) {
	root := realRecordings(t)
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > 300_000 {
			return err
		}
		plain, err := Open(context.Background(), path, Options{})
		if err != nil {
			return nil // no recording
		}
		n++
		shown := watch(t, path)
		if got, want := everything(shown[len(shown)-1]), everything(plain[0]); got != want {
			t.Errorf("%s: watched it is\n%s, not\n%s", path, got, want)
		}
		return nil
	})
	if err != nil || n < 10 {
		t.Fatalf("%d recordings were read (%v)", n, err)
	}
}

func TestAFolderIsShownFileByFile(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.jsonl", i)), []byte(sessionLines(1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	_, err := Open(context.Background(), dir, Options{Loading: true, Found: func(r *Recording) { names = append(names, filepath.Base(r.Name)) }})
	if err != nil || len(names) != 300 || names[0] != "000.jsonl" || names[299] != "299.jsonl" {
		t.Errorf("%d were shown: %s (%v)", len(names), names, err)
	}
}

func TestCancelLeavesNothingBehind(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	path := writeFile(t, "s.jsonl", sessionLines(9000)) // several buffers
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var last *Recording
	_, err := Open(ctx, path, Options{
		Loading: true,

		pace:  func(read int64) bool { return read > 500_000 },
		Found: func(r *Recording) { last = r; cancel() },
	})
	if err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
	if last == nil || last.Loading || len(last.Conversations) != 1 {
		t.Errorf("what was read so far was not shown in the end: %+v", last)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%d temporary files are left (%v)", len(left), err)
	}
}
