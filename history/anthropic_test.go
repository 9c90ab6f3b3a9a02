package history

import (
	"strings"
	"testing"
)

func TestAnthropicCalls(t *testing.T) {
	tests := map[string]struct {
		text string
		want string
	}{
		"parallel calls are one step, in whatever order their results stand": {
			`[{"role":"user","content":"go"},
			  {"role":"assistant","content":[{"type":"text","text":"checking"},{"type":"tool_use","id":"a","name":"grep","input":{"q":"x"}},{"type":"tool_use","id":"b","name":"ls","input":{}}]},
			  {"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"f1\nf2"},
			    {"type":"tool_result","tool_use_id":"a","is_error":true,"content":[{"type":"text","text":"bad regex"}]}]}]`,
			`main 1.1 grep(a) = "bad regex" error failed
main 1.1 ls(b) = "f1\nf2"
`,
		},
		"a result may be missing, and so may its content": {
			`{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"one","input":{}},{"type":"tool_use","id":"b","name":"two","input":{}}]},
			  {"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}`,
			`main 0.1 one(a) = 
main 0.1 two(b) [no-result]
`,
		},
		"what a person writes behind results starts a turn, what a harness writes does not": {
			`[{"role":"user","content":"go"},
			  {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]},
			  {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"},{"type":"text","text":"<system-reminder>be good</system-reminder>"}]},
			  {"role":"assistant","content":[{"type":"tool_use","id":"b","name":"ls","input":{}}]},
			  {"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"y"},{"type":"text","text":"now that"}]},
			  {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"ls","input":{}}]}]`,
			`main 1.1 ls(a) = "x"
main 1.2 ls(b) = "y"
main 2.1 ls(c) [no-result]
`,
		},
		"an id that comes back is another call": {
			`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"one","input":{}}]},
			  {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]},
			  {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"two","input":{}}]},
			  {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"2"}]}]`,
			`main 0.1 one(a) = "1"
main 0.2 two(a) = "2" [id-reused]
`,
		},
		"a result's parts: text counts, everything else is named": {
			`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"look","input":{}}]},
			  {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"see"},
			   {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},
			   {"type":"document","source":{"type":"text","media_type":"text/plain","data":"plain"}},
			   {"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"}},
			   {"type":"search_result","source":"u","title":"t","content":[{"type":"text","text":"found"}]},
			   {"type":"tool_reference","tool_name":"x"}]}]}]`,
			`main 0.1 look(a) = "see" + <image image/png> + "plain" + <document application/pdf> + "found" + <other tool_reference>
`,
		},
		"tools that the provider runs have their results in the same message": {
			`[{"role":"assistant","content":[
			   {"type":"server_tool_use","id":"a","name":"web_search","input":{"query":"x"}},
			   {"type":"web_search_tool_result","tool_use_id":"a","content":[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"zz"}]},
			   {"type":"server_tool_use","id":"b","name":"code_execution","input":{"code":"1"}},
			   {"type":"code_execution_tool_result","tool_use_id":"b","content":{"type":"code_execution_result","stdout":"1\n","stderr":"","return_code":0,"content":[]}},
			   {"type":"server_tool_use","id":"c","name":"web_fetch","input":{}},
			   {"type":"web_fetch_tool_result","tool_use_id":"c","content":{"type":"web_fetch_tool_result_error","error_code":"url_not_accessible"}},
			   {"type":"mcp_tool_use","id":"d","name":"ask","server_name":"s","input":{}},
			   {"type":"mcp_tool_result","tool_use_id":"d","is_error":true,"content":[{"type":"text","text":"no such repo"}]}]}]`,
			`main 0.1 web_search(a) = <resource web_search_result> [provider-executed]
main 0.1 code_execution(b) = "1\n" [provider-executed]
main 0.1 web_fetch(c) = "url_not_accessible" error failed [provider-executed]
main 0.1 ask(d) = "no such repo" error [provider-executed]
`,
		},
		"one message a line": {
			lines(`{"role":"user","content":"go"}`,
				`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}`,
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}`),
			`main 1.1 ls(a) = "x"
`,
		},
		"each request repeats the history, and the response before it": {
			lines(`{"request":{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"go","cache_control":{"type":"ephemeral"}}]}]},`+
				`"response":{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}}`,
				`{"request":{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]},`+
					`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}]},`+
					`"response":{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"b","name":"ls","input":{}}]}}`),
			`main 1.1 ls(a) = "x"
