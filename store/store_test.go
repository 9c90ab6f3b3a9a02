package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func piecesIn(t testing.TB, s *Store) (n int) {
	t.Helper()
	if err := s.view(func(tx *bolt.Tx) error { n = tx.Bucket(bucketPieces).Stats().KeyN; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOnlyTheOwnerMayReadTheFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes on Windows")
	}
	path := filepath.Join(t.TempDir(), "state", "floodmark", "variables.db")
	mustOpen(t, path)
	for p, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700 | fs.ModeDir, filepath.Dir(filepath.Dir(path)): 0o700 | fs.ModeDir} {
		info, err := os.Stat(p)
		if err != nil || info.Mode() != want {
			t.Errorf("%s has mode %v, want %v, %v", filepath.Base(p), info.Mode(), want, err)
		}
	}
}

func TestTheDefaultPathFollowsTheSystem(t *testing.T) {
	home := filepath.Join(string(filepath.Separator), "home", "ada")
	state := filepath.Join(string(filepath.Separator), "state")
	for _, c := range []struct {
		goos string
		env  map[string]string
		home string
		want string
	}{
		{"linux", nil, home, filepath.Join(home, ".local", "state")},
		{"linux", map[string]string{"XDG_STATE_HOME": state}, home, state},
		{"linux", map[string]string{"XDG_STATE_HOME": "state"}, home, filepath.Join(home, ".local", "state")},
		{"darwin", nil, home, filepath.Join(home, "Library", "Application Support")},
		{"darwin", map[string]string{"XDG_STATE_HOME": state}, home, state},
		{"windows", map[string]string{"LocalAppData": state}, home, state},
		{"windows", nil, home, filepath.Join(home, "AppData", "Local")},
		{"linux", nil, "", ""},
	} {
		if got := stateFolder(c.goos, func(k string) string { return c.env[k] }, c.home); got != c.want {
			t.Errorf("on %s with %v: %q, want %q", c.goos, c.env, got, c.want)
		}
	}
	t.Setenv("XDG_STATE_HOME", state)
	if got, err := DefaultPath(); err != nil || got != filepath.Join(state, "floodmark", "variables.db") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestATemporaryStoreIsGoneAtTheEnd(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := Temporary()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(s.Path())
	if info, err := os.Stat(folder); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info, err)
	}
	mustPut(t, s, named("x_1"), records(3<<20))
	wantPayload(t, s, named("x_1").Key, records(3<<20))
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if _, err := s.List(); err == nil {
		t.Error("a closed store lists")
	}
}

func TestFindTakesTheOneStoredLastFirst(t *testing.T) {
	s := mustOpen(t, at(t))
	put := func(conversation, policy, name, payload string) {
		mustPut(t, s, Variable{Key: Key{conversation, policy, name}}, []byte(payload))
	}
	put("b", "moveworks", "x_1", "1")
	put("a/b", "moveworks", "x_1", "2")
	put("a", "moveworks", "x_1", "3")
	put("a", "trueforge", "x_1", "4")
	put("a", "moveworks", "x_10", "5")
	put("b", "moveworks", "x_1", "1") // the same again: still the oldest
	for _, c := range []struct{ reference, want string }{
		{"x_1", "a trueforge, a moveworks, a/b moveworks, b moveworks"},
		{"a/x_1", "a trueforge, a moveworks"},
		{"a/b/x_1", "a/b moveworks"},
		{"b/x_1", "b moveworks"},
		{"x_10", "a moveworks"},
	} {
		found, err := s.Find(c.reference)
		if err != nil {
			t.Errorf("%s: %v", c.reference, err)
		}
		var got []string
		for _, v := range found {
			got = append(got, v.Conversation+" "+v.Policy)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", c.reference, strings.Join(got, ", "), c.want)
		}
	}
	for _, reference := range []string{"", "x", "x_", "c/x_1", "/x_1", "a/", "a/b", "x_1/"} {
		var missing *NotFoundError
		if _, err := s.Find(reference); !errors.As(err, &missing) || missing.Reference != reference {
			t.Errorf("%q: %v", reference, err)
		}
	}
	put("b", "moveworks", "x_1", "other")
	if found, _ := s.Find("x_1"); len(found) != 4 || found[0].Conversation != "b" {
		t.Errorf("a new payload makes it the last: %+v", found)
	}
}

