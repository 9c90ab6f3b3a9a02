package store

import (
	"bytes"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// Find resolves "NAME" or "CONVERSATION/NAME"; the last slash parts them, since names have none and
// conversations may. Of several (a name in other conversations or under other policies) the one
// stored last comes first, in the order of the commits; the others follow. Error: *NotFoundError.
func (s *Store) Find(reference string) ([]Variable, error) {
	name, conversation := reference, ""
	slash := strings.LastIndexByte(reference, '/')
	if slash >= 0 {
		conversation, name = reference[:slash], reference[slash+1:]
	}
	var out []Variable
	err := s.view(func(tx *bolt.Tx) error {
		prefix := append([]byte(escaping.Replace(name)), 0)
		c := tx.Bucket(bucketNames).Cursor()
		for k, key := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, key = c.Next() {
			r, err := s.record(tx, key)
			if err != nil {
				return err
			}
			if r != nil && (slash < 0 || r.Conversation == conversation) {
				out = append(out, r.Variable)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, &NotFoundError{Reference: reference}
	}
	slices.Reverse(out)
	return out, nil
}

// List lists all variables by conversation, policy and name.
func (s *Store) List() ([]Variable, error) {
	var out []Variable
	err := s.view(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketVariables).ForEach(func(k, b []byte) error {
			r, err := s.decodeRecord(k, b)
			if err == nil {
				out = append(out, r.Variable)
			}
			return err
		})
	})
	return out, err
}

// Remove removes a variable, and its payload where no other variable has it. The file keeps its size;
// the room is used again. Error: *NotFoundError.
func (s *Store) Remove(k Key) error {
	key, err := k.encode()
	if err != nil {
		return err
	}
	return s.update(func(tx *bolt.Tx) error {
		r, err := s.record(tx, key)
		if err != nil {
			return err
		}
		if r == nil {
			return &NotFoundError{Reference: k.String()}
		}
		if err := s.forget(tx, r); err != nil {
			return err
		}
		return tx.Bucket(bucketVariables).Delete(key)
	})
}
