package engine

import (
	"slices"
	"strings"
	"testing"

	"floodmark/history"
)

func TestOpencodeClearsBeyondTheNewestTokensOfOlderTurns(t *testing.T) {
	p := policy(t, "opencode")
	var six []*history.Call
	for range 6 {
		six = append(six, by("list", letters(50_000))) // 12,500 tokens each, all of them inline
	}
	asked := func(text string) []*history.Call { return []*history.Call{by("list", text)} }
	// Of the newest 40,000 three of 12,500 stay; the other three are 37,500, over 20,000.
	if got := gone(runOf(t, p, talk(six, asked("x"), asked("x")))); got != "3.1 3.1 3.1 - - - - -" {
		t.Errorf("six: %s", got)
	}
	// Two more than stay are 25,000, one is not over 20,000.
	if got := gone(runOf(t, p, talk(six[:5], asked("x"), asked("x")))); got != "3.1 3.1 - - - - -" {
		t.Errorf("five: %s", got)
	}
	if got := gone(runOf(t, p, talk(six[:4], asked("x"), asked("x")))); got != "- - - - - -" {
		t.Errorf("four: %s", got)
	}
}

func TestEinoClearsAllButTheNewestRound(t *testing.T) {
	p := policy(t, "eino-reduction")
	calls := []*history.Call{by("list", letters(40_000)), by("list", "x")}
	for range 15 {
		calls = append(calls, by("list", letters(40_000)))
	}
	calls = append(calls, by("list", "x"))
	run := runOf(t, p, talk(calls))
	// Fifteen of 10,000 tokens are under 160,000 with the rest; the sixteenth reaches it before step 18
	// ("B" behind "9").
	if got, want := gone(run), strings.Repeat("1.B ", 16)+"- -"; got != want {
		t.Errorf("gone: %s, want %s", got, want)
	}
	if c := run.Outcomes[0].Cleared; !strings.Contains(c.Text, "trunc/list_1") {
		t.Errorf("what can be read back is not named: %q", c.Text)
	}
}

// A compaction takes the old results away: what is gone is not cleared again.
func TestACompactedContextHasNothingToClear(t *testing.T) {
	p := policy(t, "anthropic-clear-tool-uses", "history.over=1000", "history.keep_results=0")
	c := talk([]*history.Call{by("list", letters(8_000))}, []*history.Call{by("list", letters(8)), by("list", "x")})
	if got := gone(runOf(t, p, c)); got != "2.1 - -" {
		t.Errorf("before: %s", got)
	}
	c.Threads[0].Turns[1].Compacted = true
	if got := gone(runOf(t, p, c)); got != "- - -" {
		t.Errorf("after a compaction: %s", got)
	}
}

func TestOutcomesAreHandedOnWithWhatWentLater(t *testing.T) {
	p := policy(t, "openai-agents-trimmer")
	c := talk([]*history.Call{by("a", letters(900))}, []*history.Call{by("b", "x")}, []*history.Call{by("c", "x")})
	var seen []string
	_, err := NewReplayer(c).Run(t.Context(), p, RunOptions{SkipExact: true, Each: func(o *Outcome) error {
		seen = append(seen, o.Call.Tool+" "+o.traced("history").Result)
		return nil
	}})
	if err != nil || !slices.Equal(seen, []string{"a cleared", "b ", "c "}) {
		t.Errorf("%q, %v", seen, err)
	}
}

func TestRoundedUpEstimators(t *testing.T) {
	for _, c := range []struct {
		e    Estimator
		text string
		want float64
	}{
		{CeilBytes4, "", 0}, {CeilBytes4, "a", 1}, {CeilBytes4, "abcd", 1}, {CeilBytes4, "abcde", 2}, {CeilBytes4, "🎉x", 2},
		{CeilChars4, "🎉x", 1}, {CeilChars4, "🎉🎉🎉🎉x", 2},
	} {
		if got := c.e.Of([]byte(c.text)); got != c.want {
			t.Errorf("%s of %q is %v, want %v", c.e, c.text, got, c.want)
		}
		if c.e.Over([]byte(c.text), c.want, false) || c.want > 0 && !c.e.Over([]byte(c.text), c.want, true) {
			t.Errorf("%s: %q is on the wrong side of %v", c.e, c.text, c.want)
		}
	}
}
