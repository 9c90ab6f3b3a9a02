package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	bolt "go.etcd.io/bbolt"
)

// The file's buckets. What is kept beside variables (saved queries, tuned policies, facts) gets a
// bucket of its own: a program that doesn't know it passes it by, and the schema version stays.
// The version goes up when an older program would misread what it knows.
var (
	bucketMeta      = []byte("meta")      // "schema" → version, 8 bytes
	bucketPieces    = []byte("pieces")    // blob id, 8 bytes, and index, 4 bytes → piece
	bucketBlobs     = []byte("blobs")     // SHA-256, 32 bytes → blob
	bucketVariables = []byte("variables") // key → record
	bucketNames     = []byte("names")     // name, 0 and ordinal, 8 bytes → key
	keySchema       = []byte("schema")
	keyWrapped      = []byte("key") // in meta: the key of the pieces, encrypted by the user's; missing where they are plain

	// These are made with their first entry. A program that knows none of them leaves them as they are,
	// so that what they say of a variable counts only where the variables agree.
	bucketUsed       = []byte("used")       // key → when the variable was read last, Unix seconds, 8 bytes
	bucketTombstones = []byte("tombstones") // key → Tombstone
	bucketExports    = []byte("exports")    // key → []Export
	bucketDerived    = []byte("derived")    // key, 0, kind, 0 and name → derivation
)

// plainVersion is the schema of a store whose pieces are not encrypted, sealedVersion that of one whose
// pieces may be: a program that knows no encryption would take them for damaged.
const (
	plainVersion  = 1
	sealedVersion = 2
	schemaVersion = sealedVersion
)

// A blob is a payload in pieces, each but the last of pieceBytes.
type blob struct {
	ID     uint64 `json:"id"` // never used again
	Bytes  int64  `json:"bytes"`
	Kept   int64  `json:"kept"`
	Pieces uint32 `json:"pieces"`
	Refs   int64  `json:"refs"` // the variables that have it
}

// A record is a variable as it is kept.
type record struct {
	Variable
	Ordinal uint64 `json:"ordinal"` // counts what is stored: the highest was stored last, whatever the clock says
}

type digest = [sha256.Size]byte

// claim checks that the open file is a store of ours, and makes a new one of an empty file.
func (s *Store) claim(readOnly bool) error {
	isNew := false
	err := s.view(func(tx *bolt.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if first, _ := tx.Cursor().First(); meta == nil && first == nil {
			isNew = true // made by a process that was killed before its first transaction
			return nil
		}
		if meta == nil || len(meta.Get(keySchema)) != 8 {
			return &DamagedError{Path: s.path, Reason: "another program's BoltDB file"}
		}
		if v := binary.BigEndian.Uint64(meta.Get(keySchema)); v > schemaVersion {
			return &VersionError{Path: s.path, Version: v, Known: schemaVersion}
		}
		for _, name := range [][]byte{bucketPieces, bucketBlobs, bucketVariables, bucketNames} {
			if tx.Bucket(name) == nil {
				return &DamagedError{Path: s.path, Reason: fmt.Sprintf("its part %q is missing", name)}
			}
		}
		s.sealer.wrapped = bytes.Clone(meta.Get(keyWrapped))
		return nil
	})
	switch {
	case err != nil:
		return err
	case readOnly && isNew:
		return &MissingError{Path: s.path}
	case readOnly:
		return nil
	}
	if isNew {
		err = s.create()
	}
	if err == nil && s.sealer.secret != "" && s.sealer.wrapped == nil {
		err = s.encrypt()
	}
	return err
}

// create makes the parts of a new store.
func (s *Store) create() error {
	return s.update(func(tx *bolt.Tx) error {
		for _, name := range [][]byte{bucketMeta, bucketPieces, bucketBlobs, bucketVariables, bucketNames} {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return tx.Bucket(bucketMeta).Put(keySchema, binary.BigEndian.AppendUint64(nil, plainVersion))
	})
}

// A conversation's id is anybody's text: the separator and the escape are written as two bytes, so
// that keys stay apart and keep their order.
var (
	escaping   = strings.NewReplacer("\x00", "\x01\x01", "\x01", "\x01\x02")
	unescaping = strings.NewReplacer("\x01\x01", "\x00", "\x01\x02", "\x01")
)

func (k Key) encode() ([]byte, error) {
	b := []byte(escaping.Replace(k.Conversation) + "\x00" + escaping.Replace(k.Policy) + "\x00" + escaping.Replace(k.Name))
	// The names' keys carry nine bytes more than a name.
	if k.Name == "" || len(b) > bolt.MaxKeySize-16 {
		return nil, &KeyError{Bytes: len(b)}
	}
	return b, nil
}

func decodeKey(b []byte) (Key, error) {
	parts := strings.Split(string(b), "\x00")
	if len(parts) != 3 {
		return Key{}, errors.New("a key without three parts")
	}
	return Key{unescaping.Replace(parts[0]), unescaping.Replace(parts[1]), unescaping.Replace(parts[2])}, nil
}

// A KeyError says that a variable has no name, or one too long to be a key.
type KeyError struct{ Bytes int }

func (e *KeyError) Error() string {
	return fmt.Sprintf("a variable's conversation, policy and name make a key of %d bytes: the name is needed and %d are the most", e.Bytes, bolt.MaxKeySize-16)
}

// record reads a variable's record; nil where there is none.
func (s *Store) record(tx *bolt.Tx, key []byte) (*record, error) {
	b := tx.Bucket(bucketVariables).Get(key)
	if b == nil {
		return nil, nil
	}
	return s.decodeRecord(tx, key, b)
}

// decodeRecord reads a record. It names its key itself, which tells when one of the two is damaged.
func (s *Store) decodeRecord(tx *bolt.Tx, key, b []byte) (*record, error) {
	r, err := parseRecord(key, b)
	if err != nil {
		k, _ := decodeKey(key) // of a key that can't be read, nothing
		return nil, &DamagedError{Path: s.path, Reason: "its record can't be read", Key: &k}
	}
	r.Used = s.lastUse(tx, key, r.Stored)
	return r, nil
}

func parseRecord(key, b []byte) (*record, error) {
	k, err := decodeKey(key)
	if err != nil {
		return nil, err
	}
	var r record
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, err
	}
	if r.Key != asJSON(k) {
		return nil, errors.New("a record under another key")
	}
	if _, err := parseDigest(r.SHA256); err != nil {
		return nil, err
	}
	r.Key = k // as stored byte for byte; JSON has no place for a byte that is not UTF-8
	return &r, nil
}

