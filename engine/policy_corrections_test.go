package engine

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"floodmark/history"
)

// What was seen by running the harnesses, by its number in the list of corrections. The numbers are
// that list's.

func under(t *testing.T, name, tool, text string) *Outcome {
	t.Helper()
	return replay(t, policy(t, name), RunOptions{SkipExact: true}, by(tool, text))[0]
}

// kept counts a payload's letters in what entered.
func kept(o *Outcome) int { return strings.Count(o.Package.Preview.Text, "x") }

// lines is L(n, w): n lines of w letters, each ended by a line feed.
func lines(n, w int) string { return strings.Repeat(letters(w)+"\n", n) }

func TestCorrection1QwenLimits(t *testing.T) {
	for _, c := range []struct {
		tool, text string
		want       Verdict
	}{
		{"list", lines(999, 20), Inline},                // 1,000 lines with the empty one behind the last
		{"list", lines(2_000, 10), Offloaded},           // a line limit for tools without a limit of their own
		{"run_shell_command", lines(2_000, 10), Inline}, // none for the shell
		{"run_shell_command", letters(30_001), Offloaded},
		{"agent", letters(32_000), Inline},
		{"agent", letters(32_001), Inline}, // over, but its end of 31,961 and a wrapper are no smaller
		{"agent", letters(33_000), Offloaded},
		{"read_file", letters(190_000), Inline},
		{"mcp__crm__list", letters(200_000), Inline},
		{"mcp__crm__list", letters(300_000), Offloaded}, // by the limit of the batch
	} {
		if o := under(t, "qwen-code", c.tool, c.text); o.Verdict != c.want {
			t.Errorf("%s of %d: %s, want %s: %v", c.tool, len(c.text), o.Verdict, c.want, o.Trace)
		}
	}
	for n, want := range map[int]string{32_000: "under", 32_001: "over"} {
		if o := under(t, "qwen-code", "agent", letters(n)); o.traced("size").Result != want {
			t.Errorf("an agent's %d: %v", n, o.Trace)
		}
	}
	if o := under(t, "qwen-code", "mcp__crm__list", letters(300_000)); o.traced("size").Result != "under" || o.traced("combined").Result != "over" {
		t.Errorf("300,000 of MCP: %v", o.Trace)
	}
}

func TestCorrection1QwenShowsTheEndOfAnAgentsResultOnly(t *testing.T) {
	for _, tool := range []string{"agent", "task"} {
		// 32,000 less the separator's 39 are 31,961: 3,196 lines of 9 letters and a line feed.
		o := under(t, "qwen-code", tool, strings.Repeat("yyyyyyyyy\n", 100)+lines(5_000, 9))
		if kept(o) != 28_764 || !strings.HasSuffix(o.Package.Preview.Text, "xxxxxxxxx\n") || strings.Contains(o.Package.Preview.Text, "y\n") {
			t.Errorf("%s shows %d letters of its end, want 28,764: %.40q", tool, kept(o), o.Package.Preview.Text)
		}
	}
	if why := policy(t, "trueforge", `overrides=[{"tool": "list", "preview_head_share": 0}]`).ByReplays(); !strings.Contains(why, "preview_head_share") {
		t.Errorf("decided from facts: %q", why)
	}
	if _, err := policy(t, "trueforge").Set(`overrides=[{"tool": "list", "preview_head_share": null}]`); err == nil {
		t.Error("a share of null is taken")
	}
}

func TestCorrection2QwenShowsTheHeadOfOneLongLineOnly(t *testing.T) {
	for _, c := range []struct {
		tool    string
		letters int
		want    int
	}{{"list", 30_000, 4_989}, {"run_shell_command", 40_000, 789}, {"mcp__crm__list", 500_001, 389}} {
		if o := under(t, "qwen-code", c.tool, letters(c.letters)); kept(o) != c.want || !strings.HasPrefix(o.Package.Preview.Text, letters(c.want)) {
			t.Errorf("%s shows %d, want %d", c.tool, kept(o), c.want)
		}
	}
}

func TestCorrection3QwenKeepsWhatWouldNotGetSmaller(t *testing.T) {
	o := under(t, "qwen-code", "list", lines(1_001, 1))
	if o.Verdict != Inline || o.traced("size").Result != "over" || o.traced("package").Result != "refused" {
		t.Errorf("%s, %v", o.Verdict, o.Trace)
	}
}

