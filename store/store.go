// Package store keeps variables in a BoltDB file: complete payloads, addressed by their content,
// cut into compressed pieces, under the names that conversations give them.
//
// What holds at any moment, whatever kills the process: a variable that was acknowledged is there,
// whole and under its name; one that was not is either there or absent, never in part. Pieces of a
// payload whose last transaction never came belong to nothing and harm nothing.
//
// One process may hold the file for writing, or several for reading.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// Options say how a store is opened.
type Options struct {
	Timeout  time.Duration // how long to wait for another process; 0 is one second
	ReadOnly bool          // the file must exist
	MaxBytes int64         // how large the file may become; 0 is no limit
	// NoteReads makes Close note what was read of a store that is open to be read only, where nobody else
	// holds the file then. A store that may be written notes it with its next commit.
	NoteReads bool
	// Secret is the key to encrypted payloads: a passphrase, or the text of an age identity file. Given
	// for a store that does not encrypt and may be written, it makes it encrypt from then on; Compact
	// encrypts what was there before. Names, sizes, hashes and times are never encrypted: the SHA-256
	// of a payload tells which are equal, and lets a short one be guessed.
	Secret string

	work int // scrypt's; 0 is scryptWork
}

// A Key names a variable: the same name belongs to one conversation under one policy.
type Key struct {
	Conversation string `json:"conversation"`
	Policy       string `json:"policy"`
	Name         string `json:"name"`
}

// String is the reference that Find resolves: "CONVERSATION/NAME".
func (k Key) String() string { return k.Conversation + "/" + k.Name }

// A Variable is what is known of a stored payload.
type Variable struct {
	Key
	Bytes     int64     `json:"bytes"`
	SHA256    string    `json:"sha256"` // lower-case hex
	Kept      int64     `json:"kept"`   // bytes in the store, shared with equal payloads
	Tool      string    `json:"tool"`
	Call      string    `json:"call"`
	Recording string    `json:"recording"`
	Format    string    `json:"format"`
	Stored    time.Time `json:"stored"` // last time it was stored
	Used      time.Time `json:"used"`   // last time it was stored or read, to the minute; Put does not take it
	// Label is the classification that a rule gave it; empty for none. It is only carried.
	Label string `json:"label,omitempty"`
	// Source is the name of the variable, of the same conversation and policy, of which a kept query
	// result was made, and Query the filter; both empty for a tool's result.
	Source string `json:"source,omitempty"`
	Query  string `json:"query,omitempty"`
}

// A Store is an open store. It is safe for use by several goroutines.
type Store struct {
	path    string
	options Options
	noSync  bool
	folder  string // what Close removes; empty but for a temporary store
	now     func() time.Time

	perCommit int // pieces of a long payload that one transaction has at most

	// A compaction holds writing from its first page to its last, and swap while it puts the new file
	// in the old one's place. What reads holds swap to read, what writes holds writing so.
	writing, swap sync.RWMutex
	db            *bolt.DB
	file          *os.File // the handle that db holds, to let go of the lock when db cannot

	codec   codec
	sealer  sealer
	uses    uses
	intakes intakes
	buffers sync.Pool
	closing sync.Once
	closed  error

	// broken is set once damage has interrupted a write: bbolt's state in memory can then not be
	// trusted, so every later call gives this error.
	broken atomic.Pointer[DamagedError]
}

// Open opens the store at path, and makes it (mode 0600, folders 0700) where it is missing or empty.
// Errors: *LockedError where another process holds it, *DamagedError where the file is no store or
// a damaged one, *VersionError where a newer program wrote it, *MissingError where a store that is
// only to be read does not exist. None of them changes the file.
func Open(path string, o Options) (*Store, error) {
	return open(path, o, false)
}

// Temporary opens a private store in a new folder, which Close removes. It does not wait for the
// disk: nothing in it is meant to outlive the process.
func Temporary() (*Store, error) {
	folder, err := os.MkdirTemp("", "floodmark-")
	if err != nil {
		return nil, fmt.Errorf("cannot make a temporary store: %w", err)
	}
	s, err := open(filepath.Join(folder, fileName), Options{}, true)
	if err != nil {
		_ = os.RemoveAll(folder) // the error that matters is the first
		return nil, err
	}
	s.folder = folder
	return s, nil
}

