package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func onlyFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestASoundStoreIsNotSetAside(t *testing.T) {
	path := at(t)
	s := mustOpen(t, path)
	mustPut(t, s, named("x_1"), []byte("one"))
	s.Close()
	before := fileHash(t, path)
	var sound *SoundError
	if _, err := SetAside(context.Background(), path, Options{}); !errors.As(err, &sound) {
		t.Errorf("got %v", err)
	}
	var missing *MissingError
	if _, err := SetAside(context.Background(), path+"x", Options{}); !errors.As(err, &missing) {
		t.Errorf("a missing one: %v", err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 || fileHash(t, path) != before {
		t.Errorf("%v", files)
	}
	mustOpen(t, path)
	var locked *LockedError
	if _, err := SetAside(context.Background(), path, Options{Timeout: 1}); !errors.As(err, &locked) {
		t.Errorf("one that is open: %v", err)
	}
}

func TestForeignAndNewerFilesAreOnlySetAside(t *testing.T) {
	newer, err := os.ReadFile(newerStore(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"text": []byte("these are notes\n"), "a newer store": newer} {
		path := at(t)
		onlyFile(t, path, content)
		r, err := SetAside(context.Background(), path, Options{})
		if err != nil || r.Salvage != nil || !regexp.MustCompile(`^variables\.db\.damaged-\d{8}T\d{6}Z$`).MatchString(filepath.Base(r.Path)) {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		if b, err := os.ReadFile(r.Path); err != nil || !bytes.Equal(b, content) {
			t.Errorf("%s: it changed, %v", name, err)
		}
		mustPut(t, mustOpen(t, path), named("x_1"), []byte("one")) // there is room for a new one
	}
}

func TestADamagedStoreIsSetAsideAndReadBack(t *testing.T) {
	whole, held := healthy(t)
	touched, h := pagesOf(t, whole)
	b := bytes.Clone(whole)
	page := touched.only(named("x_4").Key)
	clear(b[page*h.pageSize : (page+1)*h.pageSize])
	path := at(t)
	onlyFile(t, path, b)
	r, err := SetAside(context.Background(), path, Options{})
	if err != nil || r.Salvage == nil || r.Salvage.Variables != len(held)-1 || r.Salvage.Unchecked != 0 ||
		len(r.Salvage.Lost) != 1 || r.Salvage.Lost[0] != named("x_4").Key {
		t.Fatalf("%+v, %+v, %v", r, r.Salvage, err)
	}
	if aside, err := os.ReadFile(r.Path); err != nil || !bytes.Equal(aside, b) {
		t.Errorf("what was set aside changed, %v", err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	s := mustOpen(t, path)
	for k, want := range held {
		if k.Name != "x_4" {
			wantPayload(t, s, k, want)
		}
	}
	if r := mustCheck(t, s); r.Damaged != nil || r.Leftovers != 0 || r.Variables != len(held)-1 {
		t.Errorf("%+v", r)
	}
	if found, err := s.Find("y_59"); err != nil || found[0].Tool != "list_expenses" || found[0].Stored.IsZero() {
		t.Errorf("%+v, %v", found, err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 2 {
		t.Errorf("%v", files)
	}
}

func TestADamagedEncryptedStoreIsReadBackWithAndWithoutItsKey(t *testing.T) {
	path := at(t)
	s := mustOpenWith(t, path, quick("p"))
	mustPut(t, s, named("x_1"), secretPayload())
	mustPut(t, s, named("x_2"), noise(8, 1<<20))
	s.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	touched, h := pagesOf(t, whole)
	page := touched.only(named("x_2").Key)
	clear(whole[page*h.pageSize : (page+1)*h.pageSize])
	for _, c := range []struct {
		secret    string
		unchecked int
	}{{"p", 0}, {"", 1}} {
		path := at(t)
		onlyFile(t, path, whole)
		r, err := SetAside(context.Background(), path, quick(c.secret))
		if c.secret == "" && err != nil { // the damage shows only to who has the key
			var encrypted *EncryptedError
			if !errors.As(err, &encrypted) {
				t.Error(err)
			}
			continue
		}
		if err != nil || r.Salvage == nil || r.Salvage.Unchecked != c.unchecked || len(r.Salvage.Lost) != 1 {
			t.Fatalf("%+v, %+v, %v", r, r.Salvage, err)
		}
		s := mustOpenWith(t, path, quick("p"))
		wantPayload(t, s, named("x_1").Key, secretPayload())
		s.Close()
		if b, err := os.ReadFile(path); err != nil || strings.Contains(string(b), secretText) {
			t.Errorf("the payload is in the file, %v", err)
		}
	}
}
