package history

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"
)

const toolsOfC1 = `[{"type":"function","function":{"name":"read"}}]`

// conversationC1 has two calls at once, whose results came the other way round, and one of several parts.
const conversationC1 = `{"conversation_id":"c-1","title":"A title","model":"m-1","tools":` + toolsOfC1 + `,"messages":[` +
	`{"role":"system","content":"Be brief."},{"role":"user","content":"Go on"},` +
	`{"role":"assistant","content":"Both.","tool_calls":[{"type":"function","id":"a","function":{"name":"read","arguments":"{\"p\":1}"}},` +
	`{"type":"function","id":"b","function":{"name":"read","arguments":"{}"}}]},` +
	`{"role":"tool","tool_call_id":"b","content":"two"},` +
	`{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"one"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},` +
	`{"role":"assistant","content":"Done."}]}` + "\n"

var writtenC1 = map[string]string{
	"openai-chat": conversationC1,
	"openai-responses": `{"conversation_id":"c-1","title":"A title","model":"m-1","tools":` + toolsOfC1 + `,"instructions":"Be brief.","input":[` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on"}]},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Both."}]},` +
		`{"type":"function_call","call_id":"a","name":"read","arguments":"{\"p\":1}"},{"type":"function_call","call_id":"b","name":"read","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"b","output":"two"},` +
		`{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"one"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}]}` + "\n",
	"anthropic-messages": `{"conversation_id":"c-1","title":"A title","model":"m-1","max_tokens":4096,"system":"Be brief.","tools":` + toolsOfC1 + `,"messages":[` +
		`{"role":"user","content":"Go on"},` +
		`{"role":"assistant","content":[{"type":"text","text":"Both."},{"type":"tool_use","id":"a","name":"read","input":{"p":1}},{"type":"tool_use","id":"b","name":"read","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"two"},` +
		`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"one"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]},` +
		`{"role":"assistant","content":"Done."}]}` + "\n",
	"gemini-contents": `{"id":"c-1","model":"m-1","systemInstruction":{"parts":[{"text":"Be brief."}]},"tools":` + toolsOfC1 + `,"contents":[` +
		`{"role":"user","parts":[{"text":"Go on"}]},` +
		`{"role":"model","parts":[{"text":"Both."},{"functionCall":{"id":"a","name":"read","args":{"p":1}}},{"functionCall":{"id":"b","name":"read","args":{}}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"id":"b","name":"read","response":{"output":"two"}}},` +
		`{"functionResponse":{"id":"a","name":"read","response":{"output":"one"},"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}]},` +
		`{"role":"model","parts":[{"text":"Done."}]}]}` + "\n",
	"mcp-jsonrpc": lines(
		`{"jsonrpc":"2.0","id":"about-1","method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":"about-1","result":{"tools":`+toolsOfC1+`}}`,
		`{"jsonrpc":"2.0","id":"about-2","method":"initialize"}`,
		`{"jsonrpc":"2.0","id":"about-2","result":{"instructions":"Be brief."}}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"read","arguments":{"p":1}}}`,
		`{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"read","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":"b","result":{"content":[{"type":"text","text":"two"}]}}`,
		`{"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"one"},{"type":"image","mimeType":"image/png","data":"AAAA"}]}}`),
}

