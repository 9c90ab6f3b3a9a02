package history

import (
	"os"
	"path/filepath"
	"testing"
)

const (
	openHandsFirst = `[{"id":0,"source":"user","action":"message","args":{"content":"fix it","image_urls":["data:image/png;base64,AAAA"]}},
{"id":1,"source":"agent","observation":"agent_state_changed","content":"","extras":{}},
{"id":2,"timestamp":"2025-01-20T20:29:35.040676","source":"agent","action":"run","args":{"command":"ls"},"tool_call_metadata":{"function_name":"execute_bash","tool_call_id":"a","model_response":{"id":"r1","model":"m-1","choices":[{"message":{"content":"look","tool_calls":[{"id":"a","function":{"name":"execute_bash","arguments":"{\"command\": \"ls\"}"}},{"id":"b","function":{"name":"editor","arguments":"{}"}}]}}],"usage":{"prompt_tokens":90,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":30}}}}},
{"id":3,"source":"agent","action":"read","args":{"path":"x"},"tool_call_metadata":{"function_name":"editor","tool_call_id":"b","model_response":{"id":"r1","model":"m-1","choices":[{"message":{"content":"look","tool_calls":[]}}],"usage":{"prompt_tokens":90,"completion_tokens":9}}}},
{"id":4,"source":"agent","cause":3,"observation":"read","content":"x\n<response clipped><NOTE>Due to the max output limit.</NOTE>","extras":{},"tool_call_metadata":{"tool_call_id":"b"}},
{"id":5,"source":"agent","cause":2,"observation":"run","content":"gone","extras":{},"success":false},
{"id":6,"source":"agent","action":"browse","args":{"url":"u","thought":"hm"}},
{"id":7,"source":"agent","cause":6,"observation":"browse","content":"page","extras":{}},
{"id":8,"source":"agent","cause":99,"observation":"run","content":"late","extras":{}},
{"id":9,"source":"agent","action":"finish","args":{},"tool_call_metadata":{"function_name":"finish","tool_call_id":"a"}},
{"id":10,"source":"agent","action":"condensation","args":{}},
{"id":11,"source":"user","action":"message","args":{"content":"more"}}]`
	openHandsSecond = `{"id":"e0","timestamp":"2026-06-16T05:39:18.8","source":"agent","kind":"SystemPromptEvent","system_prompt":{"type":"text","text":"be brief"},"tools":[{"name":"t"}]}
{"id":"e1","timestamp":"2026-06-16T05:39:18.9","source":"user","kind":"MessageEvent","llm_message":{"role":"user","content":[{"type":"text","text":"fix it"}]}}
{"id":"e2","timestamp":"2026-06-16T05:39:19.0","source":"agent","kind":"ActionEvent","thought":[{"type":"text","text":"look"}],"reasoning_content":"hm ","action":{"kind":"TerminalAction"},"tool_name":"terminal","tool_call_id":"a","tool_call":{"id":"a","name":"terminal","arguments":"{\"command\":\"ls\"}"},"llm_response_id":"r1"}
{"id":"e3","timestamp":"2026-06-16T05:39:19.1","source":"agent","kind":"ActionEvent","thought":[{"type":"text","text":"look"}],"action":{"kind":"X"},"tool_name":"terminal","tool_call_id":"b","tool_call":{"id":"b","name":"terminal","arguments":"{}"},"llm_response_id":"r1"}
{"id":"e4","timestamp":"2026-06-16T05:39:19.2","source":"environment","kind":"ObservationEvent","tool_name":"terminal","tool_call_id":"b","action_id":"e3","observation":{"content":[{"type":"text","text":"one"},{"type":"image","image_urls":["u"]},{"type":"text","text":"two"}],"is_error":false}}
{"id":"e5","timestamp":"2026-06-16T05:39:19.3","source":"environment","kind":"ObservationEvent","tool_name":"terminal","tool_call_id":"a","action_id":"e2","observation":{"content":[{"type":"text","text":"gone"}],"is_error":true}}
{"id":"e6","timestamp":"2026-06-16T05:39:19.4","source":"environment","kind":"ConversationStateUpdateEvent","key":"stats","value":{"usage_to_metrics":{"default":{"model_name":"m-1","accumulated_token_usage":{"prompt_tokens":10,"completion_tokens":1}}}}}
{"id":"e7","timestamp":"2026-06-16T05:39:19.5","source":"environment","kind":"ConversationStateUpdateEvent","key":"stats","value":{"usage_to_metrics":{"default":{"model_name":"m-1","accumulated_token_usage":{"prompt_tokens":100,"completion_tokens":5,"cache_read_tokens":40}},"condenser":{"accumulated_token_usage":{"prompt_tokens":0,"completion_tokens":0}}}}}
{"id":"e8","timestamp":"2026-06-16T05:39:19.6","source":"agent","kind":"ActionEvent","thought":[],"action":null,"tool_name":"terminal","tool_call_id":"a","tool_call":{"id":"a","name":"terminal","arguments":"{"},"llm_response_id":"r2"}
{"id":"e9","timestamp":"2026-06-16T05:39:19.7","source":"agent","kind":"AgentErrorEvent","tool_name":"terminal","tool_call_id":"a","error":"no such tool"}
{"id":"e10","timestamp":"2026-06-16T05:39:19.8","source":"environment","kind":"ObservationEvent","tool_name":"terminal","tool_call_id":"z","action_id":"?","observation":{"content":[{"type":"text","text":"late"}]}}
{"id":"e11","timestamp":"2026-06-16T05:39:19.9","source":"agent","kind":"ActionEvent","thought":[],"tool_name":"finish","tool_call_id":"c","tool_call":{"id":"c","name":"finish","arguments":"{}"},"llm_response_id":"r3"}
`
)

