package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"floodmark/engine"
	"floodmark/history"
	"floodmark/store"
)

// tuneScreenOf shows recordings in Tune, under a policy.
func tuneScreenOf(t *testing.T, policy string, recordings ...*history.Recording) *screen {
	t.Helper()
	s := openScreen(t, recordings...)
	for s.e.session.policy.Name != policy {
		s.press("p")
	}
	s.press("s")
	return s
}

// typeValue types the chosen setting's value.
func (c *screen) typeValue(v string) {
	c.press("enter")
	c.typeText(v)
	c.press("enter")
}

// The sample has 6 results: 15,498 tokens of JSON, two floods, and three small ones. Offloaded, the
// first one enters with 291 tokens (see the other tests of the explorer).
func TestTuneFollowsASettingAtOnce(t *testing.T) {
	s := tuneScreenOf(t, "moveworks")
	s.shows("Tune · 1 conversation, 6 results, 7 steps", "nothing is tuned")
	s.typeValue("16k")
	s.shows("what if: moveworks · bytes/4 · per result 16,000 (was 7,000)", "settings, what if",
		"= inline              5 →          6      +1", "↑ offloaded           1 →          0      −1",
		"entered          28,413 →     43,621", "1 result flips", "list_expenses", "15,498 ↑ → = inline, 15,498 tokens")
	s.press("u")
	s.shows("nothing is tuned", "0 results flip")
	s.hides("what if: moveworks")
	s.press("u")
	s.shows("nothing to undo")
	if s.e.session.store != nil {
		t.Error("tuning opened the store")
	}
}

func TestTuneMovesInRoundStepsAndFineOnes(t *testing.T) {
	s := tuneScreenOf(t, "moveworks")
	s.press("right")
	s.shows("per result 7,500 (was 7,000)")
	s.press("left", "left")
	s.shows("per result 6,500 (was 7,000)")
	s.press("shift+right")
	s.shows("per result 6,550 (was 7,000)")
	s.press("shift+left", "-")
	s.shows("per result 6,450 (was 7,000)")
	s.press("u") // the moves of one setting in a row are one change
	s.hides("what if: moveworks")
}

func TestTuneShowsAFlipInTheExplorerAndComesBack(t *testing.T) {
	s := tuneScreenOf(t, "moveworks")
	s.typeValue("16k")
	s.press("tab", "enter")
	s.shows("▸├─ list_expenses", "= inline: 15,498 tokens, within 16,000", "what if: moveworks", "Esc goes back to Tune")
	s.press("esc")
	s.shows("1 result flips", "before → after")
	if p := s.e.session.policy; *p.Limits.PerResult != 7000 {
		t.Errorf("after the visit the explorer measures by %v, want 7,000", *p.Limits.PerResult)
	}
	s.press("esc")
	s.shows("moveworks · bytes/4 · per result 7,000", "what is tuned stays in Tune")
	s.press("s")
	s.shows("per result 16,000 (was 7,000)")
}

// From inside the result Esc leads to the list first.
func TestAVisitCanLookIntoTheResult(t *testing.T) {
	s := tuneScreenOf(t, "moveworks")
	s.typeValue("16k")
	s.press("tab", "enter", "tab", "5", "esc")
	s.shows("▸├─ list_expenses")
	s.press("esc")
	s.shows("before → after")
}

func TestWhatIsTunedCanBeAppliedAndTakenBack(t *testing.T) {
	s := tuneScreenOf(t, "moveworks")
	s.typeValue("16k")
	s.press("A")
	s.shows("applied to the explorer")
	s.press("esc", "down")
	s.shows("what if: moveworks · bytes/4 · per result 16,000 (was 7,000)", "= inline: 15,498 tokens, within 16,000")
	s.press("[") // goes on from there
	s.shows("per result 15,000 (was 7,000)")
	s.press("u")
	s.shows("moveworks · bytes/4 · per result 7,000", "↑ offloaded to $list_expenses_1")
	s.hides("what if")
}

func TestASettingThatThePolicyRefusesSaysWhy(t *testing.T) {
	s := tuneScreenOf(t, "trueforge")
	s.typeValue("12k")
	s.shows("limits.per_result 12000 is over limits.combined 10000", "per result 6,000")
	s.typeValue("x")
	s.shows("not a number: x")
	s.press("down")
	s.typeValue("none")
	s.shows("combined", "none", "was 10,000", "changed: trueforge")
}

