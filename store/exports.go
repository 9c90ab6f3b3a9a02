package store

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// exportsKept is how many files are remembered of one variable, the newest.
const exportsKept = 100

// An Export is a file that was written of a variable's payload. The store doesn't touch it.
type Export struct {
	Path string    `json:"path"` // absolute
	When time.Time `json:"when"`
}

// RecordExport notes that a variable was written to a file; the last 100 are remembered, also when the
// variable is gone. Errors: as Get's, or that the path can't be made absolute.
func (s *Store) RecordExport(k Key, path string) error {
	key, err := k.encode()
	if err != nil {
		return err
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	return s.update(func(tx *bolt.Tx) error {
		if tx.Bucket(bucketVariables).Get(key) == nil {
			return s.missing(tx, k, key)
		}
		all, err := s.exports(tx, k, key)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(e Export) bool { return e.Path == path })
		all = append(all, Export{Path: path, When: s.now().UTC()})
		b, err := tx.CreateBucketIfNotExists(bucketExports)
		if err != nil {
			return err
		}
		return putJSON(b, key, all[max(0, len(all)-exportsKept):])
	})
}

// Exports lists the files that were written of a variable, the oldest first; none for one that never was.
func (s *Store) Exports(k Key) (all []Export, err error) {
	key, err := k.encode()
	if err != nil {
		return nil, err
	}
	err = s.view(func(tx *bolt.Tx) (err error) {
		all, err = s.exports(tx, k, key)
		return err
	})
	return all, err
}

func (s *Store) exports(tx *bolt.Tx, k Key, key []byte) (all []Export, err error) {
	b := entry(tx, bucketExports, key)
	if b == nil {
		return nil, nil
	}
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, &DamagedError{Path: s.path, Reason: "the list of its exports can't be read", Key: &k}
	}
	return all, nil
}
