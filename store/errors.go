package store

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"syscall"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// A LockedError says that another process holds the store.
type LockedError struct{ Path string }

func (e *LockedError) Error() string {
	return fmt.Sprintf("the store %s is held by another process: one may write, or several may read", e.Path)
}

// A MissingError says that a store which is only to be read does not exist or holds nothing yet.
type MissingError struct{ Path string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("nothing is stored yet in %s", e.Path)
}

// Is makes a MissingError an fs.ErrNotExist.
func (e *MissingError) Is(target error) bool { return target == fs.ErrNotExist }

// A DamagedError says that a file is no store, or that a store or one payload in it is damaged.
type DamagedError struct {
	Path   string `json:"path"`   // the store's file
	Reason string `json:"reason"` // what was found, without any of the data
	Key    *Key   `json:"key"`    // the variable that can't be read; nil where it is the file
}

func (e *DamagedError) Error() string {
	if e.Key != nil {
		return fmt.Sprintf("variable %s is damaged in the store %s: %s", e.Key, e.Path, e.Reason)
	}
	return fmt.Sprintf("%s is not a usable store: %s; it was left as it is", e.Path, e.Reason)
}

// A VersionError says that the store was written by a newer program.
type VersionError struct {
	Path    string
	Version uint64 // the file's schema version
	Known   uint64 // the newest that this program reads
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("the store %s has version %d and this program reads up to %d: use a newer one", e.Path, e.Version, e.Known)
}

// A NotFoundError says that no variable answers to a reference.
type NotFoundError struct{ Reference string }

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no variable %q in the store", e.Reference)
}

// A FullError says that a variable could not be stored for want of room. The store stays usable.
type FullError struct {
	Path  string
	Limit int64 // Options.MaxBytes where that was reached, 0 where the disk is full
}

func (e *FullError) Error() string {
	if e.Limit > 0 {
		return fmt.Sprintf("the store %s has reached its limit of %d bytes", e.Path, e.Limit)
	}
	return fmt.Sprintf("no room left on the disk of the store %s", e.Path)
}

// A MismatchError says that a payload is not the one that was announced.
type MismatchError struct {
	Key               Key
	Announced, Actual string // SHA-256, lower-case hex
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("variable %s was announced with SHA-256 %s and has %s", e.Key, e.Announced, e.Actual)
}

// guard runs f, which reads mapped pages, and turns a fault or a failed assertion of bbolt into a
// *DamagedError. It holds for f's own goroutine only.
func guard(path string, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = &DamagedError{Path: path, Reason: fmt.Sprintf("a page can't be read (%v)", r)}
		}
	}()
	return f()
}

// view runs f in a transaction that reads.
func (s *Store) view(f func(*bolt.Tx) error) error {
	if e := s.broken.Load(); e != nil {
		return e
	}
	s.swap.RLock()
	defer s.swap.RUnlock()
	return guard(s.path, func() error { return s.db.View(f) })
}

// update runs f in a transaction that writes, and returns when it is committed. Reads that wait to be
// noted go along.
func (s *Store) update(f func(*bolt.Tx) error) error {
	s.writing.RLock()
	defer s.writing.RUnlock()
	return s.change(f)
}

// change is update for who holds s.writing.
func (s *Store) change(f func(*bolt.Tx) error) error {
	if e := s.broken.Load(); e != nil {
		return e
	}
	read := s.uses.take()
	interrupted := true
	err := guard(s.path, func() error {
		err := s.db.Update(func(tx *bolt.Tx) error {
			if err := putUses(tx, read); err != nil {
				return err
			}
			return f(tx)
		})
		interrupted = false
		return err
	})
	var damaged *DamagedError
	if interrupted && errors.As(err, &damaged) {
		s.broken.Store(damaged)
	}
	if err != nil {
		s.uses.add(read)
	}
	return s.full(err)
}

// full puts errors that say that there is no more room in our words.
func (s *Store) full(err error) error {
	switch {
	case errors.Is(err, berrors.ErrMaxSizeReached):
		return &FullError{Path: s.path, Limit: s.options.MaxBytes}
	case errors.Is(err, syscall.ENOSPC):
		return &FullError{Path: s.path}
	}
	return err
}
