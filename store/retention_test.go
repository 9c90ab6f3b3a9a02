package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// clocked is a new store whose clock the test sets.
func clocked(t testing.TB) (s *Store, set func(time.Time)) {
	t.Helper()
	s = mustOpen(t, at(t))
	now := noon
	s.now = func() time.Time { return now }
	return s, func(t time.Time) { now = t }
}

func mustGC(t testing.TB, s *Store, r Retention, dryRun bool) GCReport {
	t.Helper()
	report, err := s.GC(context.Background(), r, dryRun)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// gone names what a report removed, with why.
func gone(r GCReport) string {
	var all []string
	for _, t := range r.Removed {
		all = append(all, t.Name+" "+string(t.Why))
	}
	return strings.Join(all, ", ")
}

func TestGCRemovesWhatTheRetentionDoesNotKeep(t *testing.T) {
	for _, c := range []struct {
		name string
		r    Retention
		want string
		left int
	}{
		{"nothing is asked", Retention{}, "", 4},
		{"older than two hours", Retention{Age: 2 * time.Hour}, "b_1 expired, c_1 expired", 2},
		{"exactly as old", Retention{Age: 3 * time.Hour}, "", 4},
		{"two stay", Retention{Count: 2}, "b_1 evicted, c_1 evicted", 2},
		{"three hundred bytes stay", Retention{Bytes: 300}, "b_1 evicted, c_1 evicted", 2},
		{"two hundred and ninety-nine", Retention{Bytes: 299}, "b_1 evicted, c_1 evicted, a_1 evicted", 1},
		{"equal ones count once", Retention{Bytes: 600}, "", 4},
		{"age first, then number", Retention{Age: 2 * time.Hour, Count: 1}, "b_1 expired, c_1 expired, a_1 evicted", 1},
		{"another policy's", Retention{Age: time.Minute, Policy: "trueforge"}, "", 4},
		{"this policy's", Retention{Count: 3, Policy: "moveworks"}, "b_1 evicted", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, set := clocked(t)
			put := func(name string, b []byte) { mustPut(t, s, named(name), b) }
			put("a_1", noise(1, 200))
			put("b_1", noise(2, 100))
			put("c_1", noise(3, 200))
			set(noon.Add(90 * time.Minute))
			wantPayload(t, s, named("a_1").Key, noise(1, 200)) // used again
			put("d_1", noise(2, 100))                          // b_1's payload
			set(noon.Add(3 * time.Hour))
			dry := mustGC(t, s, c.r, true)
			if gone(dry) != c.want || dry.Left != c.left || !dry.DryRun {
				t.Errorf("dry: %s, %d left", gone(dry), dry.Left)
			}
			if all, _ := s.List(); len(all) != 4 {
				t.Fatalf("a dry run left %d", len(all))
			}
			r := mustGC(t, s, c.r, false)
			if gone(r) != c.want || r.Left != c.left || r.DryRun {
				t.Errorf("%s, %d left", gone(r), r.Left)
			}
			if r.Payloads != dry.Payloads || r.Bytes != dry.Bytes || r.Kept != dry.Kept {
				t.Errorf("the dry run said %+v, then it was %+v", dry, r)
			}
			if all, _ := s.List(); len(all) != c.left {
				t.Errorf("%d are left", len(all))
			}
			if r := mustCheck(t, s); r.Damaged != nil || r.Leftovers != 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestGCCountsAPayloadWithTheLastThatHasIt(t *testing.T) {
	s, set := clocked(t)
	mustPut(t, s, named("a_1"), noise(1, 100))
	mustPut(t, s, named("a_2"), noise(1, 100))
	mustPut(t, s, named("b_1"), noise(2, 50))
	set(noon.Add(time.Hour))
	for _, dryRun := range []bool{true, false} {
		r := mustGC(t, s, Retention{Age: time.Minute}, dryRun)
		if len(r.Removed) != 3 || r.Payloads != 2 || r.Bytes != 150 || r.Kept != 150+2*5 {
			t.Errorf("dry %v: %+v", dryRun, r)
		}
	}
}

func TestGCRemovesLeftoversButNotWhatIsUnderWay(t *testing.T) {
	s := mustOpen(t, at(t))
	in := s.newIntake(context.Background())
	if _, err := in.Write(noise(1, 20<<20)); err != nil {
		t.Fatal(err)
	}
	in.stop()
	if r := mustGC(t, s, Retention{}, false); r.Leftovers != 0 {
		t.Errorf("of a payload that is under way: %+v", r)
	}
	s.intakes.done(in.id) // as after a kill and an opening
	if r := mustGC(t, s, Retention{}, true); r.Leftovers != 16 || r.LeftoverBytes != 16*(1<<20+5) {
		t.Errorf("dry: %+v", r)
	}
	if r := mustGC(t, s, Retention{}, false); r.Leftovers != 16 {
		t.Errorf("%+v", r)
	}
	if n := piecesIn(t, s); n != 0 {
		t.Errorf("%d pieces are left", n)
	}
}

func TestAReadIsNotedWithTheNextCommitAndAtTheEnd(t *testing.T) {
	s, set := clocked(t)
	mustPut(t, s, named("a_1"), []byte("one"))
	set(noon.Add(59 * time.Second))
	before := fileHash(t, s.path)
	wantPayload(t, s, named("a_1").Key, []byte("one"))
	used := func(s *Store) time.Time {
		all, err := s.List()
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0].Used
	}
	if got := used(s); !got.Equal(noon) {
		t.Errorf("within a minute it counts as used %v", got)
	}
	set(noon.Add(time.Hour))
	wantPayload(t, s, named("a_1").Key, []byte("one"))
	if fileHash(t, s.path) != before {
		t.Error("a read wrote to the file")
	}
	if got := used(s); !got.Equal(noon.Add(time.Hour)) {
		t.Errorf("used %v", got)
	}
	s.Close()
	s = mustOpen(t, s.path)
	if got := used(s); !got.Equal(noon.Add(time.Hour)) {
		t.Errorf("after closing, used %v", got)
	}
	s.Close()
	for _, noted := range []bool{false, true} {
		r, err := Open(s.path, Options{ReadOnly: true, NoteReads: noted})
		if err != nil {
			t.Fatal(err)
		}
		r.now = func() time.Time { return noon.Add(2 * time.Hour) }
		wantPayload(t, r, named("a_1").Key, []byte("one"))
		r.Close()
		s = mustOpen(t, s.path)
		if got := used(s); got.Equal(noon.Add(2*time.Hour)) != noted {
			t.Errorf("noted %v: used %v", noted, got)
		}
		s.Close()
	}
}

func TestWhatIsGoneLeavesATombstone(t *testing.T) {
	s, set := clocked(t)
	v := named("a_1")
	v.Label = "personal data"
	mustPut(t, s, v, noise(1, 300))
	mustPut(t, s, named("b_1"), noise(2, 300))
	mustPut(t, s, named("c_1"), noise(3, 300))
	set(noon.Add(48 * time.Hour))
	if _, err := s.Remove(named("b_1").Key, false); err != nil {
		t.Fatal(err)
	}
	wantPayload(t, s, named("c_1").Key, noise(3, 300))
	mustGC(t, s, Retention{Age: 24 * time.Hour}, false)
	mustPut(t, s, named("d_1"), noise(4, 300))
	set(noon.Add(49 * time.Hour))
	mustPut(t, s, named("e_1"), noise(4, 300))
	mustGC(t, s, Retention{Count: 1}, false)
	all, err := s.Tombstones()
	if err != nil || len(all) != 4 {
		t.Fatal(all, err)
	}
	want := Tombstone{Key: v.Key, Bytes: 300, Kept: 305, Tool: "list_expenses", Call: "call_9", Recording: "expenses.json", Format: "openai-chat",
		Label: "personal data", Stored: noon, Used: noon, Gone: noon.Add(48 * time.Hour), Why: Expired}
	if got := all[0]; got.Exports != nil || got.Key != want.Key || got.Bytes != want.Bytes || got.Kept != want.Kept || got.Label != want.Label || got.Tool != want.Tool ||
		got.Call != want.Call || got.Recording != want.Recording || got.Format != want.Format ||
		!got.Stored.Equal(want.Stored) || !got.Used.Equal(want.Used) || !got.Gone.Equal(want.Gone) || got.Why != want.Why {
		t.Errorf("got %+v", got)
	}
	for i, want := range []Why{Expired, Removed, Evicted, Evicted} {
		if all[i].Why != want {
			t.Errorf("%s is %s, want %s", all[i].Name, all[i].Why, want)
		}
	}
	var expired *ExpiredError
	var removed *RemovedError
	for _, c := range []struct {
		name    string
		want    any
		message string
	}{
		{"a_1", &expired, "variable c1/a_1 expired on 2026-03-03 12:00 UTC, last used on 2026-03-01 12:00 UTC: its 300 bytes are no longer kept; replaying its recording stores it again"},
		{"b_1", &removed, "variable c1/b_1 was removed on 2026-03-03 12:00 UTC: its 300 bytes are no longer kept; replaying its recording stores it again"},
		{"c_1", &removed, "variable c1/c_1 was evicted on 2026-03-03 13:00 UTC to make room: its 300 bytes are no longer kept; replaying its recording stores it again"},
	} {
		_, get := s.Get(context.Background(), named(c.name).Key)
		_, find := s.Find(c.name)
		_, full := s.Find("c1/" + c.name)
		for i, err := range []error{get, find, full, s.WriteTo(context.Background(), named(c.name).Key, nil), remove(s, named(c.name).Key), s.RecordExport(named(c.name).Key, "x")} {
			if !errors.As(err, c.want) || err.Error() != c.message {
				t.Errorf("%s, way %d: %v", c.name, i, err)
			}
		}
	}
	var missing *NotFoundError
	if _, err := s.Find("other/a_1"); !errors.As(err, &missing) {
		t.Errorf("another conversation's: %v", err)
	}
	mustPut(t, s, named("a_1"), noise(1, 300)) // and it is there again
	wantPayload(t, s, named("a_1").Key, noise(1, 300))
	if all, _ := s.Tombstones(); slices.ContainsFunc(all, func(t Tombstone) bool { return t.Name == "a_1" }) {
		t.Error("a variable and its tombstone are both there")
	}
}

func TestATombstoneIsFoundByItsKey(t *testing.T) {
	s, _ := clocked(t)
	k := named("a_1").Key
	for i, want := range []bool{false, true, false} { // never there, removed, there again
		got, gone, err := s.Gone(k)
		if err != nil || gone != want || gone && (got.Key != k || got.Why != Removed || got.Bytes != 3) {
			t.Errorf("at %d: %+v, %v, %v", i, got, gone, err)
		}
		if mustPut(t, s, named("a_1"), []byte("one")); i == 0 {
			if _, err := s.Remove(k, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	var wrong *KeyError
	if _, _, err := s.Gone(Key{}); !errors.As(err, &wrong) {
		t.Errorf("no name: %v", err)
	}
}

// No replay brings back what was made by a filter.
func TestAKeptResultThatIsGoneNamesWhatItWasMadeOf(t *testing.T) {
	s, _ := clocked(t)
	v := named("mine")
	v.Source, v.Query = "b_1", ".[0]"
	mustPut(t, s, v, []byte("one"))
	if _, err := s.Remove(v.Key, false); err != nil {
		t.Fatal(err)
	}
	const want = "variable c1/mine was removed on 2026-03-01 12:00 UTC: its 3 bytes are no longer kept; it was made of b_1: keeping the filter's result makes it anew"
	if _, err := s.Get(context.Background(), v.Key); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestATombstoneHasNothingOfThePayload(t *testing.T) {
	s := mustOpen(t, at(t))
	v := named("a_1")
	v.Source, v.Query = "b_1", ".MARKER"
	put := mustPut(t, s, v, []byte("MARKER"))
	if _, err := s.Remove(v.Key, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if left := inFile(t, s.path, "MARKER", put.SHA256); left != "" {
		t.Errorf("%q is still in the file", left)
	}
}
