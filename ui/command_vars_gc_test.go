package ui

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"floodmark/store"
)

// twoKept is a store of two variables, list_1 and search_1.
func twoKept(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "v.db")
	recording := file(t, "r.json", chat(toolResult{"list", numbers(20_000)}, toolResult{"search", numbers(30_000)}))
	if got := cli(t, "replay", "--store", path, recording); got.code != 0 {
		t.Fatal(got.err)
	}
	return path
}

func object(t *testing.T, e end) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(e.out), &v); err != nil {
		t.Fatalf("%v: %+v", err, e)
	}
	return v
}

func TestVarsGCRemovesAndSaysWhatItWould(t *testing.T) {
	path := twoKept(t)
	dry := cli(t, "vars", "gc", "--store", path, "--count", "1", "--dry-run")
	if dry.code != 0 || !strings.Contains(dry.out, "\nlist_1 ") || !strings.HasSuffix(strings.TrimSpace(dry.out), "evicted") || !strings.HasPrefix(dry.err, "floodmark: would remove 1 variable with 1 payload (") {
		t.Errorf("%+v", dry)
	}
	if n := len(cli(t, "vars", "list", "--json", "--store", path).lines(t)); n != 2 {
		t.Errorf("%d variables after a dry run", n)
	}
	v := object(t, cli(t, "vars", "gc", "--store", path, "--count", "1", "--json"))
	if v["dry_run"] != false || v["left"] != 1.0 || at(v, "removed", 0, "name") != "list_1" || at(v, "removed", 0, "why") != "evicted" {
		t.Errorf("%v", v)
	}
	if got := cli(t, "vars", "gc", "--store", path); got != (end{"", "floodmark: removed 0 variables with 0 payloads (0 bytes in the store); 1 variable left\n", 0}) {
		t.Errorf("without limits: %+v", got)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--age", "soon"}, "floodmark: --age: \"soon\" is no time\nhint: 30d, 12h or 90m for example\n"},
		{[]string{"--age", "-1h"}, "floodmark: --age: \"-1h\" is no time\nhint: 30d, 12h or 90m for example\n"},
		{[]string{"--age", "0d"}, "floodmark: --age: \"0d\" is no time\nhint: 30d, 12h or 90m for example\n"},
		{[]string{"--count", "-1"}, "floodmark: --count and --bytes can't be negative\nhint: 0 is any number\n"},
		{[]string{"--count", "1", "--policy", "moveworks"}, "floodmark: --policy brings its own limits: --age, --count and --bytes don't go with it\nhint: leave out one or the other\n"},
	} {
		if got := cli(t, append([]string{"vars", "gc", "--store", path}, c.args...)...); got != (end{"", c.want, 2}) {
			t.Errorf("%v: %+v", c.args, got)
		}
	}
}

func TestVarsGCTakesAPolicysLimitsForItsOwnVariables(t *testing.T) {
	path := twoKept(t)
	doc := strings.Replace(cli(t, "policy", "show", "moveworks").out, `"count": 0`, `"count": 1`, 1)
	mine := file(t, "mine.json", doc)
	if v := object(t, cli(t, "vars", "gc", "--store", path, "--policy", "trueforge", "--json")); v["left"] != 2.0 {
		t.Errorf("another policy's: %v", v)
	}
	if v := object(t, cli(t, "vars", "gc", "--store", path, "--policy", mine, "--json")); v["left"] != 1.0 {
		t.Errorf("%v", v)
	}
}

func TestAStoreThatIsNotThereIsNotMadeToBeKeptInOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.db")
	for _, command := range []string{"gc", "compact"} {
		if got := cli(t, "vars", command, "--store", path); got != (end{"", "floodmark: nothing is stored yet in " + path + "\n", 0}) {
			t.Errorf("%s: %+v", command, got)
		}
		if v := object(t, cli(t, "vars", command, "--store", path, "--json", "--quiet")); len(v) == 0 {
			t.Errorf("%s --json: %v", command, v)
		}
	}
	if got := cli(t, "vars", "check", "--store", path); got.code != 0 {
		t.Errorf("check: %+v", got)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("it was made")
	}
}

