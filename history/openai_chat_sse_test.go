package history

import "testing"

// chatChunks is two streamed responses: parallel calls in pieces, one cut; then a reused id.
const chatChunks = `data: {"id":"r1","object":"chat.completion.chunk","created":1757015046,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"h"}}]}

data: {"id":"r1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"reasoning_content":"m"}}]}

data: {"id":"r1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"ok","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"n\\\""}}]}}]}

data: {"id":"r1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":"{"}},{"index":0,"function":{"arguments":"\":1}"}}]}}]}

data: {"id":"r1","object":"chat.completion.chunk","choices":[{"index":1,"delta":{"content":"another choice"}}]}

data: {"id":"r1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":null}

data: {"id":"r1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":6}}}

data: [DONE]

data: {"id":"r2","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":{"n":2}}},{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}]}
`

func TestOpenAIChatSSE(t *testing.T) {
	checkOutlines(t, "openai-chat-sse", []outlineCase{
		{"pieces join by index", chatChunks, []string{
			`conversation 0 model "m" system "" usage &{4 6 4 false}`, `turn 0 ""`, `step 1 "r1" "hmok"`,
			`a f("{\"n\\\"\":1}") no-result`, `b g("{") no-result,invalid-arguments`,
			`step 2 "r2" ""`, `a f("{\"n\":2}") no-result,id-reused`, `c f("{}") no-result`}},
		{"the first version's function, cut before its end", `{"id":"r","object":"chat.completion.chunk","choices":[{"delta":{"function_call":{"name":"f","arguments":""}}}]}
{"id":"r","object":"chat.completion.chunk","choices":[{"delta":{"function_call":{"arguments":"{}"}}}]}
{"error":{"message":"gone"}}
{"x":1}
`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 0 ""`, `step 1 "r" ""`, `line1-0 f("{}") no-result,synthetic-id`,
			"line 3: the stream ended with an error", "line 4: the record is no chunk of a chat completion", "line 1: the stream that begins here ends without a finish reason"}},
	})
	survives(t, "openai-chat-sse", chatChunks)
}

func FuzzOpenAIChatSSE(f *testing.F) { fuzzFormat(f, "openai-chat-sse", chatChunks) }
