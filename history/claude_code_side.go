package history

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// sideFiles are the files in which Claude Code keeps large results: in the folder tool-results of
// the folder that has the session's name.
type sideFiles struct {
	byName map[string]string // paths by file name
	byID   map[string]string // and by the name without its extension: a tool use id as a rule
}

// claudeSideFiles lists the side files of a session's, or a subagent's, file.
func claudeSideFiles(in *input) sideFiles {
	s := sideFiles{map[string]string{}, map[string]string{}}
	if !in.onDisk {
		return s
	}
	dir := filepath.Join(sessionFolder(in.path), "tool-results")
	entries, _ := os.ReadDir(dir) // most sessions have none
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		name := e.Name()
		path := filepath.Join(dir, name)
		s.byName[name] = path
		if ext := filepath.Ext(name); ext == ".txt" || ext == ".json" {
			s.byID[strings.TrimSuffix(name, ext)] = path
		}
	}
	return s
}

// sessionFolder is the folder of a session's file: the one of its name, or the one in which a
// subagent's file lies, some levels down.
func sessionFolder(path string) string {
	if isAgentFile(filepath.Base(path)) {
		for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if filepath.Base(dir) == "subagents" {
				return filepath.Dir(dir)
			}
		}
	}
	return sessionName(path)
}

const (
	stubBegin = "<persisted-output>"
	stubEnd   = "</persisted-output>"
	cleared   = "[Old tool result content cleared]"
)

// complete puts the whole text in the place of a note that says where it is kept, and flags
// what the recorder kept elsewhere or threw away.
func (s sideFiles) complete(b *builder, r *Result, id string, content, structured value) {
	note := content
	if content.isArray() {
		note = content.first().get("text")
	}
	switch {
	case r.Payload.Size().Bytes == int64(len(cleared)) && begins(note, cleared):
		r.Flags |= TruncatedByRecorder
		return
	case !isStub(note):
		if s.byID[id] != "" {
			r.Flags |= OffloadUnconfirmed
		}
		return
	}
	r.Flags |= OffloadedByRecorder
	recorded := r.Payload.Size()
	if path := s.find(id, note.str(), structured.get("persistedOutputPath").str()); path != "" {
		p, err := sidePayload(path)
		if err == nil {
			r.Payload, r.At, r.Recorded = p, Location{File: path, Line: 1}, &recorded
			return
		}
		b.problem(Location{File: path}, "the side file can't be read")
	}
	if v, p := textOfToolResult(structured); p.Size().Bytes > recorded.Bytes {
		r.Payload, r.At, r.Recorded = p, v.at(), &recorded
		return
	}
	r.Flags |= TruncatedByRecorder
}

// isStub tells whether a text is a note about a large result: by how it begins and how it ends, for
// tools print and quote such notes too. Only a reminder of the harness may follow it.
func isStub(note value) bool {
	if !begins(note, stubBegin) {
		return false
	}
	_, rest, closed := strings.Cut(note.str(), stubEnd)
	rest = strings.TrimSpace(rest)
	return closed && (rest == "" || strings.HasPrefix(rest, harnessReminder))
}

// find returns the side file of a result: it has the call's id, or is named in the note or beside
// it. Of a recorded path only the last part counts: it is of another machine as a rule.
func (s sideFiles) find(id, note, path string) string {
	if found := s.byID[id]; found != "" {
		return found
	}
	if path == "" {
		_, path, _ = strings.Cut(note, "tool-results")
		path, _, _ = strings.Cut(path, "\n")
		path, _, _ = strings.Cut(path, "<")
	}
	return s.byName[strings.TrimSpace(path[strings.LastIndexAny(path, `/\`)+1:])]
}

// sidePayload reads a side file: text, or the content blocks of an MCP result as JSON.
func sidePayload(path string) (Payload, error) {
	if filepath.Ext(path) != ".json" {
		return filePayload(path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Payload{}, err
	}
	src, err := openSource(context.Background(), path, nil)
	if err != nil {
		return Payload{}, err
	}
	v, bad := parse(src, 0, 1, text)
	if bad != nil || !v.isArray() || !v.first().get("type").isText() {
		return filePayload(path)
	}
	return contentPayload(v), nil
}

// textOfToolResult finds the text in what a line says about its result besides, which has a shape
// of its own for each tool.
func textOfToolResult(v value) (value, Payload) {
	for _, text := range []value{v, v.get("content"), v.get("stdout"), v.get("file", "content"), v.get("result"), v.get("output")} {
		if text.isText() || text.isArray() {
			return text, contentPayload(text)
		}
	}
	return value{}, Payload{}
}
