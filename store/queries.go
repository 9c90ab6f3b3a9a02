package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// bucketQueries holds filters: those that were run, by the order of running, and those that have a name.
// A store that has none has no such bucket. Values are sealed where the store encrypts: a filter can quote
// the data. Names are not.
var bucketQueries = []byte("queries") // 'h' and ordinal, 8 bytes → PastQuery; 'n' and name → filter

const (
	// MaxPastQueries is how many filters that were run are remembered: the oldest go first.
	MaxPastQueries = 1000
	// MaxNamedQueries is how many filters can have a name.
	MaxNamedQueries = 500
	// MaxQueryBytes is the longest filter, and the longest name, that is kept.
	MaxQueryBytes = 32 << 10
)

// A PastQuery is a filter that was run, and on which variable last.
type PastQuery struct {
	Of     Key       `json:"of"`
	Filter string    `json:"filter"`
	Used   time.Time `json:"used"`
}

// A NamedQuery is a filter with a name.
type NamedQuery struct {
	Name   string
	Filter string
}

// A QueryError says why a filter can't be kept.
type QueryError struct{ Reason string }

func (e *QueryError) Error() string { return "the filter can't be kept: " + e.Reason }

// RememberQuery adds a filter to those that were run. One that was run on the same variable before moves
// to the end. Used is set here. Errors: *QueryError, *FullError, *EncryptedError.
func (s *Store) RememberQuery(q PastQuery) error {
	if q.Filter == "" || len(q.Filter) > MaxQueryBytes {
		return &QueryError{fmt.Sprintf("it has %d bytes, and may have 1 to %d", len(q.Filter), MaxQueryBytes)}
	}
	q.Used = s.now().UTC()
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	if text, err = s.seal(text); err != nil {
		return err
	}
	return s.update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(bucketQueries)
		if err != nil {
			return err
		}
		var drop [][]byte
		n := 0
		c := b.Cursor()
		for k, text := c.Seek([]byte{'h'}); len(k) > 0 && k[0] == 'h'; k, text = c.Next() {
			old, ok, err := s.pastQuery(text)
			if err != nil {
				return err
			}
			if !ok || old.Of == q.Of && old.Filter == q.Filter {
				drop = append(drop, slices.Clone(k))
				continue
			}
			n++
		}
		for k, _ := c.Seek([]byte{'h'}); n >= MaxPastQueries && len(k) > 0 && k[0] == 'h'; k, _ = c.Next() {
			drop = append(drop, slices.Clone(k))
			n--
		}
		for _, k := range drop {
			if err := b.Delete(k); err != nil {
				return err
			}
		}
		ordinal, err := b.NextSequence()
		if err != nil {
			return err
		}
		return b.Put(binary.BigEndian.AppendUint64([]byte{'h'}, ordinal), text)
	})
}

// pastQuery reads an entry; ok is false for one that can't be read any more.
func (s *Store) pastQuery(text []byte) (q PastQuery, ok bool, err error) {
	text, err = s.unseal(text)
	if errors.Is(err, errPiece) {
		return q, false, nil
	}
	return q, err == nil && json.Unmarshal(text, &q) == nil, err
}

// PastQueries lists the filters that were run, the last one first. Error: *EncryptedError.
func (s *Store) PastQueries() ([]PastQuery, error) {
	var out []PastQuery
	err := s.eachQuery('h', func(_, text []byte) error {
		q, ok, err := s.pastQuery(text)
		if ok {
			out = append(out, q)
		}
		return err
	})
	slices.Reverse(out)
	return out, err
}

// NameQuery gives a filter a name; another one of that name loses it. An empty filter takes the name away.
// The name itself is never encrypted. Errors: *QueryError, *FullError, *EncryptedError.
func (s *Store) NameQuery(q NamedQuery) error {
	switch {
	case q.Name == "" || len(q.Name) > bolt.MaxKeySize-1:
		return &QueryError{fmt.Sprintf("its name has %d bytes, and may have 1 to %d", len(q.Name), bolt.MaxKeySize-1)}
	case len(q.Filter) > MaxQueryBytes:
		return &QueryError{fmt.Sprintf("it has %d bytes, and may have up to %d", len(q.Filter), MaxQueryBytes)}
	}
	filter, err := s.seal([]byte(q.Filter))
	if err != nil {
		return err
	}
	key := append([]byte{'n'}, q.Name...)
	return s.update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(bucketQueries)
		if err != nil {
			return err
		}
		if q.Filter == "" {
			return b.Delete(key)
		}
		n := 0
		c := b.Cursor()
		for k, _ := c.Seek([]byte{'n'}); len(k) > 0 && k[0] == 'n'; k, _ = c.Next() {
			n++
		}
		if n >= MaxNamedQueries && b.Get(key) == nil {
			return &QueryError{fmt.Sprintf("%d filters have names already: take one away first", n)}
		}
		return b.Put(key, filter)
	})
}

// NamedQueries lists the filters that have names, by name. Error: *EncryptedError.
func (s *Store) NamedQueries() ([]NamedQuery, error) {
	var out []NamedQuery
	err := s.eachQuery('n', func(key, filter []byte) error {
		filter, err := s.unseal(filter)
		switch {
		case errors.Is(err, errPiece):
			return nil // it can't be read any more
		case err != nil:
			return err
		}
		out = append(out, NamedQuery{string(key[1:]), string(filter)})
		return nil
	})
	return out, err
}

func (s *Store) eachQuery(kind byte, f func(key, value []byte) error) error {
	err := s.view(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketQueries)
		if b == nil {
			return berrors.ErrBucketNotFound
		}
		c := b.Cursor()
		for k, v := c.Seek([]byte{kind}); len(k) > 0 && k[0] == kind; k, v = c.Next() {
			if err := f(k, v); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, berrors.ErrBucketNotFound) {
		return nil
	}
	return err
}
