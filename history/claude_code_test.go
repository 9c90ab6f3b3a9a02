package history

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// A session line is written as compactly as the reader allows: user and assistant lines of one
// session, with what a case is about put in front of the message.
func userLine(uuid, extra, content string) string {
	return `{"type":"user","uuid":"` + uuid + `","parentUuid":null,"sessionId":"s1","isSidechain":false,` + extra +
		`"message":{"role":"user","content":` + content + `}}`
}

func modelLine(uuid, message, extra, blocks string) string {
	return `{"type":"assistant","uuid":"` + uuid + `","parentUuid":"x","sessionId":"s1","isSidechain":false,` + extra +
		`"message":{"id":"` + message + `","role":"assistant","model":"model-a","content":[` + blocks + `]}}`
}

func useOf(id, tool string) string {
	return `{"type":"tool_use","id":"` + id + `","name":"` + tool + `","input":{"of":"` + id + `"}}`
}

func resultOf(id, text string) string {
	return `{"type":"tool_result","tool_use_id":"` + id + `","content":"` + text + `"}`
}

func TestClaudeCodeCalls(t *testing.T) {
	tests := map[string]struct {
		lines []string
		want  string
	}{
		"calls of one message over several lines are one step, whatever stands between them": {
			[]string{
				userLine("1", "", `"go"`),
				modelLine("2", "m1", "", `{"type":"text","text":"looking"}`),
				modelLine("3", "m1", "", useOf("a", "Read")),
				userLine("4", "", `[`+resultOf("a", "one")+`]`),
				modelLine("5", "m1", "", useOf("b", "Glob")),
				modelLine("6", "m1", "", useOf("c", "Bash")),
				userLine("7", "", `[`+resultOf("c", "three")+`]`),
				userLine("8", "", `[`+resultOf("b", "two")+`]`),
				modelLine("9", "m2", "", useOf("d", "Bash")),
				userLine("10", "", `[`+resultOf("d", "")+`]`),
			},
			`main 1.1 Read(a) = "one"
main 1.1 Glob(b) = "two"
main 1.1 Bash(c) = "three"
main 1.2 Bash(d) = ""
`,
		},
		"the error flag is an error and a failure": {
			[]string{
				modelLine("1", "m1", "", useOf("a", "Bash")),
				userLine("2", "", `[{"type":"tool_result","tool_use_id":"a","content":"no such file","is_error":true}]`),
			},
			`main 0.1 Bash(a) = "no such file" error failed
`,
		},
		"a result of several parts keeps each": {
			[]string{
				modelLine("1", "m1", "", useOf("a", "mcp__shop__find")),
				userLine("2", "", `[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x\ny"},`+
					`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"text","text":"z"}]}]`),
			},
			`main 0.1 mcp__shop__find(a) = "x\ny" + <image image/png> + "z"
`,
		},
		"a call that was interrupted has no result": {
			[]string{
				userLine("1", "", `"go"`),
				modelLine("2", "m1", "", useOf("a", "Bash")),
				userLine("3", "", `[{"type":"text","text":"[Request interrupted by user for tool use]"}]`),
				modelLine("4", "m2", "", useOf("b", "Bash")),
				userLine("5", "", `[`+resultOf("b", "two")+`]`),
			},
			`main 1.1 Bash(a) [no-result]
main 1.2 Bash(b) = "two"
`,
		},
		"an id that comes back with other arguments is another call": {
			[]string{
				modelLine("1", "m1", "", `{"type":"tool_use","id":"a","name":"Bash","input":{"n":1}}`),
				userLine("2", "", `[`+resultOf("a", "one")+`]`),
				modelLine("3", "m2", "", `{"type":"tool_use","id":"a","name":"Bash","input":{"n":2}}`),
				userLine("4", "", `[`+resultOf("a", "two")+`]`),
			},
			`main 0.1 Bash(a) = "one"
main 0.2 Bash(a) = "two" [id-reused]
`,
		},
		"an id that comes back with the same arguments is another call only where it gets a result of its own": {
			[]string{
				modelLine("1", "m1", "", useOf("a", "Bash")),
				userLine("2", `"timestamp":"2026-01-02T03:04:05Z",`, `[`+resultOf("a", "one")+`]`),
				modelLine("3", "m2", "", useOf("a", "Bash")),
				modelLine("4", "m3", "", useOf("a", "Bash")),
				userLine("5", `"timestamp":"2026-01-02T03:04:06Z",`, `[`+resultOf("a", "two")+`]`),
			},
			`main 0.1 Bash(a) = "one"
main 0.2 Bash(a) = "two" [id-reused]
`,
		},
		"a block that repeats a call still open is the same call": {
			[]string{
				modelLine("1", "m1", "", useOf("a", "Read")),
				modelLine("2", "m2", "", useOf("a", "Read")+","+useOf("b", "Read")),
				userLine("3", "", `[`+resultOf("a", "one")+`]`),
				userLine("4", "", `[`+resultOf("b", "two")+`]`),
			},
			`main 0.1 Read(a) = "one"
main 0.2 Read(b) = "two"
`,
		},
		"a gateway that gives every response the same id is told apart by the request": {
			[]string{
				modelLine("1", "m", `"requestId":"r1",`, useOf("a", "Read")),
				userLine("2", "", `[`+resultOf("a", "one")+`]`),
				modelLine("3", "m", `"requestId":"r2",`, useOf("b", "Read")),
				userLine("4", "", `[`+resultOf("b", "two")+`]`),
			},
			`main 0.1 Read(a) = "one"
main 0.2 Read(b) = "two"
`,
		},
		"without requests it is told apart by what went in": {
			[]string{
				strings.Replace(modelLine("1", "m", "", useOf("a", "Read")), `"role"`, `"usage":{"input_tokens":10,"output_tokens":1},"role"`, 1),
				userLine("2", "", `[`+resultOf("a", "one")+`]`),
				strings.Replace(modelLine("3", "m", "", useOf("b", "Read")), `"role"`, `"usage":{"input_tokens":12,"output_tokens":1},"role"`, 1),
			},
			`main 0.1 Read(a) = "one"
main 0.2 Read(b) [no-result]
`,
		},
		"a note about a large result is only what the payload begins with": {
			[]string{
				modelLine("1", "m1", "", useOf("a", "Grep")),
				userLine("2", "", `[`+resultOf("a", `x.md: <persisted-output>saved</persisted-output>`)+`]`),
				modelLine("3", "m2", "", useOf("b", "Bash")),
				userLine("4", "", `[`+resultOf("b", `<persisted-output> is a tag`)+`]`),
				modelLine("5", "m3", "", useOf("c", "Bash")),
				userLine("6", "", `[`+resultOf("c", `<persisted-output>x</persisted-output> is a note`)+`]`),
			},
			`main 0.1 Grep(a) = "x.md: <persisted-output>saved</persisted-output>"
main 0.2 Bash(b) = "<persisted-output> is a tag"
main 0.3 Bash(c) = "<persisted-output>x</persisted-output> is a note"
`,
		},
		"usage that grows while a message is written makes no other response": {
			[]string{
				strings.Replace(modelLine("1", "m", "", useOf("a", "Read")), `"role"`, `"usage":{"input_tokens":0,"output_tokens":1},"role"`, 1),
				strings.Replace(modelLine("2", "m", "", useOf("b", "Read")), `"role"`, `"usage":{"input_tokens":12,"output_tokens":90},"role"`, 1),
			},
			`main 0.1 Read(a) [no-result]
main 0.1 Read(b) [no-result]
`,
		},
		"an object where content should be is a part that is not text": {
			[]string{
				modelLine("1", "m1", "", useOf("a", "read_file")),
				userLine("2", "", `[{"type":"tool_result","tool_use_id":"a","content":{"responseParts":{"functionResponse":{"response":{"output":"text"}}}}}]`),
			},
			`main 0.1 read_file(a) = <other functionResponse>
`,
		},
		"calls and results without ids are paired by order": {
			[]string{
				modelLine("1", "m1", "", `{"type":"tool_use","name":"bash","input":{}}`),
				userLine("2", "", `[{"type":"tool_result","content":"done"}]`),
			},
			`main 0.1 bash(-) = "done" [paired-by-order]
`,
		},
		"lines with a uuid seen before are dropped": {
			[]string{
				modelLine("1", "m1", "", useOf("a", "Read")),
				modelLine("1", "m1", "", useOf("b", "Read")),
				userLine("2", "", `[`+resultOf("a", "one")+`]`),
			},
			`main 0.1 Read(a) = "one"
`,
		},
		"what the recorder cleared is cut": {
			[]string{
				modelLine("1", "m1", "", useOf("a", "Read")),
				userLine("2", "", `[`+resultOf("a", "[Old tool result content cleared]")+`]`),
				modelLine("3", "m2", "", useOf("b", "Grep")),
				userLine("4", "", `[`+resultOf("b", "a.md: [Old tool result content cleared]")+`]`),
			},
			`main 0.1 Read(a) = "[Old tool result content cleared]" [truncated-by-recorder]
main 0.2 Grep(b) = "a.md: [Old tool result content cleared]"
`,
		},
		"a result whose call is in another file is an orphan": {
			[]string{
				userLine("1", "", `"go"`),
				userLine("2", "", `[`+resultOf("a", "one")+`]`),
			},
			`main 1.1 (a) = "one" [orphan-result]
`,
		},
		"what a provider's own tool gave back stands in the model's message": {
			[]string{
				modelLine("1", "m1", "", `{"type":"server_tool_use","id":"w","name":"web_search","input":{"query":"x"}},`+
					`{"type":"web_search_tool_result","tool_use_id":"w","content":[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"zzzz"}]}`),
			},
			`main 0.1 web_search(w) = <resource web_search_result> [provider-executed]
`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := readString(t, "s.jsonl", lines(tt.lines...))
			if rec.Format != "claude-code" {
				t.Fatalf("recognised as %q: %s", rec.Format, rec.Reason)
			}
			if got := transcript(t, rec); got != tt.want {
				t.Errorf("calls:\n%sshould be:\n%s", got, tt.want)
			}
		})
	}
}

