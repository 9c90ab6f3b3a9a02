package ui

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// program builds the program once for the tests that need it as it is.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(testFolder, "floodmark")
	build := exec.Command("go", "build", "-o", path, "..")
	build.Env = originalEnvironment
	if out, err := build.CombinedOutput(); err != nil {
		return "", &buildError{string(out)}
	}
	return path, nil
})

type buildError struct{ output string }

func (e *buildError) Error() string { return "the program does not build: " + e.output }

func built(t *testing.T) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// A terminal that never answers: the terminal library would ask for its background colour before
// main runs, and wait for five seconds. Commands must not.
func TestCommandsAskATerminalNothing(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("script is not installed: no terminal to be silent on")
	}
	bin := built(t)
	for _, command := range []string{"--version", "version", "policy list", "--help"} {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		// script's own input is a pipe that stays open and says nothing.
		cmd := exec.CommandContext(ctx, script, "-q", "-e", "-c", bin+" "+command, "/dev/null")
		cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=", "COLORFGBG=")
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		start := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		err = cmd.Wait()
		took := time.Since(start)
		_ = stdin.Close() // it has served: the program is over
		if err != nil {
			t.Errorf("%s: %v: %s", command, err, out.String())
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s wrote an escape code: %q", command, out.String())
		}
		if took > 3*time.Second {
			t.Errorf("%s took %v: somebody waits for the terminal", command, took)
		}
	}
}

func TestASignalEndsWith130AndLeavesNothingBehind(t *testing.T) {
	bin := built(t)
	temporary := t.TempDir()
	cmd := exec.Command(bin, "replay", "-")
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	stdin, err := cmd.StdinPipe() // a recording that never comes
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// A pipe holds less than this: once all is written the program reads, and listens to signals.
	if _, err := stdin.Write([]byte("[" + strings.Repeat(" ", 1<<20))); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("exit %d (%v): %s", cmd.ProcessState.ExitCode(), err, out.String())
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

func TestARealBrokenPipeEndsQuietly(t *testing.T) {
	bin := built(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	cmd := exec.Command(bin, "policy", "schema")
	var errs strings.Builder
	cmd.Stdout, cmd.Stderr = writer, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("%v, %q", err, errs.String())
	}
}
