package history

import (
	"strings"
	"testing"
)

const atifRun = `{"schema_version":"ATIF-v1.7","session_id":"s1","agent":{"name":"a","version":"1","model_name":"m-1"},"steps":[
{"step_id":1,"source":"system","message":"be brief"},{"step_id":2,"source":"user","message":[{"type":"text","text":"go"},{"type":"image","source":{"path":"x"}}]},
{"step_id":3,"source":"agent","message":"old","is_copied_context":true,"metrics":{"prompt_tokens":50,"completion_tokens":5}},
{"step_id":4,"timestamp":"2026-06-24T14:39:44Z","source":"agent","message":"look","reasoning_content":"hm ","tool_calls":[{"tool_call_id":"a","function_name":"ls","arguments":{"p":1}},{"tool_call_id":"b","function_name":"ls","arguments":{}}],
 "observation":{"results":[{"source_call_id":"b","content":[{"type":"text","text":"two"},{"type":"text","text":"!"}]},{"source_call_id":"a","content":"one"}]},"metrics":{"prompt_tokens":90,"completion_tokens":9,"cached_tokens":40}},
{"step_id":5,"source":"agent","message":"both","tool_calls":[{"tool_call_id":"a","function_name":"keys","arguments":{}},{"tool_call_id":"c","function_name":"keys","arguments":{}}],"observation":{"results":[{"content":"screen"}]}},
{"step_id":6,"source":"agent","message":"?","observation":{"results":[{"content":" not understood"}]}},
{"step_id":7,"source":"agent","message":"","tool_calls":[{"tool_call_id":"d","function_name":"task","arguments":{}}],"observation":{"results":[{"source_call_id":"d","content":null,"subagent_trajectory_ref":[{"trajectory_id":"t2"}]}]}}],
"subagent_trajectories":[{"schema_version":"ATIF-v1.7","trajectory_id":"t2","agent":{"name":"helper"},"steps":[{"step_id":1,"source":"agent","message":"sub"}]}]}`

func TestATIF(t *testing.T) {
	checkOutlines(t, "atif", []outlineCase{{"copied steps cost nothing, shared output goes to the first call", atifRun, []string{
		`conversation 0 model "m-1" system "be brief" usage &{50 40 9 false}`, `turn 1 "go" image image 38`,
		`step 1 "" "old"`, `step 2 "" "hm look"`, `a ls("{\"p\":1}") = "one"`, `b ls("{}") = "two!"`,
		`step 3 "" "both"`, `a keys("{}") = "screen" id-reused,paired-by-order`, `c keys("{}") no-result`,
		`step 4 "" "? not understood"`, `step 5 "" ""`, `d task("{}") = ""`,
		`conversation 0 model "m-1" system "" usage &{50 40 9 false}`, `turn 0 ""`, `step 1 "" "sub"`}}})
	for _, call := range readString(t, "r", strings.Replace(atifRun, `"step_id":4,`, `"step_id":4,"is_copied_context":true,`, 1)).Conversations[0].Calls() {
		if copied := call.Tool == "ls"; call.Flags.Has(CopiedHistory) != copied {
			t.Errorf("%s of step 4, which is copied: flags %v", call.Tool, call.Flags.Names())
		}
	}
	if th := readString(t, "r", atifRun).Conversations[0].Threads[1]; th.Name != "t2" || th.Agent != "helper" {
		t.Errorf("the subagent is %s, %s", th.Name, th.Agent)
	}
}

func TestRealATIF(t *testing.T) {
	checkReal(t, []realRow{
		{file: "atif/atif_login_trace.json", format: "atif", conversations: 1, calls: 6, results: 6, largest: 67},
		{file: "atif/atif_v1.7_nemo_relay.json", format: "atif", conversations: 1, calls: 4, results: 4, largest: 10},
	})
}

func TestATIFSurvives(t *testing.T) { survives(t, "atif", atifRun) }

func FuzzATIF(f *testing.F) { fuzzFormat(f, "atif", atifRun) }
