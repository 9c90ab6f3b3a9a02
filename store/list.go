package store

import (
	"bytes"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// Find resolves "NAME" or "CONVERSATION/NAME"; the last slash parts them, since names have none and
// conversations may. Of several (a name in other conversations or under other policies) the one
// stored last comes first, in the order of the commits; the others follow. Errors: *NotFoundError;
// *RemovedError or *ExpiredError where all that had the name are gone.
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
		if len(out) == 0 {
			return s.missingNamed(tx, reference, name, conversation, slash < 0)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Reverse(out)
	return out, nil
}

// List lists all variables by conversation, policy and name.
func (s *Store) List() ([]Variable, error) {
	var out []Variable
	err := s.view(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketVariables).ForEach(func(k, b []byte) error {
			r, err := s.decodeRecord(tx, k, b)
			if err == nil {
				out = append(out, r.Variable)
			}
			return err
		})
	})
	return out, err
}
