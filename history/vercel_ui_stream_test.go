package history

import "testing"

const uiChunks = `data: {"type":"start","messageId":"m1"}

data: {"type":"start-step"}

data: {"type":"text-start","id":"t"}

data: {"type":"text-delta","id":"t","delta":"look"}

data: {"type":"text-delta","id":"t","delta":"ing\n"}

data: {"type":"text-end","id":"t"}

data: {"type":"tool-input-start","toolCallId":"a","toolName":"f"}

data: {"type":"tool-input-delta","toolCallId":"a","inputTextDelta":"{\"n\":"}

data: {"type":"tool-input-delta","toolCallId":"a","inputTextDelta":"1}"}

data: {"type":"tool-input-available","toolCallId":"a","toolName":"f","input":{"n":1}}

data: {"type":"tool-input-available","toolCallId":"b","toolName":"g","input":{}}

data: {"type":"tool-output-error","toolCallId":"b","errorText":"boom"}

data: {"type":"tool-output-available","toolCallId":"a","output":{"k":0},"preliminary":true}

data: {"type":"tool-output-available","toolCallId":"a","output":{"k": "\u00fc"}}

data: {"type":"finish-step"}

data: {"type":"start-step"}

data: {"type":"tool-input-available","toolCallId":"a","toolName":"f","input":{}}

data: {"type":"tool-output-available","toolCallId":"a","output":"two"}

data: {"type":"text-delta","id":"u","delta":"done"}

data: {"type":"tool-input-start","toolCallId":"c","toolName":"h"}

data: {"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"{}"}

data: {"type":"finish","messageMetadata":{"model":"m-1","totalUsage":{"inputTokens":100,"outputTokens":7,"totalTokens":107,"cachedInputTokens":60}}}

data: [DONE]
`

func TestVercelUIStream(t *testing.T) {
	checkOutlines(t, "vercel-ui-stream", []outlineCase{{"two steps, a preliminary output, an input that was cut", uiChunks, []string{
		`conversation 0 model "m-1" system "" usage &{40 60 7 false}`, `turn 0 ""`, `step 1 "m1" "looking\n"`,
		`a f("{\"n\":1}") = "{\"k\": \"\\u00fc\"}"`, `b g("{}") = "boom" error failed`,
		`step 2 "m1" ""`, `a f("{}") = "two" id-reused`, `step 3 "m1" "done"`, `c h("{}") no-result`}}})
}

func TestVercelUIStreamSurvives(t *testing.T) { survives(t, "vercel-ui-stream", uiChunks) }

func FuzzVercelUIStream(f *testing.F) { fuzzFormat(f, "vercel-ui-stream", uiChunks) }
