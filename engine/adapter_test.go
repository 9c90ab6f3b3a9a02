package engine

import (
	"slices"
	"strings"
	"testing"
)

func adapted(t *testing.T, doc string) *Adapted {
	t.Helper()
	a, err := ParseSettings([]byte(doc))
	if err != nil || a == nil {
		t.Fatalf("not read as settings: %v, %v", a, err)
	}
	return a
}

func TestAnAgentSpecIsThePolicyThatItSwitchesOn(t *testing.T) {
	a := adapted(t, `{"config": {"context_management": {"large_tool_response": {"enabled": true}}}}`)
	if a.Harness != "TrueForge" || a.Policy.Name != "trueforge" || len(a.Policy.Changed) != 0 {
		t.Errorf("%s, %s, changed %v", a.Harness, a.Policy.Name, a.Policy.Changed)
	}
	a = adapted(t, `{"name": "ops", "config": {"context_management": {"large_tool_response": {"enabled": false}}}}`)
	if a.Policy.Enabled {
		t.Error("it is switched off in the file")
	}
}

func TestTheNumbersOfAnAgentSpecAreThePolicys(t *testing.T) {
	a := adapted(t, `{"config": {"context_management": {"large_tool_response": {
		"individual_tool_response_token_threshold": 4000, "total_tool_response_token_threshold": 9000,
		"preview_number_of_characters": 250}}}}`)
	p := a.Policy
	if *p.Limits.PerResult != 4000 || *p.Limits.Combined != 9000 || p.Preview.HeadChars != 250 || p.Preview.TailChars != 250 {
		t.Errorf("%v %v %d %d", *p.Limits.PerResult, *p.Limits.Combined, p.Preview.HeadChars, p.Preview.TailChars)
	}
	if want := []string{"limits.combined", "limits.per_result", "preview.head_chars", "preview.tail_chars"}; !slices.Equal(p.Changed, want) {
		t.Errorf("changed %v", p.Changed)
	}
	if len(a.Changes) != 3 || !slices.Equal(a.Changes[2].Fields, []string{"preview.head_chars=250", "preview.tail_chars=250"}) {
		t.Errorf("%+v", a.Changes)
	}
}

func TestASettingThatIsNotKnownIsNamedAndIgnored(t *testing.T) {
	a := adapted(t, `{"config": {"context_management": {"large_tool_response": {"individual_tool_response_threshold": 4000}}}}`)
	if len(a.Ignored) != 1 || !strings.Contains(a.Ignored[0], "the nearest is individual_tool_response_token_threshold") {
		t.Errorf("%q", a.Ignored)
	}
}

func TestASettingOfTheWrongTypeIsAnErrorInTheHarnesssWords(t *testing.T) {
	_, err := ParseSettings([]byte(`{"config": {"context_management": {"large_tool_response": {"individual_tool_response_token_threshold": "4000"}}}}`))
	want := `config.context_management.large_tool_response.individual_tool_response_token_threshold takes a whole number, not "4000"`
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestTheSettingsCannotSayWhatNoPolicyMaySay(t *testing.T) {
	_, err := ParseSettings([]byte(`{"config": {"context_management": {"large_tool_response": {"individual_tool_response_token_threshold": 12000}}}}`))
	if err == nil || err.Error() != "limits.per_result 12000 is over limits.combined 10000" {
		t.Errorf("%v", err)
	}
}

func TestWhatIsNoHarnesssSettingsIsLeftToOthers(t *testing.T) {
	for _, doc := range []string{"", "{", "{}", "[]", `{"limits": {"per_result": 4000}}`, "just text", "a = [", "name = \"x\"\n", "A=1\nB=2\n", "\x00"} {
		if a, err := ParseSettings([]byte(doc)); a != nil || err != nil {
			t.Errorf("%q: %v, %v", doc, a, err)
		}
	}
}

func TestAPolicyIsSaidInItsHarnesssWordsAndReadBack(t *testing.T) {
	base, err := Load("trueforge")
	if err != nil {
		t.Fatal(err)
	}
	p, err := base.Set("limits.per_result=4000", "preview.head_chars=50", "preview.tail_chars=50")
	if err != nil {
		t.Fatal(err)
	}
	list := p.HarnessSettings()
	if len(list) != 1 || list[0].Harness != "TrueForge" || list[0].File != "agent.json" || len(list[0].Refused) != 0 {
		t.Fatalf("%+v", list)
	}
	want := `{
  "config": {
    "context_management": {
      "large_tool_response": {
        "individual_tool_response_token_threshold": 4000,
        "preview_number_of_characters": 50
      }
    }
  }
}
`
	if list[0].Text != want {
		t.Errorf("%s", list[0].Text)
	}
	if back := adapted(t, list[0].Text).Policy; !slices.Equal(back.Changed, p.Changed) {
		t.Errorf("read back, it changes %v", back.Changed)
	}
}

func TestWhatAHarnessCannotSayIsRefused(t *testing.T) {
	base, _ := Load("trueforge")
	p, err := base.Set("preview.head_chars=50", "errors.truncate_chars=600", "boundary=reaches", "limits.per_result=4000.5")
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.SettingsAs("trueforge")
	want := []string{"boundary", "errors.truncate_chars", "limits.per_result", "preview.tail_chars"}
	if err != nil || !slices.Equal(s.Refused, want) {
		t.Errorf("%q, %v", s.Refused, err)
	}
	moveworks, _ := Load("moveworks")
	if list := moveworks.HarnessSettings(); list != nil {
		t.Errorf("nobody can set them: %+v", list)
	}
}

func TestWithoutAChangeEverySettingStandsThereWithItsNumber(t *testing.T) {
	p, _ := Load("trueforge")
	s, err := p.SettingsAs("trueforge")
	if err != nil || !strings.Contains(s.Text, `"individual_tool_response_token_threshold": 6000`) || !strings.Contains(s.Text, `"enabled": true`) {
		t.Errorf("%s, %v", s.Text, err)
	}
	if _, err := p.SettingsAs("nobody"); err == nil {
		t.Error("no harness has this name")
	}
}

func TestEveryHarnesssSettingsAreKnownByWhatStandsInThem(t *testing.T) {
	for _, c := range []struct {
		name, doc, harness, policy string
		changed                    []string
		limit                      func(l Limits) *float64
		want                       float64
	}{
		{"codex", "model = \"m\"\ntool_output_token_limit = 12000\n\n[tui]\nnotifications = true\n", "Codex", "codex-tokens", []string{"limits.per_result"}, perResult, 12_000},
		{"gemini", "{\n  // a comment\n  \"tools\": {\"truncateToolOutputThreshold\": 20000,},\n}", "Gemini CLI", "gemini-cli", []string{"limits.per_result"}, perResult, 20_000},
		{"opencode lines", `{"$schema": "x", "tool_output": {"max_lines": 500}}`, "opencode", "opencode", []string{"limits.second"}, second, 500},
		{"opencode bytes", `{"tool_output": {"max_bytes": 1024}}`, "opencode", "opencode", []string{"limits.per_result"}, perResult, 1024},
		{"claude code", `{"env": {"MAX_MCP_OUTPUT_TOKENS": "50000"}}`, "Claude Code", "claude-code-mcp", []string{"limits.second"}, second, 50_000},
		{"claude code in a shell", "# limits\nexport MAX_MCP_OUTPUT_TOKENS=\"50000\"\n", "Claude Code", "claude-code-mcp", []string{"limits.second"}, second, 50_000},
		{"goose", "GOOSE_MAX_TOOL_RESPONSE_SIZE=100000\nOTHER=x y\n", "goose", "goose-mcp", []string{"limits.per_result"}, perResult, 100_000},
		{"vs code", `{"editor.tabSize": 2, "chat.agent.largeToolResultsToDisk.thresholdBytes": 4096}`, "VS Code Copilot", "vscode-copilot", []string{"limits.per_result"}, perResult, 4096},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := adapted(t, c.doc)
			if a.Harness != c.harness || a.Policy.Name != c.policy || !slices.Equal(a.Policy.Changed, c.changed) || *c.limit(a.Policy.Limits) != c.want {
				t.Errorf("%s, %s, changed %v, %v", a.Harness, a.Policy.Name, a.Policy.Changed, a.Policy.Limits)
			}
		})
	}
}

