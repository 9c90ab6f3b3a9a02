package history

import (
	"strings"
	"testing"
)

// A text in a document in a string in a document, read again in pieces: escapes that fall on the
// border of two pieces too.
func TestNestedTextStaysInTheRecording(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"one level":            {`{"a":"[\"x\\ny \\u00fc \\ud83d\\ude00\"]"}`, "x\ny ü 😀"},
		"two levels":           {`{"a":"\"[\\\"x \\\\\\\"y\\\\\\\"\\\"]\""}`, `x "y"`},
		"raw JSON":             {`{"a":"[{\"k\": 1}]"}`, `{"k": 1}`},
		"half a surrogate":     {`{"a":"[\"\\ud800\"]"}`, "�"},
		"more than one piece":  {`{"a":"[\"` + strings.Repeat(`\\u00fc`, 40_000) + `\"]"}`, strings.Repeat("ü", 40_000)},
		"white space in front": {`{"a":"\n [\"x\"]"}`, "x"},
	} {
		v, bad := parse(memorySource("m", []byte(tt.text)), 0, 1, []byte(tt.text))
		if bad != nil {
			t.Fatal(bad)
		}
		inner := nested(v.get("a")).first()
		p := inner.payload()
		if b, err := p.Bytes(); err != nil || string(b) != tt.want || p.Size() != Measure([]byte(tt.want)) {
			t.Errorf("%s: %.40q, %v, size %v, should be %.40q", name, b, err, p.Size(), tt.want)
		}
		if got := inner.at(); got != (Location{"m", 1, 5}) {
			t.Errorf("%s: it is said to be at %v", name, got)
		}
		if (name == "half a surrogate") != p.replaced() {
			t.Errorf("%s: replaced is %v", name, p.replaced())
		}
	}
}

func TestWhatIsNoNestedDocumentStaysAString(t *testing.T) {
	for _, text := range []string{`"plain"`, `"[cut"`, `"{}x"`, `"\"quoted\""`, `""`, `"7"`} {
		v, bad := parse(memorySource("m", []byte(text)), 0, 1, []byte(text))
		if bad != nil {
			t.Fatal(bad)
		}
		if got := nested(v); string(got.raw()) != text {
			t.Errorf("%s becomes %s", text, got.raw())
		}
	}
}
