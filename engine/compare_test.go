package engine

import (
	"context"
	"strings"
	"testing"

	"floodmark/history"
)

func compared(t *testing.T, c *history.Conversation, f Fault, names ...string) *Comparison {
	t.Helper()
	var policies []*Policy
	for _, n := range names {
		policies = append(policies, policy(t, n))
	}
	cmp, err := NewReplayer(c).Compare(context.Background(), policies, RunOptions{Fault: f})
	if err != nil {
		t.Fatal(err)
	}
	return cmp
}

func TestAPayloadsBytesAreSeenOrRetrievableOrGone(t *testing.T) {
	text := strings.Repeat("a", 40_000) // 10,000 tokens
	exec := &history.Call{Tool: "exec", Result: &history.Result{Payload: history.Of(text)}}
	failed := &history.Call{Result: &history.Result{Payload: history.Of(text), Error: true, Failed: true}}
	for _, c := range []struct {
		name, policy            string
		call                    *history.Call
		fault                   Fault
		verdict                 Verdict
		seen, retrievable, gone int64
	}{
		{"plain text is a flood", "moveworks", result(text), NoFault, Inline, 40_000, 0, 0},
		{"both ends of 100 are seen", "trueforge", result(text), NoFault, Offloaded, 200, 39_800, 0},
		{"without a sandbox the rest is gone", "trueforge", result(text), SandboxDown, Lost, 200, 0, 39_800},
		{"what expired can't be read back", "trueforge", result(text), Expired, Offloaded, 200, 0, 39_800},
		{"nor what reading fails on", "trueforge", result(text), ReadFails, Offloaded, 200, 0, 39_800},
		{"the sandbox's own output is not kept", "trueforge", exec, NoFault, PreviewOnly, 200, 0, 39_800},
		{"a failed call keeps 500", "trueforge", failed, NoFault, Truncated, 500, 0, 39_500},
		{"without a policy all is seen", "none", failed, NoFault, Inline, 40_000, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := compared(t, conversation(c.call), c.fault, c.policy)
			s := got.Results[0].Sights[0]
			if s.Verdict != c.verdict || s.Seen != c.seen || s.Retrievable != c.retrievable || s.Gone != c.gone {
				t.Errorf("%s: seen %d, retrievable %d, gone %d", s.Verdict, s.Seen, s.Retrievable, s.Gone)
			}
			p := got.Policies[0]
			if p.Seen != c.seen || p.Retrievable != c.retrievable || p.Gone != c.gone {
				t.Errorf("in all: seen %d, retrievable %d, gone %d", p.Seen, p.Retrievable, p.Gone)
			}
		})
	}
}

func TestARejectedResultIsGone(t *testing.T) {
	big := history.Generated(history.Generator{Size: history.Size{Bytes: 100_000_001}})
	call := &history.Call{Result: &history.Result{Payload: big}}
	s := compared(t, conversation(call), NoFault, "moveworks").Results[0].Sights[0]
	if s.Verdict != Rejected || s.Seen != 0 || s.Gone != 100_000_001 {
		t.Errorf("%+v", s)
	}
}

func TestInstructionsThatWerePassedOnAreSeen(t *testing.T) {
	text := `{"display_instructions_for_model": "Be brief.", "n": 1}`
	s := compared(t, conversation(result(text)), NoFault, "moveworks").Results[0].Sights[0]
	if s.Seen != int64(len(text)) || s.Gone != 0 {
		t.Errorf("%+v", s)
	}
}

func TestOnlyResultsOnWhichThePoliciesDisagreeDiffer(t *testing.T) {
	c := compared(t, conversation(result("short"), result(strings.Repeat("a", 28_000)), &history.Call{}, result(numbers(40_000))),
		NoFault, "none", "moveworks", "trueforge")
	if len(c.Results) != 3 {
		t.Fatalf("%d results: a call without one is none", len(c.Results))
	}
	want := []bool{false, true, true}
	for i, r := range c.Results {
		if r.Differs() != want[i] {
			t.Errorf("result %d differs: %v", i, r.Differs())
		}
	}
	if v := c.Results[2].Sights; v[0].Verdict != Inline || v[1].Verdict != Offloaded || v[2].Verdict != Offloaded {
		t.Errorf("%v", v)
	}
}

// A policy that looks for instructions and one that doesn't share what was measured, whichever is
// asked for first, and what each says is what it says alone.
func TestAComparisonSaysOfEachPolicyWhatItsOwnRunSays(t *testing.T) {
	calls := func() *history.Conversation {
		return conversation(result(numbers(40_000)), result(`{"a": {"display_instructions_for_model": 1}}`),
			result(`{"display_instructions_for_model": "x", "b": [`+strings.Repeat("1,", 20_000)+`1]}`), result(strings.Repeat("é", 30_000)))
	}
	for _, names := range [][]string{{"moveworks", "trueforge", "none"}, {"none", "trueforge", "moveworks"}} {
		c := compared(t, calls(), NoFault, names...)
		for i, n := range names {
			run, err := NewReplayer(calls()).Run(context.Background(), policy(t, n), RunOptions{SkipExact: true})
			if err != nil {
				t.Fatal(err)
			}
			for k, o := range run.Outcomes {
				if s := c.Results[k].Sights[i]; s.Verdict != o.Verdict || s.Inline != o.Inline || s.Original != o.Original {
					t.Errorf("%v, %s, result %d: %+v, alone %s %v", names, n, k, s, o.Verdict, o.Inline)
				}
			}
			if c.Policies[i].Totals.Model != run.Totals.Model || c.Policies[i].Totals.PeakContext != run.Totals.PeakContext {
				t.Errorf("%v, %s: other totals than alone", names, n)
			}
		}
	}
}

