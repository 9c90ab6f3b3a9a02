package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"floodmark/history"
)

// cached is a cache in memory that counts.
type cached struct {
	kept      map[string][]byte
	got, puts int
}

func (c *cached) Get(key []byte) []byte {
	if v := c.kept[string(key)]; v != nil {
		c.got++
		return v
	}
	return nil
}

func (c *cached) Put(key, value []byte) {
	c.puts++
	c.kept[string(key)] = value
}

func TestWhatWasMeasuredOnceIsTakenFromTheCache(t *testing.T) {
	all := conversationsIn(t, filepath.Join("..", "fixtures"))
	cache := &cached{kept: map[string][]byte{}}
	collect := func(p *Policy) *Corpus {
		c, err := NewCorpus(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, conv := range all {
			if err := c.Add(context.Background(), NewReplayer(conv), cache); err != nil {
				t.Fatal(err)
			}
		}
		return c
	}
	first := collect(policy(t, "trueforge"))
	measured := cache.puts
	if measured == 0 {
		t.Fatal("nothing was kept")
	}
	cache.got = 0
	second := collect(policy(t, "trueforge"))
	if cache.puts != measured || cache.got != second.Len() {
		t.Errorf("%d of %d results came from the cache, %d were measured again", cache.got, second.Len(), cache.puts-measured)
	}
	if !reflect.DeepEqual(first.facts, second.facts) || !reflect.DeepEqual(first.columns, second.columns) {
		t.Error("facts from the cache differ from measured ones")
	}
	collect(policy(t, "trueforge", "preview.head_chars=50"))
	if cache.puts == measured {
		t.Error("another preview is taken from the cache")
	}
}

func TestALadderOfPreviewsIsMeasuredAndTheRestIsRefused(t *testing.T) {
	base := policy(t, "moveworks", "limits.per_result=100")
	two, one := policy(t, "moveworks", "limits.per_result=100", "preview.records=2"), policy(t, "moveworks", "limits.per_result=100", "preview.records=1")
	all := conversationsIn(t, filepath.Join("..", "fixtures"))
	var replayers []*Replayer
	for _, conv := range all {
		replayers = append(replayers, NewReplayer(conv))
	}
	c := collected(t, all, base, two, one)
	for _, p := range []*Policy{base, two, one} {
		sameAsReplay(t, c, p, NoFault, replayers)
	}
	if got := c.Ladder("preview.records"); !reflect.DeepEqual(got, []string{"3", "2", "1"}) {
		t.Errorf("the ladder is %v", got)
	}
	if got := c.Ladder("limits.per_result"); got != nil {
		t.Errorf("a limit has the ladder %v", got)
	}
	for _, x := range []struct{ set, field, hint string }{
		{"preview.records=5", "preview.records", "they were measured with 3, 2, 1"},
		{"preview.string_chars=50", "preview.string_chars", "collect them again with this policy"},
		{"estimator=chars/4", "estimator", "collect them again with this policy"},
		{"schema.budget=10", "schema.budget", "collect them again with this policy"},
		{"unwrap.mcp=structured", "unwrap.mcp", "collect them again with this policy"},
		{"instructions.key=other", "instructions.key", "collect them again with this policy"},
		{"package.reference=file", "package.reference", "collect them again with this policy"},
		{"errors.truncate_chars=500", "errors.truncate_chars", "collect them again with this policy"},
	} {
		_, err := c.Decide(policy(t, "moveworks", x.set))
		var e *PolicyError
		if !errors.As(err, &e) || e.Field != x.field || e.Hint != x.hint {
			t.Errorf("%s: %v, want an error that names %s", x.set, err, x.field)
		}
	}
	if _, err := NewCorpus(base, policy(t, "moveworks", "unwrap.mcp=structured")); err == nil {
		t.Error("two ways of looking at a payload are measured as one")
	}
}

// Whatever the policy language gains, a value that facts know nothing of takes a replay, and is not passed over.
func TestEveryFieldOfThePolicyIsDecidedMeasuredOrReplayed(t *testing.T) {
	for _, x := range []struct {
		field string
		use   fieldUse
	}{{"limits.per_result", decidedField}, {"limits.window_share", replayedField}, {"package.anything", replayedField}, {"limits", replayedField},
		{"title", ignoredField}, {"preview.records", measuredField}, {"preview.lines", measuredField}, {"overrides", decidedField}} {
		if got := useOf(x.field); got != x.use {
			t.Errorf("%s is used as %d, want %d", x.field, got, x.use)
		}
	}
}

func TestAPayloadOverTheHardLimitIsNotReadAndCanNotBeLetIn(t *testing.T) {
	call := &history.Call{Result: &history.Result{Payload: history.Generated(history.Generator{
		Size:  history.Size{Bytes: 100_000_001, Chars: 100_000_001, UTF16: 100_000_001},
		Write: func(io.Writer) error { return errors.New("read") },
	})}}
	c := collected(t, []*history.Conversation{conversation(call, result("small"))}, policy(t, "moveworks"))
	d, err := c.Decide(policy(t, "moveworks"))
	if err != nil || d.Verdict(0) != Rejected || d.InlineTokens(0) != 0 || d.Verdict(1) != Inline || d.OriginalTokens != 25_000_001.5 {
		t.Fatalf("%+v, %v", d, err)
	}
	for set, field := range map[string]string{"limits.hard_bytes=200000000": "limits.hard_bytes", "limits.hard_bytes=null": "limits.hard_bytes", "enabled=false": "enabled"} {
		_, err := c.Decide(policy(t, "moveworks", set))
		var e *PolicyError
		if !errors.As(err, &e) || e.Field != field {
			t.Errorf("%s: %v, want an error that names %s", set, err, field)
		}
	}
}

func TestRealTokensAreDecidedAsReplayed(t *testing.T) {
	conversations := []*history.Conversation{
		conversation(result(numbers(900)), result(strings.Repeat("some words ", 100)), result(`{"rows":[{"a":"x"},{"a":"y"}],"display_instructions_for_model":"be short"}`)),
	}
	for _, name := range []string{"moveworks", "trueforge"} {
		for _, e := range []Estimator{O200kBase, CL100kBase} {
			p := policy(t, name, "estimator="+string(e))
			c := collected(t, conversations, p)
			for _, limit := range []int{0, 10, 20, 200, 250, 900} {
				for _, more := range []string{"limits.hard_bytes=null", "limits.hard_bytes=1000", "limits.combined=900", "enabled=false"} {
					sameAsReplay(t, c, policy(t, name, "estimator="+string(e), fmt.Sprint("limits.per_result=", limit), more), NoFault, []*Replayer{NewReplayer(conversations[0])})
				}
			}
		}
	}
}

// The flips between two settings are the results on which two replays differ.
func TestFlipsAreTheDifferenceOfTwoReplays(t *testing.T) {
	for _, conv := range conversationsIn(t, filepath.Join("..", "fixtures")) {
		flipsAreReplayed(t, conv, "trueforge", 6000, 1500)
	}
}

func TestFlipsOfRealRecordings(t *testing.T) {
	flips := 0
	for _, conv := range conversationsIn(t, recordings(t)) {
		flips += flipsAreReplayed(t, conv, "trueforge", 6000, 400)
		flips += flipsAreReplayed(t, conv, "moveworks", 7000, 100)
	}
	if flips < 100 {
		t.Errorf("only %d results flipped", flips)
	}
}

func flipsAreReplayed(t *testing.T, conv *history.Conversation, name string, from, to float64) (n int) {
	t.Helper()
	a, err := policy(t, name).SetNumber(PerResultKey, from)
	if err != nil {
		t.Fatal(err)
	}
	b, err := a.SetNumber(PerResultKey, to)
	if err != nil {
		t.Fatal(err)
	}
	c := collected(t, []*history.Conversation{conv}, a)
	var decisions []*Decisions
	verdicts := map[string][]Verdict{}
	place := func(turn, step, index int, thread string) string {
		return fmt.Sprint(thread, " ", turn, ".", step, ".", index)
	}
	for _, p := range []*Policy{a, b} {
		d, err := c.Decide(p)
		if err != nil {
			t.Fatal(err)
		}
		decisions = append(decisions, d)
		run, err := NewReplayer(conv).Run(context.Background(), p, RunOptions{SkipExact: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range run.Outcomes {
			k := place(o.Turn, o.Step, o.Index, o.Thread.Name)
			verdicts[k] = append(verdicts[k], o.Verdict)
		}
	}
	want := 0
	for _, v := range verdicts {
		if v[0] != v[1] {
			want++
		}
	}
	flips := Flips(decisions[0], decisions[1])
	for _, f := range flips {
		fact := c.At(f.Fact)
		v := verdicts[place(fact.Turn, fact.Step, fact.Index, fact.Thread)]
		if len(v) != 2 || v[0] != f.From || v[1] != f.To {
			t.Errorf("%s: %+v flips from %s to %s, replays say %v", conv.File, fact, f.From, f.To, v)
		}
	}
	if len(flips) != want {
		t.Errorf("%s: %d flips, replays differ on %d", conv.File, len(flips), want)
	}
	return want
}
