package ui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"floodmark/store"
)

// bench is a screen with $list_expenses_1 in the workbench, the result in focus.
func bench(t *testing.T) *screen {
	t.Helper()
	s := openScreen(t)
	s.press("down", "4", "tab")
	return s
}

// filter types a filter and accepts it.
func (c *screen) filter(text string) {
	c.press(":", "ctrl+u")
	c.typeText(text)
	c.press("enter")
}

func TestAnErrorPointsAtItsPlaceAndAnUnfinishedFilterIsNone(t *testing.T) {
	s := bench(t)
	s.press(":")
	s.typeText(".expenses | lenght")
	s.shows("jq› .expenses | lenght▏", "▴ there is no function lenght without arguments")
	lines := strings.Split(ansi.Strip(s.frame()), "\n")
	for i, line := range lines {
		if at := strings.Index(line, "lenght▏"); at >= 0 {
			if under := strings.Index(lines[i+1], "▴"); ansi.StringWidth(line[:at]) != ansi.StringWidth(lines[i+1][:under]) {
				t.Errorf("the caret is not under its word:\n%s\n%s", line, lines[i+1])
			}
		}
	}
	s.press("ctrl+u")
	s.typeText(".expenses | map(")
	s.shows("the filter is not finished")
	s.hides("▴")
}

func TestTheLongestBeginningThatRunsIsOffered(t *testing.T) {
	s := bench(t)
	s.press(":")
	s.typeText(".total | lenght")
	s.shows("F3 cuts it to .total")
	s.press("f3")
	s.shows("jq› .total▏", "500")
	s.press("f3")
	s.shows("no shorter beginning of the filter runs")
}

func TestALateAnswerOfAFilterIsDropped(t *testing.T) {
	s := bench(t)
	s.hold = "query"
	s.press(":")
	s.typeText(".total")
	s.hold = ""
	s.typeText(" + 1")
	s.shows("501")
	s.release()
	s.shows("501", "jq› .total + 1▏")
}

func TestOffersComeFromTheSchemaAndNothingWaitsForThem(t *testing.T) {
	s := bench(t)
	s.hold = "offers"
	s.press(":")
	s.typeText(".expenses[0].ca")
	s.hides("▸ .category")
	s.typeText("tegory")
	s.shows(`"travel"`) // the answer is there, the offers are not
	s.hold, s.held = "", nil
	s.press("ctrl+u")
	s.typeText(".expenses | map(select(.category == ")
	s.shows(`▸ "meals"`, `│ "travel"`, `│ "cloud"`)
	s.press("tab")
	s.typeText(") | .am")
	s.shows(`jq› .expenses | map(select(.category == "meals") | .am▏`, "▸ .amount  number")
	s.press("tab")
	s.typeText(") | gro")
	s.shows("▸ group_by(key)  an array of arrays: the elements")
}

func TestFiltersThatWereRunAreFoundAgain(t *testing.T) {
	s := bench(t)
	s.filter(".total")
	s.filter(".expenses | length")
	s.press(":", "ctrl+u", "up")
	s.shows("jq› .expenses | length▏")
	s.press("up")
	s.shows("jq› .total▏")
	s.press("down", "down")
	s.shows("jq› ▏")
	s.press("esc", "down", "tab", "down", "down", "down", "tab", "H")
	s.shows("find› ▏", "2 of 2", "other  .expenses | length")
	s.typeText("tot")
	s.shows("1 of 2", "other  .total")
	s.press("esc")
	s.hides("find›")
	past, err := s.e.session.store.PastQueries()
	if err != nil || len(past) != 2 || past[0].Filter != ".expenses | length" || past[0].Of != (store.Key{Conversation: "c1", Policy: "moveworks", Name: "list_expenses_1"}) {
		t.Errorf("the store remembers %+v, %v", past, err)
	}
}

