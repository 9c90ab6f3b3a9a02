package ui

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPolicyList(t *testing.T) {
	got := cli(t, "policy", "list", "--json").lines(t)
	limits := map[string]any{}
	for _, p := range got {
		limits[p["name"].(string)] = at(p, "limits", "per_result")
	}
	if limits["moveworks"] != 7000.0 || limits["trueforge"] != 6000.0 {
		t.Errorf("got %v", limits)
	}
	if _, ok := limits["none"]; !ok {
		t.Errorf("without none: %v", limits)
	}
	text := cli(t, "policy", "list").out
	for _, want := range []string{
		"offload: a package enters, the payload is kept\npolicy ", "\n\ntruncate: a part enters, the rest is gone\npolicy ", "\n\nclear: it enters whole and goes later\npolicy ",
		"> 7,000 tokens ", "≥ 10,000 chars ", "> 51,200 bytes or > 2,000 split-lines ", "history 100,000 tokens ", "CODE    2026-08-21\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("without %q:\n%s", want, text)
		}
	}
}

func TestAPolicyIsADocumentThatCanBeChangedAndCheckedAndUsed(t *testing.T) {
	shown := cli(t, "policy", "show", "moveworks")
	var doc map[string]any
	if err := json.Unmarshal([]byte(shown.out), &doc); err != nil {
		t.Fatal(err)
	}
	if doc["name"] != "moveworks" || at(doc, "limits", "hard_bytes") != 100000000.0 {
		t.Errorf("got %v", doc)
	}
	mine := file(t, "mine.json", `{"name": "mine", "limits": {"per_result": 4000}, "estimator": "chars/4"}`)
	if got := cli(t, "policy", "check", mine); got != (end{mine + ": policy mine is in order\n", "", 0}) {
		t.Errorf("%+v", got)
	}
	used := cli(t, "replay", "--json", "--store", "none", "--policy", mine, file(t, "r.json", chat(toolResult{"a", "{}"}))).lines(t)
	if used[0]["policy"] != "mine" || at(used[0], "original", "estimator") != "chars/4" {
		t.Errorf("got %v", used[0])
	}
	wrong := file(t, "wrong.json", `{"name": "mine", "limits": {"per_reslt": 10}}`)
	got := cli(t, "policy", "check", wrong, mine)
	if got.code != 2 || !strings.Contains(got.err, "per_result") || got.out != mine+": policy mine is in order\n" {
		t.Errorf("%+v", got)
	}
	if set := cli(t, "policy", "show", "moveworks", "--set", "limits.per_result=4000"); !strings.Contains(set.out, `"per_result": 4000`) {
		t.Errorf("got %s", set.out)
	}
	if set := cli(t, "policy", "show", "moveworks", "--set", "limits.per_reslt=4000"); set.code != 2 || !strings.Contains(set.err, "per_result") {
		t.Errorf("%+v", set)
	}
}

func TestThePolicySchemaIsJSON(t *testing.T) {
	got := cli(t, "policy", "schema")
	if got.code != 0 || !json.Valid([]byte(got.out)) || !strings.Contains(got.out, "json-schema.org/draft/2020-12/schema") {
		t.Errorf("exit %d, %.100s", got.code, got.out)
	}
}

func TestFormatsAreListed(t *testing.T) {
	for _, f := range cli(t, "formats", "--json").lines(t) {
		for _, key := range []string{"name", "title", "how"} {
			if s, _ := f[key].(string); s == "" {
				t.Errorf("%v has no %s", f, key)
			}
		}
	}
	if got := cli(t, "formats"); !strings.Contains(got.out, "\nopenai-chat ") {
		t.Errorf("got\n%s", got.out)
	}
}

func TestPolicyCheckNamesCodeFieldAndReasonOfEachFinding(t *testing.T) {
	off := file(t, "off.json", `{"name": "off", "limits": {"per_result": 60}, "sandbox": {"required": true, "enabled": false}, "preview": {"kind": "head-tail", "head_chars": 200, "tail_chars": 200}}`)
	want := off + ": policy off: error no-store: sandbox.enabled: the policy requires a sandbox and there is none: whatever it would offload is lost\n" +
		off + ": policy off: warning preview-not-smaller: preview.head_chars: both ends are 100 tokens against limits.per_result 60: a preview can be as large as its payload\n"
	if got := cli(t, "policy", "check", off); got != (end{want, "", 1}) {
		t.Errorf("%+v", got)
	}
	large := file(t, "large.json", `{"limits": {"per_result": 60}, "preview": {"kind": "head-tail", "head_chars": 200, "tail_chars": 200}}`)
	if got := cli(t, "policy", "check", large); got.code != 0 || !strings.Contains(got.out, " warning preview-not-smaller: ") {
		t.Errorf("a warning alone: %+v", got)
	}
	if got := cli(t, "policy", "check", "trueforge"); got != (end{"trueforge: policy trueforge is in order\n", "", 0}) {
		t.Errorf("%+v", got)
	}
}