func TestOpenHands(t *testing.T) {
	checkOutlines(t, "openhands", []outlineCase{
		{"the first generation pairs by cause, and a response is a step", openHandsFirst, []string{
			`conversation 0 model "m-1" system "" usage &{60 30 9 false}`, `turn 1 "fix it" image image/png 26`,
			`step 1 "r1" "look"`, `a execute_bash("{\"command\": \"ls\"}") = "gone" error failed`,
			`b editor("{\"path\":\"x\"}") = "x\n<response clipped><NOTE>Due to the max output limit.</NOTE>"`,
			`step 2 "" "hm"`, `line7-2 browse("{\"url\":\"u\",\"thought\":\"hm\"}") = "page" synthetic-id`, `event-99 run("") = "late" orphan-result`,
			`step 3 "" ""`, `a finish("{}") no-result,id-reused`, `turn 2 "more"`}},
		{"the SDK's events", openHandsSecond, []string{
			`conversation 0 model "m-1" system "be brief[{\"name\":\"t\"}]" usage &{60 40 5 false}`, `turn 1 "fix it"`,
			`step 1 "r1" "hm look"`, `a terminal("{\"command\":\"ls\"}") = "gone" error failed`,
			`b terminal("{}") = "onetwo" image image 35`,
			`step 2 "r2" ""`, `a terminal("{") = "no such tool" error failed id-reused,invalid-arguments`, `z terminal("") = "late" orphan-result`,
			`step 3 "r3" ""`, `c finish("{}") no-result`}},
		{"instances of a benchmark, with pairs of old", `{"instance_id":"i1","metrics":{"accumulated_token_usage":{"prompt_tokens":8,"completion_tokens":2}},"history":[[{"id":1,"source":"agent","action":"run","args":{"command":"ls"}},{"id":2,"source":"agent","cause":1,"observation":"run","content":"x","extras":{}}]]}
{"instance_id":"i2","history":[{"id":1,"source":"user","action":"message","args":{"content":"go"}},{"odd":1}]}`, []string{
			`conversation 0 model "" system "" usage &{8 0 2 false}`, `turn 0 ""`, `step 1 "" ""`, `line1-0 run("{\"command\":\"ls\"}") = "x" synthetic-id`,
			`conversation 1 model "" system "" usage <nil>`, `turn 1 "go"`, `line 2: the event is neither an action nor an observation`}}})
	first := readString(t, "r", openHandsFirst).Conversations[0]
	if turns := first.Threads[0].Turns; turns[0].Compacted || !turns[1].Compacted {
		t.Errorf("compacted %v %v", turns[0].Compacted, turns[1].Compacted)
	}
	if f := first.Calls()[1].Result.Flags; f != TruncatedByRecorder {
		t.Errorf("the clipped result is flagged %v", f.Names())
	}
}

func TestOpenHandsFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"base_state.json":           `{"id":"x","agent":{}}`,
		"events/event-00000-a.json": `{"id":"e1","timestamp":"2026-06-16T05:39:18.9","source":"user","kind":"MessageEvent","llm_message":{"role":"user","content":[{"type":"text","text":"go"}]}}`,
		"events/event-00001-b.json": `{"id":"e2","timestamp":"2026-06-16T05:39:19.0","source":"agent","kind":"ActionEvent","tool_name":"f","tool_call_id":"a","tool_call":{"id":"a","name":"f","arguments":"{}"},"llm_response_id":"r1"}`,
		"events/event-00002-c.json": `{"id":"e3","timestamp":"2026-06-16T05:39:19.2","source":"environment","kind":"ObservationEvent","tool_call_id":"a","observation":{"content":[{"type":"text","text":"x"}]}}`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, of := range []string{dir, filepath.Join(dir, "events")} {
		list, err := Open(t.Context(), of, Options{})
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %d recordings, %v", of, len(list), err)
		}
		if got, want := transcript(t, list[0]), "main 1.1 f(a) = \"x\"\n"; got != want || len(list[0].Problems) > 0 {
			t.Errorf("%s: %s should be %s, %v", of, got, want, list[0].Problems)
		}
	}
}

func TestRealOpenHands(t *testing.T) {
	checkReal(t, []realRow{
		{file: "openhands/oh_sdk_v1_events.jsonl", format: "openhands", conversations: 1, calls: 3, results: 3, largest: 1047,
			why: "2 calls, and a result whose call was left out; the index measures the observation as JSON"},
		{file: "openhands/oh_trajectory_gui.json", format: "openhands", conversations: 1, calls: 4, results: 4, largest: 4017,
			why: "the index counts 3 observations that are null too"},
		{file: "openhands/oh_trajectory_wrong_initial_state.json", format: "openhands", conversations: 1, calls: 4, results: 3, largest: 127,
			why: "the last call ends the run"},
	})
}

func TestOpenHandsSurvives(t *testing.T) {
	survives(t, "openhands", openHandsFirst)
	survives(t, "openhands", openHandsSecond)
}

func FuzzOpenHands(f *testing.F) { fuzzFormat(f, "openhands", openHandsFirst, openHandsSecond) }
