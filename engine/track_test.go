package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"floodmark/history"
)

func TestAValueIsFoundWhereItStandsAlone(t *testing.T) {
	for _, c := range []struct {
		value, text string
		at          int // -1: nowhere
	}{
		{"ACC-10", `{"id":"ACC-10"}`, 7},
		{"ACC-10", `ACC-101`, -1},
		{"ACC-10", `ACC-10-B`, -1},
		{"ACC-10", `X-ACC-10`, -1},
		{"412.5", `[412.50]`, -1},
		{"412", `[412.50]`, -1},
		{"412", `[-412]`, -1},
		{"mia_li_3668", "My id is mia_li_3668.", 9},
		{"ACC-10", `{"t":"a\nACC-10"}`, 9},
		{"ACC-10", `{"d":"{\"id\":\"ACC-10\"}"}`, 16},
		{"a/b/c", `{"d":"a\/b\/c"}`, 6},
		{"W123", "订单W123号", 6},
		{"W123", "éW123", -1},
		{"reservation-10", "the reservation-10", 4},
	} {
		m, got := newMatcher(), -1
		m.add(c.value, 0)
		m.find([]byte(c.text), func(_, at, _ int) { got = at })
		if got != c.at {
			t.Errorf("%s in %s: at %d, want %d", c.value, c.text, got, c.at)
		}
	}
}

func TestWhatLooksLikeAnID(t *testing.T) {
	for _, c := range []struct {
		key, text string
		number    bool
		want      bool
	}{
		{"account", "ACC-10239", false, true}, {"user_id", "mia_li_3668", false, true}, {"flight", "HAT069", false, true},
		{"reservation", "4WQCGM", false, true}, {"order_id", "a7", false, false}, {"order_id", "ab7", false, true}, {"to", "a.b@example.com", false, true},
		{"id", "10293", true, true}, {"amount", "10293", true, false}, {"amount", "5000000", true, false}, {"employee", "8123457", true, true},
		{"x", "2024-05-20", false, false}, {"x", "sha256", false, false}, {"x", "1.2.345", false, false}, {"x", "src/a123.go", false, false},
		{"date", "ACC-10239", false, false}, {"command", "ab1234", false, false}, {"x", "economy", false, false}, {"x", "JFK", false, false},
		{"x", "true", false, false}, {"id", "12", true, false},
	} {
		if got := idLike(c.key, c.text, c.number); got != c.want {
			t.Errorf("%s: %s is an id: %v, want %v", c.key, c.text, got, c.want)
		}
	}
}

