package ui

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"floodmark/history"
	"floodmark/store"
)

func openScreen(t *testing.T, recordings ...*history.Recording) *screen {
	t.Helper()
	if len(recordings) == 0 {
		recordings = []*history.Recording{sampleRecording()}
	}
	return newScreen(t, 120, 40, monoTheme(), recordings...)
}

func TestTheVerdictsFollowTheThreshold(t *testing.T) {
	s := openScreen(t)
	s.press("down")
	s.shows("moveworks · bytes/4 · per result 7,000", "↑ offloaded to $list_expenses_1: 15,498 tokens, over 7,000")
	s.press("t")
	s.typeText("16k")
	s.press("enter")
	s.shows("what if: moveworks · bytes/4 · per result 16,000 (was 7,000)", "= inline: 15,498 tokens, within 16,000")
	s.press("[")
	s.shows("per result 15,000 (was 7,000)", "↑ offloaded to $list_expenses_1: 15,498 tokens, over 15,000")
	s.press("u")
	s.shows("moveworks · bytes/4 · per result 7,000")
	s.hides("what if")
	if s.e.session.store != nil {
		t.Error("moving the threshold opened the store")
	}
	s.press("t")
	s.typeText("x")
	s.press("enter")
	s.shows("not a number of tokens: x")
}

func TestTheThresholdMovesInRoundSteps(t *testing.T) {
	for _, c := range []struct {
		from float64
		by   int
		want float64
	}{
		{7000, 1, 7500}, {7000, -1, 6500}, {7250, -1, 7000}, {7250, 1, 7500}, {100, 1, 105}, {28000, -1, 26000}, {10, -1, 9}, {1, -1, 1}, {0, 1, 1},
	} {
		if got := nudge(c.from, c.by); got != c.want {
			t.Errorf("from %v by %d: %v, want %v", c.from, c.by, got, c.want)
		}
	}
}

func TestThePolicyAndTheEstimatorChange(t *testing.T) {
	s := openScreen(t)
	s.press("down", "down", "down", "down") // the report, which is text
	s.shows("≈ inline, a flood: 10,575 tokens, over 7,000, and not structured")
	for s.e.session.policy.Name != "trueforge" {
		s.press("p")
	}
	s.shows("trueforge · utf16/4 · per result 6,000", "↑ offloaded to $expense_report_1: 10,575 tokens, over 6,000")
	s.press("e")
	s.shows("changed: trueforge · o200k_base") // a limit that can be set is no “what if”
	s.press("P", "p")
	s.hides("changed")
}

func TestTheThresholdOfABatchCanBeTyped(t *testing.T) {
	s := openScreen(t)
	s.press("p", "t")
	s.typeText("12k")
	s.press("enter")
	s.shows("limits.per_result 12000 is over limits.combined 10000", "t and T set the two", "per result 6,000")
	s.press("T")
	s.typeText("20k")
	s.press("enter", "t")
	s.typeText("12k")
	s.press("enter")
	s.shows("changed: trueforge · utf16/4 · per result 12,000 (was 6,000) · combined 20,000 (was 10,000)")
}

func TestReplayStepsThroughTheConversation(t *testing.T) {
	s := openScreen(t)
	s.shows("context at step 1 of 7")
	s.press(".", ".")
	s.shows("context at step 3 of 7", "what the model wrote")
	s.press(",")
	s.shows("context at step 2 of 7: 324 tokens · as returned 15,532 · kept out 15,207")
	s.press(",", ",")
	s.shows("no step there", "context at step 1 of 7")
	// Playing goes to the end, and then nothing moves any more.
	s.press(" ")
	s.shows("context at step 7 of 7")
	if len(s.e.jobs.current) != 0 || s.e.playing {
		t.Errorf("at rest, but jobs run: %v", s.e.jobs.current)
	}
}

func TestPlayingCanBePaused(t *testing.T) {
	s := openScreen(t)
	s.hold = "play"
	s.press(" ")
	s.shows("step 1 of 7 ▶")
	s.release()
	s.shows("step 2 of 7 ▶")
	s.press(" ")
	s.release() // the step that was on its way
	s.shows("context at step 2 of 7:")
}

