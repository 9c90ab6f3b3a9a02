package ui

import "floodmark/store"

// openStore opens the store that --store names; nil where nothing is to be kept. Built-in recordings
// get a private one that is gone at the end.
func openStore(path string, temporary bool) (*store.Store, error) {
	switch {
	case path == noStore:
		return nil, nil
	case path == "" && temporary:
		return store.Temporary()
	case path == "":
		var err error
		if path, err = store.DefaultPath(); err != nil {
			return nil, err
		}
	}
	return store.Open(path, store.Options{})
}

// readStore opens the store that --store names to read from it.
func readStore(path string) (*store.Store, error) {
	if path == noStore {
		return nil, usage("name the store's file, or leave --store out", "--store none holds no variables")
	}
	if path == "" {
		var err error
		if path, err = store.DefaultPath(); err != nil {
			return nil, err
		}
	}
	return store.Open(path, store.Options{ReadOnly: true})
}

// onlyText returns text as a terminal may show it; elsewhere it stays as it is, byte for byte.
func (s *Streams) onlyText(text []byte) []byte {
	if !s.OutTerminal {
		return text
	}
	return []byte(visibleLines(string(text)))
}
