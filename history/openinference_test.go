package history

import "testing"

// openInferenceSpans is a dump with one span a line: a request, its tools, and the next request,
// which has the history and the results again.
const openInferenceSpans = `{"name":"llm","context":{"trace_id":"0xt","span_id":"0x1"},"parent_id":"0x0","start_time":"2026-01-02T03:04:05.000001Z","end_time":"2026-01-02T03:04:06Z","status":{"status_code":"OK"},"attributes":{"openinference.span.kind":"LLM","llm.model_name":"m-1","llm.token_count.prompt":100,"llm.token_count.completion":7,"llm.token_count.prompt_details.cache_read":60,"llm.input_messages.0.message.role":"system","llm.input_messages.0.message.content":"be kind","llm.input_messages.1.message.role":"user","llm.input_messages.1.message.contents.0.message_content.type":"text","llm.input_messages.1.message.contents.0.message_content.text":"go","llm.input_messages.1.message.contents.1.message_content.type":"image","llm.input_messages.1.message.contents.1.message_content.image.image.url":"data:image/png;base64,AAAA","llm.output_messages.0.message.role":"assistant","llm.output_messages.0.message.tool_calls.0.tool_call.id":"a","llm.output_messages.0.message.tool_calls.0.tool_call.function.name":"f","llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments":"{\"n\":1}","llm.output_messages.0.message.tool_calls.1.tool_call.id":"b","llm.output_messages.0.message.tool_calls.1.tool_call.function.name":"f","llm.output_messages.0.message.tool_calls.1.tool_call.function.arguments":"{\"n\":2}","llm.output_messages.0.message.tool_calls.2.tool_call.id":"c","llm.output_messages.0.message.tool_calls.2.tool_call.function.name":"g","llm.output_messages.0.message.tool_calls.2.tool_call.function.arguments":"{"}}
{"name":"f","context":{"trace_id":"0xt","span_id":"0x2"},"parent_id":"0x0","start_time":"2026-01-02T03:04:07Z","status":{"status_code":"ERROR","description":"no such n"},"attributes":{"openinference.span.kind":"TOOL","tool.name":"f","input.value":"{\"n\": 2}"}}
{"name":"f","context":{"trace_id":"0xt","span_id":"0x3"},"parent_id":"0x0","start_time":"2026-01-02T03:04:08Z","status":{"status_code":"OK"},"attributes":{"openinference.span.kind":"TOOL","tool.name":"f","input.value":"{\"n\": 1}","output.value":"one \u00fc"}}
{"name":"llm","context":{"trace_id":"0xt","span_id":"0x4"},"parent_id":"0x0","start_time":"2026-01-02T03:04:09Z","status":{"status_code":"OK"},"attributes":{"openinference":{"span":{"kind":"LLM"}},"llm":{"model_name":"m-1","token_count":{"prompt":200,"completion":5},"input_messages":[{"message":{"role":"system","content":"be kind"}},{"message":{"role":"user","contents":[{"message_content":{"type":"text","text":"go"}},{"message_content":{"type":"image","image":{"image":{"url":"data:image/png;base64,AAAA"}}}}]}},{"message":{"role":"assistant","tool_calls":[{"tool_call":{"id":"a","function":{"name":"f","arguments":"{\"n\":1}"}}},{"tool_call":{"id":"b","function":{"name":"f","arguments":"{\"n\":2}"}}},{"tool_call":{"id":"c","function":{"name":"g","arguments":"{"}}}]}},{"message":{"role":"tool","tool_call_id":"a","content":"one ü"}},{"message":{"role":"tool","tool_call_id":"b","content":"Error: no such n"}}],"output_messages":[{"message":{"role":"assistant","content":"hm","tool_calls":[{"tool_call":{"id":"a","function":{"name":"f","arguments":"{}"}}}]}}]}}}
{"name":"agent","context":{"trace_id":"0xt","span_id":"0x0"},"start_time":"2026-01-02T03:04:05Z","status":{"status_code":"OK"},"attributes":{"openinference.span.kind":"AGENT","input.value":"go","output.value":"hm","llm.token_count.prompt":300,"llm.token_count.completion":12}}
`

func TestOpenInference(t *testing.T) {
	checkOutlines(t, "openinference", []outlineCase{
		{"requests, tools and an agent around them", openInferenceSpans, []string{
			`conversation 0 model "m-1" system "be kind" usage &{240 60 12 false}`, `turn 1 "go" image image/png 26`, `step 1 "" ""`,
			`a f("{\"n\":1}") = "one ü"`, `b f("{\"n\":2}") = "Error: no such n" error failed paired-by-name`, `c g("{") no-result,invalid-arguments`,
			`step 2 "" "hm"`, `a f("{}") no-result,id-reused`}},
		{"an agent without requests of its own, a framework's tool message", `[{"trace_id":"t","span_id":"1","name":"a","start_time":1,"attributes":{"openinference.span.kind":"AGENT","input.value":"go","output.value":"done"}},
 {"trace_id":"t","span_id":"2","parent_span_id":"1","name":"f","start_time":2,"attributes":{"openinference.span.kind":"TOOL","tool.name":"f","input.value":"{}","output.value":"{\"output\":{\"lc\":1,\"type\":\"constructor\",\"id\":[\"langchain\",\"ToolMessage\"],\"kwargs\":{\"content\":\"7\",\"tool_call_id\":\"c\",\"status\":\"error\"}}}"}}]`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "done"`, `c f("{}") = "7" error failed`}},
	})
}

func TestOpenInferenceSurvives(t *testing.T) { survives(t, "openinference", openInferenceSpans) }

func TestRealOpenInferenceRecordings(t *testing.T) {
	checkReal(t, []realRow{
		{file: "openinference/spans_claude.json", format: "openinference", conversations: 1, calls: 6, results: 6, largest: 354},
		{file: "openinference/spans_openai_agents_openinference.json", format: "openinference", conversations: 1, calls: 4, results: 4, largest: 167,
			why: "the index counts tools' spans and messages of the same four"},
	})
}

func FuzzOpenInference(f *testing.F) { fuzzFormat(f, "openinference", openInferenceSpans) }
