package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// healthy makes a store of a few variables and gives the file's bytes and what it holds.
func healthy(t *testing.T) ([]byte, map[Key][]byte) {
	t.Helper()
	path := at(t)
	s := mustOpen(t, path)
	held := map[Key][]byte{}
	for i, p := range [][]byte{nil, []byte("one"), records(30_000), records(2 << 20), noise(1, 1<<20+5)} {
		v := named(fmt.Sprintf("x_%d", i))
		mustPut(t, s, v, p)
		held[v.Key] = p
	}
	for i := range 60 { // enough for pages that branch
		v := named(fmt.Sprintf("y_%d", i))
		v.Conversation = strings.Repeat("long ", 40)
		p := records(300 + i*40)
		mustPut(t, s, v, p)
		held[v.Key] = p
	}
	s.Close()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b, held
}

func TestFilesThatAreNoStoreAreRefusedAndLeftAlone(t *testing.T) {
	whole, _ := healthy(t)
	h, ok := newestHeader(bytes.NewReader(whole))
	if !ok {
		t.Fatal("a healthy store has no header")
	}
	used := int(h.pages) * int(h.pageSize)
	cut := func(n int) []byte { return whole[:n] }
	flipped := bytes.Clone(whole)
	flipped[16] ^= 1
	flipped[4096+16] ^= 1
	for name, content := range map[string][]byte{
		"one byte":               {0},
		"text":                   []byte("the quick brown fox\n"),
		"long text":              bytes.Repeat([]byte("the quick brown fox\n"), 10_000),
		"JSON":                   records(100_000),
		"zeros":                  make([]byte, 1<<20),
		"noise":                  noise(7, 1<<20),
		"cut in the first page":  cut(100),
		"cut after one page":     cut(4096),
		"cut after two pages":    cut(8192),
		"cut after four pages":   cut(16384),
		"cut in the middle":      cut(used / 2),
		"cut by one page":        cut(used - 4096),
		"cut by one byte":        cut(used - 1),
		"both first pages bad":   flipped,
		"zeroed from the middle": append(bytes.Clone(cut(8192)), make([]byte, 100)...),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "variables.db")
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, readOnly := range []bool{false, true} {
				_, err := Open(path, Options{ReadOnly: readOnly})
				var damaged *DamagedError
				if !errors.As(err, &damaged) || damaged.Path != path || damaged.Reason == "" {
					t.Errorf("read-only %v: %v", readOnly, err)
				}
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, content) {
				t.Errorf("the file changed, %v", err)
			}
		})
	}
	var damaged *DamagedError
	if _, err := Open(t.TempDir(), Options{}); !errors.As(err, &damaged) {
		t.Errorf("a folder: %v", err)
	}
}

func TestWhatFollowsTheLastPageDoesNotMatter(t *testing.T) {
	whole, held := healthy(t)
	h, _ := newestHeader(bytes.NewReader(whole))
	path := filepath.Join(t.TempDir(), "variables.db")
	if err := os.WriteFile(path, whole[:int(h.pages)*int(h.pageSize)], 0o600); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, path)
	for k, want := range held {
		wantPayload(t, s, k, want)
	}
}

func bare(t *testing.T, noFreelistSync bool, fill func(*bolt.Tx) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bare.db")
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoFreelistSync: noFreelistSync})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Update(fill); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// newerStore is the file of a program that doesn't exist yet.
func newerStore(t *testing.T) string {
	return bare(t, false, func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte("meta"))
		if err != nil {
			return err
		}
		return b.Put([]byte("schema"), binary.BigEndian.AppendUint64(nil, 3))
	})
}

func TestForeignAndNewerStoresAreRefusedAndLeftAlone(t *testing.T) {
	foreign := func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("users")); return err }
	version := func(v uint64) func(*bolt.Tx) error {
		return func(tx *bolt.Tx) error {
			b, err := tx.CreateBucket([]byte("meta"))
			if err != nil {
				return err
			}
			return b.Put([]byte("schema"), binary.BigEndian.AppendUint64(nil, v))
		}
	}
	var damaged *DamagedError
	var newer *VersionError
	for name, c := range map[string]struct {
		path string
		want any
	}{
		"another program's":                     {bare(t, false, foreign), &damaged},
		"another program's without free pages":  {bare(t, true, foreign), &damaged},
		"a newer program's":                     {bare(t, false, version(3)), &newer},
		"a newer program's, by far":             {bare(t, false, version(1<<40)), &newer},
		"ours without its parts":                {bare(t, false, version(1)), &damaged},
		"ours with a version of another length": {bare(t, false, func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("meta")); return err }), &damaged},
	} {
		before := fileHash(t, c.path)
		for _, readOnly := range []bool{true, false} {
			if _, err := Open(c.path, Options{ReadOnly: readOnly}); !errors.As(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if fileHash(t, c.path) != before {
			t.Errorf("%s: the file changed", name)
		}
	}
	if newer == nil || newer.Known != 2 {
		t.Errorf("the error says %+v", newer)
	}
}

func TestEmptyAndUnbegunFilesAreNewStores(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "variables.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{empty, bare(t, false, func(*bolt.Tx) error { return nil })} {
		s := mustOpen(t, path)
		mustPut(t, s, named("x_1"), []byte("one"))
		wantPayload(t, s, named("x_1").Key, []byte("one"))
		s.Close()
	}
}

