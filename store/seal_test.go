package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"filippo.io/age"
	bolt "go.etcd.io/bbolt"
)

// quick is a passphrase that costs little.
func quick(secret string) Options { return Options{Secret: secret, work: 1} }

func mustOpenWith(t testing.TB, path string, o Options) *Store {
	t.Helper()
	s, err := open(path, o, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

const secretText = "THE-SECRET-OF-THE-PAYLOAD"

// secretPayload can't be compressed, so that its text would be found in the file.
func secretPayload() []byte {
	b := noise(1, 2<<20)
	copy(b[100:], secretText)
	copy(b[1<<20+100:], secretText)
	return b
}

func identity(t *testing.T) string {
	t.Helper()
	i, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return "# created: today\n" + i.String() + "\n"
}

func TestAnEncryptedStoreGivesPayloadsToWhoHasTheKey(t *testing.T) {
	hybrid, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	for name, secret := range map[string]string{"passphrase": "correct horse battery", "identity": identity(t), "post-quantum identity": hybrid.String()} {
		t.Run(name, func(t *testing.T) {
			path := at(t)
			s := mustOpenWith(t, path, quick(secret))
			mustPut(t, s, named("x_1"), secretPayload())
			mustPut(t, s, named("x_2"), records(30_000))
			mustPut(t, s, named("x_3"), nil)
			if err := s.PutDerived(context.Background(), Derivation{Of: named("x_1").Key, Kind: "facts", Name: "f"}, []byte(secretText)); err != nil {
				t.Fatal(err)
			}
			s.Close()
			if left := inFile(t, path, secretText, "EXP-0000", strings.TrimSpace(secret), "VEhFLVNFQ1JFVC1PRi1USEUtUEFZTE9BRA"); left != "" {
				t.Errorf("%q is in the file", left)
			}
			for _, readOnly := range []bool{true, false} {
				o := quick(secret)
				o.ReadOnly = readOnly
				s = mustOpenWith(t, path, o)
				wantPayload(t, s, named("x_1").Key, secretPayload())
				wantPayload(t, s, named("x_2").Key, records(30_000))
				wantPayload(t, s, named("x_3").Key, nil)
				if b, err := s.GetDerived(named("x_1").Key, "facts", "f"); err != nil || string(b) != secretText {
					t.Errorf("%q, %v", b, err)
				}
				if r := mustCheck(t, s); r.Damaged != nil || r.Plain != 0 {
					t.Errorf("%+v", r)
				}
				s.Close()
			}
		})
	}
}

func TestWithoutTheRightKeyNamesAreListedAndPayloadsAreNot(t *testing.T) {
	path := at(t)
	right := identity(t)
	s := mustOpenWith(t, path, quick(right))
	mustPut(t, s, named("x_1"), secretPayload())
	s.Close()
	for _, c := range []struct{ secret, reason string }{
		{"", "no key was given"},
		{"another", "the key that was given is not theirs"},
		{identity(t), "the key that was given is not theirs"},
		{"AGE-SECRET-KEY-1BROKEN", "the key is no age identity"},
	} {
		s := mustOpenWith(t, path, quick(c.secret))
		all, err := s.List()
		if err != nil || len(all) != 1 || all[0].Name != "x_1" || all[0].Bytes != 2<<20 {
			t.Errorf("%q: %+v, %v", c.secret, all, err)
		}
		ctx := context.Background()
		_, get := s.Get(ctx, named("x_1").Key)
		_, put := s.Put(ctx, named("x_2"), giving([]byte("in the clear")))
		_, check := s.Check(ctx)
		_, known := s.Put(ctx, Variable{Key: Key{"c", "p", "n"}, SHA256: all[0].SHA256}, giving(secretPayload()))
		for i, err := range []error{s.Unlock(), get, put, check, known, s.WriteTo(ctx, named("x_1").Key, io.Discard),
			s.PutDerived(ctx, Derivation{Of: named("x_1").Key, Kind: "facts"}, nil)} {
			var encrypted *EncryptedError
			if !errors.As(err, &encrypted) || encrypted.Reason != c.reason || encrypted.Path != path {
				t.Errorf("%q, way %d: %v", c.secret, i, err)
			}
			if c.secret != "" && strings.Contains(err.Error(), c.secret) {
				t.Errorf("the error repeats the key: %v", err)
			}
		}
		s.Close()
	}
	s = mustOpenWith(t, path, quick("")) // what needs no payload needs no key
	if r := mustGC(t, s, Retention{}, false); r.Left != 1 {
		t.Errorf("%+v", r)
	}
	if _, err := s.Compact(context.Background()); err != nil {
		t.Error(err)
	}
	s.Close()
	wantPayload(t, mustOpenWith(t, path, quick(right)), named("x_1").Key, secretPayload())
}

func TestACompactionEncryptsWhatWasThereBefore(t *testing.T) {
	path := at(t)
	s := mustOpen(t, path)
	mustPut(t, s, named("x_1"), secretPayload())
	if s.Encrypted() {
		t.Error("a store without a key says that it encrypts")
	}
	s.Close()
	s = mustOpenWith(t, path, quick("a passphrase"))
	mustPut(t, s, named("x_2"), noise(5, 1<<20))
	if r := mustCheck(t, s); r.Plain != 2 || r.Damaged != nil || !s.Encrypted() {
		t.Errorf("%+v", r)
	}
	wantPayload(t, s, named("x_1").Key, secretPayload())
	r, err := s.Compact(context.Background())
	if err != nil || r.Sealed != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	wantPayload(t, s, named("x_1").Key, secretPayload())
	s.Close()
	if inFile(t, path, secretText) != "" {
		t.Error("the payload is in the file")
	}
	s = mustOpenWith(t, path, quick("a passphrase"))
	wantPayload(t, s, named("x_1").Key, secretPayload())
	wantPayload(t, s, named("x_2").Key, noise(5, 1<<20))
	if r := mustCheck(t, s); r.Plain != 0 || r.Damaged != nil {
		t.Errorf("%+v", r)
	}
}

func TestAStoreThatIsOnlyReadIsNotMadeToEncrypt(t *testing.T) {
	path := at(t)
	s := mustOpen(t, path)
	mustPut(t, s, named("x_1"), []byte("one"))
	s.Close()
	before := fileHash(t, path)
	o := quick("a passphrase")
	o.ReadOnly = true
	s = mustOpenWith(t, path, o)
	wantPayload(t, s, named("x_1").Key, []byte("one"))
	s.Close()
	if fileHash(t, path) != before {
		t.Error("the file changed")
	}
}

// A store from before anything but variables was known is one of version 1, and stays one until it is to
// encrypt.
func TestTheVersionGoesUpWithEncryption(t *testing.T) {
	path := at(t)
	version := func() byte {
		s := mustOpenWith(t, path, Options{})
		defer s.Close()
		var v []byte
		if err := s.view(func(tx *bolt.Tx) error { v = bytes.Clone(tx.Bucket(bucketMeta).Get(keySchema)); return nil }); err != nil || len(v) != 8 {
			t.Fatal(v, err)
		}
		return v[7]
	}
	s := mustOpen(t, path)
	mustPut(t, s, named("x_1"), []byte("one"))
	mustGC(t, s, Retention{Count: 1}, false)
	s.Close()
	if v := version(); v != 1 {
		t.Errorf("version %d without encryption", v)
	}
	mustOpenWith(t, path, quick("p")).Close()
	if v := version(); v != 2 {
		t.Errorf("version %d with encryption", v)
	}
}

// Damage to what is encrypted is damage, not a missing key.
func TestADamagedSealedPieceIsDamage(t *testing.T) {
	s := mustOpenWith(t, at(t), quick("p"))
	mustPut(t, s, named("x_1"), secretPayload())
	mustPut(t, s, named("x_2"), []byte("two"))
	err := s.update(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketPieces)
		piece := bytes.Clone(b.Get(pieceKey(1, 1)))
		piece[1000] ^= 1
		return b.Put(pieceKey(1, 1), piece)
	})
	if err != nil {
		t.Fatal(err)
	}
	var damaged *DamagedError
	if _, err := s.Get(context.Background(), named("x_1").Key); !errors.As(err, &damaged) || damaged.Key == nil {
		t.Errorf("got %v", err)
	}
	wantPayload(t, s, named("x_2").Key, []byte("two"))
	if r := mustCheck(t, s); len(r.Damaged) != 1 || r.Damaged[0].Key.Name != "x_1" {
		t.Errorf("%+v", r)
	}
}
