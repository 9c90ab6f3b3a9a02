package history

import "testing"

// responseEvents is a streamed response of parallel calls and a call that the provider ran, and one
// that is cut before its end.
const responseEvents = `event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"r1","object":"response","created_at":1757015046,"model":"m","instructions":"be kind","tools":[],"output":[],"usage":null}}

event: response.output_item.added
data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"a","name":"f","arguments":""}}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","output_index":0,"delta":"{}"}

event: response.output_item.done
data: {"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}}

data: {"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"b","name":"f","arguments":"{"}}

data: {"type":"response.output_item.done","output_index":2,"item":{"type":"mcp_call","id":"c","name":"g","arguments":"{}","output":"[1]","error":null}}

data: {"type":"response.output_item.done","output_index":3,"item":{"type":"mcp_call","id":"c","name":"g","arguments":"{}","output":null,"error":"gone"}}

data: {"type":"response.completed","response":{"id":"r1","object":"response","created_at":1757015046,"model":"m","output":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}],"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":2}}}

data: {"type":"response.created","response":{"id":"r2","model":"m"}}

data: {"type":"response.output_item.done","output_index":0,"item":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"so"}]}}
`

func TestOpenAIResponsesSSE(t *testing.T) {
	checkOutlines(t, "openai-responses-sse", []outlineCase{
		{"items count where they are done, once", responseEvents, []string{
			`conversation 0 model "m" system "be kind[]" usage &{5 4 2 false}`, `turn 0 ""`, `step 1 "r1" ""`,
			`a f("{}") no-result`, `b f("{") no-result,invalid-arguments`, `c g("{}") = "[1]" provider-executed`, `c g("{}") = "gone" error failed id-reused,provider-executed`,
			`step 2 "" "so"`, "line 21: the response that begins here has no end"}},
		{"only the complete response", `{"type":"response.completed","response":{"id":"r1","output":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}],"usage":{"input_tokens":1,"output_tokens":2}}}
{"type":"response.failed","response":{"id":"r2","output":[]}}
`, []string{
			`conversation 0 model "" system "" usage &{1 0 2 false}`, `turn 0 ""`, `step 1 "r1" ""`, `a f("{}") no-result`, "line 2: the response failed"}},
	})
	survives(t, "openai-responses-sse", responseEvents)
}

func FuzzOpenAIResponsesSSE(f *testing.F) { fuzzFormat(f, "openai-responses-sse", responseEvents) }
