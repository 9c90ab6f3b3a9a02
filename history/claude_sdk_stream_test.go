package history

import (
	"slices"
	"strings"
	"testing"
)

func streamLine(kind, parent, message string) string {
	if parent != "null" {
		parent = `"` + parent + `"`
	}
	return `{"type":"` + kind + `","session_id":"s-1","parent_tool_use_id":` + parent + `,"message":` + message + `}`
}

func streamModel(id, output, block string) string {
	return `{"id":"` + id + `","role":"assistant","model":"m-1","usage":{"input_tokens":3,"cache_read_input_tokens":10,"output_tokens":` + output + `},"content":[` + block + `]}`
}

var claudeStreamRun = lines(
	`{"type":"system","subtype":"init","session_id":"s-1","model":"m-1","tools":["Bash"]}`,
	streamLine("user", "null", `{"role":"user","content":"go"}`),
	streamLine("assistant", "null", streamModel("m1", "1", `{"type":"thinking","thinking":"hm"}`)),
	streamLine("assistant", "null", streamModel("m1", "8", `{"type":"tool_use","id":"a","name":"Task","input":{"subagent_type":"explorer"}}`)),
	streamLine("assistant", "null", streamModel("m1", "8", `{"type":"tool_use","id":"b","name":"Bash","input":{}}`)),
	streamLine("user", "a", `{"role":"user","content":[{"type":"text","text":"look around"}]}`),
	streamLine("assistant", "a", streamModel("m2", "2", `{"type":"tool_use","id":"c","name":"Bash","input":{}}`)),
	streamLine("user", "null", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","is_error":true,"content":"bad"}]}`),
	streamLine("user", "a", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"text","text":"y"}]}]}`),
	streamLine("user", "null", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"found"}]}`),
	`{"type":"system","subtype":"compact_boundary","session_id":"s-1"}`,
	`{"type":"stream_event","session_id":"s-1","event":{"type":"message_start"}}`,
	streamLine("user", "null", `{"role":"user","content":"more"}`),
	streamLine("assistant", "null", streamModel("m3", "4", `{"type":"tool_use","id":"b","name":"Bash","input":{}}`)),
	`{"type":"result","subtype":"success","session_id":"s-1","num_turns":2,"usage":{"input_tokens":9,"cache_read_input_tokens":30,"output_tokens":90}}`)

func TestClaudeStream(t *testing.T) {
	rec := readAs(t, "claude-sdk-stream", claudeStreamRun)
	want := []string{`conversation 0 model "m-1" system "[\"Bash\"]" usage &{9 30 90 false}`,
		`turn 1 "go"`, `step 1 "m1" "hm"`, `a Task("{\"subagent_type\":\"explorer\"}") = "found"`, `b Bash("{}") = "bad" error failed`,
		`turn 2 "more"`, `step 1 "m3" ""`, `b Bash("{}") no-result,id-reused`,
		`conversation 0 model "m-1" system "" usage &{9 30 90 false}`,
		`turn 1 "look around"`, `step 1 "m2" ""`, `c Bash("{}") = "xy" image image/png 4`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	c := rec.Conversations[0]
	main, sub := c.Threads[0], c.Threads[1]
	if c.ID != "s-1" || sub.Name != "a" || sub.Agent != "explorer" || !main.Turns[1].Compacted {
		t.Errorf("conversation %q, subagent %q of type %q, compacted %v", c.ID, sub.Name, sub.Agent, main.Turns[1].Compacted)
	}
	if u := main.Turns[0].Steps[0].Usage; u == nil || *u != (Usage{Input: 3, Cached: 10, Output: 8, LowerBound: true}) {
		t.Errorf("usage of the first response %+v", u)
	}
}

func TestClaudeStreamWithoutAnEndHasPartialUsage(t *testing.T) {
	all := strings.SplitAfter(claudeStreamRun, "\n")
	rec := readAs(t, "claude-sdk-stream", strings.Join(all[:len(all)-2], ""))
	if u := rec.Conversations[0].Usage; u == nil || *u != (Usage{Input: 9, Cached: 30, Output: 14, LowerBound: true}) {
		t.Errorf("usage %+v", u)
	}
}

func TestClaudeStreamOfAnSDK(t *testing.T) {
	rec := readAs(t, "claude-sdk-stream", `{"messages":[{"direction":"send","message":{"type":"control_request","request":{}}},
		{"direction":"send","message":{"type":"user","session_id":"default","message":{"role":"user","content":"go"},"uuid":"1"}},
		{"direction":"recv","message":{"type":"system","subtype":"init","session_id":"s-2"}},
		{"direction":"recv","message":{"type":"user","session_id":"s-2","message":{"role":"user","content":"go"},"uuid":"1"}},
		{"direction":"recv","message":`+streamLine("assistant", "null", streamModel("m1", "1", `{"type":"tool_use","id":"a","name":"f","input":{}}`))+`}]}`)
	if got := transcript(t, rec); got != "main 1.1 f(a) [no-result]\n" || rec.Conversations[0].ID != "s-2" {
		t.Errorf("%s: %s", rec.Conversations[0].ID, got)
	}
}

func TestRealClaudeStream(t *testing.T) {
	checkReal(t, []realRow{{file: "claude_sdk_stream/claude_agent_sdk_tool_use.json", format: "claude-sdk-stream", conversations: 1, calls: 1, results: 1, largest: 199}})
}

func TestClaudeStreamSurvives(t *testing.T) { survives(t, "claude-sdk-stream", claudeStreamRun) }

func FuzzClaudeStream(f *testing.F) { fuzzFormat(f, "claude-sdk-stream", claudeStreamRun) }