func TestConversationsMayBeCalledAnything(t *testing.T) {
	s := mustOpen(t, at(t))
	keys := []Key{{"", "p", "n"}, {"\x00", "p", "n"}, {"\x00p", "", "n"}, {"\x01", "p", "n"}, {"\x01\x01", "p", "n"}, {"\x01\x02", "p", "n"}, {"a\x00p", "n", "n"},
		{"a", "p\x00n", "n"}, {"\xff\xfe", "p", "n"}, {"会話/🎉", "p", "n"}, {strings.Repeat("c", 30000), "p", "n"}}
	for i, k := range keys {
		mustPut(t, s, Variable{Key: k}, []byte{byte(i)})
	}
	all, err := s.List()
	if err != nil || len(all) != len(keys) {
		t.Fatalf("%d variables, %v", len(all), err)
	}
	for i, k := range keys {
		wantPayload(t, s, k, []byte{byte(i)})
		if !slices.ContainsFunc(all, func(v Variable) bool { return v.Key == k }) {
			t.Errorf("%q is not listed", k)
		}
		if found, err := s.Find(k.String()); err != nil || found[0].Conversation != k.Conversation {
			t.Errorf("%q is not found: %v", k, err)
		}
	}
	var bad *KeyError
	for _, k := range []Key{{"c", "p", ""}, {strings.Repeat("c", 33000), "p", "n"}, {"c", "p", strings.Repeat("n", 33000)}} {
		if _, err := s.Put(context.Background(), Variable{Key: k}, giving(nil)); !errors.As(err, &bad) {
			t.Errorf("a name of %d and a conversation of %d: %v", len(k.Name), len(k.Conversation), err)
		}
	}
}

func TestListGoesByConversationPolicyAndName(t *testing.T) {
	s := mustOpen(t, at(t))
	for _, k := range []Key{{"b", "m", "x"}, {"a", "t", "x"}, {"a", "m", "y"}, {"a", "m", "x"}, {"a\x00", "a", "x"}, {"a\x02", "a", "x"}, {"ab", "a", "x"}} {
		mustPut(t, s, Variable{Key: k}, nil)
	}
	all, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range all {
		got = append(got, v.Conversation+"-"+v.Policy+"-"+v.Name)
	}
	if want := "a-m-x a-m-y a-t-x a\x00-a-x a\x02-a-x ab-a-x b-m-x"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}

func TestRemoveTakesTheLastOfAPayloadWithIt(t *testing.T) {
	s := mustOpen(t, at(t))
	mustPut(t, s, named("x_1"), records(3<<20))
	mustPut(t, s, named("x_2"), records(3<<20))
	if _, err := s.Remove(named("x_1").Key, false); err != nil {
		t.Fatal(err)
	}
	wantPayload(t, s, named("x_2").Key, records(3<<20))
	if _, err := s.Remove(named("x_2").Key, false); err != nil {
		t.Fatal(err)
	}
	if n := piecesIn(t, s); n != 0 {
		t.Errorf("%d pieces are left", n)
	}
	var missing *RemovedError
	if err := remove(s, named("x_2").Key); !errors.As(err, &missing) {
		t.Errorf("removed again: %v", err)
	}
	if _, err := s.Get(context.Background(), named("x_2").Key); !errors.As(err, &missing) {
		t.Errorf("read: %v", err)
	}
	if _, err := s.Find("x_2"); !errors.As(err, &missing) {
		t.Errorf("found: %v", err)
	}
}

func TestReadOnlyStoresReadTogetherAndWriteNothing(t *testing.T) {
	path := at(t)
	var missing *MissingError
	if _, err := Open(path, Options{ReadOnly: true}); !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing store: %v", err)
	}
	s := mustOpen(t, path)
	mustPut(t, s, named("x_1"), []byte("one"))
	s.Close()
	before := fileHash(t, path)
	for range 2 {
		r, err := Open(path, Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		wantPayload(t, r, named("x_1").Key, []byte("one"))
		if _, err := r.Put(context.Background(), named("x_2"), giving(nil)); err == nil {
			t.Error("a store that is only read was written")
		}
		if _, err := r.Remove(named("x_1").Key, false); err == nil {
			t.Error("a variable was removed from a store that is only read")
		}
	}
	if fileHash(t, path) != before {
		t.Error("the file changed")
	}
	if err := os.WriteFile(path+"2", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path+"2", Options{ReadOnly: true}); !errors.As(err, &missing) {
		t.Errorf("an empty file: %v", err)
	}
}
