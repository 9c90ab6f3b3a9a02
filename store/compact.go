package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// A CompactReport is what Compact did.
type CompactReport struct {
	Before int64 `json:"before"` // bytes of the file
	After  int64 `json:"after"`
	Sealed int   `json:"sealed"` // pieces, filters and facts that were stored without a key and are encrypted now
}

// unfinished is the file beside a store in which a compaction writes. It is nobody's as soon as the store
// is open for writing: then no compaction runs.
func unfinished(path string) string { return path + ".new" }

// removeUnfinished removes what a killed compaction left.
func removeUnfinished(path string) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Lstat(unfinished(path)); err == nil && info.Mode().IsRegular() {
		_ = os.Remove(unfinished(path)) // if it stays, the next compaction says so
	}
}

// Compact writes the store anew beside its file and puts the new one in its place, so that it is as
// small as can be and nothing is left in it of what was removed. Killed at any moment, the one or the
// other is there. The store may be read meanwhile; what is written waits. It needs room for both files.
//
// Whether the disk forgets the old file's bytes is not in a program's hands. Where an open file can't be
// replaced (Windows) it gives an error, and the store stays as it was.
//
// Errors: *FullError, *DamagedError, *EncryptedError where Options.Secret is not the store's, the
// context's.
func (s *Store) Compact(ctx context.Context) (CompactReport, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if e := s.broken.Load(); e != nil {
		return CompactReport{}, e
	}
	if s.sealer.secret != "" {
		if err := s.Unlock(); err != nil {
			return CompactReport{}, err
		}
	}
	if s.uses.any() {
		if err := s.change(func(*bolt.Tx) error { return nil }); err != nil {
			return CompactReport{}, err
		}
	}
	path, err := filepath.EvalSymlinks(s.path)
	if err != nil {
		return CompactReport{}, fmt.Errorf("cannot compact the store: %w", err)
	}
	r := CompactReport{Before: sizeOf(path)}
	next, file, sealed, err := s.copyTo(ctx, unfinished(path))
	if err != nil {
		return CompactReport{}, s.full(err)
	}
	r.Sealed = sealed
	s.swap.Lock()
	defer s.swap.Unlock()
	if err := os.Rename(unfinished(path), path); err != nil {
		_ = next.Close()
		_ = os.Remove(unfinished(path))
		return CompactReport{}, fmt.Errorf("cannot replace the store: %w", err)
	}
	old := s.db
	s.db, s.file = next, file
	_ = old.Close() // its file has no name any more
	r.After = sizeOf(path)
	return r, syncFolder(filepath.Dir(path))
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// syncFolder makes a new name in a folder survive a loss of power.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil // a folder can't be opened there
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// copyTo copies the store into a new file, which is open, locked and on the disk when it returns. With
// an error there is no such file.
func (s *Store) copyTo(ctx context.Context, path string) (db *bolt.DB, file *os.File, sealed int, err error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, 0, err
	}
	options := s.boltOptions(&file, os.O_EXCL)
	options.NoSync = true // nobody needs it before it is whole
	err = guard(s.path, func() (err error) {
		if db, err = bolt.Open(path, 0o600, options); err != nil {
			return err
		}
		c := &copier{ctx: ctx, to: db, sealer: &s.sealer}
		defer c.rollback()
		err = s.db.View(func(from *bolt.Tx) error {
			return from.ForEach(func(name []byte, b *bolt.Bucket) error { return c.bucket([][]byte{name}, b) })
		})
		if err == nil {
			err = c.commit()
		}
		if err == nil && !s.noSync {
			err = db.Sync()
		}
		sealed = c.sealed
		return err
	})
	if err != nil {
		var damaged *DamagedError
		switch {
		case errors.As(err, &damaged) && file != nil:
			_ = file.Close() // damage may have interrupted the copy's own transaction: then db holds its locks for ever
		case db != nil:
			_ = db.Close()
		}
		_ = os.Remove(path)
		return nil, nil, 0, err
	}
	db.NoSync = s.noSync
	return db, file, sealed, nil
}

// copiedAtOnce is what one transaction copies, in bytes: enough to be fast, little enough for memory.
const copiedAtOnce = 16 << 20

// A copier copies buckets in transactions of limited size.
type copier struct {
	ctx    context.Context
	to     *bolt.DB
	tx     *bolt.Tx
	bytes  int
	sealer *sealer
	sealed int
}

// bucket copies a bucket and those in it; path are the names from the root.
func (c *copier) bucket(path [][]byte, from *bolt.Bucket) error {
	to, err := c.open(path)
	if err != nil {
		return err
	}
	if err := to.SetSequence(from.Sequence()); err != nil {
		return err
	}
	private := len(path) == 1 && slices.ContainsFunc([][]byte{bucketPieces, bucketQueries, bucketFacts},
		func(name []byte) bool { return bytes.Equal(name, path[0]) })
	return from.ForEach(func(key, value []byte) error {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if value == nil {
			if err := c.bucket(append(path[:len(path):len(path)], key), from.Bucket(key)); err != nil {
				return err
			}
			to, err = c.open(path) // another transaction may have begun
			return err
		}
		if private && c.sealer.aead != nil && len(value) > 0 && value[0] != kindSealed && !bytes.Equal(key, keyFactBytes) {
			value = c.sealer.seal(value)
			c.sealed++
		}
		if c.bytes += len(key) + len(value); c.bytes > copiedAtOnce {
			if err := c.commit(); err != nil {
				return err
			}
			if to, err = c.open(path); err != nil {
				return err
			}
		}
		return to.Put(key, value)
	})
}

// put copies an entry of a bucket at the root.
func (c *copier) put(bucket, key, value []byte) error {
	if c.bytes += len(key) + len(value); c.bytes > copiedAtOnce {
		if err := c.commit(); err != nil {
			return err
		}
	}
	b, err := c.open([][]byte{bucket})
	if err != nil {
		return err
	}
	return b.Put(key, value)
}

func (c *copier) putJSON(bucket, key []byte, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.put(bucket, key, text)
}

// open gives the bucket at path, in a transaction that writes.
func (c *copier) open(path [][]byte) (b *bolt.Bucket, err error) {
	if c.tx == nil {
		if c.tx, err = c.to.Begin(true); err != nil {
			return nil, err
		}
		c.bytes = 0
	}
	b, err = c.tx.CreateBucketIfNotExists(path[0])
	for _, name := range path[1:] {
		if err == nil {
			b, err = b.CreateBucketIfNotExists(name)
		}
	}
	if err == nil {
		b.FillPercent = 0.9 // keys come in order
	}
	return b, err
}

func (c *copier) commit() error {
	tx := c.tx
	c.tx = nil
	if tx == nil {
		return nil
	}
	return tx.Commit()
}

func (c *copier) rollback() {
	if c.tx != nil {
		_ = c.tx.Rollback()
	}
}
