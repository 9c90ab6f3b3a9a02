package ui

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPolicyList(t *testing.T) {
	got := cli(t, "policy", "list", "--json").lines(t)
	limits := map[string]any{}
	for _, p := range got {
		limits[p["name"].(string)] = at(p, "limits", "per_result")
	}
	if limits["moveworks"] != 7000.0 || limits["trueforge"] != 6000.0 {
		t.Errorf("got %v", limits)
	}
	if _, ok := limits["none"]; !ok {
		t.Errorf("without none: %v", limits)
	}
	if text := cli(t, "policy", "list"); !strings.Contains(text.out, "moveworks          7,000          none  bytes/4") {
		t.Errorf("got\n%s", text.out)
	}
}

func TestAPolicyIsADocumentThatCanBeChangedAndCheckedAndUsed(t *testing.T) {
	shown := cli(t, "policy", "show", "moveworks")
	var doc map[string]any
	if err := json.Unmarshal([]byte(shown.out), &doc); err != nil {
		t.Fatal(err)
	}
	if doc["name"] != "moveworks" || at(doc, "limits", "hard_bytes") != 100000000.0 {
		t.Errorf("got %v", doc)
	}
	mine := file(t, "mine.json", `{"name": "mine", "limits": {"per_result": 10}, "estimator": "chars/4"}`)
	if got := cli(t, "policy", "check", mine); got != (end{mine + ": policy mine is in order\n", "", 0}) {
		t.Errorf("%+v", got)
	}
	used := cli(t, "replay", "--json", "--store", "none", "--policy", mine, file(t, "r.json", chat(toolResult{"a", "{}"}))).lines(t)
	if used[0]["policy"] != "mine" || at(used[0], "original", "estimator") != "chars/4" {
		t.Errorf("got %v", used[0])
	}
	wrong := file(t, "wrong.json", `{"name": "mine", "limits": {"per_reslt": 10}}`)
	got := cli(t, "policy", "check", wrong, mine)
	if got.code != 2 || !strings.Contains(got.err, "per_result") || got.out != mine+": policy mine is in order\n" {
		t.Errorf("%+v", got)
	}
	if set := cli(t, "policy", "show", "moveworks", "--set", "limits.per_result=4000"); !strings.Contains(set.out, `"per_result": 4000`) {
		t.Errorf("got %s", set.out)
	}
	if set := cli(t, "policy", "show", "moveworks", "--set", "limits.per_reslt=4000"); set.code != 2 || !strings.Contains(set.err, "per_result") {
		t.Errorf("%+v", set)
	}
}

func TestThePolicySchemaIsJSON(t *testing.T) {
	got := cli(t, "policy", "schema")
	if got.code != 0 || !json.Valid([]byte(got.out)) || !strings.Contains(got.out, "json-schema.org/draft/2020-12/schema") {
		t.Errorf("exit %d, %.100s", got.code, got.out)
	}
}

func TestFormatsAreListed(t *testing.T) {
	for _, f := range cli(t, "formats", "--json").lines(t) {
		for _, key := range []string{"name", "title", "how"} {
			if s, _ := f[key].(string); s == "" {
				t.Errorf("%v has no %s", f, key)
			}
		}
	}
	if got := cli(t, "formats"); !strings.Contains(got.out, "\nopenai-chat ") {
		t.Errorf("got\n%s", got.out)
	}
}
