package ui

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"floodmark/fixtures"

	"go.yaml.in/yaml/v3"
)

// The workflow of the README is YAML that says what it seems to, and its gate ends as a job expects: 0 where
// nothing is over, 1 with an offender, 2 where the recordings are not there.
func TestTheWorkflowOfTheReadmeIsAGate(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks of YAML", len(blocks))
	}
	var workflow struct {
		Name string
		On   []string
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Uses, Run string
				Folder    string `yaml:"working-directory"`
				With      map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(blocks[0][1]), &workflow); err != nil {
		t.Fatal(err)
	}
	job := workflow.Jobs["floodmark"]
	steps := job.Steps
	if job.RunsOn != "ubuntu-latest" || len(workflow.On) != 1 || len(steps) != 5 {
		t.Fatalf("%+v", workflow)
	}
	build, gate := steps[3], steps[4]
	if build.Run != "go build -o ../fm ." || build.Folder != steps[1].With["path"] || steps[2].With["go-version-file"] != "floodmark/go.mod" || gate.Folder != "" {
		t.Errorf("it builds by %+v", build)
	}
	folder := t.TempDir() // as the runner's workspace
	if err := os.Symlink(built(t), filepath.Join(folder, "fm")); err != nil {
		t.Fatal(err)
	}
	recordings := filepath.Join(folder, steps[0].With["path"], "recordings")
	exit := func() int {
		cmd := exec.Command("sh", "-euc", gate.Run)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		t.Logf("%s", out)
		return cmd.ProcessState.ExitCode()
	}
	if code := exit(); code != 2 {
		t.Errorf("without recordings it ends with %d, want 2", code)
	}
	if err := os.MkdirAll(recordings, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fixture string
		code    int
	}{{"four-parallel.jsonl", 0}, {"expenses-rendered.json", 1}} {
		b, err := fs.ReadFile(fixtures.FS(), c.fixture)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(recordings, c.fixture), b, 0o600); err != nil {
			t.Fatal(err)
		}
		if code := exit(); code != c.code {
			t.Errorf("with %s it ends with %d, want %d", c.fixture, code, c.code)
		}
	}
}
