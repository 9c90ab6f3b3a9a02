package history

import (
	"slices"
	"strings"
	"testing"
)

func kiroRecord(kind, id, content string) string {
	return `{"version":"v1","kind":"` + kind + `","data":{"message_id":"` + id + `","content":[` + content + `]}}`
}

var kiroSession = lines(
	kiroRecord("Prompt", "1", `{"kind":"text","data":"go"}`),
	kiroRecord("AssistantMessage", "2", `{"kind":"thinking","data":{"text":"hm","modelId":"m-1"}},{"kind":"text","data":"looking"},{"kind":"toolUse","data":{"toolUseId":"a","name":"shell","input":{"c":1}}},{"kind":"toolUse","data":{"toolUseId":"b","name":"read","input":{}}}`),
	`{"version":"v1","kind":"ToolResults","data":{"message_id":"3","content":[{"kind":"toolResult","data":{"toolUseId":"b","content":[{"kind":"text","data":"x"},{"kind":"image","data":{"format":"png","source":{"data":"AAAA"}}},{"kind":"text","data":"y"}],"status":"success"}},
{"kind":"toolResult","data":{"toolUseId":"a","content":[{"kind":"json","data":{"exit": 1}}],"status":"error"}}],"results":{"a":{"result":{"Error":"again"}},"b":{"result":{"Success":{"items":[]}}}}}}`,
	kiroRecord("Compaction", "4", ``),
	kiroRecord("Prompt", "5", `{"kind":"text","data":"more"}`),
	kiroRecord("AssistantMessage", "6", `{"kind":"toolUse","data":{"toolUseId":"a","name":"shell","input":{}}}`))

func TestKiroSession(t *testing.T) {
	rec := readAs(t, "kiro", kiroSession)
	want := []string{`conversation 0 model "m-1" system "" usage <nil>`,
		`turn 1 "go"`, `step 1 "2" "hmlooking"`, `a shell("{\"c\":1}") = "{\"exit\": 1}" error failed`, `b read("{}") = "xy" image png 4`,
		`turn 2 "more"`, `step 1 "6" ""`, `a shell("{}") no-result,id-reused`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	if !rec.Conversations[0].Threads[0].Turns[1].Compacted {
		t.Error("the second turn follows a summary")
	}
}

func TestRealKiro(t *testing.T) {
	checkReal(t, []realRow{{file: "kiro/kiro_session.jsonl", format: "kiro", conversations: 1, calls: 2, results: 2, largest: 44668,
		why: "the index measures the list of one text as JSON (45147 bytes)"}})
}

func TestKiroSurvives(t *testing.T) { survives(t, "kiro", kiroSession) }

func FuzzKiro(f *testing.F) { fuzzFormat(f, "kiro", kiroSession) }
