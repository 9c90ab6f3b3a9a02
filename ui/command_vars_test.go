package ui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVarsList(t *testing.T) {
	path := kept(t, "list", expensePayload())
	got := cli(t, "vars", "list", "--json", "--store", path).lines(t)
	if len(got) != 1 || got[0]["name"] != "list_1" || got[0]["policy"] != "moveworks" || got[0]["tool"] != "list" ||
		got[0]["bytes"] != float64(len(expensePayload())) || got[0]["sha256"] != sum(expensePayload()) {
		t.Errorf("got %v", got)
	}
	table := cli(t, "vars", "list", "--store", path)
	lines := strings.Split(table.out, "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "variable  conversation") || !strings.HasPrefix(lines[1], "list_1    ") {
		t.Errorf("got\n%s", table.out)
	}
	none := cli(t, "vars", "list", "--store", filepath.Join(t.TempDir(), "none.db"))
	if none != (end{"", "floodmark: no variables are kept\n", 0}) {
		t.Errorf("without a store: %+v", none)
	}
}

func TestVarsShow(t *testing.T) {
	path := kept(t, "list", expensePayload())
	got := cli(t, "vars", "show", "--store", path, "list_1")
	for _, want := range []string{"variable      list_1\n", "sha256        " + sum(expensePayload()) + "\n", "\n{\"title\": \"a\\u202eb", "more bytes\n"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("without %q in\n%s", want, got.out)
		}
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(cli(t, "vars", "show", "--json", "--store", path, "list_1").out), &v); err != nil {
		t.Fatal(err)
	}
	if v["head"] != expensePayload()[:1024] || v["name"] != "list_1" {
		t.Errorf("got %v", v)
	}
}

func TestVarsExportIsExact(t *testing.T) {
	payload := strings.Replace(expensePayload(), `"rate"`, "\"\u202e\u009b\": 1, \"rate\"", 1)
	path := kept(t, "list", payload)
	if got := cli(t, "vars", "export", "--store", path, "list_1"); got.code != 0 || got.out != payload {
		t.Errorf("exit %d, %d bytes, want %d", got.code, len(got.out), len(payload))
	}
	if got := onTerminal(t, "vars", "export", "--store", path, "list_1"); strings.ContainsAny(got.out, "\u202e\u009b") || !strings.Contains(got.out, "<U+202E><U+009B>") {
		t.Error("a terminal got what it could obey")
	}
	out := filepath.Join(t.TempDir(), "out.json")
	if got := cli(t, "vars", "export", "--store", path, "list_1", "-o", out); got != (end{}) {
		t.Errorf("%+v", got)
	}
	info, err := os.Stat(out)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v)", info.Mode(), err)
	}
	if b, err := os.ReadFile(out); err != nil || string(b) != payload {
		t.Errorf("the file holds %d bytes (%v)", len(b), err)
	}
	again := cli(t, "vars", "export", "--store", path, "list_1", "-o", out)
	if again.code != 2 || again.err != "floodmark: "+out+": the file exists\nhint: remove it first, or give another name\n" {
		t.Errorf("%+v", again)
	}
}

func TestVarsRemove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.db")
	for _, rows := range []int{20_000, 30_000} {
		if got := cli(t, "replay", "--store", path, file(t, "r.json", chat(toolResult{"list", numbers(rows)}))); got.code != 0 {
			t.Fatal(got.err)
		}
	}
	count := func() int {
		out := cli(t, "vars", "list", "--json", "--store", path).out
		return strings.Count(out, "\n")
	}
	if got := cli(t, "vars", "rm", "--store", path, "list_1"); got.code != 2 || !strings.HasPrefix(got.err, "floodmark: list_1: names 2 variables, ") || count() != 2 {
		t.Errorf("an ambiguous name: %+v, %d left", got, count())
	}
	if got := cli(t, "vars", "rm", "--store", path, "list_1", "lost_1"); got.code != 2 || count() != 2 {
		t.Errorf("one of two names is wrong: %+v, %d left", got, count())
	}
	var first map[string]any
	if err := json.Unmarshal([]byte(strings.SplitN(cli(t, "vars", "list", "--json", "--store", path).out, "\n", 2)[0]), &first); err != nil {
		t.Fatal(err)
	}
	if got := cli(t, "vars", "rm", "--store", path, first["conversation"].(string)+"/list_1"); got.code != 0 || count() != 1 {
		t.Errorf("one of two: %+v, %d left", got, count())
	}
	if got := cli(t, "vars", "rm", "--all", "--store", path, "list_1"); got.code != 0 || count() != 0 {
		t.Errorf("the last: %+v, %d left", got, count())
	}
}
