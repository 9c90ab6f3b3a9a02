package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
)

// What the store keeps beside variables can quote the data, or tells of it.
const (
	secretFilter = `.rows[] | select(.iban == "SECRET-IBAN-OF-A-FILTER")`
	secretNamed  = `.rows[] | select(.iban == "SECRET-IBAN-OF-A-NAME")`
	secretFact   = "SECRET-MEASURE"
)

func keepBeside(t *testing.T, s *Store) {
	t.Helper()
	if err := errors.Join(s.RememberQuery(PastQuery{Of: named("x_1").Key, Filter: secretFilter}),
		s.NameQuery(NamedQuery{"who", secretNamed}),
		s.PutFacts([]Fact{{Key: bytes.Repeat([]byte{7}, 32), Value: []byte(secretFact)}})); err != nil {
		t.Fatal(err)
	}
}

func wantBeside(t *testing.T, s *Store) {
	t.Helper()
	if got := fmt.Sprint(filters(t, s)); got != "[x_1 "+secretFilter+"]" {
		t.Errorf("it remembers %s", got)
	}
	if list, err := s.NamedQueries(); err != nil || fmt.Sprint(list) != "[{who "+secretNamed+"}]" {
		t.Errorf("%v, %v", list, err)
	}
	if v, err := s.Facts(bytes.Repeat([]byte{7}, 32)); err != nil || string(v[0]) != secretFact {
		t.Errorf("%q, %v", v, err)
	}
}

// secretsIn are the secrets that stand in the file as they are.
func secretsIn(t *testing.T, path string) (texts []string) {
	t.Helper()
	for _, text := range []string{"SECRET-IBAN-OF-A-FILTER", "SECRET-IBAN-OF-A-NAME", secretFact} {
		if inFile(t, path, text) != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

func TestFiltersAndFactsAreEncrypted(t *testing.T) {
	path := at(t)
	s := mustOpenWith(t, path, quick("a passphrase"))
	keepBeside(t, s)
	keepBeside(t, s) // again takes the place of the first
	wantBeside(t, s)
	s.Close()
	if texts := secretsIn(t, path); texts != nil {
		t.Errorf("%v in the file", texts)
	}
	wantBeside(t, mustOpenWith(t, path, quick("a passphrase")))
}

func TestACompactionEncryptsFiltersAndFacts(t *testing.T) {
	path := at(t)
	s := mustOpen(t, path)
	keepBeside(t, s)
	s.Close()
	if texts := secretsIn(t, path); len(texts) != 3 {
		t.Fatalf("without a key only %v are in the file", texts)
	}
	s = mustOpenWith(t, path, quick("a passphrase"))
	wantBeside(t, s)
	if r, err := s.Compact(context.Background()); err != nil || r.Sealed != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	wantBeside(t, s)
	keepBeside(t, s)
	wantBeside(t, s)
	if r, err := s.Compact(context.Background()); err != nil || r.Sealed != 0 {
		t.Errorf("again: %+v, %v", r, err)
	}
	s.Close()
	if texts := secretsIn(t, path); texts != nil {
		t.Errorf("%v in the file", texts)
	}
	wantBeside(t, mustOpenWith(t, path, quick("a passphrase")))
}

func TestWithoutTheKeyFiltersAndFactsAreNotGiven(t *testing.T) {
	path := at(t)
	s := mustOpenWith(t, path, quick("a passphrase"))
	keepBeside(t, s)
	s.Close()
	for _, secret := range []string{"", "another one"} {
		s := mustOpenWith(t, path, quick(secret))
		past, err1 := s.PastQueries()
		list, err2 := s.NamedQueries()
		facts, err3 := s.Facts(bytes.Repeat([]byte{7}, 32))
		tries := []error{err1, err2, err3, s.RememberQuery(PastQuery{Filter: ".y"}), s.NameQuery(NamedQuery{"y", ".y"}),
			s.PutFacts([]Fact{{Key: bytes.Repeat([]byte{8}, 32), Value: []byte("v")}})}
		for i, err := range tries {
			var encrypted *EncryptedError
			if !errors.As(err, &encrypted) {
				t.Errorf("with %q, %d: %v", secret, i, err)
			}
		}
		if past != nil || list != nil || facts[0] != nil {
			t.Errorf("with %q: %v, %v, %q", secret, past, list, facts)
		}
		if err := s.NameQuery(NamedQuery{Name: "nobody"}); err == nil {
			t.Errorf("with %q: a name was taken away", secret)
		}
		s.Close()
	}
	wantBeside(t, mustOpenWith(t, path, quick("a passphrase")))
}

// The room that facts take counts as it does in a store that does not encrypt, before and after the store is
// compacted.
func TestSealedFactsCountAsPlainOnes(t *testing.T) {
	path := at(t)
	s := mustOpen(t, path)
	put := func(f ...Fact) {
		t.Helper()
		if err := s.putFacts(f, 200); err != nil {
			t.Fatal(err)
		}
	}
	put(fact(1, 68))
	s.Close()
	s = mustOpenWith(t, path, quick("a passphrase"))
	if _, err := s.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	put(fact(1, 68))
	put(fact(2, 68)) // 200 bytes with the first
	v, err := s.Facts(fact(1, 0).Key, fact(2, 0).Key)
	if err != nil || len(v[0]) != 68 || len(v[1]) != 68 {
		t.Errorf("200 bytes of 200 are not kept: %q, %v", v, err)
	}
	put(fact(3, 1))
	v, err = s.Facts(fact(1, 0).Key, fact(2, 0).Key, fact(3, 0).Key)
	if err != nil || v[0] != nil || v[1] != nil || len(v[2]) != 1 {
		t.Errorf("over the limit: %q, %v", v, err)
	}
}
