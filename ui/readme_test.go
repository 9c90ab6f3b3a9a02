package ui

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"floodmark/engine"
	"floodmark/fixtures"
)

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Every command of the README works as it stands there, one block after the other in one folder.
// Lines for the Go command are run by whoever builds and tests.
func TestTheCommandsOfTheReadmeWork(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and with one goroutine at a time")
	}
	bin := built(t)
	folder := t.TempDir()
	if err := os.Symlink(bin, filepath.Join(folder, "floodmark")); err != nil {
		t.Fatal(err)
	}
	session, err := fs.ReadFile(fixtures.FS(), "incident-session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "recordings"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"session.jsonl", "recordings/a.jsonl"} {
		if err := os.WriteFile(filepath.Join(folder, name), session, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	day, err := fs.ReadFile(fixtures.FS(), "support-day.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "fixtures"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "fixtures", "support-day.json"), day, 0o600); err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) < 5 {
		t.Fatalf("%d blocks of commands", len(blocks))
	}
	for _, block := range blocks {
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			if strings.HasPrefix(line, "go ") {
				continue
			}
			cmd := exec.Command("sh", "-euc", line)
			cmd.Dir = folder
			cmd.Env = append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
			var out, errs strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Run(); err != nil {
				t.Errorf("%s: %v: %s", line, err, errs.String())
			}
			if out.Len() == 0 && !strings.Contains(line, ">") {
				t.Errorf("%s: prints nothing", line)
			}
		}
	}
}

// With -update the section is written anew.
func TestTheReadmeHasTheKeyTableOfTheProgram(t *testing.T) {
	text := readme(t)
	before, rest, ok := strings.Cut(text, "\n## Keys\n\n")
	_, after, ok2 := strings.Cut(rest, "\n## ")
	if !ok || !ok2 {
		t.Fatal("the README has no section on keys")
	}
	want := before + "\n## Keys\n\n" + strings.TrimSpace(KeysMarkdown()) + "\n\n## " + after
	if *update {
		if err := os.WriteFile("../README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != want {
		t.Error("the section on keys is not what the key table says: go test ./ui -run Readme -update")
	}
}

func TestTheReadmeNamesEveryCommandFlagPolicyAndCause(t *testing.T) {
	text := readme(t)
	var missing []string
	need := func(what string) {
		if !strings.Contains(text, what) && !slices.Contains(missing, what) {
			missing = append(missing, what)
		}
	}
	for _, name := range commandNames {
		need(name)
	}
	for _, name := range engine.Builtin() {
		need("`" + name + "`")
	}
	for _, e := range engine.Estimators {
		need("`" + string(e) + "`")
	}
	for _, f := range engine.Faults {
		need("`" + string(f) + "`")
	}
	for _, v := range engine.Verdicts {
		need("`" + string(v) + "`")
	}
	for _, c := range engine.Causes() {
		need("`" + string(c) + "`")
	}
	for _, c := range engine.LintCodes {
		need("`" + c + "`")
	}
	for _, h := range engine.HarnessNames() {
		need("| `" + h + "` |")
	}
	for _, flag := range []string{"policy", "set", "estimator", "format", "store", "fault", "strict", "json", "no-color", "quiet", "theme",
		"call", "conversation", "turn", "text", "schema", "preview", "compact", "raw-output", "arg", "argjson", "limit", "timeout",
		"key", "from", "to", "points", "values", "goal", "max-step-tokens", "max-context-tokens", "budget", "window", "latency", "prices", "csv", "facts", "from-facts",
		"max-result-tokens", "deny", "as", "full", "healthy", "markdown"} {
		need("--" + flag)
	}
	if len(missing) > 0 {
		t.Errorf("the README does not name %s", strings.Join(missing, ", "))
	}
}