func TestCorrection4GeminiMasksWhatCrossesTheProtectedTokens(t *testing.T) {
	p := policy(t, "gemini-cli-masking")
	old, crossing, newest := letters(40_000), letters(120_000), letters(100_000) // 10,000, 30,000 and 25,000 tokens
	run := runOf(t, p, talk([]*history.Call{by("list", old), by("list", crossing), by("list", newest), by("list", "x")}))
	// Before step 4 the newest 25,000 are protected, the 30,000 cross 50,000: 40,000 can go.
	if got := gone(run); got != "1.4 1.4 - -" {
		t.Errorf("gone: %s", got)
	}
	if c := run.Outcomes[1].Cleared; strings.Count(c.Text, "xx") != 250 || !strings.HasPrefix(c.Text, letters(250)+"\n") {
		t.Errorf("%d characters of both ends stay, want 250 and 250", 2*strings.Count(c.Text, "xx"))
	}
	// 29,999.75 tokens beyond the newest are left alone, 30,000 are not.
	for _, c := range []struct {
		letters int
		want    string
	}{{119_999, "- - -"}, {120_000, "1.3 - -"}} {
		if got := gone(runOf(t, p, talk([]*history.Call{by("list", letters(c.letters)), by("list", letters(200_000)), by("list", "x")}))); got != c.want {
			t.Errorf("%d letters beyond the newest: %s, want %s", c.letters, got, c.want)
		}
	}
	// What would not get smaller stays, and a skill's text does.
	small := talk([]*history.Call{by("list", letters(400)), by("activate_skill", letters(40_000)), by("list", letters(160_000)), by("list", letters(200_000)), by("list", "x")})
	if got := gone(runOf(t, p, small)); got != "- - 1.5 - -" {
		t.Errorf("small, skill, large: %s", got)
	}
}

func TestCorrection4GeminiNeverMasksShellOutputOf20Lines(t *testing.T) {
	p := policy(t, "gemini-cli-masking")
	for _, c := range []struct {
		tool, text, want string
	}{
		{"run_shell_command", letters(220_000), "- - -"}, // one line
		{"run_shell_command", lines(20, 10_999), "- - -"},
		{"run_shell_command", lines(21, 10_999), "1.3 - -"},
		{"list", letters(220_000), "1.3 - -"},
	} {
		run := runOf(t, p, talk([]*history.Call{by(c.tool, c.text), by("list", letters(200_000)), by("list", "x")}))
		if got := gone(run); got != c.want {
			t.Errorf("%s of %d lines: %s, want %s", c.tool, strings.Count(c.text, "\n"), got, c.want)
		}
	}
	// Of 25 lines the first ten and the last ten stay.
	text := lines(10, 9) + strings.Repeat(strings.Repeat("y", 39_999)+"\n", 5) + strings.Repeat("zzzzzzzzz\n", 10)
	run := runOf(t, p, talk([]*history.Call{by("run_shell_command", text), by("list", letters(200_000)), by("list", "x")}))
	c := run.Outcomes[0].Cleared
	if c == nil || strings.Count(c.Text, "xxxxxxxxx\n") != 10 || strings.Count(c.Text, "zzzzzzzzz\n") != 10 || strings.Contains(c.Text, "y\n") || !strings.Contains(c.Text, "5 lines left out") {
		t.Errorf("of 25 lines stays %+v", c)
	}
}

func TestCorrection5GeminiCutsTheThresholdAndHasNoCheckOfTheSize(t *testing.T) {
	o := under(t, "gemini-cli", "run_shell_command", strings.Repeat("a", 8_000)+strings.Repeat("b", 10_000)+strings.Repeat("c", 32_000))
	text := o.Package.Preview.Text
	if strings.Count(text, "a") != 8_000 || strings.Count(text, "c") != 32_000 || strings.Contains(text, "bb") {
		t.Errorf("%d of the start, %d of the end", strings.Count(text, "a"), strings.Count(text, "c"))
	}
	if o := under(t, "gemini-cli", "run_shell_command", letters(40_001)); o.Verdict != Offloaded || o.Inline.Bytes <= 40_001 {
		t.Errorf("40,001: %s with %d bytes", o.Verdict, o.Inline.Bytes)
	}
	// A pair on the cut stays whole: it goes with what is left out.
	o = under(t, "gemini-cli", "run_shell_command", letters(7_999)+"🎉"+letters(40_000))
	if head, _, _ := strings.Cut(o.Package.Preview.Text, "\n"); head != letters(7_999) {
		t.Errorf("the start has %d bytes, want 7,999", len(head))
	}
}

