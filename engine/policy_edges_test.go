package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"floodmark/history"
)

// letters is T(n): n letters without a line break, each one byte, character, unit and column.
func letters(n int) string { return strings.Repeat("x", n) }

// by is a result of a tool.
func by(tool, text string) *history.Call {
	c := result(text)
	c.Tool = tool
	return c
}

// An edge is a policy's limit, met from below, exactly, and from above.
type edge struct {
	policy, tool string
	letters      int // at the limit
	below, at    Verdict
	above        Verdict
}

var edges = []edge{
	{"claude-code-mcp", "mcp__crm__list", 50_000, Inline, Inline, Offloaded},
	{"codex-tokens", "shell", 40_000, Inline, Inline, Truncated},
	{"codex-bytes", "shell", 10_000, Inline, Inline, Truncated},
	{"gemini-cli", "run_shell_command", 40_000, Inline, Inline, Offloaded},
	{"opencode", "webfetch", 51_200, Inline, Inline, Offloaded},
	{"opencode-bash", "bash", 51_200, Inline, Inline, Offloaded},
	{"pi-read", "read", 51_200, Inline, Inline, Truncated},
	{"pi-bash", "bash", 51_200, Inline, Inline, Offloaded},
	{"goose-mcp", "crm__list", 200_000, Inline, Inline, Offloaded},
	{"goose-shell", "developer__shell", 50_000, Inline, Inline, Offloaded},
	{"vscode-copilot", "list", 8_192, Inline, Inline, Offloaded},
	{"copilot-sdk", "list", 51_200, Inline, Inline, Offloaded},
	{"qwen-code", "list", 25_000, Inline, Inline, Offloaded},
	{"qwen-code", "run_shell_command", 30_000, Inline, Inline, Offloaded},
	{"cline", "list", 8_000, Inline, Inline, Truncated},
	{"roo-code", "execute_command", 10_240, Inline, Inline, Offloaded},
	{"openhands-sdk", "list", 50_000, Inline, Inline, Truncated},
	{"openhands-sdk-terminal", "terminal", 30_000, Inline, Inline, Truncated},
	{"openhands-sdk-editor", "file_editor", 16_000, Inline, Inline, Truncated},
	{"openhands-legacy", "list", 30_000, Inline, Inline, Truncated},
	{"swe-agent", "list", 100_000, Inline, Inline, Truncated},
	{"swe-agent-bash-only", "bash", 10_000, Inline, Inline, Truncated},
	{"mini-swe-agent", "bash", 10_000, Inline, Truncated, Truncated},
	{"inspect-ai", "list", 16_384, Inline, Inline, Truncated},
	{"deepagents", "list", 80_000, Inline, Inline, Offloaded},
	{"strands-offloader", "list", 10_000, Inline, Inline, Offloaded},
	{"eino-reduction", "list", 50_000, Inline, Inline, Offloaded},
	{"eino-filesystem", "list", 80_000, Inline, Inline, Offloaded},
	{"hermes", "list", 100_000, Inline, Inline, Offloaded},
	{"hermes", "mcp_crm_list", 50_000, Inline, Inline, Offloaded},
	{"kimi-cli", "list", 50_000, Inline, Inline, Truncated},
	{"kimi-cli", "mcp__list", 100_000, Inline, Inline, Truncated},
	{"crush", "bash", 30_000, Inline, Inline, Truncated},
	{"contextforge-guard", "list", 15_000, Inline, Inline, Truncated},
	{"trueforge-code", "list", 24_000, Inline, Offloaded, Offloaded},
	{"truefoundry-gateway-legacy", "list", 24_000, Inline, Inline, Offloaded},
}

func TestEveryPolicyHasItsEdge(t *testing.T) {
	for _, e := range edges {
		p := policy(t, e.policy)
		for i, want := range []Verdict{e.below, e.at, e.above} {
			n := e.letters - 1 + i
			if got := replay(t, p, RunOptions{SkipExact: true}, by(e.tool, letters(n)))[0]; got.Verdict != want {
				t.Errorf("%s: %d letters of %s are %s, want %s: %v", e.policy, n, e.tool, got.Verdict, want, got.Trace)
			}
		}
	}
}

