package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVarsCheckOfASoundStoreIsDone(t *testing.T) {
	path := twoKept(t)
	got := cli(t, "vars", "check", "--store", path)
	if got.code != 0 || got.out != "" || !strings.HasPrefix(got.err, "floodmark: 2 variables, 2 payloads of ") {
		t.Errorf("%+v", got)
	}
	v := object(t, cli(t, "vars", "check", "--store", path, "--json"))
	if damaged, list := v["damaged"].([]any); v["variables"] != 2.0 || v["payloads"] != 2.0 || v["leftovers"] != 0.0 || !list || len(damaged) != 0 {
		t.Errorf("%v", v)
	}
	if got := cli(t, "vars", "check", "--store", path, "--set-aside"); got != (end{"", "floodmark: the store " + path + " has no damage: it stays where it is\n", 0}) {
		t.Errorf("%+v", got)
	}
}

func TestADamagedStoreIsToldAndSetAsideOnOrder(t *testing.T) {
	path := twoKept(t)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b = b[:len(b)/2]
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	got := cli(t, "vars", "check", "--store", path)
	if got.code != 1 || !strings.HasPrefix(got.err, "floodmark: "+path+" is not a usable store: it is cut off: ") ||
		!strings.HasSuffix(got.err, "\nhint: \"floodmark vars check --set-aside\" moves the file aside and reads back what can be\n") {
		t.Errorf("%+v", got)
	}
	if v := object(t, cli(t, "vars", "check", "--store", path, "--json")); !strings.Contains(v["error"].(string), "cut off") {
		t.Errorf("%v", v)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(b) {
		t.Fatalf("the file changed without an order, %v", err)
	}
	v := object(t, cli(t, "vars", "check", "--store", path, "--set-aside", "--json"))
	aside := v["path"].(string)
	if !strings.HasPrefix(aside, path+".damaged-") {
		t.Errorf("%v", v)
	}
	if after, err := os.ReadFile(aside); err != nil || string(after) != string(b) {
		t.Errorf("what was set aside changed, %v", err)
	}
	if got := cli(t, "vars", "check", "--store", path); got.code != 0 {
		t.Errorf("the new store: %+v", got)
	}
}

func TestAForeignFileIsMovedAndNothingReadBack(t *testing.T) {
	path := file(t, "notes.txt", "these are notes, and no store at all\n")
	got := cli(t, "vars", "check", "--store", path, "--set-aside")
	if got.code != 0 || !strings.Contains(got.err, "nothing was read back: it is no store that this program knows\n") {
		t.Errorf("%+v", got)
	}
	if files, _ := filepath.Glob(path + ".damaged-*"); len(files) != 1 {
		t.Errorf("%v", files)
	}
}

func TestAKeyInTheEnvironmentEncryptsTheStore(t *testing.T) {
	// An age identity, made for this test; a passphrase would be slow.
	key := file(t, "key.txt", "# made for a test\nAGE-SECRET-KEY-1V7F9QKTPR8GU8D9D9ETG8UA8VEKALX9SJP43YT4DPJY83ZX48PVQ7FKEQE\n")
	t.Setenv("FLOODMARK_KEY_FILE", key)
	path := twoKept(t)
	if got := cli(t, "query", "list_1", "length", "--store", path); got.code != 0 {
		t.Errorf("with the key: %+v", got)
	}
	t.Setenv("FLOODMARK_KEY_FILE", "")
	const hint = "\nhint: set FLOODMARK_KEY to the passphrase, or FLOODMARK_KEY_FILE to the file that holds the key\n"
	without := "floodmark: the payloads in the store " + path + " are encrypted: no key was given" + hint
	for _, args := range [][]string{{"query", "list_1", "."}, {"vars", "show", "list_1"}, {"vars", "export", "list_1"}, {"vars", "check"},
		{"replay", file(t, "r.json", chat(toolResult{"list", numbers(20_000)}))}} {
		if got := cli(t, append(args, "--store", path)...); got != (end{"", without, 2}) {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if n := len(cli(t, "vars", "list", "--json", "--store", path).lines(t)); n != 2 {
		t.Errorf("%d are listed", n)
	}
	t.Setenv("FLOODMARK_KEY_FILE", filepath.Join(t.TempDir(), "gone.txt"))
	if got := cli(t, "vars", "list", "--store", path); got.code != 2 || !strings.HasPrefix(got.err, "floodmark: FLOODMARK_KEY_FILE: ") {
		t.Errorf("%+v", got)
	}
	t.Setenv("FLOODMARK_KEY", "both")
	if got := cli(t, "vars", "list", "--store", path); got.code != 2 || !strings.HasPrefix(got.err, "floodmark: FLOODMARK_KEY and FLOODMARK_KEY_FILE are both set\n") {
		t.Errorf("%+v", got)
	}
}
