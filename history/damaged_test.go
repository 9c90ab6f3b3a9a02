package history

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// lineRecordings are recordings of one record a line, by the name of their format.
var lineRecordings = map[string]string{
	"claude-code": lines(
		userLine("1", "", `"go"`),
		modelLine("2", "m1", "", useOf("a", "Read")),
		userLine("3", "", `[`+resultOf("a", `one \ud83d\ude00 \"x\" ü`)+`]`),
		modelLine("4", "m1", "", useOf("b", "Bash")),
		userLine("5", "", `[{"type":"tool_result","tool_use_id":"b","is_error":true,"content":[{"type":"text","text":"two"}]}]`)),
	"anthropic-messages": lines(
		`{"role":"user","content":"go"}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}},{"type":"tool_use","id":"b","name":"ls","input":{}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"y"}]}`),
	"mcp-jsonrpc": lines(callRequest("1", "a"), callRequest("2", "b"), textReply("2", "two"), textReply("1", "one")),
}

func TestBrokenLinesCostOnlyThemselves(t *testing.T) {
	for format, text := range lineRecordings {
		t.Run(format, func(t *testing.T) {
			whole := transcript(t, readString(t, "r", text))
			all := strings.SplitAfter(text, "\n")
			broken := all[0] + `{"type":"user","role":"user","content":[` + "\n" + strings.Join(all[1:], "")
			for what, changed := range map[string]string{
				"with CRLF":              strings.ReplaceAll(text, "\n", "\r\n"),
				"with a byte order mark": "\ufeff" + text,
				"with blank lines":       strings.ReplaceAll(text, "\n", "\n\n"),
				"without the last LF":    strings.TrimSuffix(text, "\n"),
				"with a broken line":     broken,
			} {
				rec := readString(t, "r", changed)
				if got := transcript(t, rec); got != whole || rec.Format != format {
					t.Errorf("%s, read as %s:\n%sshould be:\n%s", what, rec.Format, got, whole)
				}
				if want := changed == broken; want != (len(rec.Problems) == 1) || !want && len(rec.Problems) > 0 {
					t.Errorf("%s: problems %v", what, rec.Problems)
				}
			}
		})
	}
}

func TestCutRecordingsKeepWhatIsComplete(t *testing.T) {
	for format, text := range lineRecordings {
		calls := readString(t, "r", text).Conversations[0].Calls()
		for n := range len(text) {
			complete := strings.Count(text[:n], "\n")
			want := 0
			for _, c := range calls {
				if c.At.Line <= complete {
					want++
				}
			}
			rec, err := Read(context.Background(), "r", strings.NewReader(text[:n]), Options{Format: format})
			if err != nil {
				if want > 0 {
					t.Errorf("%s cut at %d: %v", format, n, err)
				}
				continue
			}
			if got := len(rec.Conversations[0].Calls()); got < want {
				t.Errorf("%s cut at %d: %d calls of the %d in complete lines", format, n, got, want)
			}
			sound(t, rec)
		}
	}
}

func TestCutRealRecordingsOpen(t *testing.T) {
	root := realRecordings(t)
	for _, file := range []string{
		"claude_code/cc_edge_cases.jsonl", "claude_code/iflow_session.jsonl", "claude_code/cc_2.1.33_parallel_tasks.jsonl",
		"anthropic_messages/anthropic_request_real.json", "anthropic_messages/cline_success.messages.json",
		"anthropic_messages/anthropic_programmatic_tools.chunks.txt", "mcp_jsonrpc/mcp_streamable_http_deepwiki.yaml",
	} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for n := 97; n < len(text); n += 97 {
			rec, err := Read(context.Background(), file, strings.NewReader(string(text[:n])), Options{})
			if err == nil {
				sound(t, rec)
			}
		}
	}
}

func TestBlocksInBlocksCostNoStack(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const depth = 100_000
	deep := strings.Repeat(`{"type":"search_result","content":[`, depth) + strings.Repeat(`]}`, depth)
	rec := readString(t, "m", `[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":`+deep+`}]}]`)
	if got, want := transcript(t, rec), "main 0.1 f(a) = <other search_result>\n"; got != want {
		t.Errorf("calls:\n%sshould be:\n%s", got, want)
	}
}

// sound checks what holds for every recording, however it is damaged.
func sound(t *testing.T, rec *Recording) {
	t.Helper()
	for _, c := range rec.Conversations {
		for _, th := range c.Threads {
			for _, u := range th.Turns {
				for i, s := range u.Steps {
					if s.Number != i+1 {
						t.Errorf("step %d of turn %d is numbered %d", i+1, u.Number, s.Number)
					}
				}
			}
		}
		for _, k := range c.Calls() {
			if (k.Result == nil) != k.Flags.Has(NoResult) {
				t.Errorf("call %q is flagged %v", k.ID, k.Flags.Names())
			}
			if k.Result == nil {
				continue
			}
			if b, err := k.Result.Payload.Bytes(); err != nil || int64(len(b)) != k.Result.Payload.Size().Bytes {
				t.Errorf("call %q: %d bytes, size %d, %v", k.ID, len(b), k.Result.Payload.Size().Bytes, err)
			}
		}
	}
}

func fuzzFormat(f *testing.F, format string, more ...string) {
	for _, text := range append(more, lineRecordings[format]) {
		f.Add(text)
		f.Add(strings.ReplaceAll(text, `"`, ``))
	}
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := Read(context.Background(), "f", strings.NewReader(text), Options{Format: format})
		if err == nil {
			sound(t, rec)
		}
	})
}

func FuzzClaudeCode(f *testing.F) {
	fuzzFormat(f, "claude-code", modelLine("1", "m", "", useOf("a", "Read"))+"\n"+modelLine("2", "m", "", useOf("a", "Read")))
}

func FuzzAnthropicMessages(f *testing.F) {
	fuzzFormat(f, "anthropic-messages",
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}`,
		`{"type":"message_start","message":{"content":[{"type":"server_tool_use"},{"type":"x_tool_result","content":{"type":"x_error"}}]}}`)
}

func FuzzMCP(f *testing.F) {
	fuzzFormat(f, "mcp-jsonrpc", mcpTape, "interactions: [{request: &a {body: *a}}]", `[[{"jsonrpc":"2.0","id":null,"result":{"isError":true}}]]`)
}
