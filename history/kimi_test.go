package history

import (
	"slices"
	"strings"
	"testing"
)

func kimiEvent(event string) string {
	return `{"type":"context.append_loop_event","event":` + event + `,"time":1785615359960}`
}

const kimiGo = `{"type":"turn.prompt","input":[{"type":"text","text":"go"}],"origin":{"kind":"user"}}`

// kimiWire has call ids that count from 0 in each turn.
var kimiWire = lines(
	`{"type":"metadata","protocol_version":"1.4","created_at":1785615359837}`,
	`{"type":"config.update","profileName":"coder","systemPrompt":"be kind"}`,
	kimiGo,
	`{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"go"}],"toolCalls":[]}}`,
	`{"type":"llm.request","model":"m-1"}`,
	kimiEvent(`{"type":"step.begin","uuid":"u1","turnId":"0","step":1}`),
	kimiEvent(`{"type":"content.part","step":1,"part":{"type":"think","think":"hm"}}`),
	kimiEvent(`{"type":"tool.call","toolCallId":"Bash_0","name":"Bash","args":{"c":1}}`),
	kimiEvent(`{"type":"tool.result","toolCallId":"Bash_0","result":{"isError":true,"output":"bad"}}`),
	kimiEvent(`{"type":"tool.call","toolCallId":"Read_1","name":"Read","args":{}}`),
	kimiEvent(`{"type":"tool.result","toolCallId":"Read_1","result":{"output":[{"type":"text","text":"x"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}},{"type":"text","text":"y"}]}}`),
	kimiEvent(`{"type":"step.end","uuid":"u1","usage":{"inputOther":40,"output":7,"inputCacheRead":50,"inputCacheCreation":10},"messageId":"r1"}`),
	`{"type":"usage.record","usage":{"inputOther":40,"output":7,"inputCacheRead":50,"inputCacheCreation":10}}`,
	`{"type":"context.apply_compaction","summary":"s"}`,
	`{"type":"context.append_message","message":{"role":"user","content":"more"}}`,
	kimiEvent(`{"type":"step.begin","uuid":"u2","turnId":"1","step":1}`),
	kimiEvent(`{"type":"tool.call","toolCallId":"Bash_0","name":"Bash","args":{}}`))

func TestKimiWire(t *testing.T) {
	rec := readAs(t, "kimi", kimiWire)
	want := []string{`conversation 0 model "m-1" system "be kind" usage &{40 60 7 false}`,
		`turn 1 "go"`, `step 1 "r1" "hm"`, `Bash_0 Bash("{\"c\":1}") = "bad" error failed`, `Read_1 Read("{}") = "xy" image image/png 24`,
		`turn 2 "more"`, `step 1 "" ""`, `Bash_0 Bash("{}") no-result,id-reused`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	if !rec.Conversations[0].Threads[0].Turns[1].Compacted {
		t.Error("the second turn follows a summary")
	}
}

func TestKimiSubagentHasALogToItself(t *testing.T) {
	rec := readAs(t, "kimi", strings.Replace(kimiWire, `"origin":{"kind":"user"}`, `"origin":{"kind":"system_trigger","name":"subagent"}`, 1))
	if th := rec.Conversations[0].Threads[0]; len(rec.Conversations[0].Threads) != 1 || !th.Subagent() || th.Agent != "coder" || textOf(t, th.System) != "be kind" {
		t.Errorf("thread %q of agent %q", th.Name, th.Agent)
	}
}

var kimiRows = lines(
	`{"role":"_system_prompt","content":"be kind"}`,
	`{"role":"_checkpoint","id":0}`,
	`{"role":"user","content":"go"}`,
	`{"role":"assistant","content":[{"type":"think","think":"hm"},{"type":"text","text":"looking"}],"tool_calls":[{"id":"a","type":"function","function":{"name":"Shell","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"Read","arguments":"{"}}]}`,
	`{"role":"_usage","token_count":{"input_tokens":12,"output_tokens":3}}`,
	`{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}`,
	`{"role":"_usage","token_count":4711}`,
	`{"role":"_usage","token_count":{"input_tokens":20,"output_tokens":5}}`)

func TestKimiContext(t *testing.T) {
	rec := readAs(t, "kimi", kimiRows)
	want := []string{`conversation 0 model "" system "be kind" usage &{20 0 5 true}`, `turn 1 "go"`, `step 1 "" "hmlooking"`,
		`a Shell("{}") = "xy"`, `b Read("{") no-result,invalid-arguments`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestRealKimi(t *testing.T) {
	checkReal(t, []realRow{
		{file: "kimi/kimi_legacy_context.jsonl", format: "kimi", conversations: 1, calls: 1, results: 1, largest: 30},
		{file: "kimi/kimi_subagent.jsonl", format: "kimi", conversations: 1, calls: 2, results: 2, largest: 174},
	})
}

func TestKimiSurvives(t *testing.T) {
	survives(t, "kimi", kimiWire)
	survives(t, "kimi", kimiRows)
}

func FuzzKimi(f *testing.F) { fuzzFormat(f, "kimi", kimiWire, kimiRows) }