// moveworks-legacy offloads records only; both of llxprt's count real tokens, of which " a" is one;
// what clears has no limit for one result.
func TestThePoliciesWithOtherEdges(t *testing.T) {
	for _, c := range []struct {
		policy, text string
		want         Verdict
	}{
		{"moveworks-legacy", numbers(27_999), Inline},
		{"moveworks-legacy", numbers(28_000), Inline},
		{"moveworks-legacy", numbers(28_001), Offloaded},
		{"moveworks-legacy", letters(28_001), Inline},
		{"llxprt-warn", strings.Repeat(" a", 39_999), Inline},
		{"llxprt-warn", strings.Repeat(" a", 40_000), Inline},
		{"llxprt-warn", strings.Repeat(" a", 40_001), PreviewOnly},
		{"llxprt-truncate", strings.Repeat(" a", 40_000), Inline},
		{"llxprt-truncate", strings.Repeat(" a", 40_001), Truncated},
		{"anthropic-clear-tool-uses", letters(500_000), Inline},
		{"langchain-clear", letters(500_000), Inline},
		{"openai-agents-trimmer", letters(500_000), Inline},
		{"gemini-cli-masking", letters(500_000), Inline},
	} {
		if got := replay(t, policy(t, c.policy), RunOptions{SkipExact: true}, result(c.text))[0]; got.Verdict != c.want {
			t.Errorf("%s: %d bytes are %s, want %s: %v", c.policy, len(c.text), got.Verdict, c.want, got.Trace)
		}
	}
}

func TestEveryPolicyIsAtAnEdge(t *testing.T) {
	elsewhere := []string{"moveworks", "trueforge", "none", "moveworks-legacy", "llxprt-warn", "llxprt-truncate",
		"anthropic-clear-tool-uses", "langchain-clear", "openai-agents-trimmer", "gemini-cli-masking"}
	for _, name := range Builtin() {
		if !slices.Contains(elsewhere, name) && !slices.ContainsFunc(edges, func(e edge) bool { return e.policy == name }) {
			t.Errorf("no edge of %s", name)
		}
	}
}

// Wherever a cut falls, it falls between two characters, and the trace compares in the policy's unit.
func TestNoPolicyCutsInsideAnEmoji(t *testing.T) {
	for _, e := range edges {
		p := policy(t, e.policy)
		for shift := range 4 {
			text := letters(shift) + strings.Repeat("🎉", e.letters+1)
			o := replay(t, p, RunOptions{SkipExact: true}, by(e.tool, text))[0]
			if o.Verdict == Inline {
				t.Errorf("%s: %d emoji entered whole", e.policy, e.letters)
				continue
			}
			if !utf8.ValidString(o.Package.Text) || strings.ContainsRune(o.Package.Text, utf8.RuneError) {
				t.Errorf("%s, shifted by %d: the package has half a character", e.policy, shift)
			}
		}
	}
}

func TestAnEmptyResultStaysEmptyUnderEveryPolicy(t *testing.T) {
	for _, name := range Builtin() {
		o := replay(t, policy(t, name), RunOptions{SkipExact: true}, by("bash", ""), by("list", ""))
		if verdicts(o) != "inline inline" || o[0].Inline.Bytes != 0 || o[1].Inline.Bytes != 0 {
			t.Errorf("%s: %s with %d and %d bytes", name, verdicts(o), o[0].Inline.Bytes, o[1].Inline.Bytes)
		}
	}
}

func TestTheTraceComparesInThePolicysUnit(t *testing.T) {
	for _, c := range []struct {
		policy, tool, text string
		want               Check
	}{
		{"copilot-sdk", "list", letters(51_201), Check{Check: "size", Observed: 51_201.0, Limit: 51_200.0, Unit: "bytes", Result: "over"}},
		{"vscode-copilot", "list", strings.Repeat("🎉", 4_097), Check{Check: "size", Observed: 8_194.0, Limit: 8_192.0, Unit: "utf16", Result: "over"}},
		{"hermes", "list", strings.Repeat("🎉", 100_001), Check{Check: "size", Observed: 100_001.0, Limit: 100_000.0, Unit: "chars", Result: "over"}},
		{"crush", "bash", strings.Repeat("\x1b[31m界\x1b[0m", 15_001), Check{Check: "size", Observed: 30_002.0, Limit: 30_000.0, Unit: "columns", Result: "over"}},
		{"goose-shell", "shell", strings.Repeat("x\n", 2_001), Check{Check: "size", Observed: 2_001.0, Limit: 2_000.0, Unit: "lines", Result: "over"}},
		{"strands-offloader", "list", letters(10_001), Check{Check: "size", Observed: 2_501.0, Limit: 2_500.0, Unit: "tokens", Result: "over"}},
	} {
		o := replay(t, policy(t, c.policy), RunOptions{SkipExact: true}, by(c.tool, c.text))[0]
		if got := o.traced("size"); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.policy, got, c.want)
		}
	}
}

