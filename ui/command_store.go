package ui

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"floodmark/store"
)

// openStore opens the store that --store names; nil where nothing is to be kept. Built-in recordings
// get a private one that is gone at the end. wait is how long another process may hold it; 0 is a second.
func openStore(path string, temporary bool, wait time.Duration) (*store.Store, error) {
	switch {
	case path == noStore:
		return nil, nil
	case path == "" && temporary:
		s, err := store.Temporary()
		return s, storeFailure(err)
	}
	path, err := storePath(path)
	if err != nil {
		return nil, err
	}
	return unlocked(openedStore(path, store.Options{Timeout: wait}))
}

// storePath is the store that --store names.
func storePath(path string) (string, error) {
	switch path {
	case noStore:
		return "", usage("name the store's file, or leave --store out", "--store none holds no variables")
	case "":
		path, err := store.DefaultPath()
		return path, storeFailure(err)
	}
	return path, nil
}

// mustExist refuses a store that is not there: there is nothing in it to change.
func mustExist(path string) error {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return &store.MissingError{Path: path}
	}
	return nil
}

// readStore opens the store that --store names to read from it. Payloads that are read count as used.
func readStore(path string) (*store.Store, error) {
	path, err := storePath(path)
	if err != nil {
		return nil, err
	}
	return openedStore(path, store.Options{ReadOnly: true, NoteReads: true})
}

// storeFailure says of an error of the operating system that it is the store's. The store's own errors
// say so themselves.
func storeFailure(err error) error {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err
	}
	why := undone(path)
	if path.Op == "open" && errors.Is(err, fs.ErrNotExist) { // there is a folder for it
		why = "cannot be made: " + path.Err.Error()
	}
	return &failure{what: "store: " + path.Path, why: why, hint: "name another file with --store FILE, or keep nothing with --store none"}
}

// onlyText returns text as a terminal may show it; elsewhere it stays as it is, byte for byte.
func (s *Streams) onlyText(text []byte) []byte {
	if !s.OutTerminal {
		return text
	}
	return []byte(visibleLines(string(text)))
}