func TestFiltersSurviveTheExplorer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "variables.db")
	reopen := func() *screen {
		s := openScreen(t)
		s.e.session.openStore = func() (*store.Store, string, error) {
			st, err := store.Open(path, store.Options{})
			return st, "", err
		}
		s.press("down", "4", "tab")
		return s
	}
	s := reopen()
	s.filter(".total")
	s.press("M")
	s.typeText("the total")
	s.press("enter")
	s.shows("named the total: H lists it")
	if err := s.e.session.close(); err != nil {
		t.Fatal(err)
	}
	s = reopen()
	s.press(":", "ctrl+r")
	s.shows("here              .total", "named  the total  .total")
	s.press("down", "enter")
	s.shows("jq› .total▏", "500")
	s.press("enter", ":", "ctrl+u", "enter", "M")
	s.shows("name to take away: ▏")
	s.typeText("the total")
	s.press("enter")
	s.shows("no filter is named the total now")
}

func TestStartersAreMadeFromTheSchema(t *testing.T) {
	s := bench(t)
	s.press("S")
	s.shows("filters to begin with", "the 10 largest by amount", "how many of each category", "the different values of category")
	s.typeText("each category")
	s.press("enter")
	s.shows("jq› .expenses | group_by(.category)", `"count": 167`, "1 filter .expenses | group_by(.ca")
}

func TestJSONInAStringHasAStarter(t *testing.T) {
	s := openScreen(t)
	s.press("down", "down", "down", "down", "down", "down", "4", "tab", "S")
	s.shows("the JSON in the string at .data")
	s.press("enter")
	s.shows("jq› .data | fromjson", `"expenses": [`)
}

func TestEveryStepOfThePatternHasAKey(t *testing.T) {
	s := bench(t)
	s.press("i")
	s.shows("prefix · 125 tokens · 500 bytes", `{"expenses":[{"id":"EXP-20931"`)
	s.press("d")
	s.shows("schema ·", `"$schema": "https://json-schema.org/draft/2020-12/schema"`)
	s.press("#")
	s.shows(`"records": 500`, `"type": "object"`)
	s.press("F")
	s.typeText("SEAT 499")
	s.press("enter")
	s.shows(`"note": "Train to Lyon, seat 499"`, "1 result")
	s.press("enter", "ctrl+u")
	s.typeText(`.expenses | map(select(.category == "cloud"))`)
	s.press("enter", "K", "ctrl+u")
	s.typeText("clouds")
	s.press("enter")
	s.shows("kept as $clouds, ", "later filters can name it")
	s.filter("[$clouds[].amount] | add")
	s.shows("43160")
	s.press("L")
	s.shows("7 steps: 6 found something, 0 nothing, 0 failed, 1 kept", "1 prefix  the first 500 bytes", "2 schema", "3 shape", "4 search")
	s.press("end")
	s.shows("7 filter  [$clouds[].amount] | add", `6 keep  $clouds = .expenses | map(select(.category == "cloud"))`, "kept as $clouds")
	list, err := s.e.session.store.List()
	if err != nil || len(list) != 2 || list[0].Name != "clouds" || list[0].Source != "list_expenses_1" || !strings.HasPrefix(list[0].Query, ".expenses | map(") {
		t.Errorf("the store has %+v, %v", list, err)
	}
}

func TestKeptVariablesAndOtherResultsJoin(t *testing.T) {
	s := bench(t)
	s.filter("{travel: 1.10}")
	s.press("K", "ctrl+u")
	s.typeText("rates")
	s.press("enter")
	s.filter("[$rates[.expenses[0].category], ($invoices_1 | length), ($expense_report_1 | type)]")
	s.shows("1.10", `"string"`)
	s.press("up") // the row of another result
	s.filter("$nothing")
	s.shows("there is no variable $nothing")
	s.press("K")
	s.shows("there is no result of a filter to keep")
}

func TestANameThatIsTakenIsRefused(t *testing.T) {
	s := bench(t)
	s.filter(".total")
	for name, want := range map[string]string{"invoices_1": "that is a result's own name", "a-b": "letters, digits and _ only",
		"ENV": "jq has this name itself", "__loc__": "jq has this name itself"} {
		s.press("K", "ctrl+u")
		s.typeText(name)
		s.press("enter")
		s.shows(want, "$"+name+"▏") // what was typed is there to be mended
		s.press("esc")
	}
}

