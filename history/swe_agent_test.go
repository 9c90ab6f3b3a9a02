package history

import "testing"

const (
	sweTrajectory = `{"environment":"swe_main","trajectory":[
{"action":"ls -F\n","observation":"a.py\n","response":"look\nls -F","state":"{}","thought":"look"},
{"action":"open a.py","observation":"[File: a.py]","response":"","state":"{}","thought":"read","messages":[{"role":"user","content":"fix it"},{"role":"tool","content":"a.py\n"}]},
{"action":"submit","observation":null,"response":"","state":"{}","thought":""}],
"history":[{"role":"system","content":"be brief","agent":"main"},
{"role":"user","content":"an example","agent":"main","is_demo":true},{"role":"assistant","content":"shown","action":"ls -F\n","agent":"main","is_demo":true},
{"role":"user","content":"fix it","agent":"main"},
{"role":"assistant","content":"look","action":"ls -F\n","agent":"main"},
{"role":"user","content":"a.py\n(Open file: n/a)","agent":"main"},
{"role":"assistant","content":"read","action":"open a.py","agent":"main","tool_calls":[{"id":"c1","type":"function","function":{"name":"open","arguments":"{\"path\":\"a.py\"}"}},{"id":"c2","type":"function","function":{"name":"bash","arguments":"{}"}}]}],
"info":{"model_stats":{"tokens_sent":90,"tokens_received":4}}}`
	sweHistory = `{"history":[{"role":"system","content":"s","agent":"main","message_type":"system_prompt"},
{"role":"user","content":"fix it","agent":"main","message_type":"observation"},
{"role":"assistant","content":"look","thought":"look","action":"ls","agent":"main","message_type":"action","tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]},
{"role":"tool","content":"a.py\r\n","agent":"main","message_type":"observation","tool_call_ids":["c1"]},
{"role":"assistant","content":"again","action":"ls -a","agent":"main","message_type":"action"},
{"role":"user","content":"b.py","agent":"main","message_type":"observation"}]}`
)

func TestSWEAgent(t *testing.T) {
	checkOutlines(t, "swe-agent", []outlineCase{
		{"observations are the results, calls have the names that the history knows", sweTrajectory, []string{
			`conversation 0 model "" system "be brief" usage &{90 0 4 false}`, `turn 1 "fix it"`,
			`step 1 "" "look"`, `line2-0 bash("ls -F\n") = "a.py\n" synthetic-id`,
			`step 2 "" "read"`, `c1 open("{\"path\":\"a.py\"}") = "[File: a.py]"`, `c2 bash("{}") no-result`,
			`step 3 "" ""`, `line4-3 bash("submit") no-result,synthetic-id`}},
		{"a history alone", sweHistory, []string{
			`conversation 0 model "" system "s" usage <nil>`, `turn 1 "fix it"`,
			`step 1 "" "look"`, `c1 bash("{\"command\":\"ls\"}") = "a.py\r\n"`,
			`step 2 "" "again"`, `line5-1 bash("ls -a") = "b.py" synthetic-id`}}})
}

func TestRealSWEAgent(t *testing.T) {
	checkReal(t, []realRow{
		{file: "swe_agent/marshmallow_default.traj", format: "swe-agent", conversations: 1, calls: 14, results: 14, largest: 6924},
		{file: "swe_agent/ctf_i_got_id.traj", format: "swe-agent", conversations: 1, calls: 21, results: 21, largest: 2277},
		{file: "swe_agent/function_calling_simple.traj", format: "swe-agent", conversations: 1, calls: 5, results: 5, largest: 609},
	})
}

func TestSWEAgentSurvives(t *testing.T) {
	survives(t, "swe-agent", sweTrajectory)
	survives(t, "swe-agent", sweHistory)
}

func FuzzSWEAgent(f *testing.F) { fuzzFormat(f, "swe-agent", sweTrajectory, sweHistory) }
