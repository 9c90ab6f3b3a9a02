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
	} {
		within := lines(slices.Concat(tt.before, tt.compact, tt.more)...)
		if tt.format == "pi" { // a tree: the next entry's parent is the compaction
			within = strings.Replace(within, `"parentId":"u2"`, `"parentId":"x"`, 1)
		}
		if got, want := compactions(t, readAs(t, tt.format, within)), "turn 1, step 1, step 2 after the gist, step 3"; got != want {
			t.Errorf("%s, within a turn: %s; should be %s", tt.format, got, want)
		}
		asked := lines(slices.Concat(tt.before, tt.compact, []string{tt.prompt}, tt.more)...)
		if got, want := compactions(t, readAs(t, tt.format, asked)), "turn 1, step 1, turn 2 compacted, step 1 after the gist, step 2"; got != want {
			t.Errorf("%s, before a prompt: %s; should be %s", tt.format, got, want)
		}
	}
}
