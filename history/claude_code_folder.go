package history

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// claudeBundles finds the sessions in dir that go on in other files: a session's folder has its
// name and holds the files of its subagents and large results. Older versions kept subagents' files
// beside the session, whose id is in their lines. Where dir is such a folder itself, the session's
// file lies beside it.
func claudeBundles(dir string) []bundle {
	if b, ok := claudeSessionFolder(dir); ok {
		return []bundle{b}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	beside := map[string][]string{} // subagents' files by session id
	for _, e := range entries {
		if e.Type().IsRegular() && isAgentFile(e.Name()) {
			path := filepath.Join(dir, e.Name())
			id := sessionOf(path)
			beside[id] = append(beside[id], path)
		}
	}
	var list []bundle
	for _, e := range entries {
		name := sessionName(e.Name())
		if !e.Type().IsRegular() || name == e.Name() || isAgentFile(e.Name()) {
			continue
		}
		b := bundle{main: filepath.Join(dir, e.Name()), more: beside[name]}
		if folder := filepath.Join(dir, name); isFolder(folder) && isSessionFolder(folder) {
			b.folder = folder
			b.more = append(b.more, agentFiles(folder)...)
		}
		if b.folder != "" || len(b.more) > 0 {
			list = append(list, b)
		}
	}
	return list
}

func claudeSessionFolder(dir string) (bundle, bool) {
	if !isSessionFolder(dir) {
		return bundle{}, false
	}
	name := filepath.Clean(dir)
	if base := filepath.Base(name); base == "." || base == ".." {
		abs, err := filepath.Abs(name)
		if err != nil {
			return bundle{}, false
		}
		name = abs
	}
	for _, ext := range []string{".jsonl", ".jsonl.gz", ".jsonl.zst"} {
		if isFile(name + ext) {
			return bundle{main: name + ext, more: agentFiles(dir), folder: dir}, true
		}
	}
	return bundle{}, false
}

// isSessionFolder tells whether dir holds what a session keeps beside its file.
func isSessionFolder(dir string) bool {
	for _, part := range []string{"subagents", "tool-results"} {
		if isFolder(filepath.Join(dir, part)) {
			return true
		}
	}
	return false
}

// agentFiles lists the subagents' files in a session's folder, in the order of their paths.
func agentFiles(dir string) []string {
	var list []string
	_ = filepath.WalkDir(filepath.Join(dir, "subagents"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && isAgentFile(e.Name()) {
			list = append(list, path)
		}
		return nil // what can't be read has no files
	})
	return list
}

// sessionName is the name of a session's file without its extensions.
func sessionName(path string) string {
	for _, ext := range []string{".gz", ".zst", ".jsonl"} {
		path = strings.TrimSuffix(path, ext)
	}
	return path
}

func isAgentFile(name string) bool {
	bare := sessionName(name)
	return bare != name && strings.HasPrefix(bare, "agent-")
}

// sessionOf reads the session's id in the first line of a subagent's file; empty without one.
func sessionOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	line, _ := bufio.NewReader(f).ReadBytes('\n')
	v, bad := parse(nil, 0, 1, bytes.TrimPrefix(line, utf8BOM))
	if bad != nil {
		return ""
	}
	return v.get("sessionId").str()
}

// agentType reads the type of a subagent in the file beside its own; empty without one.
func agentType(path string) string {
	beside := sessionName(path) + ".meta.json"
	if !isFile(beside) {
		return ""
	}
	text, err := os.ReadFile(beside)
	if err != nil {
		return ""
	}
	v, bad := parse(nil, 0, 1, text)
	if bad != nil {
		return ""
	}
	return v.get("agentType").str()
}
