package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func at(t testing.TB) string { return filepath.Join(t.TempDir(), "state", "variables.db") }

// mustOpen opens a store that does not wait for the disk: a test can't see whether it does, but that it
// takes much longer. Those that kill processes, and the benchmarks, open as everybody does.
func mustOpen(t testing.TB, path string) *Store {
	t.Helper()
	s, err := open(path, Options{}, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func giving(b []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(b); return err }
}

func named(name string) Variable {
	return Variable{Key: Key{Conversation: "c1", Policy: "moveworks", Name: name}, Tool: "list_expenses", Call: "call_9", Recording: "expenses.json", Format: "openai-chat"}
}

func mustPut(t testing.TB, s *Store, v Variable, b []byte) Variable {
	t.Helper()
	stored, err := s.Put(context.Background(), v, giving(b))
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

func wantPayload(t testing.TB, s *Store, k Key, want []byte) {
	t.Helper()
	got, err := s.Get(context.Background(), k)
	if err != nil {
		t.Fatalf("%s: %v", k, err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s: %d bytes came back for %d, or other ones", k, len(got), len(want))
	}
	var w bytes.Buffer
	if err := s.WriteTo(context.Background(), k, &w); err != nil || !bytes.Equal(w.Bytes(), want) {
		t.Fatalf("%s: WriteTo gave %d bytes for %d, %v", k, w.Len(), len(want), err)
	}
}

func remove(s *Store, k Key) error { _, err := s.Remove(k, false); return err }

func noise(seed uint64, n int) []byte {
	b := make([]byte, n)
	var key [32]byte
	key[0], key[1] = byte(seed), byte(seed>>8)
	rand.NewChaCha8(key).Read(b)
	return b
}

// someRecords are 10,000 records, each with the comma before it: about 1 MB.
var someRecords = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	for i := range 10_000 {
		fmt.Fprintf(&b, `,{"id":"EXP-%06d","employee":"E-%d","category":"travel","amount":%d.%02d,"currency":"EUR"}`, i, 1000+i*7919%4001, i*104729%900, i%100)
	}
	return b.Bytes()
})

// records is a JSON array of at least n bytes and at most one record more.
func records(n int) []byte {
	all := someRecords()
	b := make([]byte, 0, n+100)
	for len(b)+len(all) < n {
		b = append(b, all...)
	}
	end := 0
	for len(b)+end < n {
		end += bytes.IndexByte(all[end:], '}') + 1
	}
	b = append(append(b, all[:end]...), ']')
	if b[0] == ']' {
		return []byte("[]")
	}
	b[0] = '['
	return b
}

func TestPutGivesBackWhatIsKnownOfTheVariable(t *testing.T) {
	s := mustOpen(t, at(t))
	v := mustPut(t, s, named("list_expenses_1"), []byte("[]"))
	if v.Bytes != 2 || v.SHA256 != "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945" {
		t.Errorf("got %d bytes, %s", v.Bytes, v.SHA256)
	}
	if v.Tool != "list_expenses" || v.Call != "call_9" || v.Recording != "expenses.json" || v.Format != "openai-chat" || v.Stored.IsZero() {
		t.Errorf("got %+v", v)
	}
	if v.Kept != 7 {
		t.Errorf("two bytes that can't be compressed and a head of five take %d", v.Kept)
	}
}

func TestPayloadsOfEverySizeComeBack(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and with one goroutine at a time")
	}
	const mib = 1048576
	sizes := []int{0, 1, 27_999, 28_000, mib - 1, mib, mib + 1, 2*mib - 1, 2 * mib, 2*mib + 1, 16 * mib, 16*mib + 1, 17*mib + 5, 33 * mib}
	path := at(t)
	s := mustOpen(t, path)
	for i, n := range sizes {
		mustPut(t, s, named(fmt.Sprintf("noise_%d", n)), noise(uint64(i), n))
		mustPut(t, s, named(fmt.Sprintf("json_%d", n)), records(n))
	}
	s.Close()
	s = mustOpen(t, path)
	for i, n := range sizes {
		wantPayload(t, s, named(fmt.Sprintf("noise_%d", n)).Key, noise(uint64(i), n))
		wantPayload(t, s, named(fmt.Sprintf("json_%d", n)).Key, records(n))
	}
}

