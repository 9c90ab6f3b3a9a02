package store

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	bolt "go.etcd.io/bbolt"
)

// Put stores the payload that write gives, and returns when it is committed. Key, Tool, Call,
// Recording, Format, Label, Source and Query are taken from v; the rest of v is found out.
//
// Storing the same payload again, under the same or another key, keeps its bytes once; under the same
// key and payload nothing at all is written, unless label, source or query are others: the variable stays
// as it was, its time and its place in "stored last" included. Another payload under the same key takes the place of the first.
//
// v.SHA256, where set, announces the payload: write is not called where the store has it, and the
// payload must turn out to be that one. Unannounced, a payload over 1 MiB goes into the file before
// its hash is known, and out again where it was there already. write may be called a second time where
// an equal payload was removed meanwhile. Memory does not grow with the payload.
//
// Errors: *FullError, *KeyError, *MismatchError, *DamagedError, *EncryptedError, the context's, or write's own.
func (s *Store) Put(ctx context.Context, v Variable, write func(io.Writer) error) (Variable, error) {
	b := s.Batch()
	if err := b.Put(ctx, v, write); err != nil {
		return Variable{}, err
	}
	stored, err := b.Commit(ctx)
	if err != nil {
		return Variable{}, err
	}
	return stored[0], nil
}

// A staged variable is ready to be committed: its payload is known or on its way.
type staged struct {
	v     Variable
	key   []byte
	sum   digest
	write func(io.Writer) error

	own   *blob    // a payload that was written for this variable; nil where the store has it
	rest  [][]byte // the last pieces of own, from index first, not in the file yet
	first uint32
}

// errGone says that a payload which the store had was removed before it could be used again.
var errGone = errors.New("the payload was removed while it was stored again: try again")

// stage brings a payload as far as it goes without making it anybody's.
func (s *Store) stage(ctx context.Context, v Variable, write func(io.Writer) error, trust bool) (*staged, error) {
	key, err := v.encode()
	if err != nil {
		return nil, err
	}
	if err := s.Unlock(); err != nil {
		return nil, err // before anything could be written in the clear
	}
	st := &staged{v: v, key: key, write: write}
	if trust && v.SHA256 != "" {
		if st.sum, err = parseDigest(v.SHA256); err != nil {
			return nil, err
		}
		if known, err := s.recognise(st); err != nil || known {
			return st, err
		}
	}
	in := s.newIntake(ctx)
	defer in.stop() // also where write panics
	if err = in.finish(write(in)); err != nil {
		in.abandon()
		return nil, err
	}
	st.sum = digest(in.hash.Sum(nil))
	if actual := hex.EncodeToString(st.sum[:]); v.SHA256 != "" && v.SHA256 != actual {
		in.abandon()
		return nil, &MismatchError{Key: v.Key, Announced: v.SHA256, Actual: actual}
	}
	if in.started() {
		st.own, st.rest, st.first = in.blob(), in.batch, in.stored
		return st, nil
	}
	if trust {
		if known, err := s.recognise(st); err != nil || known {
			in.abandon()
			return st, err
		}
	}
	in.takeLast()
	st.own, st.rest = in.blob(), in.batch
	return st, nil
}

// recognise tells whether the store has the staged payload.
func (s *Store) recognise(st *staged) (known bool, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		m, err := s.blob(tx, st.sum)
		known = m != nil
		return err
	})
	return known, err
}

