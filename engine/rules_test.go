package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"floodmark/history"
)

// conversation makes a conversation of one step with these results.
func conversation(calls ...*history.Call) *history.Conversation {
	for i, c := range calls {
		c.Order = i
		if c.Tool == "" {
			c.Tool = "tool"
		}
		if c.ID == "" {
			c.ID = fmt.Sprint("call_", i)
		}
		if c.Result != nil {
			c.Result.Arrival = i
		}
	}
	step := &history.Step{Number: 1, Calls: calls}
	turn := &history.Turn{Number: 1, Prompt: history.Of("a question"), Steps: []*history.Step{step}}
	return &history.Conversation{ID: "c", Threads: []*history.Thread{{Name: history.Main, Turns: []*history.Turn{turn}}}}
}

func result(text string) *history.Call {
	return &history.Call{Result: &history.Result{Payload: history.Of(text)}}
}

// numbers is a JSON array of exactly n bytes (n over 3), without a string in it.
func numbers(n int) string {
	first := "1"
	if n%2 == 0 {
		first = "10"
	}
	return "[" + first + strings.Repeat(",1", (n-2-len(first))/2) + "]"
}

func policy(t testing.TB, name string, set ...string) *Policy {
	t.Helper()
	p, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.Set(set...); err != nil {
		t.Fatal(err)
	}
	return p
}

func replay(t testing.TB, p *Policy, o RunOptions, calls ...*history.Call) []*Outcome {
	t.Helper()
	run, err := NewReplayer(conversation(calls...)).Run(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return run.Outcomes
}

func verdicts(outcomes []*Outcome) string {
	var s []string
	for _, o := range outcomes {
		s = append(s, string(o.Verdict))
	}
	return strings.Join(s, " ")
}

func codes(o *Outcome) string {
	var s []string
	for _, w := range o.Warnings {
		s = append(s, w.Code)
	}
	return strings.Join(s, " ")
}

func TestMoveworksDecidesBySizeAndStructure(t *testing.T) {
	// summary is 30,000 bytes with one string of n bytes, its quotes counted.
	summary := func(n int) string {
		return `{"summary":"` + strings.Repeat("x", n-2) + `"}` + strings.Repeat(" ", 30_000-n-len(`{"summary":}`))
	}
	accounts := `{"data": "{\"accounts\": [` + strings.Repeat(`{\"id\": 1, \"open\": true}, `, 1200) + `{\"id\": 2}]}"}`
	for _, c := range []struct {
		name, payload string
		verdict       Verdict
		warnings      string
	}{
		{"28,000 bytes of JSON are exactly 7,000 tokens", numbers(28_000), Inline, "near-threshold within-estimator-error"},
		{"28,001 bytes are over", numbers(28_001), Offloaded, "near-threshold"},
		{"text of any size stays", strings.Repeat("many words ", 4000), Inline, "large-plaintext"},
		{"JSON that does not parse stays", "[" + strings.Repeat("1,", 20_000) + "]", Inline, "json-like-invalid large-plaintext"},
		{"a scalar stays", `"` + strings.Repeat("a ", 20_000) + `"`, Inline, "large-plaintext"},
		{"one string with half of the bytes is rendered text", summary(15_000), Inline, "large-plaintext rendered-text within-estimator-error"},
		{"one byte less is structured", summary(14_999), Offloaded, "near-threshold within-estimator-error"},
		{"data inside a string is stringified JSON", accounts, Inline, "large-plaintext stringified-json"},
		{"nothing at all", "", Inline, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := replay(t, policy(t, "moveworks"), RunOptions{}, result(c.payload))[0]
			if o.Verdict != c.verdict {
				t.Errorf("verdict %s, want %s: %+v", o.Verdict, c.verdict, o.Trace)
			}
			if got := codes(o); got != c.warnings {
				t.Errorf("warnings %q, want %q", got, c.warnings)
			}
		})
	}
}

func TestAnythingOverTheHardLimitIsRejectedUnread(t *testing.T) {
	call := func(bytes int64) *history.Call {
		return &history.Call{Result: &history.Result{Payload: history.Generated(history.Generator{
			Size:  history.Size{Bytes: bytes, Chars: bytes, UTF16: bytes},
			Write: func(io.Writer) error { return errors.New("read") },
		})}}
	}
	o := replay(t, policy(t, "moveworks"), RunOptions{}, call(100_000_001))[0]
	if o.Verdict != Rejected || o.Inline != (Measure{}) || o.Package != nil {
		t.Errorf("got %+v", o)
	}
	if codes(o) != "near-threshold" {
		t.Errorf("warnings %s", codes(o))
	}
	_, err := NewReplayer(conversation(call(100_000_000))).Run(context.Background(), policy(t, "moveworks"), RunOptions{})
	if err == nil {
		t.Error("100,000,000 bytes are under the limit and have to be read")
	}
}

