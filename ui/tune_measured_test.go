package ui

import (
	"context"
	"testing"

	"floodmark/engine"
)

// replayedTokens is what enters under a policy by a full replay of all that is open.
func replayedTokens(t *testing.T, s *session, p *engine.Policy) (tokens float64, notInline int) {
	t.Helper()
	for _, c := range s.convs {
		run, err := engine.NewReplayer(c.Conversation).Run(context.Background(), p, engine.RunOptions{SkipExact: true, Fault: s.fault})
		if err != nil {
			t.Fatal(err)
		}
		tokens += run.Totals.Inline.Tokens
		for v, n := range run.Totals.Verdicts {
			if v != engine.Inline {
				notInline += n
			}
		}
	}
	return tokens, notInline
}

// Whatever decides in a policy, its settings can be moved, and come to what a full replay comes to.
func TestTuneMovesTheSettingsOfEveryPolicy(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and with one goroutine at a time")
	}
	s := openScreen(t, sampleRecording(), subagentRecording())
	for range engine.Builtin() {
		name := s.e.session.policy.Name
		s.press("s")
		u := s.e.tune
		for i, k := range u.knobs {
			if k.unit == byteUnit || k.unit == shareUnit {
				continue
			}
			u.chosen = i
			s.press("left")
			if u.problem != "" || u.missing != nil || u.after == nil {
				t.Fatalf("%s, %s: %q, still missing %v", name, k.name, u.problem, u.missing != nil)
			}
		}
		tokens, notInline := replayedTokens(t, s.e.session, u.policy)
		if got := u.after.Point; got.InlineTokens != tokens || got.Verdicts.NotInline() != notInline {
			t.Errorf("%s: %v tokens, %d not inline; a replay gives %v and %d", name, got.InlineTokens, got.Verdicts.NotInline(), tokens, notInline)
		}
		if u.adviceProblem != "" {
			t.Errorf("%s has no recommendation: %s", name, u.adviceProblem)
		}
		s.press("esc", "p")
	}
}

// The expenses are 19,176 tokens by o200k_base. The limit of 40,000 is divided among the calls of a batch, so that two of
// the batch of three are replaced already.
func TestAPolicyThatTakesReplaysIsTunedInTheBackground(t *testing.T) {
	s := tuneScreenOf(t, "llxprt-warn")
	s.shows("nothing is tuned", "recommended for")
	s.hides("no recommendation")
	before := s.e.tune.before.Point
	s.hold = "measure"
	s.typeValue("5000")
	s.shows("replaying 0 of 1… until then as it was", "5,000 ▸ was 40,000")
	if s.e.tune.after.Point != before {
		t.Error("figures came before the replay")
	}
	s.press("left") // a newer key press counts
	s.shows("4,500 ▸ was 40,000", "replaying 0 of 1…")
	s.release()
	s.hides("replaying")
	s.shows("1 result flips", "list_expenses               19,176 = → ¶ preview-only")
	if n := s.e.tune.after.Point.Verdicts.Of(engine.PreviewOnly); n != 3 {
		t.Errorf("%d replaced, want 3", n)
	}
	s.press("u")
	s.hides("replaying") // it was measured before
	s.shows("nothing is tuned")
}

func TestClearingOldResultsIsTuned(t *testing.T) {
	s := tuneScreenOf(t, "gemini-cli-masking")
	s.shows("▸history over", "30,000", "keep tokens", "50,000", "keep steps", "by history over")
	s.press("down")
	s.typeValue("0")
	s.shows("was 50,000")
	s.press("up")
	s.typeValue("1000")
	s.shows("was 30,000")
	tokens, _ := replayedTokens(t, s.e.session, s.e.tune.policy)
	if got := s.e.tune.after.Point; got.InlineTokens != tokens || got.ModelTokens >= s.e.tune.before.Point.ModelTokens {
		t.Errorf("%v tokens entered, want %v; the model reads %v, before %v, want less", got.InlineTokens, tokens, got.ModelTokens, s.e.tune.before.Point.ModelTokens)
	}
}

// Claude Code has a setting for its second limit, MAX_MCP_OUTPUT_TOKENS, and none for the first.
func TestTheLimitThatHasASettingIsChosenFirst(t *testing.T) {
	s := tuneScreenOf(t, "claude-code-mcp")
	s.shows("▸second limit", "25,000", "by second limit")
	s.typeValue("9000")
	s.press("y")
	s.shows("MAX_MCP_OUTPUT_TOKENS", "9000")
}

// A fault that was asked for holds for what is replayed, too.
func TestAFaultHoldsForWhatIsReplayed(t *testing.T) {
	s := openScreen(t)
	s.e.session.suffer(engine.DiskFull)
	for s.e.session.policy.Name != "gemini-cli" && !(s.e.session.policy.ByReplays() != "" && s.e.session.policy.Strategy == engine.Offload) {
		s.press("p")
	}
	s.press("s")
	s.typeValue("4000")
	if n := s.e.tune.after.Point.Verdicts.Of(engine.Lost); n == 0 || s.e.tune.problem != "" {
		t.Errorf("%s: %d lost, %q; want some", s.e.session.policy.Name, n, s.e.tune.problem)
	}
}
