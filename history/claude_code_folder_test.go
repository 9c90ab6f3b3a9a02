package history

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writtenProject writes a project folder: a session, its folder with a subagent and side files.
func writtenProject(t *testing.T) (project string) {
	t.Helper()
	project = t.TempDir()
	write := func(name, content string) { write(t, filepath.Join(project, name), content) }
	agent := func(typ, uuid, message string) string {
		return `{"type":"` + typ + `","uuid":"` + uuid + `","parentUuid":null,"sessionId":"s1","agentId":"a1","isSidechain":true,"message":` + message + `}`
	}
	write("s1.jsonl", lines(
		userLine("1", "", `"go"`),
		modelLine("2", "m1", "", useOf("t", "Task")+","+useOf("a", "Bash")+","+useOf("b", "Read")+","+useOf("c", "mcp__x__y")+","+useOf("d", "Bash")+","+useOf("e", "Bash")+","+useOf("f", "Bash")),
		userLine("3", "", `[`+resultOf("a", `<persisted-output>\nOutput too large (12B). Full output saved to: /home/u/s1/tool-results/a.txt\n\nPreview (first 2KB):\nwhole\n</persisted-output>`)+`]`),
		userLine("4", "", `[`+resultOf("b", "still whole")+`]`),
		userLine("5", "", `[`+resultOf("c", `<persisted-output>c</persisted-output>`)+`]`),
		userLine("6", `"toolUseResult":{"stdout":"from the line itself, which is longer than the note","stderr":""},`, `[`+resultOf("d", `<persisted-output>d</persisted-output>`)+`]`),
		userLine("7", "", `[`+resultOf("e", `<persisted-output>nowhere</persisted-output>`)+`]`),
		userLine("8", `"toolUseResult":{"persistedOutputPath":"C:\\Users\\u\\s1\\tool-results\\bx7.txt"},`, `[`+resultOf("f", `<persisted-output>f</persisted-output>`)+`]`),
		userLine("9", "", `[`+resultOf("t", "agentId: a1")+`]`),
	))
	write("s1/tool-results/a.txt", "whole output")
	write("s1/tool-results/b.txt", "still whole")
	write("s1/tool-results/c.json", `[{"type":"text","text":"part 1"},{"type":"text","text":"part 2"}]`)
	write("s1/tool-results/bx7.txt", "by its path")
	write("s1/tool-results/toolu_x.json", `{"messages":[{"role":"user","content":"a result that looks like a recording"}]}`)
	write("s1/subagents/agent-a1.jsonl", lines(
		agent("user", "p", `{"role":"user","content":"job"}`),
		agent("assistant", "q", `{"id":"m2","role":"assistant","content":[`+useOf("z", "Read")+`]}`),
		agent("user", "r", `{"role":"user","content":[`+resultOf("z", "done")+`]}`)))
	write("s1/subagents/agent-a1.meta.json", `{"agentType":"explorer"}`)
	return project
}

const mainCalls = `main 1.1 Task(t) = "agentId: a1"
main 1.1 Bash(a) = "whole output" [offloaded-by-recorder]
main 1.1 Read(b) = "still whole" [offload-unconfirmed]
main 1.1 mcp__x__y(c) = "part 1" + "part 2" [offloaded-by-recorder]
main 1.1 Bash(d) = "from the line itself, which is longer than the note" [offloaded-by-recorder]
main 1.1 Bash(e) = "<persisted-output>nowhere</persisted-output>" [truncated-by-recorder offloaded-by-recorder]
main 1.1 Bash(f) = "by its path" [offloaded-by-recorder]
`

func TestClaudeCodeFileReadsItsSideFilesButNotItsSubagents(t *testing.T) {
	path := filepath.Join(writtenProject(t), "s1.jsonl")
	recs, err := Open(context.Background(), path, Options{})
	if err != nil || len(recs) != 1 {
		t.Fatalf("%d recordings, %v", len(recs), err)
	}
	if got := transcript(t, recs[0]); got != mainCalls {
		t.Errorf("calls:\n%sshould be:\n%s", got, mainCalls)
	}
	calls := recs[0].Conversations[0].Calls()
	r := calls[1].Result
	if want := filepath.Join(filepath.Dir(path), "s1", "tool-results", "a.txt"); r.At.File != want {
		t.Errorf("the payload lies in %s, should be %s", r.At.File, want)
	}
	if r.Recorded == nil || r.Recorded.Bytes != 142 {
		t.Errorf("recorded %+v, the note has 142 bytes", r.Recorded)
	}
	if r := calls[2].Result; r.Recorded != nil || r.At.File != path {
		t.Errorf("a result that the message holds whole: recorded %+v at %s", r.Recorded, r.At.File)
	}
}