func TestTrueforgeBatches(t *testing.T) {
	chars := func(tokens float64) *history.Call { return result(strings.Repeat("x", int(tokens*4))) }
	batch := func(n int, tokens float64) []*history.Call {
		var calls []*history.Call
		for range n {
			calls = append(calls, chars(tokens))
		}
		return calls
	}
	for _, c := range []struct {
		name  string
		set   []string
		calls []*history.Call
		want  string
	}{
		{"exactly 6,000 does not exceed", nil, batch(1, 6000), "inline"},
		{"a quarter token more does", nil, batch(1, 6000.25), "offloaded"},
		{"the released code offloads at 6,000", []string{"boundary=reaches"}, batch(1, 6000), "offloaded"},
		{"and not a quarter below", []string{"boundary=reaches"}, batch(1, 5999.75), "inline"},
		{"four of 4,000: two go, the first in call order", nil, batch(4, 4000), "offloaded offloaded inline inline"},
		{"5,000 + 5,000 do not exceed 10,000", nil, batch(2, 5000), "inline inline"},
		{"they reach it", []string{"boundary=reaches"}, batch(2, 5000), "offloaded inline"},
		{"3 x 3,333 stay", []string{"boundary=reaches"}, batch(3, 3333), "inline inline inline"},
		{"7,000 + 5,500 + 1,000: the first alone is enough", nil, []*history.Call{chars(7000), chars(5500), chars(1000)}, "offloaded inline inline"},
		{"the largest goes first wherever it stands", nil, []*history.Call{chars(1000), chars(4000), chars(5900)}, "inline inline offloaded"},
		{"a policy that is off keeps all", []string{"enabled=false"}, batch(4, 9000), "inline inline inline inline"},
		{"without a sandbox it is lost", []string{"sandbox.enabled=false"}, batch(1, 9000), "lost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := verdicts(replay(t, policy(t, "trueforge", c.set...), RunOptions{SkipExact: true}, c.calls...))
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}

	many := replay(t, policy(t, "trueforge"), RunOptions{SkipExact: true}, batch(101, 100)...)
	for _, o := range many {
		if o.Verdict != Offloaded || !strings.Contains(codes(o), WarnPackageLarger) || !strings.Contains(codes(o), WarnCombined) {
			t.Fatalf("101 results of 100 tokens are all replaced, at a loss: %s %s", o.Verdict, codes(o))
		}
	}
	shrinks := replay(t, policy(t, "trueforge", "package.must_shrink=true"), RunOptions{SkipExact: true}, batch(101, 100)...)
	for _, o := range shrinks {
		if o.Verdict != Inline {
			t.Fatalf("a package that does not shrink the payload is refused: %s", o.Verdict)
		}
	}
}

func TestCharactersAreUTF16UnitsForTrueforge(t *testing.T) {
	emoji := result(strings.Repeat("🌊", 12_000)) // 24,000 code units, 48,000 bytes
	o := replay(t, policy(t, "trueforge"), RunOptions{SkipExact: true}, emoji)[0]
	if o.Verdict != Inline || o.Original.Tokens != 6000 {
		t.Errorf("got %s at %v tokens", o.Verdict, o.Original.Tokens)
	}
}

func TestFailedCallsAndSandboxToolsHaveTheirOwnWay(t *testing.T) {
	failed := func(n int) *history.Call {
		c := result(strings.Repeat("e", n))
		c.Result.Error, c.Result.Failed = true, true
		return c
	}
	exec := func(n int) *history.Call {
		c := result(strings.Repeat("o", n))
		c.Tool = "exec"
		return c
	}
	p := policy(t, "trueforge")
	long := replay(t, p, RunOptions{}, failed(24_001))[0]
	if long.Verdict != Truncated || !strings.HasPrefix(long.Package.Text, strings.Repeat("e", 500)) || strings.Contains(long.Package.Text, strings.Repeat("e", 501)) {
		t.Errorf("a failed call over the threshold: %s", long.Verdict)
	}
	if o := replay(t, p, RunOptions{}, failed(24_000))[0]; o.Verdict != Inline {
		t.Errorf("a failed call at the threshold: %s", o.Verdict)
	}
	if o := replay(t, p, RunOptions{}, exec(24_001))[0]; o.Verdict != PreviewOnly {
		t.Errorf("the sandbox's own tool over the threshold: %s", o.Verdict)
	}
	// 5,900 + 5,900 exceed 10,000: the first is taken, by its own rule.
	if got := verdicts(replay(t, p, RunOptions{}, failed(23_600), exec(23_600))); got != "truncated inline" {
		t.Errorf("in a batch: %s", got)
	}
	// A short failed call that the combined limit takes enters whole.
	calls := []*history.Call{failed(500)}
	for range 101 {
		calls = append(calls, result(strings.Repeat("x", 400)))
	}
	if o := replay(t, p, RunOptions{SkipExact: true}, calls...)[0]; o.Verdict != Inline || o.Inline.Bytes != 500 {
		t.Errorf("a failed call of 500 characters: %s, %d bytes", o.Verdict, o.Inline.Bytes)
	}
	answer := result(strings.Repeat("m", 24_001)) // MCP's isError is an answer
	answer.Result.Error = true
	if o := replay(t, p, RunOptions{SkipExact: true}, answer)[0]; o.Verdict != Offloaded {
		t.Errorf("an answer that says error: %s", o.Verdict)
	}
}

func TestInstructionsAreTakenOut(t *testing.T) {
	const key = "display_instructions_for_model"
	for _, c := range []struct{ name, payload, rest, text string }{
		{"a member follows", `{"` + key + `": "say it", "a": 1}`, `{"a": 1}`, "say it"},
		{"one precedes", `{"a": 1, "` + key + `": "say \"it\""}`, `{"a": 1}`, `say "it"`},
		{"alone", `{ "` + key + `" : [1, 2] }`, `{  }`, `[1, 2]`},
		{"duplicates: all are cut, the last one counts", `{"` + key + `":"x","a":1,"` + key + `":"y","` + key + `":"z"}`, `{"a":1}`, "z"},
		{"only duplicates", `{"` + key + `":"x","` + key + `":"z"}`, `{}`, "z"},
		{"an escaped key", `{"display_instructions_for_mode\u006c":"x","a":1}`, `{"a":1}`, "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := policy(t, "moveworks")
			r := NewReplayer(conversation(result(c.payload)))
			run, err := r.Run(context.Background(), p, RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			o := run.Outcomes[0]
			inline, err := r.InlineText(p, o)
			if err != nil || string(inline) != c.rest {
				t.Errorf("inline %q (%v), want %q", inline, err, c.rest)
			}
			if o.Instructions == nil || o.Instructions.Text != c.text {
				t.Errorf("instructions %+v, want %q", o.Instructions, c.text)
			}
			if o.Inline.Bytes != int64(len(c.rest)) || o.Original.Bytes != int64(len(c.payload)) {
				t.Errorf("inline %d bytes, original %d", o.Inline.Bytes, o.Original.Bytes)
			}
		})
	}
	for _, stays := range []string{`{"a": {"` + key + `": "x"}}`, `["` + key + `"]`, `{"` + key + `": "x"`} {
		if o := replay(t, policy(t, "moveworks"), RunOptions{}, result(stays))[0]; o.Instructions != nil || o.Inline.Bytes != int64(len(stays)) {
			t.Errorf("%s: %+v", stays, o.Instructions)
		}
	}
	deeper := replay(t, policy(t, "moveworks"), RunOptions{}, result(`{"a": {"`+key+`": "x"}}`))[0]
	if !slices.ContainsFunc(deeper.Trace, func(c Check) bool { return c.Check == "instructions" && c.Result == "stays-data" }) {
		t.Errorf("the trace does not say that the key was seen deeper: %+v", deeper.Trace)
	}
}

// Crossing a limit that changes nothing is not near anything.
func TestNearIsOnlyWhatWouldChangeTheVerdict(t *testing.T) {
	var small, failed []*history.Call
	for range 101 {
		c := result(strings.Repeat("x", 400))
		c.Result.Error, c.Result.Failed = true, true
		small, failed = append(small, result(strings.Repeat("x", 400))), append(failed, c)
	}
	for _, o := range replay(t, policy(t, "trueforge", "package.must_shrink=true"), RunOptions{SkipExact: true}, small...) {
		if codes(o) != "" {
			t.Fatalf("a package that does not shrink is refused either way: %s", codes(o))
		}
	}
	for i, o := range replay(t, policy(t, "trueforge"), RunOptions{SkipExact: true}, failed...) {
		if codes(o) != "" {
			t.Fatalf("a short failed call enters whole either way: %s", codes(o))
		}
		if i == 0 && !slices.ContainsFunc(o.Trace, func(c Check) bool { return c.Check == "package" && c.Result == "whole" }) {
			t.Errorf("the trace does not say why it stayed: %+v", o.Trace)
		}
	}
	text := replay(t, policy(t, "moveworks"), RunOptions{SkipExact: true}, result(strings.Repeat("y", 28_100)))[0]
	if codes(text) != "large-plaintext" {
		t.Errorf("text stays inline on both sides of the limit: %s", codes(text))
	}
}

// What is lost entered with the package of a lost result: the trace shows that one.
func TestTheTraceShowsThePackageThatEntered(t *testing.T) {
	for _, o := range replay(t, policy(t, "trueforge"), RunOptions{Fault: SandboxDown, SkipExact: true},
		result(strings.Repeat("x", 30_000)), result(strings.Repeat("x", 20_000))) {
		var names []string
		for _, c := range o.Trace {
			names = append(names, c.Check)
			if c.Check == "package" && c.Observed != o.Inline.Tokens {
				t.Errorf("the trace has a package of %v tokens, %v entered", c.Observed, o.Inline.Tokens)
			}
		}
		if o.Verdict == Lost && strings.Join(names[len(names)-3:], " ") != "package store verdict" {
			t.Errorf("the trace ends with %v", names)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, policyName := range []string{"moveworks", "trueforge"} {
		for fault, want := range map[Fault]string{
			SandboxDown: "lost: lost sandbox-unavailable", WriteFails: "lost: lost", DiskFull: "lost: lost",
			ReadFails: "offloaded: unreadable", Expired: "offloaded: expired", NoFault: "offloaded: ",
		} {
			o := replay(t, policy(t, policyName), RunOptions{Fault: fault, SkipExact: true}, result(numbers(40_000)))[0]
			if got := fmt.Sprintf("%s: %s", o.Verdict, codes(o)); got != want {
				t.Errorf("%s, %s: %s, want %s", policyName, fault, got, want)
			}
			if o.Verdict == Lost && strings.Contains(o.Package.Text, o.Name) {
				t.Errorf("%s, %s: the package of a lost payload names a variable", policyName, fault)
			}
		}
	}
}

type keepFunc func(Variable) error

func (f keepFunc) Keep(_ context.Context, v Variable, write func(io.Writer) error) error {
	if err := f(v); err != nil {
		return err
	}
	return write(io.Discard)
}

func TestWhatTheStoreCannotTakeIsLost(t *testing.T) {
	var kept []string
	keep := keepFunc(func(v Variable) error {
		if v.Name == "b_1" {
			return errors.New("no room")
		}
		kept = append(kept, v.Name)
		return nil
	})
	a, b := result(numbers(40_000)), result(numbers(40_001))
	a.Tool, b.Tool = "a", "b"
	if got := verdicts(replay(t, policy(t, "moveworks"), RunOptions{Keep: keep}, a, b)); got != "offloaded lost" {
		t.Errorf("got %s", got)
	}
	if !slices.Equal(kept, []string{"a_1"}) {
		t.Errorf("kept %v", kept)
	}
}

// Whatever the sizes: a higher threshold never offloads more, and the order of arrival never
// changes an outcome.
func TestThresholdsAndArrivalOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, for seconds")
	}
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 1))
	run := func(r *Replayer, set string) string {
		run, err := r.Run(context.Background(), policy(t, "trueforge", set), RunOptions{SkipExact: true})
		if err != nil {
			t.Fatal(err)
		}
		return verdicts(run.Outcomes)
	}
	for range 20 {
		var calls []*history.Call
		for range 1 + rnd.IntN(7) {
			calls = append(calls, result(strings.Repeat("y", rnd.IntN(36_000))))
		}
		c := conversation(calls...)
		last, before := len(calls)+1, map[string]string{}
		r := NewReplayer(c)
		for limit := 500; limit <= 10_000; limit += 475 {
			set := fmt.Sprintf("limits.per_result=%d", limit)
			before[set] = run(r, set)
			offloaded := strings.Count(before[set], string(Offloaded))
			if offloaded > last {
				t.Fatalf("seed %d: at %d %d offloaded, below it %d", seed, limit, offloaded, last)
			}
			last = offloaded
		}
		for i, at := range rnd.Perm(len(calls)) {
			calls[i].Result.Arrival = at
		}
		r = NewReplayer(c)
		for set, want := range before {
			if got := run(r, set); got != want {
				t.Fatalf("seed %d: another order of arrival: %s, not %s", seed, got, want)
			}
		}
	}
}

func TestABatchIsTheCallsOfAStepAndWhatNoCallAskedForComesBehindThem(t *testing.T) {
	orphan, repeated := result("[1]"), result("[2]")
	orphan.Flags, repeated.Flags = history.OrphanResult, history.RepeatedResult
	outcomes := replay(t, policy(t, "moveworks"), RunOptions{}, orphan, result("[3]"), repeated, result("[4]"))
	for i, want := range []struct{ index, batch int }{{2, 2}, {0, 2}, {3, 2}, {1, 2}} {
		if o := outcomes[i]; o.Index != want.index || o.Batch != want.batch {
			t.Errorf("result %d is %d of %d, want %d of %d", i, o.Index, o.Batch, want.index, want.batch)
		}
	}
	if alone := replay(t, policy(t, "moveworks"), RunOptions{}, orphan)[0]; alone.Index != 0 || alone.Batch != 0 {
		t.Errorf("an orphan alone is %d of %d, want 0 of 0", alone.Index, alone.Batch)
	}
}
