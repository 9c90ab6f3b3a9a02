package ui

import (
	"path/filepath"
	"strings"
	"testing"
)

// planted is a made-up token of the form that a rule knows; in two parts, so that no scanner takes this file for a leak.
const planted = "ghp_" + "x7Kq2mP9vR4tW8zB1nC6dF3gH5jL0sYaQeUi"

// Secrets stand in the payload, its keys and an error's text, the arguments, the user's words and the tool's name.
func plantedRecording(t *testing.T) string {
	rows := strings.Repeat(`{"note":"confidentialwords `+planted+`","`+planted+`":"ana.silva@example.com"},`, 1000)
	text := chat(toolResult{"get_" + planted, `{"display_instructions_for_model":"confidentialwords","rows":[` + rows + `{}]}`},
		toolResult{"broken", `{"a": "confidentialwords ` + planted + strings.Repeat(" ana.silva@example.com", 2000) + `",}`},
		toolResult{"inside", `{"data":"{\"` + planted + `\":\"` + strings.Repeat("confidentialwords ", 2000) + `\"}"}`})
	text = strings.ReplaceAll(text, `"arguments":"{}"`, `"arguments":"{\"mail\":\"ana.silva@example.com\",\"q\":\"confidentialwords\"}"`)
	return file(t, "r.json", strings.Replace(text, "Which accounts have open invoices?", "My key is "+planted+" and confidentialwords", 1))
}

func TestNothingThatWasPlantedIsInWhatIsRedacted(t *testing.T) {
	recording := plantedRecording(t)
	plain := cli(t, "replay", "--json", "--text", "--schema", "--store", "none", recording).out
	for _, args := range [][]string{
		{"replay", "--redact", "--store", "none"},
		{"replay", "--redact", "--track", "--store", "none"},
		{"replay", "--redact", "--json", "--schema", "--store", "none"},
		{"replay", "--redact", "--json", "--schema", "--track", "--policy", "trueforge", "--store", "none"},
		{"replay", "--redact", "--json", "--fault", "sandbox-down", "--store", "none"},
		{"export", "--redact"}, {"export", "--redact", "--policy", "none"}, {"export", "--redact", "--to", "claude-code"},
		{"export", "--redact", "--to", "openai-responses"}, {"export", "--redact", "--to", "anthropic-messages"},
		{"export", "--redact", "--to", "gemini-contents"}, {"export", "--redact", "--to", "mcp-jsonrpc"}, {"tune", "--facts"},
		{"why", "--redact"}, {"why", "--redact", "--json"}, {"why", "--redact", "--markdown"}, {"why", "--redact", "--call", "call_1"},
		{"why", "--redact", "--beside", "call_2", "--call", "call_1"},
		{"compare", "--redact"}, {"compare", "--redact", "--markdown"}, {"compare", "--redact", "--json"},
		{"compare", "--redact", "--call", "call_1"}, {"compare", "--redact", "--markdown", "--full", "--call", "call_1"},
		{"compare", "--redact", "--json", "--call", "call_2"},
		{"audit", "--redact"}, {"audit", "--redact", "--markdown"}, {"audit", "--redact", "--json"},
	} {
		got := cli(t, append(args, recording)...)
		if got.code != 0 || got.out == "" {
			t.Errorf("%q: exit %d, %s", args, got.code, got.err)
		}
		for _, secret := range []string{planted, "confidentialwords", "ana.silva"} {
			if !strings.Contains(plain, secret) {
				t.Fatalf("%s is not in what is not redacted", secret)
			}
			if at := strings.Index(got.out+got.err, secret); at >= 0 {
				t.Errorf("%q: %s in …%s…", args, secret, (got.out + got.err)[max(0, at-150):at+10])
			}
		}
	}
}

func TestAQuerysResultIsMarkedByPathAndKind(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "v.db")
	recording := file(t, "r.json", chat(toolResult{"people", `{"rows":[` + strings.Repeat(`{"mail":"ana.silva@example.com","n":1},`, 1000) + `{"key":"` + planted + `"}]}`}))
	cli(t, "replay", "--store", kept, recording)
	got := cli(t, "query", "--store", kept, "people_1", ".rows[:2], .rows[-1]")
	if want := "floodmark: sensitive-boundary: the result has what looks like 2 mail addresses at .[].mail, 1 secret (github-pat) at .key\n"; got.err != want || got.code != 0 {
		t.Errorf("%d %q, not %q", got.code, got.err, want)
	}
	if got := cli(t, "query", "--store", kept, "people_1", ".rows | length"); got.err != "" || got.out != "1001\n" {
		t.Errorf("%+v", got)
	}
}
