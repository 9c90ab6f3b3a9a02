package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// filters lists the filters that were run, the last one first.
func filters(t *testing.T, s *Store) []string {
	t.Helper()
	list, err := s.PastQueries()
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, q := range list {
		out = append(out, q.Of.Name+" "+q.Filter)
	}
	return out
}

func TestFiltersAreRememberedInTheOrderOfTheirLastUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "variables.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(filters(t, s)); got != "[]" {
		t.Errorf("a new store remembers %s", got)
	}
	a, b := Key{"c1", "moveworks", "a_1"}, Key{"c1", "moveworks", "b_1"}
	for _, q := range []PastQuery{{Of: a, Filter: ".x"}, {Of: a, Filter: ".y"}, {Of: b, Filter: ".x"}, {Of: a, Filter: ".x"}} {
		if err := s.RememberQuery(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(path, Options{}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := fmt.Sprint(filters(t, s)); got != "[a_1 .x b_1 .x a_1 .y]" {
		t.Errorf("it remembers %s", got)
	}
}

func TestTheOldestFiltersAreForgotten(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and with one goroutine at a time")
	}
	s, err := Temporary()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range MaxPastQueries + 5 {
		if err := s.RememberQuery(PastQuery{Filter: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	got := filters(t, s)
	if len(got) != 1000 || got[0] != " 1004" || got[999] != " 5" {
		t.Errorf("%d are remembered, from %s to %s", len(got), got[0], got[len(got)-1])
	}
}

func TestAFilterHasANameUntilItIsTakenAway(t *testing.T) {
	s, err := Temporary()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, q := range []NamedQuery{{"sums", ".a"}, {"count", "length"}, {"sums", ".b"}, {"gone", "."}, {"gone", ""}} {
		if err := s.NameQuery(q); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.NamedQueries()
	if got := fmt.Sprint(list, err); got != "[{count length} {sums .b}] <nil>" {
		t.Errorf("named are %s", got)
	}
	if got := fmt.Sprint(filters(t, s)); got != "[]" {
		t.Errorf("names count as run: %s", got)
	}
}

func TestAFilterThatIsTooLongIsRefused(t *testing.T) {
	s, err := Temporary()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	long := strings.Repeat("x", 32<<10+1)
	for _, err := range []error{s.RememberQuery(PastQuery{Filter: long}), s.RememberQuery(PastQuery{}), s.NameQuery(NamedQuery{"n", long}),
		s.NameQuery(NamedQuery{"", "."}), s.NameQuery(NamedQuery{long, "."})} {
		var refused *QueryError
		if !errors.As(err, &refused) || refused.Reason == "" {
			t.Errorf("it ends with %v", err)
		}
	}
}

// What is kept beside variables harms no check.
func TestAStoreWithFiltersIsSound(t *testing.T) {
	s, err := Temporary()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.RememberQuery(PastQuery{Filter: "."}); err != nil {
		t.Fatal(err)
	}
	r, err := s.Check(t.Context())
	if err != nil || len(r.Damaged) != 0 {
		t.Errorf("the check says %+v, %v", r, err)
	}
}
