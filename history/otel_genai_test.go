package history

import "testing"

// otelExports is a file of a trace exporter, one export a line: two requests, the tools between
// them, the agent around them. The second request repeats the history.
const otelExports = `{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"scope":{"name":"app"},"spans":[{"traceId":"0af7","spanId":"b1","parentSpanId":"a0","name":"chat m","startTimeUnixNano":"1700000001000000000","endTimeUnixNano":"1700000002000000000","status":{},"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.response.model","value":{"stringValue":"m-1"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"100"}},{"key":"gen_ai.usage.output_tokens","value":{"intValue":"7"}},{"key":"gen_ai.system_instructions","value":{"stringValue":"[{\"type\":\"text\",\"content\":\"be kind\"}]"}},{"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"go \\u00fc\"}]}]"}},{"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"looking\"},{\"type\":\"tool_call\",\"id\":\"c1\",\"name\":\"f\",\"arguments\":{\"n\":1}},{\"type\":\"tool_call\",\"id\":\"c2\",\"name\":\"g\",\"arguments\":{}},{\"type\":\"tool_call\",\"id\":\"c3\",\"name\":\"h\",\"arguments\":{}},{\"type\":\"tool_call\",\"id\":\"c4\",\"name\":\"i\",\"arguments\":{}}],\"finish_reason\":\"tool_call\"}]"}}]}]}]}]}
{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7","spanId":"b2","parentSpanId":"a0","name":"execute_tool f","startTimeUnixNano":"1700000003000000000","endTimeUnixNano":"1700000003500000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"f"}},{"key":"gen_ai.tool.call.id","value":{"stringValue":"c1"}},{"key":"gen_ai.tool.call.arguments","value":{"kvlistValue":{"values":[{"key":"n","value":{"intValue":"1"}}]}}},{"key":"gen_ai.tool.call.result","value":{"stringValue":"{\"n\":3}"}}]}]}]}]}
{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7","spanId":"b3","parentSpanId":"a0","name":"execute_tool g","startTimeUnixNano":"1700000003100000000","status":{"code":2,"message":"boom"},"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"g"}},{"key":"gen_ai.tool.call.id","value":{"stringValue":"c2"}}]}]}]}]}
{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7","spanId":"b4","parentSpanId":"a0","name":"chat m","startTimeUnixNano":"1700000004000000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"200"}},{"key":"gen_ai.usage.cache_read.input_tokens","value":{"intValue":"90"}},{"key":"gen_ai.usage.output_tokens","value":{"intValue":"5"}},{"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"go ü\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"looking\"},{\"type\":\"tool_call\",\"id\":\"c1\",\"name\":\"f\",\"arguments\":{\"n\":1}},{\"type\":\"tool_call\",\"id\":\"c2\",\"name\":\"g\",\"arguments\":{}},{\"type\":\"tool_call\",\"id\":\"c3\",\"name\":\"h\",\"arguments\":{}},{\"type\":\"tool_call\",\"id\":\"c4\",\"name\":\"i\",\"arguments\":{}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"c1\",\"response\":{\"n\":3}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"c3\",\"result\":[{\"type\":\"text\",\"text\":\"one \\\"1\\\"\"},{\"type\":\"text\",\"text\":\"two\"},{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"}]}]}]"}},{"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c1\",\"name\":\"f\",\"arguments\":{\"n\":2}}]}]"}}]}]}]}]}
{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7","spanId":"b5","parentSpanId":"a0","name":"execute_tool f","startTimeUnixNano":"1700000005000000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"f"}},{"key":"gen_ai.tool.call.id","value":{"stringValue":"c1"}},{"key":"gen_ai.tool.call.result","value":{"stringValue":"again"}}]},{"traceId":"0af7","spanId":"a0","name":"invoke_agent x","startTimeUnixNano":"1700000000000000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}},{"key":"gen_ai.agent.name","value":{"stringValue":"x"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"300"}},{"key":"gen_ai.usage.output_tokens","value":{"intValue":"12"}}]}]}]}]}
`

