package ui

import (
	"errors"
	"io/fs"
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
	case path == "":
		var err error
		if path, err = store.DefaultPath(); err != nil {
			return nil, storeFailure(err)
		}
	}
	s, err := store.Open(path, store.Options{Timeout: wait})
	return s, storeFailure(err)
}

// readStore opens the store that --store names to read from it.
func readStore(path string) (*store.Store, error) {
	if path == noStore {
		return nil, usage("name the store's file, or leave --store out", "--store none holds no variables")
	}
	if path == "" {
		var err error
		if path, err = store.DefaultPath(); err != nil {
			return nil, storeFailure(err)
		}
	}
	s, err := store.Open(path, store.Options{ReadOnly: true})
	return s, storeFailure(err)
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