// use does everything that reads, then writes. Any error is fine but with what the damage did not touch;
// a crash or wrong bytes never are. opened is false where the file was refused.
func use(t *testing.T, path string, held map[Key][]byte, untouched map[Key]bool) (failures int, opened bool) {
	t.Helper()
	count := func(err error) {
		if err != nil {
			failures++
		}
	}
	s, err := open(path, Options{}, true)
	if err != nil {
		return 1, false
	}
	defer s.Close()
	_, err = s.List()
	count(err)
	_, err = s.Find("x_1")
	count(err)
	ctx := context.Background()
	for k, want := range held {
		got, err := s.Get(ctx, k)
		count(err)
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%s came back with other bytes and no error", k.Name)
		}
		if err != nil && untouched[k] {
			t.Fatalf("%s was not touched and did not come back: %v", k.Name, err)
		}
	}
	if r, err := s.Check(ctx); err != nil || r.Damaged != nil {
		failures++
	}
	_, err = s.GC(ctx, Retention{Count: 1}, true)
	count(err)
	_, err = s.Compact(ctx)
	count(err)
	_, err = s.Put(ctx, named("new"), giving(records(40_000)))
	count(err)
	if err == nil {
		got, err := s.Get(ctx, named("new").Key)
		count(err)
		if err == nil && !bytes.Equal(got, records(40_000)) {
			t.Fatal("what was stored came back with other bytes and no error")
		}
	}
	_, err = s.Remove(named("x_3").Key, false)
	count(err)
	_, err = s.GC(ctx, Retention{Count: 1}, false)
	count(err)
	return failures, true
}

