package history

import (
	"context"
	"strings"
	"testing"
)

const converseRequest = `{"system":[{"text":"be kind"},{"cachePoint":{"type":"default"}}],"messages":[
 {"role":"user","content":[{"text":"go"},{"image":{"format":"png","source":{"bytes":"AAAA"}}}]},
 {"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}},{"text":"so"},
  {"toolUse":{"toolUseId":"a","name":"f","input":{"q":1}}},{"toolUse":{"toolUseId":"b","name":"g","input":{}}}]},
 {"role":"user","content":[
  {"toolResult":{"toolUseId":"b","status":"error","content":[{"text":"no"}]}},
  {"toolResult":{"toolUseId":"a","status":"success","content":[{"text":"1"},{"json":{"n": 2}},{"document":{"format":"pdf","name":"d","source":{"bytes":"BBBBBB"}}}]}}]},
 {"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}],
"toolConfig":{"tools":[1]}}
`

func TestBedrockConverse(t *testing.T) {
	checkOutlines(t, "bedrock-converse", []outlineCase{
		{"a request", converseRequest, []string{
			`conversation 0 model "" system "be kind[1]" usage <nil>`, `turn 1 "go" image png 4`, `step 1 "" "hmso"`,
			`a f("{\"q\":1}") = "1{\"n\": 2}" document pdf 6`, `b g("{}") = "no" error failed`, `step 2 "" ""`, `a f("{}") no-result,id-reused`}},
		{"a list, and its response beside", `{"messages":[{"role":"user","content":[{"text":"go"}]}],"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}},"usage":{"inputTokens":5,"outputTokens":2,"cacheReadInputTokens":3,"cacheWriteInputTokens":1}}`, []string{
			`conversation 0 model "" system "" usage &{5 4 2 false}`, `turn 1 "go"`, `step 1 "" ""`, `a f("{}") no-result`}},
		{"conversations by name", `{"x":{"system_prompt":"s","messages":[{"role":"user","content":[{"text":"go"}]}]},"y":{"messages":[{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}]}}`, []string{
			`conversation 0 model "" system "s" usage <nil>`, `turn 1 "go"`, `conversation 1 model "" system "" usage <nil>`, `turn 0 ""`, `step 1 "" ""`, `a f("{}") no-result`}},
		{"a message a line, as sessions keep them", `{"message":{"role":"user","content":[{"text":"go"}]},"message_id":0}
{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},"created_at":"2025-01-01T00:00:00Z"}
{"message":{"role":"user","content":[{"toolResult":{"toolUseId":"a","status":"success","content":[{"text":"1"}]}},{"text":"more"}]}}
`, []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" ""`, `a f("{}") = "1"`, `turn 2 "more"`}},
	})
	survives(t, "bedrock-converse", converseRequest)
}

func FuzzBedrockConverse(f *testing.F) { fuzzFormat(f, "bedrock-converse", converseRequest) }

func TestABareListOfConverseMessagesIsNotGooses(t *testing.T) {
	r, err := Read(context.Background(), "a.json", strings.NewReader(`[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"a","status":"success","content":[{"json":{"x":1}}]}}]}]`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Conversations[0]; c.Format != "bedrock-converse" || len(c.Calls()) != 1 || c.Calls()[0].Result == nil {
		t.Errorf("%s with %d calls", c.Format, len(c.Calls()))
	}
}
