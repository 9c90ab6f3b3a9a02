package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"floodmark/history"
)

func audited(t *testing.T, p *Policy, conversations ...*history.Conversation) map[string]AuditLine {
	t.Helper()
	a := NewAudit(p)
	for _, c := range conversations {
		if err := a.Add(context.Background(), NewReplayer(c)); err != nil {
			t.Fatal(err)
		}
	}
	lines := map[string]AuditLine{}
	for i, l := range a.Lines() {
		if l.Name != AuditNames[i] || l.Summary == "" || l.Asks == "" {
			t.Errorf("line %d is %q, asks %q, says %q", i+1, l.Name, l.Asks, l.Summary)
		}
		lines[l.Name] = l
	}
	if len(lines) != 7 {
		t.Fatalf("%d lines, the checklist has 7", len(lines))
	}
	return lines
}

// asked is a call with its arguments and what it gave back.
func asked(arguments, text string) *history.Call {
	return &history.Call{Tool: "list_orders", Arguments: history.Of(arguments), Result: &history.Result{Payload: history.Of(text)}}
}

func answers(t *testing.T, lines map[string]AuditLine, want map[string]AuditAnswer) {
	t.Helper()
	for name, answer := range want {
		if got := lines[name]; got.Answer != answer {
			t.Errorf("%s: %s, want %s: %s", name, got.Answer, answer, got.Summary)
		}
	}
}

func TestACallWithoutTheLimitThatOthersHadCouldHaveAskedForLess(t *testing.T) {
	large := numbers(40_000) // 10,000 tokens
	l := audited(t, policy(t, "trueforge"), conversation(asked(`{"limit": 5}`, "[1]"), asked(`{"state": "open"}`, large)))["source"]
	if l.Answer != Fails || l.Figures["without_narrowing"] != 1 || l.Figures["without_narrowing_tokens"] != 10_000 {
		t.Fatalf("%s, %v", l.Answer, l.Figures)
	}
	if len(l.Evidence) != 1 || l.Evidence[0].Call != "call_1" || l.Evidence[0].Detail != "10,000 tokens from a call without limit; 1 of 2 calls had one" {
		t.Errorf("%+v", l.Evidence)
	}
}

func TestWhatNoCallAskedForARecordingCannotTell(t *testing.T) {
	large := numbers(40_000)
	l := audited(t, policy(t, "trueforge"), conversation(asked(`{"state": "open"}`, large)))["source"]
	if l.Answer != CannotTell || !strings.Contains(strings.Join(l.Unknown, " "), "list_orders") {
		t.Errorf("%s: %q", l.Answer, l.Unknown)
	}
	l = audited(t, policy(t, "trueforge"), conversation(asked(`{"q": {"per-page": 100}}`, large)))["source"]
	if l.Answer != Holds {
		t.Errorf("a page of 100 that is large all the same: %s, %s", l.Answer, l.Summary)
	}
	l = audited(t, policy(t, "trueforge"), conversation(asked(`{}`, "[1]")))["source"]
	if l.Answer != Holds || len(l.Evidence) != 0 {
		t.Errorf("nothing large: %s, %s", l.Answer, l.Summary)
	}
}

