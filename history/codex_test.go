package history

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func rollout(kind, payload string) string {
	return `{"timestamp":"2026-01-02T03:04:05Z","type":"` + kind + `","payload":` + payload + `}`
}

func codexTokens(input, cached, output string) string {
	u := `{"input_tokens":` + input + `,"cached_input_tokens":` + cached + `,"output_tokens":` + output + `}`
	return rollout("event_msg", `{"type":"token_count","info":{"total_token_usage":`+u+`}}`)
}

// codexRollout has everything twice, as rollouts do: in items, and in events for the screen.
var codexRollout = lines(
	rollout("session_meta", `{"id":"s-1","instructions":"be kind"}`),
	rollout("turn_context", `{"model":"m-1"}`),
	rollout("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>here</environment_context>"}]}`),
	rollout("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`),
	rollout("event_msg", `{"type":"user_message","message":"go"}`),
	rollout("event_msg", `{"type":"token_count","info":null}`),
	rollout("event_msg", `{"type":"agent_reasoning","text":"hm"}`),
	rollout("response_item", `{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}`),
	rollout("response_item", `{"type":"function_call","call_id":"a","name":"shell","arguments":"{\"command\":[\"ls\"]}"}`),
	rollout("response_item", `{"type":"function_call","call_id":"b","name":"docs__ask","arguments":"{}"}`),
	codexTokens("100", "60", "7"),
	rollout("event_msg", `{"type":"mcp_tool_call_end","call_id":"b","result":{"Ok":{"content":[],"structuredContent":{"n": 1},"isError":true}}}`),
	rollout("response_item", `{"type":"function_call_output","call_id":"b","output":{"type":"input_text","text":"no"}}`),
	rollout("response_item", `{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"x\n"},{"type":"input_image","image_url":"data:image/png;base64,AA"},{"type":"input_text","text":"y"}]}`),
	codexTokens("100", "60", "7"),
	rollout("response_item", `{"type":"custom_tool_call","call_id":"a","name":"apply_patch","input":"*** Begin"}`),
	codexTokens("250", "160", "10"),
	rollout("event_msg", `{"type":"patch_apply_end","call_id":"a","success":false}`),
	rollout("response_item", `{"type":"custom_tool_call_output","call_id":"a","output":"bad patch"}`),
	rollout("compacted", `{"message":"","replacement_history":[{"type":"function_call_output","call_id":"z","output":"old"}]}`),
	rollout("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"more"}]}`),
	rollout("event_msg", `{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"more"}]}}`),
	rollout("response_item", `{"type":"function_call","call_id":"c","name":"search","namespace":"mcp__docs","arguments":"{"}`),
	rollout("event_msg", `{"type":"turn_aborted"}`),
	rollout("response_item", `{"type":"ghost_snapshot","ghost_commit":{"id":"1"}}`))