// tracked replays a chat whose prompt is given, of calls as arguments and result in turn.
func tracked(t *testing.T, p *Policy, prompt string, calls ...[2]string) *Run {
	t.Helper()
	quote := func(s string) string { return string(appendQuoted(nil, s)) }
	var b strings.Builder
	b.WriteString(`[{"role":"user","content":` + quote(prompt) + `}`)
	for i, c := range calls {
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"get","arguments":%s}}]},{"role":"tool","tool_call_id":"c%d","content":%s}`,
			i+1, quote(c[0]), i+1, quote(c[1]))
	}
	b.WriteString("]")
	rec, err := history.Read(context.Background(), "-", strings.NewReader(b.String()), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := NewReplayer(rec.Conversations[0]).Run(context.Background(), p, RunOptions{SkipExact: true, Track: true})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// moveworksWith is moveworks with changes.
func moveworksWith(t *testing.T, changes ...string) *Policy {
	t.Helper()
	p, err := Load("moveworks")
	if err == nil && len(changes) > 0 {
		p, err = p.Set(changes...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEachArgumentIsTracedToWhereItStoodFirst(t *testing.T) {
	records := `{"rows":[{"id":"R-1001","sum":412.50},{"id":"R-1002","sum":99.75},{"id":"R-1003","sum":7.25}]}`
	for _, c := range []struct {
		name, args string
		ground     Ground
		near       string
		warning    string
	}{
		{"the prompt has it", `{"id":"C-777"}`, FromWords, "", ""},
		{"a result has it", `{"id":"R-1002"}`, FromResult, "", ""},
		{"an earlier call had it", `{"name":"start here"}`, FromArgument, "", ""},
		{"in capitals", `{"id":"r-1002"}`, Loosely, "case", ""},
		{"with another mark", `{"id":"#R1002"}`, Loosely, "marks", ""},
		{"the first two digits exchanged", `{"id":"R-0102"}`, Ungrounded, "transposed", "ungrounded"},
		{"a neighbour exchanged", `{"id":"R-1020"}`, Ungrounded, "transposed", "ungrounded"},
		{"one digit another", `{"id":"R-1009"}`, Ungrounded, "one-edit", "ungrounded"},
		{"nothing like it", `{"id":"ZZ-4711"}`, Ungrounded, "", "ungrounded"},
		{"a short one", `{"id":7}`, TrivialGround, "", ""},
		{"a word", `{"state":"open orders"}`, Ungrounded, "", ""},
		{"the sum of another record", `{"id":"R-1001","sum":99.75}`, FromResult, "", "mixed-records"},
		{"the sum of its record", `{"id":"R-1001","sum":412.50}`, FromResult, "", ""},
	} {
		run := tracked(t, moveworksWith(t), "Look at C-777.", [2]string{`{"name":"start here"}`, records}, [2]string{c.args, "{}"})
		a := run.Tracking.Of(run.Outcomes[1].Call)[0]
		near := ""
		if len(a.Near) > 0 {
			near = string(a.Near[0].Kind)
		}
		codes := ""
		for _, w := range run.Outcomes[1].Warnings {
			codes += w.Code
		}
		if a.Ground != c.ground || near != c.near || codes != c.warning {
			t.Errorf("%s: ground %s, near %q, warned %q; want %s, %q, %q", c.name, a.Ground, near, codes, c.ground, c.near, c.warning)
		}
	}
	run := tracked(t, moveworksWith(t), "Look.", [2]string{`{}`, records}, [2]string{`{"id":"R-1002"}`, "{}"})
	p := run.Tracking.Arguments[0].First
	if p.Path != ".rows[1].id" || p.Record != 1 || p.Offset != 45 || !p.Visible {
		t.Errorf("%+v", *p)
	}
}

// trackedRows are n records of JSON with values that stand nowhere else.
func trackedRows(from, n int) []string {
	var list []string
	for i := from; i < from+n; i++ {
		list = append(list, fmt.Sprintf(`{"id":"ROW-%05d","note":"note number %d of all","sum":%d.25}`, i, i*7919, 1000+i*31))
	}
	return list
}

func TestAValueOfAnOffloadedPayloadMayBeOutOfSight(t *testing.T) {
	list := "[" + strings.Join(trackedRows(0, 600), ",") + "]"
	run := tracked(t, moveworksWith(t), "Look.", [2]string{`{}`, list}, [2]string{`{"a_id":"ROW-00001","b_id":"ROW-00500"}`, "{}"})
	if run.Outcomes[0].Verdict != Offloaded {
		t.Fatal(run.Outcomes[0].Verdict)
	}
	a, b := run.Tracking.Arguments[0], run.Tracking.Arguments[1]
	if a.Ground != FromResult || a.Seen == nil || b.Ground != FromResult || b.Seen != nil || b.First.Path != ".[500].id" {
		t.Errorf("%s seen %v; %s seen %v at %s", a.Ground, a.Seen != nil, b.Ground, b.Seen != nil, b.First.Path)
	}
}

func TestWhatComesBackIsAReread(t *testing.T) {
	all := trackedRows(0, 450)
	list := "[" + strings.Join(all, ",") + "]"
	var numbered, indented strings.Builder
	for i, r := range all[:300] {
		fmt.Fprintf(&numbered, "%6d\t%s\n", i+1, r)
		indented.WriteString(strings.NewReplacer(",", ",\n  ", "{", "{\n  ").Replace(r) + ",\n")
	}
	for _, c := range []struct {
		name, text string
		low, high  float64
		warned     bool
	}{
		{"two thirds with line numbers", numbered.String(), 0.6, 0.72, true},
		{"two thirds, indented", "[" + strings.TrimSuffix(indented.String(), ",\n") + "]", 0.6, 0.72, true},
		{"two thirds of the values in other keys", strings.ReplaceAll("["+strings.Join(all[:300], ",")+"]", `"note"`, `"n"`), 0.6, 0.72, true},
		{"a third", "[" + strings.Join(all[:150], ",") + "]", 0.28, 0.38, false},
		{"other records of the same form", "[" + strings.Join(trackedRows(5000, 300), ",") + "]", 0, 0, false},
	} {
		run := tracked(t, moveworksWith(t), "Look.", [2]string{`{}`, list}, [2]string{`{"x":1}`, c.text})
		share, warned := 0.0, false
		for _, r := range run.Tracking.Rereads {
			share = r.Share
		}
		for _, w := range run.Outcomes[1].Warnings {
			warned = warned || w.Code == WarnReread
		}
		if run.Outcomes[0].Verdict != Offloaded || run.Outcomes[1].Verdict != Inline || share < c.low || share > c.high || warned != c.warned {
			t.Errorf("%s: %s, %s, share %.3f, warned %v", c.name, run.Outcomes[0].Verdict, run.Outcomes[1].Verdict, share, warned)
		}
	}
}

func TestTwoPartsTogetherAreAReread(t *testing.T) {
	all := trackedRows(0, 450)
	part := func(a, b int) string { return "[" + strings.Join(all[a:b], ",") + "]" }
	run := tracked(t, moveworksWith(t), "Look.", [2]string{`{}`, part(0, 450)}, [2]string{`{"x":1}`, part(0, 150)}, [2]string{`{"x":2}`, part(150, 300)})
	var most []bool
	for _, r := range run.Tracking.Rereads {
		most = append(most, r.Most)
	}
	if len(most) != 2 || most[0] || !most[1] {
		t.Errorf("%v", most)
	}
}

func TestEqualArgumentsAreEqualJSON(t *testing.T) {
	same := equalArguments([]byte(`{"a":1,"b":"é","c":[1,2]}`))
	for text, want := range map[string]bool{
		`{ "b":"\u00e9", "a":1.0, "c":[1, 2]}`: true, `{"a":1,"b":"é","c":[2,1]}`: false, `{"a":1,"b":"é","c":[1,2],"d":true}`: false, `{"a":"1","b":"é","c":[1,2]}`: false,
	} {
		if (equalArguments([]byte(text)) == same) != want {
			t.Errorf("%s: the same is %v, want %v", text, !want, want)
		}
	}
}

func TestTheOldestVariableIsEvictedFirst(t *testing.T) {
	list := "[" + strings.Join(trackedRows(0, 450), ",") + "]"
	other := "[" + strings.Join(trackedRows(9000, 450), ",") + "]"
	for change, want := range map[string]bool{"retention.count=1": true, "retention.count=2": false, "retention.bytes=40000": true, "retention.bytes=200000": false} {
		run := tracked(t, moveworksWith(t, change), "Look.", [2]string{`{"x":1}`, list}, [2]string{`{"x":2}`, other}, [2]string{`{"variable":"get_1"}`, "{}"})
		got := false
		for _, w := range run.Outcomes[0].Warnings {
			got = got || w.Code == WarnExpired
		}
		if len(run.Tracking.References) != 1 || run.Tracking.References[0].How != "argument" || got != want {
			t.Errorf("%s: %+v, expired %v, want %v", change, run.Tracking.References, got, want)
		}
	}
}
