package ui

import (
	"reflect"
	"strings"
	"testing"
)

// compareFile is a recording with a result on which moveworks and trueforge agree, and two on which
// they don't: text of 40,000 bytes, and of 24,040.
func compareFile(t *testing.T) string {
	t.Helper()
	return file(t, "r.json", chat(toolResult{"small", "{}"}, toolResult{"log", strings.Repeat("a", 40_000)}))
}

func TestCompareShowsWhereThePoliciesDisagreeAndTheTotalsOfEach(t *testing.T) {
	got := cli(t, "compare", "--policy", "none", "--policy", "trueforge", compareFile(t))
	if got.code != 0 || got.err != "" {
		t.Fatalf("exit %d, %s", got.code, got.err)
	}
	contains(t, got.out,
		" · log · call_2 · 40,000 bytes\n",
		" · tokens that entered:\n", "    = inline       10,000 none\n", "    ↑ offloaded    129 trueforge\n",
		"2 results in 1 conversation under 2 policies: the verdicts differ on 1\n",
		"offload: a package enters, the payload is kept\n  trueforge ",
		"inline: it enters whole\n  none ",
		"39,800              0  1 inline, 1 offloaded\n",
		"A replay knows sizes, visibility and reachability, not how the agent would have acted.\n")
	if strings.Contains(got.out, "call_1") {
		t.Errorf("on call_1 they agree:\n%s", got.out)
	}
}

func TestCompareWithoutAPolicyTakesTheBuiltInOnes(t *testing.T) {
	totals := cli(t, "compare", "--json", compareFile(t)).lines(t)
	seen := map[string]bool{}
	for _, p := range at(totals[len(totals)-1], "totals", "policies").([]any) {
		seen[at(p, "policy").(string)] = true
	}
	if !seen["moveworks"] || !seen["trueforge"] || !seen["none"] {
		t.Errorf("%v", seen)
	}
}

func TestCompareJSONIsOneObjectAResultAndTheTotalsLast(t *testing.T) {
	got := cli(t, "compare", "--json", "--policy", "trueforge", "--policy", "none", "--fault", "sandbox-down", compareFile(t)).lines(t)
	if len(got) != 3 {
		t.Fatalf("%d lines", len(got))
	}
	log := got[1]
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"call", log["call"], "call_2"},
		{"differs", log["differs"], true},
		{"differs of the first", got[0]["differs"], false},
		{"policy", at(log, "policies", 0, "policy"), "trueforge"},
		{"verdict", at(log, "policies", 0, "verdict"), "lost"},
		{"lost_bytes", at(log, "policies", 0, "lost_bytes"), 39_800.0},
		{"retrievable_bytes", at(log, "policies", 0, "retrievable_bytes"), 0.0},
		{"seen_bytes of none", at(log, "policies", 1, "seen_bytes"), 40_000.0},
		{"text", at(log, "policies", 1, "inline", "text"), nil},
		{"differ", at(got[2], "totals", "differ"), 1.0},
		{"results", at(got[2], "totals", "results"), 2.0},
		{"strategy", at(got[2], "totals", "policies", 0, "strategy"), "offload"},
		{"strategy of none", at(got[2], "totals", "policies", 1, "strategy"), "inline"},
		{"lost in all", at(got[2], "totals", "policies", 0, "lost_bytes"), 39_800.0},
		{"verdicts", at(got[2], "totals", "policies", 0, "verdicts"), map[string]any{"inline": 1.0, "lost": 1.0}},
		{"recorded", at(got[2], "totals", "recorded"), map[string]any{"summarised": 0.0, "offloaded": 0.0, "retrieved": 0.0, "truncated": 0.0}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestCompareACallShowsTheTextsSideBySide(t *testing.T) {
	path := compareFile(t)
	got := cli(t, "compare", "--policy", "none", "--policy", "trueforge", "--call", "call_2", path)
	contains(t, got.out, "trueforge: offloaded, ", " │ none: inline, 10,000 tokens\n", "39,800 bytes retrievable               │ nothing is left out\n", "tool-results/log_1.txt", "… 1,013 rows left out: --full")
	for _, l := range strings.Split(got.out, "\n")[1:] { // the first is the path
		if width(l) > 80 {
			t.Errorf("%d cells: %s", width(l), l)
		}
	}
	if full := cli(t, "compare", "--policy", "none", "--full", "--call", "call_2", path); strings.Count(full.out, "a") < 40_000 {
		t.Errorf("--full shows %d letters", strings.Count(full.out, "a"))
	}
	text := cli(t, "compare", "--json", "--policy", "none", "--call", "call_2", path).lines(t)
	if s, _ := at(text[0], "policies", 0, "inline", "text").(string); len(s) != 40_000 || len(text) != 2 {
		t.Errorf("%d lines, a text of %d bytes", len(text), len(s))
	}
	if lost := cli(t, "compare", "--call", "call_9", path); lost.code != 2 || lost.out != "" || lost.err != "floodmark: --call: no result has the call id call_9\nhint: \"floodmark replay --json\" lists conversations, turns and calls\n" {
		t.Errorf("%+v", lost)
	}
}

func TestWhatAToolReturnedCannotDriveTheTerminalOfACompare(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and with one goroutine at a time")
	}
	path := file(t, "r.json", chat(toolResult{"evil\u001b[2J", "red \u001b[31m" + strings.Repeat("a", 30_000)}))
	for _, args := range [][]string{{"--call", "call_1"}, {"--call", "call_1", "--markdown"}, {"--markdown"}, {}} {
		if got := cli(t, append([]string{"compare", path}, args...)...); got.code != 0 || strings.Contains(got.out, "\x1b") {
			t.Errorf("%v: exit %d, %q", args, got.code, got.out)
		}
	}
}

