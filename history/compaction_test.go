package history

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// compactions lists turns and steps, and what they say of a summary in the history's place.
func compactions(t *testing.T, rec *Recording) string {
	t.Helper()
	var list []string
	for _, u := range rec.Conversations[0].Threads[0].Turns {
		s := fmt.Sprint("turn ", u.Number)
		if u.Compacted {
			s += " compacted"
		}
		list = append(list, s)
		for _, step := range u.Steps {
			s := fmt.Sprint("step ", step.Number)
			if step.Compacted {
				s += " after " + textOf(t, step.Summary)
			}
			list = append(list, s)
		}
	}
	return strings.Join(list, ", ")
}

// Each recording is a question, a call with its result, a compaction, perhaps a further prompt, and
// two more responses.
func TestACompactionIsToldByTheFirstResponseBehindIt(t *testing.T) {
	codexCall := func(id string) []string {
		return []string{rollout("response_item", `{"type":"function_call","call_id":"`+id+`","name":"shell","arguments":"{}"}`),
			rollout("response_item", `{"type":"function_call_output","call_id":"`+id+`","output":"r"}`)}
	}
	codexAsk := func(s string) string {
		return rollout("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"`+s+`"}]}`)
	}
	piCall := func(n, before string) []string {
		return []string{piLine("a"+n, before, `{"role":"assistant","content":[{"type":"toolCall","id":"c`+n+`","name":"r","arguments":{}}]}`),
			piLine("r"+n, "a"+n, `{"role":"toolResult","toolCallId":"c`+n+`","toolName":"r","content":"r"}`)}
	}
	kimiCall := func(id string) []string {
		return []string{kimiEvent(`{"type":"step.begin"}`), kimiEvent(`{"type":"tool.call","toolCallId":"` + id + `","name":"Bash","args":{}}`),
			kimiEvent(`{"type":"tool.result","toolCallId":"` + id + `","result":{"output":"r"}}`), kimiEvent(`{"type":"step.end"}`)}
	}
	claudeCall := func(n string) []string {
		return []string{modelLine("a"+n, "m"+n, "", useOf("c"+n, "Read")), userLine("r"+n, "", `[`+resultOf("c"+n, "r")+`]`)}
	}
	streamCall := func(n string) []string {
		return []string{streamLine("assistant", "null", streamModel("m"+n, "1", `{"type":"tool_use","id":"c`+n+`","name":"Bash","input":{}}`)),
			streamLine("user", "null", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c`+n+`","content":"r"}]}`)}
	}
	droidCall := func(n string) []string {
		return []string{droidLine("a"+n, `{"role":"assistant","content":[{"type":"tool_use","id":"c`+n+`","name":"Read","input":{}}]}`),
			droidLine("r"+n, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c`+n+`","content":"r"}]}`)}
	}
	copilotLine := func(kind, data string) string {
		return `{"type":"` + kind + `","data":` + data + `,"id":"e","parentId":null}`
	}
	copilotCall := func(n string) []string {
		return []string{copilotLine("assistant.message", `{"messageId":"m`+n+`","content":"","toolRequests":[{"toolCallId":"`+n+`","name":"sh","arguments":{}}]}`),
			copilotLine("tool.execution_complete", `{"toolCallId":"`+n+`","success":true,"result":{"content":"r"}}`)}
	}
	const hidden = `"agentVisible":false`
	gooseLine := func(role, about, part string) string {
		return `{"role":"` + role + `","content":[` + part + `],"metadata":{` + about + `}}`
	}
	gooseCall := func(n, about string) []string {
		return []string{gooseLine("assistant", about, `{"type":"toolRequest","id":"`+n+`","toolCall":{"status":"success","value":{"name":"sh","arguments":{}}}}`),
			gooseLine("user", about, `{"type":"toolResponse","id":"`+n+`","toolResult":{"status":"success","value":[{"type":"text","text":"r"}]}}`)}
	}
	openCodeCall := func(n string) []string {
		return []string{`{"info":{"id":"m` + n + `","sessionID":"s","role":"assistant"},"parts":[{"type":"tool","callID":"c` + n + `","tool":"ls","state":{"status":"completed","input":{},"output":"r"}}]}`}
	}
	openHandsCall := func(n string) []string {
		return []string{`{"id":` + n + `,"source":"agent","action":"run","args":{"command":"ls"}}`, `{"source":"agent","cause":` + n + `,"observation":"run","content":"r","extras":{}}`}
	}
	sdkLine := func(source, rest string) string {
		return `{"timestamp":"2026-06-16T05:39:18.8","source":"` + source + `",` + rest + `}`
	}
	sdkCall := func(n string) []string {
		return []string{sdkLine("agent", `"id":"e`+n+`","kind":"ActionEvent","tool_name":"sh","tool_call_id":"`+n+`","tool_call":{"id":"`+n+`","name":"sh","arguments":"{}"},"llm_response_id":"r`+n+`"`),
			sdkLine("environment", `"kind":"ObservationEvent","tool_name":"sh","tool_call_id":"`+n+`","observation":{"content":"r"}`)}
	}
	kiroCall := func(n string) []string {
		return []string{kiroRecord("AssistantMessage", "a"+n, `{"kind":"toolUse","data":{"toolUseId":"`+n+`","name":"sh","input":{}}}`),
			kiroRecord("ToolResults", "r"+n, `{"kind":"toolResult","data":{"toolUseId":"`+n+`","content":[{"kind":"text","data":"r"}]}}`)}
	}
	qwenCall := func(n string) []string {
		return []string{qwenLine("a"+n, "assistant", `"message":{"role":"model","parts":[{"functionCall":{"id":"`+n+`","name":"sh","args":{}}}]}`),
			qwenLine("r"+n, "tool_result", `"message":{"role":"user","parts":[{"functionResponse":{"id":"`+n+`","name":"sh","response":{"output":"r"}}}]}`)}
	}
	for _, tt := range []struct {
		format                string
		before, compact, more []string
		prompt                string
	}{
		{"claude-code", append([]string{userLine("u1", "", `"go"`)}, claudeCall("1")...),
			[]string{`{"type":"system","subtype":"compact_boundary","uuid":"b","sessionId":"s1","isSidechain":false}`,
				userLine("s", `"isCompactSummary":true,`, `"the gist"`)},
			append(claudeCall("2"), claudeCall("3")...), userLine("u2", "", `"more"`)},
		{"codex", append([]string{rollout("session_meta", `{"id":"s-1"}`), codexAsk("go")}, codexCall("1")...),
			[]string{rollout("compacted", `{"message":"the gist"}`)},
			append(codexCall("2"), codexCall("3")...), codexAsk("more")},
		{"codex", append([]string{rollout("session_meta", `{"id":"s-1"}`), codexAsk("go")}, codexCall("1")...),
			[]string{rollout("compacted", `{"message":"","replacement_history":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"be kind"}]},`+
				`{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>here"}]},`+
				`{"type":"message","role":"user","content":[{"type":"input_text","text":"the "}]},`+
				`{"type":"function_call_output","call_id":"1","output":"gist"}]}`)},
			append(codexCall("2"), codexCall("3")...), codexAsk("more")},
		{"pi", append([]string{`{"type":"session","id":"s","version":3}`, piLine("u1", "s", `{"role":"user","content":"go"}`)}, piCall("1", "u1")...),
			[]string{`{"type":"compaction","id":"x","parentId":"r1","summary":"the gist","firstKeptEntryId":"x"}`},
			append(piCall("2", "u2"), piCall("3", "r2")...), piLine("u2", "x", `{"role":"user","content":"more"}`)},
		{"kimi", append([]string{`{"type":"metadata","protocol_version":"1.4"}`, `{"type":"context.append_message","message":{"role":"user","content":"go"}}`}, kimiCall("B_1")...),
			[]string{`{"type":"context.apply_compaction","summary":"the gist"}`},
			append(kimiCall("B_2"), kimiCall("B_3")...), `{"type":"context.append_message","message":{"role":"user","content":"more"}}`},
		{"claude-sdk-stream", append([]string{`{"type":"system","subtype":"init","session_id":"s-1"}`, streamLine("user", "null", `{"role":"user","content":"go"}`)}, streamCall("1")...),
			[]string{`{"type":"system","subtype":"compact_boundary","session_id":"s-1"}`,
				`{"type":"user","session_id":"s-1","parent_tool_use_id":null,"isSynthetic":true,"message":{"role":"user","content":"the gist"}}`,
				`{"type":"user","session_id":"s-1","parent_tool_use_id":null,"isSynthetic":true,"message":{"role":"user","content":"a reminder"}}`},
			append(streamCall("2"), streamCall("3")...), streamLine("user", "null", `{"role":"user","content":"more"}`)},
		{"droid", append([]string{`{"type":"session_start","id":"d-1"}`, droidLine("u1", `{"role":"user","content":[{"type":"text","text":"go"}]}`)}, droidCall("1")...),
			[]string{`{"type":"compaction_state","id":"c","summaryText":"the gist"}`},
			append(droidCall("2"), droidCall("3")...), droidLine("u2", `{"role":"user","content":[{"type":"text","text":"more"}]}`)},
		{"copilot-cli", append([]string{copilotLine("session.start", `{"sessionId":"s"}`), copilotLine("user.message", `{"content":"go"}`)}, copilotCall("1")...),
			[]string{copilotLine("session.compaction_complete", `{"success":true,"summaryContent":"the gist"}`),
				copilotLine("session.compaction_complete", `{"success":false}`),
				copilotLine("session.truncation", `{"messagesRemovedDuringTruncation":0}`)},
			append(copilotCall("2"), copilotCall("3")...), copilotLine("user.message", `{"content":"more"}`)},
		{"goose", append([]string{`{"working_dir":"/d","message_count":9}`, gooseLine("user", hidden, `{"type":"text","text":"go"}`)}, gooseCall("1", hidden)...),
			[]string{gooseLine("user", `"userVisible":false`, `{"type":"text","text":"the "}`), gooseLine("assistant", `"userVisible":false`, `{"type":"text","text":"gist"}`)},
			append(gooseCall("2", ""), gooseCall("3", "")...), gooseLine("user", "", `{"type":"text","text":"more"}`)},
		{"opencode", append([]string{`{"info":{"id":"m1","sessionID":"s","role":"user"},"parts":[{"type":"text","text":"go"}]}`}, openCodeCall("2")...),
			[]string{`{"info":{"id":"m3","sessionID":"s","role":"user"},"parts":[{"type":"compaction","auto":true}]}`,
				`{"info":{"id":"m4","sessionID":"s","role":"assistant","summary":true},"parts":[{"type":"text","text":"the gist"}]}`},
			append(openCodeCall("6"), openCodeCall("7")...), `{"info":{"id":"m5","sessionID":"s","role":"user","summary":{"diffs":[]}},"parts":[{"type":"text","text":"more"}]}`},
		{"openhands", append([]string{`{"source":"user","action":"message","args":{"content":"go"}}`}, openHandsCall("1")...),
			[]string{`{"source":"agent","action":"condensation","args":{"forgotten_event_ids":[1],"summary":"the gist","summary_offset":1}}`},
			append(openHandsCall("2"), openHandsCall("3")...), `{"source":"user","action":"message","args":{"content":"more"}}`},
		{"openhands", append([]string{sdkLine("user", `"kind":"MessageEvent","llm_message":{"role":"user","content":"go"}`)}, sdkCall("1")...),
			[]string{sdkLine("environment", `"kind":"Condensation","forgotten_event_ids":["1"],"summary":"the gist","summary_offset":1`)},
			append(sdkCall("2"), sdkCall("3")...), sdkLine("user", `"kind":"MessageEvent","llm_message":{"role":"user","content":"more"}`)},
		{"kiro", append([]string{kiroRecord("Prompt", "p1", `{"kind":"text","data":"go"}`)}, kiroCall("1")...),
			[]string{kiroRecord("Compaction", "c", `{"kind":"text","data":"the gist"}`)},
			append(kiroCall("2"), kiroCall("3")...), kiroRecord("Prompt", "p2", `{"kind":"text","data":"more"}`)},
		{"qwen-code", append([]string{qwenLine("1", "user", `"message":{"role":"user","parts":[{"text":"go"}]}`)}, qwenCall("a")...),
			[]string{qwenLine("2", "system", `"subtype":"chat_compression","systemPayload":{"compressedHistory":[{"role":"user","parts":[{"text":"the "}]},{"role":"model","parts":[{"text":"gist"}]}]}`)},
			append(qwenCall("b"), qwenCall("c")...), qwenLine("3", "user", `"message":{"role":"user","parts":[{"text":"more"}]}`)},
	} {
		within := lines(slices.Concat(tt.before, tt.compact, tt.more)...)
		if tt.format == "pi" { // a tree: the next entry's parent is the compaction
			within = strings.Replace(within, `"parentId":"u2"`, `"parentId":"x"`, 1)
		}
		wants := []string{"turn 1, step 1, step 2 after the gist, step 3", "turn 1, step 1, turn 2 compacted, step 1 after the gist, step 2"}
		if tt.format == "opencode" { // the response that is the summary reads the whole history
			wants = []string{"turn 1, step 1, step 2, step 3 after the gist, step 4", "turn 1, step 1, step 2, turn 2 compacted, step 1 after the gist, step 2"}
		}
		if got, want := compactions(t, readAs(t, tt.format, within)), wants[0]; got != want {
			t.Errorf("%s, within a turn: %s; should be %s", tt.format, got, want)
		}
		asked := lines(slices.Concat(tt.before, tt.compact, []string{tt.prompt}, tt.more)...)
		if got, want := compactions(t, readAs(t, tt.format, asked)), wants[1]; got != want {
			t.Errorf("%s, before a prompt: %s; should be %s", tt.format, got, want)
		}
	}
}

func TestADKSaysWhatTookTheHistorysPlace(t *testing.T) {
	call := func(id string) string {
		return adkLine("e"+id, "root", `{"role":"model","parts":[{"function_call":{"id":"`+id+`","name":"f","args":{}}}]}`, "") + "," +
			adkLine("r"+id, "root", `{"role":"user","parts":[{"function_response":{"id":"`+id+`","name":"f","response":{"result":"1"}}}]}`, "")
	}
	within := `{"id":"s-1","events":[` + adkLine("1", "user", `{"role":"user","parts":[{"text":"go"}]}`, "") + "," + call("a") +
		`,{"author":"user","id":"5","actions":{"compaction":{"start_timestamp":1,"end_timestamp":2,"compacted_content":{"role":"model","parts":[{"text":"the gist"}]}}}},` +
		call("b") + `]}`
	if got, want := compactions(t, readAs(t, "gemini-contents", within)), "turn 1, step 1, step 2 after the gist"; got != want {
		t.Errorf("%s; should be %s", got, want)
	}
}

func TestAGeminiCLIChatThatWasReplacedGoesOnWithinATurn(t *testing.T) {
	chat := lines(geminiHeader, geminiLine("1", "user", `"content":"go"`), geminiLine("2", "gemini", `"content":"looking"`),
		`{"$set":{"messages":[`+geminiLine("3", "gemini", `"content":"what was before"`)+`]}}`, geminiLine("4", "gemini", `"content":"done"`))
	if got, want := compactions(t, readAs(t, "gemini-cli", chat)), "turn 1, step 1, step 2 after , step 3"; got != want {
		t.Errorf("%s; should be %s", got, want)
	}
}

// Of a history that only lost some messages the model still reads the rest.
func TestHiddenGooseMessagesAmongOthersAreNoCompaction(t *testing.T) {
	session := lines(`{"working_dir":"/d","message_count":4}`,
		`{"role":"user","content":[{"type":"text","text":"go"}]}`,
		`{"role":"assistant","content":[{"type":"text","text":"looking"}],"metadata":{"agentVisible":false}}`,
		`{"role":"user","content":[{"type":"text","text":"more"}]}`,
		`{"role":"assistant","content":[{"type":"text","text":"done"}]}`)
	if got, want := compactions(t, readAs(t, "goose", session)), "turn 1, step 1, turn 2, step 1"; got != want {
		t.Errorf("%s; should be %s", got, want)
	}
}
