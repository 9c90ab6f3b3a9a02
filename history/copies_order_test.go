package history

import (
	"path/filepath"
	"strings"
	"testing"
)

// A copy whose name comes before the original's is the copy all the same, where it says so itself.
func TestACopyThatIsNamedBeforeItsOriginalIsTheCopy(t *testing.T) {
	const old, young = "11111111-2222-4333-8444-555555555555", "00000000-2222-4333-8444-555555555555"
	original := lines(claudeCopyLines("s1")...)
	own := func(session string) []string {
		return []string{strings.Replace(userLine("u4", "", `"more"`), `"s1"`, `"`+session+`"`, 1),
			strings.Replace(modelLine("a4", "m7", `"requestId":"q4",`, useOf("t5", "Read")), `"s1"`, `"`+session+`"`, 1),
			strings.Replace(userLine("r4", "", `[`+resultOf("t5", "fourth")+`]`), `"s1"`, `"`+session+`"`, 1)}
	}
	forked := strings.ReplaceAll(lines(claudeCopyLines("s2")...), `"sessionId":"s2"`, `"sessionId":"s2","forkedFrom":{"sessionId":"s1","messageUuid":"u1"}`) + lines(own("s2")...)
	ofOther := lines(append(claudeCopyLines(old), own(young)...)...)
	child := codexFork(`"forked_from_id":"` + codexParent + `"`)
	parent := lines(rollout("session_meta", `{"id":"`+codexParent+`"}`),
		rollout("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"old"}]}`),
		rollout("response_item", `{"type":"function_call","call_id":"a","name":"shell","arguments":"{}"}`),
		codexTokens("100", "0", "1"),
		rollout("response_item", `{"type":"function_call_output","call_id":"a","output":"100"}`))
	for name, tt := range map[string]struct {
		files []string
		want  string // file: its calls, those that count elsewhere in brackets
	}{
		"lines that say what they are forked from": {[]string{"1.jsonl", forked, "2.jsonl", original}, "2.jsonl: t1 t2 | 1.jsonl: [t1] [t2] t5"},
		"lines of another session than the file's": {[]string{young + ".jsonl", ofOther, old + ".jsonl", lines(claudeCopyLines(old)...)}, old + ".jsonl: t1 t2 | " + young + ".jsonl: [t1] [t2] t5"},
		"a Codex fork":                         {[]string{"1.jsonl", child, "2.jsonl", parent}, "2.jsonl: a | 1.jsonl: [a] b"},
		"without a proof the first one counts": {[]string{"1.jsonl", strings.ReplaceAll(ofOther, young, old), "2.jsonl", original}, "1.jsonl: t1 t2 t5 | 2.jsonl: [t1] [t2]"},
	} {
		var got []string
		for _, rec := range openTexts(t, tt.files...) {
			calls := filepath.Base(rec.Name) + ":"
			for _, c := range rec.Conversations[0].Calls() {
				id := c.ID
				if c.Flags.Has(CopiedHistory | CountedElsewhere) {
					id = "[" + id + "]"
				}
				calls += " " + id
			}
			got = append(got, calls)
		}
		if g := strings.Join(got, " | "); g != tt.want {
			t.Errorf("%s: %s, should be %s", name, g, tt.want)
		}
	}
}