func TestVarsCompactMakesTheFileSmallerAndForgetsWhatIsGone(t *testing.T) {
	var b strings.Builder
	for i := range 6000 { // hashes, which can't be compressed to much less than half
		b.WriteString(`,"` + sum(strconv.Itoa(i)) + `"`)
	}
	path := kept(t, "list", "["+b.String()[1:]+"]")
	if got := cli(t, "vars", "rm", "--store", path, "list_1"); got.code != 0 {
		t.Fatal(got.err)
	}
	v := object(t, cli(t, "vars", "compact", "--store", path, "--json"))
	info, err := os.Stat(path)
	if err != nil || v["after"] != float64(info.Size()) || v["before"].(float64) < 200_000 || v["after"].(float64) > 100_000 {
		t.Errorf("%v, %v", v, err)
	}
}

func TestATombstoneAnswersInEveryCommand(t *testing.T) {
	path := twoKept(t)
	out := filepath.Join(t.TempDir(), "out.json")
	if got := cli(t, "vars", "export", "--store", path, "list_1", "-o", out); got != (end{}) {
		t.Fatalf("%+v", got)
	}
	removed := cli(t, "vars", "rm", "--store", path, "list_1")
	if removed.code != 0 || !strings.Contains(removed.err, "floodmark: list_1 was exported to "+out+" on ") {
		t.Errorf("%+v", removed)
	}
	for _, args := range [][]string{{"vars", "show", "list_1"}, {"vars", "export", "list_1"}, {"query", "list_1", "."}, {"vars", "rm", "list_1"}} {
		got := cli(t, append(args, "--store", path)...)
		if got.code != 2 || got.out != "" || !strings.Contains(got.err, "/list_1 was removed on ") ||
			!strings.HasSuffix(got.err, "replaying its recording stores it again\nhint: \"floodmark vars list --all\" shows what is gone, and why\n") {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if n := len(cli(t, "vars", "list", "--json", "--store", path).lines(t)); n != 1 {
		t.Errorf("%d are listed", n)
	}
	all := cli(t, "vars", "list", "--all", "--json", "--store", path).lines(t)
	if len(all) != 2 || all[1]["name"] != "list_1" || all[1]["why"] != "removed" || at(all[1], "exports", 0, "path") != out || all[1]["sha256"] != nil {
		t.Errorf("%v", all)
	}
	table := cli(t, "vars", "list", "--all", "--store", path).out
	if lines := strings.Split(table, "\n"); len(lines) != 4 || !strings.Contains(lines[0], "used (UTC)") || !strings.Contains(lines[2], "removed 20") || !strings.HasPrefix(lines[1], "search_1") {
		t.Errorf("got\n%s", table)
	}
}

func TestVarsRemoveNamesWhatWasMadeOfAVariable(t *testing.T) {
	for _, derived := range []bool{false, true} {
		path := twoKept(t)
		s, err := store.Open(path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Find("list_1")
		if err != nil {
			t.Fatal(err)
		}
		v := found[0]
		v.Name, v.Source, v.Query, v.SHA256, v.Label = "list_1_q1", "list_1", ".[0]", "", "personal"
		if _, err := s.Put(t.Context(), v, func(w io.Writer) error { _, err := w.Write([]byte("0")); return err }); err != nil {
			t.Fatal(err)
		}
		s.Close()
		shown := cli(t, "vars", "show", "--store", path, "list_1_q1").out
		for _, want := range []string{"label         personal\n", "made of       list_1\n", "query         .[0]\n"} {
			if !strings.Contains(shown, want) {
				t.Errorf("without %q in\n%s", want, shown)
			}
		}
		if table := cli(t, "vars", "list", "--store", path).out; !strings.Contains(table, "  label ") || !strings.Contains(table, "  personal ") {
			t.Errorf("got\n%s", table)
		}
		args, want, left := []string{"vars", "rm", "--store", path, "list_1"}, "what was made of it stays: result list_1_q1; --derived removes that, too", 2
		if derived {
			args, want, left = append(args, "--derived"), "and what was made of it: result list_1_q1", 1
		}
		if got := cli(t, args...); got.code != 0 || !strings.Contains(got.err, "floodmark: "+want+"\n") {
			t.Errorf("%+v", got)
		}
		if n := len(cli(t, "vars", "list", "--json", "--store", path).lines(t)); n != left {
			t.Errorf("derived %v: %d are left", derived, n)
		}
	}
}

func TestAFilterThatNamesARemovedVariableSaysSo(t *testing.T) {
	path := twoKept(t)
	if got := cli(t, "vars", "rm", "--store", path, "list_1"); got.code != 0 {
		t.Fatal(got.err)
	}
	got := cli(t, "query", "--store", path, "search_1", ". + $list_1")
	if got.code != 2 || got.out != "" || !strings.Contains(got.err, "/list_1 was removed on ") {
		t.Errorf("%+v", got)
	}
	if got := cli(t, "query", "--store", path, "search_1", "$list_1", "--arg=list_1=mine"); got != (end{"\"mine\"\n", "", 0}) {
		t.Errorf("with a value of its own: %+v", got)
	}
	if got := cli(t, "query", "--store", path, "search_1", "$list_2"); !strings.Contains(got.err, "there is no variable $list_2") {
		t.Errorf("one that never was: %+v", got)
	}
}

func TestARemovedVariableIsSaidThoughAnotherPolicyHasOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.db")
	recording := file(t, "r.json", chat(toolResult{"list", numbers(40_000)}))
	for _, policy := range []string{"moveworks", "trueforge"} {
		if got := cli(t, "replay", "--store", path, "--policy", policy, recording); got.code != 0 {
			t.Fatal(got.err)
		}
	}
	if got := cli(t, "vars", "rm", "--store", path, "list_1", "--policy", "moveworks"); got.code != 0 {
		t.Fatal(got.err)
	}
	if got := cli(t, "vars", "show", "--store", path, "list_1", "--policy", "moveworks"); got.code != 2 || !strings.Contains(got.err, "/list_1 was removed on ") {
		t.Errorf("%+v", got)
	}
	if got := cli(t, "vars", "show", "--store", path, "list_1", "--policy", "none"); !strings.Contains(got.err, "no variable of this name under policy none") {
		t.Errorf("%+v", got)
	}
}

func TestAReplaySaysWhatItStoresAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.db")
	recording := file(t, "r.json", chat(toolResult{"list", numbers(20_000)}, toolResult{"search", numbers(30_000)}))
	again := func() end { return cli(t, "replay", "--store", path, recording) }
	if got := again(); got.code != 0 || got.err != "" {
		t.Fatalf("%+v", got)
	}
	for _, c := range []struct{ how, want string }{{"rm list_1", "/list_1 was removed on "}, {"gc --count 1", "/search_1 was evicted on "}} {
		if got := cli(t, append([]string{"vars", "--store", path}, strings.Fields(c.how)...)...); got.code != 0 {
			t.Fatal(got.err)
		}
		if got := again(); got.code != 0 || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, c.want) || !strings.HasSuffix(got.err, " UTC and is stored again\n") {
			t.Errorf("%s: %+v", c.how, got)
		}
		if got := again(); got.err != "" {
			t.Errorf("said twice: %s", got.err)
		}
	}
}

// Of the commands that replay only replay itself stores: to the others a variable that was removed is what
// the policy makes of the recording.
func TestWhatOnlyReadsRecordingsLeavesATombstoneAsItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.db")
	recording := file(t, "r.json", chat(toolResult{"list", numbers(20_000)}, toolResult{"search", numbers(30_000)}))
	if got := cli(t, "replay", "--store", path, recording); got.code != 0 {
		t.Fatal(got.err)
	}
	if got := cli(t, "vars", "rm", "--store", path, "list_1"); got.code != 0 {
		t.Fatal(got.err)
	}
	for _, command := range []string{"why", "values", "compare", "audit", "export"} {
		with, without := cli(t, command, "--store", path, recording), cli(t, command, "--store", "none", recording)
		if with != without || with.code != 0 || with.out == "" {
			t.Errorf("%s: %+v, without a store %+v", command, with, without)
		}
		if all := cli(t, "vars", "list", "--all", "--json", "--store", path).lines(t); len(all) != 2 || all[1]["name"] != "list_1" || all[1]["why"] != "removed" {
			t.Errorf("after %s: %v", command, all)
		}
	}
}
