package store

import (
	"encoding/binary"
	"errors"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// bucketFacts keeps what was measured of payloads, bytes by key, so that measuring them again is not
// needed. It is a cache: missing is empty, and dropping it loses nothing. Values are sealed where the store
// encrypts.
var bucketFacts = []byte("facts")

// keyFactBytes holds how many bytes of keys and values there are before values are sealed, 8 bytes. Keys of
// facts are longer.
var keyFactBytes = []byte("bytes")

// MaxFactBytes is how much all facts may take, keys and values, before they are dropped to begin anew:
// about 200,000 results.
const MaxFactBytes = 64 << 20

// A Fact is one measurement to keep: Key names payload and measure, and is a hash's 32 bytes.
type Fact struct{ Key, Value []byte }

// Facts looks up facts by their keys. A value is nil where there is none. Error: *EncryptedError.
func (s *Store) Facts(keys ...[]byte) ([][]byte, error) {
	values := make([][]byte, len(keys))
	err := s.view(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketFacts)
		if b == nil {
			return nil
		}
		for i, k := range keys {
			value, err := s.unseal(b.Get(k))
			switch {
			case errors.Is(err, errPiece):
				continue // it can't be read any more, and is measured anew
			case err != nil:
				return err
			}
			values[i] = slices.Clone(value)
		}
		return nil
	})
	return values, err
}

// PutFacts keeps facts, all of them or none. Where they would take more than MaxFactBytes, those that
// were kept before are dropped; what alone is more is not kept. Errors: *FullError, *EncryptedError.
func (s *Store) PutFacts(facts []Fact) error { return s.putFacts(facts, MaxFactBytes) }

func (s *Store) putFacts(facts []Fact, most int64) error {
	added := int64(0)
	for _, f := range facts {
		added += int64(len(f.Key) + len(f.Value))
	}
	if len(facts) == 0 || added > most {
		return nil
	}
	sealed := make([][]byte, len(facts))
	for i, f := range facts {
		var err error
		if sealed[i], err = s.seal(f.Value); err != nil {
			return err
		}
	}
	return s.update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(bucketFacts)
		if err != nil {
			return err
		}
		held := int64(0)
		if v := b.Get(keyFactBytes); len(v) == 8 {
			held = int64(binary.BigEndian.Uint64(v))
		}
		if held+added > most {
			if err := tx.DeleteBucket(bucketFacts); err != nil {
				return err
			}
			if b, err = tx.CreateBucket(bucketFacts); err != nil {
				return err
			}
			held = 0
		}
		for i, f := range facts {
			if old := b.Get(f.Key); old != nil {
				held -= int64(len(f.Key) + s.plainBytes(old))
			}
			held += int64(len(f.Key) + len(f.Value))
			if err := b.Put(f.Key, sealed[i]); err != nil {
				return err
			}
		}
		return b.Put(keyFactBytes, binary.BigEndian.AppendUint64(nil, uint64(held)))
	})
}

// plainBytes is how many bytes a value had before it was sealed.
func (s *Store) plainBytes(value []byte) int {
	if s.Encrypted() && len(value) > 0 && value[0] == kindSealed {
		return max(0, len(value)-1-s.sealer.aead.Overhead())
	}
	return len(value)
}
