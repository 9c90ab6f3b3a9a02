package ui

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"floodmark/history"
)

// recordingsFolder is where real recordings lie, outside the project; FLOODMARK_RECORDINGS names
// another place. The test is skipped without them.
func recordingsFolder(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("FLOODMARK_RECORDINGS"); dir != "" {
		return dir
	}
	at, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for at != filepath.Dir(at) {
		dir := filepath.Join(at, "shared", "recordings")
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
		at = filepath.Dir(at)
	}
	t.Skip("no real recordings here: set FLOODMARK_RECORDINGS to a folder of them")
	return ""
}

// Real recordings, each view of a few results of each conversation: whatever they hold, the frame
// keeps its shape and lets nothing through.
func TestRealRecordingsKeepTheFrame(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	recordings, err := history.Open(context.Background(), recordingsFolder(t), history.Options{})
	if len(recordings) == 0 {
		t.Fatal(err)
	}
	s := newScreen(t, 117, 33, colourTheme(), recordings...)
	for i := range s.e.session.convs {
		s.run(s.e.open(i))
		for range 3 {
			for _, view := range []string{"1", "2", "3", "4", "5", "6"} {
				s.press(view)
				s.frame()
			}
			s.press("w", "tab", "pgdown")
			s.frame()
			s.press("tab")
		}
	}
	t.Logf("%d conversations", len(s.e.session.convs))
}
