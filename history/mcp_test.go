package history

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

func callRequest(id, tool string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":{"of":` + id + `}}}`
}

func textReply(id, text string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`
}

func TestMCPCalls(t *testing.T) {
	tests := map[string]struct {
		lines []string
		want  string
	}{
		"a request starts a step unless an earlier one is still unanswered": {
			[]string{callRequest("0", "one"), textReply("0", "1"), callRequest("1", "two"), callRequest("2", "three"),
				textReply("2", "3"), callRequest("3", "four"), textReply("1", "2"), textReply("3", "4"), callRequest("4", "five")},
			`main 0.1 one(0) = "1"
main 0.2 two(1) = "2"
main 0.2 three(2) = "3"
main 0.2 four(3) = "4"
main 0.3 five(4) [no-result]
`,
		},
		"a protocol error is a failure, a tool's error is an answer": {
			[]string{callRequest("1", "a"), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown tool"}}`,
				callRequest("2", "b"), `{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"no such row"}],"isError":true}}`},
			`main 0.1 a(1) = "unknown tool" error failed
main 0.2 b(2) = "no such row" error
`,
		},
		"ids may be strings and may be used again": {
			[]string{callRequest(`"x"`, "a"), textReply(`"x"`, "1"), callRequest(`"x"`, "b"), textReply(`"x"`, "2")},
			`main 0.1 a(x) = "1"
main 0.2 b(x) = "2" [id-reused]
`,
		},
		"a number and a string are different ids": {
			[]string{callRequest(`1`, "a"), callRequest(`"1"`, "b"), textReply(`"1"`, "string"), textReply(`1`, "number")},
			`main 0.1 a(1) = "number"
main 0.1 b(1) = "string"
`,
		},
		"the server's own requests have ids of their own": {
			[]string{callRequest("1", "a"), `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}`,
				`{"jsonrpc":"2.0","id":1,"result":{"role":"assistant","content":{"type":"text","text":"sampled"},"model":"m"}}`, textReply("1", "done")},
			`main 0.1 a(1) = "done"
`,
		},
		"connections have ids of their own": {
			[]string{`{"server":"s","message":` + callRequest("1", "a") + `}`, `{"server":"t","message":` + callRequest("1", "b") + `}`,
				`{"server":"t","message":` + textReply("1", "from t") + `}`, `{"server":"s","message":` + textReply("1", "from s") + `}`},
			`main 0.1 a(1) = "from s"
main 0.2 b(1) = "from t" [id-reused]
`,
		},
		"a new connection has nothing unanswered": {
			[]string{callRequest("1", "a"), `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`, callRequest("1", "b"), textReply("1", "second")},
			`main 0.1 a(1) [no-result]
main 0.2 b(1) = "second" [id-reused]
`,
		},
		"a cancelled request is not waited for": {
			[]string{callRequest("1", "a"), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, callRequest("2", "b"), textReply("2", "x")},
			`main 0.1 a(1) [no-result]
main 0.2 b(2) = "x"
`,
		},
		"parts: the text of an embedded resource counts, the rest is named": {
			[]string{callRequest("1", "a"), `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"see"},{"type":"image","data":"AAAA","mimeType":"image/png"},` +
				`{"type":"audio","data":"AAAA","mimeType":"audio/wav"},{"type":"resource","resource":{"uri":"u","mimeType":"text/csv","text":"a,b"}},` +
				`{"type":"resource","resource":{"uri":"u","blob":"AAAA"}},{"type":"resource_link","uri":"u","name":"n"}]}}`},
			`main 0.1 a(1) = "see" + <image image/png> + <audio audio/wav> + "a,b" + <resource> + <resource>
`,
		},
		"the protocol's first version": {
			[]string{callRequest("1", "a"), `{"jsonrpc":"2.0","id":1,"result":{"toolResult":{"rows":[1, 2]}}}`},
			`main 0.1 a(1) = "{\"rows\":[1, 2]}"
`,
		},
		"a deferred result comes with a request of its own": {
			[]string{callRequest("1", "a"), `{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t1","status":"working"}}}`,
				`{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"t1"}}`, textReply("2", "late")},
			`main 0.1 a(1) = "late"
`,
		},
		"a reply before its request, and one without": {
			[]string{textReply("1", "early"), callRequest("1", "a"), textReply("9", "whose")},
			`main 0.1 a(1) = "early" [result-before-call]
main 0.1 (9) = "whose" [orphan-result]
`,
		},
		"other requests are no calls": {
			[]string{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`,
				`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"u"}}`, `{"jsonrpc":"2.0","id":2,"result":{"contents":[]}}`, callRequest("3", "a")},
			`main 0.1 a(3) [no-result]
