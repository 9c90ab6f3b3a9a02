package engine

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// inspected is a ledger of a payload of 40,000 bytes (10,000 tokens) of which 400 bytes entered.
func inspected(t *testing.T, steps ...InspectionStep) *Inspection {
	t.Helper()
	p, err := Load("moveworks")
	if err != nil {
		t.Fatal(err)
	}
	o := &Outcome{Name: "list_1", Verdict: Offloaded, Original: Measure{40_000, 10_000}, Inline: Measure{400, 100}, Package: &Package{}}
	n := NewInspection(p, "c1", o, 38_000)
	for _, s := range steps {
		n.Add(p, s)
	}
	return n
}

func returned(kind InspectionKind, filter string, bytes int64) InspectionStep {
	return InspectionStep{Kind: kind, Filter: filter, Read: 40_000, Returned: Measure{bytes, float64(bytes) / 4}, Results: 1, Found: bytes > 2}
}

func TestTheLedgerSetsWhatWasReturnedAgainstTheWhole(t *testing.T) {
	failed := returned(FilterStep, ".x.y", 0)
	failed.Problem = "cannot index"
	keep := InspectionStep{Kind: KeepStep, Kept: "few_1", Filter: ".few"}
	n := inspected(t, returned(PrefixStep, "", 500), returned(FilterStep, ".none", 2), failed, keep, returned(FilterStep, "length", 1498))
	got := n.Totals(len(n.Steps))
	want := InspectionTotals{Steps: 5, Found: 2, Empty: 1, Failed: 1, Kept: 1, Returned: Measure{2000, 500}, Entered: Measure{2400, 600}, Left: 9400, StepsLeft: 75}
	if got != want {
		t.Errorf("the sums are %+v, want %+v", got, want)
	}
	if first := n.Totals(1); first.Entered.Tokens != 225 {
		t.Errorf("after the first step %v tokens entered, want 225", first.Entered.Tokens)
	}
}

// A run that was ended has not succeeded, whatever it gave before; it is a step all the same.
func TestAStepThatWasStoppedHasNotSucceeded(t *testing.T) {
	limited, hand := returned(FilterStep, "repeat(1)", 400), returned(FilterStep, "until(false; .)", 0)
	limited.Stopped, hand.Stopped = string(StopResults), StoppedByHand
	n := inspected(t, returned(FilterStep, ".a", 400), limited, hand, InspectionStep{Kind: KeepStep, Kept: "a"})
	if got := n.Totals(4).Counts(); got != "4 steps: 1 found something, 0 nothing, 0 failed, 2 stopped, 1 kept" {
		t.Errorf("it says %q", got)
	}
	for i, want := range []string{"found", "stopped at the limit on results before it was done", "stopped by hand before it was done", "kept as $a"} {
		if got := n.Steps[i].Outcome(); got != want {
			t.Errorf("step %d: %q, want %q", i+1, got, want)
		}
	}
	if got := n.Totals(1).Counts(); got != "1 step: 1 found something, 0 nothing, 0 failed" {
		t.Errorf("it says %q", got)
	}
}

// What is left is the difference of the figures beside it: 101 of 10,000 leave 9,899, not 9,900.
func TestBreakEvenIsTheDifferenceOfWhatIsShown(t *testing.T) {
	for bytes, want := range map[int64]string{
		2:      "break-even after 9,899 more tokens, 19,799 steps of the mean size", // 0.5 tokens: 100.5 entered, 9,899.5 left
		39_598: "at break-even: as much entered as the whole payload has",           // 9,899.5 tokens
		39_600: "at break-even: as much entered as the whole payload has",
		39_602: "past break-even: the whole payload would have been cheaper by 1 tokens",
	} {
		n := inspected(t, returned(FilterStep, ".", bytes))
		if got := n.Totals(1).BreakEven(); got != want {
			t.Errorf("%d bytes: %q, want %q", bytes, got, want)
		}
	}
}

func TestAQueryThatBringsThePayloadBackIsAReread(t *testing.T) {
	n := inspected(t, returned(FilterStep, ".", 38_000), returned(FilterStep, ".[:9]", 19_000), returned(FilterStep, ".[:10]", 19_001),
		returned(FilterStep, "big", 28_000), returned(FilterStep, "bigger", 28_004), returned(SchemaStep, "", 30_000))
	for i, want := range []struct{ over, reread bool }{{true, true}, {false, false}, {false, true}, {false, true}, {true, true}, {true, false}} {
		if s := n.Steps[i]; s.Over != want.over || s.Reread != want.reread {
			t.Errorf("step %d: over %v, reread %v; want %+v", i+1, s.Over, s.Reread, want)
		}
	}
	total := n.Totals(len(n.Steps))
	if total.Over != 3 || total.Reread != 4 || total.StepsLeft != 0 {
		t.Errorf("the sums are %+v", total)
	}
	if got := total.BreakEven(); got != "past break-even: the whole payload would have been cheaper by 30,601 tokens" {
		t.Errorf("it says %q", got)
	}
}

func TestTheLedgerAsMarkdown(t *testing.T) {
	problem := returned(SearchStep, "a | b", 0)
	problem.Problem = "bad <b> | `x`\nnext"
	n := inspected(t, returned(FilterStep, ".expenses\n | length", 4), problem)
	want := "# Inspection of `$list_1`\n\n" +
		"Policy moveworks, tokens by bytes/4, threshold per result 7,000. The payload has 40,000 bytes, 10,000 tokens; 100 tokens entered the context in its place.\n\n" +
		"| # | step | filter | read bytes | returned bytes | tokens | total | outcome |\n|---:|---|---|---:|---:|---:|---:|---|\n" +
		"| 1 | filter | `.expenses \\| length` | 40,000 | 4 | 1 | 101 | found |\n" +
		"| 2 | search | `a \\| b` | 40,000 | 0 | 0 | 101 | failed: bad &lt;b> \\| 'x' next |\n\n" +
		"2 steps: 1 found something, 0 nothing, 1 failed.\n" +
		"They returned 1 tokens; with the package 101 of 10,000 (1.0 %).\n" +
		"Break-even after 9,899 more tokens, 19,798 steps of the mean size.\n"
	if got := n.Markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestALedgerIsReadBackAsItWasWritten(t *testing.T) {
	n := inspected(t, returned(FilterStep, ".a", 100), returned(SchemaStep, "", 10))
	text, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadInspection(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if back.Markdown() != n.Markdown() || back.Conversation != "c1" {
		t.Errorf("it comes back as %+v", back)
	}
	for _, bad := range []string{"", "[]", `{"variable":""}`, `{"variable":"x","steps":[{"kind":"dance"}]}`} {
		var e *InspectionError
		if _, err := ReadInspection(strings.NewReader(bad)); !errors.As(err, &e) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestTheSizeOfAPayloadOnOneLine(t *testing.T) {
	if got := CompactBytes([]byte("{ \"a b\" : [ 1,\n\t2 ], \"q\\\" \" : null }"), true); got != int64(len(`{"a b":[1,2],"q\" ":null}`)) {
		t.Errorf("%d bytes", got)
	}
	if got := CompactBytes([]byte("a b"), false); got != 5 {
		t.Errorf("%d bytes of text", got)
	}
}

func TestWhatSaysNothingIsNotFound(t *testing.T) {
	for text, want := range map[string]bool{"null": true, "[]": true, "{}": true, `""`: true, "[null]": true, "0": false, "false": false, `["a"]`: false} {
		if Empties([]byte(text)) != want {
			t.Errorf("%s: want %v", text, want)
		}
	}
}