func TestTheLedgerTellsWhatEachStepCosts(t *testing.T) {
	s := bench(t)
	s.filter(".expenses | length")
	s.shows("inspection, 1 step", "1 filter .expenses | length", "292   1.9 %", "break-even after 15,206 more tokens")
	s.filter(".")
	s.shows("reread: it brings 100 % of the payload back into the context", "2 filter .", "reread", "15,790", "past break-even")
	s.filter(".expenses[] | .nothing")
	s.filter(".total.x")
	s.press("L")
	s.shows("4 steps: 2 found something, 1 nothing, 1 failed", "would be offloaded again, reread", "failed: ")
	s.press("esc")
	s.shows("inspection, 4 steps")
	// A filter that is only typed is no step.
	s.press(":", "ctrl+u")
	s.typeText(".total")
	s.press("esc")
	s.shows("inspection, 4 steps")
}

func TestALedgerIsWrittenAndRunAgain(t *testing.T) {
	s := bench(t)
	s.filter(".expenses | length")
	s.press("i", "L", "W", "ctrl+u")
	path := filepath.Join(t.TempDir(), "steps")
	s.typeText(path + ".json")
	s.press("enter")
	s.shows("written: ")
	s.press("W", "ctrl+u")
	s.typeText(path + ".md")
	s.press("enter")
	text, err := os.ReadFile(path + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Variable string
		Steps    []struct {
			Kind, Filter string
			Returned     struct{ Bytes int }
		}
		Totals struct{ Found int }
	}
	if err := json.Unmarshal(text, &doc); err != nil || doc.Variable != "list_expenses_1" || len(doc.Steps) != 2 || doc.Steps[0].Returned.Bytes != 3 ||
		doc.Steps[1].Kind != "prefix" || doc.Totals.Found != 2 {
		t.Errorf("written is %s, %v", text, err)
	}
	if md, err := os.ReadFile(path + ".md"); err != nil || !strings.Contains(string(md), "| 1 | filter | `.expenses \\| length` | 61,993 | 3 | 1 | 292 | found |") {
		t.Errorf("written is %s, %v", md, err)
	}
	s.press("W", "enter") // the default is in the folder of the test: leave it
	_ = os.Remove("list_expenses_1-ledger.md")
	s.press("R")
	s.shows("2 steps run again: all return the same")
	if err := os.WriteFile(path+".json", []byte(strings.Replace(string(text), ".expenses | length", ".expenses[:3] | length", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.press("O")
	s.typeText(path + ".json")
	s.press("enter")
	s.shows("2 steps run again: 1 return something else", "1 filter  .expenses[:3] | length")
	s.press("O")
	s.typeText(path + ".none")
	s.press("enter")
	s.shows("no such file")
}

func TestAnotherPolicyHasItsOwnLedger(t *testing.T) {
	s := bench(t)
	s.filter(".expenses | length")
	s.press("e") // another estimator
	s.hides("inspection, 1 step")
	s.press("L")
	s.shows("no step by these rules: R runs those by other rules again")
	s.press("R")
	s.shows("1 step run again: all return the same", "1 filter  .expenses | length")
}

func TestAResultFoldsAtThePointer(t *testing.T) {
	s := bench(t)
	s.press("down", "down", "z")
	s.shows(`▸  "expenses": [ … 500 … ],`, `"total": 500`)
	s.press("z")
	s.shows(`▸  "expenses": [`, `"amount": 10.50`)
	s.press("Z")
	s.shows(`"expenses": [ … 500 … ],`, "} ")
	s.press("Z")
	s.shows(`"amount": 10.50`)
	s.filter(".expenses[:2]")
	s.press("Z")
	s.shows("  { … 6 … },", "  { … 6 … }")
}

func TestAnArrayOfObjectsIsATableThatSorts(t *testing.T) {
	s := bench(t)
	s.filter(".expenses | .[:9] | map({amount, category, currency, employee})")
	s.press("v")
	s.shows("amount  category    currency", "10.50  travel", "9 rows · column 1 of 4")
	s.press("o", "o")
	s.shows("amount ↓")
	first := func() string {
		lines := strings.Split(ansi.Strip(s.frame()), "\n")
		for i, line := range lines {
			if strings.Contains(line, "currency    ") {
				_, cell, _ := strings.Cut(lines[i+1], "│ ")
				return strings.Fields(cell)[0]
			}
		}
		return ""
	}
	if got := first(); got != "18.50" {
		t.Errorf("the largest amount stands first, not %s", got)
	}
	s.press("o")
	if got := first(); got != "10.50" {
		t.Errorf("as it was, 10.50 stands first, not %s", got)
	}
	s.press(">", "o")
	s.shows("category ↑", "column 2 of 4")
	if got := first(); got != "12.50" {
		t.Errorf("cloud stands first with 12.50, not %s", got)
	}
	s.press("v")
	s.shows(`[{"amount":10.50,`)
	s.filter("42")
	s.press("r", "v")
	s.shows("no table: the result is not an array of objects")
}

func TestAResultIsCopiedAndWritten(t *testing.T) {
	s := bench(t)
	copied := ""
	s.e.copy = func(text string) { copied = text }
	s.filter(".expenses[:2] | map({id, amount})")
	s.press("y")
	if want := "[\n  {\n    \"amount\": 10.50,\n    \"id\": \"EXP-20931\"\n  },\n  {\n    \"amount\": 11.50,\n    \"id\": \"EXP-20932\"\n  }\n]"; copied != want {
		t.Errorf("copied is %s", copied)
	}
	folder := t.TempDir()
	for name, want := range map[string]string{
		"a.csv":   "amount,id\n10.50,EXP-20931\n11.50,EXP-20932\n",
		"a.jsonl": `[{"amount":10.50,"id":"EXP-20931"},{"amount":11.50,"id":"EXP-20932"}]` + "\n",
		"a.json":  "[\n  {\n    \"amount\": 10.50,\n    \"id\": \"EXP-20931\"\n  },\n  {\n    \"amount\": 11.50,\n    \"id\": \"EXP-20932\"\n  }\n]\n",
	} {
		s.press("W", "ctrl+u")
		s.typeText(filepath.Join(folder, name))
		s.press("enter")
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || string(text) != want {
			t.Errorf("%s holds %s, %v", name, text, err)
		}
	}
	// What a spreadsheet would calculate is text, with ' in front.
	s.filter(`[{"=1+1": "=HYPERLINK(1)", n: -1, t: "@x"}]`)
	s.press("W", "ctrl+u")
	s.typeText(filepath.Join(folder, "b.csv"))
	s.press("enter")
	if text, err := os.ReadFile(filepath.Join(folder, "b.csv")); err != nil || string(text) != "'=1+1,n,t\n'=HYPERLINK(1),-1,'@x\n" {
		t.Errorf("%q, %v", text, err)
	}
	s.press("W", "ctrl+u")
	s.typeText(filepath.Join(folder, "a.csv"))
	s.press("enter")
	s.shows("exists already, choose another name: ", "a.csv▏")
}

func TestAFilterThatRunsIsStoppedByEsc(t *testing.T) {
	s := bench(t)
	s.hold = "query"
	s.filter(".expenses | length")
	s.shows("running…")
	s.press("esc")
	s.shows("stopped", "inspection, 1 step", "1 filter .expenses | length", "stopped        0")
	s.release()
	s.hides("500\n")
	if !s.e.inResult {
		t.Error("the result lost the keys")
	}
	s.press("esc")
	if s.e.inResult {
		t.Error("the result kept the keys")
	}
}

func TestTextOfADataErrorIsHarmless(t *testing.T) {
	s := openScreen(t)
	s.press("end", "up", "4", "tab") // the hostile result
	s.filter(`error("\u001b[2J" + .)`)
	s.shows("␛[2J")
	s.press("L", "esc", "i")
	s.frame()
}

// right is what stands right of the list, line by line.
func (c *screen) right() []string {
	c.t.Helper()
	var out []string
	for _, line := range strings.Split(ansi.Strip(c.frame()), "\n") {
		out = append(out, line[max(strings.LastIndex(line, "│"), 0):])
	}
	return out
}

// small is a screen of 80×24 with $list_expenses_1 in the workbench.
func small(t *testing.T) *screen {
	t.Helper()
	s := newScreen(t, 80, 24, monoTheme(), sampleRecording())
	s.press("down", "4", "tab")
	return s
}

func TestAnErrorIsWholeOnASmallScreen(t *testing.T) {
	s := small(t)
	for _, filter := range []string{`.expenses | lenght`, `.expenses | map(.amount) | lenght | . + 1 | . + 22 | . + 333 | . + 4444`} {
		s.press(":", "ctrl+u")
		s.typeText(filter)
		for _, key := range []string{"", "enter"} {
			if key != "" {
				s.press(key)
			}
			lines := s.right()
			if all := strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(lines, " "), "│", "")), " "); !strings.Contains(all, "there is no function lenght without arguments") || !strings.Contains(all, "length/0") {
				t.Errorf("the sentence is cut:\n%s", strings.Join(lines, "\n"))
			}
			found := false
			for i, line := range lines[1:] {
				at := strings.Index(line, "▴")
				if at < 0 {
					continue
				}
				found = true
				word := strings.Index(lines[i], "lenght")
				if word < 0 || ansi.StringWidth(lines[i][:word]) != ansi.StringWidth(line[:at]) {
					t.Errorf("the caret is not under its word:\n%s\n%s", lines[i], line)
				}
			}
			if !found {
				t.Errorf("no caret:\n%s", strings.Join(lines, "\n"))
			}
		}
	}
}

