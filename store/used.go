package store

import (
	"encoding/binary"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

// usedEvery is how exactly the time of the last use is known: a variable that is read again within it
// counts as read when it was first.
const usedEvery = time.Minute

// Uses are reads that wait for the next commit: a read alone never waits for the disk. Those of a
// process that is killed are lost.
type uses struct {
	mu      sync.Mutex
	waiting map[string]time.Time // by key
}

func (u *uses) of(key []byte) time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.waiting[string(key)]
}

func (u *uses) any() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.waiting) > 0
}

// add notes reads, where they are later than what waits.
func (u *uses) add(more map[string]time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.waiting == nil {
		u.waiting = map[string]time.Time{}
	}
	for key, t := range more {
		if t.After(u.waiting[key]) {
			u.waiting[key] = t
		}
	}
}

// take gives what waits, which waits no more.
func (u *uses) take() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	t := u.waiting
	u.waiting = nil
	return t
}

// lastUse is when the variable under key, which was stored at some time, was used last.
func (s *Store) lastUse(tx *bolt.Tx, key []byte, stored time.Time) time.Time {
	last := stored
	if b := entry(tx, bucketUsed, key); len(b) == 8 {
		if t := time.Unix(int64(binary.BigEndian.Uint64(b)), 0).UTC(); t.After(last) {
			last = t
		}
	}
	if t := s.uses.of(key); t.After(last) {
		last = t
	}
	return last
}

// touch notes that a variable is read now.
func (s *Store) touch(key []byte, last time.Time) {
	if now := s.now().UTC().Truncate(time.Second); now.Sub(last) >= usedEvery {
		s.uses.add(map[string]time.Time{string(key): now})
	}
}

// putUses writes reads of variables that are still there.
func putUses(tx *bolt.Tx, all map[string]time.Time) error {
	for key, t := range all {
		if tx.Bucket(bucketVariables).Get([]byte(key)) == nil {
			continue
		}
		if err := keep(tx, bucketUsed, []byte(key), binary.BigEndian.AppendUint64(nil, uint64(t.Unix()))); err != nil {
			return err
		}
	}
	return nil
}

// saveUses writes the reads that wait. Should it fail, a variable counts as used earlier than it was.
func (s *Store) saveUses() {
	if s.uses.any() {
		_ = s.update(func(*bolt.Tx) error { return nil })
	}
}

// noteReads does so for a store that was open to be read and is closed now, where nobody holds the file.
func noteReads(path string, all map[string]time.Time) {
	if len(all) == 0 {
		return
	}
	s, err := Open(path, Options{Timeout: time.Millisecond})
	if err != nil {
		return
	}
	s.uses.add(all)
	_ = s.Close() // which saves them
}