func TestAShareCanBeTypedAsAShareOrInPercent(t *testing.T) {
	s := tuneScreenOf(t, "moveworks")
	s.press("down", "down", "down", "down", "down") // string share
	s.typeValue("100 %")
	// Without a limit to what strings hold, the accounts (17,520 tokens) are structured.
	s.shows("100 %", "was 50 %", "crm_accounts", "= → ↑ offloaded")
	s.typeValue("0.5")
	s.shows("nothing is tuned")
	s.typeValue("2 00 %")
	s.shows("not a share: 2 00 %")
}

func TestOverridesPerToolRoleAndAgent(t *testing.T) {
	s := tuneScreenOf(t, "trueforge", sampleRecording(), subagentRecording())
	s.press("o")
	s.shows("t chooses a tool first")
	s.press("t") // the tool with most tokens: the accounts
	s.shows("results by size, crm_accounts")
	s.press("o")
	s.shows("▸crm_accounts", "6,000 ▸ override")
	s.press("o")
	s.shows("there is one for crm_accounts already")
	s.typeValue("none")
	p := s.e.tune.policy
	if n := len(p.Overrides); n != 1 || p.Overrides[0].Tool != "crm_accounts" || !p.Overrides[0].PerResult.Given || p.Overrides[0].PerResult.Limit != nil {
		t.Errorf("overrides %+v, want one without a limit for crm_accounts", p.Overrides)
	}
	s.press("x")
	s.shows("nothing is tuned")
	s.press("x")
	s.shows("only an override can be removed")
	s.press("T", "a") // all tools, then the main threads
	s.shows("results by size, main threads")
	s.press("o", "o")
	s.shows("▸root combined", "10,000 ▸ override")
	if o := s.e.tune.policy.Overrides; len(o) != 1 || o[0].Role != engine.RootRole || *o[0].Combined.Limit != 10_000 || *o[0].PerResult.Limit != 6000 {
		t.Errorf("overrides %+v, want both limits for root", o)
	}
}

// subagentRecording has a subagent with a result.
func subagentRecording() *history.Recording {
	r := anotherRecording()
	sub := r.Conversations[1].Threads[1]
	sub.Turns[0].Steps[0].Calls = []*history.Call{{ID: "toolu_2", Tool: "Grep", Arguments: history.Of("{}"), Order: 1,
		Result: &history.Result{Payload: history.Of("three lines\n"), Arrival: 1}}}
	return r
}

func TestAPreviewIsMeasuredWhenItsSettingIsMoved(t *testing.T) {
	s := tuneScreenOf(t, "trueforge")
	s.press("down", "down")
	s.shows("▸head chars")
	s.hold = "measure"
	s.typeValue("200")
	s.shows("was 100", "200 ▸", "measuring 0 of 1… until then as it was")
	s.release()
	s.hides("measuring")
	// Three results are offloaded, with a hundred characters more each: 25 tokens.
	before, after := s.e.tune.before.Point, s.e.tune.after.Point
	if n := after.Verdicts.Of(engine.Offloaded); n != 3 || after.InlineTokens-before.InlineTokens != 75 {
		t.Errorf("%d offloaded, %v tokens more; want 3 and 75", n, after.InlineTokens-before.InlineTokens)
	}
}

func TestGoalsAndTheirRecommendation(t *testing.T) {
	s := tuneScreenOf(t, "trueforge")
	s.shows("recommended for: lowest tokens, no step over 20,000")
	s.press("down")
	s.typeValue("none") // no combined threshold
	s.press("up", "g")
	s.shows("recommended for: fewest offloads, peak context under 200,000")
	s.press("G")
	s.typeText("20k")
	s.press("enter")
	s.shows("fewest offloads, peak context under 20,000")
	// Of 10,575, 15,498 and 17,520 tokens only the first leaves the context under 20,000.
	if a := s.e.tune.advice; a == nil || !a.Met || a.Best.PeakContextTokens > 20_000 || a.Best.Verdicts.NotInline() != 2 {
		t.Errorf("recommended %+v, want two results that do not enter whole and a peak of 20,000 at most", a)
	}
	s.press("r")
	if v := *s.e.tune.policy.Limits.PerResult; v != s.e.tune.advice.Best.Value {
		t.Errorf("taken: per result %v, recommended %v", v, s.e.tune.advice.Best.Value)
	}
	s.press("g")
	s.shows("recommended for: most bytes visible, in all at most 1,000,000")
	s.press("W")
	s.typeText("50k")
	s.press("enter", "g")
	s.shows("no step over 20,000 (40 % of the window)", "of window")
}

