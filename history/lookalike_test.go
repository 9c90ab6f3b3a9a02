package history

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Marks of one format inside the texts of another decide nothing: keys of parsed records do.
func TestLookAlikes(t *testing.T) {
	quoted := `{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"} {\"type\":\"tool_use\",\"uuid\":\"u\",\"sessionId\":\"s\",\"isSidechain\":false}`
	for name, tt := range map[string]struct {
		text, want string
	}{
		"a Claude Code session that quotes other formats": {lines(modelLine("1", "m", "", useOf("a", "Read")), userLine("2", "", `[`+resultOf("a", quoted)+`]`)), "claude-code"},
		"an MCP log that quotes other formats":            {lines(callRequest("1", "a"), textReply("1", quoted)), "mcp-jsonrpc"},
		"chat messages that quote other formats": {`[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"a","content":"` + quoted + `"}]`, "openai-chat"},
		"Qwen Code, which has Claude Code's envelope and Gemini's parts": {lines(
			`{"uuid":"1","parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"hi"}]}}`,
			`{"uuid":"2","parentUuid":"1","sessionId":"s","type":"assistant","message":{"role":"model","parts":[{"functionCall":{"id":"c","name":"f","args":{}}}]}}`), "qwen-code"},
		"Factory's Droid, which wraps Anthropic's messages": {lines(`{"type":"session_start","id":"d"}`,
			`{"type":"message","id":"m","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}}`), "droid"},
		"Claude Code's stream of a single run": {lines(`{"type":"system","subtype":"init","session_id":"s"}`,
			`{"type":"assistant","session_id":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}}`), "claude-sdk-stream"},
	} {
		rec, err := Read(t.Context(), "r", strings.NewReader(tt.text), Options{})
		got := ""
		if err == nil {
			got = rec.Format
		}
		if got != tt.want {
			t.Errorf("%s: recognised as %q, should be %q", name, got, tt.want)
		}
	}
}

// misplaced are real recordings that lie in the folder of another format, which they contain.
var misplaced = map[string]string{
	"anthropic_messages/cline_success.messages.json": "cline", // the same object as in the folder cline
}

// A real recording lies in the folder that has its format's name. What lies in another folder is of
// a format that is not read yet, or of one that is made of this one's messages.
func TestRealRecordingsAreReadAsTheirFolderSays(t *testing.T) {
	root := realRecordings(t)
	general := []string{"openai-chat", "openai-responses"}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		folder, _, inFolder := strings.Cut(rel, "/")
		recs, err := Open(context.Background(), path, Options{})
		if err != nil || !inFolder {
			return nil
		}
		want := strings.ReplaceAll(folder, "_", "-")
		if other := misplaced[rel]; other != "" {
			want = other
		}
		if f := recs[0].Format; f != want && !slices.Contains(general, f) {
			t.Errorf("%s is read as %s: %s", rel, f, recs[0].Reason)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