// readBack sets a damaged file aside. What the damage did not touch must be in the new store, and nothing
// wrong.
func readBack(t *testing.T, path string, held map[Key][]byte, untouched map[Key]bool) (set bool) {
	t.Helper()
	r, err := SetAside(context.Background(), path, Options{})
	var sound *SoundError
	switch {
	case errors.As(err, &sound):
		return false
	case err != nil:
		t.Fatal(err)
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	if r.Salvage != nil && len(all) != r.Salvage.Variables || r.Salvage == nil && len(all) > 0 {
		t.Fatalf("%d variables, said were %+v", len(all), r.Salvage)
	}
	for _, v := range all {
		want, known := held[v.Key]
		if got, err := s.Get(context.Background(), v.Key); err != nil || !known || !bytes.Equal(got, want) {
			t.Fatalf("%s was read back wrong: %v", v.Name, err)
		}
		delete(untouched, v.Key)
	}
	for k := range untouched {
		t.Fatalf("%s was not touched and not read back", k.Name)
	}
	if r := mustCheck(t, s); r.Damaged != nil {
		t.Fatalf("the new store: %v", r.Damaged)
	}
	return true
}

// A damage changes bytes from first to before end; a cut keeps the bytes before first.
type damage struct {
	what       string
	first, end int
	do         func(part []byte)
}

// damages are at random places, half of them among the pages of keys, which are few and where damage is
// worst.
func damages(r *rand.Rand, used, page int, trees []int, n int) []damage {
	flip := func(part []byte) { part[0] ^= 1 << r.IntN(8) }
	change := func(part []byte) { part[0] ^= byte(1 + r.IntN(255)) }
	zero := func(part []byte) { clear(part) }
	spoil := func(part []byte) {
		for i := range part {
			part[i] = byte(r.IntN(256))
		}
	}
	var all []damage
	for i := range n {
		tree := trees[r.IntN(len(trees))] * page
		anywhere := r.IntN(used)
		rest := used - anywhere
		all = append(all, []damage{
			{"a bit in a page of keys", tree + r.IntN(page), 0, flip},
			{"a bit", anywhere, 0, flip},
			{"a byte in the head of a page of keys", tree + r.IntN(200), 0, change},
			{"zeros", anywhere, anywhere + 1 + r.IntN(min(rest, 3*page)), zero},
			{"a page of keys of zeros", tree, tree + page, zero},
			{"noise", anywhere, anywhere + 1 + r.IntN(min(rest, 2*page)), spoil},
			{"noise in a page of keys", tree + 16, tree + 80, spoil},
			{"a cut", anywhere, used, nil},
		}[i%8])
		if d := &all[i]; d.end == 0 {
			d.end = d.first + 1
		}
	}
	return all
}

// TestDamageIsToldAndTouchesNothingElse damages a healthy file at many places, with a fixed seed, uses it
// and sets it aside.
func TestDamageIsToldAndTouchesNothingElse(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, for many seconds")
	}
	whole, held := healthy(t)
	pages, h := pagesOf(t, whole)
	page := int(h.pageSize)
	var trees []int
	for p := 0; p < int(h.pages); p++ {
		if flags := binary.NativeEndian.Uint16(whole[p*page+8:]); binary.NativeEndian.Uint64(whole[p*page:]) == uint64(p) && flags != 0 && flags < 0x20 {
			trees = append(trees, p)
		}
	}
	const rounds = 240
	r := rand.New(rand.NewPCG(1, 2))
	found, refused, aside, survivors := 0, 0, 0, 0
	for _, d := range damages(r, int(h.pages)*page, page, trees, rounds) {
		t.Logf("%s from %d to %d", d.what, d.first, d.end)
		b := bytes.Clone(whole)
		if d.do == nil {
			b = b[:d.first]
		} else {
			d.do(b[d.first:d.end])
		}
		folder := t.TempDir()
		path, other := filepath.Join(folder, "variables.db"), filepath.Join(folder, "other.db")
		for _, p := range []string{path, other} {
			if err := os.WriteFile(p, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		untouched := pages.untouched(int64(d.first), int64(d.end))
		survivors += len(untouched)
		failures, opened := use(t, path, held, untouched)
		if failures > 0 {
			found++
		}
		if !opened {
			refused++
		}
		if readBack(t, other, held, untouched) {
			aside++
		}
		os.RemoveAll(folder)
	}
	t.Logf("of %d damages %d met an error, %d of them at once; %d were set aside; %d of %d variables were not touched", rounds, found, refused, aside, survivors, rounds*len(held))
	if found < rounds/3 || refused == 0 || aside < rounds/4 || survivors < rounds*len(held)/3 {
		t.Error("the damages are not of the kinds that were meant")
	}
}

func TestAPageBelowItselfIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and with one goroutine at a time")
	}
	whole, _ := healthy(t)
	h, _ := newestHeader(bytes.NewReader(whole))
	refused := 0
	for p := uint64(2); p < h.pages; p++ {
		at := int64(p) * h.pageSize
		if binary.NativeEndian.Uint64(whole[at:]) != p || binary.NativeEndian.Uint16(whole[at+8:]) != 0x01 {
			continue // no branch
		}
		count := int64(binary.NativeEndian.Uint16(whole[at+10:]))
		for i := range count {
			b := bytes.Clone(whole)
			binary.NativeEndian.PutUint64(b[at+16+i*16+8:], p)
			path := filepath.Join(t.TempDir(), "variables.db")
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(path, Options{})
			var damaged *DamagedError
			if errors.As(err, &damaged) {
				refused++
			} else if err == nil {
				s.Close() // a page that is no longer in use
			}
			os.Remove(path)
		}
	}
	if refused == 0 {
		t.Error("no branch was found in use")
	}
}

func TestADamagedPieceIsToldFromItsNeighbours(t *testing.T) {
	path := at(t)
	s := mustOpen(t, path)
	payload := noise(9, 3<<20) // kept as it is, so its bytes are found in the file
	mustPut(t, s, named("bad"), payload)
	mustPut(t, s, named("good"), records(30_000))
	s.Close()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A page that was copied when its neighbour changed is still in the file: all copies are damaged.
	needle, copies := payload[2<<20+1000:2<<20+1100], 0
	for i := bytes.Index(b, needle); i >= 0; i = bytes.Index(b, needle) {
		b[i] ^= 1
		copies++
	}
	if copies == 0 {
		t.Fatal("the third piece is not in the file")
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path)
	var damaged *DamagedError
	if _, err := s.Get(context.Background(), named("bad").Key); !errors.As(err, &damaged) || damaged.Key == nil || damaged.Key.Name != "bad" {
		t.Errorf("got %v", err)
	}
	var w bytes.Buffer
	if err := s.WriteTo(context.Background(), named("bad").Key, &w); !errors.As(err, &damaged) || w.Len() != 2<<20 {
		t.Errorf("%d bytes were written before %v", w.Len(), err)
	}
	wantPayload(t, s, named("good").Key, records(30_000))
}
