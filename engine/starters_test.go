package engine

import (
	"context"
	"strings"
	"testing"
)

func starterNamed(t *testing.T, list []Starter, title string) string {
	t.Helper()
	for _, s := range list {
		if s.Title == title {
			return s.Filter
		}
	}
	t.Fatalf("no starter %q in %v", title, list)
	return ""
}

func answered(t *testing.T, filter, payload string) string {
	t.Helper()
	q, err := Compile(filter)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	v, err := Decode([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	if err := q.Run(context.Background(), v, nil, func(v any) bool { out = append(out, string(Marshal(v, 0))); return true }); err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	return strings.Join(out, "\n")
}

func TestStartersAnswerWhatTheirTitleSays(t *testing.T) {
	list := outlined(t, completeSample).Starters(".expenses")
	for title, want := range map[string]string{
		"the shape":                        `{"keys":["expenses","total"],"length":2,"records":3,"type":"object"}`,
		"count":                            "3",
		"the different values of category": `["meals","travel"]`,
		"how many of each category":        `[{"count":2,"value":"travel"},{"count":1,"value":"meals"}]`,
		"the sum of amount":                "418.5",
		"the sum of amount by category":    `[{"sum":415.5,"value":"travel"},{"sum":3,"value":"meals"}]`,
	} {
		if got := answered(t, starterNamed(t, list, title), completeSample); got != want {
			t.Errorf("%s: %s, want %s", title, got, want)
		}
	}
	if got := answered(t, starterNamed(t, list, "the 10 largest by amount"), completeSample); !strings.HasPrefix(got, `[{"amount":412.50,`) {
		t.Errorf("the largest is %s", got)
	}
	if got := answered(t, starterNamed(t, list, "the first 3"), completeSample); strings.Count(got, `"category"`) != 3 {
		t.Errorf("the first three are %s", got)
	}
}

// Every starter runs, whatever the payload looks like.
func TestStartersRunOnEveryShape(t *testing.T) {
	for payload, records := range map[string]string{
		`[{"a-b":1,"c":"x"},{"a-b":2,"c":"y"}]`:  ".",
		`{"a b":{"list":[{"k":1},{"k":null}]}}`:  `.["a b"].list`,
		`[1,2,3]`:                                ".",
		`{"only":{"a":1}}`:                       "",
		`{"x":{"id":1},"y":{"id":2}}`:            ".",
		`[[{"n":1,"who":{"name":"A","age":3}}]]`: ".[0]",
		`"text"`:                                 "",
		`{}`:                                     "",
		`[]`:                                     ".",
		`[{"s":"a","n":1.10},{"s":"a"},{"n":1e400}]`: ".",
	} {
		list := outlined(t, payload).Starters(records)
		if len(list) < 2 {
			t.Errorf("%s: only %v", payload, list)
		}
		for _, s := range list {
			answered(t, s.Filter, payload)
		}
	}
}

func TestSearchingFindsRecordsByAnyTextInAnyCase(t *testing.T) {
	root := outlined(t, completeSample)
	if got := answered(t, root.Searching(".expenses", "ZOë")+" | map(.id)", completeSample); got != `["E1"]` {
		t.Errorf("found %s", got)
	}
	if got := answered(t, root.Searching(".expenses", "412.5")+" | map(.id)", completeSample); got != `["E1"]` {
		t.Errorf("found %s", got)
	}
	if got := answered(t, root.Searching("", "meals"), completeSample); got != `[["expenses",1,"category"]]` {
		t.Errorf("found %s", got)
	}
	if got := answered(t, root.Searching(".expenses", `a"b`), completeSample); got != `[]` {
		t.Errorf("found %s", got)
	}
}

func TestTextHasNoOutline(t *testing.T) {
	o, err := OutlineOf(context.Background(), []byte("not json"), 0)
	if o != nil || err != nil {
		t.Errorf("%v, %v", o, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := OutlineOf(ctx, []byte(completeSample), 0); err != context.Canceled {
		t.Errorf("cancelled, it gives %v", err)
	}
}
