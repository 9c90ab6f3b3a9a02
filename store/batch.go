package store

import (
	"context"
	"encoding/hex"
	"errors"
	"io"

	bolt "go.etcd.io/bbolt"
)

// What a batch holds before it is full: enough to spread the cost of waiting for the disk, little
// enough to stay in memory and in one transaction.
const (
	batchVariables = 500
	batchBytes     = 8 << 20
)

// A Batch stores many variables with few waits for the disk. Nothing of it is in the store before
// Commit returns, which is also when it may be acknowledged. It belongs to one goroutine; several
// batches of one store may be open.
type Batch struct {
	s     *Store
	all   []*staged
	bytes int64
}

// Batch begins a batch.
func (s *Store) Batch() *Batch { return &Batch{s: s} }

// Put adds a variable, as Store.Put stores one. Where it gives an error, the batch is as before.
func (b *Batch) Put(ctx context.Context, v Variable, write func(io.Writer) error) error {
	st, err := b.s.stage(ctx, v, write, true)
	if err != nil {
		return err
	}
	b.all = append(b.all, st)
	for _, p := range st.rest {
		b.bytes += int64(len(p))
	}
	return nil
}

// SHA256 is the hash of the payload that was put last, in lower-case hex; empty where none was.
func (b *Batch) SHA256() string {
	if len(b.all) == 0 {
		return ""
	}
	sum := b.all[len(b.all)-1].sum
	return hex.EncodeToString(sum[:])
}

// Full tells that it is time for Commit: 500 variables or 8 MiB are waiting.
func (b *Batch) Full() bool { return len(b.all) >= batchVariables || b.bytes >= batchBytes }

// Commit stores all that was put since the last Commit, in one transaction, and gives it back as it is
// stored, in the order of Put. Where it gives an error none of it is stored, and the batch is empty.
func (b *Batch) Commit(ctx context.Context) ([]Variable, error) {
	defer func() { b.all, b.bytes = nil, 0 }()
	err := ctx.Err()
	var stored []Variable
	if err == nil {
		stored, err = b.s.commit(b.all)
	}
	for errors.Is(err, errGone) {
		if err = b.restage(ctx); err == nil {
			stored, err = b.s.commit(b.all)
		}
	}
	if err != nil {
		b.drop()
		return nil, err
	}
	return stored, nil
}

// Discard empties the batch without storing it.
func (b *Batch) Discard() {
	b.drop()
	b.all, b.bytes = nil, 0
}

// restage writes the payloads that the store was thought to have.
func (b *Batch) restage(ctx context.Context) error {
	for i, st := range b.all {
		if st.own != nil {
			continue
		}
		again, err := b.s.stage(ctx, st.v, st.write, false)
		if err != nil {
			return err
		}
		b.all[i] = again
	}
	return nil
}

// drop removes pieces that are in the file already. Should it fail they are leftovers, which harm nothing.
func (b *Batch) drop() {
	var own []*staged
	for _, st := range b.all {
		if st.own != nil && st.own.ID != 0 {
			own = append(own, st)
		}
	}
	if len(own) == 0 {
		return
	}
	_ = b.s.update(func(tx *bolt.Tx) error {
		for _, st := range own {
			if err := dropPieces(tx, st.own.ID, st.first); err != nil {
				return err
			}
		}
		return nil
	})
	for _, st := range own {
		b.s.intakes.done(st.own.ID)
	}
}
