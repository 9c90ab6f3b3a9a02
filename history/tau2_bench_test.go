package history

import "testing"

const tau2Rollouts = `{"responses_create_params":{"input":[],"tools":[{"name":"find"}]},"response":{"id":"x","object":"response","output":[{"type":"function_call","call_id":"a","name":"find","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"one"}]},"result":{"id":"s1","task_id":"7","termination_reason":"user_stop","policy":"be kind","messages":[{"role":"assistant","content":"hello"},{"role":"user","content":"help"},{"role":"assistant","content":null,"timestamp":"2026-04-11T16:13:58.603236","usage":{"prompt_tokens":100,"completion_tokens":7},"raw_data":{"model":"m-1"},"tool_calls":[{"id":"a","name":"find","arguments":{"n":1},"requestor":"assistant"},{"id":"b","name":"find","arguments":{},"requestor":"assistant"}]},{"role":"tool","tool_messages":[{"role":"tool","id":"b","content":"two","requestor":"assistant","error":true},{"role":"tool","id":"a","content":"one","requestor":"assistant","error":false}]},{"role":"user","content":null,"tool_calls":[{"id":"a","name":"reboot","arguments":{},"requestor":"user"}]},{"role":"tool","id":"a","content":"rebooted","requestor":"user","error":false},{"role":"assistant","content":"bye","usage":{"prompt_tokens":120,"completion_tokens":3},"tool_calls":[{"id":"c","name":"end","arguments":{}}]}]}}
{"result":{"id":"s2","task_id":"8","termination_reason":"x","messages":null,"ticks":[{"user_chunk":{"role":"user","content":"hi"}},{"agent_tool_calls":[{"id":"a","name":"find","arguments":{}}],"agent_tool_results":[{"role":"tool","id":"a","content":"1","requestor":"assistant","error":false}]},{"agent_chunk":{"role":"assistant","content":"there"}}]}}
`

func TestTau2Bench(t *testing.T) {
	checkOutlines(t, "tau2-bench", []outlineCase{{"a simulation counts once, and the user's calls are a thread of their own", tau2Rollouts, []string{
		`conversation 0 model "m-1" system "be kind[{\"name\":\"find\"}]" usage &{220 0 10 false}`,
		`turn 0 ""`, `step 1 "" "hello"`,
		`turn 1 "help"`, `step 1 "" ""`, `a find("{\"n\":1}") = "one"`, `b find("{}") = "two" error failed`,
		`step 2 "" "bye"`, `c end("{}") no-result`,
		`conversation 0 model "m-1" system "" usage &{220 0 10 false}`,
		`turn 0 ""`, `step 1 "" ""`, `a reboot("{}") = "rebooted" id-reused`,
		`conversation 1 model "" system "" usage <nil>`,
		`turn 1 "hi"`, `step 1 "" ""`, `a find("{}") = "1"`, `step 2 "" "there"`}},
		{"a file of simulations", `{"info":{"agent_info":{"llm":"m-2"},"environment_info":{"policy":"p"}},"tasks":[],"simulations":[{"id":"s","task_id":"1","termination_reason":"x","messages":[{"role":"user","content":"u"},{"role":"tool","id":"z","content":"late"},{"role":"?","content":""}]}]}`, []string{
			`conversation 0 model "m-2" system "p" usage <nil>`, `turn 1 "u"`, `step 1 "" ""`, `z ("") = "late" orphan-result`,
			`line 1: a message has no known role`}}})
	if c := readString(t, "r", tau2Rollouts).Conversations[0]; c.ID != "s1" || c.Title != "task 7" || !c.Threads[1].Subagent() || c.Threads[1].Agent != "simulated user" {
		t.Errorf("conversation %s, %s", c.ID, c.Title)
	}
}

func TestRealTau2Bench(t *testing.T) {
	checkReal(t, []realRow{{file: "tau2_bench/nemo_tau2_rollouts.jsonl", format: "tau2-bench", conversations: 5, calls: 20, results: 20, largest: 1526,
		why: "the index counts the same 20 results as Responses items too"}})
}

func TestTau2BenchSurvives(t *testing.T) { survives(t, "tau2-bench", tau2Rollouts) }

func FuzzTau2Bench(f *testing.F) { fuzzFormat(f, "tau2-bench", tau2Rollouts) }
