package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"floodmark/history"
)

// Under every built-in policy each byte of every real payload is seen, retrievable or gone, none of
// them twice; and only a policy of a strategy that loses something loses anything.
func TestNoByteOfARealPayloadIsLeftOutOfAComparison(t *testing.T) {
	var policies []*Policy
	for _, name := range Builtin() {
		policies = append(policies, policy(t, name))
	}
	results := 0
	err := filepath.WalkDir(recordings(t), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		opened, _ := history.Open(context.Background(), path, history.Options{})
		for _, r := range opened {
			for _, c := range r.Conversations {
				cmp, err := NewReplayer(c).Compare(context.Background(), policies, RunOptions{})
				if err != nil {
					t.Errorf("%s: %v", path, err)
					continue
				}
				results += len(cmp.Results)
				for _, row := range cmp.Results {
					for i, s := range row.Sights {
						if s.Seen < 0 || s.Retrievable < 0 || s.Gone < 0 || s.Seen+s.Retrievable+s.Gone != s.Original.Bytes {
							t.Errorf("%s, %s, %s: %+v", path, policies[i].Name, row.Call.ID, s)
						}
						if s.Gone > 0 && (s.Verdict == Inline && s.Cleared == nil || policies[i].InEffect() == KeepAll) {
							t.Errorf("%s, %s, %s: it entered, and is gone: %+v", path, policies[i].Name, row.Call.ID, s)
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if results == 0 {
		t.Fatal("no result was compared")
	}
	t.Logf("%d results under %d policies", results, len(policies))
}

// Ten policies on 400 results of 30 KB; the first figure to look at is that of one policy, beside it.
func BenchmarkCompare(b *testing.B) {
	var calls []*history.Call
	for range 400 {
		calls = append(calls, result(numbers(30_000)))
	}
	c := conversation(calls...)
	var policies []*Policy
	for _, n := range strings.Fields("none moveworks trueforge gemini-cli codex-bytes cline opencode hermes inspect-ai goose-mcp") {
		policies = append(policies, policy(b, n))
	}
	for name, list := range map[string][]*Policy{"one": policies[:1], "ten": policies} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := NewReplayer(c).Compare(context.Background(), list, RunOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
