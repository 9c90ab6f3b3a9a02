package history

import (
	"slices"
	"strings"
	"testing"
)

var cursorTranscript = lines(
	`{"role":"user","message":{"content":[{"type":"text","text":"go"}]}}`,
	`{"role":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","name":"Bash","input":{"c":1}},{"type":"tool_use","name":"Read","input":{}},{"type":"tool_use","name":"Read","input":{}}]}}`,
	`{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"bad"},{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"text","text":"y"}]}]}}`,
	`{"role":"assistant","message":{"content":[{"type":"tool_use","id":"t9","name":"Bash","input":{}}]}}`,
	`{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t9","content":"z"}]}}`)

func TestCursorPairsByOrder(t *testing.T) {
	rec := readAs(t, "cursor", cursorTranscript)
	want := []string{`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "hm"`,
		`line2-0 Bash("{\"c\":1}") = "bad" error failed synthetic-id,paired-by-order`,
		`line2-1 Read("{}") = "xy" image image/png 4 synthetic-id,paired-by-order`,
		`line2-2 Read("{}") no-result,synthetic-id`,
		`step 2 "" ""`, `t9 Bash("{}") = "z"`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestRealCursor(t *testing.T) {
	checkReal(t, []realRow{{file: "cursor/cursor_transcript.jsonl", format: "cursor", conversations: 1, calls: 2, results: 2, largest: 19,
		why: "the index measures a list with one text part as JSON (50 bytes)"}})
}

func TestCursorSurvives(t *testing.T) { survives(t, "cursor", cursorTranscript) }

func FuzzCursor(f *testing.F) { fuzzFormat(f, "cursor", cursorTranscript) }
