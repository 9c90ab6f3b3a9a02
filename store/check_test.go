package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func mustCheck(t *testing.T, s *Store) Report {
	t.Helper()
	r, err := s.Check(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestASoundStoreHasNothingToReport(t *testing.T) {
	s := mustOpen(t, at(t))
	if r := mustCheck(t, s); r.Variables != 0 || r.Payloads != 0 || r.Leftovers != 0 || r.Damaged != nil {
		t.Errorf("a new store: %+v", r)
	}
	mustPut(t, s, named("x_1"), noise(1, 3<<20))
	mustPut(t, s, named("x_2"), noise(1, 3<<20))
	mustPut(t, s, named("x_3"), nil)
	mustPut(t, s, named("x_3"), []byte("one"))
	r := mustCheck(t, s)
	if r.Variables != 3 || r.Payloads != 2 || r.Bytes != 3<<20+3 || r.Kept != 3<<20+3*5+3+5 || r.Leftovers != 0 || r.Damaged != nil {
		t.Errorf("%+v", r)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Check(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPiecesOfAnUnfinishedPayloadAreLeftoversNotDamage(t *testing.T) {
	s := mustOpen(t, at(t))
	in := s.newIntake(context.Background())
	if _, err := in.Write(noise(1, 20<<20)); err != nil {
		t.Fatal(err)
	}
	in.stop() // and here it is killed: 16 pieces are committed
	r := mustCheck(t, s)
	if r.Leftovers != 16 || r.LeftoverBytes != 16*(1<<20+5) || r.Damaged != nil {
		t.Errorf("%+v", r)
	}
}

func TestCheckNamesWhatIsDamagedAndGoesOn(t *testing.T) {
	for name, c := range map[string]struct {
		harm   func(tx *bolt.Tx) error
		reason string
		of     string // the variable, empty for the file
	}{
		"a piece is missing": {func(tx *bolt.Tx) error { return tx.Bucket(bucketPieces).Delete(pieceKey(1, 2)) }, "piece 3 of 3 is missing", "x_1"},
		"a piece is another": {func(tx *bolt.Tx) error { return tx.Bucket(bucketPieces).Put(pieceKey(1, 2), []byte("pieces")) }, "a piece does not hold what was stored", "x_1"},
		"a name is missing":  {func(tx *bolt.Tx) error { return tx.Bucket(bucketNames).Delete(nameKey("x_1", 1)) }, "it can't be found by its name", "x_1"},
		"a record is no record": {func(tx *bolt.Tx) error {
			k, _ := named("x_1").encode()
			return tx.Bucket(bucketVariables).Put(k, []byte("{"))
		}, "its record can't be read", "x_1"},
		"a payload is not there": {func(tx *bolt.Tx) error { return tx.Bucket(bucketBlobs).Delete(blobOf(tx, 3<<20)) }, "its payload is missing", "x_1"},
		"a list is no list":      {func(tx *bolt.Tx) error { return tx.Bucket(bucketBlobs).Put(blobOf(tx, 3<<20), []byte("[")) }, "a payload's list of pieces can't be read", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := mustOpen(t, at(t))
			mustPut(t, s, named("x_1"), noise(1, 3<<20))
			mustPut(t, s, named("x_2"), records(30_000))
			if err := s.update(c.harm); err != nil {
				t.Fatal(err)
			}
			r := mustCheck(t, s)
			if r.Variables != 2 || len(r.Damaged) == 0 {
				t.Fatalf("%+v", r)
			}
			d := r.Damaged[0]
			if d.Reason != c.reason || (d.Key == nil) != (c.of == "") || d.Key != nil && d.Key.Name != c.of {
				t.Errorf("%v", d)
			}
			for _, d := range r.Damaged {
				if d.Key != nil && d.Key.Name == "x_2" {
					t.Errorf("the other variable too: %v", d)
				}
			}
			wantPayload(t, s, named("x_2").Key, records(30_000))
		})
	}
}

// blobOf is the key of the payload of so many bytes.
func blobOf(tx *bolt.Tx, size int64) (key []byte) {
	_ = tx.Bucket(bucketBlobs).ForEach(func(k, _ []byte) error {
		if m, err := new(Store).blob(tx, digest(k)); err == nil && m.Bytes == size {
			key = bytes.Clone(k)
		}
		return nil
	})
	return key
}

func TestCheckSurvivesPagesThatCantBeRead(t *testing.T) {
	whole, _ := healthy(t)
	h, _ := newestHeader(bytes.NewReader(whole))
	reported := 0
	for p := int64(2); p < int64(h.pages); p += 11 {
		b := bytes.Clone(whole)
		clear(b[p*h.pageSize : (p+1)*h.pageSize])
		path := filepath.Join(t.TempDir(), "variables.db")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, Options{ReadOnly: true})
		if err == nil {
			var r Report
			r, err = s.Check(context.Background())
			if len(r.Damaged) > 0 {
				reported++
			}
			s.Close()
		}
		if err != nil {
			reported++
		}
		os.Remove(path)
	}
	if reported < 20 { // most pages hold pieces, or are no longer in use
		t.Errorf("%d damages were reported", reported)
	}
}