// A resume writes the history again: other line ids, but the same messages, tools and times.
func TestClaudeCodeResumeCopyIsNotCountedTwice(t *testing.T) {
	history := func(run string) []string {
		at := func(s string) string { return `"timestamp":"2026-01-02T03:04:` + s + `Z",` }
		return []string{
			userLine(run+"1", at("01"), `"go"`),
			modelLine(run+"2", "m1", at("02")+`"requestId":"r1",`, useOf("a", "Read")),
			userLine(run+"3", at("03"), `[`+resultOf("a", "one")+`]`),
			modelLine(run+"4", "m2", at("04")+`"requestId":"r2",`, useOf("b", "Read")),
		}
	}
	all := append(history("x"), history("y")...)
	all = append(all, userLine("y5", `"timestamp":"2026-01-02T03:05:00Z",`, `[`+resultOf("b", "two")+`]`),
		userLine("y6", `"timestamp":"2026-01-02T03:06:00Z",`, `"go on"`),
		modelLine("y7", "m3", `"timestamp":"2026-01-02T03:06:01Z","requestId":"r3",`, useOf("c", "Read")))
	rec := readString(t, "s.jsonl", lines(all...))
	want := `main 1.1 Read(a) = "one"
main 1.2 Read(b) = "two"
main 2.1 Read(c) [no-result]
`
	if got := transcript(t, rec); got != want {
		t.Errorf("calls:\n%sshould be:\n%s", got, want)
	}
}

