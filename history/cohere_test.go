package history

import "testing"

const cohereRequest = `{"model":"command","messages":[{"role":"system","content":"be kind"},{"role":"user","content":"go"},
 {"role":"assistant","tool_plan":"I will look. ","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"q\":1}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]},
 {"role":"tool","tool_call_id":"b","content":[{"type":"document","document":{"id":"1","data":"{\"n\":1}"}},{"type":"document","document":{"data":{"n": 2}}}]},
 {"role":"tool","tool_call_id":"a","content":"Error: none"},
 {"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"so"}],"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}}]}],"tools":[1]}
`

func TestCohere(t *testing.T) {
	checkOutlines(t, "cohere", []outlineCase{
		{"a request", cohereRequest, []string{
			`conversation 0 model "command" system "[1]be kind" usage <nil>`, `turn 1 "go"`, `step 1 "" "I will look. "`,
			`a f("{\"q\":1}") = "Error: none"`, `b g("{}") = "{\"n\":1}{\"n\": 2}"`, `step 2 "" "hmso"`, `a f("{") no-result,id-reused,invalid-arguments`}},
		{"a cassette of a stream", cassetteOf([3]string{"/v2/chat", `{"messages":[{"role":"user","content":"go"}],"model":"command"}`,
			"|\n        event: message-start\n        data: {\"id\":\"r1\",\"type\":\"message-start\",\"delta\":{\"message\":{\"role\":\"assistant\",\"content\":[],\"tool_plan\":\"\"}}}\n\n" +
				"        data: {\"type\":\"tool-plan-delta\",\"delta\":{\"message\":{\"tool_plan\":\"I \"}}}\n\n        data: {\"type\":\"tool-plan-delta\",\"delta\":{\"message\":{\"tool_plan\":\"look\"}}}\n\n" +
				"        data: {\"type\":\"tool-call-start\",\"index\":0,\"delta\":{\"message\":{\"tool_calls\":{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}}}}\n\n" +
				"        data: {\"type\":\"tool-call-delta\",\"index\":0,\"delta\":{\"message\":{\"tool_calls\":{\"function\":{\"arguments\":\"{}\"}}}}}\n\n" +
				"        data: {\"type\":\"message-end\",\"delta\":{\"usage\":{\"billed_units\":{\"input_tokens\":1,\"output_tokens\":1},\"tokens\":{\"input_tokens\":90,\"output_tokens\":8}}}}\n"}), []string{
			`conversation 0 model "command" system "" usage &{90 0 8 false}`, `turn 1 "go"`, `step 1 "r1" "I look"`, `a f("{}") no-result`}},
	})
	survives(t, "cohere", cohereRequest)
}

func FuzzCohere(f *testing.F) { fuzzFormat(f, "cohere", cohereRequest) }
