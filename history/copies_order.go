package history

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// forkHead is how much of a file's beginning may say that it is a copy, in bytes.
const forkHead = 64 << 10

// OriginalsFirst puts the files that say themselves that they begin as a copy of another one behind the
// rest, the older ones first: what is read first is the original. The rest keeps its order; what is no
// file named .jsonl is not looked into.
func OriginalsFirst(paths []string) []string {
	type fork struct {
		path    string
		changed time.Time
	}
	var list []string
	var forks []fork
	for _, path := range paths {
		if filepath.Ext(path) != ".jsonl" || !isFile(path) || !beginsAsCopy(path) {
			list = append(list, path)
			continue
		}
		f := fork{path: path}
		if info, err := os.Lstat(path); err == nil {
			f.changed = info.ModTime()
		}
		forks = append(forks, f)
	}
	slices.SortStableFunc(forks, func(a, b fork) int { return cmp.Compare(a.changed.UnixNano(), b.changed.UnixNano()) })
	for _, f := range forks {
		list = append(list, f.path)
	}
	return list
}

// beginsAsCopy tells whether the first lines of a session were written for another one: they say where
// they are forked from, or are of another session than the file that is named by its own.
func beginsAsCopy(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false // opening it for reading says why
	}
	defer func() { _ = f.Close() }()
	p := make([]byte, forkHead)
	n, err := io.ReadFull(f, p)
	if err != nil && n == 0 {
		return false
	}
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	for line := range bytes.Lines(p[:n]) {
		line = bytes.TrimRight(line, "\r\n")
		v, bad := parse(nil, 0, 1, line)
		if bad != nil {
			return false
		}
		meta := v.get("payload") // of a Codex rollout
		switch session := v.get("sessionId"); {
		case v.get("forkedFrom").isObject(), v.get("type").is("session_meta") && meta.get("forked_from_id").given():
			return true
		case session.isText() && isUUID(name) && isUUID(session.str()):
			return !session.is(name)
		}
	}
	return false
}

// isUUID tells whether s has the form of a UUID.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return true
}
