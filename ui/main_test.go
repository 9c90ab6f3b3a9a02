package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// originalEnvironment is for the Go command, which has its caches in the user's folders.
var originalEnvironment = os.Environ()

// testFolder is gone at the end.
var testFolder string

// TestMain gives the tests folders of their own: none reads or writes the user's.
func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "floodmark-test-")
	testFolder = folder
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "HOME"} {
		if err := os.Setenv(name, filepath.Join(folder, name)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	code := m.Run()
	if err := os.RemoveAll(folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}