func TestTheVendorsLimitsAreFixedAndTheOutputIsNot(t *testing.T) {
	s := tuneScreenOf(t, "moveworks")
	s.shows("no value of per result keeps to it", "limits are fixed, output is not: crm_accounts, 1 result over the limit", "return the data as JSON, not as a string", "thin:")
}

func TestTunedSettingsAreSavedAndNothingIsOverwrittenUnasked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.json")
	s := tuneScreenOf(t, "trueforge")
	s.typeValue("4k")
	save := func(answers ...string) {
		s.press("w")
		for _, a := range answers {
			s.typeText(a)
			s.press("enter")
		}
	}
	save(path)
	s.shows("saved; floodmark --policy")
	read := func() *engine.Policy {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := engine.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := read()
	if *p.Limits.PerResult != 4000 || p.Name != "trueforge" || !strings.HasSuffix(p.Title, ", tuned") {
		t.Errorf("saved %v of %s, %q", *p.Limits.PerResult, p.Name, p.Title)
	}
	for _, c := range p.Sources {
		for _, f := range c.Fields {
			if f == "limits.per_result" && c.Status != "ours" {
				t.Errorf("%q still vouches for limits.per_result", c.From)
			}
		}
	}
	s.typeValue("3k")
	save(path, "no")
	s.shows("not saved")
	if v := *read().Limits.PerResult; v != 4000 {
		t.Errorf("the file has %v, want 4,000 as it was", v)
	}
	save(path, "yes")
	if v := *read().Limits.PerResult; v != 3000 {
		t.Errorf("the file has %v, want 3,000", v)
	}
	save(filepath.Join(path, "below", "a", "file"))
	s.shows("not saved:")
}

func TestTuneIsUsableWhileFactsAreCollected(t *testing.T) {
	s := openScreen(t, sampleRecording(), anotherRecording())
	s.hold = "facts"
	s.press("s")
	s.shows("measuring 0 of 3…", "nothing is measured yet")
	s.press("right", "tab", "r", "enter", "esc", "t", "a", "o")
	s.shows("per result 7,500 (was 7,000)")
	s.release()
	s.shows("Tune · 3 conversations, 7 results", "per result 7,500 (was 7,000)")
	s.hides("measuring")
	// They are kept: leaving and coming back collects nothing.
	s.press("esc")
	s.hold = "facts"
	s.held = nil
	s.press("s")
	s.shows("Tune · 3 conversations, 7 results")
	if len(s.held) != 0 {
		t.Error("the facts were collected again")
	}
}

// Only nothing is 100 % less.
func TestADifferenceIsNeverRoundedToTheWhole(t *testing.T) {
	for want, pair := range map[string][2]float64{"as before": {5, 5}, "−99.9 %": {28_300_000, 1352}, "−100 %": {5, 0}, "+54 %": {100, 154}} {
		if got := difference(pair[0], pair[1]); got != want {
			t.Errorf("from %v to %v: %s, want %s", pair[0], pair[1], got, want)
		}
	}
}

func TestHowFarMeasuringIsAlwaysHasRoom(t *testing.T) {
	s := newScreen(t, 80, 24, monoTheme(), sampleRecording())
	s.hold = "facts"
	s.press("s", "right")
	s.shows("Tune · 0 results, 0 steps · measuring 0 of 1…", "what if: moveworks")
}

// Facts are kept in the user's own store only; variables never are.
func TestTuneKeepsFactsAndNoVariables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "variables.db")
	var sums []float64
	for range 2 {
		s := openScreen(t)
		s.e.session.openStore = func() (*store.Store, string, error) {
			st, err := store.Open(path, store.Options{})
			return st, path, err
		}
		s.e.session.keepFacts = true
		s.press("s")
		sums = append(sums, s.e.tune.after.Point.InlineTokens)
		if s.e.session.cache == nil || s.e.session.cache.failed {
			t.Error("no facts were kept")
		}
		if kept, err := s.e.session.store.List(); err != nil || len(kept) != 0 {
			t.Errorf("in the store: %v, %v; want no variable", kept, err)
		}
		if err := s.e.session.close(); err != nil {
			t.Error(err)
		}
	}
	if rounded(sums[0]) != "28,413" || sums[0] != sums[1] {
		t.Errorf("entered %v, from what was kept %v; want 28,413", sums[0], sums[1])
	}
}

