package history

import (
	"strings"
	"testing"
)

const (
	miniSWEFirst = `{"info":{"config":{"model":{"model_name":"m-1"}},"exit_status":"Submitted","submission":"diff"},"trajectory_format":"mini-swe-agent-1","messages":[
{"role":"system","content":"one command"},{"role":"user","content":"fix it"},
{"role":"assistant","content":"THOUGHT: look\n\n` + "```bash\\necho \\\"hi\\\"\\nls\\n```" + `","extra":{"response":{"usage":{"prompt_tokens":50,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":20}}}}},
{"role":"user","content":"<returncode>0</returncode>\n<output>\nhi\n</output>"},
{"role":"assistant","content":"no command"},{"role":"user","content":"exactly one, please"},
{"role":"assistant","content":"` + "```bash\\nsubmit\\n```" + `"},{"role":"user","content":"diff"}]}`
	miniSWESecond = `{"info":{},"trajectory_format":"mini-swe-agent-1.1","messages":[{"role":"user","content":"fix it"},
{"role":"assistant","content":"look","tool_calls":[{"id":"a","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}},{"id":"b","type":"function","function":{"name":"bash","arguments":"{\"command\":\"x\"}"}}],"extra":{"timestamp":1700000000.5,"response":{"model":"m-2","usage":{"prompt_tokens":9,"completion_tokens":1}}}},
{"role":"tool","tool_call_id":"b","content":"<returncode>-1</returncode>\n<exception>gone</exception>","extra":{"exception_info":"gone","raw_output":""}},
{"role":"tool","tool_call_id":"a","content":"<returncode>0</returncode>\n<warning>\nlong\n</warning>\n<output_head>\n1\n</output_head>\n<elided_chars>\n4 characters elided\n</elided_chars>\n<output_tail>\n2\n</output_tail>","extra":{"raw_output":"1","returncode":0}},
{"role":"exit","content":"diff","extra":{"submission":"diff"}}]}`
)

func TestMiniSWEAgent(t *testing.T) {
	shown := `<returncode>0</returncode>\n<warning>\nlong\n</warning>\n<output_head>\n1\n</output_head>\n<elided_chars>\n4 characters elided\n</elided_chars>\n<output_tail>\n2\n</output_tail>`
	checkOutlines(t, "mini-swe-agent", []outlineCase{
		{"commands in the text; what is handed in is no result", miniSWEFirst, []string{
			`conversation 0 model "m-1" system "one command" usage &{30 20 5 false}`, `turn 1 "fix it"`,
			`step 1 "" "THOUGHT: look\n\n` + "```bash\\necho \\\"hi\\\"\\nls\\n```" + `"`,
			`line3-0 bash("echo \"hi\"\nls") = "<returncode>0</returncode>\n<output>\nhi\n</output>" synthetic-id`,
			`step 2 "" "no command"`, `turn 2 "exactly one, please"`,
			`step 1 "" "` + "```bash\\nsubmit\\n```" + `"`, `line6-1 bash("submit") no-result,synthetic-id`}},
		{"tool calls; a shortened output", miniSWESecond, []string{
			`conversation 0 model "m-2" system "" usage &{9 0 1 false}`, `turn 1 "fix it"`, `step 1 "" "look"`,
			`a bash("{\"command\":\"ls\"}") = "` + shown + `"`,
			`b bash("{\"command\":\"x\"}") = "<returncode>-1</returncode>\n<exception>gone</exception>" error failed`}}})
	if r := readString(t, "r", miniSWESecond).Conversations[0].Calls()[0].Result; r.Flags != TruncatedByRecorder {
		t.Errorf("the shortened output is flagged %v", r.Flags.Names())
	}
}

func TestMiniSWEAgentWholeOutput(t *testing.T) {
	whole := "1" + strings.Repeat(" ", 100) + "2"
	rec := readString(t, "r", `{"trajectory_format":"mini-swe-agent-1","messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"bash","arguments":"{}"}}]},`+
		`{"role":"tool","tool_call_id":"a","content":"<returncode>0</returncode>\n<output_head>\n1\n</output_head>\n<output_tail>\n2\n</output_tail>","extra":{"raw_output":"`+whole+`"}}]}`)
	r := rec.Conversations[0].Calls()[0].Result
	if r.Payload.Size().Bytes != 102 || r.Recorded == nil || r.Recorded.Bytes != 88 || r.Flags != OffloadedByRecorder {
		t.Errorf("%d bytes, recorded %v, flags %v", r.Payload.Size().Bytes, r.Recorded, r.Flags.Names())
	}
}

func TestRealMiniSWEAgent(t *testing.T) {
	checkReal(t, []realRow{{file: "mini_swe_agent/local.traj.json", format: "mini-swe-agent", conversations: 1, calls: 2, results: 1, largest: 57,
		why: "the index looks for tool calls; the messages have two commands, of which the last hands in an empty text"}})
}

func TestMiniSWEAgentSurvives(t *testing.T) {
	survives(t, "mini-swe-agent", miniSWEFirst)
	survives(t, "mini-swe-agent", miniSWESecond)
}

func FuzzMiniSWEAgent(f *testing.F) { fuzzFormat(f, "mini-swe-agent", miniSWEFirst, miniSWESecond) }
