package history

import (
	"os"
	"path/filepath"
	"testing"
)

const (
	openCodeExported = `{"info":{"id":"s1","title":"a title","projectID":"p","directory":"/d"},"messages":[
{"info":{"id":"m1","sessionID":"s1","role":"user","time":{"created":1}},"parts":[{"id":"p1","type":"text","text":"fix it"},{"id":"p2","type":"file","mime":"image/png","url":"data:image/png;base64,AA"}]},
{"info":{"id":"m2","sessionID":"s1","role":"assistant","modelID":"m-1","time":{"created":1700000000000},"tokens":{"input":10,"output":4,"reasoning":1,"cache":{"read":5,"write":0}}},"parts":[
{"id":"p3","type":"step-start"},{"id":"p4","type":"text","text":"look"},
{"id":"p5","type":"tool","callID":"c1","tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"a\n","metadata":{"truncated":true,"outputPath":"/x"},"time":{"start":1,"end":1700000001000},"attachments":[{"mime":"image/png","url":"data:x"}]}},
{"id":"p6","type":"tool","callID":"c2","tool":"read","state":{"status":"error","input":{},"error":"gone"}},
{"id":"p7","type":"tool","callID":"c1","tool":"bash","state":{"status":"running","input":{}}},
{"id":"p8","type":"step-finish","tokens":{"input":10,"output":4,"reasoning":1,"cache":{"read":5,"write":0}}}]},
{"info":{"id":"m3","sessionID":"s1","role":"user","time":{}},"parts":[{"id":"p9","type":"compaction","auto":true}]},
{"info":{"id":"m4","sessionID":"s1","role":"assistant","time":{},"tokens":{"input":1,"output":2,"reasoning":0,"cache":{"read":0,"write":0}}},"parts":[{"id":"pa","type":"text","text":"so far"}]},
{"info":{"id":"m5","sessionID":"s1","role":"user","time":{}},"parts":[{"id":"pb","type":"text","text":"more"}]}]}`
	openCodeRows = `[{"id":"p4","message_id":"m2","session_id":"s1","data":"{\"type\":\"step-finish\",\"tokens\":{\"input\":0,\"output\":0}}"},
{"id":"p2","message_id":"m2","session_id":"s1","data":"{\"type\":\"tool\",\"callID\":\"c1\",\"tool\":\"task\",\"state\":{\"status\":\"completed\",\"input\":{\"subagent_type\":\"general\"},\"output\":\"says \\\"\\u00fc\\\"\",\"metadata\":{\"sessionId\":\"s2\"}}}"},
{"id":"p1","message_id":"m1","session_id":"s1","data":"{\"type\":\"text\",\"text\":\"go\"}"},
{"id":"p6","message_id":"m4","session_id":"s2","data":"{\"type\":\"tool\",\"callID\":\"c1\",\"tool\":\"read\",\"state\":{\"status\":\"completed\",\"input\":{},\"output\":\"x\"}}"},
{"id":"p5","message_id":"m3","session_id":"s2","data":"{\"type\":\"text\",\"text\":\"sub\"}"},
{"id":"p7","message_id":"m4","session_id":"s2","data":"{"}]`
	openCodeStream = `{"type":"session.idle","properties":{}}
{"type":"message.updated","properties":{"info":{"id":"m1","sessionID":"s1","role":"assistant"}}}
{"type":"message.part.updated","properties":{"part":{"id":"p1","messageID":"m1","sessionID":"s1","type":"tool","callID":"c1","tool":"ls","state":{"status":"running","input":{}}}}}
{"type":"message.part.updated","properties":{"part":{"id":"p1","messageID":"m1","sessionID":"s1","type":"tool","callID":"c1","tool":"ls","state":{"status":"completed","input":{"a":1},"output":"x"}}}}
`
)

