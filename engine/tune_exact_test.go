package engine

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"floodmark/history"
)

// collected is a corpus of these conversations, measured for these policies.
func collected(t testing.TB, conversations []*history.Conversation, policies ...*Policy) *Corpus {
	t.Helper()
	c, err := NewCorpus(policies...)
	if err != nil {
		t.Fatal(err)
	}
	for _, conv := range conversations {
		if err := c.Add(context.Background(), NewReplayer(conv), nil); err != nil {
			t.Fatalf("%s: %v", conv.File, err)
		}
	}
	return c
}

// sameAsReplay compares what is decided from facts with full replays: every verdict, every result's and
// every step's tokens, and the totals.
func sameAsReplay(t *testing.T, c *Corpus, p *Policy, fault Fault, replayers []*Replayer) {
	t.Helper()
	d, err := c.Under(fault).Decide(p)
	if err != nil {
		t.Fatalf("%s: %v", settings(p), err)
	}
	var sum Totals
	var modelOriginal float64
	fact, step := 0, 0
	for _, r := range replayers {
		run, err := r.Run(context.Background(), p, RunOptions{SkipExact: true, Fault: fault})
		if err != nil {
			t.Fatal(err)
		}
		sum.Add(run.Totals)
		for _, s := range run.Steps {
			if !c.StepAt(step).Copied {
				modelOriginal += s.ModelOriginal
			}
			if d.StepTokens(step) != s.Inline || d.ContextTokens(step) != s.Model {
				t.Fatalf("%s, %s: step %d of turn %d has %v and a context of %v, a replay %v and %v", r.conv.File, settings(p),
					s.Step, s.Turn, d.StepTokens(step), d.ContextTokens(step), s.Inline, s.Model)
			}
			step++
			for _, o := range s.Calls {
				if o.Verdict == "" {
					continue
				}
				if d.Verdict(fact) != o.Verdict || d.InlineTokens(fact) != o.Inline.Tokens {
					t.Fatalf("%s, %s: %s is %s with %v tokens, in a replay %s with %v", r.conv.File, settings(p),
						o.Call.ID, d.Verdict(fact), d.InlineTokens(fact), o.Verdict, o.Inline.Tokens)
				}
				fact++
			}
		}
	}
	if fact != c.Len() || step != c.Steps() {
		t.Fatalf("%d facts and %d steps, a replay has %d and %d", c.Len(), c.Steps(), fact, step)
	}
	for i, v := range Verdicts {
		if d.Point.Verdicts[i] != sum.Verdicts[v] {
			t.Errorf("%s: %d are %s, in a replay %d", settings(p), d.Point.Verdicts[i], v, sum.Verdicts[v])
		}
	}
	got := []float64{d.OriginalTokens, d.Point.InlineTokens, d.Point.ModelTokens, d.ModelOriginal, d.Point.PeakStepTokens, d.Point.PeakContextTokens}
	want := []float64{sum.Original.Tokens, sum.Inline.Tokens, sum.Model, modelOriginal, sum.PeakStep, sum.PeakContext}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: original, inline, model, model of the original, peak step and peak context are\n%v, in a replay\n%v", settings(p), got, want)
	}
}

func settings(p *Policy) string { return fmt.Sprint(p.Name, " with ", p.Changed) }

// ways are settings that facts measured for a built-in policy decide, thresholds from none to all among
// them.
var ways = []string{
	"limits.per_result=0", "limits.per_result=0.25", "limits.per_result=10", "limits.per_result=33.3", "limits.per_result=100",
	"limits.per_result=499.75", "limits.per_result=1000", "limits.per_result=4000", "limits.per_result=6000", "limits.per_result=9999",
	"limits.per_result=null",
	"limits.per_result=null limits.combined=0", "limits.per_result=50 limits.combined=60", "limits.per_result=200 limits.combined=300",
	"limits.per_result=1000 limits.combined=1000", "limits.per_result=3000 limits.combined=4000", "limits.per_result=null limits.combined=null",
	"limits.per_result=0 boundary=reaches", "limits.per_result=100 boundary=reaches", "limits.per_result=200 limits.combined=300 boundary=reaches",
	"limits.per_result=100 package.must_shrink=true", "limits.per_result=100 limits.combined=200 package.must_shrink=true",
	"limits.per_result=100 limits.hard_bytes=2000", "limits.per_result=0 limits.hard_bytes=0",
	"limits.per_result=100 structured.max_string_share=0.1", "limits.per_result=100 structured.max_string_share=0.99",
	"limits.per_result=100 structured.only=true limits.combined=150", "limits.per_result=100 errors.truncate_chars=null",
	"limits.per_result=100 sandbox.required=true sandbox.enabled=false", "enabled=false",
	`limits.per_result=500 overrides=[{"role":"subagent","per_result":50},{"tool":"Bash","per_result":null},{"tool":"Read","role":"root","per_result":100}]`,
	`limits.per_result=100 overrides=[{"role":"subagent","combined":120},{"agent":"Explore","per_result":20}]`,
}

func waysOf(t *testing.T, base *Policy) []*Policy {
	var policies []*Policy
	for _, w := range ways {
		q, err := base.Set(strings.Fields(w)...)
		if err != nil {
			t.Fatalf("%s: %v", w, err)
		}
		policies = append(policies, q)
	}
	return policies
}

func TestDecidingFromFactsIsReplaying(t *testing.T) {
	check := func(t *testing.T, conversations []*history.Conversation) {
		var replayers []*Replayer
		for _, c := range conversations {
			replayers = append(replayers, NewReplayer(c))
		}
		for _, name := range []string{"moveworks", "trueforge"} {
			for _, estimator := range []Estimator{Bytes4, Chars4, UTF164} {
				p := policy(t, name, "estimator="+string(estimator))
				c := collected(t, conversations, p)
				for _, w := range waysOf(t, p) {
					sameAsReplay(t, c, w, NoFault, replayers)
				}
				sameAsReplay(t, c, policy(t, name, "estimator="+string(estimator), "limits.per_result=100"), DiskFull, replayers)
			}
		}
	}
	t.Run("the built-in recordings", func(t *testing.T) {
		check(t, conversationsIn(t, filepath.Join("..", "fixtures")))
	})
	t.Run("real recordings", func(t *testing.T) {
		if testing.Short() {
			t.Skip("it takes a minute")
		}
		check(t, conversationsIn(t, recordings(t)))
	})
}

// conversationsIn are the conversations of all recordings in a folder that can be opened.
func conversationsIn(t testing.TB, dir string) []*history.Conversation {
	t.Helper()
	var all []*history.Conversation
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found, _ := history.Open(context.Background(), path, history.Options{})
		for _, r := range found {
			all = append(all, r.Conversations...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("no recording in %s", dir)
	}
	return all
}
