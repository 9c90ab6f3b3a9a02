package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// A Report is what Check found.
type Report struct {
	Variables int   `json:"variables"`
	Payloads  int   `json:"payloads"` // different ones
	Bytes     int64 `json:"bytes"`    // of the payloads
	Kept      int64 `json:"kept"`     // what they take in the file
	// Leftovers are pieces of payloads that were never finished, of a killed write or of one that is
	// under way: harmless.
	Leftovers     int             `json:"leftovers"`
	LeftoverBytes int64           `json:"leftover_bytes"`
	Plain         int             `json:"plain"`   // pieces from before the store encrypted, which are not encrypted; Compact does it
	Damaged       []*DamagedError `json:"damaged"` // nil for a sound store
}

// Check reads everything and compares it with its hashes and with each other. It goes on after damage,
// which is in the report; the error is the context's, or that the store can't be read at all. It sees
// the store as it was when it began; what is written meanwhile makes the file grow more than usual.
// Encrypted payloads need the key: without it the error is an *EncryptedError.
func (s *Store) Check(ctx context.Context) (Report, error) {
	var r Report
	if err := s.Unlock(); err != nil {
		return r, err
	}
	err := s.view(func(tx *bolt.Tx) error {
		c := &checker{s: s, ctx: ctx, tx: tx, report: &r, holders: map[digest][]Key{}, pieces: map[uint64]uint32{}}
		for _, part := range []func() error{c.heads, c.variables, c.names, c.blobs, c.missing, c.leftovers, c.besides} {
			err := guard(s.path, part)
			var damaged *DamagedError
			if errors.As(err, &damaged) {
				r.Damaged = append(r.Damaged, damaged)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	return r, err
}

type checker struct {
	s       *Store
	ctx     context.Context
	tx      *bolt.Tx
	report  *Report
	holders map[digest][]Key  // the variables of each payload
	pieces  map[uint64]uint32 // how many pieces each payload has, by its id
}

func (c *checker) damaged(k *Key, format string, args ...any) {
	c.report.Damaged = append(c.report.Damaged, &DamagedError{Path: c.s.path, Reason: fmt.Sprintf(format, args...), Key: k})
}

// heads checks both pages that say where everything begins. The one of two that is sound is used; where
// the other was the newer one, what its transaction stored is not there.
func (c *checker) heads() error {
	h, ok := newestHeader(c.s.file)
	if !ok {
		c.damaged(nil, "it does not start like one")
		return nil
	}
	for _, at := range []int64{0, h.pageSize} {
		if _, ok := readHeader(c.s.file, at); !ok {
			c.damaged(nil, "one of the two pages it begins with can't be read: what was stored last may be missing")
		}
	}
	return nil
}

// names checks that each name leads to a variable that has it.
func (c *checker) names() error {
	return c.tx.Bucket(bucketNames).ForEach(func(key, to []byte) error {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		r, err := c.s.record(c.tx, to)
		switch {
		case err != nil:
			return nil // reported with the variables
		case r == nil:
			c.damaged(nil, "a name leads to no variable")
		case !bytes.Equal(nameKey(r.Name, r.Ordinal), key):
			c.damaged(&r.Key, "another name leads to it")
		}
		return nil
	})
}

// besides checks what is kept beside the variables.
func (c *checker) besides() error {
	for bucket, what := range map[string]any{string(bucketTombstones): &Tombstone{}, string(bucketExports): &[]Export{}, string(bucketDerived): &derivation{}} {
		err := eachOf(c.tx, []byte(bucket), func(_, b []byte) error {
			if err := json.Unmarshal(b, what); err != nil {
				c.damaged(nil, "an entry of its part %q can't be read", bucket)
			}
			return c.ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// variables checks records, and that each is found by its name.
func (c *checker) variables() error {
	names := c.tx.Bucket(bucketNames)
	return c.tx.Bucket(bucketVariables).ForEach(func(key, b []byte) error {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		c.report.Variables++
		r, err := c.s.decodeRecord(c.tx, key, b)
		if err != nil {
			return c.note(err)
		}
		sum, err := parseDigest(r.SHA256)
		if err != nil {
			return err // decodeRecord has parsed it
		}
		c.holders[sum] = append(c.holders[sum], r.Key)
		if !bytes.Equal(names.Get(nameKey(r.Name, r.Ordinal)), key) {
			c.damaged(&r.Key, nameReason)
		}
		return nil
	})
}

// note keeps damage for the report and gives any other error back.
func (c *checker) note(err error) error {
	var damaged *DamagedError
	if errors.As(err, &damaged) {
		c.report.Damaged = append(c.report.Damaged, damaged)
		return nil
	}
	return err
}

// blobs checks the payloads: their pieces, their hashes, and how many variables have them.
func (c *checker) blobs() error {
	return c.tx.Bucket(bucketBlobs).ForEach(func(key, _ []byte) error {
		if len(key) != len(digest{}) {
			c.damaged(nil, "a payload's key has %d bytes", len(key))
			return nil
		}
		sum := digest(key)
		m, err := c.s.blob(c.tx, sum)
		if err != nil {
			return c.note(err)
		}
		c.report.Payloads++
		c.report.Bytes += m.Bytes
		c.report.Kept += m.Kept
		c.pieces[m.ID] = m.Pieces
		holders := c.holders[sum]
		delete(c.holders, sum)
		if int64(len(holders)) != m.Refs {
			c.damaged(nil, "the payload %s is counted for %d variables and %d have it", hex.EncodeToString(key), m.Refs, len(holders))
		}
		err = guard(c.s.path, func() error { return c.payload(sum, m) })
		if err == nil || c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		for _, k := range holders {
			c.damaged(&k, "%v", err)
		}
		return nil
	})
}

// payload checks the pieces of one payload.
func (c *checker) payload(sum digest, m *blob) error {
	hash := sha256.New()
	room := make([]byte, 0, min(m.Bytes, pieceBytes))
	for i := range m.Pieces {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		piece := c.tx.Bucket(bucketPieces).Get(pieceKey(m.ID, i))
		if piece == nil {
			return fmt.Errorf("piece %d of %d is missing", i+1, m.Pieces)
		}
		if c.s.Encrypted() && len(piece) > 0 && piece[0] != kindSealed {
			c.report.Plain++
		}
		b, err := c.s.codec.decode(piece, room, int(min(pieceBytes, m.Bytes-int64(i)*pieceBytes)))
		if err != nil {
			return err
		}
		hash.Write(b)
	}
	if digest(hash.Sum(nil)) != sum {
		return errors.New(shaReason)
	}
	return nil
}

// missing reports variables whose payload is not there.
func (c *checker) missing() error {
	for _, holders := range c.holders {
		for _, k := range holders {
			c.damaged(&k, "its payload is missing")
		}
	}
	return nil
}

// leftovers counts pieces that belong to no payload.
func (c *checker) leftovers() error {
	return c.tx.Bucket(bucketPieces).ForEach(func(key, piece []byte) error {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if len(key) == 12 && binary.BigEndian.Uint32(key[8:]) < c.pieces[binary.BigEndian.Uint64(key)] {
			return nil
		}
		c.report.Leftovers++
		c.report.LeftoverBytes += int64(len(piece))
		return nil
	})
}
