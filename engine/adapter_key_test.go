package engine

import "testing"

// Claude Code documents a setting for its second limit only, and a policy without a limit for one result is
// tuned in what it has.
func TestTheLimitWithASettingIsTunedFirst(t *testing.T) {
	for name, want := range map[string]string{
		"claude-code-mcp": "limits.second", "opencode-bash": "limits.per_result", "trueforge": "limits.per_result", "codex-tokens": "limits.per_result",
		"moveworks": "limits.per_result", "gemini-cli-masking": "history.over", "none": "limits.per_result",
	} {
		p, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.SettableKey(); got != want {
			t.Errorf("%s is tuned in %s, want %s", name, got, want)
		}
	}
}
