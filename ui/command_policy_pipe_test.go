//go:build unix

package ui

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPolicyThatIsNoPlainFileIsRefused(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	refused := ": a policy is a plain file, and this is none\nhint: write it to a file first\n"
	for _, args := range [][]string{{"policy", "check"}, {"policy", "show"}, {"replay", "--policy"}} {
		for _, path := range []string{pipe, "/dev/zero"} {
			if got := cli(t, append(args, path)...); got != (end{"", "floodmark: " + path + refused, 2}) {
				t.Errorf("%s %s: %+v", args, path, got)
			}
		}
	}
}

func TestAPolicyDocumentOfOver1MiBIsRefused(t *testing.T) {
	path := file(t, "p.json", strings.Repeat(" ", 1<<20)+"{}")
	if got := cli(t, "policy", "check", path); got != (end{"", "floodmark: " + path + ": too large for a policy: over 1,048,576 bytes\n", 2}) {
		t.Errorf("%+v", got)
	}
}