func TestWhatEndedAFilterIsWholeOnASmallScreen(t *testing.T) {
	s := small(t)
	s.e.tabs[tabOf[viewVariable]].(*variableTab).sources.limits.Results = 1000
	s.filter("repeat(1)")
	s.shows("ended at 1,000 results", "1,000 results ·")
	s.press("L")
	s.shows("1 step: 0 found something, 0 nothing, ", "0 failed, 1 stopped", "14,707 more tokens,", "29 steps of the mean size")
	s.press("end")
	s.shows("read 61,993 bytes", "stopped at the limit on results")
}

func TestAStepReadsWhatItNamesToo(t *testing.T) {
	s := bench(t)
	s.filter("[.total, ($invoices_1 | length), $list_expenses_1.total]")
	s.filter(". as $invoices_1 | .total")
	s.press("L")
	s.shows("read 62,008 bytes · returned 11 bytes", "read 61,993 bytes · returned 3 bytes") // {"invoices":[]} has 15
}

func TestTheKeysOfTheWorkbenchHoldFromTheList(t *testing.T) {
	s := openScreen(t)
	s.press("down", "4", "#")
	s.shows(`"records": 500`, "inspection, 1 step")
	if !s.e.inResult {
		t.Error("the workbench did not take the focus")
	}
	s = openScreen(t)
	s.press("down", "2", "#")
	if s.e.inResult {
		t.Error("a key of the workbench holds in another view")
	}
}