func TestAConversationInEveryFormat(t *testing.T) {
	rec := readString(t, "c1.json", conversationC1)
	for name, want := range writtenC1 {
		if got := written(t, name, rec, WriteOptions{}); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
}

func written(t *testing.T, format string, rec *Recording, o WriteOptions) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, WriteFormatOf(format), rec.Conversations, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAClaudeCodeSessionHasALineForEachMessage(t *testing.T) {
	got := written(t, "claude-code", readString(t, "c1.json", conversationC1), WriteOptions{})
	for i, want := range []string{
		`{"type":"custom-title","sessionId":"c-1","customTitle":"A title"}`,
		`"sessionId":"c-1","isSidechain":false,"message":{"role":"user","content":"Go on"}}`,
		`"message":{"role":"assistant","model":"m-1","content":[{"type":"text","text":"Both."},{"type":"tool_use","id":"a","name":"read","input":{"p":1}},{"type":"tool_use","id":"b","name":"read","input":{}}]}}`,
		`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"two"}]}}`,
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]}}`,
		`"message":{"role":"assistant","model":"m-1","content":"Done."}}`,
	} {
		if line := strings.Split(got, "\n")[i]; !strings.HasSuffix(line, want) {
			t.Errorf("line %d:\n%s\nshould end in\n%s", i+1, line, want)
		}
	}
}

func TestWhatEntersInAPayloadsPlace(t *testing.T) {
	rec := readString(t, "c1.json", conversationC1)
	o := WriteOptions{Result: func(c *Call) (Written, bool, error) {
		if c.ID == "a" {
			return Written{Text: Of("package"), Instructions: "Say it in French."}, true, nil
		}
		return Written{}, true, nil // rejected
	}}
	for name, want := range map[string]string{
		"openai-chat": `{"role":"tool","tool_call_id":"b","content":""},` +
			`{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"package"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},` +
			`{"role":"system","content":"Say it in French."},{"role":"assistant","content":"Done."}`,
		"openai-responses": `{"type":"message","role":"system","content":[{"type":"input_text","text":"Say it in French."}]},{"type":"message","role":"assistant"`,
		"anthropic-messages": `{"type":"text","text":"<system-reminder>\nSay it in French.\n</system-reminder>"}]},` +
			`{"role":"assistant","content":"Done."}`,
		"claude-code":     `{"type":"text","text":"<system-reminder>\nSay it in French.\n</system-reminder>"}]}}`,
		"gemini-contents": `{"role":"system","parts":[{"text":"Say it in French."}]},{"role":"model","parts":[{"text":"Done."}]}`,
		"mcp-jsonrpc":     `{"type":"image","mimeType":"image/png","data":"AAAA"},{"type":"text","text":"Say it in French."}]}}`,
	} {
		if got := written(t, name, rec, o); !strings.Contains(got, want) {
			t.Errorf("%s is without\n%s\n%s", name, want, got)
		}
	}
}

// unpairedCalls has a result before its call, one without a call, a call without one, an id that is used
// again while the first call waits (the newer one is answered first), a result that comes a turn later,
// and a second result for a call.
var unpairedCalls = `{"messages":[{"role":"user","content":"go"},` +
	`{"role":"tool","tool_call_id":"early","content":"1"},` +
	`{"role":"assistant","content":null,"tool_calls":[{"id":"early","type":"function","function":{"name":"f","arguments":""}},{"id":"x","type":"function","function":{"name":"f","arguments":"not JSON"}}]},` +
	`{"role":"tool","tool_call_id":"nobody","content":"2"},` +
	`{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"late","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"none","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
	`{"role":"tool","tool_call_id":"x","content":"3"},{"role":"tool","tool_call_id":"x","content":"4"},` +
	`{"role":"user","content":"and?"},` +
	`{"role":"assistant","content":"","tool_calls":[{"id":"last","type":"function","function":{"name":"f","arguments":"[1]"}}]},` +
	`{"role":"tool","tool_call_id":"last","content":"5"},{"role":"tool","tool_call_id":"late","content":"6"},{"role":"tool","tool_call_id":"last","content":"7"}]}`

func TestWhatIsUnpairedStaysSo(t *testing.T) {
	rec := readString(t, "unpaired.json", unpairedCalls)
	want := lines(
		`main 1.1 f(early) = "1" [result-before-call]`,
		`main 1.1 f(x) = "4" [invalid-arguments]`,
		`main 1.1 (nobody) = "2" [orphan-result]`,
		`main 1.2 f(x) = "3" [id-reused]`,
		`main 1.2 f(late) = "6"`,
		`main 1.2 f(none) [no-result]`,
		`main 2.1 f(last) = "5"`,
		`main 2.1 f(last) = "7" [repeated-result]`)
	if got := transcript(t, rec); got != want {
		t.Fatalf("got\n%swant\n%s", got, want)
	}
	for _, name := range []string{"openai-chat", "openai-responses", "anthropic-messages", "claude-code", "gemini-contents"} {
		again, _ := rewrite(t, WriteFormatOf(name), rec.Conversations)
		if got := transcript(t, again); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
	// In a log of MCP a call that was answered before it was made has a step of its own.
	rec = readString(t, "unpaired.json", strings.Replace(unpairedCalls, `{"role":"tool","tool_call_id":"early","content":"1"},`, "", 1))
	roundTrip(t, WriteFormatOf("mcp-jsonrpc"), rec.Conversations)
}

func TestEveryByteOfATextComesBack(t *testing.T) {
	var all strings.Builder
	for c := range 0x20 {
		all.WriteByte(byte(c))
	}
	all.WriteString("\"\\/\x7f\u0080\u2028\u2029\u202e\ufeff\U0001F600\xff\xc3")
	call := &Call{ID: "a", Tool: "f", Arguments: Of(all.String()), Result: &Result{Payload: Of(all.String())}}
	conv := &Conversation{ID: "c", Format: "none", Threads: []*Thread{{Name: Main, Turns: []*Turn{{Number: 1, Prompt: Of(all.String()),
		Steps: []*Step{{Number: 1, Text: Of(all.String()), Calls: []*Call{call}}}}}}}}
	for _, f := range WriteFormats() {
		t.Run(f.Name, func(t *testing.T) { roundTrip(t, f, []*Conversation{conv}) })
	}
}

func TestSeveralConversationsAreLines(t *testing.T) {
	one := strings.Replace(conversationC1, `"arguments":"{}"`, `"arguments":"{\n}"`, 1)
	two := strings.Replace(one, "c-1", "c-2", 1)
	two = strings.Replace(two, "Go on", "Go further", 1)
	rec := readString(t, "two.jsonl", one+two)
	if len(rec.Conversations) != 2 {
		t.Fatalf("%d conversations", len(rec.Conversations))
	}
	for _, f := range WriteFormats() {
		if !f.Many {
			if err := Write(io.Discard, f, rec.Conversations, WriteOptions{}); err == nil {
				t.Errorf("%s holds two conversations", f.Name)
			}
			continue
		}
		if got := written(t, f.Name, rec, WriteOptions{}); strings.Count(got, "\n") != 2 {
			t.Errorf("%s: %d lines: %s", f.Name, strings.Count(got, "\n"), got)
		}
		roundTrip(t, f, rec.Conversations)
	}
}

func TestAConversationOfOneLineKeepsItsArgumentsAsTheyWere(t *testing.T) {
	spread := "{\n  \"p\": [1,\n 2]\n}"
	rec := readString(t, "a.json", `{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":`+spread+`}]}]}`)
	again, _ := rewrite(t, WriteFormatOf("anthropic-messages"), rec.Conversations)
	if got := textOf(t, again.Conversations[0].Calls()[0].Arguments); got != spread {
		t.Errorf("got %q", got)
	}
}

func TestALargePayloadIsNeverHeld(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: it runs once, without the race detector")
	}
	const size = 64 << 20
	chunk := bytes.Repeat([]byte("a\"line\"\n"), 1<<10)
	call := &Call{ID: "a", Tool: "f", Arguments: Of("{}"), Result: &Result{Payload: Generated(Generator{
		Size: Size{Bytes: size, Chars: size, UTF16: size},
		Write: func(w io.Writer) error {
			for range size / len(chunk) {
				if _, err := w.Write(chunk); err != nil {
					return err
				}
			}
			return nil
		}})}}
	conv := &Conversation{ID: "c", Threads: []*Thread{{Name: Main, Turns: []*Turn{{Number: 1, Prompt: Of("go"), Steps: []*Step{{Number: 1, Calls: []*Call{call}}}}}}}}
	for _, f := range WriteFormats() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := Write(io.Discard, f, []*Conversation{conv}, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
			t.Errorf("%s: %d bytes were allocated for a payload of %d", f.Name, n, size)
		}
	}
}

func TestAnErrorOfAResultEndsTheWriting(t *testing.T) {
	rec := readString(t, "c1.json", conversationC1)
	for _, f := range WriteFormats() {
		err := Write(io.Discard, f, rec.Conversations, WriteOptions{Result: func(*Call) (Written, bool, error) { return Written{}, false, io.ErrUnexpectedEOF }})
		if err != io.ErrUnexpectedEOF {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
