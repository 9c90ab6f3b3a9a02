package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A session of one result of 400 tokens, and its resume, which holds that one again and another of 100.
func sessionAndResume(t *testing.T) string {
	dir := t.TempDir()
	call := func(id string, bytes int) string {
		return `,{"role": "assistant", "tool_calls": [{"id": "` + id + `", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
			{"role": "tool", "tool_call_id": "` + id + `", "content": "` + strings.Repeat("x", bytes) + `"}`
	}
	first := `{"messages": [{"role": "user", "content": "q"}` + call("call_AbCdEfGhIjKlMnOpQrStUvWx", 1600)
	for name, text := range map[string]string{"a.json": first + "]}", "b.json": first + call("call_BcDeFgHiJkLmNoPqRsTuVwXy", 400) + "]}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTuneCompareAndCheckCountACopiedCallOnce(t *testing.T) {
	dir := sessionAndResume(t)
	v := cli(t, "tune", "--store", "none", "--json", "--policy", "none", "--values", "50,200,500", dir).lines(t)[0]
	if v["results"] != 2.0 || v["steps"] != 2.0 || at(v, "costs", "original_tokens") != 500.0 {
		t.Errorf("tune: %v results, %v steps, costs %v", v["results"], v["steps"], v["costs"])
	}
	for i, offloaded := range []float64{2, 1, 0} {
		if n, _ := at(v, "sweep", i, "verdicts", "offloaded").(float64); n != offloaded {
			t.Errorf("tune, value %v: %v offloaded, want %v", at(v, "sweep", i, "value"), n, offloaded)
		}
	}
	if got := at(v, "sweep", 2, "inline_tokens"); got != 500.0 {
		t.Errorf("tune: %v tokens entered, want 500", got)
	}
	lines := cli(t, "compare", "--json", "--policy", "none", "--policy", "trueforge", dir).lines(t)
	if len(lines) != 3 {
		t.Errorf("compare has %d lines, want two results and the totals", len(lines))
	}
	lines = cli(t, "check", "--json", "--max-result-tokens", "300", "--max-step-tokens", "300", "--policy", "none", dir).lines(t)
	if totals := at(lines[len(lines)-1], "totals"); len(lines) != 3 || at(totals, "results") != 2.0 || at(totals, "steps") != 2.0 || at(totals, "offenders") != 2.0 {
		t.Errorf("check: %v", lines)
	}
}