func TestOtelGenAI(t *testing.T) {
	const head = `conversation 0 model "" system "" usage <nil>`
	checkOutlines(t, "otel-genai", []outlineCase{
		{"exports of one trace", otelExports, []string{
			`conversation 0 model "m-1" system "be kind" usage &{210 90 12 false}`, `turn 1 "go ü"`, `step 1 "" "looking"`,
			`c1 f("{\"n\":1}") = "{\"n\":3}"`, `c2 g("{}") = "boom" error failed`, `c3 h("{}") = "one \"1\"two" image image/png 4`, `c4 i("{}") no-result`,
			`step 2 "" ""`, `c1 f("{\"n\":2}") = "again" id-reused`}},
		{"messages in an event, bodies as objects", `[{"trace_id":"t","span_id":"1","name":"chat","start_time":1700000000000000000,"attributes":{"gen_ai.operation.name":"chat"},
 "events":[{"name":"gen_ai.client.inference.operation.details","attributes":{"gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"go"}]}],"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f","arguments":{"x":1}}]}]}}]},
 {"trace_id":"t","span_id":"2","name":"execute_tool f","start_time":1700000001000000000,"attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.arguments":"{\"x\": 1}","gen_ai.tool.call.result":"ok"}}]`, []string{
			head, `turn 1 "go"`, `step 1 "" ""`, `a f("{\"x\":1}") = "ok" paired-by-name`}},
		{"an event a message", `{"spans":[{"trace_id":"t","span_id":"1","name":"chat","attributes":{"gen_ai.system":"x"},"events":[
 {"name":"gen_ai.system.message","attributes":{"content":"be kind"}},{"name":"gen_ai.user.message","attributes":{"content":"go"}},
 {"name":"gen_ai.assistant.message","body":{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}},
 {"name":"gen_ai.tool.message","attributes":{"id":"a","content":"x"}},
 {"name":"gen_ai.choice","attributes":{"message":"[{\"text\":\"done\"},{\"toolUse\":{\"toolUseId\":\"b\",\"name\":\"g\",\"input\":{}}}]","finish_reason":"tool_use"}}]}]}`, []string{
			`conversation 0 model "" system "be kind" usage <nil>`, `turn 1 "go"`, `step 1 "" ""`, `a f("{}") = "x"`, `step 2 "" "done"`, `b g("{}") no-result`}},
		{"log records of a span", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[
 {"traceId":"t","spanId":"1","eventName":"gen_ai.user.message","body":{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"go"}}]}}},
 {"traceId":"t","spanId":"1","eventName":"gen_ai.choice","body":{"kvlistValue":{"values":[{"key":"index","value":{"intValue":"0"}},{"key":"message","value":{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"hi"}}]}}}]}}}]}]}]}
{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"1","name":"chat m","attributes":[{"key":"gen_ai.request.model","value":{"stringValue":"m"}}]}]}]}]}`, []string{
			`conversation 0 model "m" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "hi"`}},
		{"fields of messages as attributes", `[{"trace_id":"t","span_id":"1","name":"openai.chat","attributes":{"gen_ai.request.model":"m","gen_ai.prompt.0.role":"user","gen_ai.prompt.0.content":"go",
 "gen_ai.prompt.1.role":"assistant","gen_ai.prompt.1.tool_calls.0.id":"a","gen_ai.prompt.1.tool_calls.0.name":"f","gen_ai.prompt.1.tool_calls.0.arguments":"{}",
 "gen_ai.prompt.2.role":"tool","gen_ai.prompt.2.tool_call_id":"a","gen_ai.prompt.2.content":"x","gen_ai.completion.0.role":"assistant","gen_ai.completion.0.content":"done"}}]`, []string{
			`conversation 0 model "m" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" ""`, `a f("{}") = "x"`, `step 2 "" "done"`}},
		{"telemetry of the AI SDK", `[{"trace_id":"t","span_id":"0","name":"ai.generateText","attributes":{"ai.prompt":"{\"prompt\":\"go\"}","ai.response.text":"done","ai.usage.promptTokens":9,"ai.usage.completionTokens":3}},
 {"trace_id":"t","span_id":"1","parent_span_id":"0","name":"ai.generateText.doGenerate","attributes":{"ai.prompt.messages":"[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"go\"}]}]","ai.response.toolCalls":"[{\"toolCallId\":\"a\",\"toolName\":\"f\",\"input\":{}}]","ai.usage.promptTokens":4,"ai.usage.completionTokens":1}},
 {"trace_id":"t","span_id":"2","parent_span_id":"0","name":"ai.toolCall","attributes":{"ai.toolCall.id":"a","ai.toolCall.name":"f","ai.toolCall.args":"{}","ai.toolCall.result":"7"}},
 {"trace_id":"t","span_id":"3","parent_span_id":"0","name":"ai.generateText.doGenerate","attributes":{"ai.prompt.messages":"[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"go\"}]},{\"role\":\"assistant\",\"content\":[{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"f\",\"input\":{}}]},{\"role\":\"tool\",\"content\":[{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"f\",\"output\":{\"type\":\"json\",\"value\":7}}]}]","ai.response.text":"done","ai.usage.promptTokens":5,"ai.usage.completionTokens":2}}]`, []string{
			`conversation 0 model "" system "" usage &{9 0 3 false}`, `turn 1 "go"`, `step 1 "" ""`, `a f("{}") = "7"`, `step 2 "" "done"`}},
		{"a subagent in a tool is a thread", `[{"trace_id":"t","span_id":"1","name":"chat","start_time":1700000001,"attributes":{"gen_ai.operation.name":"chat","gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"go\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"ask\",\"arguments\":{}}]}]"}},
 {"trace_id":"t","span_id":"2","name":"execute_tool ask","start_time":1700000002,"attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"ask","gen_ai.tool.call.id":"a","gen_ai.tool.call.result":"42"}},
 {"trace_id":"t","span_id":"3","parent_span_id":"2","name":"chat","start_time":1700000003,"attributes":{"gen_ai.operation.name":"chat","gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"sub\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"42\"}]}]"}}]`, []string{
			head, `turn 1 "go"`, `step 1 "" ""`, `a ask("{}") = "42"`, head, `turn 1 "sub"`, `step 1 "" "42"`}},
		{"attributes that the recorder cut", `[{"trace_id":"t","span_id":"1","name":"chat","start_time":1700000001,"attributes":{"gen_ai.operation.name":"chat","gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"[cut here?\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"f\",\"arguments\":{}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"a\",\"response\":\"lon"}},
 {"trace_id":"t","span_id":"2","name":"execute_tool f","start_time":1700000002,"attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.id":"a","gen_ai.tool.call.result":"{\"k\":\"long"}}]`, []string{
			head, `turn 1 "[cut here?"`, `step 1 "" ""`, `a f("{}") = "{\"k\":\"long"`, `step 2 "" ""`,
			"line 1: the recorder cut a list of messages: what is complete of it is read"}},
	})
}

