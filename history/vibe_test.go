package history

import "testing"

const vibeLines = `{"role":"user","content":"go","message_id":"m1"}
{"role":"assistant","content":"look","message_id":"m2","tool_calls":[{"id":"a","index":0,"function":{"name":"read","arguments":{"p":1}}},{"id":"b","index":1,"function":{"name":"read","arguments":"{}"}}]}
{"role":"tool","content":"two","name":"read","tool_call_id":"b","message_id":"m3"}
{"role":"assistant","content":"","message_id":"m4","tool_calls":[{"id":"b","index":0,"function":{"name":"read","arguments":{}}}]}
{"role":"tool","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}],"name":"read","tool_call_id":"b","message_id":"m5"}
`

func TestVibe(t *testing.T) {
	checkOutlines(t, "vibe", []outlineCase{{"a session", vibeLines, []string{
		`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`,
		`step 1 "m2" "look"`, `a read("{\"p\":1}") no-result`, `b read("{}") = "two"`,
		`step 2 "m4" ""`, `b read("{}") = "xy" id-reused`}}})
}

func TestRealVibe(t *testing.T) {
	checkReal(t, []realRow{{file: "vibe/vibe_messages.jsonl", format: "vibe", conversations: 1, calls: 1, results: 1, largest: 39}})
}

func TestVibeSurvives(t *testing.T) { survives(t, "vibe", vibeLines) }

func FuzzVibe(f *testing.F) { fuzzFormat(f, "vibe", vibeLines) }
