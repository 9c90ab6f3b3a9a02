package engine

import (
	"fmt"
	"strings"
	"testing"
)

// listOf is a JSON array of records.
func listOf(records []string) string { return "[" + strings.Join(records, ",") + "]" }

// said writes a chain as variables, calls and whole per cents.
func said(c Chain) string {
	text := c.First.Name
	for _, h := range c.Hops {
		text += fmt.Sprintf(" -%s %.0f%%-> %s %s", h.From.Name, 100*h.Share, h.To.Call.ID, h.To.Verdict)
	}
	return text
}

// The way of a payload: kept outside, read whole so that it is kept outside again, and read in parts.
func TestAChainFollowsAPayloadThatIsOffloadedAgain(t *testing.T) {
	all := trackedRows(10_000, 600) // 71 bytes each
	run := tracked(t, moveworksWith(t), "Look.",
		[2]string{`{"q":"all"}`, listOf(all)},
		[2]string{`{"file":"get_1","to":480}`, listOf(all[:480])}, // 80 %, over 7,000 tokens again
		[2]string{`{"file":"get_2","to":240}`, listOf(all[:240])}, // half of that one, 40 % of the first
		[2]string{`{"q":"none"}`, `{"rows":[]}`},
	)
	chains := run.Tracking.Chains()
	if len(chains) != 1 {
		t.Fatalf("%d chains", len(chains))
	}
	c := chains[0]
	if got, want := said(c), "get_1 -get_1 80%-> c2 offloaded -get_2 50%-> c3 inline"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	first, second := run.Outcomes[1].Inline.Tokens, run.Outcomes[2].Inline.Tokens
	if c.Hops[0].Tokens != first || c.Hops[1].Tokens != second || c.Tokens != first+second {
		t.Errorf("%v, %v and %v in all; %v and %v entered", c.Hops[0].Tokens, c.Hops[1].Tokens, c.Tokens, first, second)
	}
	for i, want := range []bool{true, true, true, false} {
		if got := run.Tracking.ChainOf(run.Outcomes[i]); (got != nil) != want {
			t.Errorf("call %d stands in a chain: %v", i+1, got != nil)
		}
	}
}

// Where the same call gave the same again, what comes back is the newer variable's, once.
func TestWhatTheNewerVariableHasIsNotTheOlderOnesToo(t *testing.T) {
	all := trackedRows(0, 600)
	for _, c := range []struct {
		name  string
		newer []string
		want  string
	}{
		{"the same payload", all, "get_2"},
		{"a few rows are new", append(trackedRows(5000, 30), all[30:]...), "get_2"},
		{"other rows", trackedRows(5000, 600), "get_1"},
	} {
		run := tracked(t, moveworksWith(t), "Look.", [2]string{`{"q":"all"}`, listOf(all)}, [2]string{`{"q":"all"}`, listOf(c.newer)},
			[2]string{`{"to":360}`, listOf(all[30:390])}) // 60 %; of the whole list it is over 7,000 tokens
		var from []string
		for _, r := range run.Tracking.Rereads {
			if r.To.Call.ID == "c3" {
				from = append(from, r.From.Name)
			}
		}
		if strings.Join(from, " ") != c.want {
			t.Errorf("%s: brings back %v, want %s", c.name, from, c.want)
		}
	}
}

// A result that brings back two variables enters the context once, and is counted once.
func TestTheAuditCountsAResultThatBringsTwoVariablesBackOnce(t *testing.T) {
	all := trackedRows(10_000, 400) // 71 bytes each: 28,801 bytes in all, and 21,601 of 300
	l := audited(t, policy(t, "moveworks"), conversation(asked(`{"q":1}`, listOf(all)), asked(`{"q":2}`, listOf(all)), asked(`{"q":3}`, listOf(all[:300]))))["inspection"]
	if l.Figures["offloaded"] != 2 || l.Figures["rereads"] != 1 || l.Figures["reread_tokens"] != 5_400.25 {
		t.Errorf("%v: %s", l.Figures, l.Summary)
	}
}