func TestCodexRollout(t *testing.T) {
	rec := readAs(t, "codex", codexRollout)
	want := []string{
		`conversation 0 model "m-1" system "be kind<environment_context>here</environment_context>" usage &{90 160 10 false}`,
		`turn 1 "go"`, `step 1 "" "hm"`,
		`a shell("{\"command\":[\"ls\"]}") = "x\ny" image image/png 24`, `b docs__ask("{}") = "no" error`,
		`step 2 "" ""`, `a apply_patch("*** Begin") = "bad patch" error failed id-reused`,
		`turn 2 "more"`, `step 1 "" ""`, `c mcp__docs__search("{") no-result,invalid-arguments`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	c := rec.Conversations[0]
	turns := c.Threads[0].Turns
	if c.ID != "s-1" || turns[0].Compacted || !turns[1].Compacted {
		t.Errorf("conversation %q, compacted %v %v", c.ID, turns[0].Compacted, turns[1].Compacted)
	}
	first, second := turns[0].Steps[0], turns[0].Steps[1]
	if *first.Usage != (Usage{Input: 40, Cached: 60, Output: 7}) || *second.Usage != (Usage{Input: 50, Cached: 100, Output: 3}) {
		t.Errorf("usage %+v and %+v: the increases of the running totals", first.Usage, second.Usage)
	}
	r := first.Calls[1].Result
	if r.Structured == nil || textOf(t, *r.Structured) != `{"n": 1}` || r.Time.Format("15:04:05") != "03:04:05" || r.At.Line != 13 {
		t.Errorf("structured %v, time %v, at %v", r.Structured, r.Time, r.At)
	}
}

func TestCodexFirstGenerationHasBareItems(t *testing.T) {
	rec := readAs(t, "codex", lines(`{"id":"s-0","timestamp":"2025-06-01T00:00:00Z","instructions":null,"git":{}}`, `{"record_type":"state"}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`, `{"record_type":"state"}`,
		`{"type":"function_call","id":"f","call_id":"a","name":"shell","arguments":"{}"}`,
		`{"type":"function_call_output","call_id":"a","output":"{\"output\":\"Total output lines: 900\\n\\nx\",\"metadata\":{\"exit_code\":0}}"}`))
	want := "main 1.1 shell(a) = \"{\\\"output\\\":\\\"Total output lines: 900\\\\n\\\\nx\\\",\\\"metadata\\\":{\\\"exit_code\\\":0}}\" [truncated-by-recorder]\n"
	if got := transcript(t, rec); got != want || rec.Conversations[0].ID != "s-0" {
		t.Errorf("conversation %q: %sshould be %s", rec.Conversations[0].ID, got, want)
	}
}

func TestCodexPromptsMayStandInEventsOnly(t *testing.T) {
	rec := readAs(t, "codex", lines(rollout("event_msg", `{"type":"user_message","message":"one"}`),
		rollout("response_item", `{"role":"assistant","content":[{"type":"output_text","text":"hi"}]}`),
		rollout("event_msg", `{"type":"user_message","message":"two"}`),
		rollout("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"two"},{"type":"input_image","image_url":"u"}]}`)))
	want := []string{`conversation 0 model "" system "" usage <nil>`, `turn 1 "one"`, `step 1 "" "hi"`, `turn 2 "two" image input_image 1`}
	if got := outline(t, rec); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestCodexTruncationIsKnownByTheHeader(t *testing.T) {
	for output, want := range map[string]bool{
		"Exit code: 0\nWall time: 1 seconds\nTotal output lines: 900\nOutput:\nx": true,
		"Total output lines: 900\n\nx":                                            true,
		"Exit code: 0\nWall time: 1 seconds\nOutput:\nTotal output lines: 900\n":  false,
		"the log says:\nTotal output lines: 900\n":                                false,
		"": false,
	} {
		if got := codexTruncated(output); got != want {
			t.Errorf("%q is cut: %v, should be %v", output, got, want)
		}
	}
}

// The ids of sessions and turns begin with the time at which they were made.
const (
	codexParent  = "019f0000-0000-7000-8000-000000000001"
	codexOldTurn = "019f0000-1111-7000-8000-000000000001"
	codexChild   = "019f0000-2222-7000-8000-000000000001"
	codexNewTurn = "019f0000-3333-7000-8000-000000000001"
)

func codexFork(meta string) string {
	turn := func(id, prompt, call, out string) []string {
		return []string{rollout("event_msg", `{"type":"task_started","turn_id":"`+id+`"}`),
			rollout("turn_context", `{"turn_id":"`+id+`","model":"m"}`),
			rollout("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"`+prompt+`"}]}`),
			rollout("response_item", `{"type":"function_call","call_id":"`+call+`","name":"shell","arguments":"{}"}`),
			codexTokens(out, "0", "1"),
			rollout("response_item", `{"type":"function_call_output","call_id":"`+call+`","output":"`+out+`"}`)}
	}
	list := []string{rollout("session_meta", `{"id":"`+codexChild+`",`+meta+`}`), rollout("session_meta", `{"id":"`+codexParent+`"}`)}
	list = append(list, turn(codexOldTurn, "old", "a", "100")...)
	return lines(append(list, turn(codexNewTurn, "new", "b", "130")...)...)
}

func TestCodexForkMarksWhatItsParentDid(t *testing.T) {
	rec := readAs(t, "codex", codexFork(`"forked_from_id":"`+codexParent+`"`))
	want := `main 1.1 shell(a) = "100" [copied-history]
main 2.1 shell(b) = "130"
`
	c := rec.Conversations[0]
	if got := transcript(t, rec); got != want || c.ID != codexChild {
		t.Errorf("%s: %sshould be\n%s", c.ID, got, want)
	}
	if c.Usage == nil || *c.Usage != (Usage{Input: 30}) {
		t.Errorf("usage %+v: the parent's counts for the parent", c.Usage)
	}
}

// Turns without ids: the copy was written at once, all of it at the time of the first line.
func TestCodexForkWithoutTurnIDsIsToldByItsTimes(t *testing.T) {
	at := func(when, kind, payload string) string {
		return `{"timestamp":"2026-01-02T` + when + `Z","type":"` + kind + `","payload":` + payload + `}`
	}
	turn := func(when, id, input string) string {
		return lines(at(when, "turn_context", `{"cwd":"/","model":"m"}`),
			at(when, "response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}`),
			at(when, "event_msg", `{"type":"user_message","message":"q"}`),
			at(when, "response_item", `{"type":"function_call","call_id":"`+id+`","name":"shell","arguments":"{}"}`),
			at(when, "event_msg", `{"type":"token_count","info":{"total_token_usage":{"input_tokens":`+input+`,"output_tokens":10}}}`),
			at(when, "response_item", `{"type":"function_call_output","call_id":"`+id+`","output":"r"}`))
	}
	const child, parent = `{"id":"child","forked_from_id":"parent"}`, `{"id":"parent"}`
	text := at("04:00:00.123", "session_meta", child) + "\n" + at("04:00:00.123", "session_meta", parent) + "\n" +
		turn("04:00:00.123", "p", "100") + turn("04:01:00", "c", "230")
	rec := readAs(t, "codex", text)
	want := "main 1.1 shell(p) = \"r\" [copied-history]\nmain 2.1 shell(c) = \"r\"\n"
	if got := transcript(t, rec); got != want {
		t.Errorf("%sshould be\n%s", got, want)
	}
	if u := rec.Conversations[0].Usage; u == nil || *u != (Usage{Input: 130}) {
		t.Errorf("usage %+v: should be 230-100", u)
	}
}

func TestCodexSubagentHasAThreadOfItsOwn(t *testing.T) {
	rec := readAs(t, "codex", codexFork(`"thread_source":"subagent","agent_role":"explorer","source":{"subagent":{"thread_spawn":{"parent_thread_id":"`+codexParent+`"}}}`))
	want := `main 1.1 shell(a) = "100" [copied-history]
` + codexChild + ` 1.1 shell(b) = "130"
`
	if got := transcript(t, rec); got != want {
		t.Errorf("%sshould be\n%s", got, want)
	}
	for _, th := range rec.Conversations[0].Threads {
		if th.Subagent() && th.Agent != "explorer" {
			t.Errorf("the agent is %q", th.Agent)
		}
	}
}

func TestCodexArchiveIsCompressed(t *testing.T) {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rollout.jsonl.zst")
	if err := os.WriteFile(path, w.EncodeAll([]byte(codexRollout), nil), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := Open(t.Context(), path, Options{})
	if err != nil || list[0].Format != "codex" {
		t.Fatal(list, err)
	}
	if got, want := transcript(t, list[0]), transcript(t, readAs(t, "codex", codexRollout)); got != want {
		t.Errorf("%sshould be\n%s", got, want)
	}
}

func TestRealCodexRecordings(t *testing.T) {
	checkReal(t, []realRow{
		{file: "codex/codex_exec_tool_results.jsonl", format: "codex", conversations: 1, calls: 1, results: 1, largest: 48},
		{file: "codex/codex_schema_union_0.146.jsonl", format: "codex", conversations: 1, calls: 8, results: 7, largest: 262,
			why: "the index passes over tool_search_output, the picture that an image_generation_call holds and measures parts as JSON; the web search has no result"},
		{file: "codex/codex_envelope_session.jsonl", format: "codex", conversations: 1, calls: 5, results: 5, largest: 170},
		{file: "codex/traex_rollout_subagent.jsonl", format: "codex", conversations: 1, calls: 3, results: 3, largest: 118},
	})
	_, err := Open(t.Context(), filepath.Join(realRecordings(t), "codex/codex_rate_limit.jsonl"), Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "no conversation in it, read as codex: nobody says or calls anything there; a recording has messages, tool calls and their results") {
		t.Errorf("a rollout of events only: %v", err)
	}
}

func TestCodexSurvives(t *testing.T) {
	survives(t, "codex", codexRollout)
	survives(t, "codex", codexFork(`"forked_from_id":"`+codexParent+`"`))
}

func FuzzCodex(f *testing.F) {
	fuzzFormat(f, "codex", codexRollout, codexFork(`"thread_source":"subagent"`))
}