func TestAPayloadMayComeInSmallWrites(t *testing.T) {
	s := mustOpen(t, at(t))
	want := records(3 << 20)
	_, err := s.Put(context.Background(), named("x_1"), func(w io.Writer) error {
		for rest := want; len(rest) > 0; {
			n := min(len(rest), 4093)
			if _, err := w.Write(rest[:n]); err != nil {
				return err
			}
			rest = rest[n:]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantPayload(t, s, named("x_1").Key, want)
}

func size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func fileHash(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func TestTheSameAgainWritesNothingAtAll(t *testing.T) {
	path := at(t)
	s := mustOpen(t, path)
	small, large := records(30_000), noise(1, 5<<20)
	first := mustPut(t, s, named("small_1"), small)
	long := mustPut(t, s, named("large_1"), large)
	before := fileHash(t, path)

	if again := mustPut(t, s, named("small_1"), small); again != first {
		t.Errorf("stored again: %+v, was %+v", again, first)
	}
	announced := named("large_1")
	announced.SHA256 = long.SHA256
	again, err := s.Put(context.Background(), announced, func(io.Writer) error {
		t.Error("a payload that is announced and known was asked for")
		return nil
	})
	if err != nil || again != long {
		t.Errorf("stored again: %+v, %v", again, err)
	}
	if fileHash(t, path) != before {
		t.Error("the file changed")
	}
}

// large is more bytes than one transaction takes.
func large() int {
	if testing.Short() {
		return 18 << 20
	}
	return 40 << 20
}

func TestEqualPayloadsAreKeptOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and with one goroutine at a time")
	}
	path := at(t)
	s := mustOpen(t, path)
	payload := noise(1, large())
	first := mustPut(t, s, named("a_1"), payload)
	before := size(t, path)
	for i := range 5 {
		v := named(fmt.Sprintf("a_%d", i+2))
		v.SHA256 = first.SHA256
		mustPut(t, s, v, payload)
	}
	if after := size(t, path); after != before {
		t.Errorf("the file grew from %d to %d", before, after)
	}
	// Unannounced the pieces go in and out again: the room is used anew each time.
	mustPut(t, s, named("b_1"), payload)
	once := size(t, path)
	for i := range 3 {
		mustPut(t, s, named(fmt.Sprintf("b_%d", i+2)), payload)
	}
	if after := size(t, path); after > once+17<<20 {
		t.Errorf("the file grew from %d to %d", once, after)
	}
	for _, name := range []string{"a_1", "a_2", "a_3", "a_4", "a_5", "a_6", "b_1", "b_2", "b_3"} {
		if _, err := s.Remove(named(name).Key, false); err != nil {
			t.Fatal(err)
		}
	}
	wantPayload(t, s, named("b_4").Key, payload)
}

func TestAnotherPayloadTakesThePlaceOfTheFirst(t *testing.T) {
	s := mustOpen(t, at(t))
	mustPut(t, s, named("x_1"), []byte("one"))
	mustPut(t, s, named("x_1"), []byte("two"))
	wantPayload(t, s, named("x_1").Key, []byte("two"))
	if found, err := s.Find("x_1"); err != nil || len(found) != 1 {
		t.Errorf("found %d, %v", len(found), err)
	}
}

func TestAPayloadThatIsNotTheAnnouncedOneIsRefused(t *testing.T) {
	s := mustOpen(t, at(t))
	for _, n := range []int{10, 20 << 20} {
		v := named("x_1")
		v.SHA256 = strings.Repeat("0", 64)
		_, err := s.Put(context.Background(), v, giving(noise(1, n)))
		var mismatch *MismatchError
		if !errors.As(err, &mismatch) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if all, err := s.List(); len(all) != 0 || err != nil {
		t.Errorf("%d variables, %v", len(all), err)
	}
	if n := piecesIn(t, s); n != 0 {
		t.Errorf("%d pieces are left", n)
	}
	v := named("x_1")
	v.SHA256 = "ABC"
	if _, err := s.Put(context.Background(), v, giving(nil)); err == nil {
		t.Error("a SHA-256 that is none was taken")
	}
}

func TestAnInterruptedPutLeavesNothing(t *testing.T) {
	failing := errors.New("no more")
	for _, n := range []int{100, large()} {
		s := mustOpen(t, at(t))
		_, err := s.Put(context.Background(), named("x_1"), func(w io.Writer) error {
			if _, err := w.Write(noise(1, n)); err != nil {
				return err
			}
			return failing
		})
		if !errors.Is(err, failing) {
			t.Errorf("got %v", err)
		}

		ctx, cancel := context.WithCancel(context.Background())
		_, err = s.Put(ctx, named("x_1"), func(w io.Writer) error {
			_, _ = w.Write(noise(1, n))
			cancel()
			_, _ = w.Write(noise(1, n)) // passes over the error
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if all, err := s.List(); len(all) != 0 || err != nil {
			t.Errorf("%d variables, %v", len(all), err)
		}
		if left := piecesIn(t, s); left != 0 {
			t.Errorf("%d pieces are left", left)
		}
		mustPut(t, s, named("x_1"), noise(1, n))
		if _, err := s.Get(ctx, named("x_1").Key); n > 100 && !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled Get gave %v", err)
		}
		wantPayload(t, s, named("x_1").Key, noise(1, n))
	}
}

func TestSeveralMayPutAtOnce(t *testing.T) {
	s := mustOpen(t, at(t))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 4 {
				n := []int{100, 30_000, 1 << 20, 18 << 20}[i]
				v := named(fmt.Sprintf("v%d_%d", g, i))
				if _, err := s.Put(context.Background(), v, giving(noise(uint64(g%3), n))); err != nil {
					t.Error(err)
				}
				if b, err := s.Get(context.Background(), v.Key); err != nil || !bytes.Equal(b, noise(uint64(g%3), n)) {
					t.Errorf("%d bytes came back, %v", len(b), err)
				}
			}
		})
	}
	wg.Wait()
	if all, err := s.List(); len(all) != 32 || err != nil {
		t.Errorf("%d variables, %v", len(all), err)
	}
	// Three seeds of four sizes: 12 payloads, of 1, 1, 1 and 18 pieces.
	if n := piecesIn(t, s); n != 3*21 {
		t.Errorf("%d pieces, want 63", n)
	}
}

func TestAFullStoreSaysSoAndStaysUsable(t *testing.T) {
	path := at(t)
	s, err := Open(path, Options{MaxBytes: 32 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustPut(t, s, named("x_1"), noise(1, 1<<20))
	_, err = s.Put(context.Background(), named("x_2"), giving(noise(2, 80<<20)))
	var full *FullError
	if !errors.As(err, &full) || full.Limit != 32<<20 {
		t.Fatalf("got %v", err)
	}
	mustPut(t, s, named("x_3"), noise(3, 1<<20))
	wantPayload(t, s, named("x_1").Key, noise(1, 1<<20))
	wantPayload(t, s, named("x_3").Key, noise(3, 1<<20))
}

func TestABatchIsThereAfterItsCommit(t *testing.T) {
	s := mustOpen(t, at(t))
	b := s.Batch()
	ctx := context.Background()
	payloads := [][]byte{nil, []byte("one"), []byte("one"), records(30_000), noise(1, 20<<20), noise(1, 20<<20)}
	for i, p := range payloads {
		if err := b.Put(ctx, named(fmt.Sprintf("b_%d", i)), giving(p)); err != nil {
			t.Fatal(err)
		}
	}
	if all, _ := s.List(); len(all) != 0 {
		t.Errorf("%d variables before the commit", len(all))
	}
	stored, err := b.Commit(ctx)
	if err != nil || len(stored) != len(payloads) {
		t.Fatalf("%d stored, %v", len(stored), err)
	}
	for i, p := range payloads {
		if stored[i].Name != fmt.Sprintf("b_%d", i) || stored[i].Bytes != int64(len(p)) {
			t.Errorf("stored %+v at %d", stored[i], i)
		}
		wantPayload(t, s, stored[i].Key, p)
	}
	if n := piecesIn(t, s); n != 1+1+20 {
		t.Errorf("%d pieces, want 22", n)
	}
}

func TestABatchIsFullAfter500Variables(t *testing.T) {
	s := mustOpen(t, at(t))
	b := s.Batch()
	for i := range 500 {
		if b.Full() {
			t.Fatalf("full after %d", i)
		}
		if err := b.Put(context.Background(), named(fmt.Sprintf("b_%d", i)), giving([]byte{1})); err != nil {
			t.Fatal(err)
		}
	}
	if !b.Full() {
		t.Error("not full after 500")
	}
	b.Discard()
	if all, _ := s.List(); len(all) != 0 || b.Full() {
		t.Errorf("%d variables of a batch that was given up", len(all))
	}
}

func TestAPayloadThatIsRemovedBeforeTheCommitIsWrittenAgain(t *testing.T) {
	s := mustOpen(t, at(t))
	ctx := context.Background()
	for _, n := range []int{100, 20 << 20} {
		old := mustPut(t, s, named("old"), noise(1, n))
		v := named("new")
		v.SHA256 = old.SHA256
		b := s.Batch()
		if err := b.Put(ctx, v, giving(noise(1, n))); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Remove(old.Key, false); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		wantPayload(t, s, v.Key, noise(1, n))
		if _, err := s.Remove(v.Key, false); err != nil {
			t.Fatal(err)
		}
	}
}

// What was put into a batch when nothing would have changed is looked at again when it is committed.
func TestABatchOfWhatWasStoredHoldsWhateverComesBetween(t *testing.T) {
	ctx := context.Background()
	for _, between := range []struct {
		name string
		do   func(*Store) error
	}{
		{"nothing", func(*Store) error { return nil }},
		{"another payload", func(s *Store) error { mustPut(t, s, named("x"), []byte("second")); return nil }},
		{"removal", func(s *Store) error { return remove(s, named("x").Key) }},
		{"removal, and the payload elsewhere", func(s *Store) error {
			mustPut(t, s, named("y"), []byte("first"))
			return remove(s, named("x").Key)
		}},
	} {
		s := mustOpen(t, at(t))
		mustPut(t, s, named("x"), []byte("first"))
		b := s.Batch()
		if err := b.Put(ctx, named("x"), giving([]byte("first"))); err != nil {
			t.Fatal(err)
		}
		if err := between.do(s); err != nil {
			t.Fatal(err)
		}
		stored, err := b.Commit(ctx)
		if err != nil || len(stored) != 1 || stored[0].Bytes != 5 {
			t.Fatalf("%s: %+v, %v", between.name, stored, err)
		}
		wantPayload(t, s, named("x").Key, []byte("first"))
		if r := mustCheck(t, s); r.Damaged != nil || r.Leftovers != 0 {
			t.Errorf("%s: %+v", between.name, r)
		}
	}
}

// Within one batch the last payload under a key stays, though the first and the last are the stored one.
func TestTheLastOfABatchStays(t *testing.T) {
	ctx := context.Background()
	s := mustOpen(t, at(t))
	mustPut(t, s, named("x"), []byte("first"))
	b := s.Batch()
	for _, p := range []string{"first", "second", "first"} {
		if err := b.Put(ctx, named("x"), giving([]byte(p))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	wantPayload(t, s, named("x").Key, []byte("first"))
	if n := piecesIn(t, s); n != 1 {
		t.Errorf("%d pieces, want 1", n)
	}
}
