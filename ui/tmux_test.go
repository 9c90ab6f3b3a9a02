package ui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A tmux is a real terminal of its own: its server, its socket, no configuration.
type tmux struct {
	t      *testing.T
	socket string
}

// newTmux starts a terminal of this size that runs the command line, then prints "exit N" and waits.
func newTmux(t *testing.T, width, height int, command string) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: no real terminal to test in")
	}
	m := &tmux{t, filepath.Join(t.TempDir(), "s")}
	shell := command + "; echo exit $?; cat"
	m.run("-f", os.DevNull, "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "sh", "-c", shell)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the screen at the end:\n%s", m.screen())
		}
		m.run("kill-server")
	})
	return m
}

func (m *tmux) run(args ...string) string {
	m.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", m.socket}, args...)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"CI", "NO_COLOR", "TMUX", "TERM", "LANG", "LC_ALL", "LC_CTYPE", "COLORFGBG"}, name)
	})
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "LANG=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (m *tmux) screen() string { return m.run("capture-pane", "-p") }

func (m *tmux) keys(keys ...string) {
	m.t.Helper()
	m.run(append([]string{"send-keys"}, keys...)...)
}

func (m *tmux) typed(text string) {
	m.t.Helper()
	m.run("send-keys", "-l", text)
}

// until waits until the screen is as it should be.
func (m *tmux) until(what string, ok func(screen string) bool) string {
	m.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if s := m.screen(); ok(s) {
			return s
		}
	}
	m.t.Fatalf("%s: not within 30 seconds", what)
	return ""
}

func (m *tmux) shows(text string) {
	m.t.Helper()
	m.until("the screen shows "+text, func(s string) bool { return strings.Contains(s, text) })
}

func TestTheExplorerInARealTerminal(t *testing.T) {
	bin := built(t)
	recording := file(t, "r.json", chat(
		toolResult{"whoami", `{"id": 7}`},
		toolResult{"list", expensePayload()},
		toolResult{"crm_accounts", accounts(t)},
	))
	m := newTmux(t, 100, 30, fmt.Sprintf("%s --store %s %s", bin, filepath.Join(t.TempDir(), "v.db"), recording))

	// Open: the first screen has the results with their sizes, the threshold and the selected one.
	m.shows("r.json · openai-chat")
	m.until("all results are on the screen", func(s string) bool {
		return strings.Contains(s, "whoami") && strings.Contains(s, "list") && strings.Contains(s, "crm_accounts") && strings.Contains(s, "7,000")
	})
	if got := m.run("display", "-p", "#{alternate_on}"); got != "1\n" {
		t.Errorf("the explorer is not on the alternate screen: %q", got)
	}

	// Move: down to the offloaded result, and to why it was.
	selected := func(tool string) func(string) bool {
		return func(s string) bool {
			for _, l := range strings.Split(s, "\n") {
				if strings.HasPrefix(l, "▸") && strings.Contains(l, tool) {
					return true
				}
			}
			return false
		}
	}
	for range 5 {
		if selected("list")(m.screen()) {
			break
		}
		before := m.screen()
		m.keys("j")
		m.until("the selection moved", func(s string) bool { return s != before })
	}
	m.until("list is selected", selected("list"))
	m.keys("5")
	m.shows("hard-limit")

	// Query the variable.
	m.keys("4")
	m.keys(":")
	m.keys("C-u")
	m.typed(".rows | length")
	m.keys("Enter")
	m.until("the answer is there", func(s string) bool {
		return slices.ContainsFunc(strings.Split(s, "\n"), func(l string) bool {
			_, right, ok := strings.Cut(l, "│")
			return ok && strings.TrimSpace(right) == "1001"
		})
	})

	// Resize: the frame follows, no line is wider than the screen, and the answer stays.
	m.run("resize-window", "-x", "80", "-y", "24")
	m.until("the frame is 24 lines high", func(s string) bool {
		return strings.Count(s, "\n") == 24 && strings.Contains(s, "1001") && strings.Contains(s, "? help")
	})

	// Quit: the terminal is as it was.
	m.keys("q")
	m.shows("exit 0")
	if got := m.run("display", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}"); got != "0 1 0\n" {
		t.Errorf("alternate screen, cursor, mouse: %q, want 0 1 0", got)
	}
	m.typed("echoed")
	m.shows("echoed") // the terminal's own echo is on again
	if s := m.screen(); strings.Contains(s, "┃") || strings.Contains(s, "│") {
		t.Error("something of the explorer is left on the screen")
	}
}

func TestAnInterruptFromOutsideRestoresTheTerminal(t *testing.T) {
	bin := built(t)
	recording := file(t, "r.json", chat(toolResult{"whoami", `{"id": 7}`}))
	pid := filepath.Join(t.TempDir(), "pid")
	m := newTmux(t, 80, 24, fmt.Sprintf("sh -c 'echo $$ >%s; exec %s --store none %s'", pid, bin, recording))
	m.shows("whoami")
	id, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("kill", "-INT", strings.TrimSpace(string(id))).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	m.shows("exit 130")
	if got := m.run("display", "-p", "#{alternate_on} #{cursor_flag}"); got != "0 1\n" {
		t.Errorf("alternate screen, cursor: %q, want 0 1", got)
	}
}