func TestCombinedLimitsOfTheOthers(t *testing.T) {
	for _, c := range []struct {
		policy string
		sizes  []int // letters
		want   string
	}{
		{"hermes", []int{100_000, 100_000}, "inline inline"},
		{"hermes", []int{99_999, 100_000, 2}, "inline offloaded inline"},
		{"trueforge-code", []int{20_000, 20_000}, "offloaded inline"}, // the sum is exactly 10,000 tokens
		{"trueforge", []int{20_000, 20_000}, "inline inline"},
		{"truefoundry-gateway-legacy", []int{12_000, 12_000}, "inline inline"},
		{"truefoundry-gateway-legacy", []int{12_000, 12_004}, "inline offloaded"},
		// 200,000 among twelve: what is smaller leaves its rest to the others, 19,000 for each
		{"qwen-code", append([]int{10_000}, slices.Repeat([]int{20_000}, 10)...), "inline" + strings.Repeat(" offloaded", 10)},
		{"qwen-code", slices.Repeat([]int{20_000}, 10), "inline inline inline inline inline inline inline inline inline inline"},
	} {
		var calls []*history.Call
		for _, n := range c.sizes {
			calls = append(calls, by("list", letters(n)))
		}
		if got := verdicts(replay(t, policy(t, c.policy), RunOptions{SkipExact: true}, calls...)); got != c.want {
			t.Errorf("%s of %v: %s, want %s", c.policy, c.sizes, got, c.want)
		}
	}
}

func TestAllOfABatchAndEqualShares(t *testing.T) {
	all := policy(t, "hermes", "limits.combined_rule=all")
	if got := verdicts(replay(t, all, RunOptions{SkipExact: true}, by("a", letters(90_000)), by("a", letters(90_000)), by("a", letters(20_001)))); got != "offloaded offloaded offloaded" {
		t.Errorf("all: %s", got)
	}
	// 40,000 tokens among four are 10,000 for each, among eighty no less than 1,000
	warn := policy(t, "llxprt-warn")
	four := replay(t, warn, RunOptions{SkipExact: true}, result(strings.Repeat(" a", 10_000)), result(strings.Repeat(" a", 10_001)), result("a"), result("a"))
	if got := verdicts(four); got != "inline preview-only inline inline" {
		t.Errorf("four: %s", got)
	}
	var eighty []*history.Call
	for range 78 {
		eighty = append(eighty, result("a"))
	}
	eighty = append(eighty, result(strings.Repeat(" a", 1_000)), result(strings.Repeat(" a", 1_001)))
	if got := replay(t, warn, RunOptions{SkipExact: true}, eighty...); got[78].Verdict != Inline || got[79].Verdict != PreviewOnly {
		t.Errorf("eighty: %s and %s", got[78].Verdict, got[79].Verdict)
	}
}

func TestAPackageCanBeLargerThanItsPayload(t *testing.T) {
	o := replay(t, policy(t, "codex-bytes"), RunOptions{SkipExact: true}, result(letters(10_001)))[0]
	if o.Inline.Bytes <= 10_001 || codes(o) != "near-threshold package-larger" {
		t.Errorf("%d bytes, %s", o.Inline.Bytes, codes(o))
	}
	shrinks := policy(t, "codex-bytes", "package.must_shrink=true")
	if o := replay(t, shrinks, RunOptions{SkipExact: true}, result(letters(10_001)))[0]; o.Verdict != Inline || o.traced("package").Result != "refused" {
		t.Errorf("%s, %v", o.Verdict, o.Trace)
	}
}

func TestWhatEntersWhereTheStoreFails(t *testing.T) {
	noRoom := keepFunc(func(Variable) error { return errors.New("no room") })
	for _, c := range []struct {
		policy string
		want   Verdict
	}{{"copilot-sdk", Lost}, {"deepagents", Inline}, {"hermes", Truncated}} {
		for _, fault := range []Fault{WriteFails, DiskFull} {
			o := replay(t, policy(t, c.policy), RunOptions{SkipExact: true, Fault: fault}, result(letters(200_000)))[0]
			if o.Verdict != c.want || c.want == Inline && o.Inline.Bytes != 200_000 {
				t.Errorf("%s, %s: %s, want %s", c.policy, fault, o.Verdict, c.want)
			}
		}
		o := replay(t, policy(t, c.policy), RunOptions{SkipExact: true, Keep: noRoom}, result(letters(200_000)))[0]
		if o.Verdict != c.want {
			t.Errorf("%s, a store that fails late: %s, want %s", c.policy, o.Verdict, c.want)
		}
	}
}

