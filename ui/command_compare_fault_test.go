package ui

import (
	"strings"
	"testing"
)

func TestTheHealthyRunStandsBesideTheOneWithAFault(t *testing.T) {
	got := cli(t, "compare", "--policy", "trueforge", "--policy", "none", "--fault", "sandbox-down", "--healthy", compareFile(t))
	if got.code != 0 || got.err != "" {
		t.Fatalf("exit %d, %s", got.code, got.err)
	}
	contains(t, got.out, " · log · call_2 · trueforge: ↑ offloaded → ! lost; log_1: 39,800 bytes, 9,950 tokens out of reach\n",
		"sandbox-down: what the model would no longer reach in 1 conversation\n",
		"  trueforge: 1 of 1 kept payload, 39,800 bytes, 9,950 tokens (utf16/4); ",
		"  none: 0 of 0 kept payloads, 0 bytes, 0 tokens (bytes/4); 10,001 tokens enter, healthy 10,001\n")
	if strings.Contains(got.out, "call_1") {
		t.Errorf("nothing happened to call_1:\n%s", got.out)
	}
}

func TestTheFaultBesideTheHealthyRunAsJSON(t *testing.T) {
	lines := cli(t, "compare", "--policy", "trueforge", "--fault", "expired", "--healthy", "--json", compareFile(t)).lines(t)
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, c := range []struct {
		want any
		path []any
	}{
		{"log_1", []any{"variable"}}, {"expired", []any{"fault"}}, {"offloaded", []any{"faulty", "verdict"}},
		{39_800.0, []any{"healthy", "retrievable_bytes"}}, {0.0, []any{"healthy", "lost_bytes"}}, {39_800.0, []any{"faulty", "lost_bytes"}},
		{9_950.0, []any{"unreachable", "tokens"}},
	} {
		if got := at(lines[0], c.path...); got != c.want {
			t.Errorf("%v is %v, want %v", c.path, got, c.want)
		}
	}
	if got := at(lines[1], "totals", "policies", 0, "lost"); got != 1.0 {
		t.Errorf("%v lost", got)
	}
}

func TestHealthyNeedsAFault(t *testing.T) {
	if got := cli(t, "compare", "--healthy", compareFile(t)); got.code != 2 || !strings.Contains(got.err, "--fault") {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}
