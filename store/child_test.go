package store

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Other processes of these tests are this same binary, told by the environment what to do.
const childTask = "FLOODMARK_STORE_CHILD"

func TestMain(m *testing.M) {
	task, path, ok := strings.Cut(os.Getenv(childTask), " ")
	if !ok {
		os.Exit(m.Run())
	}
	// A kill takes nothing from what the system was given to write, so that "live" need not wait for the
	// disk, which would make the kills as slow as the disk is busy.
	s, err := open(path, Options{ReadOnly: task == "read"}, task == "live")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("open")
	if task == "live" {
		liveForEver(s)
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // hold the store until the parent lets go
	s.Close()
	os.Exit(0)
}

// killedPayload is what a child stores as number i: of several pieces, each of which is committed by
// itself, and every fourth a short one.
func killedPayload(i int) []byte {
	if i%4 == 3 {
		return records(1000 + i)
	}
	return records(3<<20 + i)
}

// liveForEver stores variables, and removes, collects and compacts now and then, until it is killed. Each
// line says what is done: "put 7", "gone 3"; "going 3" comes before a removal, "begun 7" after a write's
// first commit.
func liveForEver(s *Store) {
	s.perCommit = 1
	someRecords()
	ctx := context.Background()
	fail := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	all, err := s.List()
	fail(err)
	next, oldest := 0, 1<<30
	for _, v := range all {
		i := numberOf(v)
		next, oldest = max(next, i+1), min(oldest, i)
	}
	stones, err := s.Tombstones()
	fail(err)
	for _, t := range stones {
		next = max(next, numberOf(Variable{Key: t.Key})+1)
	}
	for i := next; ; i++ {
		_, err := s.Put(ctx, named(fmt.Sprintf("v_%d", i)), telling(s, i, killedPayload(i)))
		fail(err)
		fmt.Println("put", i)
		oldest = min(oldest, i)
		if i-oldest >= 3 {
			fmt.Println("going", oldest)
			if i%2 == 0 {
				_, err = s.Remove(named(fmt.Sprintf("v_%d", oldest)).Key, false)
			} else {
				_, err = s.GC(ctx, Retention{Count: i - oldest}, false)
			}
			fail(err)
			fmt.Println("gone", oldest)
			oldest++
		}
		if i%5 == 4 {
			_, err := s.Compact(ctx)
			fail(err)
		}
	}
}

// telling gives a payload in small parts, and says when pieces of it are in the file: with the second
// piece of a long one it waits for that.
func telling(s *Store, i int, b []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		told, written := false, 0
		for len(b) > 0 {
			n := min(len(b), 1<<16)
			if _, err := w.Write(b[:n]); err != nil {
				return err
			}
			b = b[n:]
			if written += n; told || written < 2*pieceBytes {
				continue
			}
			for !s.intakes.any() {
				time.Sleep(100 * time.Microsecond)
			}
			told = true
			fmt.Println("begun", i)
		}
		return nil
	}
}

// any tells whether any payload has pieces in the file.
func (i *intakes) any() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return len(i.ids) > 0
}

func numberOf(v Variable) int {
	i, _ := strconv.Atoi(strings.TrimPrefix(v.Name, "v_"))
	return i
}

type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// startChild runs a task on the store at path and returns when the child has opened it.
func startChild(t *testing.T, task, path string) *child {
	t.Helper()
	c := &child{cmd: exec.Command(os.Args[0])}
	c.cmd.Env = append(os.Environ(), childTask+"="+task+" "+path)
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	c.lines = bufio.NewScanner(out)
	if !c.lines.Scan() || c.lines.Text() != "open" {
		t.Fatalf("the child says %q", c.lines.Text())
	}
	return c
}

