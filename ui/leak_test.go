package ui

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"floodmark/store"
)

// A brokenTab panics with a payload when it is drawn.
type brokenTab struct {
	tab
	payload string
}

func (t *brokenTab) View() []string { panic(t.payload) }

// panics are places of the program that can be made to panic with a payload, each in a process of its own.
var panics = map[string]func(t *testing.T, payload string) int{
	"view": func(t *testing.T, payload string) int {
		s := openScreen(t)
		s.press("down")
		s.e.tabs[s.e.tab] = &brokenTab{s.e.tabs[s.e.tab], payload}
		if _, err := tea.NewProgram(s.e, tea.WithInput(strings.NewReader("")), tea.WithOutput(os.Stdout), tea.WithoutSignalHandler()).Run(); err == nil {
			t.Fatal("the view did not panic")
		}
		return exitUsage
	},
	"job": func(t *testing.T, payload string) int { // the engine asks for the payload in a job
		s := openScreen(t)
		s.e.session.openStore = func() (*store.Store, string, error) { panic(payload) }
		s.press("down", "4")
		_, _ = os.Stdout.WriteString(s.frame())
		return exitUsage
	},
	"command": func(t *testing.T, payload string) int {
		s := &Streams{In: strings.NewReader(""), Out: os.Stdout, Err: os.Stderr, OutTerminal: true, Width: 80}
		s.Explorer = func(context.Context, ExploreOptions) error { panic(payload) }
		return Report(s, Run(context.Background(), s, []string{}))
	},
}

// TestPanicsWithAPayload is the child of the test below.
func TestPanicsWithAPayload(t *testing.T) {
	if where := os.Getenv("FLOODMARK_PANIC"); where != "" {
		os.Exit(panics[where](t, os.Getenv("FLOODMARK_PAYLOAD")))
	}
	t.Skip("only in a process of its own")
}

func TestAPanicTellsNothingOfAPayload(t *testing.T) {
	const payload = "confidentialwords ana.silva@example.com"
	for where, want := range map[string]string{
		"view":    "a bug in floodmark: a panic with a string",
		"job":     `a bug in floodmark stopped the job "query": a panic with a string`,
		"command": "floodmark: a bug in floodmark: a panic with a string\n",
	} {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestPanicsWithAPayload$")
		cmd.Env = append(os.Environ(), "FLOODMARK_PANIC="+where, "FLOODMARK_PAYLOAD="+payload, "TMPDIR="+t.TempDir()) // it cleans up nothing
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		_ = cmd.Run() // its exit code is looked at
		if code := cmd.ProcessState.ExitCode(); code != exitUsage || !strings.Contains(out.String(), want) {
			t.Errorf("%s: exit %d without %q:\n%s", where, code, want, out.String())
		}
		for _, secret := range []string{"confidentialwords", "ana.silva"} {
			if strings.Contains(out.String(), secret) {
				t.Errorf("%s: %s is in\n%s", where, secret, out.String())
			}
		}
	}
}

// waitFor waits until something is so, for ten seconds at most.
func waitFor(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not within ten seconds: ", what)
		}
	}
}

// privateFiles lists the files and folders below a folder, and complains of what others can read.
func privateFiles(t *testing.T, folder string) (paths []string) {
	t.Helper()
	err := filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err != nil || path == folder {
			return err
		}
		want := os.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, not %o", path, info.Mode().Perm(), want)
		}
		paths = append(paths, path)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return paths
}

var endingSignals = []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP}

func TestATemporaryStoreIsPrivateAndGoneAfterASignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such signals")
	}
	bin := built(t)
	for _, signal := range endingSignals {
		folder := t.TempDir()
		cmd := exec.Command(bin, "replay", "--json", "--text")
		cmd.Env = append(os.Environ(), "TMPDIR="+folder)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// It writes more than a pipe holds, and waits with its store open until somebody reads.
		var list []string
		waitFor(t, "a store", func() bool {
			list = privateFiles(t, folder)
			return slices.ContainsFunc(list, func(path string) bool { return strings.HasSuffix(path, ".db") })
		})
		first := make([]byte, 1)
		if _, err := out.Read(first); err != nil { // it writes, so it listens to signals
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond) // the signal comes before the reader
		var rest bytes.Buffer
		if _, err := rest.ReadFrom(out); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // its exit code is looked at
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%v: exit %d", signal, code)
		}
		if left := privateFiles(t, folder); len(left) > 0 || len(list) != 2 {
			t.Errorf("%v: of %q left %q", signal, list, left)
		}
	}
}

// A recording that decompresses to more than is held in memory has a file that nobody can name.
func TestASpooledInputIsPrivateAndGoneAfterASignal(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and with one goroutine at a time")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no such signals")
	}
	bin := built(t)
	var large bytes.Buffer // 70 MiB, over the 64 that stay in memory
	w := gzip.NewWriter(&large)
	if _, err := w.Write(append([]byte("["), bytes.Repeat([]byte(" "), 70<<20)...)); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil { // the stream goes on
		t.Fatal(err)
	}
	for _, signal := range endingSignals {
		folder := t.TempDir()
		cmd := exec.Command(bin, "replay", "-")
		cmd.Env = append(os.Environ(), "TMPDIR="+folder)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write(large.Bytes()); err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS == "linux" {
			waitFor(t, "a spooled file", func() bool { return spooled(t, cmd.Process.Pid, folder) })
		}
		privateFiles(t, folder)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // its exit code is looked at
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%v: exit %d", signal, code)
		}
		if left := privateFiles(t, folder); len(left) > 0 {
			t.Errorf("%v: left %q", signal, left)
		}
	}
}

// spooled tells whether a process has a file open that was in the folder, and complains where others can read it.
func spooled(t *testing.T, process int, folder string) bool {
	t.Helper()
	open, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", process))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range open {
		if name, err := os.Readlink(path); err != nil || !strings.HasPrefix(name, folder) {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().Perm() != 0o600 {
			t.Errorf("the spooled file has mode %o", info.Mode().Perm())
		}
		return true
	}
	return false
}
