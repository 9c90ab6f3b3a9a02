package store

import (
	"encoding/binary"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// bucketFacts keeps what was measured of payloads, bytes by key, so that measuring them again is not
// needed. It is a cache: missing is empty, and dropping it loses nothing.
var bucketFacts = []byte("facts")

// keyFactBytes holds how many bytes of keys and values there are, 8 bytes. Keys of facts are longer.
var keyFactBytes = []byte("bytes")

// MaxFactBytes is how much all facts may take, keys and values, before they are dropped to begin anew:
// about 200,000 results.
const MaxFactBytes = 64 << 20

// A Fact is one measurement to keep: Key names payload and measure, and is a hash's 32 bytes.
type Fact struct{ Key, Value []byte }

// Facts looks up facts by their keys. A value is nil where there is none.
func (s *Store) Facts(keys ...[]byte) ([][]byte, error) {
	values := make([][]byte, len(keys))
	err := s.view(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketFacts)
		if b == nil {
			return nil
		}
		for i, k := range keys {
			values[i] = slices.Clone(b.Get(k))
		}
		return nil
	})
	return values, err
}

// PutFacts keeps facts, all of them or none. Where they would take more than MaxFactBytes, those that
// were kept before are dropped; what alone is more is not kept.
func (s *Store) PutFacts(facts []Fact) error { return s.putFacts(facts, MaxFactBytes) }

func (s *Store) putFacts(facts []Fact, most int64) error {
	added := int64(0)
	for _, f := range facts {
		added += int64(len(f.Key) + len(f.Value))
	}
	if len(facts) == 0 || added > most {
		return nil
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
		for _, f := range facts {
			if old := b.Get(f.Key); old != nil {
				held -= int64(len(f.Key) + len(old))
			}
			held += int64(len(f.Key) + len(f.Value))
			if err := b.Put(f.Key, f.Value); err != nil {
				return err
			}
		}
		return b.Put(keyFactBytes, binary.BigEndian.AppendUint64(nil, uint64(held)))
	})
}