func TestCorrection6OpencodeCountsTheLineBehindTheLastLineFeed(t *testing.T) {
	for _, name := range []string{"opencode", "pi-read"} {
		whole := strings.TrimSuffix(lines(2_000, 5), "\n")
		if o := under(t, name, "list", whole); o.Verdict != Inline {
			t.Errorf("%s: 2,000 lines without a final line feed are %s", name, o.Verdict)
		}
		if o := under(t, name, "list", whole+"\n"); o.Verdict == Inline || kept(o) != 10_000 {
			t.Errorf("%s: 2,000 lines with a final line feed are %s", name, o.Verdict)
		}
		if o := under(t, name, "list", letters(51_201)); kept(o) != 0 {
			t.Errorf("%s: one long line shows %d letters, want none", name, kept(o))
		}
	}
	for _, c := range []struct {
		text string
		want int
	}{{letters(60_000), 51_200}, {letters(60_000) + "\n", 0}} {
		if o := under(t, "opencode-bash", "bash", c.text); kept(o) != c.want {
			t.Errorf("the shell's one long line of %d bytes shows %d letters, want %d", len(c.text), kept(o), c.want)
		}
	}
}

func TestCorrection7PiNamesAFileWhicheverLimitItWas(t *testing.T) {
	o := under(t, "pi-bash", "bash", lines(2_001, 5))
	if o.Verdict != Offloaded || o.Package.Path != "tool-results/bash_1.txt" || !strings.Contains(o.Package.Text, "\ntool-results/bash_1.txt\n") {
		t.Errorf("%s, %q", o.Verdict, o.Package.Path)
	}
}