func TestEveryPayloadIsScannedOnceForAllPolicies(t *testing.T) {
	r := NewReplayer(conversation(result(numbers(40_000)), result("text")))
	if _, err := r.Compare(context.Background(), []*Policy{policy(t, "none"), policy(t, "trueforge"), policy(t, "moveworks")}, RunOptions{}); err != nil {
		t.Fatal(err)
	}
	scans := map[*Facts]bool{}
	for _, m := range r.cache.facts {
		scans[m.facts] = true
	}
	if len(scans) != 2 {
		t.Errorf("%d scans of two payloads", len(scans))
	}
	if len(r.cache.packages) != 0 {
		t.Error("packages stayed in memory")
	}
}

func TestOneOutcomeIsTheOneOfTheRun(t *testing.T) {
	c := conversation(result(strings.Repeat("a", 20_000)), result(strings.Repeat("b", 22_000)))
	p := policy(t, "trueforge") // together 10,500 tokens: the larger one is replaced
	r := NewReplayer(c)
	for i, want := range []Verdict{Inline, Offloaded} {
		o, err := r.Outcome(context.Background(), p, c.Calls()[i], RunOptions{})
		if err != nil || o.Verdict != want {
			t.Errorf("%v, %v", o, err)
		}
	}
	if o, err := r.Outcome(context.Background(), p, &history.Call{}, RunOptions{}); o != nil || err != nil {
		t.Errorf("of no call: %v, %v", o, err)
	}
}

func TestStrategiesInARecordingAreRecognised(t *testing.T) {
	kept := result("the complete text")
	kept.Result.Flags, kept.Result.At.File = history.OffloadedByRecorder, "s/tool-results/toolu_1.txt"
	cut := result("cut")
	cut.Result.Flags = history.TruncatedByRecorder
	read := &history.Call{Tool: "Read", Arguments: history.Of(`{"file_path":"\/home\/tool-results\/toolu_1.txt"}`)}
	other := &history.Call{Tool: "Read", Arguments: history.Of(`{"file_path":"toolu_11.txt"}`)}
	c := conversation(kept, cut, read, other)
	turn := c.Threads[0].Turns[0]
	turn.Compacted = true // the turn and its first step are one compaction
	turn.Steps[0].Compacted = true
	turn.Steps = append(turn.Steps, &history.Step{Number: 2, Compacted: true})
	want := Recorded{Compactions: 2, Offloaded: 1, Truncated: 1, Reads: 1}
	if got := compared(t, c, NoFault, "none").Recorded; got != want {
		t.Errorf("%+v", got)
	}
}

// A policy that clears old results loses them for good where it keeps nothing, though they entered
// whole.
func TestAClearedResultIsGoneLater(t *testing.T) {
	text := strings.Repeat("a", 40_000) // 10,000 tokens each
	for _, c := range []struct {
		kept                    string
		seen, retrievable, gone int64
	}{
		{"history.kept=false", 0, 0, 40_000},
		{"history.kept=true", 0, 40_000, 0},
	} {
		conv := conversation(result(text))
		turn := conv.Threads[0].Turns[0]
		for n := 2; n <= 3; n++ {
			call := result(text)
			call.ID, call.Tool, call.Order = "later", "tool", n
			turn.Steps = append(turn.Steps, &history.Step{Number: n, Calls: []*history.Call{call}})
		}
		p := policy(t, "none", "strategy=clear", "history.over=5000", "history.keep_results=1", c.kept)
		cmp, err := NewReplayer(conv).Compare(context.Background(), []*Policy{policy(t, "none"), p}, RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		first := cmp.Results[0]
		s := first.Sights[1]
		if s.Verdict != Inline || s.Cleared == nil || s.Cleared.Step != 3 || s.Seen != c.seen || s.Retrievable != c.retrievable || s.Gone != c.gone {
			t.Errorf("%s: %+v", c.kept, s)
		}
		if !first.Differs() || cmp.Results[2].Differs() {
			t.Errorf("%s: only what was cleared differs", c.kept)
		}
		// Of the three results the first alone is cleared: before the third step the second is the newest.
		if sum := cmp.Policies[1]; sum.Cleared != 1 || sum.ClearedBytes != 40_000 || sum.ClearedGone != c.gone || cmp.Policies[0].Cleared != 0 {
			t.Errorf("%s: %d cleared, with %d bytes, %d of them gone", c.kept, sum.Cleared, sum.ClearedBytes, sum.ClearedGone)
		}
		if p.InEffect() != ClearOld {
			t.Errorf("its strategy is %s", p.InEffect())
		}
	}
}
