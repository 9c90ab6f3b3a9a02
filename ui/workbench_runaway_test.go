package ui

import (
	"testing"
	"time"
)

// A filter that would go on for ever, or take all memory, ends at a limit or is refused, and the explorer
// goes on.
func TestARunawayFilterLeavesTheExplorerResponsive(t *testing.T) {
	for filter, want := range map[string]string{
		"[limit(1e9; repeat(1))]":                "ended ",
		`"x" * 1e9`:                              "1 step",
		"def f: [f]; f":                          "ended ",
		"[range(1e9)] | length":                  "ended ",
		"last(range(1e12))":                      "ended ",
		`[range(1e7) | tostring] | map(. + "x")`: "ended ",
		"repeat(1)":                              "1,000 results",
		`("a" * 5000) | test("(a*)*b")`:          "1 step",
		`[.. | tojson] | add * 1e6 | length`:     "1 step",
		`until(false; .)`:                        "ended ",
		`[.expenses[] as $a | .expenses[] as $b | .expenses[] as $c | $a] | length`: "ended ",
	} {
		t.Run(filter, func(t *testing.T) {
			s := bench(t)
			tab := s.e.tabs[tabOf[viewVariable]].(*variableTab)
			limits := &tab.sources.limits
			limits.Results, limits.Time, limits.Memory = 1000, 500*time.Millisecond, 128<<20
			s.press(":")
			tab.edit.set(filter)
			s.press("enter")
			s.shows(want)
			s.press("?")
			s.shows("jq over the complete payload")
			s.press("esc")
			s.filter(".total")
			s.shows("500", "2 steps")
		})
	}
}
