package engine

import (
	"bytes"
	"encoding/json"
	"regexp"
	"testing"
	"unicode/utf8"

	"floodmark/history"
)

var hugeExponent = regexp.MustCompile(`[eE][+-]?\d{5}`)

// FuzzScan: any bytes give facts; what is valid is so for encoding/json, and fits its schema.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[1,2.5,"x",null,true]`, `{"k":1,"a":{"k":"{\"b\":[]}"},"k":2}`, `[{"a":1},{"\u0061":"\ud800"}]`,
		"\ufeff{}", `{'a': None}`, `[1,]`, "{\"a\":1}\n{\"a\":2}", `{"a":"\ud83d\ude00é東"}`, `[[[[[[[[{"a":[1]}]]]]]]]]`,
		`{"1":{"a":1},"2":{"a":2},"3":{"a":3,"b":[]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		facts := Scan(p, ScanOptions{Key: "k", Shape: true, MapKeys: 2})
		if facts.Depth < 10_000 && facts.Valid != (json.Valid(p) && utf8.Valid(p)) {
			t.Fatalf("valid is %v", facts.Valid)
		}
		if facts.Size != history.Measure(p) {
			t.Fatalf("the size is %+v, want %+v", facts.Size, history.Measure(p))
		}
		if lines := bytes.Count(p, []byte("\n")); facts.Lines != lines && facts.Lines != lines+1 {
			t.Fatalf("%d lines of %d line feeds", facts.Lines, lines)
		}
		if !facts.Valid {
			return
		}
		for _, m := range facts.Members {
			var key string
			if err := json.NewDecoder(bytes.NewReader(p[m.Key:])).Decode(&key); err != nil || key != "k" || !json.Valid(p[m.Value:m.End]) {
				t.Fatalf("%+v is no member", m)
			}
			cut := append(bytes.Clone(p[:m.Key]), p[max(m.Next, m.Key):]...)
			if m.Next < 0 {
				cut = append(bytes.Clone(p[:max(m.Prev, 0)]), p[m.End:]...)
				if m.Prev < 0 {
					cut = append(bytes.Clone(p[:m.Key]), p[m.End:]...)
				}
			}
			if !json.Valid(cut) {
				t.Fatalf("%q is left without %+v", cut, m)
			}
		}
		if hugeExponent.Match(p) {
			return // the validator writes such numbers out
		}
		for _, budget := range []float64{0, 20, 60} {
			s := facts.Shape.Schema(Bytes4, budget, 2)
			if err := validates(s.JSON, p); err != nil {
				t.Fatalf("does not fit %s: %v", s.JSON, err)
			}
		}
	})
}
