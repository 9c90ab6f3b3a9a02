package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// sight looks for a field in a payload under moveworks.
func sight(t *testing.T, payload, path string, set ...string) *Sighting {
	t.Helper()
	p := policy(t, "moveworks", set...)
	r := NewReplayer(conversation(result(payload)))
	run, err := r.Run(context.Background(), p, RunOptions{SkipExact: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.See(context.Background(), p, run.Outcomes[0], path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAFieldOfLateRecordsIsInTheSchemaAndNotInThePreview(t *testing.T) {
	// The first 100 records have no owner.
	payload := `{"items": [` + strings.Repeat(`{"id": 1}, `, 100) + strings.Repeat(`{"id": 2, "owner": "x"}, `, 1200) + `{"id": 3}]}`
	for _, path := range []string{".items[].owner", "items[].owner", "owner"} {
		s := sight(t, payload, path)
		if s.Records != 1301 || s.With != 1200 || s.Record != 100 || !s.InSchema || s.InPreview {
			t.Errorf("%s: %+v", path, s)
		}
		if want := int64(11 + 100*11 + len(`{"id": 2, `)); s.First == nil || s.First.Path != ".items[100].owner" || s.First.Offset != want || s.First.Column != int(want)+1 {
			t.Errorf("%s: at %+v, want byte %d", path, s.First, want)
		}
		q, err := Compile("[" + s.Query + "] | length")
		if err != nil {
			t.Fatal(err)
		}
		input, _ := Decode([]byte(payload))
		found, _, err := q.Collect(context.Background(), input, nil, QueryLimits{}, 0)
		if err != nil || len(found) != 1 || string(found[0]) != "1200" {
			t.Errorf("the query %s finds %s, %v", s.Query, found, err)
		}
	}
}

func TestAFieldOfTheFirstRecordIsSeen(t *testing.T) {
	payload := "[" + strings.Repeat(`{"id": 1, "open": true}, `, 1500) + `{"id": 2}]`
	if s := sight(t, payload, ".[].open"); !s.InPreview || !s.InSchema || s.Record != 0 || s.With != 1500 || s.First.Path != ".[0].open" || s.First.Offset != 11 {
		t.Errorf("%+v", s)
	}
	if s := sight(t, payload, "owner"); s.First != nil || s.With != 0 || s.Query != "" || s.InPreview || s.InSchema {
		t.Errorf("%+v", s)
	}
	if s := sight(t, `{"id": 1, "a b": null, "c": [{"a b": 2}]}`, "a b"); s.With != 1 || s.First.Path != `.c[0]["a b"]` || !s.InPreview {
		t.Errorf("%+v", s)
	}
	if s := sight(t, "words", "owner"); s.First != nil || s.Records != -1 {
		t.Errorf("%+v", s)
	}
}

func TestASchemaWithoutRoomDoesNotShowTheField(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, `"column_number_%d": {"value": 1, "unit": "EUR"}, `, i)
	}
	payload := "[" + strings.Repeat("{"+b.String()+`"id": 1}, `, 20) + `{"id": 2, "rare": {"deep": 1}}]`
	if s := sight(t, payload, "deep", "schema.budget=100"); s.InSchema || s.InPreview || s.Record != 20 {
		t.Errorf("%+v", s)
	}
}

func TestAWrongPathIsAnError(t *testing.T) {
	p := policy(t, "moveworks")
	r := NewReplayer(conversation(result("{}")))
	run, err := r.Run(context.Background(), p, RunOptions{SkipExact: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.See(context.Background(), p, run.Outcomes[0], ".items[.owner"); err == nil {
		t.Error("no error")
	}
}
