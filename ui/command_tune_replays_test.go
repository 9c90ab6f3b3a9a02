package ui

import (
	"strings"
	"testing"
)

// Of 32,000, 16,000 and 1,600 characters three, one and none are over the values.
func TestTuneReplaysWhatFactsAreNotEnoughFor(t *testing.T) {
	path := threeSizes(t)
	v := cli(t, "tune", "--store", "none", "--json", "--policy", "cline", "--values", "1000,20000,40000", path).lines(t)[0]
	if at(v, "by_replays") != "preview.kind cut keeps what the limits allow" {
		t.Errorf("by replays since %v", at(v, "by_replays"))
	}
	for i, want := range []struct{ value, inline, truncated float64 }{{1000, 0, 3}, {20000, 2, 1}, {40000, 3, 0}} {
		p := at(v, "sweep", i)
		n, _ := at(p, "verdicts", "truncated").(float64)
		inline, _ := at(p, "verdicts", "inline").(float64)
		if at(p, "value") != want.value || n != want.truncated || inline != want.inline {
			t.Errorf("value %v: %v", want.value, p)
		}
	}
	got := cli(t, "tune", "--store", "none", "--policy", "cline", "--values", "1000,20000", path)
	for _, want := range []string{"By replays, one with each value: preview.kind cut keeps what the limits allow.\n", "\nlimits.per_result in utf16: results by verdict"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("without %q in\n%s%s", want, got.out, got.err)
		}
	}
	if got := cli(t, "tune", "--facts", "--store", "none", "--policy", "cline", path); got.code != 2 || !strings.Contains(got.err, "facts are not enough for cline: preview.kind cut keeps what the limits allow") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
}
