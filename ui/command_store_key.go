package ui

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"floodmark/store"
)

// The key to a store's payloads comes from the environment only: what stands on a command line is seen
// by everybody on the machine.
const (
	keyVariable     = "FLOODMARK_KEY"      // a passphrase, or an age identity
	keyFileVariable = "FLOODMARK_KEY_FILE" // a file that holds one
	maxKey          = 1 << 16              // bytes of such a file
)

// storeKey reads the key to the store's payloads; empty where there is none.
func storeKey() (string, error) {
	key, file := strings.TrimSpace(os.Getenv(keyVariable)), os.Getenv(keyFileVariable)
	switch {
	case key != "" && file != "":
		return "", &failure{why: keyVariable + " and " + keyFileVariable + " are both set", hint: "unset one of them"}
	case file == "":
		return key, nil
	}
	f, err := os.Open(file)
	var missing *fs.PathError
	if errors.As(err, &missing) {
		return "", &failure{what: keyFileVariable, why: file + " " + undone(missing), hint: "name a file with a passphrase or an age identity"}
	} else if err != nil {
		return "", err
	}
	defer f.Close() // it is read only: there is nothing to lose
	b, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	switch key = strings.TrimSpace(string(b)); {
	case err != nil:
		return "", err
	case len(b) > maxKey:
		return "", &failure{what: keyFileVariable, why: "too large for a key: " + file}
	case key == "":
		return "", &failure{what: keyFileVariable, why: "nothing is in the file " + file, hint: "name a file with a passphrase or an age identity"}
	}
	return key, nil
}

// openedStore opens a store with the key of the environment. One that may be written and encrypts must
// be able to: else everything would be lost one by one.
func openedStore(path string, o store.Options) (*store.Store, error) {
	key, err := storeKey()
	if err != nil {
		return nil, err
	}
	o.Secret = key
	s, err := store.Open(path, o)
	return s, storeFailure(err)
}

// unlocked gives s if it can take payloads; else it closes it.
func unlocked(s *store.Store, err error) (*store.Store, error) {
	if err != nil {
		return nil, err
	}
	if err := s.Unlock(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}
