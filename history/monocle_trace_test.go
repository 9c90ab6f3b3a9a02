package history

import "testing"

// monocleSpans is a trace with two requests, three tools and the spans of another instrumentation.
// The format has no call ids and no results of several parts.
const monocleSpans = `{"name":"generate","context":{"trace_id":"0xt","span_id":"0x2"},"parent_id":"0x1","start_time":"2026-01-02T03:04:05Z","status":{"status_code":"OK"},"attributes":{"monocle_apptrace.version":"0.5.3","span.type":"inference","entity.1.type":"inference.gemini","entity.2.name":"m-1","entity.2.type":"model.llm.m-1","entity.count":2},"events":[{"name":"data.input","attributes":{"input":["{\"system\": \"be kind\"}","{\"user\": \"go\"}"]}},{"name":"data.output","attributes":{}},{"name":"metadata","attributes":{"completion_tokens":6,"prompt_tokens":181,"total_tokens":187}}]}
{"name":"execute_tool f","context":{"trace_id":"0xother","span_id":"0x9"},"start_time":"2026-01-02T03:04:06Z","status":{"status_code":"OK"},"attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.result":"one"},"events":[]}
{"name":"run_async","context":{"trace_id":"0xt","span_id":"0x3"},"parent_id":"0x1","start_time":"2026-01-02T03:04:06Z","status":{"status_code":"OK"},"attributes":{"monocle_apptrace.version":"0.5.3","span.type":"agentic.tool.invocation","entity.1.type":"tool.adk","entity.1.name":"f"},"events":[{"name":"data.input","attributes":{"input":"{\"n\": 1}"}},{"name":"data.output","attributes":{"response":"one \u00fc"}}]}
{"name":"run_async","context":{"trace_id":"0xt","span_id":"0x4"},"parent_id":"0x1","start_time":"2026-01-02T03:04:06.5Z","status":{"status_code":"ERROR","description":"boom"},"attributes":{"monocle_apptrace.version":"0.5.3","span.type":"agentic.tool.invocation","entity.1.type":"tool.adk","entity.1.name":"f"},"events":[{"name":"data.input","attributes":{"input":"{'n': 2}"}},{"name":"data.output","attributes":{}}]}
{"name":"run_async","context":{"trace_id":"0xt","span_id":"0x5"},"parent_id":"0x1","start_time":"2026-01-02T03:04:07Z","status":{"status_code":"OK"},"attributes":{"monocle_apptrace.version":"0.5.3","span.type":"agentic.tool.invocation","entity.1.type":"tool.adk","entity.1.name":"g"},"events":[]}
{"name":"generate","context":{"trace_id":"0xt","span_id":"0x6"},"parent_id":"0x1","start_time":"2026-01-02T03:04:08Z","status":{"status_code":"OK"},"attributes":{"monocle_apptrace.version":"0.5.3","span.type":"inference","entity.2.name":"m-1","entity.2.type":"model.llm.m-1"},"events":[{"name":"data.input","attributes":{"input":["{\"system\": \"be kind\"}","{\"user\": \"go\"}","{\"model\": null}","{\"user\": null}"]}},{"name":"data.output","attributes":{"response":"{\"model\": \"done\"}"}},{"name":"metadata","attributes":{"completion_tokens":25,"prompt_tokens":215}}]}
{"name":"agent","context":{"trace_id":"0xt","span_id":"0x1"},"parent_id":null,"start_time":"2026-01-02T03:04:04Z","status":{"status_code":"OK"},"attributes":{"monocle_apptrace.version":"0.5.3","span.type":"agentic.invocation","entity.1.type":"agent.adk","entity.1.name":"helper"},"events":[{"name":"data.input","attributes":{"query":"go"}},{"name":"data.output","attributes":{"response":"done"}}]}
`

func TestMonocleTrace(t *testing.T) {
	checkOutlines(t, "monocle-trace", []outlineCase{
		{"requests and tools, beside another instrumentation", monocleSpans, []string{
			`conversation 0 model "m-1" system "be kind" usage &{396 0 31 false}`, `turn 1 "go"`, `step 1 "" ""`,
			`line3-0 f("{\"n\": 1}") = "one ü" synthetic-id`, `line4-1 f("{'n': 2}") = "boom" error failed synthetic-id,invalid-arguments`,
			`line5-2 g("") no-result,synthetic-id`, `step 2 "" "done"`}},
	})
}

func TestMonocleTraceSurvives(t *testing.T) { survives(t, "monocle-trace", monocleSpans) }

func TestRealMonocleRecordings(t *testing.T) {
	checkReal(t, []realRow{{file: "monocle_trace/monocle_adk.json", format: "monocle-trace", conversations: 1, calls: 1, results: 1, largest: 133,
		why: "two instrumentations tell of one call; the index knows neither"}})
}

func FuzzMonocleTrace(f *testing.F) { fuzzFormat(f, "monocle-trace", monocleSpans) }
