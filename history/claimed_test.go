package history

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// The real recordings lie in folders of their formats' names.
func TestRealRecordingsAreClaimedByTheirOwnFormat(t *testing.T) {
	root := realRecordings(t)
	known := map[string]bool{}
	for _, f := range formats {
		known[f.Name] = true
	}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		folder, _, deeper := strings.Cut(filepath.ToSlash(rel), "/")
		folder = strings.ReplaceAll(folder, "_", "-")
		if strings.HasPrefix(e.Name(), "cline_") {
			folder = "cline" // one of Cline's files lies among those of the shape that it has
		}
		if list, err := Open(context.Background(), path, Options{}); deeper && err == nil && known[folder] && list[0].Format != folder {
			t.Errorf("%s is read as %s: %s", rel, list[0].Format, list[0].Reason)
		} else if err == nil && !known[folder] {
			t.Logf("%s is read as %s: %s", rel, list[0].Format, list[0].Reason)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
