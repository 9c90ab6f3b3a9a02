package store

import (
	bolt "go.etcd.io/bbolt"
)

// A Removal is what Remove did.
type Removal struct {
	Removed []Tombstone  `json:"removed"` // the variable, and results that were made of it where they were to go too
	Derived []Derivation `json:"derived"` // what derives from it: removed too, or still there
}

// Remove removes a variable, and its payload where no other variable has it, and leaves a tombstone. The
// file keeps its size, and the payload's bytes until they are written over: Compact takes them out.
// With derived it removes what derives from the variable, too. Errors: *NotFoundError; *RemovedError or
// *ExpiredError where it is gone already.
func (s *Store) Remove(k Key, derived bool) (Removal, error) {
	key, err := k.encode()
	if err != nil {
		return Removal{}, err
	}
	var out Removal
	err = s.update(func(tx *bolt.Tx) error {
		out = Removal{}
		r, err := s.record(tx, key)
		if err != nil {
			return err
		}
		if r == nil {
			return s.missing(tx, k, key)
		}
		if out.Derived, err = s.derived(tx, k); err != nil {
			return err
		}
		if err := s.removeOne(tx, r, key, Removed, &out.Removed); err != nil || !derived {
			return err
		}
		for _, d := range out.Derived {
			if d.Kind != DerivedResult {
				continue
			}
			key, err := Key{k.Conversation, k.Policy, d.Name}.encode()
			if err != nil {
				return err
			}
			r, err := s.record(tx, key)
			if err == nil {
				err = s.removeOne(tx, r, key, Removed, &out.Removed)
			}
			if err != nil {
				return err
			}
		}
		return dropBeside(tx, out.Derived)
	})
	if err != nil {
		return Removal{}, err
	}
	return out, nil
}

// removeOne buries a variable and adds its tombstone to those.
func (s *Store) removeOne(tx *bolt.Tx, r *record, key []byte, why Why, tombstones *[]Tombstone) error {
	t, err := s.tombstone(tx, r, key, why)
	if err != nil {
		return err
	}
	*tombstones = append(*tombstones, t)
	return s.bury(tx, r, key, t)
}
