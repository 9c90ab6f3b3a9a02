package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// records is a JSON array of exactly n bytes, n a multiple of 20.
func records(n int) string {
	return "[" + strings.Repeat(`{"id":1234,"n":123},`, n/20-1) + `{"id":1234,"n":12}]`
}

// Three results of 8,000, 4,000 and 400 tokens, all structured.
func threeSizes(t *testing.T) string {
	return file(t, "r.json", chat(toolResult{"big", records(32_000)}, toolResult{"middle", records(16_000)}, toolResult{"small", records(1600)}))
}

func TestTuneSweepsWhatAReplayDecides(t *testing.T) {
	path := threeSizes(t)
	got := cli(t, "tune", "--store", "none", "--json", "--values", "8000,400,3999.75,7000", path)
	if got.code != 0 || got.err != "" {
		t.Fatalf("exit %d, %s", got.code, got.err)
	}
	v := got.lines(t)[0]
	if v["policy"] != "moveworks" || v["key"] != "limits.per_result" || v["results"] != 3.0 || v["steps"] != 1.0 || v["what_if"] != true {
		t.Errorf("got %v", v)
	}
	for i, want := range []struct{ value, inline, offloaded float64 }{{8000, 3, 0}, {400, 1, 2}, {3999.75, 1, 2}, {7000, 2, 1}} {
		p := at(v, "sweep", i)
		if at(p, "value") != want.value || at(p, "verdicts", "inline") != want.inline {
			t.Errorf("value %v: %v", want.value, p)
		}
		if n, _ := at(p, "verdicts", "offloaded").(float64); n != want.offloaded {
			t.Errorf("value %v: %v offloaded, want %v", want.value, n, want.offloaded)
		}
		totals := cli(t, "replay", "--json", "--store", "none", "--set", fmt.Sprintf("limits.per_result=%v", want.value), path).lines(t)[3]["totals"]
		for _, field := range [][2]any{{at(p, "inline_tokens"), at(totals, "inline", "tokens")}, {at(p, "peak_step_tokens"), at(totals, "peak_step_tokens")},
			{at(p, "model_tokens"), at(totals, "model", "tokens")}, {at(p, "peak_context_tokens"), at(totals, "peak_context_tokens")}} {
			if field[0] != field[1] || field[0] == nil {
				t.Errorf("value %v: %v, a replay %v", want.value, p, totals)
			}
		}
	}
	if at(v, "costs", "original_tokens") != 12_400.0 || at(v, "costs", "reported") != nil {
		t.Errorf("costs are %v", v["costs"])
	}
}

// With at most 5,000 tokens from a step the largest two have to go; 12,400 tokens are one step's.
func TestTuneRecommendsForAGoal(t *testing.T) {
	path := threeSizes(t)
	v := cli(t, "tune", "--store", "none", "--json", "--policy", "trueforge", "--set", "limits.combined=null", "--goal", "fewest-offloads", "--max-step-tokens", "5000", path).lines(t)[0]
	b := v["recommendation"]
	if at(b, "value") != 6000.0 || at(b, "goal") != "fewest-offloads" || at(b, "met") != true || at(b, "verdicts", "offloaded") != 1.0 || at(b, "near") != 0.0 {
		t.Errorf("got %v", b)
	}
	if at(b, "limits", "max_step_tokens") != 5000.0 || at(b, "thin") == nil || v["what_if"] != false || v["shapes"] != nil {
		t.Errorf("got %v", v)
	}
	v = cli(t, "tune", "--store", "none", "--json", "--policy", "trueforge", "--set", "limits.combined=null", "--max-step-tokens", "1000", path).lines(t)[0]
	if b := v["recommendation"]; at(b, "value") != 2000.0 && at(b, "verdicts", "offloaded") != 2.0 {
		t.Errorf("at most 1,000 tokens: %v", b)
	}
	v = cli(t, "tune", "--store", "none", "--json", "--policy", "trueforge", "--max-step-tokens", "1", path).lines(t)[0]
	if b := v["recommendation"]; at(b, "met") != false || !strings.HasPrefix(at(b, "why").(string), "no value keeps to it") {
		t.Errorf("a goal that can't be met: %v", b)
	} else if held, _ := at(b, "held_up_by").(string); !strings.Contains(held, ", turn 1, step 1 has ") || !strings.Contains(held, " tokens of results, the largest from ") {
		t.Errorf("held up by %q", held)
	}
}

