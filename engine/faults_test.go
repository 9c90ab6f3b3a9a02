package engine

import (
	"context"
	"strings"
	"testing"

	"floodmark/history"
)

func faultRuns(t *testing.T, p *Policy, c *history.Conversation, faults ...Fault) []*FaultRun {
	t.Helper()
	_, runs, err := NewReplayer(c).FaultRuns(context.Background(), p, faults, RunOptions{SkipExact: true})
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

func TestAFaultListsWhatTheModelWouldNoLongerReach(t *testing.T) {
	// 40,000 characters are 10,000 tokens; both ends of 100 are seen under any fault.
	for _, c := range []struct {
		fault   Fault
		verdict Verdict
		why     string
	}{
		{SandboxDown, Lost, "the sandbox is down"},
		{WriteFails, Lost, "writing failed"},
		{DiskFull, Lost, "the disk is full"},
		{ReadFails, Offloaded, "it was written, and reading it back fails"},
		{Expired, Offloaded, "the retention time passed before it was used"},
	} {
		run := faultRuns(t, policy(t, "trueforge"), conversation(result(strings.Repeat("a", 40_000)), result("short")), c.fault)[0]
		if len(run.Effects) != 1 {
			t.Fatalf("%s: %d effects, want 1", c.fault, len(run.Effects))
		}
		e := run.Effects[0]
		if e.Healthy.Name != "tool_1" || e.Healthy.Verdict != Offloaded || e.Faulty.Verdict != c.verdict || e.Why != c.why {
			t.Errorf("%s: %s %s → %s, %q", c.fault, e.Healthy.Name, e.Healthy.Verdict, e.Faulty.Verdict, e.Why)
		}
		if e.Unreachable() != 39_800 || e.UnreachableTokens() != 9_950 {
			t.Errorf("%s: %d bytes, %v tokens can't be reached, want 39,800 and 9,950", c.fault, e.Unreachable(), e.UnreachableTokens())
		}
		if want := (FaultSums{Variables: 1, Lost: 1, Bytes: 39_800, Tokens: 9_950}); run.FaultSums != want {
			t.Errorf("%s: %+v, want %+v", c.fault, run.FaultSums, want)
		}
	}
}

func TestWhereNothingIsKeptNoFaultTakesAnything(t *testing.T) {
	for _, run := range faultRuns(t, policy(t, "none"), conversation(result(strings.Repeat("a", 40_000))), Faults...) {
		if len(run.Effects) != 0 || run.FaultSums != (FaultSums{}) {
			t.Errorf("%s: %+v", run.Fault, run.FaultSums)
		}
	}
}

func TestAPolicyThatKeepsInlineLosesNothingAndReadsMore(t *testing.T) {
	p := policy(t, "trueforge", "package.on_loss=inline")
	run := faultRuns(t, p, conversation(result(strings.Repeat("a", 40_000))), SandboxDown)[0]
	if run.Lost != 0 || run.Bytes != 0 || len(run.Effects) != 1 {
		t.Fatalf("%+v, %d effects", run.FaultSums, len(run.Effects))
	}
	if v := run.Effects[0].Faulty.Verdict; v != Inline || run.Faulty.Inline.Tokens != 10_000 {
		t.Errorf("%s, %v tokens entered, want inline and 10,000", v, run.Faulty.Inline.Tokens)
	}
}

func TestACutThatTakesThePlaceOfALossIsCountedAsUnwarned(t *testing.T) {
	p := policy(t, "trueforge", "package.on_loss=truncate")
	run := faultRuns(t, p, conversation(result(strings.Repeat("a", 40_000))), WriteFails)[0]
	if run.Lost != 1 || run.Unwarned != 1 {
		t.Errorf("%+v, want one lost without a warning", run.FaultSums)
	}
}

func TestEveryPolicyUnderEveryFaultLosesOnlyWhatItKept(t *testing.T) {
	for _, name := range Builtin() {
		p := policy(t, name)
		c := conversation(result(numbers(200_000)), result(strings.Repeat("word ", 30_000)))
		for _, run := range faultRuns(t, p, c, Faults...) {
			if run.Lost > run.Variables && !p.History.Kept {
				t.Errorf("%s under %s: %d lost of %d kept", name, run.Fault, run.Lost, run.Variables)
			}
			if run.Variables > 0 && run.Lost == 0 && p.Package.OnLoss != KeepInline {
				t.Errorf("%s under %s: nothing is lost of %d kept", name, run.Fault, run.Variables)
			}
		}
	}
}
