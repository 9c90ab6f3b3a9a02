package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"floodmark/history"
)

// diagnose replays the calls as one batch and explains the first.
func diagnose(t *testing.T, p *Policy, o RunOptions, calls ...*history.Call) *Diagnosis {
	t.Helper()
	r := NewReplayer(conversation(calls...))
	run, err := r.Run(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.Diagnose(context.Background(), p, run.Outcomes[0])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// quoted is text as a JSON string.
func quoted(t *testing.T, text string) string {
	t.Helper()
	b, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func failed(text string) *history.Call {
	c := result(text)
	c.Result.Error, c.Result.Failed = true, true
	return c
}

func huge(bytes int64) *history.Call {
	return &history.Call{Result: &history.Result{Payload: history.Generated(history.Generator{
		Size: history.Size{Bytes: bytes, Chars: bytes, UTF16: bytes}})}}
}

func TestCauses(t *testing.T) {
	records := `{"accounts": [` + strings.Repeat(`{"id": 1, "open": true}, `, 1500) + `{"id": 2}]}`
	for _, c := range []struct {
		name   string
		policy string
		set    []string
		fault  Fault
		calls  []*history.Call
		want   Cause
	}{
		{"small", "moveworks", nil, NoFault, []*history.Call{result("{}")}, CauseUnderThreshold},
		{"small, its data in a string: the size decides", "moveworks", nil, NoFault, []*history.Call{result(`{"data": "{\"a\": 1}"}`)}, CauseUnderThreshold},
		{"nothing", "moveworks", nil, NoFault, []*history.Call{result("")}, CauseEmpty},
		{"over 100 MB", "moveworks", nil, NoFault, []*history.Call{huge(100_000_001)}, CauseHardLimit},
		{"words", "moveworks", nil, NoFault, []*history.Call{result(strings.Repeat("many words ", 4000))}, CausePlaintext},
		{"a trailing comma", "moveworks", nil, NoFault, []*history.Call{result("[" + strings.Repeat("1,", 20_000) + "]")}, CauseInvalidJSON},
		{"a JSON string of words", "moveworks", nil, NoFault, []*history.Call{result(`"` + strings.Repeat("a ", 20_000) + `"`)}, CauseScalarRoot},
		{"a JSON string of JSON", "moveworks", nil, NoFault, []*history.Call{result(quoted(t, records))}, CauseStringifiedJSON},
		{"a summary", "moveworks", nil, NoFault, []*history.Call{result(`{"summary": "` + strings.Repeat("a ", 20_000) + `"}`)}, CauseRenderedText},
		{"accounts in a string", "moveworks", nil, NoFault, []*history.Call{result(`{"data": ` + quoted(t, records) + `}`)}, CauseStringifiedJSON},
		{"records", "moveworks", nil, NoFault, []*history.Call{result(records)}, CauseOffloaded},
		{"records, and no room", "moveworks", nil, DiskFull, []*history.Call{result(records)}, CauseStoreFailed},
		{"any text", "trueforge", nil, NoFault, []*history.Call{result(strings.Repeat("x", 24_001))}, CauseOffloaded},
		{"four of 4,000 tokens", "trueforge", nil, NoFault, []*history.Call{result(strings.Repeat("x", 16_000)), result(strings.Repeat("x", 16_000)), result(strings.Repeat("x", 16_000)), result(strings.Repeat("x", 16_000))}, CauseOffloadedCombined},
		{"a long error", "trueforge", nil, NoFault, []*history.Call{failed(strings.Repeat("x", 24_001))}, CauseFailedCall},
		{"off", "trueforge", []string{"enabled=false"}, NoFault, []*history.Call{result(strings.Repeat("x", 24_001))}, CauseDisabled},
		{"no sandbox", "trueforge", []string{"sandbox.enabled=false"}, NoFault, []*history.Call{result(strings.Repeat("x", 24_001))}, CauseStoreFailed},
		{"no result", "moveworks", nil, NoFault, []*history.Call{{}}, CauseNoResult},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := diagnose(t, policy(t, c.policy, c.set...), RunOptions{Fault: c.fault, SkipExact: true}, c.calls...).Cause; got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestAStringOfJSONNamesItsPathItsShareAndWhatParsingItWouldChange(t *testing.T) {
	// 1,000 records of 27 bytes and their brackets in a string of `{"data": "…"}`.
	inner := `[` + strings.Repeat(`{"id": 1001, "open": true},`, 1499) + `{"id": 1001, "open": true}]`
	payload := `{"data": ` + quoted(t, inner) + `}`
	d := diagnose(t, policy(t, "moveworks"), RunOptions{SkipExact: true}, result(payload))
	if d.At == nil || *d.At != (Spot{Path: ".data", Offset: 9, Line: 1, Column: 10}) {
		t.Errorf("at %+v", d.At)
	}
	if want := float64(len(payload)-len(`{"data": }`)) / float64(len(payload)); d.Share != want {
		t.Errorf("share %v, want %v", d.Share, want)
	}
	if d.Distance == nil || *d.Distance != (Distance{To: Offloaded, By: ByParsing, Path: ".data"}) {
		t.Errorf("distance %+v", d.Distance)
	}
	r := d.Repair
	if r == nil || r.Filter != ".data |= fromjson" || r.Verdict != Offloaded {
		t.Fatalf("repair %+v", r)
	}
	if r.Before != float64(len(payload))/4 || r.After <= 0 || r.After > 2500 {
		t.Errorf("tokens before %v, after %v", r.Before, r.After)
	}
}

func TestRepairsFitWhereTheStringsAre(t *testing.T) {
	inner := `{"rows": [` + strings.Repeat(`{"id": 1001, "open": true}, `, 1500) + `{"id": 1}]}`
	for _, c := range []struct{ name, payload, filter string }{
		{"twice encoded", `{"data": ` + quoted(t, quoted(t, inner)) + `}`, ".data |= (fromjson | fromjson)"},
		{"the whole payload", quoted(t, inner), "fromjson"},
		{"a field of every record", `[{"body": ` + quoted(t, inner) + `}, {"body": ` + quoted(t, inner) + `}]`, ".[].body |= fromjson"},
		{"a key that needs quotes", `{"a b": ` + quoted(t, inner) + `}`, `.["a b"] |= fromjson`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := diagnose(t, policy(t, "moveworks"), RunOptions{SkipExact: true}, result(c.payload))
			if d.Repair == nil || d.Repair.Filter != c.filter || d.Repair.Verdict != Offloaded {
				t.Errorf("%s, repair %+v, want %s", d.Cause, d.Repair, c.filter)
			}
		})
	}
}

func TestBrokenJSONSaysWhere(t *testing.T) {
	d := diagnose(t, policy(t, "moveworks"), RunOptions{SkipExact: true}, result("[\n"+strings.Repeat("1,", 20_000)+"\n]"))
	if d.Syntax == nil || d.Syntax.Fault != "trailing-comma" || d.At == nil || d.At.Line != d.Syntax.Line || d.At.Column != d.Syntax.Column {
		t.Errorf("syntax %+v, at %+v", d.Syntax, d.At)
	}
}

func TestDistancesAreInTokens(t *testing.T) {
	for _, c := range []struct {
		payload string
		want    *Distance
	}{
		{numbers(20_000), &Distance{To: Offloaded, By: ByGrowing, Tokens: 2000, Size: 8000, Unit: "bytes"}},  // 5,000 of 7,000
		{numbers(40_000), &Distance{To: Inline, By: ByShrinking, Tokens: 3000, Size: 12_000, Unit: "bytes"}}, // 10,000
		{"words", nil}, // more words would not be structured either
	} {
		got := diagnose(t, policy(t, "moveworks"), RunOptions{SkipExact: true}, result(c.payload)).Distance
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%d bytes: %+v, want %+v", len(c.payload), got, c.want)
		}
	}
}

func TestTheMostSuspiciousComesFirst(t *testing.T) {
	d := func(c Cause, tokens float64) *Diagnosis {
		return &Diagnosis{Cause: c, Outcome: &Outcome{Original: Measure{Tokens: tokens}}}
	}
	list := []*Diagnosis{d(CauseUnderThreshold, 10), d(CausePlaintext, 8000), d(CauseOffloaded, 50_000), d(CausePlaintext, 9000), d(CauseStringifiedJSON, 7001), d(CauseStoreFailed, 7001)}
	slices.SortStableFunc(list, MoreSuspicious)
	var got []string
	for _, x := range list {
		got = append(got, string(x.Cause))
	}
	if want := "store-failed stringified-json plaintext plaintext offloaded under-threshold"; strings.Join(got, " ") != want || list[2].Outcome.Original.Tokens != 9000 {
		t.Errorf("got %s", strings.Join(got, " "))
	}
}