func TestOtelGenAIFlagsResultsThatTheRecorderCut(t *testing.T) {
	for result, want := range map[string]Flags{`{\"k\":\"lon`: TruncatedByRecorder, `[1, 2`: TruncatedByRecorder, `[INFO] {`: 0, `{\"k\":1}`: 0, `long…`: 0} {
		rec := readAs(t, "otel-genai", `[{"trace_id":"t","span_id":"2","name":"x","attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.result":"`+result+`"}}]`)
		if got := rec.Conversations[0].Calls()[0].Result.Flags; got != want {
			t.Errorf("%s is flagged %v, should be %v", result, got.Names(), want.Names())
		}
	}
}

func TestOtelGenAISaysWhereAResultIs(t *testing.T) {
	rec := readAs(t, "otel-genai", otelExports)
	at := rec.Conversations[0].Calls()[2].Result.At
	if at.Line != 4 {
		t.Errorf("the result in the message is said to be in line %d, should be 4", at.Line)
	}
}

func TestOtelGenAISurvives(t *testing.T) { survives(t, "otel-genai", otelExports) }

func TestRealOtelGenAIRecordings(t *testing.T) {
	checkReal(t, []realRow{
		{file: "otel_genai/spans_genai_convention.json", format: "otel-genai", conversations: 1, calls: 2, results: 2, largest: 19,
			why: "the index counts one of them twice, in its tool's span and in a message"},
		{file: "otel_genai/spans_openai_agents_genai.json", format: "otel-genai", conversations: 1, calls: 5, results: 5, largest: 241,
			why: "the index counts tools' spans and messages of the same five"},
		{file: "otel_genai/spans_openai_agents_genai_adot.json", format: "otel-genai", conversations: 1, calls: 1, results: 1, largest: 5},
		{file: "otel_genai/span_gemini_llm_call.json", format: "otel-genai", conversations: 1},
	})
}

func FuzzOtelGenAI(f *testing.F) { fuzzFormat(f, "otel-genai", otelExports) }