func TestALateAnswerIsDropped(t *testing.T) {
	s := openScreen(t)
	s.hold = "original"
	s.press("down")
	s.shows("reading 61,993 bytes…")
	s.press("down", "down", "down") // on to the report
	late := s.held[0]
	s.hold = ""
	s.send(late)
	s.hides(`"EXP-20931"`)
	s.send(s.held[len(s.held)-1])
	s.shows("2026-03-01  travel   412.50 EUR")
}

func TestSearchInAllResultsAndInOne(t *testing.T) {
	s := openScreen(t)
	s.press("/")
	s.typeText("train to lyon, seat 7")
	s.press("enter")
	s.shows("found in 2 rows", "»│└ crm_accounts", "list_expenses")
	if got := s.e.list.selected().row.call.ID; got != "call_9" {
		t.Errorf("the first match is in call_9, not %s", got)
	}
	s.press("n")
	if got := s.e.list.selected().row.call.ID; got != "call_12" {
		t.Errorf("the next match is in call_12, not %s", got)
	}
	s.press("n", "tab", "/")
	s.typeText("seat 49")
	s.press("enter")
	s.shows("match 1 of 11", "seat 49") // seat 49, and seat 490 to 499
	s.press("N")
	s.shows("match 11 of 11", "seat 499")
	s.press("/")
	s.typeText("no such thing")
	s.press("enter")
	s.shows("not found: no such thing")
}

func TestAFilterRunsWhileItIsTyped(t *testing.T) {
	s := openScreen(t)
	s.press("down", ":", "ctrl+u")
	s.typeText(".total")
	s.shows("jq› .total▏", "1 result · 1 token · 3 bytes · 0.0 ms", "500", "kept in a private")
	s.typeText(" | (")
	s.shows("the filter is not finished · F3 cuts it to .total", "last good answer: 1 result")
	s.hides("▴") // no error
	s.press("esc")
	s.shows("jq› .   ")
	s.press(":", "ctrl+u")
	s.typeText("$list_expenses_1.total + ($invoices_1.invoices | length)")
	s.press("enter")
	s.shows("1 result · 1 token · 3 bytes")
	kept, err := s.e.session.store.List()
	if err != nil || len(kept) != 1 || kept[0].Name != "list_expenses_1" || kept[0].Bytes != 61993 {
		t.Errorf("in the store: %v, %v; want list_expenses_1 with 61,993 bytes", kept, err)
	}
}

func TestAFilterStartsEmptyAndThenMeansTheWhole(t *testing.T) {
	s := openScreen(t)
	s.press("down", ":")
	s.shows("jq› ▏.", `"expenses": [`, "1 result · 15,498 tokens")
	s.typeText(".expenses[0].amount")
	s.shows("jq› .expenses[0].amount▏", "10.50")
	s.press("ctrl+u")
	s.shows("jq› ▏.", "1 result · 15,498 tokens")
	s.typeText(".total")
	s.press("enter", ":", "ctrl+u", "tab") // completing begins with the whole
	s.shows("▸ .expenses", "array of object", ".total", "IN(values)")
	s.press("tab")
	s.shows("jq› .expenses▏")
}

func TestWithoutAResultThereIsNothingToQuery(t *testing.T) {
	s := openScreen(t)
	s.press("up", ":")
	s.shows("no result is selected: there is nothing to query", "▌1 Original▐")
}

func TestMovingTheThresholdInTheVariableWritesNothing(t *testing.T) {
	s := openScreen(t)
	s.press("4")
	s.shows("$whoami_1 · 58 bytes · inline, not a variable: the payload itself")
	s.press("t", "1", "enter", "p", "P")
	s.press("t", "1", "enter")
	s.shows("offloaded to $whoami_1", "not opened yet")
	if s.e.session.store != nil {
		t.Error("the store was opened")
	}
	s.press(":", "enter") // now a filter runs over a variable
	s.shows("kept in a private temporary store")
}

func TestAFieldIsCompleted(t *testing.T) {
	s := openScreen(t)
	s.press("down", ":", "ctrl+u")
	s.typeText(".expenses[0].c")
	s.shows("▸ .category  string", "│ .currency  string")
	s.press("down", "tab")
	s.shows("jq› .expenses[0].currency▏", `"EUR"`)
	s.hides(".category  string")
}

func TestARepairCanBeTried(t *testing.T) {
	s := openScreen(t)
	s.press("down", "down", "down", "down", "down", "down", "5", "tab")
	s.shows("repair   .data |= fromjson")
	s.press("enter")
	s.shows("jq› .data |= fromjson", "inline, not a variable", `"data": {`)
}