func (c *child) end(t *testing.T) {
	t.Helper()
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestAStoreThatAnotherProcessHoldsIsLocked(t *testing.T) {
	path := at(t)
	mustOpen(t, path).Close()
	for _, c := range []struct {
		other    string
		readOnly bool
		locked   bool
	}{{"hold", false, true}, {"hold", true, true}, {"read", false, true}, {"read", true, false}} {
		other := startChild(t, c.other, path)
		s, err := Open(path, Options{ReadOnly: c.readOnly, Timeout: 10 * time.Millisecond})
		var locked *LockedError
		if errors.As(err, &locked) != c.locked || !c.locked && err != nil {
			t.Errorf("another process has it to %s, opened with read-only %v: %v", c.other, c.readOnly, err)
		}
		if c.locked && (locked == nil || locked.Path != path) {
			t.Errorf("the error names %+v", locked)
		}
		if s != nil {
			s.Close()
		}
		other.end(t)
	}
	mustOpen(t, path) // and free again
}

// TestAKilledProcessLosesNothingItAcknowledged kills processes that write at random moments. After each
// kill all that was acknowledged is there, what was not is whole or absent, and nothing is damaged. Most
// kills must come between a write's first commit and its last: then pieces are in the file that nobody
// has.
func TestAKilledProcessLosesNothingItAcknowledged(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 6
	}
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	path := at(t)
	within, compacting, acknowledged := 0, 0, 0
	sums, typical := map[int]string{}, 10*time.Millisecond
	held, going := map[int]bool{}, -1 // what is acknowledged; what may be there or not
	for range kills {
		c := startChild(t, "live", path)
		// The moment is random: in seven of eight rounds after a first commit, else after any line, and
		// then within the time from a first commit to the last.
		since, begun, armed, any := time.Now(), false, false, r.IntN(8) == 0
		skip := r.IntN(2)
		for c.lines.Scan() {
			what, number, _ := strings.Cut(c.lines.Text(), " ")
			if !armed && (any || what == "begun") {
				if skip--; skip < 0 {
					armed = true
					time.AfterFunc(time.Duration(r.Int64N(int64(typical))), func() { _ = c.cmd.Process.Kill() })
				}
			}
			i, err := strconv.Atoi(number)
			if err != nil {
				t.Fatalf("the child says %q", c.lines.Text())
			}
			switch what {
			case "put":
				held[i] = true
				acknowledged++
				if begun {
					typical = max(time.Since(since), time.Millisecond)
				}
			case "going":
				delete(held, i)
				going = i
			case "gone":
				going = -1
			}
			since, begun = time.Now(), what == "begun"
		}
		_ = c.cmd.Wait() // it was killed: that is the error
		if _, err := os.Stat(unfinished(path)); err == nil {
			compacting++
		}
		s := mustOpen(t, path)
		if _, err := os.Stat(unfinished(path)); err == nil {
			t.Error("what a killed compaction left is still there")
		}
		report := mustCheck(t, s) // each byte against its hash
		if report.Damaged != nil {
			t.Fatal(report.Damaged)
		}
		if report.Leftovers > 0 {
			within++
			if gc := mustGC(t, s, Retention{}, false); gc.Leftovers != report.Leftovers || len(gc.Removed) > 0 {
				t.Errorf("%+v", gc)
			}
		}
		all, err := s.List()
		if err != nil {
			t.Fatal(err)
		}
		there := map[int]bool{}
		for _, v := range all {
			i := numberOf(v)
			there[i] = true
			if sums[i] == "" {
				sums[i] = hexSum(killedPayload(i))
			}
			if v.SHA256 != sums[i] {
				t.Errorf("v_%d is not what was stored", i)
			}
		}
		for i := range held {
			if !there[i] {
				t.Errorf("v_%d was acknowledged and is not there", i)
			}
		}
		stones, err := s.Tombstones()
		if err != nil {
			t.Fatal(err)
		}
		if going >= 0 && !there[going] && !slices.ContainsFunc(stones, func(t Tombstone) bool { return t.Name == fmt.Sprintf("v_%d", going) }) {
			t.Errorf("v_%d went without a tombstone", going)
		}
		going = -1
		held = there
		s.Close()
	}
	t.Logf("%d of %d kills came between a write's first commit and its last, %d while the store was compacted; %d writes were acknowledged", within, kills, compacting, acknowledged)
	if !testing.Short() && within < (kills+1)/2 {
		t.Errorf("only %d of %d kills came between a write's first commit and its last", within, kills)
	}
}

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
