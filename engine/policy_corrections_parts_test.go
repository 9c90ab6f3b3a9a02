package engine

import (
	"slices"
	"strings"
	"testing"

	"floodmark/history"
)

// What is left of the corrections: parts that a setting or the way of measuring says, and parts that no
// field says, which stand in the notes of the policy that they concern.

// inParts opens a result of these text parts, of a tool.
func inParts(t *testing.T, tool string, texts ...string) *history.Conversation {
	t.Helper()
	var parts []string
	for _, text := range texts {
		parts = append(parts, `{"type":"text","text":"`+text+`"}`)
	}
	return opened(t, `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"`+tool+`","input":{}}]},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[`+strings.Join(parts, ",")+`]}]}]}`)
}

func TestCorrections5And14NoLimitSwitchesTheCutOff(t *testing.T) {
	for _, name := range []string{"gemini-cli", "inspect-ai"} {
		p := policy(t, name, "limits.per_result=null")
		if o := replay(t, p, RunOptions{SkipExact: true}, by("run_shell_command", letters(100_000)))[0]; o.Verdict != Inline {
			t.Errorf("%s without a limit: %s", name, o.Verdict)
		}
	}
}

func TestCorrection6OpencodeJoinsTextsByABlankLine(t *testing.T) {
	o := runOf(t, policy(t, "opencode"), inParts(t, "crm_list", letters(20_000), letters(10_000))).Outcomes[0]
	if o.Verdict != Inline || o.Inline.Bytes != 30_002 { // the two line feeds between them
		t.Errorf("%s with %d bytes, want inline with 30,002", o.Verdict, o.Inline.Bytes)
	}
	o = runOf(t, policy(t, "opencode"), inParts(t, "crm_list", letters(30_000), letters(30_000))).Outcomes[0]
	if o.Verdict != Offloaded {
		t.Errorf("two of 30,000: %s, want offloaded", o.Verdict)
	}
}

func TestCorrection8AFullDiskLeavesThePayload(t *testing.T) {
	text := numbers(9_000)
	o := replay(t, policy(t, "vscode-copilot"), RunOptions{SkipExact: true, Fault: WriteFails}, result(text))[0]
	if o.Verdict != Inline || o.Inline.Bytes != int64(len(text)) {
		t.Errorf("%s with %d bytes, want the payload's %d", o.Verdict, o.Inline.Bytes, len(text))
	}
}

func TestCorrection10CodexWithItsHistorysLimit(t *testing.T) {
	p := policy(t, "codex-bytes", "limits.per_result=12000") // 1.2 × 10,000
	for n, want := range map[int]Verdict{12_000: Inline, 12_001: Truncated} {
		if o := replay(t, p, RunOptions{SkipExact: true}, by("shell", letters(n)))[0]; o.Verdict != want {
			t.Errorf("%d bytes: %s, want %s", n, o.Verdict, want)
		}
	}
	small := policy(t, "codex-bytes", "limits.per_result=10")
	if o := replay(t, small, RunOptions{SkipExact: true}, by("shell", letters(12)))[0]; o.Verdict != Truncated || o.Inline.Bytes < 12 {
		t.Errorf("of 12 bytes %d are shown, %s", o.Inline.Bytes, o.Verdict)
	}
}

func TestCorrection12TheTerminalsDecorationCounts(t *testing.T) {
	decoration := strings.Repeat("d", 157)
	for n, want := range map[int]Verdict{29_843: Inline, 29_844: Truncated, 29_860: Truncated} {
		if o := under(t, "openhands-sdk-terminal", "terminal", letters(n)+decoration); o.Verdict != want {
			t.Errorf("output of %d and its decoration: %s, want %s", n, o.Verdict, want)
		}
	}
}

func TestCorrection15TheTrimmerKeepsWhatTheReplacementWouldNotShorten(t *testing.T) {
	p := policy(t, "openai-agents-trimmer", "history.min_size=0", "history.head_chars=200")
	asked := func(n int) []*history.Call { return []*history.Call{by("list", letters(n))} }
	for n, want := range map[int]string{200: "- - -", 201: "- - -", 5_000: "3.1 - -"} {
		if got := gone(runOf(t, p, talk(asked(n), asked(1), asked(1)))); got != want {
			t.Errorf("%d characters: %s, want %s", n, got, want)
		}
	}
}

// Parts that no field says: the note of each has the correction's own figure or words.
func TestNotesHaveWhatNoFieldSays(t *testing.T) {
	for _, c := range []struct {
		correction int
		policy     string
		figure     string
	}{
		{3, "qwen-code", "about 395 characters"},
		{4, "gemini-cli-masking", "length / 4"},
		{5, "gemini-cli", "zero or negative"},
		{5, "gemini-cli", "surrogate pair"},
		{6, "opencode", "blank line"},
		{7, "pi-bash", "0.58.3"},
		{7, "pi-bash", "0.73.1"},
		{8, "vscode-copilot", "same file name"},
		{8, "vscode-copilot", "larger than the payload"},
		{8, "vscode-copilot", "scalar JSON string"},
		{9, "vscode-copilot", "over half"},
		{10, "codex-bytes", "1.2 times"},
		{10, "codex-tokens", "1.2 times"},
		{10, "codex-tokens", "mark in tokens"},
		{10, "codex-bytes", "empty text items vanish"},
		{11, "strands-offloader", "20,000 records"},
		{11, "strands-offloader", "401 code points"},
		{11, "strands-offloader", "empty text part"},
		{12, "openhands-sdk-terminal", "157"},
		{12, "openhands-sdk-terminal", "29,860"},
		{12, "openhands-legacy", "limit of 0 or 1"},
		{13, "mini-swe-agent", "25,812 of 12,000"},
		{13, "swe-agent", "two of three"},
		{14, "inspect-ai", "0 or less"},
		{15, "openai-agents-trimmer", "images and files are dropped"},
		{16, "deepagents", "ten lines or fewer"},
		{17, "kimi-cli", "exactly at a line's end"},
	} {
		if !slices.ContainsFunc(policy(t, c.policy).Notes, func(n string) bool { return strings.Contains(n, c.figure) }) {
			t.Errorf("correction %d: no note of %s has %q", c.correction, c.policy, c.figure)
		}
	}
}
