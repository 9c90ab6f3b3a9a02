package store

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// family stores expenses_1, of which two results were made, one of them of the other, and facts.
func family(t *testing.T) *Store {
	t.Helper()
	s := mustOpen(t, at(t))
	mustPut(t, s, named("expenses_1"), records(3000))
	for _, r := range [][3]string{{"expenses_1_q1", "expenses_1", ".[0]"}, {"expenses_1_q1_q1", "expenses_1_q1", ".id"}} {
		v := named(r[0])
		v.Source, v.Query = r[1], r[2]
		mustPut(t, s, v, []byte(r[2]))
	}
	other := named("expenses_1_q2") // of another conversation's variable of the same name
	other.Conversation, other.Source = "c2", "expenses_1"
	mustPut(t, s, other, []byte("other"))
	for _, d := range []Derivation{{Of: named("expenses_1").Key, Kind: "facts", Name: "bytes/4"}, {Of: named("expenses_1_q1").Key, Kind: "ledger", Name: "1"}} {
		if err := s.PutDerived(context.Background(), d, []byte(d.Kind)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func derivedNames(all []Derivation) string {
	var names []string
	for _, d := range all {
		names = append(names, d.Of.Name+">"+d.Kind+":"+d.Name)
	}
	return strings.Join(names, " ")
}

const familyOfExpenses = "expenses_1>result:expenses_1_q1 expenses_1>facts:bytes/4 expenses_1_q1>result:expenses_1_q1_q1 expenses_1_q1>ledger:1"

func TestDerivedListsWhatWasMadeOfAVariable(t *testing.T) {
	s := family(t)
	all, err := s.Derived(named("expenses_1").Key)
	if err != nil || derivedNames(all) != familyOfExpenses {
		t.Errorf("%s, %v", derivedNames(all), err)
	}
	if all[0].Bytes != 4 || all[1].Bytes != 5 || all[1].Made.IsZero() {
		t.Errorf("%+v", all)
	}
	found, err := s.Find("expenses_1_q1")
	if err != nil || found[0].Source != "expenses_1" || found[0].Query != ".[0]" {
		t.Errorf("%+v, %v", found, err)
	}
	if b, err := s.GetDerived(named("expenses_1").Key, "facts", "bytes/4"); err != nil || string(b) != "facts" {
		t.Errorf("%q, %v", b, err)
	}
	var missing *NotFoundError
	if _, err := s.GetDerived(named("expenses_1").Key, "facts", "chars/4"); !errors.As(err, &missing) {
		t.Error(err)
	}
	if err := s.PutDerived(context.Background(), Derivation{Of: named("none_1").Key, Kind: "facts"}, nil); !errors.As(err, &missing) {
		t.Errorf("of nothing: %v", err)
	}
	if err := s.PutDerived(context.Background(), Derivation{Of: named("expenses_1").Key, Kind: DerivedResult}, nil); err == nil {
		t.Error("a result was kept beside variables")
	}
}

func TestRemoveLeavesWhatDerivesUnlessItIsToGoToo(t *testing.T) {
	s := family(t)
	r, err := s.Remove(named("expenses_1").Key, false)
	if err != nil || len(r.Removed) != 1 || derivedNames(r.Derived) != familyOfExpenses {
		t.Errorf("%+v, %v", r, err)
	}
	wantPayload(t, s, named("expenses_1_q1").Key, []byte(".[0]"))
	if all, err := s.Derived(named("expenses_1").Key); err != nil || derivedNames(all) != familyOfExpenses {
		t.Errorf("of what is gone: %s, %v", derivedNames(all), err)
	}

	s = family(t)
	r, err = s.Remove(named("expenses_1").Key, true)
	if err != nil || len(r.Removed) != 3 || derivedNames(r.Derived) != familyOfExpenses {
		t.Errorf("%+v, %v", r, err)
	}
	if all, err := s.Derived(named("expenses_1").Key); err != nil || len(all) != 0 {
		t.Errorf("%s, %v", derivedNames(all), err)
	}
	if all, err := s.List(); err != nil || len(all) != 1 || all[0].Conversation != "c2" {
		t.Errorf("%+v, %v", all, err)
	}
	if r := mustCheck(t, s); r.Damaged != nil {
		t.Errorf("%v", r.Damaged)
	}
}

func TestGCTakesFactsAndLedgersAlong(t *testing.T) {
	s := family(t)
	r := mustGC(t, s, Retention{Count: 1}, false)
	if len(r.Removed) != 3 || derivedNames(r.Derived) != "expenses_1>facts:bytes/4 expenses_1_q1>ledger:1" {
		t.Errorf("%+v", r)
	}
	if _, err := s.GetDerived(named("expenses_1").Key, "facts", "bytes/4"); err == nil {
		t.Error("the facts are still there")
	}
}

func TestExportsAreRememberedAndNamedByWhatIsGone(t *testing.T) {
	s := family(t)
	k := named("expenses_1").Key
	folder := t.TempDir()
	for _, name := range []string{"a.json", "b.json", "a.json"} {
		if err := s.RecordExport(k, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	paths := func(all []Export) string {
		var p []string
		for _, e := range all {
			p = append(p, filepath.Base(e.Path))
		}
		return strings.Join(p, " ")
	}
	all, err := s.Exports(k)
	if err != nil || paths(all) != "b.json a.json" || all[0].Path != filepath.Join(folder, "b.json") {
		t.Errorf("%+v, %v", all, err)
	}
	r, err := s.Remove(k, false)
	if err != nil || paths(r.Removed[0].Exports) != "b.json a.json" {
		t.Errorf("%+v, %v", r, err)
	}
	stones, err := s.Tombstones()
	if err != nil || paths(stones[0].Exports) != "b.json a.json" {
		t.Errorf("%+v, %v", stones, err)
	}
}

func TestALabelCanBeGivenLater(t *testing.T) {
	s := mustOpen(t, at(t))
	first := mustPut(t, s, named("x_1"), []byte("one"))
	v := named("x_1")
	v.Label = "secret"
	if got := mustPut(t, s, v, []byte("one")); got.Label != "secret" || !got.Stored.Equal(first.Stored) {
		t.Errorf("%+v", got)
	}
	found, err := s.Find("x_1")
	if err != nil || found[0].Label != "secret" {
		t.Errorf("%+v, %v", found, err)
	}
	wantPayload(t, s, v.Key, []byte("one"))
	if r := mustCheck(t, s); r.Damaged != nil {
		t.Error(r.Damaged)
	}
}
