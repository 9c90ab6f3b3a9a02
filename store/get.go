package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"runtime"
	"sync/atomic"

	bolt "go.etcd.io/bbolt"
)

const (
	shaReason  = "its bytes don't have its SHA-256"
	nameReason = "it can't be found by its name"
)

// Get returns a variable's payload, checked against its hash. Errors: *NotFoundError, *RemovedError,
// *ExpiredError, *DamagedError, *EncryptedError, or the context's.
func (s *Store) Get(ctx context.Context, k Key) ([]byte, error) {
	var out []byte
	err := s.view(func(tx *bolt.Tx) error {
		sum, m, err := s.payload(tx, k)
		if err != nil {
			return err
		}
		out, err = s.assemble(ctx, tx, k, sum, m)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// payload finds what a variable's payload consists of.
func (s *Store) payload(tx *bolt.Tx, k Key) (digest, *blob, error) {
	key, err := k.encode()
	if err != nil {
		return digest{}, nil, err
	}
	r, err := s.record(tx, key)
	if err != nil {
		return digest{}, nil, err
	}
	if r == nil {
		return digest{}, nil, s.missing(tx, k, key)
	}
	if !bytes.Equal(tx.Bucket(bucketNames).Get(nameKey(r.Name, r.Ordinal)), key) { // a page of earlier days, to which damage leads
		return digest{}, nil, &DamagedError{Path: s.path, Reason: nameReason, Key: &k}
	}
	s.touch(key, r.Used)
	sum, err := parseDigest(r.SHA256)
	if err != nil {
		return digest{}, nil, err
	}
	m, err := s.blob(tx, sum)
	if err == nil && (m == nil || m.Bytes != r.Bytes) {
		err = &DamagedError{Path: s.path, Reason: "its payload is not listed", Key: &k}
	}
	// All pieces are looked for before there is room for them: a damaged number makes no huge slice.
	if err == nil && m.Pieces > 0 && tx.Bucket(bucketPieces).Get(pieceKey(m.ID, m.Pieces-1)) == nil {
		err = &DamagedError{Path: s.path, Reason: "pieces are missing", Key: &k}
	}
	return sum, m, err
}

// assemble decodes a payload's pieces side by side and hashes them in order behind that.
func (s *Store) assemble(ctx context.Context, tx *bolt.Tx, k Key, sum digest, m *blob) ([]byte, error) {
	out := make([]byte, m.Bytes)
	pieces := make([][]byte, m.Pieces)
	bucket := tx.Bucket(bucketPieces)
	for i := range pieces {
		pieces[i] = bucket.Get(pieceKey(m.ID, uint32(i)))
	}
	done := make([]chan error, m.Pieces)
	for i := range done {
		done[i] = make(chan error, 1)
	}
	var next atomic.Int64
	decodeNext := func() bool {
		i := next.Add(1) - 1
		if i >= int64(len(pieces)) {
			return false
		}
		part := out[i*pieceBytes : min((i+1)*pieceBytes, m.Bytes)]
		done[i] <- s.decodeInto(ctx, part, pieces[i])
		return true
	}
	workers := make(chan struct{})
	helpers := min(runtime.GOMAXPROCS(0), len(pieces)-1)
	for range helpers {
		go func() {
			for decodeNext() {
			}
			workers <- struct{}{}
		}()
	}
	hash := sha256.New()
	var err error
	for i := range pieces {
		if helpers <= 0 {
			decodeNext()
		}
		if e := <-done[i]; e != nil {
			err = e
			break
		}
		hash.Write(out[i*pieceBytes : min((i+1)*pieceBytes, int(m.Bytes))])
	}
	if err != nil {
		next.Store(int64(len(pieces))) // the helpers stop at their next piece
	}
	for range helpers {
		<-workers // none may read the file's pages after the transaction
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, s.damagedPiece(k, err)
	case digest(hash.Sum(nil)) != sum:
		return nil, &DamagedError{Path: s.path, Reason: shaReason, Key: &k}
	}
	return out, nil
}

// decodeInto decodes one piece into its place.
func (s *Store) decodeInto(ctx context.Context, part, piece []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return guard(s.path, func() error {
		b, err := s.codec.decode(piece, part[:0:len(part)], len(part))
		if err == nil && len(b) > 0 && &b[0] != &part[0] {
			copy(part, b)
		}
		return err
	})
}

// damagedPiece says of an error of a piece that it is damage, unless it is that the key is missing.
func (s *Store) damagedPiece(k Key, err error) error {
	var encrypted *EncryptedError
	if errors.As(err, &encrypted) {
		return err
	}
	return &DamagedError{Path: s.path, Reason: err.Error(), Key: &k}
}

// WriteTo writes a variable's payload to w piece by piece. Each piece is checked before it is written,
// the hash of the whole after the last. No transaction is open while w writes, so that w may be slow;
// a variable that is removed meanwhile gives a *RemovedError. Other errors: as Get's, or w's own.
func (s *Store) WriteTo(ctx context.Context, k Key, w io.Writer) error {
	var sum digest
	var m *blob
	err := s.view(func(tx *bolt.Tx) (err error) {
		sum, m, err = s.payload(tx, k)
		return err
	})
	if err != nil {
		return err
	}
	hash := sha256.New()
	room := make([]byte, 0, min(m.Bytes, pieceBytes))
	for i := range m.Pieces {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := int64(i) * pieceBytes
		var b []byte
		err := s.view(func(tx *bolt.Tx) (err error) {
			piece := tx.Bucket(bucketPieces).Get(pieceKey(m.ID, i))
			if piece == nil {
				if now, _ := s.blob(tx, sum); now == nil || now.ID != m.ID {
					key, _ := k.encode() // it was encoded before
					return s.missing(tx, k, key)
				}
			}
			b, err = s.codec.decode(piece, room, int(min(pieceBytes, m.Bytes-at)))
			if err != nil {
				err = s.damagedPiece(k, err)
			}
			return err
		})
		if err != nil {
			return err
		}
		hash.Write(b)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	if digest(hash.Sum(nil)) != sum {
		return &DamagedError{Path: s.path, Reason: shaReason, Key: &k}
	}
	return nil
}
