package history

import "testing"

const hermesSession = `{"session_id":"h1","model":"m-1","session_start":"2026-04-29T20:05:00Z","system_prompt":"be brief","tools":[{"name":"shell"}],"messages":[
{"role":"user","content":"go"},{"role":"assistant","content":"look","reasoning_content":"hm ","tool_calls":[{"id":"a","type":"function","function":{"name":"shell","arguments":"{\"c\":1}"}},{"id":"b","type":"function","function":{"name":"shell","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"b","tool_name":"shell","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]},
{"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function","function":{"name":"shell","arguments":"{"}}]},
{"role":"tool","tool_call_id":"b","tool_name":"shell","content":"gone"},{"role":"tool","tool_call_id":"z","tool_name":"web","content":"late"},{"role":"session_meta"}]}`

func TestHermesAgent(t *testing.T) {
	checkOutlines(t, "hermes-agent", []outlineCase{{"a session", hermesSession, []string{
		`conversation 0 model "m-1" system "be brief[{\"name\":\"shell\"}]" usage <nil>`, `turn 1 "go"`,
		`step 1 "" "hm look"`, `a shell("{\"c\":1}") no-result`, `b shell("{}") = "xy"`,
		`step 2 "" ""`, `b shell("{") = "gone" id-reused,invalid-arguments`, `z web("") = "late" orphan-result`}},
		{"an export", `{"id":"h2","source":"cli","model":"m-2","started_at":1700000000.5,"system_prompt":"s","input_tokens":90,"output_tokens":9,"cache_read_tokens":5,"messages":[{"id":1,"role":"user","content":"go"}]}`, []string{
			`conversation 0 model "m-2" system "s" usage &{90 5 9 false}`, `turn 1 "go"`}}})
}

func TestRealHermesAgent(t *testing.T) {
	checkReal(t, []realRow{{file: "hermes_agent/hermes_agent.json", format: "hermes-agent", conversations: 1, calls: 1, results: 1, largest: 37}})
}

func TestHermesAgentSurvives(t *testing.T) { survives(t, "hermes-agent", hermesSession) }

func FuzzHermesAgent(f *testing.F) { fuzzFormat(f, "hermes-agent", hermesSession) }