func TestNarrowingArguments(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"limit": 5, "page": 2}`:               "limit page",
		`{"pageSize": 5, "next_token": "a"}`:    "next_token pageSize",
		`{"limit": null, "fields": []}`:         "",
		`{"params": {"fields": ["id"]}}`:        "fields",
		`{"a": {"b": {"limit": 5}}}`:            "",
		`{"query": "limit 5", "size": "XL"}`:    "",
		`not JSON, limit`:                       "",
		`{"items": [{"limit": 1}], "skip": 10}`: "skip",
	} {
		if got := strings.Join(narrowingArguments(history.Of(arguments)), " "); got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}

func TestTheAuditOfAPolicyWithBothThresholds(t *testing.T) {
	c := conversation(asked(`{"state": "open"}`, numbers(40_000)), asked(`{"state": "new"}`, "[1]"))
	lines := audited(t, policy(t, "trueforge"), c)
	answers(t, lines, map[string]AuditAnswer{"thresholds": Holds, "faults": Holds, "inspection": Holds, "sizes": CannotTell, "privacy": Fails, "authority": Holds})
	f := lines["faults"].Figures
	for name, want := range map[string]float64{"variables": 1, "unwarned": 0, "sandbox-down_variables": 1, "sandbox-down_bytes": 39_800,
		"write-fails_bytes": 39_800, "read-fails_bytes": 39_800, "expired_bytes": 39_800, "disk-full_tokens": 9_950} {
		if f[name] != want {
			t.Errorf("%s is %v, want %v", name, f[name], want)
		}
	}
	s := lines["sizes"].Figures
	if s["original_bytes"] != 40_003 || s["original_tokens"] != 10_000.75 || s["offloaded"] != 1 || s["offloaded_json"] != 1 {
		t.Errorf("%v", s)
	}
	if _, reported := s["reported_input_tokens"]; reported {
		t.Error("nothing was reported")
	}
}

func TestAPolicyWithoutACombinedLimitSaysWhatItLetThrough(t *testing.T) {
	c := conversation(asked(`{}`, strings.Repeat("a", 24_000)), asked(`{}`, strings.Repeat("b", 24_000))) // 6,000 tokens each
	l := audited(t, policy(t, "moveworks"), c)["thresholds"]
	if l.Answer != Fails || l.Figures["batches_unguarded"] != 1 || l.Figures["peak_step_tokens"] != 12_000 || len(l.Evidence) != 1 {
		t.Errorf("%s %v %+v", l.Answer, l.Figures, l.Evidence)
	}
	l = audited(t, policy(t, "trueforge", "enabled=false"), c)["thresholds"]
	if l.Answer != Fails || l.Summary != "The policy is switched off." {
		t.Errorf("%s: %s", l.Answer, l.Summary)
	}
	l = audited(t, policy(t, "trueforge", "sandbox.enabled=false"), c)["thresholds"]
	if l.Answer != Fails || !strings.Contains(l.Summary, "sandbox is off") {
		t.Errorf("%s: %s", l.Answer, l.Summary)
	}
}

func TestWhereNothingIsKeptARecordingCannotTell(t *testing.T) {
	lines := audited(t, policy(t, "none"), conversation(asked(`{}`, numbers(40_000))))
	answers(t, lines, map[string]AuditAnswer{"faults": CannotTell, "inspection": CannotTell, "privacy": CannotTell, "authority": CannotTell})
}

func TestALossWithoutAWarningFailsTheFaultLine(t *testing.T) {
	l := audited(t, policy(t, "trueforge", "package.on_loss=truncate"), conversation(asked(`{}`, numbers(40_000))))["faults"]
	if l.Answer != Fails || l.Figures["unwarned"] != 3 { // sandbox-down, write-fails, disk-full
		t.Errorf("%s %v: %s", l.Answer, l.Figures["unwarned"], l.Summary)
	}
}

func TestAResultOfNobodysCallHasNoSource(t *testing.T) {
	orphan := asked("", numbers(40_000))
	orphan.Flags = history.OrphanResult
	l := audited(t, policy(t, "trueforge"), conversation(orphan, asked(`{"state": "open"}`, numbers(40_000))))["authority"]
	if l.Answer != Fails || l.Figures["kept"] != 2 || l.Figures["named"] != 1 || len(l.Evidence) != 1 {
		t.Errorf("%s %v %+v", l.Answer, l.Figures, l.Evidence)
	}
}

func TestOnlyTheWeightiestEvidenceIsKept(t *testing.T) {
	var l evidenceList
	for _, w := range []float64{3, 9, 1, 7, 5, 8, 2} {
		l.add(Evidence{weight: w})
	}
	var got []float64
	for _, e := range l.kept {
		got = append(got, e.weight)
	}
	if len(got) != 5 || got[0] != 9 || got[4] != 3 || l.more != 2 {
		t.Errorf("%v, %d more", got, l.more)
	}
}

func TestOlderVariablesAndUnusedResultsAreCounted(t *testing.T) {
	list := func(first, n int) string {
		rows := make([]string, n)
		for i := range rows {
			rows[i] = fmt.Sprintf(`{"id":"ORD-%05d","total":%d}`, first+i, 7*i+first)
		}
		return "[" + strings.Join(rows, ",") + "]"
	}
	most := asked(`{"state": "all"}`, list(10_000, 700)) // under 6,000 tokens: it enters whole
	steps := []*history.Step{
		{Number: 1, Calls: []*history.Call{asked(`{"state": "open"}`, list(10_000, 1000))}},
		{Number: 2, Calls: []*history.Call{asked(`{"state": "open"}`, list(30_000, 1000))}},
		{Number: 3, Calls: []*history.Call{{Tool: "get_order", Arguments: history.Of(`{"order": "ORD-10001"}`), Result: &history.Result{Payload: history.Of(`{"state":"held"}`)}}}},
		{Number: 4, Calls: []*history.Call{most}},
	}
	most.Tool = "read_lines"
	order := 0
	for _, s := range steps {
		for _, c := range s.Calls {
			c.Order, c.ID = order, fmt.Sprint("call_", order)
			order++
		}
	}
	c := conversation()
	c.Threads[0].Turns[0].Steps = steps
	lines := audited(t, policy(t, "trueforge"), c)
	if f := lines["authority"].Figures; f["superseded"] != 1 || f["ungrounded"] != 0 {
		t.Errorf("%v", f)
	}
	if f := lines["source"].Figures; f["large_results"] != 2 || f["large_unused"] != 1 { // the first gave ORD-10001
		t.Errorf("%v", f)
	}
	// 700 of the first one's 1,000 rows come back, 23,101 characters of 32 a row. They stand in nothing of the newer variable.
	l := lines["inspection"]
	if l.Answer != Fails || l.Figures["rereads"] != 1 || l.Figures["offloaded"] != 2 || l.Figures["reread_tokens"] != 5_775.25 {
		t.Errorf("%s %v: %s", l.Answer, l.Figures, l.Summary)
	}
	if len(l.Evidence) != 1 || l.Evidence[0].Call != "call_3" || !strings.HasPrefix(l.Evidence[0].Detail, "reread: 70 % of the payload of $list_orders_1 came back, ") {
		t.Errorf("%+v", l.Evidence)
	}
}