func TestCorrection8And9CopilotShowsNoPreviewAndNoSchema(t *testing.T) {
	for _, text := range []string{letters(8_193), numbers(9_000), `"` + letters(9_000) + `"`} {
		o := under(t, "vscode-copilot", "list", text)
		if o.Verdict != Offloaded || o.Package.Preview.Text != "" || o.Package.Schema != nil || o.Inline.Bytes > 400 {
			t.Errorf("%.5s…: %s with %d bytes, schema %v", text, o.Verdict, o.Inline.Bytes, o.Package.Schema != nil)
		}
	}
	if o := replay(t, policy(t, "vscode-copilot"), RunOptions{SkipExact: true, Fault: DiskFull}, result(numbers(9_000)))[0]; o.Verdict != Inline {
		t.Errorf("on a full disk: %s", o.Verdict)
	}
	// Fields that are arrays of integers here and of decimals there: our own schema takes its data.
	irregular := `[{"a":[1],"b":1},{"a":["x"],"b":2.5},{"a":[{"c":null}],"b":3}]`
	run := NewReplayer(conversation(result(irregular)))
	o := runOf(t, policy(t, "vscode-copilot"), run.Conversation()).Outcomes[0]
	schema, err := run.Schema(policy(t, "vscode-copilot"), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := validates(schema.JSON, []byte(irregular)); err != nil {
		t.Errorf("the schema refuses its data: %v", err)
	}
}

func TestCorrection10CodexRoundsUpAndCanGetLonger(t *testing.T) {
	for _, c := range []struct {
		bytes  int
		tokens float64
		want   Verdict
	}{{39_997, 10_000, Inline}, {40_000, 10_000, Inline}, {40_001, 10_001, Truncated}} {
		o := under(t, "codex-tokens", "shell", letters(c.bytes))
		if o.Verdict != c.want || o.Original.Tokens != c.tokens {
			t.Errorf("%d bytes: %s with %v tokens, want %s with %v", c.bytes, o.Verdict, o.Original.Tokens, c.want, c.tokens)
		}
	}
	o := under(t, "codex-tokens", "shell", strings.Repeat("a", 20_000)+strings.Repeat("b", 9_000)+strings.Repeat("c", 20_000))
	if strings.Count(o.Package.Text, "a") != 20_000 || strings.Count(o.Package.Text, "c") != 20_000 || strings.Contains(o.Package.Text, "bb") {
		t.Errorf("%d and %d letters", strings.Count(o.Package.Text, "a"), strings.Count(o.Package.Text, "c"))
	}
	if o := under(t, "codex-bytes", "shell", letters(10_001)); o.Inline.Bytes < 10_001 {
		t.Errorf("10,001 bytes became %d, which the mark outside of the budget makes longer", o.Inline.Bytes)
	}
}

func TestCorrection11StrandsCountsCodePointsRoundedUp(t *testing.T) {
	for _, c := range []struct {
		text   string
		tokens float64
		want   Verdict
	}{{strings.Repeat("界", 9_997), 2_500, Inline}, {strings.Repeat("界", 10_000), 2_500, Inline}, {strings.Repeat("界", 10_001), 2_501, Offloaded}} {
		if o := under(t, "strands-offloader", "list", c.text); o.Verdict != c.want || o.Original.Tokens != c.tokens {
			t.Errorf("%s with %v tokens, want %s with %v", o.Verdict, o.Original.Tokens, c.want, c.tokens)
		}
	}
}

func TestCorrection12OpenHandsKeepsItsNoticeInsideAndTheOlderOneOutside(t *testing.T) {
	o := under(t, "openhands-sdk-terminal", "terminal", strings.Repeat("a", 20_000)+strings.Repeat("b", 20_000))
	// 30,000 less the notice's 113 are 29,887: the start takes the larger half
	if a, b := strings.Count(o.Package.Text, "aaaa"), len(o.Package.Text); a*4 != 14_944 || b > 30_000 {
		t.Errorf("%d of the start, %d bytes in all", a*4, b)
	}
	o = under(t, "openhands-legacy", "list", strings.Repeat("a", 20_000)+strings.Repeat("b", 20_000))
	if a := strings.Count(o.Package.Text, "aaaa") * 4; a != 15_000 || len(o.Package.Text) <= 30_000 {
		t.Errorf("older: %d of the start, %d bytes in all", a, len(o.Package.Text))
	}
}

func TestCorrection13MiniWarnsAtItsLimitAndBashOnlyGivesTheEndTheLargerHalf(t *testing.T) {
	o := under(t, "mini-swe-agent", "bash", letters(10_000))
	if o.Verdict != Truncated || kept(o) != 10_000 || len(o.Package.Text) <= 10_000 {
		t.Errorf("at the limit %s with %d letters in %d bytes", o.Verdict, kept(o), len(o.Package.Text))
	}
	p := policy(t, "swe-agent-bash-only", "limits.per_result=9999")
	o = replay(t, p, RunOptions{SkipExact: true}, result(strings.Repeat("qqqq", 2_000)+strings.Repeat("xyz", 2_000)))[0]
	head, tail, _ := strings.Cut(o.Package.Text, "\n")
	_, tail, _ = strings.Cut(tail, "\n")
	if len(head) != 4_999 || len(tail) != 5_000 {
		t.Errorf("%d of the start and %d of the end", len(head), len(tail))
	}
}

func TestCorrection14InspectCutsWithoutAMark(t *testing.T) {
	o := under(t, "inspect-ai", "list", strings.Repeat("a", 10_000)+strings.Repeat("b", 10_000))
	if o.Package.Text != strings.Repeat("a", 8_192)+strings.Repeat("b", 8_192) {
		t.Errorf("%d bytes entered, want 8,192 of each end and nothing else", len(o.Package.Text))
	}
	// Of a character on the cut nothing stays: the four bytes of an emoji at 8,190 of the start.
	o = under(t, "inspect-ai", "list", strings.Repeat("a", 8_190)+"🎉"+strings.Repeat("b", 10_000))
	if o.Package.Text != strings.Repeat("a", 8_190)+strings.Repeat("b", 8_192) {
		t.Errorf("%d bytes entered, want 8,190 and 8,192", len(o.Package.Text))
	}
	recording := `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"list","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"` + letters(20_000) + `"},{"type":"text","text":"y"}]}]}]}`
	if o := runOf(t, policy(t, "inspect-ai"), opened(t, recording)).Outcomes[0]; o.Verdict != Inline || o.traced("applies").Result != "exempt" {
		t.Errorf("two parts: %s, %v", o.Verdict, o.Trace)
	}
}

func TestCorrection15TheTrimmerSparesTheLastTwoTurns(t *testing.T) {
	p := policy(t, "openai-agents-trimmer")
	asked := func(n int) []*history.Call { return []*history.Call{by("list", letters(n))} }
	for _, c := range []struct {
		turns [][]*history.Call
		want  string
	}{
		{[][]*history.Call{asked(5_000)}, "-"},
		{[][]*history.Call{asked(5_000), asked(5_000)}, "- -"},
		{[][]*history.Call{asked(5_000), asked(5_000), asked(5_000)}, "3.1 - -"},
		{[][]*history.Call{asked(500), asked(5_000), asked(5_000)}, "- - -"},
		{[][]*history.Call{asked(501), asked(5_000), asked(5_000)}, "3.1 - -"},
	} {
		run := runOf(t, p, talk(c.turns...))
		if got := gone(run); got != c.want {
			t.Errorf("%d turns: %s, want %s", len(c.turns), got, c.want)
		}
		if cleared := run.Outcomes[0].Cleared; cleared != nil && strings.Count(cleared.Text, "x") != 200 {
			t.Errorf("%d characters stay, want 200", strings.Count(cleared.Text, "x"))
		}
	}
	short := policy(t, "openai-agents-trimmer", "history.min_size=10")
	if got := gone(runOf(t, short, talk(asked(200), asked(1), asked(1)))); got != "- - -" {
		t.Errorf("where the replacement is no shorter: %s", got)
	}
}

func TestCorrection16DeepagentsSplitsLinesAsPythonDoes(t *testing.T) {
	var text strings.Builder
	for _, end := range []string{"\v", "\x1c", "\u0085", "\u2028", "\r\n", "\n", "\f", "\u2029", "\r", "\x1e", "\n", ""} {
		text.WriteString(letters(8_000) + end)
	}
	o := under(t, "deepagents", "list", text.String()) // twelve lines: five of each end, two left out
	if kept(o) != 10_000 || !strings.Contains(o.Package.Preview.Text, "… 2 lines left out …") {
		t.Errorf("%d letters of twelve lines", kept(o))
	}
	o = under(t, "deepagents", "list", lines(10, 9_000))
	if kept(o) != 10_000 || strings.Contains(o.Package.Preview.Text, "…") {
		t.Errorf("ten lines: %d letters, %d marks", kept(o), strings.Count(o.Package.Preview.Text, "…"))
	}
}

func TestCorrection17KimiCountsTheClipsMarkInsideALine(t *testing.T) {
	o := under(t, "kimi-cli", "list", letters(3_000)+"\n"+strings.Repeat("y", 60_000))
	first, _, _ := strings.Cut(o.Package.Text, "\n")
	if first != letters(1_986)+"…" {
		t.Errorf("a line of 3,000 shows %d letters, want 1,986", strings.Count(first, "x"))
	}
	// A budget that is full at a line's end: what is left out is said here.
	o = under(t, "kimi-cli", "list", strings.TrimSuffix(lines(50, 999), "\n")+"\n"+lines(2, 999))
	if kept(o) != 49_950 || !strings.Contains(o.Package.Text, "left out …") {
		t.Errorf("%d letters, %.60q", kept(o), o.Package.Text[len(o.Package.Text)-60:])
	}
}

// Every document says of its numbers whether they are documented, read from code, or ours, and every
// policy that is only near to its harness says in what.
func TestEveryPolicySaysWhereItIsOnlyNear(t *testing.T) {
	for _, name := range Builtin()[3:] {
		p := policy(t, name)
		var doc struct {
			Sources []Citation `json:"sources"`
			Notes   []string   `json:"notes"`
		}
		if err := json.Unmarshal(p.Document(), &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Sources) == 0 {
			t.Errorf("%s has no source", name)
		}
		for _, n := range doc.Notes {
			if strings.HasSuffix(n, ".") || strings.Contains(n, "\n") {
				t.Errorf("%s: a note is one sentence without a full stop: %q", name, n)
			}
		}
	}
}

// opened reads a recording's first conversation.
func opened(t *testing.T, recording string) *history.Conversation {
	t.Helper()
	r, err := history.Read(context.Background(), "a.json", strings.NewReader(recording), history.Options{})
	if err != nil || len(r.Conversations) != 1 {
		t.Fatalf("the recording is not read: %v", err)
	}
	return r.Conversations[0]
}
