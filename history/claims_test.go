package history

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// traceFolders are the folders of real recordings by the formats that may read them.
var traceFolders = map[string][]string{
	"otel-genai": {"otel_genai"}, "openinference": {"openinference"}, "langfuse": {"langfuse"}, "langsmith": {"langsmith"},
	"monocle-trace": {"monocle_trace"}, "langchain": {"langchain"}, "posit-assistant": {"posit_assistant"}, "vercel-ai": nil,
}

func TestTraceFormatsClaimTheirOwnRecordings(t *testing.T) {
	root := realRecordings(t)
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		recs, err := Open(context.Background(), path, Options{})
		if err != nil || len(recs) == 0 {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		folder, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if may, ours := traceFolders[recs[0].Format]; ours && !slices.Contains(may, folder) {
			t.Errorf("%s is read as %s: %s", rel, recs[0].Format, recs[0].Reason)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
