package history

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"testing"
)

// chatCassette is what Go's recorder writes: a stream of two parallel calls, of which one result has
// two parts; then a call with a reused id whose result is missing. A title is asked for in between.
const chatCassette = `---
version: 2
interactions:
- id: 0
  request:
    body: '{"messages":[{"role":"system","content":"at 10:00"},{"role":"user","content":"stock?"}],"tools":[{"type":"function"}],"model":"m"}'
    url: https://api.example/v1/chat/completions
    method: POST
  response:
    body: |+
      : PROCESSING

      data: {"id":"r1","object":"chat.completion.chunk","created":1757015046,"model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":"I'll "}}]}

      data: {"id":"r1","choices":[{"index":0,"delta":{"content":"look \ud83d"}}]}

      data: {"id":"r1","choices":[{"index":0,"delta":{"content":"\ude00","tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"stock","arguments":""}}]}}]}

      data: {"id":"r1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"","function":{"arguments":"{\"sku\""}},{"index":1,"id":"c2","function":{"name":"price","arguments":"{\"sku\":7}"}}]}}]}

      data: {"id":"r1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":7}"}}]},"finish_reason":"tool_calls"}]}

      data: {"id":"r1","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60}}}

      data: [DONE]

    status: 200 OK
    code: 200
- id: 1
  request:
    body: '{"messages":[{"role":"user","content":"a title for: stock?"}],"model":"m"}'
    url: https://api.example/v1/chat/completions
  response:
    body: '{"choices":[{"message":{"role":"assistant","content":"Stock"}}]}'
- id: 2
  request:
    body: '{"messages":[{"role":"system","content":"at 10:01"},{"role":"user","content":"stock?"},{"role":"assistant","content":"I''ll look 😀","tool_calls":[{"id":"c1","type":"function","function":{"name":"stock","arguments":"{\"sku\":7}"}},{"id":"c2","type":"function","function":{"name":"price","arguments":"{\"sku\":7}"}}]},{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"9"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},{"role":"tool","tool_call_id":"c1","content":"Error: none"}],"tools":[{"type":"function"}],"model":"m"}'
    url: https://api.example/v1/chat/completions
  response:
    body: '{"id":"r2","model":"m-1","choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"stock","arguments":"{\"sku\":8}"}}]}}],"usage":{"prompt_tokens":150,"completion_tokens":5}}'
- id: 3
  request:
    body: ''
    url: https://cdn.example/logo.png
  response:
    body: not JSON
`

func TestCassetteIsReadOnceThoughRequestsRepeatIt(t *testing.T) {
	checkOutlines(t, "vcr", []outlineCase{{"streamed chat", chatCassette, []string{
		`conversation 0 model "m-1" system "[{\"type\":\"function\"}]at 10:00" usage &{190 60 12 false}`,
		`turn 1 "stock?"`, `step 1 "r1" "I'll look 😀"`,
		`c1 stock("{\"sku\":7}") = "Error: none"`, `c2 price("{\"sku\":7}") = "9" image image/png 26`,
		`step 2 "r2" ""`, `c1 stock("{\"sku\":8}") no-result,id-reused`,
	}}})
	survives(t, "vcr", chatCassette)
}

func TestCassettePlaces(t *testing.T) {
	rec := readString(t, "tape.yaml", chatCassette)
	calls := rec.Conversations[0].Calls()
	for _, c := range []struct {
		what string
		got  Location
		line string
	}{
		{"a call in a stream", calls[0].At, "    body: |+"},
		{"a result in a request", calls[0].Result.At, `    body: '{"messages":[{"role":"system","content":"at 10:01"`},
	} {
		offset := strings.Index(chatCassette, c.line)
		want := Location{"tape.yaml", strings.Count(chatCassette[:offset], "\n") + 1, int64(offset)}
		if c.got != want {
			t.Errorf("%s lies at %+v, should be %+v", c.what, c.got, want)
		}
	}
}

