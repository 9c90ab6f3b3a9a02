package history

import "testing"

const tauRuns = `[{"task_id":3,"reward":0.0,"info":{},"trial":1,"traj":[
{"role":"system","content":"be kind"},
{"role":"user","content":"book it"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"book","arguments":"{\"n\":1}"}}]},
{"role":"tool","tool_call_id":"a","name":"book","content":"Error: not enough seats"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"find","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"a","name":"find","content":"no Error: here"},
{"role":"assistant","content":"which?"},
{"role":"user","content":"any"},
{"role":"assistant","content":"","tool_calls":[{"id":"b","type":"function","function":{"name":"find","arguments":"{}"}},{"id":"c","type":"function","function":{"name":"find","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"c","name":"find","content":"[]"}]},
{"task_id":3,"reward":1.0,"info":{},"trial":2,"traj":[{"role":"user","content":"book it"},{"role":"assistant","content":"done"}]}]`

func TestTauBench(t *testing.T) {
	checkOutlines(t, "tau-bench", []outlineCase{{"runs are conversations, an id used again is another call", tauRuns, []string{
		`conversation 0 model "" system "be kind" usage <nil>`, `turn 1 "book it"`,
		`step 1 "" ""`, `a book("{\"n\":1}") = "Error: not enough seats" error failed`,
		`step 2 "" ""`, `a find("{}") = "no Error: here" id-reused`, `step 3 "" "which?"`,
		`turn 2 "any"`, `step 1 "" ""`, `b find("{}") no-result`, `c find("{}") = "[]"`,
		`conversation 1 model "" system "" usage <nil>`, `turn 1 "book it"`, `step 1 "" "done"`}}})
	if id := readString(t, "r", tauRuns).Conversations[0].ID; id != "task3-trial1" {
		t.Errorf("the conversation is called %s", id)
	}
}

func TestRealTauBench(t *testing.T) {
	checkReal(t, []realRow{{file: "tau_bench/tau_gpt-4o-airline_4MB.json", format: "tau-bench", conversations: 200, calls: 1164, results: 1164, largest: 8117}})
}

func TestTauBenchSurvives(t *testing.T) { survives(t, "tau-bench", tauRuns) }

func FuzzTauBench(f *testing.F) { fuzzFormat(f, "tau-bench", tauRuns) }