func TestThePlaceOfAFaultIsShown(t *testing.T) {
	r := sampleRecording()
	call := r.Conversations[0].Threads[0].Turns[0].Steps[0].Calls[0]
	// The strings hold what a repair would replace: there is none.
	text := `{"rows":[` + strings.Repeat(`{"note":"Train to Lyon,]"},`, 2000) + `]}`
	call.Result.Payload = history.Of(text)
	s := openScreen(t, r)
	s.e.theme.match = paint{"\x1b[7m", "\x1b[0m"}
	s.press("5", "tab", "enter")
	s.shows("▌1 Original▐", "100 % ─")
	// The bracket that closes the list after the comma stands at byte 9 + 2000×27.
	if got, want := s.e.tabs[0].text().find.offsets[0], 54009; got != want {
		t.Errorf("byte %d is shown, want %d", got, want)
	}
	if f := s.frame(); !strings.Contains(f, "\x1b[7m]\x1b[0m}") {
		t.Error("the bracket is not marked")
	}
}

func TestAResultThatNobodyCanLoadIsNotLoaded(t *testing.T) {
	r := sampleRecording()
	call := r.Conversations[0].Threads[0].Turns[0].Steps[0].Calls[0]
	call.Result.Payload = history.Generated(history.Generator{
		Size: history.Size{Bytes: 300e6, Chars: 300e6, UTF16: 300e6}, SHA256: strings.Repeat("0", 64),
		Write: func(w io.Writer) error {
			for range 300 {
				if _, err := w.Write([]byte(strings.Repeat("x", 1e6))); err != nil {
					return err
				}
			}
			return errors.New("the whole payload was read")
		}})
	s := openScreen(t, r)
	s.shows("✗ rejected: 300,000,000 bytes, over the hard limit of 100,000,000", "nothing entered the context", "only its first 1,048,576")
	s.press("2")
	s.shows("Nothing: the result was rejected.")
	s.press("3")
	s.shows("No schema: the result was rejected.")
	s.press("4")
	s.shows("nothing is kept that could be queried")
}

func TestACallWithoutAResult(t *testing.T) {
	s := openScreen(t)
	s.press("down", "down", "down", "down", "down", "down", "down")
	for _, view := range []string{"1", "2", "3", "4", "5"} {
		s.press(view)
		s.shows("no result in this recording")
	}
}

func TestAnotherConversationIsChosenFromTheList(t *testing.T) {
	s := openScreen(t, sampleRecording(), anotherRecording())
	s.shows("1 of 3")
	s.press("c")
	s.shows("3 conversations", "logs/second.jsonl · conversation 2", "43,621")
	s.press("end", "enter")
	s.shows("3 of 3", "claude-code", "Bash", "subagent agent-1 · Explore", "main thread")
	// The first conversation with results comes first, wherever it is.
	s = openScreen(t, anotherRecording(), sampleRecording())
	s.shows("2 of 3", "Bash")
}

func TestAStoreHeldElsewhereIsReplacedAndSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "variables.db")
	held, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	s := newScreen(t, 80, 24, monoTheme(), sampleRecording())
	s.e.session.openStore = func() (*store.Store, string, error) {
		return nil, "", &store.LockedError{Path: path}
	}
	s.press("down", "4")
	s.shows("kept in a private store:", "another process holds variables.db")
}

// Opening a variable that was removed stores it again, as a replay does, and the tab says so.
func TestARemovedVariableIsSaidWhereItIsOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "variables.db")
	open := func() (*screen, *store.Store) {
		s := newScreen(t, 200, 40, monoTheme(), sampleRecording())
		st, err := store.Open(path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.e.session.openStore = func() (*store.Store, string, error) { return st, "variables.db", nil }
		s.press("down", "4", "tab")
		return s, st
	}
	s, st := open()
	s.shows(" · kept in variables.db")
	s.filter(".expenses[0].amount")
	s.press("K", "ctrl+u")
	s.typeText("first")
	s.press("enter")
	all, err := st.List()
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	for _, v := range all {
		if _, err := st.Remove(v.Key, false); err != nil {
			t.Fatal(err)
		}
	}
	stones, err := st.Tombstones()
	if err != nil || len(stones) != 2 {
		t.Fatal(stones, err)
	}
	removed := "was removed on " + stones[1].Gone.UTC().Format("2006-01-02 15:04")
	if err := s.e.session.close(); err != nil {
		t.Fatal(err)
	}
	s, st = open()
	s.shows(removed + " UTC, now kept again in")
	s.filter("$first")
	s.shows("/first was removed on ", "no longer kept")
	s.filter(".total")
	s.shows("500", removed+" UTC, now kept again in") // as long as it is shown
	if all, err := st.List(); err != nil || len(all) != 1 || all[0].Name != "list_expenses_1" {
		t.Errorf("in the store: %v, %v", all, err)
	}
}

