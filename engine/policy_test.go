package engine

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// builtinPolicy loads a built-in policy that is known to be there.
func builtinPolicy(t *testing.T, name string) *Policy {
	t.Helper()
	p, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fieldOf returns the value at a dotted name of p's document.
func fieldOf(t *testing.T, p *Policy, name string) any {
	t.Helper()
	var doc any
	if err := json.Unmarshal(p.Document(), &doc); err != nil {
		t.Fatal(err)
	}
	for _, key := range strings.Split(name, ".") {
		object, ok := doc.(map[string]any)
		if !ok {
			t.Fatalf("there is no %s in the document", name)
		}
		if doc, ok = object[key]; !ok {
			t.Fatalf("there is no %s in the document", name)
		}
	}
	return doc
}

func TestBuiltinPoliciesHaveTheDocumentedNumbers(t *testing.T) {
	if got, want := Builtin()[:3], []string{"moveworks", "trueforge", "none"}; !slices.Equal(got, want) {
		t.Fatalf("the first that are built in are %v, want %v", got, want)
	}
	moveworks, trueforge, none := builtinPolicy(t, "moveworks"), builtinPolicy(t, "trueforge"), builtinPolicy(t, "none")
	for _, c := range []struct {
		field                      string
		moveworks, trueforge, none any
	}{
		{"name", "moveworks", "trueforge", "none"},
		{"fixed", true, false, false},
		{"enabled", true, true, true},
		{"estimator", "bytes/4", "utf16/4", "bytes/4"},
		{"boundary", "exceeds", "exceeds", "exceeds"},
		{"limits.per_result", 7000.0, 6000.0, nil},
		{"limits.combined", nil, 10000.0, nil},
		{"limits.hard_bytes", 100_000_000.0, nil, nil},
		{"structured.only", true, false, false},
		{"structured.max_string_share", 0.5, 0.5, 0.5},
		{"preview.kind", "records", "head-tail", "records"},
		{"preview.records", 3.0, 3.0, 3.0},
		{"preview.string_chars", 200.0, 200.0, 200.0},
		{"preview.inner_items", 3.0, 3.0, 3.0},
		{"preview.budget", 1000.0, 1000.0, 1000.0},
		{"preview.head_chars", 100.0, 100.0, 100.0},
		{"preview.tail_chars", 100.0, 100.0, 100.0},
		{"preview.redact", false, false, false},
		{"schema.budget", 1000.0, 0.0, 1000.0},
		{"schema.map_keys", 64.0, 64.0, 64.0},
		{"errors.truncate_chars", nil, 500.0, nil},
		{"sandbox.required", false, true, false},
		{"sandbox.enabled", true, true, true},
		{"sandbox.tools", []any{}, []any{"exec"}, []any{}},
		{"package.reference", "variable", "file", "variable"},
		{"package.path", "tool-results/NAME.txt", "tool-results/NAME.txt", "tool-results/NAME.txt"},
		{"package.notice_chars", 0.0, 400.0, 0.0},
		{"package.must_shrink", false, false, false},
		{"instructions.key", "display_instructions_for_model", "", ""},
		{"unwrap.mcp", "text", "structured", "text"},
		{"unwrap.join", "", "\n", ""},
		{"retention.seconds", 0.0, 0.0, 0.0},
		{"retention.count", 0.0, 0.0, 0.0},
		{"retention.bytes", 0.0, 0.0, 0.0},
		{"overrides", []any{}, []any{}, []any{}},
	} {
		for _, p := range []struct {
			policy *Policy
			want   any
		}{{moveworks, c.moveworks}, {trueforge, c.trueforge}, {none, c.none}} {
			if got := fieldOf(t, p.policy, c.field); !reflect.DeepEqual(got, p.want) {
				t.Errorf("%s of %s is %v, want %v", c.field, p.policy.Name, got, p.want)
			}
		}
	}
}

var updatePolicies = flag.Bool("update", false, "write the built-in documents as policies are written")

// A field that no source names has its default, and the schema says so.
func TestBuiltinDocumentsWriteEveryFieldAndCiteEveryDecision(t *testing.T) {
	defaults, err := Parse([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Builtin() {
		file, err := os.ReadFile("policies/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		p := builtinPolicy(t, name)
		if p.Name != name {
			t.Errorf("policies/%s.json is called %q", name, p.Name)
		}
		if *updatePolicies {
			if err := os.WriteFile("policies/"+name+".json", p.Document(), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(file, p.Document()) {
			t.Errorf("policies/%s.json is not written as policies are: all fields, in their order (go test ./engine -run BuiltinDocuments -update)", name)
		}
		if len(p.Changed) > 0 {
			t.Errorf("%s differs from itself in %v", name, p.Changed)
		}
		cited := map[string]bool{}
		for _, s := range p.Sources {
			for _, f := range s.Fields {
				cited[f] = true
			}
		}
		for _, f := range documentField().names("", false) {
			object, _, _ := strings.Cut(f, ".")
			if f == "labels" && len(p.Labels) == 0 {
				continue // a user's own: no document without them names them
			}
			if !cited[f] && !cited[object] && f != "name" && f != "title" && f != "sources" && f != "notes" &&
				!reflect.DeepEqual(fieldOf(t, p, f), fieldOf(t, defaults, f)) {
				t.Errorf("%s does not say where %s comes from", name, f)
			}
		}
	}
}

func TestEveryFieldHasADefault(t *testing.T) {
	p, err := Parse([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "custom" {
		t.Errorf("a document without a name is called %q, want custom", p.Name)
	}
	// An empty document is the policy none under another name: no limits, though it would offload.
	none := builtinPolicy(t, "none")
	p.Name, p.Title, p.Sources, p.Strategy = none.Name, none.Title, none.Sources, none.Strategy
	if !reflect.DeepEqual(p, none) {
		t.Errorf("the defaults are\n%s\nwant\n%s", p.Document(), none.Document())
	}
}

func TestParseKeepsWhatItIsGiven(t *testing.T) {
	p, err := Parse([]byte(`{"name": "mine", "limits": {"per_result": 4000.5, "hard_bytes": 1e6},
		"errors": {"truncate_chars": 0}, "sandbox": {"tools": ["exec", "bash"]}, "retention": {"seconds": 86400},
		"overrides": [{"role": "subagent", "per_result": 12000}, {"tool": "read_file", "per_result": null}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if *p.Limits.PerResult != 4000.5 || *p.Limits.HardBytes != 1_000_000 || p.Limits.Combined != nil {
		t.Errorf("limits are %s", p.Document())
	}
	if *p.Errors.TruncateChars != 0 || !slices.Equal(p.Sandbox.Tools, []string{"exec", "bash"}) || p.Retention.Seconds != 86400 {
		t.Errorf("the document is %s", p.Document())
	}
	if p.Preview.Records != 3 || p.Structured.MaxStringShare != 0.5 {
		t.Errorf("fields beside those given lost their defaults: %s", p.Document())
	}
	again, err := Parse(p.Document())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(p, again) || !bytes.Equal(p.Document(), again.Document()) {
		t.Errorf("the document\n%s\nis read back as\n%s", p.Document(), again.Document())
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		// the document
		{``, "the policy document is empty"},
		{` `, "the policy document is empty"},
		{"\xff", "the policy document is not UTF-8"},
		{"{\n \"name\": 'x'}", "line 2: the policy document is not JSON: invalid character '\\'' looking for beginning of value"},
		{`{} {}`, "line 1: the policy document is not JSON: invalid character '{' after top-level value"},
		{`[]`, "line 1: the policy document takes an object, not a list"},
		{`null`, "line 1: the policy document takes an object, not null"},
		// names
		{`{"limit": {}}`, "line 1: limit is not a field of a policy; the nearest is limits"},
		{`{"per_result": 1}`, "line 1: per_result is not a field of a policy; the nearest is limits.per_result"},
		{"{\"limits\":\n{\"per_reslut\": 1}}", "line 2: limits.per_reslut is not a field of a policy; the nearest is limits.per_result"},
		{`{"schema": {"buget": 1}}`, "line 1: schema.buget is not a field of a policy; the nearest is schema.budget"},
		{`{"Estimator": "bytes/4"}`, "line 1: Estimator is not a field of a policy; the nearest is estimator"},
		{`{"overrides": [{"rol": "root"}]}`, "line 1: overrides[0].rol is not a field of a policy; the nearest is overrides[0].role"},
		{`{"name": "a", "name": "b"}`, "line 1: name is given twice"},
		{`{"limits": {"combined": 1, "combined": 1}}`, "line 1: limits.combined is given twice"},
		// types
		{`{"enabled": "yes"}`, "line 1: enabled takes true or false, not a string"},
		{`{"enabled": null}`, "line 1: enabled takes true or false, not null"},
		{`{"limits": {"per_result": "4000"}}`, "line 1: limits.per_result takes a number from 0 or null, not a string"},
		{`{"limits": []}`, "line 1: limits takes an object, not a list"},
		{`{"limits": {"hard_bytes": 1.5}}`, "line 1: limits.hard_bytes takes a whole number from 0 or null, not 1.5"},
		{`{"sandbox": {"tools": ["exec", 1]}}`, "line 1: sandbox.tools[1] takes a string, not 1"},
		{`{"name": ""}`, "line 1: name is empty"},
		{`{"sources": [{"fields": ["name"], "from": "me"}]}`, "line 1: sources[0] lacks status"},
		{`{"sources": [{"fields": [], "from": "me", "status": "ours", "date": "today"}]}`, "line 1: sources[0].date does not look like ^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
		// values
		{`{"limits": {"per_result": -1}}`, "line 1: limits.per_result takes a number from 0 or null, not -1"},
		{`{"limits": {"per_result": 1e999}}`, "line 1: limits.per_result takes a number from 0 or null, not 1e999"},
		{`{"preview": {"head_chars": -1}}`, "line 1: preview.head_chars takes a whole number from 0, not -1"},
		{`{"preview": {"records": 0}}`, "line 1: preview.records takes a whole number from 1, not 0"},
		{`{"structured": {"max_string_share": 0}}`, "line 1: structured.max_string_share takes a number over 0 and up to 1, not 0"},
		{`{"structured": {"max_string_share": 1.01}}`, "line 1: structured.max_string_share takes a number over 0 and up to 1, not 1.01"},
		{`{"estimator": "bytes/5"}`, `line 1: estimator takes one of bytes/4, chars/4, utf16/4, o200k_base, cl100k_base, ceil(bytes/4), ceil(chars/4), not "bytes/5"`},
		{`{"boundary": "over"}`, `line 1: boundary takes one of exceeds, reaches, not "over"`},
		{`{"preview": {"kind": "lines"}}`, `line 1: preview.kind takes one of records, head-tail, none, cut, whole-lines, end-lines, not "lines"`},
		{`{"package": {"reference": "url"}}`, `line 1: package.reference takes one of variable, file, not "url"`},
		{`{"unwrap": {"mcp": "both"}}`, `line 1: unwrap.mcp takes one of text, structured, not "both"`},
		{`{"overrides": [{"role": "leaf", "per_result": 1}]}`, `line 1: overrides[0].role takes one of root, subagent, not "leaf"`},
		// fields among themselves
		{`{"limits": {"per_result": 12000, "combined": 10000}}`, "limits.per_result 12000 is over limits.combined 10000"},
		{`{"limits": {"per_result": 6000, "combined": 10000}, "overrides": [{"role": "subagent", "per_result": 12000}]}`,
			"overrides lead to a per_result that can't decide: for role subagent 12000 is over limits.combined 10000"},
		{`{"limits": {"per_result": 6000, "combined": 10000}, "overrides": [{"tool": "search", "per_result": 8000}, {"agent": "scout", "combined": 7000}]}`,
			"overrides lead to a per_result that can't decide: for role root, agent scout, tool search 8000 is over limits.combined 7000"},
		{`{"overrides": [{"per_result": 1}]}`, "overrides[0] selects nothing"},
		{`{"overrides": [{"role": "root"}]}`, "overrides[0] changes nothing"},
		{`{"overrides": [{"tool": "search", "combined": 1}]}`, "overrides[0].combined can't be given for a tool: a batch has results of several"},
		{`{"limits": {"per_result": 12000, "combined": 10000, "combined_rule": "equal", "combined_unit": "bytes"}}`, "limits.combined_unit bytes is not limits.unit tokens, as equal shares need"},
		{`{"preview": {"head_share": 1.5}}`, "line 1: preview.head_share takes a number from 0 to 1, not 1.5"},
		{`{"limits": {"combined_unit": "lines"}}`, `line 1: limits.combined_unit takes one of tokens, bytes, chars, utf16, not "lines"`},
		{`{"strategy": "summarise"}`, `line 1: strategy takes one of offload, truncate, preview-only, reject, clear, inline, not "summarise"`},
		{`{"package": {"reference": "file", "path": "out.txt"}}`, "package.path lacks NAME, so that all files would have one path"},
		// 8 of "Kept in" and its line break, 13 of "tool-results/", 51 of the name, 4 of ".txt"
		{`{"package": {"reference": "file", "notice_chars": 75}}`, "package.notice_chars 75 has no room for the path, which with the longest name needs 76"},
		{`{"sources": [{"fields": ["limits.per_call"], "from": "me", "status": "ours"}]}`,
			`sources[0].fields names "limits.per_call", which is not a field of a policy; the nearest is limits.per_result`},
	} {
		_, err := Parse([]byte(c.doc))
		if err == nil {
			t.Errorf("%s is taken, want: %s", c.doc, c.want)
		} else if e, ok := err.(*PolicyError); !ok || e.Error() != c.want {
			t.Errorf("%s\n got: %v\nwant: %s", c.doc, err, c.want)
		}
	}
}

func TestErrorNamesTheFile(t *testing.T) {
	e := &PolicyError{File: "mine.json", Line: 3, Field: "limits.per_result", Reason: "is given twice"}
	if got, want := e.Error(), "mine.json: line 3: limits.per_result is given twice"; got != want {
		t.Errorf("the error reads %q, want %q", got, want)
	}
}

func TestEqualThresholdsAreTaken(t *testing.T) {
	if _, err := Parse([]byte(`{"limits": {"per_result": 10000, "combined": 10000}}`)); err != nil {
		t.Error(err)
	}
}

func TestLoadNamesWhatIsBuiltIn(t *testing.T) {
	_, err := Load("truforge")
	e, ok := err.(*PolicyError)
	if !ok || !strings.HasPrefix(e.Error(), `policy "truforge" is not built in; there are moveworks, trueforge, none`) ||
		e.Hint != "the nearest is trueforge; a file of your own is given by its path" {
		t.Errorf("the error is %#v", err)
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct {
		policy  string
		changes []string
		field   string
		want    any
		differs []string
	}{
		{"moveworks", []string{"limits.per_result=4000"}, "limits.per_result", 4000.0, []string{"limits.per_result"}},
		{"moveworks", []string{"limits.per_result=7000"}, "limits.per_result", 7000.0, nil},
		{"moveworks", []string{"limits.per_result=7000.0"}, "limits.per_result", 7000.0, nil},
		{"moveworks", []string{"limits.per_result=1", "limits.per_result=2"}, "limits.per_result", 2.0, []string{"limits.per_result"}},
		{"trueforge", []string{"limits.combined=null"}, "limits.combined", nil, []string{"limits.combined"}},
		// Together they are fine; the first alone would be refused.
		{"trueforge", []string{"limits.per_result=12000", "limits.combined=20000"}, "limits.combined", 20000.0, []string{"limits.combined", "limits.per_result"}},
		{"trueforge", []string{"boundary=reaches"}, "boundary", "reaches", []string{"boundary"}},
		{"trueforge", []string{`boundary="reaches"`}, "boundary", "reaches", []string{"boundary"}},
		{"trueforge", []string{"estimator=bytes/4"}, "estimator", "bytes/4", []string{"estimator"}},
		{"trueforge", []string{`sandbox.tools=["exec","bash"]`}, "sandbox.tools", []any{"exec", "bash"}, []string{"sandbox.tools"}},
		{"trueforge", []string{"enabled=false"}, "enabled", false, []string{"enabled"}},
		{"trueforge", []string{`unwrap.join="\n\n"`}, "unwrap.join", "\n\n", []string{"unwrap.join"}},
		{"trueforge", []string{"unwrap.join="}, "unwrap.join", "", []string{"unwrap.join"}},
		{"none", []string{"instructions.key=null"}, "instructions.key", "null", []string{"instructions.key"}},
		{"none", []string{"instructions.key=a=b"}, "instructions.key", "a=b", []string{"instructions.key"}},
		{"none", []string{`retention={"seconds":3600}`, "retention.count=5"}, "retention", map[string]any{"seconds": 3600.0, "count": 5.0, "bytes": 0.0},
			[]string{"retention.count", "retention.seconds"}},
		{"none", []string{"title=Mine"}, "title", "Mine", nil},
		{"moveworks", []string{"name=mine", "limits.per_result=1"}, "name", "mine", nil},
		{"none", nil, "name", "none", nil},
	} {
		p := builtinPolicy(t, c.policy)
		before := string(p.Document())
		q, err := p.Set(c.changes...)
		if err != nil {
			t.Errorf("%s with %q: %v", c.policy, c.changes, err)
			continue
		}
		if got := fieldOf(t, q, c.field); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s with %q: %s is %v, want %v", c.policy, c.changes, c.field, got, c.want)
		}
		if !slices.Equal(q.Changed, c.differs) {
			t.Errorf("%s with %q differs in %v, want %v", c.policy, c.changes, q.Changed, c.differs)
		}
		var whatIf []string
		if c.policy == "moveworks" { // the only one whose users can't change it
			whatIf = c.differs
		}
		if !slices.Equal(q.WhatIf, whatIf) {
			t.Errorf("%s with %q is a what if in %v, want %v", c.policy, c.changes, q.WhatIf, whatIf)
		}
		if string(p.Document()) != before {
			t.Errorf("setting %q changed the policy itself", c.changes)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for _, c := range []struct{ change, want string }{
		{"limits.per_result", `the policy document is changed by key=value, not by "limits.per_result"`},
		{"=1", `the policy document is changed by key=value, not by "=1"`},
		{"limits.per_result=", "limits.per_result takes a number from 0 or null, not a string"},
		{"limits.per_result=4_000", "limits.per_result takes a number from 0 or null, not a string"},
		{"limits.per_result=4,000", "limits.per_result takes a number from 0 or null, not a string"},
		{"limits.per_result=12000", "limits.per_result 12000 is over limits.combined 10000"},
		{"limits.per_rseult=1", "limits.per_rseult is not a field of a policy; the nearest is limits.per_result"},
		{"boundary=over", `boundary takes one of exceeds, reaches, not "over"`},
		{"boundary=1", `boundary takes one of exceeds, reaches, not "1"`},
		{"boundary.x=1", "boundary takes one of exceeds, reaches, not an object"},
		{"limits=4000", "limits takes an object, not 4000"},
		{"sandbox.tools=exec", "sandbox.tools takes a list, not a string"},
		{`sandbox.tools=["exec",""]`, "sandbox.tools[1] is empty"},
		{".=1", " is not a field"},
	} {
		_, err := builtinPolicy(t, "trueforge").Set(c.change)
		if err == nil || !strings.Contains(err.Error(), c.want) || c.change != ".=1" && err.Error() != c.want {
			t.Errorf("%q\n got: %v\nwant: %s", c.change, err, c.want)
		}
	}
}

func TestAFixedPolicyStaysAWhatIfWhereTheDocumentSaysItIsNotFixed(t *testing.T) {
	p := policy(t, "moveworks", "fixed=false")
	if want := []string{"fixed"}; !slices.Equal(p.WhatIf, want) {
		t.Errorf("it is a what if in %v, want %v", p.WhatIf, want)
	}
}

func TestAUsersDocumentOfABuiltinNameIsAWhatIf(t *testing.T) {
	p, err := Parse([]byte(strings.Replace(string(builtinPolicy(t, "moveworks").Document()), `"per_result": 7000`, `"per_result": 9000`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"limits.per_result"}; !slices.Equal(p.WhatIf, want) {
		t.Errorf("it is a what if in %v, want %v", p.WhatIf, want)
	}
}

func TestTheNarrowestOverrideWins(t *testing.T) {
	p, err := Parse([]byte(`{"limits": {"per_result": 6000, "combined": 30000}, "overrides": [
		{"tool": "search", "per_result": 3000},
		{"agent": "scout", "per_result": 9000},
		{"role": "subagent", "per_result": 12000, "combined": 20000},
		{"role": "subagent", "tool": "search", "per_result": 4000},
		{"tool": "read", "per_result": 1000},
		{"tool": "read", "per_result": null}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		role, agent, tool   string
		perResult, combined float64 // -1 is none
	}{
		{"root", "", "list", 6000, 30000},
		{"root", "", "search", 3000, 30000},
		{"subagent", "", "list", 12000, 20000},
		{"subagent", "scout", "list", 9000, 20000},
		{"subagent", "scout", "search", 4000, 20000},
		{"root", "", "read", -1, 30000}, // the later of equals
		{"subagent", "", "", 12000, 20000},
	} {
		l := p.LimitsFor(c.role, c.agent, c.tool)
		if limitOrNone(l.PerResult) != c.perResult || limitOrNone(l.Combined) != c.combined {
			t.Errorf("%s %s %s has %v and %v, want %v and %v", c.role, c.agent, c.tool,
				limitOrNone(l.PerResult), limitOrNone(l.Combined), c.perResult, c.combined)
		}
	}
}

func limitOrNone(limit *float64) float64 {
	if limit == nil {
		return -1
	}
	return *limit
}

func TestNothingLoadsAVocabularyBeforeItIsNeeded(t *testing.T) {
	if os.Getenv("FLOODMARK_FRESH") == "" {
		t.Skip("runs in a process of its own, see TestVocabulariesAreLazy")
	}
	for _, name := range Builtin() {
		builtinPolicy(t, name)
	}
	if _, err := Parse([]byte(`{"estimator": "o200k_base"}`)); err != nil {
		t.Fatal(err)
	}
	text := bytes.Repeat([]byte("flood "), 10)
	for _, e := range []Estimator{Bytes4, Chars4, UTF164} {
		e.Of(text)
	}
	O200kBase.Over(text, 60, false) // 60 bytes can't be over 60 tokens
	if n := vocabularies.Load(); n != 0 {
		t.Errorf("%d vocabularies are loaded, want none", n)
	}
	O200kBase.Of(text)
	if n := vocabularies.Load(); n != 1 {
		t.Errorf("%d vocabularies are loaded after one count by o200k_base, want 1", n)
	}
}

func BenchmarkParse(b *testing.B) {
	p, err := Load("trueforge")
	if err != nil {
		b.Fatal(err)
	}
	doc := p.Document()
	for b.Loop() {
		if _, err := Parse(doc); err != nil {
			b.Fatal(err)
		}
	}
}
