package engine

import (
	"slices"
	"strings"
	"testing"
)

func TestTheNarrowestRuleGivesTheLabel(t *testing.T) {
	p := policy(t, "moveworks", `labels=[{"path": ".rows[].card", "label": "payment"}, {"tool": "*", "label": "internal"},
		{"tool": "tool", "label": "by tool"}, {"path": "ssn", "label": "personal"}, {"tool": "crm*", "path": ".rows", "label": "both"}]`)
	for payload, want := range map[string]string{
		`{"rows":[{"a":null},{"card":"4"}]}`:   "payment",
		`{"rows":[{"card":null}]}`:             "by tool",
		`{"rows":{"x":{"card":0}}}`:            "payment",
		`{"rows":{"card":{"x":0}}}`:            "by tool",
		`{"a":[[{"ssn":"1"}]],"rows":[1]}`:     "personal",
		`{"a":"ssn","b":"\"ssn\":1"}`:          "by tool",
		`[{"rows":[{"card":1}]}]`:              "by tool",
		`{"rows":[{"\u0063ard":false}]}`:       "payment",
		`{"rows" : [ [] , { "card" : "" } ] }`: "payment",
	} {
		for _, known := range []string{"tool", "crm_list"} {
			label, err := p.labelOf(known, true, func() ([]byte, error) { return []byte(payload), nil })
			expected := want
			if known == "crm_list" {
				expected = map[string]string{"by tool": "internal"}[want]
				if expected == "" {
					expected = want
				}
				if strings.HasPrefix(payload, "{\"rows\"") || strings.Contains(payload, `,"rows"`) {
					expected = "both"
				}
			}
			if err != nil || label != expected {
				t.Errorf("%s of %s: %q, %v, not %q", payload, known, label, err, expected)
			}
		}
	}
}

func TestLabelPathsAreReadAsInJq(t *testing.T) {
	payload := []byte(`{"a b":[10,{"c":[[1,2]]}],"null":null,"s":"x"}`)
	for path, want := range map[string]bool{
		".": true, ".s": true, ".null": false, ".none": false, `.["a b"]`: true, `.["a b"][1].c[][1]`: true, `.["a b"][2]`: false,
		`.["a b"][0].c`: false, ".[].c": false, ".[][].c": true, ".s[]": false, "[0]": false, "c": true, "null": false, "x": false,
	} {
		l, wrong := readLabelPath(path)
		if path == "[0]" || path == "." {
			if wrong == "" {
				t.Errorf("%s is taken", path)
			}
			continue
		}
		if got := wrong == "" && l.in(payload); got != want {
			t.Errorf("%s: %v (%s), not %v", path, got, wrong, want)
		}
	}
}

func TestRulesForLabelsThatAreWrongAreRefused(t *testing.T) {
	for doc, want := range map[string]string{
		`{"labels": [{"label": "x"}]}`:                      "labels[0] selects nothing",
		`{"labels": [{"tool": "a"}]}`:                       "line 1: labels[0] lacks label",
		`{"labels": [{"tool": "a", "lable": "x"}]}`:         "line 1: labels[0].lable is not a field of a policy; the nearest is labels[0].label",
		`{"labels": [{"tool": "a", "label": ""}]}`:          "line 1: labels[0].label does not look like ^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,39}$",
		`{"labels": [{"path": ".a[x]", "label": "x"}]}`:     `labels[0].path has at character 3 a bracket that is none of [], [3] and ["key"]`,
		`{"labels": [{"path": ".a.", "label": "x"}]}`:       "labels[0].path has at character 3 no key that can stand without quotes",
		`{"labels": [{"path": "a.b", "label": "x"}]}`:       "labels[0].path does not begin with a dot, and is no name alone",
		`{"labels": [{"path": ".[\"a\"]b", "label": "x"}]}`: "labels[0].path has at character 7 neither a dot nor a bracket",
		`{"labels": {"tool": "a", "label": "x"}}`:           "line 1: labels takes a list, not an object",
	} {
		if _, err := Parse([]byte(doc)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, not %s", doc, err, want)
		}
	}
}

func TestAVariableHasItsLabelAndNothingElseDoes(t *testing.T) {
	p := policy(t, "moveworks", `labels=[{"tool": "tool", "label": "confidential"}]`)
	if o := replay(t, p, RunOptions{}, result(customers()))[0]; o.Verdict != Offloaded || o.Label != "confidential" {
		t.Errorf("%s %q", o.Verdict, o.Label)
	}
	for _, fault := range []Fault{SandboxDown, WriteFails} {
		if o := replay(t, p, RunOptions{Fault: fault}, result(customers()))[0]; o.Verdict != Lost || o.Label != "" {
			t.Errorf("%s: %s %q", fault, o.Verdict, o.Label)
		}
	}
	if o := replay(t, p, RunOptions{}, result(`[1]`))[0]; o.Verdict != Inline || o.Label != "" {
		t.Errorf("%s %q", o.Verdict, o.Label)
	}
}

func TestRulesForLabelsThatNeverCountAreFound(t *testing.T) {
	twice := policy(t, "trueforge", `labels=[{"tool": "a", "label": "x"}, {"path": "a", "label": "x"}, {"tool": "a", "label": "y"}]`)
	want := []Finding{{"label-idle", "warning", "labels[0]", "labels[2] is for the same tool and path, and comes later: this one never counts"}}
	if got := twice.Lint(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	want = []Finding{{"label-idle", "warning", "labels", "the strategy inline keeps no variables: nothing gets a label"}}
	if got := policy(t, "none", `labels=[{"tool": "a", "label": "x"}]`).Lint(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
