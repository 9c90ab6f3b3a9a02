package history

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const clineSessionFile = `{"version":1,"updated_at":"2026-01-02T03:04:05Z","agent":"lead","sessionId":"s-1","system_prompt":"be kind","messages":[
{"id":"u1","role":"user","content":[{"type":"text","text":"go"},{"type":"file","path":"a.txt","content":" with this"}]},
{"id":"a1","role":"assistant","ts":1745343730123,"modelInfo":{"id":"m-1"},"metrics":{"inputTokens":100,"outputTokens":7,"cacheReadTokens":60,"cacheWriteTokens":10},
 "content":[{"type":"text","text":"looking"},{"type":"tool_use","id":"a","name":"read_files","input":{"n":1}},{"type":"tool_use","id":"b","name":"run","input":{}},{"type":"tool_use","id":"c","name":"run","input":{}}]},
{"role":"user","ts":1745343730124,"content":[{"type":"tool_result","tool_use_id":"b","name":"run","content":"no such file","is_error":true},
 {"type":"tool_result","tool_use_id":"a","name":"read_files","content":[{"query": "x","result":"1"}]}]},
{"role":"assistant","metrics":{"inputTokens":5,"outputTokens":1},"content":[{"type":"tool_use","id":"a","name":"look","input":{}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"one"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"text","text":"two"}]}]}]}`

func TestClineSession(t *testing.T) {
	rec := readAs(t, "cline", clineSessionFile)
	want := []string{`conversation 0 model "m-1" system "be kind" usage &{35 70 8 false}`,
		`turn 1 "go with this"`, `step 1 "a1" "looking"`,
		`a read_files("{\"n\":1}") = "[{\"query\": \"x\",\"result\":\"1\"}]"`, `b run("{}") = "no such file" error failed`, `c run("{}") no-result`,
		`step 2 "" ""`, `a look("{}") = "onetwo" image image/png 4 id-reused`}
	if got := outline(t, rec); !slices.Equal(got, want) || rec.Conversations[0].ID != "s-1" {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

const clineEnvironment = `{"type":"text","text":"<environment_details>\nmany files\n</environment_details>"}`

// clineTask has results as texts: in one text with their header, behind it, failed, and of a call
// that is written as tags.
const clineTaskFile = `[{"role":"user","content":[{"type":"text","text":"<task>\ngo\n</task>"},` + clineEnvironment + `],"ts":1745343730000},
{"role":"assistant","content":[{"type":"text","text":"reading"},{"type":"tool_use","id":"x","name":"read_file","input":{"path":"a"}},{"type":"tool_use","id":"y","name":"read_file","input":{"path":"b"}}],"ts":1745343730001,"modelInfo":{"modelId":"m-2"},"metrics":{"tokens":{"prompt":100,"completion":7,"cached":60}}},
{"role":"user","content":[{"type":"text","text":"[read_file for 'a'] Result:\none \"1\"\n"},{"type":"text","text":"[read_file for 'b'] Result:"},{"type":"text","text":"The tool execution failed with the following error:\ngone"},` + clineEnvironment + `],"ts":1745343730002},
{"role":"assistant","content":[{"type":"text","text":"now <list_files>\n<path>.</path>\n</list_files>"}],"ts":1745343730003},
{"role":"user","content":[{"type":"text","text":"[list_files for '.'] Result:"},{"type":"text","text":"f1\nf2"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},` + clineEnvironment + `],"ts":1745343730004},
{"role":"assistant","content":[{"type":"text","text":"done"}],"ts":1745343730005},
{"role":"user","content":[{"type":"text","text":"[ERROR] You did not use a tool"},` + clineEnvironment + `],"ts":1745343730006},
{"role":"user","content":"more","ts":1745343730007},
{"role":"assistant","content":[{"type":"tool_use","id":"z","name":"read_file","input":{}}],"ts":1745343730008}]`

func TestClineTaskWritesResultsAsText(t *testing.T) {
	rec := readAs(t, "cline", clineTaskFile)
	want := []string{`conversation 0 model "m-2" system "" usage &{40 60 7 false}`,
		`turn 1 "<task>\ngo\n</task>"`, `step 1 "" "reading"`,
		`x read_file("{\"path\":\"a\"}") = "one \"1\"\n" paired-by-name`,
		`y read_file("{\"path\":\"b\"}") = "The tool execution failed with the following error:\ngone" error failed paired-by-name`,
		`step 2 "" "now <list_files>\n<path>.</path>\n</list_files>"`,
		`line4-2 list_files("<path>.</path>") = "f1\nf2" image image/png 4 synthetic-id,paired-by-name,invalid-arguments`,
		`step 3 "" "done"`, `turn 2 "more"`, `step 1 "" ""`, `z read_file("{}") no-result`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestClineTaskFolderHasUsageInAFileOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"api_conversation_history.json": `[{"role":"user","content":"go","ts":1},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}],"ts":2}]`,
		"ui_messages.json": `[{"ts":1,"type":"say","say":"text","text":"go"},{"ts":1,"type":"say","say":"api_req_started","text":"{\"tokensIn\":40,\"tokensOut\":7,\"cacheReads\":60,\"cacheWrites\":1,\"cost\":0.1}"},
			{"ts":2,"type":"say","say":"api_req_started","text":"{\"request\":\"cut"},{"ts":3,"type":"say","say":"api_req_started","text":"{\"tokensIn\":2,\"tokensOut\":1}"}]`,
		"task_metadata.json": `{"files_in_context":[]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Open(t.Context(), dir, Options{})
	if err != nil || len(list) != 1 || list[0].Format != "cline" {
		t.Fatal(list, err)
	}
	if u := list[0].Conversations[0].Usage; u == nil || *u != (Usage{Input: 42, Cached: 61, Output: 8}) {
		t.Errorf("usage %+v", u)
	}
}

func TestClineHeaders(t *testing.T) {
	for text, want := range map[string]string{
		`"[read_file for 'a.txt'] Result:\nx"`:           "read_file x",
		`"[attempt_completion] Result: x"`:               "attempt_completion x",
		`"[use_mcp_tool for 'docs'] Result:\n\n{\"a\"}"`: `use_mcp_tool {\"a\"}`,
		`"[read_file for 'a'] Result:"`:                  "read_file ",
		`"see [read_file for 'a'] Result:\nx"`:           "",
		`"[1] Result: x"`:                                "",
		`"["`:                                            "",
		`17`:                                             "",
	} {
		v, bad := parse(memorySource("m", []byte(text)), 0, 1, []byte(text))
		if bad != nil {
			t.Fatal(bad)
		}
		tool, from, ok := clineHeader(v)
		got := ""
		if ok {
			got = tool + " " + text[from:len(text)-1]
		}
		if got != want {
			t.Errorf("%s has the header %q, should be %q", text, got, want)
		}
	}
}

func TestRealCline(t *testing.T) {
	checkReal(t, []realRow{{file: "cline/cline_session.messages.json", format: "cline", conversations: 1, calls: 11, results: 11, largest: 8116}})
}

func TestClineSurvives(t *testing.T) {
	survives(t, "cline", clineSessionFile)
	survives(t, "cline", clineTaskFile)
}

func FuzzCline(f *testing.F) { fuzzFormat(f, "cline", clineSessionFile, clineTaskFile) }