// asJSON is k as it comes back from JSON.
func asJSON(k Key) Key {
	for _, text := range []*string{&k.Conversation, &k.Policy, &k.Name} {
		if utf8.ValidString(*text) {
			continue
		}
		b := make([]rune, 0, len(*text))
		for _, r := range *text { // a byte that is not UTF-8 comes as U+FFFD
			b = append(b, r)
		}
		*text = string(b)
	}
	return k
}

// entry reads an entry of a bucket that may not be there; nil where there is none.
func entry(tx *bolt.Tx, bucket, key []byte) []byte {
	b := tx.Bucket(bucket)
	if b == nil {
		return nil
	}
	return b.Get(key)
}

// eachOf goes through a bucket that may not be there.
func eachOf(tx *bolt.Tx, bucket []byte, f func(key, value []byte) error) error {
	b := tx.Bucket(bucket)
	if b == nil {
		return nil
	}
	return b.ForEach(f)
}

// eachBelow goes through the entries of a bucket, which may not be there, whose keys begin with prefix.
func eachBelow(tx *bolt.Tx, bucket, prefix []byte, f func(key, value []byte) error) error {
	b := tx.Bucket(bucket)
	if b == nil {
		return nil
	}
	c := b.Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if err := f(k, v); err != nil {
			return err
		}
	}
	return nil
}

// keep puts an entry in a bucket, which is made where it is missing; no value takes the entry away.
func keep(tx *bolt.Tx, bucket, key, value []byte) error {
	if value == nil {
		b := tx.Bucket(bucket)
		if b == nil {
			return nil
		}
		return b.Delete(key)
	}
	b, err := tx.CreateBucketIfNotExists(bucket)
	if err != nil {
		return err
	}
	return b.Put(key, value)
}

// blob reads a payload's blob; nil where there is none.
func (s *Store) blob(tx *bolt.Tx, sum digest) (*blob, error) {
	b := tx.Bucket(bucketBlobs).Get(sum[:])
	if b == nil {
		return nil, nil
	}
	m, err := parseBlob(b)
	if err != nil {
		return nil, &DamagedError{Path: s.path, Reason: "a payload's list of pieces can't be read"}
	}
	return m, nil
}

func parseBlob(b []byte) (*blob, error) {
	var m blob
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	if m.Bytes < 0 || int64(m.Pieces) != (m.Bytes+pieceBytes-1)/pieceBytes {
		return nil, errors.New("another number of pieces than its bytes have")
	}
	return &m, nil
}

func pieceKey(id uint64, index uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(nil, id), index)
}

func nameKey(name string, ordinal uint64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(escaping.Replace(name)), 0), ordinal)
}

func putJSON(b *bolt.Bucket, key []byte, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return b.Put(key, text)
}

// dropPieces removes the first n pieces of a payload.
func dropPieces(tx *bolt.Tx, id uint64, n uint32) error {
	pieces := tx.Bucket(bucketPieces)
	for i := range n {
		if err := pieces.Delete(pieceKey(id, i)); err != nil {
			return err
		}
	}
	return nil
}

// release takes one variable from a payload, and removes the payload with the last.
func (s *Store) release(tx *bolt.Tx, sum digest) error {
	m, err := s.blob(tx, sum)
	if err != nil || m == nil {
		return err
	}
	if m.Refs--; m.Refs > 0 {
		return putJSON(tx.Bucket(bucketBlobs), sum[:], m)
	}
	if err := dropPieces(tx, m.ID, m.Pieces); err != nil {
		return err
	}
	return tx.Bucket(bucketBlobs).Delete(sum[:])
}
