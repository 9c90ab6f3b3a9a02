package store

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"filippo.io/age"
	bolt "go.etcd.io/bbolt"
)

// Encryption is age's for one small thing, the key of the pieces: 32 random bytes that are encrypted to
// the user's passphrase or age identity and kept in the file. The pieces have AES-256-GCM under it, with
// a random nonce each. So the user's key can be anything that age takes, and only one slow step is needed
// for a whole store.

const dataKeyBytes = 32

// What a passphrase costs, as the exponent of scrypt's N: 2^17 is the least that OWASP's "Password
// Storage Cheat Sheet" names for r=8, p=1: 128 MiB and some 0.3 s. A file may not ask for more than 2^20.
const (
	scryptWork    = 17
	scryptWorkMax = 20
)

// An EncryptedError says that payloads can't be read or written for want of the right key.
type EncryptedError struct {
	Path   string
	Reason string
}

func (e *EncryptedError) Error() string {
	return fmt.Sprintf("the payloads in the store %s are encrypted: %s", e.Path, e.Reason)
}

// A sealer encrypts and decrypts pieces. The user's key is tried at the first need: a passphrase is slow.
type sealer struct {
	path    string
	secret  string // the user's; empty where none was given
	work    int
	wrapped []byte // the key of the pieces, encrypted; nil in a store without encryption

	once sync.Once
	aead cipher.AEAD
	err  error
}

// Encrypted tells whether the store encrypts payloads.
func (s *Store) Encrypted() bool { return s.sealer.wrapped != nil }

// Unlock tries the key. It does nothing where the store is not encrypted. Error: *EncryptedError.
func (s *Store) Unlock() error {
	if !s.Encrypted() {
		return nil
	}
	return s.sealer.unlock()
}

func (l *sealer) unlock() error {
	l.once.Do(func() {
		if l.secret == "" {
			l.err = &EncryptedError{Path: l.path, Reason: "no key was given"}
			return
		}
		_, identities, err := parseSecret(l.secret, l.work)
		if err != nil {
			l.err = &EncryptedError{Path: l.path, Reason: err.Error()}
			return
		}
		key := make([]byte, dataKeyBytes)
		r, err := age.Decrypt(bytes.NewReader(l.wrapped), identities...)
		if err == nil {
			_, err = io.ReadFull(r, key)
		}
		if err == nil {
			l.aead, err = newAEAD(key)
		}
		if err != nil { // age's words could only confuse: they speak of a file
			l.err = &EncryptedError{Path: l.path, Reason: "the key that was given is not theirs"}
		}
	})
	return l.err
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// parseSecret makes of the user's key what age takes: age identities, where the text holds any, else a
// passphrase. No error repeats a part of it.
func parseSecret(secret string, work int) ([]age.Recipient, []age.Identity, error) {
	if strings.Contains(secret, "AGE-SECRET-KEY-") {
		identities, err := age.ParseIdentities(strings.NewReader(secret))
		if err != nil {
			return nil, nil, errors.New("the key is no age identity")
		}
		var recipients []age.Recipient
		for _, i := range identities {
			switch i := i.(type) {
			case *age.X25519Identity:
				recipients = append(recipients, i.Recipient())
			case *age.HybridIdentity:
				recipients = append(recipients, i.Recipient())
			}
		}
		return recipients, identities, nil
	}
	r, err := age.NewScryptRecipient(secret)
	if err != nil {
		return nil, nil, errors.New("the key can't be a passphrase")
	}
	i, err := age.NewScryptIdentity(secret)
	if err != nil {
		return nil, nil, errors.New("the key can't be a passphrase")
	}
	r.SetWorkFactor(work)
	i.SetMaxWorkFactor(scryptWorkMax)
	return []age.Recipient{r}, []age.Identity{i}, nil
}

// encrypt makes a key for the pieces and keeps it, encrypted to the user's. What the store held until then
// stays readable as it is; Compact encrypts it.
func (s *Store) encrypt() error {
	refuse := func(why string) error { return &EncryptedError{Path: s.path, Reason: why} }
	recipients, _, err := parseSecret(s.sealer.secret, s.sealer.work)
	if err != nil {
		return refuse(err.Error())
	}
	key := make([]byte, dataKeyBytes)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	var wrapped bytes.Buffer
	w, err := age.Encrypt(&wrapped, recipients...)
	if err == nil {
		if _, err = w.Write(key); err == nil {
			err = w.Close()
		}
	}
	if err != nil {
		return refuse("the key can't be used")
	}
	err = s.update(func(tx *bolt.Tx) error {
		return putWrapped(tx, wrapped.Bytes())
	})
	if err == nil {
		s.sealer.wrapped = wrapped.Bytes()
	}
	return err
}

// putWrapped makes a store one that encrypts.
func putWrapped(tx *bolt.Tx, wrapped []byte) error {
	meta := tx.Bucket(bucketMeta)
	if err := meta.Put(keyWrapped, wrapped); err != nil {
		return err
	}
	return meta.Put(keySchema, binary.BigEndian.AppendUint64(nil, sealedVersion))
}

// seal encrypts bytes where the store encrypts; else it gives them back.
func (s *Store) seal(b []byte) ([]byte, error) {
	if err := s.Unlock(); err != nil || !s.Encrypted() {
		return b, err
	}
	return s.sealer.seal(b), nil
}

// unseal gives back what seal was given, and bytes that were kept without a key as they are. Error:
// errPiece where they can't be decrypted, *EncryptedError.
func (s *Store) unseal(b []byte) ([]byte, error) {
	switch {
	case len(b) == 0 || b[0] != kindSealed:
		return b, nil
	case !s.Encrypted():
		return nil, errPiece // the key was lost with a damaged part of the file
	}
	return s.sealer.open(b)
}

// seal gives the sealed piece that holds b. The key must be there.
func (l *sealer) seal(b []byte) []byte {
	out := append(make([]byte, 0, 1+len(b)+l.aead.Overhead()), kindSealed)
	return l.aead.Seal(out, nil, b, nil)
}

// open decrypts a sealed piece.
func (l *sealer) open(piece []byte) ([]byte, error) {
	if err := l.unlock(); err != nil {
		return nil, err
	}
	b, err := l.aead.Open(nil, nil, piece[1:], nil)
	if err != nil {
		return nil, errPiece
	}
	return b, nil
}