func TestClaudeCodeFolderIsOneConversation(t *testing.T) {
	project := writtenProject(t)
	for _, path := range []string{project, filepath.Join(project, "s1")} {
		recs, err := Open(context.Background(), path, Options{})
		if err != nil || len(recs) != 1 || len(recs[0].Conversations) != 1 {
			t.Fatalf("%s: %d recordings, %v", path, len(recs), err)
		}
		c := recs[0].Conversations[0]
		if c.ID != "s1" || len(c.Threads) != 2 || c.Threads[1].Agent != "explorer" {
			t.Errorf("conversation %q, %d threads", c.ID, len(c.Threads))
		}
		want := mainCalls + `a1 1.1 Read(z) = "done"
`
		if got := transcript(t, recs[0]); got != want {
			t.Errorf("calls:\n%sshould be:\n%s", got, want)
		}
	}
}

func TestClaudeCodeSubagentFileIsAConversationOfItsOwn(t *testing.T) {
	path := filepath.Join(writtenProject(t), "s1", "subagents", "agent-a1.jsonl")
	recs, err := Open(context.Background(), path, Options{})
	if err != nil || len(recs) != 1 {
		t.Fatalf("%d recordings, %v", len(recs), err)
	}
	c := recs[0].Conversations[0]
	if c.ID != "s1:a1" || len(c.Threads) != 1 || c.Threads[0].Name != "a1" || !c.Threads[0].Subagent() {
		t.Errorf("conversation %q, first of %d threads %q", c.ID, len(c.Threads), c.Threads[0].Name)
	}
}

func TestClaudeCodeProjectFolderHoldsSessions(t *testing.T) {
	project := writtenProject(t)
	// An older version: the subagent's file lies beside the session.
	write(t, filepath.Join(project, "s2.jsonl"), lines(strings.ReplaceAll(modelLine("1", "m", "", useOf("x", "Task")), `"s1"`, `"s2"`)))
	write(t, filepath.Join(project, "agent-a2.jsonl"), lines(`{"type":"assistant","uuid":"2","parentUuid":null,"sessionId":"s2","agentId":"a2","isSidechain":true,`+
		`"message":{"id":"n","role":"assistant","content":[`+useOf("y", "Read")+`]}}`))
	write(t, filepath.Join(project, "agent-a3.jsonl"), lines(`{"type":"assistant","uuid":"2","parentUuid":null,"sessionId":"gone","agentId":"a3","isSidechain":true,`+
		`"message":{"id":"n","role":"assistant","content":[`+useOf("z", "Read")+`]}}`))
	recs, err := Open(context.Background(), project, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range recs {
		for _, c := range r.Conversations {
			for _, th := range c.Threads {
				got = append(got, filepath.Base(r.Name)+" "+c.ID+" "+th.Name)
			}
		}
	}
	want := []string{"agent-a3.jsonl gone:a3 a3", "s1.jsonl s1 main", "s1.jsonl s1 a1", "s2.jsonl s2 main", "s2.jsonl s2 a2"}
	if !slices.Equal(got, want) {
		t.Errorf("threads %q, should be %q", got, want)
	}
}

func TestRealClaudeCodeFolders(t *testing.T) {
	dir := filepath.Join(realRecordings(t), "claude_code")
	recs, err := Open(context.Background(), dir, Options{})
	if err != nil || len(recs) != 13 {
		t.Errorf("%d recordings, 13 expected of 14 files: one is a subagent's. %v", len(recs), err)
	}
	const session = "0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f"
	recs, err = Open(context.Background(), filepath.Join(dir, session), Options{})
	if err != nil || len(recs) != 1 {
		t.Fatalf("%d recordings, %v", len(recs), err)
	}
	c := recs[0].Conversations[0]
	if c.ID != session || len(c.Threads) != 2 || c.Threads[1].Name != "a0ad4f44468bdf20d" || c.Threads[1].Agent != "general-purpose" || len(c.Calls()) != 2 {
		t.Errorf("conversation %s of %d threads and %d calls", c.ID, len(c.Threads), len(c.Calls()))
	}
}