func open(path string, o Options, noSync bool) (*Store, error) {
	if o.Timeout == 0 {
		o.Timeout = time.Second
	}
	if o.work == 0 {
		o.work = scryptWork
	}
	if err := prepare(path, o.ReadOnly); err != nil {
		return nil, err
	}
	s := &Store{path: path, options: o, noSync: noSync, now: time.Now, perCommit: piecesPerCommit}
	s.sealer.path, s.sealer.secret, s.sealer.work = path, o.Secret, o.work
	s.codec.sealer = &s.sealer
	s.buffers.New = func() any { return new(rawPiece) }
	if err := s.openFile(); err != nil {
		return nil, err
	}
	if !o.ReadOnly {
		removeUnfinished(path)
	}
	if err := checkTree(s.file); err != nil {
		_ = s.Close()
		return nil, &DamagedError{Path: path, Reason: err.Error()}
	}
	if err := s.claim(o.ReadOnly); err != nil {
		_ = s.Close() // the error that matters is the first
		return nil, err
	}
	return s, nil
}

// openFile opens and locks the file. While it waited for the lock, a compaction may have put another
// file in its place: then it is that one's turn.
func (s *Store) openFile() error {
	for {
		err := guard(s.path, func() (err error) {
			s.db, err = bolt.Open(s.path, 0o600, s.boltOptions(&s.file, 0))
			return err
		})
		if err != nil {
			return s.failedOpen(err)
		}
		mine, err := s.file.Stat()
		if err != nil {
			_ = s.db.Close()
			return fmt.Errorf("cannot open the store: %w", err)
		}
		if named, err := os.Stat(s.path); err == nil && os.SameFile(mine, named) {
			return nil
		} else if errors.Is(err, fs.ErrNotExist) && s.options.ReadOnly {
			_ = s.db.Close()
			return &MissingError{Path: s.path}
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			_ = s.db.Close()
			return fmt.Errorf("cannot open the store: %w", err)
		}
		_ = s.db.Close() // nothing was done with it
	}
}

// boltOptions are how the store's files are opened; file is where the handle goes.
func (s *Store) boltOptions(file **os.File, flags int) *bolt.Options {
	return &bolt.Options{
		Timeout: s.options.Timeout, ReadOnly: s.options.ReadOnly, MaxSize: int(s.options.MaxBytes), NoSync: s.noSync,
		FreelistType: bolt.FreelistMapType,
		// The list of free pages is synced with every commit. Without it bbolt finds the free pages
		// at the next opening by walking all pages in a goroutine of its own, and there a damaged
		// page ends the program.
		NoFreelistSync: false,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			f, err := os.OpenFile(name, flag|flags, mode)
			*file = f
			return f, err
		},
	}
}

// failedOpen lets go of the file and gives the error of an opening that failed.
func (s *Store) failedOpen(err error) error {
	if s.file != nil {
		_ = s.file.Close() // closed already but where damage interrupted bbolt, which then leaves the lock
	}
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return &LockedError{Path: s.path}
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrChecksum), errors.Is(err, berrors.ErrVersionMismatch):
		return &DamagedError{Path: s.path, Reason: err.Error()}
	}
	return fmt.Errorf("cannot open the store: %w", err)
}

// prepare looks at the file before it is mapped, and makes its folder.
func prepare(path string, readOnly bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && readOnly:
		return &MissingError{Path: path}
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("cannot make the store's folder: %w", err)
		}
		return nil
	case err != nil:
		return fmt.Errorf("cannot open the store: %w", err)
	case !info.Mode().IsRegular():
		return &DamagedError{Path: path, Reason: "not a regular file"}
	case info.Size() == 0 && readOnly:
		return &MissingError{Path: path}
	case info.Size() == 0:
		return nil
	}
	return inspect(path)
}

// Path is the store's file.
func (s *Store) Path() string { return s.path }

// Close closes the store. It waits for calls that still run; a second Close gives what the first gave.
func (s *Store) Close() error {
	s.closing.Do(func() {
		if !s.options.ReadOnly {
			s.saveUses()
		}
		s.writing.Lock()
		defer s.writing.Unlock()
		if s.broken.Load() != nil {
			// bbolt may hold its own locks for ever: the handle is let go of, and with it the lock.
			s.closed = s.file.Close()
		} else {
			s.closed = s.db.Close()
		}
		s.codec.close()
		if s.options.ReadOnly && s.options.NoteReads {
			noteReads(s.path, s.uses.take())
		}
		if s.folder != "" {
			s.closed = errors.Join(s.closed, os.RemoveAll(s.folder))
		}
	})
	return s.closed
}