`,
		},
		"batches": {
			[]string{`[` + callRequest("1", "a") + `,` + callRequest("2", "b") + `]`, `[` + textReply("2", "2") + `,` + textReply("1", "1") + `]`},
			`main 0.1 a(1) = "1"
main 0.1 b(2) = "2"
`,
		},
		"as text in a proxy's record": {
			[]string{`{"dir":"out","data":` + strconv.Quote(callRequest("1", "a")) + `}`, `{"dir":"in","data":` + strconv.Quote(textReply("1", "x")) + `}`},
			`main 0.1 a(1) = "x"
`,
		},
		"behind a log's prefix": {
			[]string{
				`2026-01-02T03:04:05.000Z [files] [info] Message from client: ` + callRequest("1", "a") + ` { metadata: undefined }`,
				`2026-01-02T03:04:05.100Z [web] [info] Message from client: ` + callRequest("1", "b") + ` { metadata: undefined }`,
				`2026-01-02T03:04:06.000Z [files] [info] Message from server: ` + textReply("1", "file") + ` { metadata: undefined }`,
				`host proxy[1234]: ` + callRequest("7", "c"),
			},
			`main 0.1 a(1) = "file"
main 0.2 b(1) [no-result id-reused]
main 0.3 c(7) [no-result]
`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := readString(t, "log.jsonl", lines(tt.lines...))
			if rec.Format != "mcp-jsonrpc" {
				t.Fatalf("recognised as %q: %s", rec.Format, rec.Reason)
			}
			if len(rec.Problems) > 0 {
				t.Errorf("problems: %v", rec.Problems)
			}
			if got := transcript(t, rec); got != tt.want {
				t.Errorf("calls:\n%sshould be:\n%s", got, tt.want)
			}
		})
	}
}

func TestMCPStructuredContentIsKeptBeside(t *testing.T) {
	rec := readString(t, "log.jsonl", lines(callRequest("1", "a"),
		`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"n": 1.10}}}`, callRequest("2", "b"), textReply("2", "x")))
	calls := rec.Conversations[0].Calls()
	r := calls[0].Result
	if r.Structured == nil || textOf(t, *r.Structured) != `{"n": 1.10}` || r.Payload.Size().Bytes != 0 {
		t.Errorf("structured %v, payload of %d bytes", r.Structured, r.Payload.Size().Bytes)
	}
	if r.Flags != StructuredOnly || calls[1].Result.Flags != 0 {
		t.Errorf("flagged %v and %v", r.Flags.Names(), calls[1].Result.Flags.Names())
	}
	if calls[1].Result.Structured != nil {
		t.Error("a result without structuredContent has some")
	}
}

func TestMCPPrefixGivesTheTime(t *testing.T) {
	rec := readString(t, "log", lines(`2026-01-02T03:04:05Z [s] [info] `+callRequest("1", "a"), `2026-01-02T03:04:07Z [s] [info] `+textReply("1", "x")))
	s := rec.Conversations[0].Threads[0].Turns[0].Steps[0]
	if want := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC); !s.Time.Equal(want) || !s.Calls[0].Result.Time.Equal(want.Add(2*time.Second)) {
		t.Errorf("asked at %v, answered at %v", s.Time, s.Calls[0].Result.Time)
	}
}

const mcpTape = `version: 1
interactions:
- request:
    uri: https://mcp.example/mcp
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}'
  response:
    body:
      string: "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\r\n\r\n\
        event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"one\\ntwo\"}]}}\r\n\r\n"