func TestTuneForAPersonAndAsCSV(t *testing.T) {
	path := threeSizes(t)
	prices := file(t, "prices.json", `{"currency":"USD","input":2}`)
	got := onTerminal(t, "tune", "--store", "none", "--no-color", "--values", "400,7000,8000", "--window", "20000", "--latency", "3", "--prices", prices, "--max-step-tokens", "5000", path)
	for _, want := range []string{
		"3 results in 1 step · policy moveworks · tokens by bytes/4\n",
		`The vendor's limits are fixed: every value of limits.per_result but its own is "what if".`,
		"\nlimits.per_result: results by verdict; ",
		"\nvalue  inline  offloaded  entered  model  ",
		"steps over  model costs",
		"  now, recommended\n",
		"\ncosts with the policy as it is\n  original    12,400  ",
		"\nbreak-even: there is none. No step of the recordings reads less since 1 result left the context\n",
		"thin: only 3 results can be replaced at all",
		"the shape of the output is what can be changed; the largest gain first. over: results over the limit; whole: how many\n",
		"gain  over  whole\n",
		"recommended   limits.per_result = 7,000\n",
		"big: project the fields that are needed",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("without %q in\n%s%s", want, got.out, got.err)
		}
	}
	if strings.ContainsRune(got.out, '⠤') || strings.Contains(got.out, "\x1b") {
		t.Error("without colours there is a table and no plot")
	}
	got = run(t, &Streams{In: strings.NewReader(""), Width: 80, OutTerminal: true, Color: true}, "tune", "--store", "none", path)
	if !strings.Contains(got.out, "inline tokens over limits.per_result\n") || !strings.Contains(got.out, "└──") {
		t.Errorf("a terminal has no plot:\n%s", got.out)
	}
	got = cli(t, "tune", "--store", "none", "--csv", "--values", "8000,7000", path)
	lines := strings.Split(got.out, "\n")
	if lines[0] != "value,inline,offloaded,rejected,truncated,preview-only,lost,inline_tokens,model_tokens,peak_step_tokens,peak_context_tokens,visible_bytes" ||
		!strings.HasPrefix(lines[1], "8000,3,0,0,0,0,0,12400,") || !strings.HasPrefix(lines[2], "7000,2,1,0,0,0,0,") || len(lines) != 4 {
		t.Errorf("got %s", got.out)
	}
}

func TestFactsAreWrittenReadAndMerged(t *testing.T) {
	day := filepath.Join(t.TempDir(), "day.json")
	text, err := os.ReadFile("../fixtures/support-day.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(day, text, 0o600); err != nil {
		t.Fatal(err)
	}
	three := threeSizes(t)
	var halves []string
	for _, path := range []string{day, three} {
		facts := cli(t, "tune", "--store", "none", "--facts", path)
		if facts.code != 0 || !strings.HasPrefix(facts.out, `{"floodmark_facts":2,`) {
			t.Fatalf("exit %d, %.200s", facts.code, facts.out)
		}
		halves = append(halves, file(t, "half.facts", facts.out))
	}
	args := []string{"tune", "--store", "none", "--json", "--goal", "lowest-tokens", "--max-step-tokens", "9000"}
	whole := cli(t, append(args, day, three)...)
	merged := cli(t, append(args, "--from-facts", halves[0], halves[1])...)
	a, b := whole.lines(t)[0], merged.lines(t)[0]
	delete(a["costs"].(map[string]any), "reported") // facts know nothing of it
	delete(b["costs"].(map[string]any), "reported")
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%v\nof the whole\n%v", b, a)
	}
	if got := cli(t, "tune", "--from-facts", "--policy", "trueforge", halves[0]); got.code != 2 || !strings.Contains(got.err, "is not what the facts were measured with") {
		t.Errorf("another policy: exit %d, %s", got.code, got.err)
	}
	if got := cli(t, "tune", "--from-facts", three); got.code != 2 || !strings.Contains(got.err, three+":1: is not the header of a facts file") {
		t.Errorf("a recording: exit %d, %s", got.code, got.err)
	}
}

func TestTuneKeepsFactsAndNoVariable(t *testing.T) {
	db := filepath.Join(t.TempDir(), "s.db")
	path := threeSizes(t)
	first := cli(t, "tune", "--store", db, "--json", path)
	second := cli(t, "tune", "--store", db, "--json", path)
	if first.code != 0 || first.out != second.out || first.err+second.err != "" {
		t.Errorf("the second run differs: %s%s%s", first.err, second.out, second.err)
	}
	if got := cli(t, "vars", "list", "--store", db); strings.Contains(got.out, "big_1") {
		t.Errorf("a variable was kept: %s", got.out)
	}
	if info, err := os.Stat(db); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	none := filepath.Join(t.TempDir(), "state")
	t.Setenv("XDG_STATE_HOME", none)
	if got := cli(t, "tune", "--store", "none", path); got.code != 0 {
		t.Fatal(got.err)
	}
	if _, err := os.Stat(none); !os.IsNotExist(err) {
		t.Errorf("--store none left something: %v", err)
	}
	broken := file(t, "broken.db", "this is no store, whatever its name may say about it")
	if got := cli(t, "tune", "--store", broken, "--json", path); got.code != 0 || got.out != first.out || !strings.Contains(got.err, "facts are not kept") {
		t.Errorf("with a broken store: exit %d, %s", got.code, got.err)
	}
}

