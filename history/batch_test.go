package history

import "testing"

func TestBatchOutputs(t *testing.T) {
	checkOutlines(t, "openai-chat", []outlineCase{{"OpenAI's, of chat completions", `{"id":"b1","custom_id":"one","response":{"status_code":200,"body":{"id":"r1","model":"m","choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}}],"usage":{"prompt_tokens":3,"completion_tokens":2}}},"error":null}
{"id":"b2","custom_id":"two","response":null,"error":{"code":"expired"}}
`, []string{`conversation 0 model "m" system "" usage &{3 0 2 false}`, `turn 0 ""`, `step 1 "r1" ""`, `a f("{}") no-result`, "line 2: the record has no messages"}}})
	checkOutlines(t, "openai-responses", []outlineCase{{"OpenAI's, of responses", `{"custom_id":"one","response":{"status_code":200,"body":{"id":"r1","object":"response","model":"m","output":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}],"usage":{"input_tokens":3,"output_tokens":2}}},"error":null}
`, []string{`conversation 0 model "m" system "" usage &{3 0 2 false}`, `turn 0 ""`, `step 1 "r1" ""`, `a f("{}") no-result`}}})
	checkOutlines(t, "anthropic-messages", []outlineCase{{"Anthropic's", `{"custom_id":"one","result":{"type":"succeeded","message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"a","name":"f","input":{}}],"usage":{"input_tokens":3,"output_tokens":2}}}}
`, []string{`conversation 0 model "m" system "" usage &{3 0 2 false}`, `turn 0 ""`, `step 1 "m1" ""`, `a f("{}") no-result`}}})
}

func TestFineTuningLines(t *testing.T) {
	checkOutlines(t, "openai-chat", []outlineCase{{"ids repeat between lines; weights say nothing", `{"messages":[{"role":"user","content":"go"},{"role":"assistant","weight":0,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"x"}],"tools":[1],"parallel_tool_calls":false}
{"messages":[{"role":"user","content":"go on"},{"role":"assistant","weight":1,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"y"}],"tools":[1]}
`, []string{`conversation 0 model "" system "[1]" usage <nil>`, `turn 1 "go"`, `step 1 "" ""`, `1 f("{}") = "x"`,
		`conversation 1 model "" system "[1]" usage <nil>`, `turn 1 "go on"`, `step 1 "" ""`, `1 f("{}") = "y"`}}})
}
