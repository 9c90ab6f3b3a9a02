package store

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
)

func fact(n byte, size int) Fact {
	return Fact{Key: bytes.Repeat([]byte{n}, 32), Value: bytes.Repeat([]byte{'v'}, size)}
}

func TestFactsAreThereAfterTheStoreWasClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "variables.db")
	s := mustOpen(t, path)
	if v, err := s.Facts(fact(1, 0).Key); err != nil || v[0] != nil {
		t.Fatalf("a new store has facts: %q, %v", v, err)
	}
	if err := s.PutFacts([]Fact{fact(1, 10), fact(2, 20)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path)
	v, err := s.Facts(fact(2, 0).Key, fact(3, 0).Key, fact(1, 0).Key)
	if err != nil || len(v[0]) != 20 || v[1] != nil || len(v[2]) != 10 {
		t.Errorf("%q, %v", v, err)
	}
	report, err := s.Check(context.Background())
	if err != nil || len(report.Damaged) > 0 || report.Leftovers > 0 || report.Variables > 0 {
		t.Errorf("facts disturb the store: %+v, %v", report, err)
	}
}

func TestFactsAreDroppedBeforeTheyTakeTooMuch(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "variables.db"))
	put := func(f ...Fact) {
		t.Helper()
		if err := s.putFacts(f, 200); err != nil {
			t.Fatal(err)
		}
	}
	has := func(n byte) bool {
		t.Helper()
		v, err := s.Facts(fact(n, 0).Key)
		if err != nil {
			t.Fatal(err)
		}
		return v[0] != nil
	}
	put(fact(1, 68))
	put(fact(1, 68)) // the same once more takes no more
	put(fact(2, 68)) // 200 bytes with the first
	if !has(1) || !has(2) {
		t.Fatal("200 bytes of 200 are not kept")
	}
	put(fact(3, 1))
	if has(1) || has(2) || !has(3) {
		t.Error("over the limit the older facts go, and the new one stays")
	}
	put(fact(4, 169))
	if has(4) || !has(3) {
		t.Error("what alone is too much is not kept, and nothing goes for it")
	}
}
