package history

import "testing"

// vercelMessages are messages that go to a model, one a line.
const vercelMessages = `{"role":"system","content":"be kind"}
{"role":"user","content":[{"type":"text","text":"go"},{"type":"image","image":"AAAA","mediaType":"image/png"}]}
{"role":"assistant","content":[{"type":"reasoning","text":"hm "},{"type":"text","text":"looking"},{"type":"tool-call","toolCallId":"a","toolName":"f","input":{"n":1}},{"type":"tool-call","toolCallId":"b","toolName":"g","args":{}},{"type":"tool-call","toolCallId":"c","toolName":"h","input":{}},{"type":"tool-call","toolCallId":"d","toolName":"i","input":{}}]}
{"role":"tool","content":[{"type":"tool-result","toolCallId":"b","toolName":"g","output":{"type":"error-text","value":"no"}},{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"json","value":{"k": "\u00fc"}}},{"type":"tool-result","toolCallId":"c","toolName":"h","output":{"type":"content","value":[{"type":"text","text":"x"},{"type":"text","text":"y"},{"type":"media","data":"AAAA","mediaType":"image/png"}]}}]}
{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}
{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","result":"two","isError":true}]}
`

func TestVercelAI(t *testing.T) {
	const head = `conversation 0 model "" system "" usage <nil>`
	checkOutlines(t, "vercel-ai", []outlineCase{
		{"messages for a model", vercelMessages, []string{
			`conversation 0 model "" system "be kind" usage <nil>`, `turn 1 "go" image image/png 4`, `step 1 "" "hm looking"`,
			`a f("{\"n\":1}") = "{\"k\": \"\\u00fc\"}"`, `b g("{}") = "no" error failed`, `c h("{}") = "xy" image image/png 4`, `d i("{}") no-result`,
			`step 2 "" ""`, `a f("{}") = "two" error failed id-reused`}},
		{"messages of a user interface: steps are parts", `{"messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"go"}]},
 {"id":"2","role":"assistant","metadata":{"model":"m","usage":{"inputTokens":100,"outputTokens":7,"totalTokens":107,"cachedInputTokens":60}},"parts":[{"type":"step-start"},{"type":"text","text":"looking"},
 {"type":"tool-f","toolCallId":"a","state":"output-available","input":{"n":1},"output":{"k": 1}},
 {"type":"dynamic-tool","toolName":"g","toolCallId":"b","state":"output-error","input":{},"errorText":"boom"},
 {"type":"tool-h","toolCallId":"c","state":"input-available","input":{},"providerExecuted":true},
 {"type":"step-start"},{"type":"tool-f","toolCallId":"d","state":"output-denied","input":{},"approval":{"id":"x","approved":false,"reason":"not now"}},{"type":"text","text":"done"}]}]}`, []string{
			`conversation 0 model "m" system "" usage &{40 60 7 false}`, `turn 1 "go"`, `step 1 "2" "looking"`,
			`a f("{\"n\":1}") = "{\"k\": 1}"`, `b g("{}") = "boom" error failed`, `c h("{}") no-result,provider-executed`,
			`step 2 "" ""`, `d f("{}") = "not now" error failed`, `step 3 "" "done"`}},
		{"invocations of old", `[{"id":"1","role":"user","content":"go"},{"id":"2","role":"assistant","content":"hi","toolInvocations":[{"state":"result","step":0,"toolCallId":"a","toolName":"f","args":{},"result":"x"},{"state":"call","step":1,"toolCallId":"b","toolName":"f","args":{}}],
 "parts":[{"type":"step-start"},{"type":"tool-invocation","toolInvocation":{"state":"result","step":0,"toolCallId":"a","toolName":"f","args":{},"result":"x"}},{"type":"step-start"},{"type":"tool-invocation","toolInvocation":{"state":"call","step":1,"toolCallId":"b","toolName":"f","args":{}}}]}]`, []string{
			head, `turn 1 "go"`, `step 1 "2" ""`, `a f("{}") = "x"`, `step 2 "" ""`, `b f("{}") no-result`}},
		{"a message that was written again as it grew", `{"id":"1","role":"user","parts":[{"type":"text","text":"go"}]}
{"id":"2","role":"assistant","parts":[{"type":"tool-f","toolCallId":"a","state":"input-available","input":{}}]}
{"id":"2","role":"assistant","parts":[{"type":"tool-f","toolCallId":"a","state":"output-available","input":{},"output":"x"}]}`, []string{
			head, `turn 1 "go"`, `step 1 "2" ""`, `a f("{}") = "x"`}},
		{"requests that repeat their history", `{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}]}
{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"x"}}]}]}`, []string{
			head, `turn 1 "go"`, `step 1 "" ""`, `a f("{}") = "x"`}},
	})
}

const positLines = `{"id":0,"message":{"role":"user","content":"go","providerOptions":{"providerMetadata":{"positai":{"timestamp":1735689600000}}}}}
{"id":1,"message":{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"read","input":{"p":1}},{"type":"tool-call","toolCallId":"b","toolName":"read","input":{"p":2}}],"providerOptions":{"providerMetadata":{"positai":{"modelId":"m-1","usage":{"inputTokens":50,"outputTokens":20,"totalTokens":370,"cacheReadTokens":200,"cacheWriteTokens":100}}}}}}
{"id":2,"message":{"role":"tool","content":[{"type":"tool-result","toolCallId":"b","toolName":"read","output":{"type":"error-text","value":"gone"}},{"type":"tool-result","toolCallId":"a","toolName":"read","output":{"type":"text","value":"x\n"}}]}}
`

func TestPositAssistant(t *testing.T) {
	checkOutlines(t, "posit-assistant", []outlineCase{{"messages in envelopes", positLines, []string{
		`conversation 0 model "m-1" system "" usage &{50 300 20 false}`, `turn 1 "go"`, `step 1 "1" ""`,
		`a read("{\"p\":1}") = "x\n"`, `b read("{\"p\":2}") = "gone" error failed`}}})
}

func TestVercelAISurvives(t *testing.T) {
	survives(t, "vercel-ai", vercelMessages)
	survives(t, "posit-assistant", positLines)
}

func TestRealPositRecordings(t *testing.T) {
	checkReal(t, []realRow{{file: "posit_assistant/posit_lm-messages.jsonl", format: "posit-assistant", conversations: 1, calls: 1, results: 1, largest: 23,
		why: "the index measures the output's JSON; its text has 23 bytes"}})
}

func FuzzVercelAI(f *testing.F) { fuzzFormat(f, "vercel-ai", vercelMessages, positLines) }