func TestOpenCode(t *testing.T) {
	checkOutlines(t, "opencode", []outlineCase{
		{"an export; tokens of a message and its step count once", openCodeExported, []string{
			`conversation 0 model "m-1" system "" usage &{11 5 7 false}`, `turn 1 "fix it" image image/png 24`,
			`step 1 "m2" "look"`, `c1 bash("{\"command\":\"ls\"}") = "a\n" image image/png 6`, `c2 read("{}") = "gone" error failed`, `c1 bash("{}") no-result,id-reused`,
			`step 2 "m4" "so far"`, `turn 2 "more"`}},
		{"rows in any order, with a subagent's session", openCodeRows, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "m2" ""`, `c1 task("{\"subagent_type\":\"general\"}") = "says \"ü\""`,
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "sub"`, `step 1 "m4" ""`, `c1 read("{}") = "x" id-reused`,
			`line 6: the part's data is not JSON`}},
		{"events repeat a part until it is done", openCodeStream, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 0 ""`, `step 1 "m1" ""`, `c1 ls("{\"a\":1}") = "x"`}}})
	c := readString(t, "r", openCodeExported).Conversations[0]
	first := c.Calls()[0].Result
	if c.ID != "s1" || c.Title != "a title" || !c.Threads[0].Turns[1].Compacted || first.Flags != TruncatedByRecorder|OffloadedByRecorder || first.Time.UnixMilli() != 1700000001000 {
		t.Errorf("%s, %s, %v, %v", c.ID, c.Title, first.Flags.Names(), first.Time)
	}
	rows := readString(t, "r", openCodeRows).Conversations[0]
	if sub := rows.Threads[1]; sub.Name != "s2" || sub.Agent != "general" || rows.Calls()[0].At.Line != 2 {
		t.Errorf("thread %s of %s; the first call is in line %d", sub.Name, sub.Agent, rows.Calls()[0].At.Line)
	}
}

func TestOpenCodeFolders(t *testing.T) {
	for name, tree := range map[string]map[string]string{
		"files": {
			"storage/session/p/s1.json":    `{"id":"s1","projectID":"p","directory":"/d","title":"a title"}`,
			"storage/message/s1/m1.json":   `{"id":"m1","sessionID":"s1","role":"assistant","time":{"created":1}}`,
			"storage/part/m1/p1.json":      `{"id":"p1","messageID":"m1","sessionID":"s1","type":"tool","callID":"c","tool":"ls","state":{"status":"completed","input":{},"output":"x"}}`,
			"storage/session_diff/s1.json": `[]`,
		},
		"dumps": {
			"sessions.json": `[{"id":"s1","project_id":"p","directory":"/d","title":"a title"}]`,
			"messages.json": `[{"id":"m1","session_id":"s1","data":"{\"role\":\"assistant\"}"}]`,
			"parts.json":    `[{"id":"p1","message_id":"m1","session_id":"s1","data":"{\"type\":\"tool\",\"callID\":\"c\",\"tool\":\"ls\",\"state\":{\"status\":\"completed\",\"input\":{},\"output\":\"x\"}}"}]`,
		},
	} {
		dir := t.TempDir()
		for name, text := range tree {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		list, err := Open(t.Context(), dir, Options{})
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %d recordings, %v", name, len(list), err)
		}
		if got := transcript(t, list[0]); got != "main 0.1 ls(c) = \"x\"\n" || list[0].Conversations[0].Title != "a title" || len(list[0].Problems) > 0 {
			t.Errorf("%s: %s %v", name, got, list[0].Problems)
		}
	}
}

func TestRealOpenCode(t *testing.T) {
	checkReal(t, []realRow{
		{file: "opencode/opencode_parts_2.6MB.json", format: "opencode", conversations: 5, calls: 110, results: 110, largest: 74045},
		{file: "opencode", format: "opencode", conversations: 5, calls: 110, results: 110, largest: 74045},
	})
}

func TestOpenCodeSurvives(t *testing.T) {
	survives(t, "opencode", openCodeExported)
	survives(t, "opencode", openCodeRows)
	survives(t, "opencode", openCodeStream)
}

func FuzzOpenCode(f *testing.F) {
	fuzzFormat(f, "opencode", openCodeExported, openCodeRows, openCodeStream)
}
