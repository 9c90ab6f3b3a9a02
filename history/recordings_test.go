package history

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// A realRow says what a real recording holds.
type realRow struct {
	file          string
	format        string
	conversations int
	calls         int   // orphans included
	results       int   // tool results
	largest       int64 // bytes of the largest result
	problems      int
	why           string // where calls and results differ, or the index says something else
}

// checkReal opens real recordings and compares them with their rows.
func checkReal(t *testing.T, rows []realRow) {
	t.Helper()
	root := realRecordings(t)
	for _, row := range rows {
		t.Run(row.file, func(t *testing.T) {
			list, err := Open(context.Background(), filepath.Join(root, row.file), Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := realRow{file: row.file, why: row.why, problems: len(list[0].Problems), format: list[0].Format, conversations: len(list[0].Conversations)}
			for _, c := range list[0].Conversations {
				for _, call := range c.Calls() {
					got.calls++
					if call.Result == nil {
						continue
					}
					got.results++
					p, err := call.Result.Payload.Bytes()
					if err != nil {
						t.Errorf("call %s: %v", call.ID, err)
					}
					got.largest = max(got.largest, int64(len(p)))
				}
			}
			if got != row {
				t.Errorf("got  %+v\nwant %+v\nproblems %v", got, row, list[0].Problems)
			}
		})
	}
}

// realRecordings finds the folder of real recordings, which is not part of the project.
func realRecordings(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("FLOODMARK_RECORDINGS"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		found := filepath.Join(dir, "shared", "recordings")
		if _, err := os.Stat(found); err == nil {
			return found
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skip("no real recordings here: set FLOODMARK_RECORDINGS to their folder")
		}
		dir = up
	}
}
