package engine

import "testing"

func TestOnlyWhatWasMeantAsJSONIsInvalidJSON(t *testing.T) {
	for text, want := range map[string]Kind{
		`[INFO] started`:                      PlainText,
		`[2026-01-02 10:00:00] GET /`:         PlainText,
		`[2026-01-02T10:00:00Z] GET /`:        PlainText,
		`[1] a footnote`:                      PlainText,
		`[see](https://example.com)`:          PlainText,
		`[[a wiki link]]`:                     PlainText,
		`[redacted:content:26]`:               PlainText,
		`{{name}} is a template`:              PlainText,
		`{ echo "a"; }`:                       PlainText,
		`[Request interrupted by user]`:       PlainText,
		`[1, 2,]`:                             InvalidJSON,
		`[1 2]`:                               InvalidJSON,
		`[10 items left]`:                     PlainText,
		`[2026-01-02]`:                        InvalidJSON,
		`[1] [2]`:                             InvalidJSON,
		`{\"a\": 1}`:                          InvalidJSON,
		`{"a": 1,}`:                           InvalidJSON,
		`{'a': 1}`:                            InvalidJSON,
		`[{'a': None}]`:                       InvalidJSON,
		`{a: 1}`:                              InvalidJSON,
		`[None, 1]`:                           InvalidJSON,
		`[NaN]`:                               InvalidJSON,
		`{"a": 1} {"a": 2}`:                   InvalidJSON,
		`[`:                                   InvalidJSON,
		`{`:                                   InvalidJSON,
		`[12`:                                 InvalidJSON,
		"\ufeff{\"a\": 1}":                    InvalidJSON,
		`// a comment first` + "\n" + `{"a"}`: PlainText,
	} {
		if got := Scan([]byte(text), ScanOptions{}).Kind; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
