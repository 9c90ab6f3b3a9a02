package ui

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestALabelIsShownWhereverItsVariableIs(t *testing.T) {
	recording := file(t, "r.json", chat(toolResult{"crm_accounts", numbers(40_000)}))
	kept := filepath.Join(t.TempDir(), "v.db")
	rules := `labels=[{"tool": "crm_*", "label": "confidential"}]`
	contains(t, cli(t, "replay", "--store", kept, "--set", rules, recording).out, "$crm_accounts_1 · label confidential")
	for _, args := range [][]string{
		{"replay", "--json", "--store", "none", "--set", rules, recording},
		{"why", "--json", "--set", rules, recording},
		{"vars", "list", "--json", "--store", kept},
		{"vars", "show", "--json", "--store", kept, "crm_accounts_1"},
	} {
		contains(t, cli(t, args...).out, `"label":"confidential"`)
	}
	for _, args := range [][]string{
		{"why", "--set", rules, recording},
		{"why", "--markdown", "--set", rules, recording},
		{"vars", "list", "--store", kept},
		{"vars", "show", "--store", kept, "crm_accounts_1"},
	} {
		contains(t, cli(t, args...).out, "confidential")
	}
	exported := cli(t, "export", "--set", rules, recording)
	if exported.err != "floodmark: labelled confidential: 1 variable of which a package is written\n" || strings.Contains(exported.out, "confidential") {
		t.Errorf("%q", exported.err)
	}
	if plain := cli(t, "replay", "--json", "--store", "none", recording); strings.Contains(plain.out, "label") {
		t.Error("a label without a rule")
	}
}