func TestCompareInMarkdownIsTables(t *testing.T) {
	got := cli(t, "compare", "--markdown", "--policy", "none", "--policy", "trueforge", compareFile(t))
	contains(t, got.out, "| result | bytes | tokens that entered |\n|---|--:|---|\n", "| 40,000 | **offloaded** 129 trueforge<br>**inline** 10,000 none |\n",
		"\n## Totals\n\n2 results in 1 conversation under 2 policies: the verdicts differ on 1.\n", "\n| inline | none | 10,001 |")
}

// A policy that rejects lets a warning enter and no preview, whose verdict is preview-only all the same.
func TestCompareSaysThatAWarningIsNoPreview(t *testing.T) {
	args := []string{"compare", "--policy", "llxprt-warn", "--policy", "codex-bytes", "--set", "limits.per_result=1000", compareFile(t)}
	contains(t, cli(t, args...).out, "    ¶ warning only ", "reject: a warning enters and nothing of it (verdict preview-only), nothing is kept\n", " 40,000  1 inline, 1 warning only\n")
	for i, line := range cli(t, append(args, "--json")...).lines(t) {
		for k := range 2 {
			if p := at(line, "policies", k); i == 1 && (at(p, "notice_only") == true) != (at(p, "policy") == "llxprt-warn") {
				t.Errorf("%v", p)
			}
		}
		if i == 1 && at(line, "policies", 1, "verdict") != "preview-only" {
			t.Errorf("%v", line)
		}
	}
}

// 40,000 bytes enter whole and are gone before the third response: the one result that is kept is the newest.
func TestCompareNamesWhatWasCleared(t *testing.T) {
	text := strings.Repeat("a", 40_000)
	var b strings.Builder
	b.WriteString(`{"messages":[{"role":"user","content":"go"}`)
	for _, id := range []string{"call_1", "call_2"} {
		b.WriteString(`,{"role":"assistant","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"log","arguments":"{}"}}]}`)
		b.WriteString(`,{"role":"tool","tool_call_id":"` + id + `","content":"` + text + `"}`)
	}
	b.WriteString(`,{"role":"assistant","content":"done"}]}`)
	path := file(t, "r.json", b.String())
	clearing := func(kept string) string {
		return file(t, "clear.json", `{"name":"clearing","strategy":"clear","history":{"over":5000,"keep_results":1,"kept":`+kept+`}}`)
	}
	contains(t, cli(t, "compare", "--policy", "none", "--policy", clearing("false"), path).out,
		" 40,000            0         40,000  2 inline; 1 cleared later, with 40,000 bytes, all lost\n")
	got := cli(t, "compare", "--json", "--policy", "none", "--policy", clearing("true"), path).lines(t)
	want := map[string]any{"results": 1.0, "bytes": 40_000.0, "lost_bytes": 0.0}
	if sum := at(got[2], "totals", "policies", 0); !reflect.DeepEqual(at(sum, "cleared"), want) || at(got[2], "totals", "policies", 1, "cleared") != nil {
		t.Errorf("%v", got[2])
	}
}

func TestPoliciesOfOneNameAreToldApartByTheirFiles(t *testing.T) {
	agent := file(t, "agent.json", `{"config": {"context_management": {"large_tool_response": {"individual_tool_response_token_threshold": 9000, "total_tool_response_token_threshold": 12000}}}}`)
	got := cli(t, "compare", "--policy", "trueforge", "--policy", agent, compareFile(t))
	contains(t, got.out, "\n  trueforge (agent.json) ", "trueforge (changed: limits.combined, limits.per_result).")
	contains(t, got.err, "agent.json: TrueForge's settings, as policy trueforge\n", "individual_tool_response_token_threshold 9000 is limits.per_result=9000\n")
}

func TestCompareRefusesWhatItCannotDo(t *testing.T) {
	path := compareFile(t)
	for _, c := range []struct{ args, want string }{
		{"--policy trueforg", "floodmark: policy: no built-in policy and no file of this name: trueforg\nhint: did you mean trueforge?\n"},
		{"--policy nope", "floodmark: policy: no built-in policy and no file of this name: nope\nhint: \"floodmark policy list\" names the built-in ones\n"},
		{"--policy non", "floodmark: policy: no built-in policy and no file of this name: non\nhint: did you mean none?\n"},
		{"--policy trueforge --policy none --policy trueforge", "floodmark: --policy trueforge is given twice\nhint: name each policy once\n"},
		{"--conversation x", "floodmark: --conversation says in which one --call looks\nhint: add --call ID\n"},
		{"--policy trueforge --set limits.per_result=20000", "floodmark: --set: limits.per_result 20000 is over limits.combined 10000\nhint: \"floodmark policy schema\" describes every field\n"},
	} {
		got := cli(t, append([]string{"compare", path}, strings.Fields(c.args)...)...)
		if got.code != 2 || got.err != c.want || got.out != "" {
			t.Errorf("%s: exit %d, %q", c.args, got.code, got.err)
		}
	}
}
