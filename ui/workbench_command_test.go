package ui

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"floodmark/engine"
	"floodmark/fixtures"
	"floodmark/history"
	"floodmark/store"
)

// onDisk opens a recording that is built in as a file of its own.
func onDisk(t *testing.T, name string) *history.Recording {
	t.Helper()
	text, err := fs.ReadFile(fixtures.FS(), name)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "it's "+name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	recordings, err := history.Open(context.Background(), path, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return recordings[0]
}

// inShell runs a command as a person who pastes it does, in another folder.
func inShell(t *testing.T, command string) string {
	t.Helper()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed")
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(built(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s\n%v: %s", command, err, out)
	}
	return string(out)
}

// copies lets a screen copy, and gives what was copied last.
func copies(s *screen) *string {
	var copied string
	s.e.copy = func(text string) { copied = text }
	return &copied
}

func TestACopiedCommandRunsAsItIs(t *testing.T) {
	s := newScreen(t, 120, 40, monoTheme(), onDisk(t, "expenses-structured.json"))
	copied := copies(s)
	s.press("w", "4", "tab")
	s.filter(`[.expenses[] | select(.category == "hotel's")] | length`)
	s.press("Y")
	if got := inShell(t, *copied); got != "0\n" {
		t.Errorf("%s\ngives %s", *copied, got)
	}
}

func TestACopiedCommandBindsWhatTheFilterNames(t *testing.T) {
	s := newScreen(t, 120, 40, monoTheme(), onDisk(t, "support-day.json"))
	copied := copies(s)
	s.press("down", "4", "tab")
	s.filter("type # the whole")
	s.press("K", "ctrl+u")
	s.typeText("kind")
	s.press("enter")
	s.filter("[$kind, $kind]")
	s.press("K", "ctrl+u")
	s.typeText("pair")
	s.press("enter")
	s.filter("[$pair[], $whoami_1.employee] as $x | $x[0:3]")
	s.shows(`"object",`, `"E-1042"`)
	s.press("Y")
	if got := inShell(t, *copied+" -c"); got != `["object","object","E-1042"]`+"\n" {
		t.Errorf("%s\ngives %s", *copied, got)
	}
}

// Every result of these recordings is found again: JSON and text, with instructions, with equal call ids.
func TestACopiedCommandFindsEveryPayload(t *testing.T) {
	for _, name := range []string{"instructions.json", "broken-json.jsonl", "four-parallel.jsonl", "failed-call.json"} {
		s := newScreen(t, 120, 40, monoTheme(), onDisk(t, name))
		tab := s.e.tabs[tabOf[viewVariable]].(*variableTab)
		sel := s.e.list.selected()
		if sel.run == nil {
			t.Fatal(name + " was not replayed")
		}
		for _, o := range sel.run.Outcomes {
			if o.Verdict == "" || o.Verdict == engine.Rejected {
				continue
			}
			sel.outcome = o
			const filter = "[type, length]"
			r := runFilter(context.Background(), s.e.deps, tab.runner, tab.sources, sel, filter)
			if r.answer == nil {
				t.Fatal(r.problem)
			}
			line, err := commandLine(s.e.session, sel, filter, "W")
			if err != nil {
				t.Fatal(err)
			}
			if got := inShell(t, line+" -c"); got != string(r.answer.lines[0])+"\n" {
				t.Errorf("%s\ngives %swant %s", line, got, r.answer.lines[0])
			}
		}
	}
}

// What came from standard input is in the store only: one with a name is named, a temporary one is said to
// be of no use.
func TestACopiedCommandReadsTheStoreWhereThereIsNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "variables.db")
	s := bench(t)
	copied := copies(s)
	s.press("Y")
	s.shows("no command: expenses.json can't be read again", "write $list_expenses_1 with W")
	if *copied != "" {
		t.Errorf("copied is %s", *copied)
	}
	s = openScreen(t)
	copied = copies(s)
	s.e.session.openStore = func() (*store.Store, string, error) {
		st, err := store.Open(path, store.Options{})
		return st, "", err
	}
	s.press("down", "4", "tab")
	s.filter(".total")
	s.press("Y")
	s.filter("[.total, ($list_expenses_1 | .total)]")
	own := *copied
	s.press("Y")
	if err := s.e.session.close(); err != nil {
		t.Fatal(err)
	}
	if got := inShell(t, own) + inShell(t, *copied+" -c"); got != "500\n[500,500]\n" {
		t.Errorf("%s\n%s\ngive %s", own, *copied, got)
	}
}

func TestACopiedCommandReplaysWhatIsBuiltIn(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and with one goroutine at a time")
	}
	s := newScreen(t, 120, 40, monoTheme(), onDisk(t, "support-day.json"))
	s.e.session.builtIn = true
	copied := copies(s)
	s.press("down", "4", "tab")
	s.filter("$whoami_1.employee")
	s.press("Y")
	if strings.Contains(*copied, "support-day") {
		t.Errorf("%s names a file", *copied)
	}
	if got := inShell(t, *copied); got != `"E-1042"`+"\n" {
		t.Errorf("%s\ngives %s", *copied, got)
	}
}
