package ui

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAStoreThatCannotBeOpenedSaysSoOnce(t *testing.T) {
	recording := file(t, "r.json", chat(toolResult{"a", "{}"}))
	other := file(t, "notes.txt", "these are notes, and no store at all\n")
	below := filepath.Join(other, "x.db")
	gone := filepath.Join(t.TempDir(), "gone.db")
	if err := os.Symlink(filepath.Join(gone, "nowhere", "x.db"), gone); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	const hint = "\nhint: name another file with --store FILE, or keep nothing with --store none\n"
	for _, c := range []struct{ store, want string }{
		{other, "floodmark: " + other + " is not a usable store: it does not start like one; it was left as it is\n" +
			"hint: \"floodmark vars check --set-aside\" moves the file aside and reads back what can be; or name another one with --store FILE\n"},
		{below, "floodmark: store: " + below + ": cannot be looked at: not a directory" + hint},
	} {
		for _, args := range [][]string{{"replay", recording}, {"query", "a_1", "."}} {
			if got := cli(t, append(args, "--store", c.store)...); got != (end{"", c.want, 2}) {
				t.Errorf("%s: %+v", args[0], got)
			}
		}
	}
	if got := cli(t, "replay", recording, "--store", gone); got.code != 2 || got.out != "" {
		t.Errorf("%+v", got)
	}
}