// Of a changed recording what is kept in the store is not used where it is no longer true.
func TestTuneMeasuresAChangedFileAnew(t *testing.T) {
	db := filepath.Join(t.TempDir(), "s.db")
	path := threeSizes(t)
	with := func(store string) string { return cli(t, "tune", "--store", store, "--json", path).out }
	before := with(db)
	changed := chat(toolResult{"big", records(40_000)}, toolResult{"middle", records(16_000)}, toolResult{"small", strings.Repeat("a", 1600)})
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	after := with(db)
	if after == before || after != with("none") || after != with(db) {
		t.Errorf("before\n%safter\n%swithout a store\n%s", before, after, with("none"))
	}
	if !strings.Contains(after, `"original_tokens":14400`) {
		t.Errorf("10,000, 4,000 and 400 tokens are not 14,400 in %s", after)
	}
}

func TestTuneSaysWhatIsWrong(t *testing.T) {
	path := threeSizes(t)
	noPrices := file(t, "prices.json", `{"output":2}`)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--goal", "cheap"}, "--goal: no such name: cheap"},
		{[]string{"--values", "1,x"}, `--values has "x", which is not a number of 0 or more`},
		{[]string{"--points", "0"}, "--points 0 makes no sense"},
		{[]string{"--max-step-tokens", "-5"}, "--max-step-tokens -5 makes no sense"},
		{[]string{"--key", "preview.nothing"}, "preview.nothing is not a number that can be swept"},
		{[]string{"--from", "10000", "--to", "5"}, "limits.per_result can't be swept from 10,000 to 5\nhint: --from has to be the lower\n"},
		{[]string{"--policy", "trueforge", "--key", "preview.head_chars", "--from", "10", "--to", "5"}, "preview.head_chars can't be swept from 10 to 5"},
		{[]string{"--from", "NaN"}, "--from NaN makes no sense"},
		{[]string{"--window", "0"}, "--window 0 makes no sense\nhint: give a number of tokens over 0, or leave it out\n"},
		{[]string{"--max-step-tokens", "0"}, "--max-step-tokens 0 makes no sense"},
		{[]string{"--policy", "trueforge", "--values", "12000"}, "limits.per_result 12000 is over limits.combined 10000"},
		{[]string{"--prices", noPrices}, `no prices: json: unknown field "output"`},
		{[]string{"--json", "--csv"}, "--csv and --json don't go together"},
	} {
		got := cli(t, append(append([]string{"tune", "--store", "none"}, c.args...), path)...)
		if got.code != 2 || !strings.Contains(got.err, c.want) || got.out != "" {
			t.Errorf("%v: exit %d, %s", c.args, got.code, got.err)
		}
	}
	if got := cli(t, "tune", "--from-facts"); got.code != 2 || !strings.Contains(got.err, "--from-facts without a file") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
	empty := file(t, "empty.json", `{"messages":[{"role":"user","content":"hello"}]}`)
	if got := cli(t, "tune", "--store", "none", empty); got.code != 0 || !strings.Contains(got.out, "There is nothing to tune") {
		t.Errorf("no results: exit %d, %s%s", got.code, got.out, got.err)
	}
}

// A preview's length is measured for each value that is swept.
func TestTuneSweepsPreviews(t *testing.T) {
	path := threeSizes(t)
	v := cli(t, "tune", "--store", "none", "--json", "--policy", "trueforge", "--key", "preview.head_chars", "--values", "100,500", path).lines(t)[0]
	a, b := at(v, "sweep", 0, "inline_tokens").(float64), at(v, "sweep", 1, "inline_tokens").(float64)
	if at(v, "recommendation") != nil || b-a != 100 { // 400 characters more of one offloaded result
		t.Errorf("got %v", v)
	}
}

// sweptValues are the values of a sweep for the goal that the highest one serves best.
func sweptValues(t *testing.T, args ...string) (values []float64) {
	t.Helper()
	got := cli(t, append([]string{"tune", "--store", "none", "--json", "--goal", "fewest-offloads"}, args...)...)
	if got.code != 0 {
		t.Fatalf("%v: exit %d, %s", args, got.code, got.err)
	}
	for _, p := range got.lines(t)[0]["sweep"].([]any) {
		values = append(values, at(p, "value").(float64))
	}
	return values
}

