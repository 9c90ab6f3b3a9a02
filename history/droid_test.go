package history

import (
	"slices"
	"strings"
	"testing"
)

func droidLine(id, message string) string {
	return `{"type":"message","id":"` + id + `","timestamp":"2026-01-02T03:04:05Z","message":` + message + `}`
}

var droidSessionFile = lines(
	`{"type":"session_start","id":"d-1","title":"old","sessionTitle":"a title","version":"0.81.0"}`,
	droidLine("m1", `{"role":"user","content":[{"type":"text","text":"go"}]}`),
	droidLine("m2", `{"role":"assistant","content":[{"type":"text","text":"hm"},{"type":"tool_use","id":"a","name":"Execute","input":{}},{"type":"tool_use","id":"b","name":"Read","input":{}}]}`),
	droidLine("m3", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]},{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"bad"}]}`),
	`{"type":"compaction_state","id":"c"}`,
	droidLine("m4", `{"role":"user","content":[{"type":"text","text":"<system-reminder>be good</system-reminder>"}]}`),
	droidLine("m5", `{"role":"user","content":[{"type":"text","text":"more"}]}`),
	droidLine("m6", `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Execute","input":{}}]}`))

func TestDroidSession(t *testing.T) {
	rec := readAs(t, "droid", droidSessionFile)
	want := []string{`conversation 0 model "" system "" usage <nil>`,
		`turn 1 "go"`, `step 1 "m2" "hm"`, `a Execute("{}") = "bad" error failed`, `b Read("{}") = "x" image image/png 4`,
		`turn 2 "more"`, `step 1 "m6" ""`, `a Execute("{}") no-result,id-reused`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	c := rec.Conversations[0]
	if c.ID != "d-1" || c.Title != "a title" || !c.Threads[0].Turns[1].Compacted {
		t.Errorf("conversation %q, %q, compacted %v", c.ID, c.Title, c.Threads[0].Turns[1].Compacted)
	}
}

var droidStream = lines(
	`{"type":"system","subtype":"init","session_id":"d-2","model":"m"}`,
	`{"type":"message","role":"user","id":"1","text":"go","session_id":"d-2"}`,
	`{"type":"message","role":"assistant","id":"2","text":"hm","session_id":"d-2"}`,
	`{"type":"tool_call","toolCallId":"a","toolName":"Execute","parameters":{"c":1},"session_id":"d-2"}`,
	`{"type":"tool_call","toolCallId":"b","toolName":"Read","parameters":{},"session_id":"d-2"}`,
	`{"type":"tool_result","toolCallId":"b","value":{"n": 1},"isError":false,"session_id":"d-2"}`,
	`{"type":"tool_result","toolCallId":"a","value":"bad","isError":true,"session_id":"d-2"}`,
	`{"type":"message","role":"assistant","id":"3","text":"done","session_id":"d-2"}`,
	`{"type":"completion","finalText":"done","session_id":"d-2"}`)

func TestDroidStream(t *testing.T) {
	rec := readAs(t, "droid", droidStream)
	want := []string{`conversation 0 model "m" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "hm"`,
		`a Execute("{\"c\":1}") = "bad" error failed`, `b Read("{}") = "{\"n\": 1}"`, `step 2 "" "done"`}
	if got := outline(t, rec); !slices.Equal(got, want) || rec.Conversations[0].ID != "d-2" {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestRealDroid(t *testing.T) {
	checkReal(t, []realRow{{file: "droid/droid_session_store.jsonl", format: "droid", conversations: 1, calls: 1, results: 1, largest: 18}})
}

func TestDroidSurvives(t *testing.T) {
	survives(t, "droid", droidSessionFile)
	survives(t, "droid", droidStream)
}

func FuzzDroid(f *testing.F) { fuzzFormat(f, "droid", droidSessionFile, droidStream) }
