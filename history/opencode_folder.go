package history

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
)

// openCodeFolder finds opencode's store in a folder: its tree of files, or dumps of its tables side
// by side. All of its sessions are one recording.
func openCodeFolder(dir string) []bundle {
	for _, root := range []string{dir, filepath.Join(dir, "storage")} {
		var files []string
		for _, of := range []string{"session", "message", "part"} {
			files = append(files, jsonFiles(filepath.Join(root, of))...)
		}
		for i, path := range files {
			if k := openCodeKindOf(firstObject(path)); k == openCodeMessage || k == openCodePart {
				return []bundle{{main: path, more: append(files[:i:i], files[i+1:]...), folder: root}}
			}
			if i == mostLookedAt {
				break
			}
		}
	}
	return openCodeDumps(dir)
}

// mostLookedAt is how many files of a folder are looked at before it is passed over.
const mostLookedAt = 64

// openCodeDumps finds the dumps of the tables part, message and session, one of each at most.
func openCodeDumps(dir string) []bundle {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > mostLookedAt {
		return nil
	}
	var tables [openCodeEvent + 1]string
	for _, e := range entries {
		if !e.Type().IsRegular() || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		path := filepath.Join(dir, e.Name())
		row := firstObject(path)
		if !row.get("data").isText() && !row.get("project_id").isText() {
			continue
		}
		k := openCodeKindOf(row)
		if k != openCodeNothing && tables[k] != "" {
			return nil // which belong together is not known
		}
		tables[k] = path
	}
	if tables[openCodePart] == "" || tables[openCodeMessage] == "" {
		return nil
	}
	b := bundle{main: tables[openCodePart], more: []string{tables[openCodeMessage]}}
	if tables[openCodeSession] != "" {
		b.more = append(b.more, tables[openCodeSession])
	}
	return []bundle{b}
}

// jsonFiles lists the JSON files below a folder in the order of their paths.
func jsonFiles(dir string) []string {
	var list []string
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && filepath.Ext(path) == ".json" {
			list = append(list, path)
		}
		return nil // what can't be read has no files
	})
	return list
}

// firstObject is the first object of a file, where it lies in its first 64 KiB.
func firstObject(path string) value {
	f, err := os.Open(path)
	if err != nil {
		return value{}
	}
	defer func() { _ = f.Close() }()
	text := make([]byte, firstBuffer)
	n, err := readFull(f, text)
	i := bytes.IndexByte(text[:n], '{')
	if err != nil || i < 0 {
		return value{}
	}
	d := &doc{}
	d.reset(nil, 0, 1)
	d.text = text[i:n]
	if done, err := d.scan(); !done || err != nil {
		return value{}
	}
	return d.root()
}
