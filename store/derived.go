package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// DerivedResult is the kind of a Derivation that is a variable: a query's result that was kept.
const DerivedResult = "result"

// A Derivation is something that was made of a variable and is kept beside it.
type Derivation struct {
	Of    Key       `json:"of"`    // the variable
	Kind  string    `json:"kind"`  // DerivedResult, or what a caller calls it: "facts", "ledger"
	Name  string    `json:"name"`  // the result's name, or what a caller calls it
	Bytes int64     `json:"bytes"` // of the data
	Made  time.Time `json:"made"`
}

// derivation is how one is kept that is no variable.
type derivation struct {
	Made  time.Time `json:"made"`
	Bytes int64     `json:"bytes"`
	Data  []byte    `json:"data"` // a byte 0 and the data, or sealed
}

// Derived lists what derives from a variable, also at second hand, and also of one that is gone. A
// variable's own come before those of its results, results before facts and ledgers, each by name.
func (s *Store) Derived(k Key) (all []Derivation, err error) {
	err = s.view(func(tx *bolt.Tx) (err error) {
		all, err = s.derived(tx, k)
		return err
	})
	return all, err
}

func (s *Store) derived(tx *bolt.Tx, k Key) ([]Derivation, error) {
	var all []Derivation
	seen := map[string]bool{k.Name: true}
	for queue := []Key{k}; len(queue) > 0; queue = queue[1:] {
		of := queue[0]
		key, err := of.encode()
		if err != nil {
			return nil, err
		}
		siblings := key[:bytes.LastIndexByte(key, 0)+1] // a result has its source's conversation and policy
		err = eachBelow(tx, bucketVariables, siblings, func(key, b []byte) error {
			r, err := s.decodeRecord(tx, key, b)
			if err != nil || r.Source != of.Name || seen[r.Name] {
				return err
			}
			seen[r.Name] = true
			queue = append(queue, r.Key)
			all = append(all, Derivation{Of: of, Kind: DerivedResult, Name: r.Name, Bytes: r.Bytes, Made: r.Stored})
			return nil
		})
		if err != nil {
			return nil, err
		}
		beside, err := s.beside(tx, of, key)
		if err != nil {
			return nil, err
		}
		all = append(all, beside...)
	}
	return all, nil
}

// beside lists what derives from a variable and is none itself.
func (s *Store) beside(tx *bolt.Tx, of Key, key []byte) ([]Derivation, error) {
	var all []Derivation
	prefix := append(bytes.Clone(key), 0)
	err := eachBelow(tx, bucketDerived, prefix, func(k, b []byte) error {
		kind, name, ok := strings.Cut(string(k[len(prefix):]), "\x00")
		var d derivation
		if err := json.Unmarshal(b, &d); err != nil || !ok {
			return &DamagedError{Path: s.path, Reason: "what derives from it can't be read", Key: &of}
		}
		all = append(all, Derivation{Of: of, Kind: unescaping.Replace(kind), Name: unescaping.Replace(name), Bytes: d.Bytes, Made: d.Made})
		return nil
	})
	return all, err
}

// derivedKey is where PutDerived keeps something.
func derivedKey(of Key, kind, name string) ([]byte, error) {
	key, err := of.encode()
	if err != nil {
		return nil, err
	}
	key = append(key, "\x00"+escaping.Replace(kind)+"\x00"+escaping.Replace(name)...)
	if len(key) > bolt.MaxKeySize {
		return nil, &KeyError{Bytes: len(key)}
	}
	return key, nil
}

// PutDerived keeps data that was made of the variable d.Of, which must be there, under a kind and a name;
// it takes the place of what has them. Bytes and Made are found out. Data goes into one entry: megabytes
// are for Put, with a Source. Errors: as Get's, *EncryptedError, *FullError.
func (s *Store) PutDerived(ctx context.Context, d Derivation, data []byte) error {
	if d.Kind == "" || d.Kind == DerivedResult {
		return fmt.Errorf("%q is no kind of its own: a result is a variable with a source", d.Kind)
	}
	of, err := d.Of.encode()
	if err != nil {
		return err
	}
	key, err := derivedKey(d.Of, d.Kind, d.Name)
	if err != nil {
		return err
	}
	sealed, err := s.seal(append([]byte{kindRaw}, data...))
	if err != nil {
		return err
	}
	return s.update(func(tx *bolt.Tx) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if tx.Bucket(bucketVariables).Get(of) == nil {
			return s.missing(tx, d.Of, of)
		}
		b, err := tx.CreateBucketIfNotExists(bucketDerived)
		if err != nil {
			return err
		}
		return putJSON(b, key, derivation{Made: s.now().UTC(), Bytes: int64(len(data)), Data: sealed})
	})
}

// GetDerived gives what PutDerived kept. Errors: *NotFoundError, *DamagedError, *EncryptedError.
func (s *Store) GetDerived(of Key, kind, name string) ([]byte, error) {
	key, err := derivedKey(of, kind, name)
	if err != nil {
		return nil, err
	}
	var d derivation
	err = s.view(func(tx *bolt.Tx) error {
		b := entry(tx, bucketDerived, key)
		if b == nil {
			return &NotFoundError{Reference: of.String() + " " + kind + " " + name}
		}
		if err := json.Unmarshal(b, &d); err != nil {
			return &DamagedError{Path: s.path, Reason: "what derives from it can't be read", Key: &of}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b := d.Data
	if len(b) > 0 && b[0] == kindSealed {
		b, err = s.sealer.open(b)
	}
	if errors.Is(err, errPiece) || err == nil && (len(b) == 0 || b[0] != kindRaw) {
		return nil, &DamagedError{Path: s.path, Reason: "what derives from it can't be read", Key: &of}
	}
	if err != nil {
		return nil, err
	}
	return b[1:], nil
}

// dropBeside removes what derives from a variable and is none itself.
func dropBeside(tx *bolt.Tx, all []Derivation) error {
	for _, d := range all {
		if d.Kind == DerivedResult {
			continue
		}
		key, err := derivedKey(d.Of, d.Kind, d.Name)
		if err != nil {
			return err
		}
		if err := keep(tx, bucketDerived, key, nil); err != nil {
			return err
		}
	}
	return nil
}