- request:
    uri: https://model.example/chat
    parsed_body:
      messages:
      - {role: tool, content: "one\ntwo"}
  response:
    body: {string: '{}'}
- request:
    uri: https://mcp.example/mcp
    parsed_body:
      jsonrpc: '2.0'
      id: 2
      method: tools/call
      params:
        name: b
        arguments: {n: 1.10, s: '5', none: null, yes: true}
  response:
    parsed_body:
      jsonrpc: "2.0"
      id: 2
      result:
        content:
        - type: text
          text: "naïve \"quoted\" <b>"
`

func TestMCPCassette(t *testing.T) {
	rec := readString(t, "tape.yaml", mcpTape)
	want := `main 0.1 a(1) = "one\ntwo"
main 0.2 b(2) = "naïve \"quoted\" <b>"
`
	if got := transcript(t, rec); rec.Format != "mcp-jsonrpc" || got != want || len(rec.Problems) > 0 {
		t.Errorf("%s, problems %v, calls:\n%sshould be:\n%s", rec.Format, rec.Problems, got, want)
	}
	calls := rec.Conversations[0].Calls()
	if got := textOf(t, calls[1].Arguments); got != `{"n":1.10,"s":"5","none":null,"yes":true}` {
		t.Errorf("arguments %s", got)
	}
	if at := calls[0].At; at != (Location{File: "tape.yaml", Line: 5, Offset: int64(strings.Index(mcpTape, "    body: '{\"jsonrpc"))}) {
		t.Errorf("the first call lies at %+v", at)
	}
}

func TestCassetteWithoutMCPIsNotRecognised(t *testing.T) {
	other := strings.NewReplacer("jsonrpc", "rpc", "messages:", "things:").Replace(mcpTape)
	_, err := Read(t.Context(), "tape.yaml", strings.NewReader(other), Options{})
	if err == nil || !strings.Contains(err.Error(), "cassette") {
		t.Errorf("error %v, should say that it is a cassette", err)
	}
}

// Other recorders keep structuredContent too, and a result may have nothing else.
func TestStructuredOnlyIsFlaggedInEveryFormatThatKeepsIt(t *testing.T) {
	for format, text := range map[string]string{
		"codex-exec-json": lines(`{"type":"thread.started","thread_id":"t"}`,
			`{"type":"item.completed","item":{"id":"2","type":"mcp_tool_call","server":"docs","tool":"ask","arguments":{},"result":{"content":[],"structured_content":{"n":1}},"status":"completed"}}`),
		"goose": `{"id":"s","conversation":[{"role":"assistant","created":1,"content":[{"type":"toolRequest","id":"a","toolCall":{"status":"success","value":{"name":"f","arguments":{}}}}]},
{"role":"user","created":2,"content":[{"type":"toolResponse","id":"a","toolResult":{"status":"success","value":{"content":[],"structuredContent":{"n":1}}}}]}]}`,
		"codex": lines(rollout("session_meta", `{"id":"x"}`), rollout("response_item", `{"type":"function_call","call_id":"b","name":"ask","arguments":"{}"}`),
			rollout("event_msg", `{"type":"mcp_tool_call_end","call_id":"b","result":{"Ok":{"content":[],"structuredContent":{"n":1}}}}`),
			rollout("response_item", `{"type":"function_call_output","call_id":"b","output":""}`)),
	} {
		if c := onlyCall(t, readAs(t, format, text)); c.Result == nil || !c.Result.Flags.Has(StructuredOnly) || textOf(t, *c.Result.Structured) != `{"n":1}` {
			t.Errorf("%s: the result is %+v", format, c.Result)
		}
	}
}
