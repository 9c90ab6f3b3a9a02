package store

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// A Retention says what GC keeps. Its zero value keeps every variable.
type Retention struct {
	Age    time.Duration // how long a variable stays after it was last used; 0 is without limit
	Count  int           // how many variables stay, those used last; 0 is without limit
	Bytes  int64         // how many bytes their payloads may have, equal ones counted once; 0 is without limit
	Policy string        // the only policy whose variables are looked at; empty is all
}

// A GCReport is what GC removed, or would remove.
type GCReport struct {
	DryRun  bool         `json:"dry_run"`
	Removed []Tombstone  `json:"removed"` // those not used for longest first
	Derived []Derivation `json:"derived"` // facts and ledgers that went with them; results have an age of their own
	// Payloads that no variable has any more, their bytes, and what they took in the file. The file
	// keeps its size and these bytes until they are written over: Compact takes them out.
	Payloads int   `json:"payloads"`
	Bytes    int64 `json:"bytes"`
	Kept     int64 `json:"kept"`
	// Pieces that belonged to no payload, and what they took.
	Leftovers     int   `json:"leftovers"`
	LeftoverBytes int64 `json:"leftover_bytes"`
	Left          int   `json:"left"` // variables that stay, of all policies
}

// GC removes what a retention does not keep, leaves a tombstone of each, and removes the pieces that
// killed writes left. It is one transaction: all of it happens or nothing. With dryRun nothing does.
// Errors: *DamagedError, the context's.
func (s *Store) GC(ctx context.Context, r Retention, dryRun bool) (GCReport, error) {
	run := s.update
	if dryRun {
		run = s.view
	}
	var report GCReport
	err := run(func(tx *bolt.Tx) error {
		c := &collector{s: s, ctx: ctx, tx: tx, retention: r, report: GCReport{DryRun: dryRun, Removed: []Tombstone{}, Derived: []Derivation{}}}
		if err := c.choose(); err != nil {
			return err
		}
		if err := c.collect(dryRun); err != nil {
			return err
		}
		report = c.report
		return c.leftovers(dryRun, &report)
	})
	if err != nil {
		return GCReport{}, err
	}
	return report, nil
}

// A collector finds what a retention does not keep.
type collector struct {
	s         *Store
	ctx       context.Context
	tx        *bolt.Tx
	retention Retention
	report    GCReport
	doomed    []doomed
}

type doomed struct {
	*record
	why Why
}

// choose finds the variables that go: first those not used for too long, then of the others those not
// used for longest, as many as are too many or too large.
func (c *collector) choose() error {
	var stay []*record
	limit := c.s.now().Add(-c.retention.Age)
	err := c.tx.Bucket(bucketVariables).ForEach(func(key, b []byte) error {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		r, err := c.s.decodeRecord(c.tx, key, b)
		switch {
		case err != nil:
			return err
		case c.retention.Policy != "" && r.Policy != c.retention.Policy:
			c.report.Left++
		case c.retention.Age > 0 && r.Used.Before(limit):
			c.doomed = append(c.doomed, doomed{r, Expired})
		default:
			stay = append(stay, r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	sortByUse(stay, func(r *record) *record { return r })
	sortByUse(c.doomed, func(d doomed) *record { return d.record })
	holders, bytes := map[string]int{}, int64(0)
	for _, r := range stay {
		if holders[r.SHA256]++; holders[r.SHA256] == 1 {
			bytes += r.Bytes
		}
	}
	for len(stay) > 0 && (c.retention.Count > 0 && len(stay) > c.retention.Count || c.retention.Bytes > 0 && bytes > c.retention.Bytes) {
		r := stay[0]
		stay = stay[1:]
		c.doomed = append(c.doomed, doomed{r, Evicted})
		if holders[r.SHA256]--; holders[r.SHA256] == 0 {
			bytes -= r.Bytes
		}
	}
	c.report.Left += len(stay)
	return nil
}

// sortByUse puts what was not used for longest first; of equal times, what was stored first.
func sortByUse[T any](all []T, of func(T) *record) {
	slices.SortFunc(all, func(a, b T) int {
		if c := of(a).Used.Compare(of(b).Used); c != 0 {
			return c
		}
		return int(int64(of(a).Ordinal) - int64(of(b).Ordinal))
	})
}

// collect reports what goes, and removes it where it is no dry run.
func (c *collector) collect(dryRun bool) error {
	gone := map[digest]int64{}
	for _, d := range c.doomed {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		key, err := d.encode()
		if err != nil {
			return err
		}
		beside, err := c.s.beside(c.tx, d.Key, key)
		if err != nil {
			return err
		}
		c.report.Derived = append(c.report.Derived, beside...)
		if err := c.count(d.record, gone); err != nil {
			return err
		}
		t, err := c.s.tombstone(c.tx, d.record, key, d.why)
		if err != nil {
			return err
		}
		c.report.Removed = append(c.report.Removed, t)
		if dryRun {
			continue
		}
		if err := c.s.bury(c.tx, d.record, key, t); err != nil {
			return err
		}
		if err := dropBeside(c.tx, beside); err != nil {
			return err
		}
	}
	return nil
}

// count adds the payload of a variable that goes to the report where no other variable has it. gone are
// the variables that each payload loses and still counts: none where they are removed one by one.
func (c *collector) count(r *record, gone map[digest]int64) error {
	sum, err := parseDigest(r.SHA256)
	if err != nil {
		return err
	}
	m, err := c.s.blob(c.tx, sum)
	if err != nil || m == nil {
		return err
	}
	if c.report.DryRun {
		gone[sum]++
	}
	if m.Refs-max(gone[sum], 1) <= 0 {
		c.report.Payloads++
		c.report.Bytes += m.Bytes
		c.report.Kept += m.Kept
	}
	return nil
}

// leftovers reports pieces of payloads that were never finished and are not under way, and removes them
// where it is no dry run.
func (c *collector) leftovers(dryRun bool, report *GCReport) error {
	pieces := map[uint64]uint32{}
	err := c.tx.Bucket(bucketBlobs).ForEach(func(key, _ []byte) error {
		if len(key) != len(digest{}) {
			return &DamagedError{Path: c.s.path, Reason: "a payload's key is none"}
		}
		m, err := c.s.blob(c.tx, digest(key))
		if err == nil {
			pieces[m.ID] = m.Pieces
		}
		return err
	})
	if err != nil {
		return err
	}
	var keys [][]byte
	err = c.tx.Bucket(bucketPieces).ForEach(func(key, piece []byte) error {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if len(key) == 12 {
			id := binary.BigEndian.Uint64(key)
			if binary.BigEndian.Uint32(key[8:]) < pieces[id] || c.s.intakes.has(id) {
				return nil
			}
		}
		keys = append(keys, key)
		report.Leftovers++
		report.LeftoverBytes += int64(len(piece))
		return nil
	})
	if err != nil || dryRun {
		return err
	}
	for i, key := range keys {
		keys[i] = slices.Clone(key) // it lives in a page that a removal may change
	}
	for _, key := range keys {
		if err := c.tx.Bucket(bucketPieces).Delete(key); err != nil {
			return err
		}
	}
	return nil
}