// commit makes staged variables theirs in one transaction, in order. Where nothing would change it
// writes nothing.
func (s *Store) commit(all []*staged) ([]Variable, error) {
	if out, err := s.unchanged(all); err != nil || len(out) == len(all) {
		return out, err
	}
	out := make([]Variable, len(all))
	err := s.update(func(tx *bolt.Tx) error {
		for i, st := range all {
			v, err := s.settle(tx, st)
			if err != nil {
				return err
			}
			out[i] = v
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, st := range all {
		if st.own != nil {
			s.intakes.done(st.own.ID)
		}
	}
	return out, nil
}

// unchanged gives the first staged variables that are in the store already, each under its key and
// with its payload. It looks now: since they were staged, others may have been put or removed.
func (s *Store) unchanged(all []*staged) ([]Variable, error) {
	var out []Variable
	err := s.view(func(tx *bolt.Tx) error {
		for _, st := range all {
			if st.own != nil {
				return nil
			}
			r, err := s.record(tx, st.key)
			if err != nil {
				return err
			}
			if r == nil || r.SHA256 != hex.EncodeToString(st.sum[:]) || !r.sameNotes(st.v) {
				return nil
			}
			s.touch(st.key, r.Used)
			out = append(out, r.Variable)
		}
		return nil
	})
	return out, err
}

// settle gives a payload its last pieces and its list of pieces, and the variable its record and name.
func (s *Store) settle(tx *bolt.Tx, st *staged) (Variable, error) {
	m, err := s.blob(tx, st.sum)
	if err != nil {
		return Variable{}, err
	}
	switch {
	case m == nil && st.own == nil:
		return Variable{}, errGone
	case m == nil:
		own := *st.own // a copy: the transaction may fail and be tried again
		m = &own
		if err := putPieces(tx, m, st.first, st.rest); err != nil {
			return Variable{}, err
		}
	case st.own != nil && st.own.ID != 0:
		if err := dropPieces(tx, st.own.ID, st.first); err != nil {
			return Variable{}, err
		}
	}
	old, err := s.record(tx, st.key)
	if err != nil {
		return Variable{}, err
	}
	sum := hex.EncodeToString(st.sum[:])
	if old != nil && old.SHA256 == sum {
		s.touch(st.key, old.Used)
		if old.sameNotes(st.v) {
			return old.Variable, nil
		}
		old.Label, old.Source, old.Query = st.v.Label, st.v.Source, st.v.Query
		return old.Variable, putJSON(tx.Bucket(bucketVariables), st.key, old)
	}
	m.Refs++
	if err := putJSON(tx.Bucket(bucketBlobs), st.sum[:], m); err != nil {
		return Variable{}, err
	}
	if old != nil {
		if err := s.forget(tx, old); err != nil {
			return Variable{}, err
		}
	}
	variables := tx.Bucket(bucketVariables)
	ordinal, err := variables.NextSequence()
	if err != nil {
		return Variable{}, err
	}
	v := st.v
	v.Bytes, v.SHA256, v.Kept, v.Stored = m.Bytes, sum, m.Kept, s.now().UTC()
	v.Used = v.Stored
	for _, bucket := range [][]byte{bucketTombstones, bucketUsed} {
		if err := keep(tx, bucket, st.key, nil); err != nil {
			return Variable{}, err
		}
	}
	if err := putJSON(variables, st.key, record{v, ordinal}); err != nil {
		return Variable{}, err
	}
	return v, tx.Bucket(bucketNames).Put(nameKey(v.Name, ordinal), st.key)
}

// sameNotes tells whether the variable has v's label, source and query.
func (r *record) sameNotes(v Variable) bool {
	return r.Label == v.Label && r.Source == v.Source && r.Query == v.Query
}

// forget takes a variable's name and its share of the payload, not its record.
func (s *Store) forget(tx *bolt.Tx, r *record) error {
	sum, err := parseDigest(r.SHA256)
	if err != nil {
		return err
	}
	if err := tx.Bucket(bucketNames).Delete(nameKey(r.Name, r.Ordinal)); err != nil {
		return err
	}
	return s.release(tx, sum)
}

// putPieces stores pieces from index first on, under a new id where the blob has none.
func putPieces(tx *bolt.Tx, m *blob, first uint32, pieces [][]byte) error {
	bucket := tx.Bucket(bucketPieces)
	if m.ID == 0 {
		id, err := bucket.NextSequence()
		if err != nil {
			return err
		}
		m.ID = id
	}
	for i, p := range pieces {
		if err := bucket.Put(pieceKey(m.ID, first+uint32(i)), p); err != nil {
			return err
		}
	}
	return nil
}

func parseDigest(text string) (digest, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(digest{}) || !bytes.Equal([]byte(text), []byte(hex.EncodeToString(b))) {
		return digest{}, fmt.Errorf("%q is no SHA-256 in lower-case hex", text)
	}
	return digest(b), nil
}
