package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
)

// A Why says why a variable is no longer in the store.
type Why string

// Why a variable is gone.
const (
	Removed Why = "removed" // somebody asked for it
	Expired Why = "expired" // it was not used for longer than its retention allows
	Evicted Why = "evicted" // there were too many, or too large ones, and it was not used for longest
)

// A Tombstone is what stays of a variable that is gone: nothing of its payload, nor its hash, from which
// a short payload could be guessed. It goes when a variable is stored under its key again.
type Tombstone struct {
	Key
	Bytes     int64     `json:"bytes"` // of the payload
	Kept      int64     `json:"kept"`  // what that took in the store, shared with equal payloads
	Tool      string    `json:"tool"`
	Call      string    `json:"call"`
	Recording string    `json:"recording"`
	Format    string    `json:"format"`
	Label     string    `json:"label,omitempty"`
	Source    string    `json:"source,omitempty"`
	Stored    time.Time `json:"stored"`
	Used      time.Time `json:"used"`
	Gone      time.Time `json:"gone"`
	Why       Why       `json:"why"`
	Exports   []Export  `json:"exports,omitempty"` // files that had been written of it, and are not touched
}

// A RemovedError says that a variable was in the store and was removed or evicted.
type RemovedError struct{ Tombstone Tombstone }

func (e *RemovedError) Error() string {
	if e.Tombstone.Why == Evicted {
		return fmt.Sprintf("variable %s was evicted on %s to make room: %s", e.Tombstone.Key, e.Tombstone.when(), e.Tombstone.rest())
	}
	return fmt.Sprintf("variable %s was removed on %s: %s", e.Tombstone.Key, e.Tombstone.when(), e.Tombstone.rest())
}

// An ExpiredError says that a variable was in the store until its retention had passed.
type ExpiredError struct{ Tombstone Tombstone }

func (e *ExpiredError) Error() string {
	return fmt.Sprintf("variable %s expired on %s, last used on %s: %s", e.Tombstone.Key, e.Tombstone.when(),
		e.Tombstone.Used.UTC().Format(minutes), e.Tombstone.rest())
}

const minutes = "2006-01-02 15:04 UTC"

func (t *Tombstone) when() string { return t.Gone.UTC().Format(minutes) }
func (t *Tombstone) rest() string {
	if t.Source != "" { // a replay knows nothing of filters
		return fmt.Sprintf("its %d bytes are no longer kept; it was made of %s: keeping the filter's result makes it anew", t.Bytes, t.Source)
	}
	return fmt.Sprintf("its %d bytes are no longer kept; replaying its recording stores it again", t.Bytes)
}

// Err is what a reference to a variable that is gone gives: a *RemovedError or *ExpiredError.
func (t Tombstone) Err() error {
	if t.Why == Expired {
		return &ExpiredError{t}
	}
	return &RemovedError{t}
}

// Tombstones lists what is gone by conversation, policy and name.
func (s *Store) Tombstones() ([]Tombstone, error) {
	var out []Tombstone
	err := s.view(func(tx *bolt.Tx) error {
		return eachOf(tx, bucketTombstones, func(key, b []byte) error {
			if tx.Bucket(bucketVariables).Get(key) != nil {
				return nil // stored again by a program that knows no tombstones
			}
			t, err := s.decodeTombstone(tx, key, b)
			if err == nil {
				out = append(out, t)
			}
			return err
		})
	})
	return out, err
}

// Gone is what stays of a variable that is gone; ok is false where there never was one, or it is there (again).
// Errors: *KeyError, *DamagedError.
func (s *Store) Gone(k Key) (t Tombstone, ok bool, err error) {
	key, err := k.encode()
	if err != nil {
		return t, false, err
	}
	err = s.view(func(tx *bolt.Tx) (err error) {
		b := entry(tx, bucketTombstones, key)
		if b == nil || tx.Bucket(bucketVariables).Get(key) != nil {
			return nil
		}
		ok = true
		t, err = s.decodeTombstone(tx, key, b)
		return err
	})
	return t, ok && err == nil, err
}

func (s *Store) decodeTombstone(tx *bolt.Tx, key, b []byte) (Tombstone, error) {
	k, err := decodeKey(key)
	var t Tombstone
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	if err == nil && t.Key != asJSON(k) {
		err = errors.New("a tombstone under another key")
	}
	if err != nil {
		return t, &DamagedError{Path: s.path, Reason: "its tombstone can't be read", Key: &k}
	}
	t.Key = k
	t.Exports, err = s.exports(tx, k, key)
	return t, err
}

// missing is the error for a variable that is not there.
func (s *Store) missing(tx *bolt.Tx, k Key, key []byte) error {
	b := entry(tx, bucketTombstones, key)
	if b == nil {
		return &NotFoundError{Reference: k.String()}
	}
	t, err := s.decodeTombstone(tx, key, b)
	if err != nil {
		return err
	}
	return t.Err()
}

// missingNamed is the error for a reference that finds nothing: of the tombstones of this name, in this
// conversation where one is said, the newest speaks.
func (s *Store) missingNamed(tx *bolt.Tx, reference, name, conversation string, anywhere bool) error {
	var newest *Tombstone
	err := eachOf(tx, bucketTombstones, func(key, b []byte) error {
		k, err := decodeKey(key)
		if err != nil || k.Name != name || !anywhere && k.Conversation != conversation {
			return nil // what can't be read is not what was asked for
		}
		t, err := s.decodeTombstone(tx, key, b)
		if err == nil && (newest == nil || t.Gone.After(newest.Gone)) {
			newest = &t
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case newest != nil:
		return newest.Err()
	}
	return &NotFoundError{Reference: reference}
}

// tombstone is what will stay of a variable.
func (s *Store) tombstone(tx *bolt.Tx, r *record, key []byte, why Why) (Tombstone, error) {
	exports, err := s.exports(tx, r.Key, key)
	return Tombstone{
		Key: r.Key, Bytes: r.Bytes, Kept: r.Kept, Tool: r.Tool, Call: r.Call, Recording: r.Recording, Format: r.Format,
		Label: r.Label, Source: r.Source, Stored: r.Stored, Used: r.Used, Gone: s.now().UTC(), Why: why, Exports: exports,
	}, err
}

// bury takes a variable out of the store and leaves a tombstone.
func (s *Store) bury(tx *bolt.Tx, r *record, key []byte, t Tombstone) error {
	if err := s.forget(tx, r); err != nil {
		return err
	}
	if err := tx.Bucket(bucketVariables).Delete(key); err != nil {
		return err
	}
	if err := keep(tx, bucketUsed, key, nil); err != nil {
		return err
	}
	t.Exports = nil // they have a bucket of their own
	b, err := tx.CreateBucketIfNotExists(bucketTombstones)
	if err != nil {
		return err
	}
	return putJSON(b, key, t)
}
