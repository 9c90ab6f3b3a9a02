package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// inFile gives the first of the texts that a file holds.
func inFile(t testing.TB, path string, texts ...string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if bytes.Contains(b, []byte(text)) {
			return text
		}
	}
	return ""
}

// What can't be compressed is kept as it is, so that it is found in the file while it is there.
func TestCompactTakesTheBytesOfWhatIsGoneOutOfTheFile(t *testing.T) {
	path := at(t)
	s := mustOpen(t, path)
	marked := func(seed uint64, marker string) []byte {
		b := noise(seed, 2<<20+100)
		copy(b[1<<20-20:], marker+marker) // over the end of the first piece
		copy(b[2<<20:], marker)
		return b
	}
	mustPut(t, s, named("gone_1"), marked(1, "THE-REMOVED-MARKER"))
	mustPut(t, s, named("old_1"), marked(2, "THE-EVICTED-MARKER"))
	mustPut(t, s, named("kept_1"), marked(3, "THE-KEPT-MARKER"))
	if _, err := s.Remove(named("gone_1").Key, false); err != nil {
		t.Fatal(err)
	}
	// Looked for at once: the next transaction may write over pages that are free.
	if inFile(t, path, "THE-REMOVED-MARKER") == "" {
		t.Fatal("nothing is to be shown: the file forgets what is removed by itself")
	}
	mustGC(t, s, Retention{Count: 1}, false)
	if inFile(t, path, "THE-EVICTED-MARKER") == "" {
		t.Fatal("nothing is to be shown: the file forgets what is evicted by itself")
	}
	r, err := s.Compact(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if left := inFile(t, path, "THE-REMOVED-MARKER", "THE-EVICTED-MARKER"); left != "" {
		t.Errorf("%s is still in the file", left)
	}
	if inFile(t, path, "THE-KEPT-MARKER") == "" {
		t.Error("what is kept is not in the file")
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 || r.After != info.Size() || r.After >= r.Before || r.Sealed != 0 {
		t.Errorf("%+v, %v, %v", r, info, err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("%v are beside it", files)
	}
	wantPayload(t, s, named("kept_1").Key, marked(3, "THE-KEPT-MARKER"))
	mustPut(t, s, named("after_1"), records(2<<20))
	s.Close()
	s = mustOpen(t, path)
	wantPayload(t, s, named("after_1").Key, records(2<<20))
	if r := mustCheck(t, s); r.Damaged != nil || r.Variables != 2 || r.Leftovers != 0 {
		t.Errorf("%+v", r)
	}
	if all, _ := s.Tombstones(); len(all) != 2 {
		t.Errorf("%d tombstones", len(all))
	}
}

func TestCompactCopiesPartsThatItDoesNotKnow(t *testing.T) {
	s := mustOpen(t, at(t))
	err := s.update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte("later"))
		if err == nil {
			err = b.Put([]byte("a"), []byte("1"))
		}
		if err == nil {
			b, err = b.CreateBucket([]byte("inner"))
		}
		if err == nil {
			err = b.Put([]byte("b"), nil)
		}
		return errors.Join(err, b.SetSequence(7))
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	err = s.view(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("later"))
		inner := b.Bucket([]byte("inner"))
		if string(b.Get([]byte("a"))) != "1" || inner.Get([]byte("b")) == nil || inner.Sequence() != 7 {
			t.Error("it is not all there")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestACancelledCompactionLeavesTheStoreAsItWas(t *testing.T) {
	path := at(t)
	s := mustOpen(t, path)
	mustPut(t, s, named("x_1"), noise(1, 3<<20))
	before := fileHash(t, path)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Compact(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 || fileHash(t, path) != before {
		t.Errorf("%v", files)
	}
	mustPut(t, s, named("x_2"), []byte("two"))
	wantPayload(t, s, named("x_1").Key, noise(1, 3<<20))
}

func TestWhatAKilledCompactionLeftIsRemoved(t *testing.T) {
	path := at(t)
	mustOpen(t, path).Close()
	left := path + ".new"
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err != nil {
		t.Error("a store that is only read removed it: a compaction may be at work")
	}
	r.Close()
	mustOpen(t, path)
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestAStoreBehindALinkStaysBehindIt(t *testing.T) {
	real := at(t)
	s := mustOpen(t, real)
	s.Close()
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	s = mustOpen(t, link)
	mustPut(t, s, named("x_1"), []byte("one"))
	if _, err := s.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("%v, %v", info, err)
	}
	wantPayload(t, mustOpen(t, real), named("x_1").Key, []byte("one"))
}

// An opening that waits for the lock gets the file that a compaction put in place, not the one that has
// no name any more.
func TestAnOpeningThatWaitedForACompactionGetsTheNewFile(t *testing.T) {
	path := at(t)
	s := mustOpen(t, path)
	mustPut(t, s, named("x_1"), noise(1, 1<<20))
	type opened struct {
		s   *Store
		err error
	}
	waiting := make(chan opened)
	go func() {
		s, err := Open(path, Options{Timeout: 10 * time.Second})
		waiting <- opened{s, err}
	}()
	time.Sleep(100 * time.Millisecond) // it has opened the old file by now, or never will
	if _, err := s.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	mustPut(t, s, named("x_2"), []byte("two"))
	s.Close()
	o := <-waiting
	if o.err != nil {
		t.Fatal(o.err)
	}
	mustPut(t, o.s, named("x_3"), []byte("three"))
	o.s.Close()
	s = mustOpen(t, path)
	for name, want := range map[string]string{"x_2": "two", "x_3": "three"} {
		wantPayload(t, s, named(name).Key, []byte(want))
	}
}

func TestCompactAndGCRunBesideReadersAndWriters(t *testing.T) {
	s := mustOpen(t, at(t))
	want := records(2 << 20)
	mustPut(t, s, named("read"), want)
	ctx := context.Background()
	var all sync.WaitGroup
	done := make(chan struct{})
	for i := range 2 {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				if b, err := s.Get(ctx, named("read").Key); err != nil || !bytes.Equal(b, want) {
					t.Errorf("a reader: %v", err)
					return
				}
				v := named("w_" + string(rune('a'+i)))
				if _, err := s.Put(ctx, v, giving(records(1<<20+n*1000+i))); err != nil {
					t.Errorf("a writer: %v", err)
					return
				}
				wantPayload(t, s, v.Key, records(1<<20+n*1000+i))
			}
		})
	}
	for range 8 {
		mustGC(t, s, Retention{Age: time.Hour}, false)
		if _, err := s.Compact(ctx); err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	all.Wait()
	if r := mustCheck(t, s); r.Damaged != nil || r.Leftovers != 0 {
		t.Errorf("%+v", r)
	}
}