// Leaving the explorer waits for a store that is being opened, and people don't.
func TestTheExplorerDoesNotWaitForAHeldStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "variables.db")
	held, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	start := time.Now()
	_, _, err = exploreStore(path, false)
	var locked *store.LockedError
	if !errors.As(err, &locked) || locked.Path != path {
		t.Errorf("it ended with %v, want that %s is held", err, path)
	}
	if took := time.Since(start); took > 700*time.Millisecond { // the wait of commands is a second
		t.Errorf("it took %v", took)
	}
}

func TestWhatCannotBeOpenedIsSaid(t *testing.T) {
	s := newScreen(t, 80, 24, monoTheme())
	s.shows("nothing to show: no recording was found in test")
	in := make(chan found, 1)
	in <- found{err: &history.OpenError{Path: "a\x1b.json", Reason: "not a recording"}}
	close(in)
	s.e.found = in
	s.run(s.e.listen())
	s.shows("not opened: a␛.json: not a recording")
	s.press("down", "2", "[", " ", "/", "c", "esc", "?")
	s.frame()
}

func TestAJobThatPanicsIsSaidAndTheScreenStays(t *testing.T) {
	s := openScreen(t)
	s.e.session.openStore = func() (*store.Store, string, error) { panic("no disk\x1b[2J") }
	s.press("down", "4")
	s.shows(`a bug in floodmark stopped the job "query": a panic with a string`)
	s.press("up")
	s.shows("whoami")
}

func TestTheKeyTable(t *testing.T) {
	seen := map[scopedKey]action{}
	for _, b := range bindings {
		if b.long == "" {
			t.Errorf("%s in %s has no help", b.action, b.scope)
		}
		plain := false
		for _, k := range b.keys {
			at := scopedKey{b.scope, k}
			if other, twice := seen[at]; twice {
				t.Errorf("%q in %s is %s and %s", k, b.scope, other, b.action)
			}
			seen[at] = b.action
			plain = plain || !strings.HasPrefix(k, "ctrl+")
		}
		if !plain && b.action != quit {
			t.Errorf("%s in %s has Ctrl keys only", b.action, b.scope)
		}
	}
	keys := newHelp(monoTheme(), &session{})
	keys.fill(60)
	var help string
	for _, line := range keys.all() {
		if help += " " + strings.TrimSpace(line); line == " Marks" {
			break
		}
		if width(line) > 60 {
			t.Errorf("cut in 60 cells: %q", line)
		}
	}
	readme := KeysMarkdown()
	for _, b := range bindings {
		if !strings.Contains(help, b.long) || !strings.Contains(readme, b.long) {
			t.Errorf("the help or the README does not say %q", b.long)
		}
	}
}

// A frame over a payload of one 10 MB line costs what any other does.
func BenchmarkFrame10MBLine(b *testing.B) {
	t := &testing.T{}
	r := sampleRecording()
	text := `{"rows":[` + strings.Repeat(`{"id":"EXP-20931","amount":412.50,"note":"Train to Lyon"},`, 180_000) + `{}]}`
	r.Conversations[0].Threads[0].Turns[0].Steps[0].Calls[0].Result.Payload = history.Of(text)
	s := newScreen(t, 200, 60, colourTheme(), r)
	s.press("tab", "r")
	b.ResetTimer()
	for range b.N {
		s.press("down")
		s.e.View()
	}
}

// all draws every line.
func (p *linesPane) all() []string {
	out := make([]string, p.n)
	for i := range out {
		out[i] = p.draw(i)
	}
	return out
}

// release sends the answers that were held back.
func (c *screen) release() {
	held := c.held
	c.held = nil
	for _, m := range held {
		_, cmd := c.e.Update(m)
		c.run(cmd)
	}
}
