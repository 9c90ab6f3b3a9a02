package history

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// survives checks that a format reads text however it is damaged: cut at every 97th byte, with a
// broken line in the middle, with CRLF and with a byte order mark. The last three change no call.
func survives(t *testing.T, format, text string) {
	t.Helper()
	whole := transcript(t, readAs(t, format, text))
	for n := 0; n < len(text); n += 97 {
		if rec, err := Read(context.Background(), "r", strings.NewReader(text[:n]), Options{Format: format}); err == nil {
			sound(t, rec)
		}
	}
	for what, changed := range map[string]string{
		"with CRLF":              strings.ReplaceAll(text, "\n", "\r\n"),
		"with a byte order mark": "\ufeff" + text,
	} {
		if got := transcript(t, readAs(t, format, changed)); got != whole {
			t.Errorf("%s:\n%sshould be:\n%s", what, got, whole)
		}
	}
	all := strings.SplitAfter(text, "\n")
	if len(all) < 3 || !strings.HasPrefix(all[0], "{") || !strings.HasSuffix(all[0], "}\n") {
		return // one document: a broken line is a cut
	}
	broken := strings.Join(slices.Insert(all, len(all)/2, "{\"type\":\"user\",\"role\":[\n"), "")
	rec := readAs(t, format, broken)
	if got := transcript(t, rec); got != whole {
		t.Errorf("with a broken line:\n%sshould be:\n%s", got, whole)
	}
	if len(rec.Problems) == 0 {
		t.Error("a broken line is not reported")
	}
}

func readAs(t *testing.T, format, text string) *Recording {
	t.Helper()
	rec, err := Read(context.Background(), "r", strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if rec.Format != format {
		t.Fatalf("recognised as %s because of %s, should be %s", rec.Format, rec.Reason, format)
	}
	return rec
}
