package ui

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"floodmark/fixtures"
)

// Each failure mode of the README has a command that shows it.
func TestTheCommandOfEachFailureModeShowsIt(t *testing.T) {
	_, section, _ := strings.Cut(readme(t), "\n## The eight failure modes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| .* \\| `([a-z-]+)` \\| `floodmark ([^`]+)` \\|$").FindAllStringSubmatch(section, -1)
	if len(rows) != 8 {
		t.Fatalf("%d failure modes, want 8", len(rows))
	}
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "fixtures"), fixtures.FS()); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		args := strings.Fields(row[2])
		last := len(args) - 1
		args[last] = filepath.Join(folder, args[last])
		got := cli(t, args...)
		if got.code != 0 || !regexp.MustCompile(`warnings: .*\b[0-9]+ `+row[1]+`\b`).MatchString(got.out) {
			t.Errorf("%s: exit %d, no %s in\n%s%s", row[2], got.code, row[1], got.out, got.err)
		}
	}
}

// The order in which parallel results come back changes no outcome: the recording's results stand in
// one order, and here in all 24.
func TestArrivalOrderChangesNoOutcome(t *testing.T) {
	b, err := fs.ReadFile(fixtures.FS(), "four-parallel.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(b), "\n")
	results := regexp.MustCompile(`\{"role":"tool".*?\}(,|\])`).FindAllStringIndex(line, -1)
	if len(results) != 4 {
		t.Fatalf("%d results", len(results))
	}
	var texts []string
	for _, r := range results {
		texts = append(texts, line[r[0]:r[1]-1])
	}
	before, after := line[:results[0][0]], line[results[3][1]-1:]
	want := ""
	seen := 0
	for _, order := range orders(4) {
		shuffled := make([]string, 4)
		for i, k := range order {
			shuffled[i] = texts[k]
		}
		got := cli(t, "replay", "--store", "none", "--policy", "trueforge", "--json", file(t, "r.jsonl", before+strings.Join(shuffled, ",")+after+"\n"))
		outcomes := regexp.MustCompile(`"call":"[^"]+"|"verdict":"[^"]+"|"inline":\{[^}]*\}`).FindAllString(got.out, -1)
		if s := strings.Join(outcomes, " "); want == "" {
			want = s
		} else if s != want {
			t.Errorf("in the order %v: %s, want %s", order, s, want)
		}
		seen++
	}
	if seen != 24 || strings.Count(want, `"verdict":"offloaded"`) != 2 {
		t.Errorf("%d orders: %s", seen, want)
	}
}

// orders are all orders of n things.
func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, o := range orders(n - 1) {
		for at := 0; at <= len(o); at++ {
			all = append(all, append(append(append([]int{}, o[:at]...), n-1), o[at:]...))
		}
	}
	return all
}