func TestPolicyCheckJSON(t *testing.T) {
	wrong := file(t, "wrong.json", "{\"limits\":\n {\"per_reslt\": 10}}")
	off := file(t, "off.json", `{"name": "off", "limits": {"per_result": 6000}, "sandbox": {"required": true, "enabled": false}}`)
	got := cli(t, "policy", "check", "--json", wrong, off, "trueforge")
	lines := got.lines(t)
	if got.code != 2 || got.err != "" || len(lines) != 3 {
		t.Fatalf("%+v", got)
	}
	if at(lines[0], "error", "field") != "limits.per_reslt" || at(lines[0], "error", "line") != 2.0 {
		t.Errorf("%v", lines[0])
	}
	if at(lines[1], "findings", 0, "code") != "no-store" || at(lines[1], "findings", 0, "severity") != "error" || lines[1]["error"] != nil {
		t.Errorf("%v", lines[1])
	}
	if f, ok := lines[2]["findings"].([]any); !ok || len(f) != 0 {
		t.Errorf("%v", lines[2])
	}
}

func TestFindingsAreNotedWhereAPolicyIsUsed(t *testing.T) {
	recording := file(t, "r.json", chat(toolResult{"a", "{}"}))
	got := cli(t, "replay", "--store", "none", "--policy", "trueforge", "--set", "sandbox.enabled=false", recording)
	if got.code != 0 || got.err != "floodmark: policy trueforge: error no-store: sandbox.enabled: the policy requires a sandbox and there is none: whatever it would offload is lost\n" {
		t.Errorf("%+v", got)
	}
	if got := cli(t, "replay", "--store", "none", "--policy", "trueforge", "--quiet", "--set", "sandbox.enabled=false", recording); got.err != "" {
		t.Errorf("quiet: %q", got.err)
	}
}

func TestAPolicyIsShownAsItsHarnesssSettingsAndUsedAsThem(t *testing.T) {
	shown := cli(t, "policy", "show", "trueforge", "--set", "limits.per_result=4000", "--as", "trueforge")
	if shown.code != 0 || !strings.Contains(shown.out, `"individual_tool_response_token_threshold": 4000`) {
		t.Fatalf("%+v", shown)
	}
	agent := file(t, "agent.json", shown.out)
	used := cli(t, "replay", "--json", "--store", "none", "--policy", agent, file(t, "r.json", chat(toolResult{"a", strings.Repeat("a", 16_004)})))
	if v := used.lines(t)[0]; v["policy"] != "trueforge" || v["verdict"] != "offloaded" {
		t.Errorf("%v", v)
	}
	want := "floodmark: " + agent + ": TrueForge's settings, as policy trueforge\nfloodmark: " + agent +
		": config.context_management.large_tool_response.individual_tool_response_token_threshold 4000 is limits.per_result=4000\n"
	if used.err != want {
		t.Errorf("%q", used.err)
	}
	for _, c := range []struct{ args, err string }{
		{"trueforge --set boundary=reaches --as trueforge", "floodmark: trueforge (changed: boundary): TrueForge has no setting for boundary\nhint: it starts from policy trueforge; what differs from that needs a setting\n"},
		{"trueforge --as trueforg", "floodmark: --as: no such name: trueforg\nhint: did you mean trueforge?\n"},
	} {
		if got := cli(t, append([]string{"policy", "show"}, strings.Fields(c.args)...)...); got.code != 2 || got.err != c.err || got.out != "" {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
}

func TestAFileOfNoKnownKindIsSaidToBeThat(t *testing.T) {
	toml := file(t, "config.toml", "model = \"m\"\n")
	want := "floodmark: " + toml + ": neither a policy document, nor settings that are known of a harness\n" +
		"hint: settings are known of claude-code, claude-code-env, codex, gemini-cli, goose, opencode, trueforge, vscode-copilot\n"
	if got := cli(t, "policy", "check", toml); got != (end{"", want, 2}) {
		t.Errorf("%+v", got)
	}
	json := file(t, "c.json", `{"config": {"context_management": {"large_tool_response": {"enabled": 3}}}}`)
	want = "floodmark: " + json + ": config.context_management.large_tool_response.enabled takes true or false, not 3\nhint: these are TrueForge's settings\n"
	if got := cli(t, "policy", "check", json); got != (end{"", want, 2}) {
		t.Errorf("%+v", got)
	}
}

func TestPolicyCheckReadsStandardInput(t *testing.T) {
	document := cli(t, "policy", "show", "trueforge", "--set", "sandbox.enabled=false").out
	piped := func(text string, args ...string) end {
		return run(t, &Streams{In: strings.NewReader(text)}, append([]string{"policy", "check"}, args...)...)
	}
	if got := piped(document, "-"); got.code != 1 || !strings.Contains(got.out, "standard input: policy trueforge: error no-store: sandbox.enabled: ") {
		t.Errorf("%+v", got)
	}
	if got := piped("{", "-"); got.code != 2 || !strings.HasPrefix(got.err, "floodmark: standard input: ") {
		t.Errorf("%+v", got)
	}
	if got := piped(document, "-", "-"); got.code != 2 || !strings.Contains(got.err, "- is given twice") {
		t.Errorf("%+v", got)
	}
}
