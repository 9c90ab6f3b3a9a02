package history

import (
	"slices"
	"strings"
	"testing"
)

// codexExecRun has two calls that run at the same time, and one after them.
var codexExecRun = lines(
	`{"type":"thread.started","thread_id":"t-1"}`,
	`{"type":"turn.started"}`,
	`{"type":"item.completed","item":{"id":"0","type":"reasoning","text":"hm"}}`,
	`{"type":"item.started","item":{"id":"1","type":"command_execution","command":"ls","aggregated_output":"","status":"in_progress"}}`,
	`{"type":"item.started","item":{"id":"2","type":"mcp_tool_call","server":"docs","tool":"ask","arguments":{"q":1},"status":"in_progress"}}`,
	`{"type":"item.completed","item":{"id":"2","type":"mcp_tool_call","server":"docs","tool":"ask","arguments":{"q":1},"result":{"content":[{"type":"text","text":"one"},{"type":"image","data":"AAAA","mimeType":"image/png"}],"structured_content":{"n":1}},"status":"completed"}}`,
	`{"type":"item.completed","item":{"id":"1","type":"command_execution","command":"ls","aggregated_output":"a\n","exit_code":2,"status":"failed"}}`,
	`{"type":"item.started","item":{"id":"3","type":"mcp_tool_call","server":"docs","tool":"ask","arguments":{},"status":"in_progress"}}`,
	`{"type":"item.completed","item":{"id":"3","type":"mcp_tool_call","server":"docs","tool":"ask","arguments":{},"error":{"message":"gone"},"status":"failed"}}`,
	`{"type":"item.completed","item":{"id":"4","type":"web_search","query":"q"}}`,
	`{"type":"item.completed","item":{"id":"5","type":"agent_message","text":"done"}}`,
	`{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":7}}`,
	`{"type":"turn.started"}`,
	`{"type":"item.started","item":{"id":"1","type":"command_execution","command":"pwd","aggregated_output":"","status":"in_progress"}}`)

func TestCodexExec(t *testing.T) {
	rec := readAs(t, "codex-exec-json", codexExecRun)
	want := []string{`conversation 0 model "" system "" usage &{40 60 7 false}`,
		`turn 1 ""`, `step 1 "" "hm"`,
		`1 command_execution("ls") = "a\n" error failed`, `2 docs__ask("{\"q\":1}") = "one" image image/png 4`,
		`step 2 "" ""`, `3 docs__ask("{}") = "gone" error failed`,
		`step 3 "" ""`, `4 web_search("q") no-result,provider-executed`, `step 4 "" "done"`,
		`turn 2 ""`, `step 1 "" ""`, `1 command_execution("pwd") no-result,id-reused`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	r := rec.Conversations[0].Calls()[1].Result
	if r.Structured == nil || textOf(t, *r.Structured) != `{"n":1}` || rec.Conversations[0].ID != "t-1" {
		t.Errorf("structured %v of %s", r.Structured, rec.Conversations[0].ID)
	}
}

func TestRealCodexExec(t *testing.T) {
	checkReal(t, []realRow{{file: "codex_exec_json/codex_exec_json.json", format: "codex-exec-json", conversations: 1, calls: 1, results: 1, largest: 217,
		why: "the index does not know the output of a command_execution"}})
}

func TestCodexExecSurvives(t *testing.T) { survives(t, "codex-exec-json", codexExecRun) }

func FuzzCodexExec(f *testing.F) { fuzzFormat(f, "codex-exec-json", codexExecRun) }
