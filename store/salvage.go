package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// A SalvageReport says what was read back from a damaged store.
type SalvageReport struct {
	Variables int `json:"variables"` // read back, each with its whole payload
	// Unchecked of them could not be compared with their hash, since they are encrypted and the key was
	// not there. What is wrong with them shows when they are read.
	Unchecked int   `json:"unchecked"`
	Lost      []Key `json:"lost"`   // variables that are still known by name, and nothing more
	Broken    int   `json:"broken"` // pages and entries that can't be read
}

// A salvor reads a damaged store and writes what it can into another one.
type salvor struct {
	ctx    context.Context
	w      *wreck
	out    *copier
	codec  codec
	sealer sealer
	report SalvageReport

	records []*record
	blobs   map[digest]*blob
	pieces  map[uint64]map[uint32]found
	moved   map[digest]*blob // payloads that the other store has
	ids     uint64           // how many ids it gave to payloads
	inside  map[found][]byte
	named   map[Key]bool // what the names lead to and is not among the records
}

// salvage reads what can be read of the damaged file at path, and stores it in the new store to. secret
// is the damaged one's. The damaged file is not written. ok is false where nothing of a store of
// ours is to be found in it.
func salvage(ctx context.Context, path, secret string, to *Store) (r SalvageReport, ok bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return r, false, err
	}
	defer f.Close() // it is read only: there is nothing to lose
	w, ok := newWreck(f)
	if !ok {
		return r, false, nil
	}
	v := &salvor{ctx: ctx, w: w, out: &copier{ctx: ctx, to: to.db}, blobs: map[digest]*blob{}, pieces: map[uint64]map[uint32]found{}, moved: map[digest]*blob{}, named: map[Key]bool{}}
	v.sealer = sealer{path: path, secret: secret, work: to.options.work}
	v.codec.sealer = &v.sealer
	defer v.codec.close()
	defer v.out.rollback()
	rest := v.index()
	if v.records == nil && len(v.blobs) == 0 && rest[string(bucketMeta)] == nil {
		return r, false, nil
	}
	if err := v.besides(rest); err != nil {
		return r, true, err
	}
	// In the order of storing, so that the last stored is the last again.
	slices.SortFunc(v.records, func(a, b *record) int { return int(int64(a.Ordinal) - int64(b.Ordinal)) })
	for _, rec := range v.records {
		delete(v.named, rec.Key)
		if err := ctx.Err(); err != nil {
			return r, true, err
		}
		if err := v.variable(rec); err != nil {
			return r, true, err
		}
	}
	v.report.Lost = append(v.report.Lost, slices.SortedFunc(maps.Keys(v.named), func(a, b Key) int { return strings.Compare(a.String(), b.String()) })...)
	v.report.Broken = w.broken
	return v.report, true, v.finish()
}

// index reads everything but the pieces, of which it notes the places; the buckets that it doesn't need
// it returns as they are.
func (v *salvor) index() map[string][][2][]byte {
	rest := map[string][][2][]byte{}
	v.w.buckets(func(name string, root uint64, inside []byte) {
		inside = bytes.Clone(inside)
		v.w.entries(root, inside, func(key, value []byte, at found) {
			switch name {
			case string(bucketPieces):
				v.piece(key, value, at)
			case string(bucketBlobs):
				if m, err := parseBlob(value); err == nil && len(key) == len(digest{}) {
					v.blobs[digest(key)] = m
				} else {
					v.w.broken++
				}
			case string(bucketVariables):
				if r, err := parseRecord(key, value); err == nil {
					v.records = append(v.records, r)
				} else {
					v.w.broken++
				}
			case string(bucketNames): // made anew
				if k, err := decodeKey(value); err == nil {
					v.named[k] = true
				}
			default:
				rest[name] = append(rest[name], [2][]byte{bytes.Clone(key), bytes.Clone(value)})
			}
		})
	})
	return rest
}

// piece notes where a piece is. Those of a bucket that is kept inside an entry are small.
func (v *salvor) piece(key, value []byte, at found) {
	if len(key) != 12 {
		v.w.broken++
		return
	}
	id, index := binary.BigEndian.Uint64(key), binary.BigEndian.Uint32(key[8:])
	if v.pieces[id] == nil {
		v.pieces[id] = map[uint32]found{}
	}
	if at.at < 0 {
		at.at -= int64(len(v.inside)) // a place of its own
		if v.inside == nil {
			v.inside = map[found][]byte{}
		}
		v.inside[at] = bytes.Clone(value)
	}
	v.pieces[id][index] = at
}