func TestWhoIsExempt(t *testing.T) {
	failed := by("list", letters(300_000))
	failed.Result.Failed = true
	for _, c := range []struct {
		policy string
		call   *history.Call
		want   Verdict
	}{
		{"goose-mcp", failed, Inline},
		{"deepagents", by("read_file", letters(90_000)), Inline},
		{"deepagents", by("READ_FILE", letters(90_000)), Inline},
		{"crush", by("mcp_list", letters(90_000)), Inline},
		{"vscode-copilot", by("copilot_memory_view", letters(90_000)), Inline},
		{"hermes", by("read_file", letters(190_000)), Inline},
		{"claude-code-mcp", by("Bash", letters(90_000)), Inline},
	} {
		if o := replay(t, policy(t, c.policy), RunOptions{SkipExact: true}, c.call)[0]; o.Verdict != c.want {
			t.Errorf("%s of %s: %s, want %s", c.policy, c.call.Tool, o.Verdict, c.want)
		}
	}
}

// talk is a conversation of turns, each with one step for each result.
func talk(turns ...[]*history.Call) *history.Conversation {
	thread := &history.Thread{Name: history.Main}
	order := 0
	for i, calls := range turns {
		turn := &history.Turn{Number: i + 1, Prompt: history.Of("a question")}
		for j, c := range calls {
			c.Order, c.ID = order, "call"
			if c.Tool == "" {
				c.Tool = "tool"
			}
			order++
			turn.Steps = append(turn.Steps, &history.Step{Number: j + 1, Calls: []*history.Call{c}})
		}
		thread.Turns = append(thread.Turns, turn)
	}
	return &history.Conversation{ID: "c", Threads: []*history.Thread{thread}}
}

func runOf(t *testing.T, p *Policy, c *history.Conversation) *Run {
	t.Helper()
	run, err := NewReplayer(c).Run(context.Background(), p, RunOptions{SkipExact: true})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// gone says of each result before which turn and step it went; "-" where it stays.
func gone(run *Run) string {
	var s []string
	for _, o := range run.Outcomes {
		if o.Cleared == nil {
			s = append(s, "-")
			continue
		}
		s = append(s, string(rune('0'+o.Cleared.Turn))+"."+string(rune('0'+o.Cleared.Step)))
	}
	return strings.Join(s, " ")
}

func TestOldResultsGoAboveATotal(t *testing.T) {
	p := policy(t, "anthropic-clear-tool-uses") // from 100,000 tokens on, bytes / 4, keeping 3
	run := runOf(t, p, talk([]*history.Call{result(letters(100_000)), result(letters(100_000)), result(letters(100_000)), result(letters(99_984)), result(letters(4)), result("x")}))
	// The prompt of 10 bytes, arguments none: 399,994 bytes before step 5 are 99,998.5 tokens; 4 bytes more are under, too.
	if got := gone(run); got != "- - - - - -" {
		t.Errorf("under the total: %s", got)
	}
	run = runOf(t, p, talk([]*history.Call{result(letters(100_000)), result(letters(100_000)), result(letters(100_000)), result(letters(99_990)), result("x")}))
	// 399,990 and the prompt's 10 are 100,000 tokens exactly before step 5
	if got := gone(run); got != "1.5 - - - -" {
		t.Errorf("at the total: %s", got)
	}
	first := run.Outcomes[0]
	if first.Verdict != Inline || first.Inline.Bytes != 100_000 || first.traced("history").Result != "cleared" || first.Trace[len(first.Trace)-1].Check != "verdict" {
		t.Errorf("what is cleared entered whole before: %s, %v", first.Verdict, first.Trace)
	}
	if run.Steps[4].Model >= 76_000 || run.Steps[4].ModelOriginal != 100_000 {
		t.Errorf("the model reads %v of %v tokens", run.Steps[4].Model, run.Steps[4].ModelOriginal)
	}
	if causeOf(p, first) != CauseCleared {
		t.Errorf("the cause is %s", causeOf(p, first))
	}
}
