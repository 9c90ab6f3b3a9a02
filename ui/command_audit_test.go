package ui

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"floodmark/fixtures"
)

func TestAuditAnswersTheSevenLines(t *testing.T) {
	got := cli(t, "audit", "--policy", "trueforge", compareFile(t))
	if got.code != 0 || got.err != "" {
		t.Fatalf("exit %d: %s", got.code, got.err)
	}
	contains(t, got.out, "2 results in 1 conversation under trueforge\n", " 2  yes         Keep both thresholds on", " 3  yes         Test the fault path",
		" 6  no          Classify, protect", "? Who can read the kept files")
	contains(t, strings.Join(strings.Fields(got.out), " "), "log · call_2: log_1: 39,800 bytes, 9,950 tokens would be out of reach")
}

// fourParallel is the built-in recording of that name.
func fourParallel(t *testing.T) string {
	t.Helper()
	b, err := fs.ReadFile(fixtures.FS(), "four-parallel.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return file(t, "four-parallel.jsonl", string(b))
}

func TestAuditAsJSONAndMarkdown(t *testing.T) {
	got := cli(t, "audit", "--policy", "moveworks", "--json", fourParallel(t))
	var d struct {
		Policy        string
		Results       int
		Conversations int
		Lines         []struct {
			Line, Answer string
			Figures      map[string]float64
			Evidence     []struct{ Call string }
		}
	}
	if err := json.Unmarshal([]byte(got.out), &d); err != nil || got.code != 0 {
		t.Fatalf("exit %d, %v: %s", got.code, err, got.err)
	}
	if d.Policy != "moveworks" || d.Results != 8 || d.Conversations != 2 || len(d.Lines) != 7 {
		t.Fatalf("%+v", d)
	}
	if l := d.Lines[1]; l.Line != "thresholds" || l.Answer != "no" || l.Figures["batches"] != 2 || l.Figures["batches_unguarded"] != 1 || l.Evidence[0].Call != "call_1" {
		t.Errorf("%+v", l)
	}
	got = cli(t, "audit", "--policy", "moveworks", "--markdown", fourParallel(t))
	if got.code != 0 || !strings.HasPrefix(got.out, "# Production checklist\n") || strings.Count(got.out, "\n| ") != 8 || !strings.Contains(got.out, "**no**") {
		t.Errorf("exit %d:\n%s", got.code, got.out)
	}
}

func TestAuditTakesNoFault(t *testing.T) {
	if got := cli(t, "audit", "--fault", "expired"); got.code != 2 || !strings.Contains(got.err, "runs every fault") {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}