// besides copies what is kept beside variables, as far as it can be read, and the key of the pieces.
func (v *salvor) besides(rest map[string][][2][]byte) error {
	for _, e := range rest[string(bucketMeta)] {
		if bytes.Equal(e[0], keyWrapped) {
			v.sealer.wrapped = e[1]
			if err := v.out.put(bucketMeta, keyWrapped, e[1]); err != nil {
				return err
			}
			if err := v.out.put(bucketMeta, keySchema, binary.BigEndian.AppendUint64(nil, sealedVersion)); err != nil {
				return err
			}
		}
	}
	delete(rest, string(bucketMeta))
	for name, entries := range rest {
		for _, e := range entries {
			if len(e[0]) == 0 || len(e[0]) > bolt.MaxKeySize {
				v.w.broken++
				continue
			}
			if err := v.out.put([]byte(name), e[0], e[1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// variable stores a variable whose payload can be read back whole; of another it notes the name.
func (v *salvor) variable(r *record) error {
	sum, err := parseDigest(r.SHA256)
	if err != nil {
		return err // parseRecord has parsed it
	}
	key, err := r.Key.encode()
	if err == nil && v.moved[sum] == nil {
		err = v.payload(sum)
	}
	if err != nil && !errors.Is(err, errPiece) {
		return err
	}
	if err != nil {
		v.report.Lost = append(v.report.Lost, r.Key)
		return nil
	}
	v.report.Variables++
	v.moved[sum].Refs++
	r.Ordinal = uint64(v.report.Variables)
	if err := v.out.putJSON(bucketVariables, key, r); err != nil {
		return err
	}
	return v.out.put(bucketNames, nameKey(r.Name, r.Ordinal), key)
}

// payload moves the pieces of a payload. The error is errPiece where they can't be read back.
func (v *salvor) payload(sum digest) error {
	m := v.blobs[sum]
	if m == nil || len(v.pieces[m.ID]) < int(m.Pieces) {
		return errPiece
	}
	v.ids++
	moved := &blob{ID: v.ids, Bytes: m.Bytes, Kept: m.Kept, Pieces: m.Pieces}
	hash, checked := sha256.New(), true
	for i := range m.Pieces {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		piece, ok := v.read(m.ID, i)
		if !ok || len(piece) > 0 && piece[0] == kindSealed && v.sealer.wrapped == nil { // nobody can read that any more
			return errors.Join(errPiece, v.undo(moved.ID, i))
		}
		b, err := v.codec.decode(piece, nil, int(min(pieceBytes, m.Bytes-int64(i)*pieceBytes)))
		var encrypted *EncryptedError
		switch {
		case errors.As(err, &encrypted):
			checked = false
		case err != nil:
			return errors.Join(errPiece, v.undo(moved.ID, i))
		}
		hash.Write(b)
		if err := v.out.put(bucketPieces, pieceKey(moved.ID, i), piece); err != nil {
			return err
		}
	}
	if checked && digest(hash.Sum(nil)) != sum {
		return errors.Join(errPiece, v.undo(moved.ID, m.Pieces))
	}
	if !checked {
		v.report.Unchecked++
	}
	v.moved[sum] = moved
	return nil
}

// finish writes what is known at the end only.
func (v *salvor) finish() error {
	for sum, m := range v.moved {
		if err := v.out.putJSON(bucketBlobs, sum[:], m); err != nil {
			return err
		}
	}
	for bucket, last := range map[string]uint64{string(bucketPieces): v.ids, string(bucketVariables): uint64(v.report.Variables)} {
		b, err := v.out.open([][]byte{[]byte(bucket)})
		if err == nil {
			err = b.SetSequence(last)
		}
		if err != nil {
			return err
		}
	}
	return v.out.commit()
}

// read gives a piece.
func (v *salvor) read(id uint64, index uint32) ([]byte, bool) {
	at, ok := v.pieces[id][index]
	if !ok {
		return nil, false
	}
	if at.at < 0 {
		return v.inside[at], true
	}
	b := make([]byte, at.bytes)
	_, err := v.w.f.ReadAt(b, at.at)
	return b, err == nil
}

// undo removes the first pieces of a payload that could not be read to its end.
func (v *salvor) undo(id uint64, n uint32) error {
	b, err := v.out.open([][]byte{bucketPieces})
	for i := range n {
		if err == nil {
			err = b.Delete(pieceKey(id, i))
		}
	}
	return err
}