// The largest result has 8,000 tokens. An end that is not given is what the recordings hold, from 100 on, and where
// the other end lies outside an eighth or the fourfold of that.
func TestOneEndOfASweepIsEnough(t *testing.T) {
	path := threeSizes(t)
	for _, c := range []struct {
		args        []string
		first, last float64
	}{
		{nil, 100, 8000},
		{[]string{"--from", "500"}, 500, 8000},
		{[]string{"--to", "5000"}, 100, 5000},
		{[]string{"--from", "0"}, 0, 8000},
		{[]string{"--from", "20000"}, 20_000, 80_000},
		{[]string{"--to", "80"}, 10, 80},
		{[]string{"--key", "preview.records", "--from", "2"}, 2, 12},
		{[]string{"--key", "preview.budget"}, 125, 4000},
		{[]string{"--policy", "trueforge", "--key", "preview.head_chars"}, 13, 400},             // 12.5, rounded
		{[]string{"--policy", "trueforge", "--key", "preview.head_chars", "--to", "8"}, 1, 100}, // its own is 100
	} {
		values := sweptValues(t, append(c.args, path)...)
		if n := len(values); n < 3 || values[0] != c.first || values[n-1] != c.last {
			t.Errorf("%v: %v, want them from %v to %v", c.args, values, c.first, c.last)
		}
	}
}

// No schema is made where its budget is 0, which says nothing of how large it could be.
func TestASweepOfOneValueSaysHowToGetMore(t *testing.T) {
	path := threeSizes(t)
	got := cli(t, "tune", "--store", "none", "--policy", "trueforge", "--key", "schema.budget", path)
	if want := "That is one value only: name others with --values N,N,… or with --from N and --to N.\n"; got.code != 0 || !strings.Contains(got.out, want) {
		t.Errorf("exit %d, without %q in\n%s", got.code, want, got.out)
	}
	facts := file(t, "r.facts", cli(t, "tune", "--store", "none", "--policy", "trueforge", "--facts", path).out)
	got = cli(t, "tune", "--from-facts", "--policy", "trueforge", "--key", "preview.head_chars", facts)
	if want := "the facts hold no other; measure others with tune --facts --key preview.head_chars --values N,N,…\n"; !strings.Contains(strings.ReplaceAll(got.out, "….", "…"), want) {
		t.Errorf("exit %d, without %q in\n%s%s", got.code, want, got.out, got.err)
	}
}

func TestCheckIsAGate(t *testing.T) {
	path := threeSizes(t)
	for _, c := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"--max-step-tokens", "12400", "--policy", "none"}, 0, []string{"3 results in 1 step under none: nothing is over; the largest step has 12,400 tokens, the largest result 8,000\n"}},
		{[]string{"--max-step-tokens", "12399", "--policy", "none"}, 1, []string{"max-step-tokens  ", "turn 1, step 1: 3 results brought 12,400 tokens, over 12,399\n", ": 1 offender;"}},
		{[]string{"--max-result-tokens", "4000", "--policy", "none"}, 1, []string{"big (call_1): inline with 8,000 tokens, over 4,000\n", ": 1 offender;"}},
		{[]string{"--deny", "no-result"}, 0, []string{"nothing is over"}},
		{[]string{"--deny", "lost", "--fault", "disk-full"}, 1, []string{"lost  ", "big (call_1): only a preview entered"}},
	} {
		got := cli(t, append(append([]string{"check"}, c.args...), path)...)
		if got.code != c.code || got.err != "" {
			t.Errorf("%v: exit %d, %s", c.args, got.code, got.err)
		}
		for _, want := range c.want {
			if !strings.Contains(got.out, want) {
				t.Errorf("%v: without %q in %s", c.args, want, got.out)
			}
		}
	}
	lines := cli(t, "check", "--json", "--policy", "none", "--max-step-tokens", "100", "--max-result-tokens", "4000", path).lines(t)
	if len(lines) != 3 || lines[0]["rule"] != "max-step-tokens" || lines[0]["tokens"] != 12_400.0 || lines[0]["limit"] != 100.0 ||
		lines[1]["call"] != "call_1" || lines[1]["tool"] != "big" || at(lines[2], "totals", "offenders") != 2.0 || at(lines[2], "totals", "peak_step_tokens") != 12_400.0 {
		t.Errorf("got %v", lines)
	}
	for args, want := range map[string]string{
		"":                     "check has nothing to hold the recordings to",
		"--deny=lots":          "--deny: no such name: lots",
		"--max-step-tokens=-1": "--max-step-tokens -1 makes no sense",
	} {
		if got := cli(t, append([]string{"check", path}, strings.Fields(args)...)...); got.code != 2 || !strings.Contains(got.err, want) {
			t.Errorf("%q: exit %d, %s", args, got.code, got.err)
		}
	}
	if got := cli(t, "check", "--deny", "lost", filepath.Join(t.TempDir(), "none.json")); got.code != 2 {
		t.Errorf("a missing file: exit %d", got.code)
	}
}