func perResult(l Limits) *float64 { return l.PerResult }
func second(l Limits) *float64    { return l.Second }

func TestAThresholdOfZeroSwitchesGeminisCutOff(t *testing.T) {
	for _, n := range []string{"0", "-1"} {
		if a := adapted(t, `{"tools": {"truncateToolOutputThreshold": `+n+`}}`); a.Policy.Enabled {
			t.Errorf("%s leaves it on", n)
		}
	}
}

func TestASettingThatDoesNotDoWhatIsHopedForIsNamed(t *testing.T) {
	a := adapted(t, `{"env": {"BASH_MAX_OUTPUT_LENGTH": "100000"}}`)
	if len(a.Policy.Changed) != 0 || len(a.Ignored) != 1 || !strings.HasPrefix(a.Ignored[0], "env.BASH_MAX_OUTPUT_LENGTH does not change what is kept outside") {
		t.Errorf("%v, %q", a.Policy.Changed, a.Ignored)
	}
}

func TestBrokenTOMLIsSaidWhereItIsAHarnesss(t *testing.T) {
	_, err := ParseSettings([]byte("model = \"m\"\ntool_output_token_limit = = 3\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "line 2: the Codex settings are not TOML: ") {
		t.Errorf("%v", err)
	}
}

// What is written for every harness, it reads as its own and as the same policy.
func TestEveryHarnesssSettingsAreReadBack(t *testing.T) {
	for _, h := range harnesses {
		base, err := Load(h.base)
		if err != nil {
			t.Fatalf("%s: %v", h.name, err)
		}
		s, err := base.SettingsAs(h.name)
		if err != nil || len(s.Refused) > 0 || s.Text == "" {
			t.Fatalf("%s: %+v, %v", h.name, s, err)
		}
		if a := adapted(t, s.Text); a.Harness != h.title || len(a.Policy.Changed) != 0 || len(a.Changes) != len(h.settings) {
			t.Errorf("%s, read back: %+v", h.name, a)
		}
	}
	limit, err := builtinPolicy(t, "codex-tokens").Set("limits.per_result=12000")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"codex": "tool_output_token_limit = 12000\n", "vscode-copilot": ""} {
		s, err := limit.SettingsAs(name)
		if err != nil || s.Text != want && len(s.Refused) == 0 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	vscode, err := builtinPolicy(t, "vscode-copilot").Set("limits.per_result=4096")
	if err != nil {
		t.Fatal(err)
	}
	if s := vscode.HarnessSettings(); len(s) != 1 || s[0].Text != "{\n  \"chat.agent.largeToolResultsToDisk.thresholdBytes\": 4096\n}\n" {
		t.Errorf("%+v", s)
	}
}
