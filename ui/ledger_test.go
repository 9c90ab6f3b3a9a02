package ui

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"floodmark/engine"
	"floodmark/history"
	"floodmark/store"
)

// noise is JSON of about n bytes that hardly compresses: an array of short strings.
func noise(n int) string {
	r := rand.NewChaCha8([32]byte{1})
	var list []string
	for size := 0; size < n; size += 43 {
		raw := make([]byte, 30)
		_, _ = r.Read(raw)
		list = append(list, `"`+base64.StdEncoding.EncodeToString(raw)+`"`)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// replayInto replays turns into a store of at most maxBytes, with a clock that stands still.
func replayInto(t *testing.T, maxBytes int64, turns ...*history.Turn) (*replaying, *bytes.Buffer, *store.Store) {
	t.Helper()
	s, err := store.Open(filepath.Join(t.TempDir(), "s"), store.Options{MaxBytes: maxBytes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	p, err := engine.Load("moveworks")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r := &replaying{corpus: &corpus{o: &replayOptions{}, policy: p},
		ledger: ledger{out: bufio.NewWriter(&out), keeper: newKeeper(s), now: func() time.Time { return time.Unix(1, 0) }}}
	r.report = &replayText{out: &r.ledger, policy: p, theme: newTheme(0, true, true)}
	if err := r.conversation(context.Background(), state(false, turns...).Conversations[0]); err != nil {
		t.Fatal(err)
	}
	return r, &out, s
}

func TestALineIsWrittenOnceItsVariableIsCommitted(t *testing.T) {
	r, out, s := replayInto(t, 0, answeredTurn(1, "small"), answeredTurn(2, noise(40_000)), answeredTurn(3, "small too"))
	names := func() string {
		list, err := s.List()
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, v := range list {
			names = append(names, v.Name)
		}
		return fmt.Sprint(names)
	}
	if text := out.String(); !strings.Contains(text, "tool_1") || strings.Contains(text, "tool_2") || strings.Contains(text, "tool_3") || names() != "[]" {
		t.Errorf("before the commit %s is stored, and written is\n%s", names(), text)
	}
	if err := r.settle(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "offloaded to $tool_2_1") || !strings.Contains(text, "tool_3") || names() != "[tool_2_1]" {
		t.Errorf("after the commit %s is stored, and written is\n%s", names(), text)
	}
	if r.totals.Results != 3 || r.totals.Verdicts[engine.Offloaded] != 1 {
		t.Errorf("the totals are %+v", r.totals)
	}
}

func TestWhatACommitCannotTakeIsLostAndOnlyThat(t *testing.T) {
	r, out, _ := replayInto(t, 600<<10, answeredTurn(1, noise(40_000)), answeredTurn(2, noise(900_000)), answeredTurn(3, noise(50_000)))
	if err := r.settle(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{"offloaded to $tool_1_1", "lost", "offloaded to $tool_3_1"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is there %d times in\n%s", want, strings.Count(text, want), text)
		}
	}
	if v := r.totals.Verdicts; v[engine.Offloaded] != 2 || v[engine.Lost] != 1 || r.totals.Results != 3 {
		t.Errorf("the totals are %+v", r.totals)
	}
}