func TestClaudeCodeTurns(t *testing.T) {
	rec := readString(t, "s.jsonl", lines(
		`{"type":"summary","summary":"another session","leafUuid":"elsewhere"}`,
		`{"type":"summary","summary":"what it was about","leafUuid":"9"}`,
		`{"type":"file-history-snapshot","snapshot":{}}`,
		userLine("1", `"isMeta":true,`, `"Caveat: local commands"`),
		userLine("a", "", `"<command-name>/context</command-name>"`),
		userLine("b", "", `"<local-command-stdout>40%</local-command-stdout>"`),
		userLine("2", "", `"<command-name>/init</command-name>"`),
		userLine("3", `"isMeta":true,`, `[{"type":"text","text":"expanded command"}]`),
		modelLine("4", "m1", `"timestamp":"2026-01-02T03:04:05.678Z",`, `{"type":"thinking","thinking":"hm"},{"type":"text","text":"ok"}`),
		userLine("5", "", `"<local-command-stdout>bye</local-command-stdout>"`),
		modelLine("6", "e", `"isApiErrorMessage":true,`, `{"type":"text","text":"API Error"}`),
		userLine("7", "", `[{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"now this"}]`),
		modelLine("8", "m2", "", useOf("a", "Read")),
		userLine("9", "", `[`+resultOf("a", "one")+`,{"type":"text","text":"and that"}]`),
		modelLine("10", "m3", "", `{"type":"text","text":"done"}`),
		`{"type":"system","subtype":"compact_boundary","uuid":"11","sessionId":"s1","isSidechain":false,"compactMetadata":{"preTokens":9}}`,
		userLine("12", `"isCompactSummary":true,`, `"summary of all that"`),
		modelLine("13", "m4", "", `{"type":"text","text":"still at it"}`),
		userLine("14", "", `"last one"`),
		`{"type":"attachment","uuid":"15","sessionId":"s1","isSidechain":false,"attachment":{"type":"queued_command","prompt":"while you are at it"}}`,
		`{"type":"attachment","uuid":"16","sessionId":"s1","isSidechain":false,"attachment":{"type":"queued_command","prompt":"<task-notification>x</task-notification>"}}`,
		`{"type":"system","subtype":"microcompact_boundary","uuid":"17","isSidechain":false,"microcompactMetadata":{"compactedToolIds":["a"]}}`,
		`{"type":"progress","uuid":"18","isSidechain":false,"data":{"message":{"message":{"role":"assistant","content":[`+useOf("p", "Bash")+`]}}}}`,
		`{"type":"some-new-kind","uuid":"19"}`,
	))
	c := rec.Conversations[0]
	if c.ID != "s1" || c.Title != "what it was about" || c.Model != "model-a" {
		t.Errorf("conversation %q, title %q, model %q", c.ID, c.Title, c.Model)
	}
	var got []string
	for _, u := range c.Threads[0].Turns {
		s := textOf(t, u.Prompt)
		if u.Compacted {
			s += " (compacted)"
		}
		for _, st := range u.Steps {
			s += " / " + textOf(t, st.Text)
			if st.Compacted {
				s += " (after: " + textOf(t, st.Summary) + ")"
			}
		}
		got = append(got, s)
	}
	want := []string{"<command-name>/init</command-name> / hmok", "<system-reminder>x</system-reminder>now this / ",
		"and that / done / still at it (after: summary of all that)", "last one", "while you are at it"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("turns:\n%s\nshould be:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	at := c.Threads[0].Turns[0].Steps[0].Time
	if !at.Equal(time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)) {
		t.Errorf("first response at %v", at)
	}
	if len(rec.Problems) != 0 {
		t.Errorf("problems: %v", rec.Problems)
	}
}

func textOf(t *testing.T, p Payload) string {
	t.Helper()
	b, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestClaudeCodeUsageIsTheLargestOfEachResponse(t *testing.T) {
	line := func(uuid, message, request, usage, block string) string {
		return `{"type":"assistant","uuid":"` + uuid + `","parentUuid":null,"sessionId":"s1","isSidechain":false,"requestId":"` + request +
			`","message":{"id":"` + message + `","role":"assistant","usage":` + usage + `,"content":[` + block + `]}}`
	}
	first := `{"input_tokens":3,"cache_creation_input_tokens":100,"cache_read_input_tokens":20,"output_tokens":2}`
	last := `{"input_tokens":3,"cache_creation_input_tokens":100,"cache_read_input_tokens":20,"output_tokens":300}`
	small := `{"input_tokens":5,"output_tokens":10}`
	whole := lines(
		line("1", "m1", "r1", first, useOf("a", "Read")),
		line("2", "m1", "r1", last, useOf("b", "Read")),
		line("3", "m1", "r1", first, useOf("c", "Read")))
	u := readString(t, "s.jsonl", whole).Conversations[0].Usage
	if u == nil || *u != (Usage{Input: 3, Cached: 120, Output: 300}) {
		t.Errorf("usage of one response: %+v", u)
	}
	u = readString(t, "s.jsonl", whole+lines(line("4", "m2", "r2", small, useOf("d", "Read")))).Conversations[0].Usage
	if u == nil || *u != (Usage{Input: 8, Cached: 120, Output: 310, LowerBound: true}) {
		t.Errorf("usage with a partial value: %+v", u)
	}
}

func TestClaudeCodeSidechainGoesOnBehindADamagedLine(t *testing.T) {
	side := func(typ, uuid, parent, message string) string {
		return `{"type":"` + typ + `","uuid":"` + uuid + `","parentUuid":` + parent + `,"sessionId":"s1","isSidechain":true,"message":` + message + `}`
	}
	rec := readString(t, "s.jsonl", lines(
		side("user", "p", "null", `{"role":"user","content":"job"}`),
		`{"type":"assistant","uuid":"lost","parentUuid":"p","message":{"content":"\x"}}`,
		side("assistant", "p2", `"lost"`, `{"id":"m2","role":"assistant","content":[`+useOf("a", "Read")+`]}`),
		userLine("1", "", `"the main thread comes first"`),
		modelLine("2", "m1", "", useOf("b", "Read")),
	))
	want := `p 1.1 Read(a) [no-result]
main 1.1 Read(b) [no-result]
`
	c := rec.Conversations[0]
	if got := transcript(t, rec); got != want || len(rec.Problems) != 1 || c.ID != "s1" || c.Threads[0].Name != Main {
		t.Errorf("conversation %s, first thread %s, problems %v, calls:\n%sshould be:\n%s", c.ID, c.Threads[0].Name, rec.Problems, got, want)
	}
}

func BenchmarkClaudeCode(b *testing.B) {
	long := strings.Repeat("line of a file\\n", 4<<10)
	var text strings.Builder
	for i := range 100 {
		n := strconv.Itoa(i)
		text.WriteString(modelLine("u"+n, "m"+n, "", useOf("t"+n, "Read")) + "\n")
		text.WriteString(userLine("r"+n, `"toolUseResult":{"file":{"content":"`+long+`"}},`, `[`+resultOf("t"+n, long)+`]`) + "\n")
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(b.Context(), "s.jsonl", strings.NewReader(text.String()), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestClaudeCodeInlineSidechainsAreThreads(t *testing.T) {
	side := func(typ, uuid, parent, message string) string {
		return `{"type":"` + typ + `","uuid":"` + uuid + `","parentUuid":` + parent + `,"sessionId":"s1","isSidechain":true,"message":` + message + `}`
	}
	rec := readString(t, "s.jsonl", lines(
		userLine("1", "", `"go"`),
		modelLine("2", "m1", "", useOf("t1", "Task")+`,{"type":"tool_use","id":"t2","name":"Task","input":{"subagent_type":"explorer","prompt":"second job"}}`),
		side("user", "p", "null", `{"role":"user","content":"first job"}`),
		side("user", "q", "null", `{"role":"user","content":"second job"}`),
		side("assistant", "p2", `"p"`, `{"id":"m2","role":"assistant","content":[`+useOf("a", "Read")+`]}`),
		side("assistant", "q2", `"q"`, `{"id":"m3","role":"assistant","content":[`+useOf("b", "Read")+`]}`),
		side("user", "q3", `"q2"`, `{"role":"user","content":[`+resultOf("b", "two")+`]}`),
		side("user", "p3", `"p2"`, `{"role":"user","content":[`+resultOf("a", "one")+`]}`),
		userLine("3", "", `[`+resultOf("t2", "second done")+`]`),
		userLine("4", "", `[`+resultOf("t1", "first done")+`]`),
	))
	want := `main 1.1 Task(t1) = "first done"
main 1.1 Task(t2) = "second done"
p 1.1 Read(a) = "one"
q 1.1 Read(b) = "two"
`
	if got := transcript(t, rec); got != want {
		t.Errorf("calls:\n%sshould be:\n%s", got, want)
	}
	if p, q := rec.Conversations[0].Threads[1].Agent, rec.Conversations[0].Threads[2].Agent; p != "" || q != "explorer" {
		t.Errorf("agents %q and %q: only the second was asked for by its type", p, q)
	}
}