func TestSettingsInTheHarnesssOwnWords(t *testing.T) {
	s := tuneScreenOf(t, "trueforge")
	s.typeValue("4k")
	s.press("y")
	s.shows("TrueForge", "individual_tool_response_token_threshold", "4000")
	s.press("esc")
	s.shows("before → after")
	s = tuneScreenOf(t, "moveworks")
	s.press("y")
	s.shows("moveworks has no settings of its own")
}

func TestTuneShowsTheSameFiguresInATable(t *testing.T) {
	s := newScreen(t, 120, 40, colourTheme(), sampleRecording())
	s.press("s")
	s.hides("value   entered")
	s.press("v")
	// 3 results of JSON and 3 of text; over 7,000 lie one and two.
	s.shows("value   entered      step", "7,000", "now", "tokens", "over")
	s.press("v")
	s.hides("value   entered")
}

func TestHelpComesBackToTune(t *testing.T) {
	s := tuneScreenOf(t, "moveworks")
	s.press("?")
	s.shows("In Tune")
	s.press("esc")
	s.shows("before → after")
	s.press("q")
	if s.quit {
		t.Error("q in Tune quits the program, and not only Tune")
	}
	s.shows("What did I spend", "list_expenses")
}

// At the smallest usual sizes the recommendation keeps how far it can be trusted.
func TestTheCautionIsWholeOnSmallScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}} {
		s := newScreen(t, size[0], size[1], monoTheme(), sampleRecording())
		s.press("s")
		advice := strings.Join(s.e.tune.adviceRows(4), " ")
		for _, want := range []string{"0 results within 5 %", "knee at 15", "thin: only 3 results can be replaced at all"} {
			if !strings.Contains(advice, want) {
				t.Errorf("%v: no %q in %q", size, want, advice)
			}
			if frame := strings.Join(strings.Fields(strings.NewReplacer("│", " ").Replace(s.frame())), " "); !strings.Contains(frame, want) {
				t.Errorf("%v: no %q in the frame:\n%s", size, want, s.frame())
			}
		}
	}
}

// The offload of the expenses keeps 15,207.25 tokens out of five later steps: 76,036. An inspection adds a step of 324
// tokens, and a result that five steps read: of 500 tokens, 76,036 / (324 + 5 × 500) = 26.9 of them.
func TestTuneTellsWhenOffloadingStopsPaying(t *testing.T) {
	s := openScreen(t, sampleRecording(), subagentRecording())
	price := 3.0
	s.e.session.prices, s.e.session.latency = &TokenPrices{Currency: "USD", Input: &price}, 2
	s.hold = "costs"
	s.press("s")
	s.shows("costs are being counted…")
	s.press("$")
	s.shows("costs are being counted…", "before → after")
	s.release()
	s.shows("an offload pays up to 26.9 inspections of 500 tokens (53.8 s of waiting)", "entered in main threads 28,416, in subagents 3")
	s.press("$")
	s.shows("When offloading stops paying", "Who brings it", "main threads", "agent Explore", "results of    500 tokens     26.9 inspections, 53.8 s of waiting", "0.2583 USD", "Esc close")
	s.press("$")
	s.shows("before → after")
}

// Without a number the goal is as the command's, which keeps to no limit.
func TestAGoalsNumberCanBeLifted(t *testing.T) {
	s := tuneScreenOf(t, "trueforge")
	s.shows("steps > 20 k")
	s.press("G")
	s.typeText("0")
	s.press("enter")
	s.shows("recommended for: lowest tokens, without a limit")
	s.hides("steps >")
	if g := s.e.tune.advice.Goal; g != (engine.Goal{Aim: engine.LowestTokens}) {
		t.Errorf("the goal is %+v, want the command's without --max-step-tokens", g)
	}
}

func TestHelpOpensAtTheKeysOfTune(t *testing.T) {
	s := tuneScreenOf(t, "moveworks")
	s.shows("? help on Tune")
	s.press("?")
	s.shows("In Tune", "lower the chosen setting", "Esc close")
	s.hides("Everywhere")
	s.hides("⏎ open")
	if top := strings.TrimSpace(s.e.overlay.View()[0]); top != "In Tune" {
		t.Errorf("help begins with %q", top)
	}
}

// What covers Tune has its header: the settings as tuned.
func TestTheHarnesssWordsSayWhatIsTuned(t *testing.T) {
	s := tuneScreenOf(t, "trueforge")
	s.typeValue("4k")
	s.press("y")
	s.shows("per result 4,000 (was 6,000)", "↑↓ scroll", "Esc close")
	s.hides("per result 6,000 ")
	s.hides("⏎ open")
	s.hides("context at step")
}
