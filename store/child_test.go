package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
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
	s, err := Open(path, Options{ReadOnly: task == "read"})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("open")
	if task == "write" {
		writeForEver(s)
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // hold the store until the parent lets go
	s.Close()
	os.Exit(0)
}

// killedPayload is what a child stores as number i: every fourth is long enough for several transactions.
func killedPayload(i int) []byte {
	if i%4 == 3 {
		return noise(uint64(i), 18<<20)
	}
	return records(1000 * (i + 1))
}

// writeForEver prints the number of each variable after it is acknowledged.
func writeForEver(s *Store) {
	for i := 0; ; i++ {
		if _, err := s.Put(context.Background(), named(fmt.Sprintf("v_%d", i)), giving(killedPayload(i))); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(i)
	}
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

func TestAKilledWriterLosesNothingItAcknowledged(t *testing.T) {
	path := at(t)
	for round, last := range []int{0, 2, 6} {
		c := startChild(t, "write", path)
		acknowledged := -1
		for acknowledged < last && c.lines.Scan() {
			n, err := strconv.Atoi(c.lines.Text())
			if err != nil {
				t.Fatalf("the child says %q", c.lines.Text())
			}
			acknowledged = n
		}
		if err := c.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.cmd.Wait() // it was killed: that is the error

		s := mustOpen(t, path)
		for i := range acknowledged + 1 {
			wantPayload(t, s, named(fmt.Sprintf("v_%d", i)).Key, killedPayload(i))
		}
		all, err := s.List()
		if err != nil || len(all) <= acknowledged {
			t.Errorf("round %d: %d variables after %d acknowledged, %v", round, len(all), acknowledged+1, err)
		}
		for _, v := range all { // what was not acknowledged is there whole or not at all
			i, _ := strconv.Atoi(strings.TrimPrefix(v.Name, "v_"))
			wantPayload(t, s, v.Key, killedPayload(i))
		}
		if r := mustCheck(t, s); r.Damaged != nil {
			t.Errorf("round %d: %v", round, r.Damaged)
		}
		mustPut(t, s, named("after"), records(1000))
		s.Close()
	}
}
