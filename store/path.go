package store

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

const fileName = "variables.db"

// DefaultPath is the store in the user's state folder: $XDG_STATE_HOME/floodmark/variables.db where
// the variable holds an absolute path, else below ~/.local/state, on macOS below ~/Library/Application
// Support and on Windows below %LocalAppData%.
func DefaultPath() (string, error) {
	home, err := os.UserHomeDir()
	folder := stateFolder(runtime.GOOS, os.Getenv, home)
	if folder == "" {
		return "", fmt.Errorf("cannot tell where the store belongs: %w", err)
	}
	return filepath.Join(folder, "floodmark", fileName), nil
}

// stateFolder is the folder for files that a program keeps, empty where it can't be told.
func stateFolder(goos string, env func(string) string, home string) string {
	if f := env("XDG_STATE_HOME"); filepath.IsAbs(f) {
		return f // a relative path is to be ignored, says the base directory specification
	}
	if f := env("LocalAppData"); goos == "windows" && f != "" {
		return f
	}
	switch {
	case home == "":
		return ""
	case goos == "windows":
		return filepath.Join(home, "AppData", "Local")
	case goos == "darwin":
		return filepath.Join(home, "Library", "Application Support")
	}
	return filepath.Join(home, ".local", "state")
}