// cassetteOf is what Python's recorder writes, with bodies as they are given.
func cassetteOf(exchanges ...[3]string) string {
	var b strings.Builder
	b.WriteString("interactions:\n")
	for _, x := range exchanges {
		b.WriteString("- request:\n    uri: https://api.example" + x[0] + "\n    body: '" + strings.ReplaceAll(x[1], "'", "''") + "'\n")
		b.WriteString("  response:\n    body:\n      string: " + x[2] + "\n")
	}
	return b.String() + "version: 1\n"
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func gzippedYAML(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return "!!binary |\n        " + base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestCassettesOfOtherAPIs(t *testing.T) {
	const ask = `{"max_tokens":9,"system":"be kind","messages":[{"role":"user","content":"go"}]}`
	anthropic := cassetteOf(
		[3]string{"/v1/messages", ask, gzippedYAML(t, `{"type":"message","role":"assistant","id":"m1","model":"claude","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t1","name":"f","input":{"q": 1}}],"usage":{"input_tokens":5,"cache_read_input_tokens":2,"output_tokens":3}}`)},
		[3]string{"/v1/messages/count_tokens", ask, quoted(`{"input_tokens":5}`)},
		[3]string{"/v1/messages", `{"max_tokens":9,"system":"be kind","messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t1","name":"f","input":{"q":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"no"}]}]}`,
			"|\n        event: message_start\n        data: {\"type\":\"message_start\",\"message\":{\"id\":\"m2\",\"role\":\"assistant\",\"content\":[],\"usage\":{\"input_tokens\":8,\"output_tokens\":1}}}\n\n" +
				"        data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" +
				"        data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"bye\"}}\n\n" +
				"        data: {\"type\":\"message_delta\",\"delta\":{},\"usage\":{\"output_tokens\":4}}\n"})
	responses := cassetteOf(
		[3]string{"/v1/responses", `{"input":"go","instructions":"be kind","model":"m"}`, "|\n        event: response.output_item.done\n        data: {\"type\":\"response.output_item.done\",\"item\":{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"f\",\"arguments\":\"{}\"}}\n\n" +
			"        event: response.completed\n        data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"object\":\"response\",\"model\":\"m-1\",\"output\":[{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"f\",\"arguments\":\"{}\"}],\"usage\":{\"input_tokens\":3,\"output_tokens\":2}}}\n"},
		[3]string{"/v1/responses", `{"input":[{"type":"function_call_output","call_id":"a","output":"1"}],"previous_response_id":"r1","model":"m"}`,
			quoted(`{"id":"r2","object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}],"usage":{"input_tokens":4,"output_tokens":1}}`)})
	checkOutlines(t, "vcr", []outlineCase{
		{"Anthropic: compressed, then streamed; other spacing in the copy", anthropic, []string{
			`conversation 0 model "claude" system "be kind" usage &{13 2 7 false}`, `turn 1 "go"`, `step 1 "m1" "a"`, `t1 f("{\"q\": 1}") = "no" error failed`, `step 2 "m2" "bye"`}},
		{"Responses: one names the response that it goes on with", responses, []string{
			`conversation 0 model "m-1" system "be kind" usage &{7 0 3 false}`, `turn 1 "go"`, `step 1 "r1" ""`, `a f("{}") = "1"`, `step 2 "r2" "ok"`}},
		{"an answer that failed is asked for again", cassetteOf(
			[3]string{"/v1/chat/completions", `{"messages":[{"role":"user","content":"go"}]}`, quoted(`{"error":{"message":"busy"}}`)},
			[3]string{"/v1/chat/completions", `{"messages":[{"role":"user","content":"go"}]}`, quoted(`{"choices":[{"message":{"role":"assistant","content":"hi"}}]}`)}), []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "hi"`}},
		{"the same question twice is two conversations", cassetteOf(
			[3]string{"/v1/chat/completions", `{"messages":[{"role":"user","content":"go"}]}`, quoted(`{"choices":[{"message":{"role":"assistant","content":"a"}}]}`)},
			[3]string{"/v1/chat/completions", `{"messages":[{"role":"user","content":"go"}]}`, quoted(`{"choices":[{"message":{"role":"assistant","content":"b"}}]}`)}), []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "a"`, `conversation 1 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "b"`}},
		{"a client gives calls ids of its own, which their results have", cassetteOf(
			[3]string{"/v1/chat/completions", `{"messages":[{"role":"user","content":"go"}]}`, quoted(`{"id":"r1","choices":[{"message":{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`)},
			[3]string{"/v1/chat/completions", `{"messages":[{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"own","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"own","content":"x"}]}`, quoted(`{"choices":[{"message":{"role":"assistant","content":"done"}}]}`)}), []string{
			`conversation 0 model "" system "" usage &{1 0 2 false}`, `turn 1 "go"`, `step 1 "r1" ""`, `own f("{}") = "x"`, `step 2 "" "done"`}},
		{"a body that ends early", cassetteOf(
			[3]string{"/v1/chat/completions", `{"messages":[{"role":"user","content":"go"}]}`, quoted(`{"choices":[{"message":`)},
			[3]string{"/v1/chat/completions", `{"messages":[{"role":"user","content":"more"}]}`, quoted(`{"choices":[{"message":{"role":"assistant","content":"b"}}]}`)}), []string{
			`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `conversation 1 model "" system "" usage <nil>`, `turn 1 "more"`, `step 1 "" "b"`, "line 7: a body of JSON ends early"}},
	})
}

func TestCassetteWithBrotli(t *testing.T) {
	rec := readString(t, "tape.yaml", `interactions:
- request:
    uri: https://api.example/v1/chat/completions
    body: '{"messages":[{"role":"user","content":"go"}]}'
  response:
    headers:
      Content-Encoding: [br]
    body:
      string: !!binary |
        GwkAAI==
`)
	const line, want = 9, "a body is compressed with Brotli, which is not read: record it decompressed"
	if len(rec.Problems) != 1 || rec.Problems[0].Reason != want || rec.Problems[0].At.Line != line {
		t.Errorf("problems %v, should be one in line %d: %s", rec.Problems, line, want)
	}
}

func TestJSONCassette(t *testing.T) {
	checkOutlines(t, "vcr", []outlineCase{{"as JSON", `{"version":1,"interactions":[{"request":{"uri":"https://api.example/v1/chat/completions","body":"{\"messages\":[{\"role\":\"user\",\"content\":\"go\"}]}"},
"response":{"status":{"code":200},"body":{"string":"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"hi\"}}]}"}}}]}`, []string{
		`conversation 0 model "" system "" usage <nil>`, `turn 1 "go"`, `step 1 "" "hi"`}}})
}

func TestDamagedCassetteKeepsWholeInteractions(t *testing.T) {
	at := strings.Index(chatCassette, "- id: 1\n")
	broken := chatCassette[:at] + "- id: 9\n  request: {\n" + chatCassette[at:]
	rec := readString(t, "tape.yaml", broken)
	if got, want := transcript(t, rec), transcript(t, readString(t, "tape.yaml", chatCassette)); got != want {
		t.Errorf("calls:\n%sshould be:\n%s", got, want)
	}
	if len(rec.Problems) != 1 || rec.Problems[0].At.Line != strings.Count(chatCassette[:at], "\n")+1 {
		t.Errorf("problems %v", rec.Problems)
	}
}

func FuzzVCR(f *testing.F) { fuzzFormat(f, "vcr", chatCassette) }