func TestWhatRunsStaysInSightAboveTheOffers(t *testing.T) {
	s := bench(t)
	s.hold = "query"
	s.press(":")
	s.typeText(".expenses[0].ca")
	s.shows("running…", "▸ .category")
}

// The strip below the result, the ledger, its export and its replay count the same steps.
func TestStepsAreCountedInOneWay(t *testing.T) {
	s := bench(t)
	s.filter(".total")
	s.press("K", "ctrl+u")
	s.typeText("sum")
	s.press("enter")
	s.shows("inspection, 2 steps")
	copied := copies(s)
	s.press("L")
	s.shows("2 steps: 1 found something, 0 nothing, 0 failed, 1 kept")
	s.press("y")
	if !strings.Contains(*copied, "2 steps: 1 found something, 0 nothing, 0 failed, 1 kept.") {
		t.Errorf("exported is %s", *copied)
	}
	s.press("R")
	s.shows("2 steps run again: all return the same")
}

// The place of an error is shown also where the line that is typed has gone past it.
func TestAnErrorOutOfSightIsShownAgain(t *testing.T) {
	s := small(t)
	s.press(":")
	s.typeText(".expenses | lenght | [., ., ., ., ., ., ., ., ., ., ., ., ., ., .]")
	lines := strings.Split(ansi.Strip(s.frame()), "\n")
	for i, line := range lines {
		if at := strings.Index(line, "▴"); at >= 0 {
			if word := strings.Index(lines[i-1], "lenght"); word < 0 || ansi.StringWidth(lines[i-1][:word]) != ansi.StringWidth(line[:at]) {
				t.Errorf("the caret is not under its word:\n%s\n%s", lines[i-1], line)
			}
			return
		}
	}
	t.Errorf("no caret:\n%s", strings.Join(lines, "\n"))
}