main 1.2 ls(b) [no-result]
`,
		},
		"the events of a stream": {
			lines(`event: message_start`,
				`data: {"type":"message_start","message":{"id":"m1","role":"assistant","model":"x","content":[],"usage":{"input_tokens":5,"output_tokens":1}}}`, ``,
				`event: content_block_start`,
				`data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"ls","input":{}}}`, ``,
				`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"p"}}`, ``,
				`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\":1}"}}`, ``,
				`data: {"type":"content_block_stop","index":0}`, ``,
				`data: {"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"b","name":"code_execution","input":{}}}`, ``,
				`data: {"type":"content_block_stop","index":1}`, ``,
				`data: {"type":"content_block_start","index":2,"content_block":{"type":"code_execution_tool_result","tool_use_id":"b","content":{"type":"code_execution_result","stdout":"","stderr":"oops"}}}`, ``,
				`data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":40}}`, ``,
				`data: {"type":"message_stop"}`),
			`main 0.1 ls(a) [no-result]
main 0.1 code_execution(b) = "oops" [provider-executed]
`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := readString(t, "m.json", tt.text)
			if rec.Format != "anthropic-messages" {
				t.Fatalf("recognised as %q: %s", rec.Format, rec.Reason)
			}
			if len(rec.Problems) > 0 {
				t.Errorf("problems: %v", rec.Problems)
			}
			if len(rec.Conversations) != 1 {
				t.Errorf("%d conversations, should be one", len(rec.Conversations))
			}
			if got := transcript(t, rec); got != tt.want {
				t.Errorf("calls:\n%sshould be:\n%s", got, tt.want)
			}
		})
	}
}

func TestAnthropicStreamPutsPiecesTogether(t *testing.T) {
	start := `{"type":"message_start","message":{"id":"m1","role":"assistant","model":"x","content":[],"usage":{"input_tokens":5,"cache_read_input_tokens":7,"output_tokens":1}}}`
	piece := func(i, delta string) string {
		return `{"type":"content_block_delta","index":` + i + `,"delta":` + delta + `}`
	}
	body := []string{start,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		piece("0", `{"type":"text_delta","text":"let me "}`), piece("0", `{"type":"text_delta","text":"see"}`),
		`{"type":"content_block_stop","index":0}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"ls","input":{}}}`,
		piece("1", `{"type":"input_json_delta","partial_json":"{\"path\": "}`), piece("1", `{"type":"input_json_delta","partial_json":"\"/\"}"}`),
	}
	whole := readString(t, "s.jsonl", lines(append(body, `{"type":"content_block_stop","index":1}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":40}}`, `{"type":"message_stop"}`)...))
	cut := readString(t, "s.jsonl", lines(body[:len(body)-1]...))
	for _, tt := range []struct {
		rec       *Recording
		arguments string
		usage     Usage
		invalid   bool
	}{
		{whole, `{"path": "/"}`, Usage{Input: 5, Cached: 7, Output: 40}, false},
		{cut, `{"path": `, Usage{Input: 5, Cached: 7, Output: 1, LowerBound: true}, true},
	} {
		c := tt.rec.Conversations[0]
		s := c.Threads[0].Turns[0].Steps[0]
		if s.ID != "m1" || c.Model != "x" || textOf(t, s.Text) != "let me see" {
			t.Errorf("step %q of model %q says %q", s.ID, c.Model, textOf(t, s.Text))
		}
		call := s.Calls[0]
		if got := textOf(t, call.Arguments); got != tt.arguments || call.Flags.Has(InvalidArguments) != tt.invalid {
			t.Errorf("arguments %s, flags %v", got, call.Flags.Names())
		}
		if c.Usage == nil || *c.Usage != tt.usage {
			t.Errorf("usage %+v, should be %+v", c.Usage, tt.usage)
		}
	}
}

func TestAnthropicRequestAndClientFields(t *testing.T) {
	rec := readString(t, "r.json", `{"model":"m-1","max_tokens":9,"system":[{"type":"text","text":"be brief"}],
		"tools":[{"name":"ls","input_schema":{}}],"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`)
	c := rec.Conversations[0]
	if got := textOf(t, c.Threads[0].System); rec.Format != "anthropic-messages" || c.Model != "m-1" || got != `be brief[{"name":"ls","input_schema":{}}]` {
		t.Errorf("%s, model %q, system %s", rec.Format, c.Model, got)
	}
	rec = readString(t, "c.json", `{"version":1,"sessionId":"s-9","messages":[{"role":"assistant","ts":1745343730123,"modelInfo":{"id":"m-2"},
		"metrics":{"inputTokens":21,"outputTokens":8,"cacheReadTokens":3,"cacheWriteTokens":1},"content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}]}`)
	c = rec.Conversations[0]
	s := c.Threads[0].Turns[0].Steps[0]
	if c.ID != "s-9" || c.Model != "m-2" || s.Time.UnixMilli() != 1745343730123 {
		t.Errorf("conversation %q, model %q, at %v", c.ID, c.Model, s.Time)
	}
	if s.Usage == nil || *s.Usage != (Usage{Input: 21, Cached: 4, Output: 8}) || c.Usage == nil || *c.Usage != *s.Usage {
		t.Errorf("usage %+v, in all %+v", s.Usage, c.Usage)
	}
}

func TestAnthropicBatchResultsAreConversations(t *testing.T) {
	line := func(id string) string {
		return `{"custom_id":"` + id + `","result":{"type":"succeeded","message":{"id":"m","type":"message","role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}}}`
	}
	rec := readString(t, "b.jsonl", lines(line("x"), line("y")))
	var ids []string
	for _, c := range rec.Conversations {
		ids = append(ids, c.ID)
	}
	if got := strings.Join(ids, " "); rec.Format != "anthropic-messages" || got != "x y" {
		t.Errorf("%s, conversations %q", rec.Format, got)
	}
}
