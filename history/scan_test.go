package history

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestScannerAgreesWithTheStandardLibrary(t *testing.T) {
	for _, s := range scanSeeds {
		if got, want := valid([]byte(s)), json.Valid([]byte(s)); got != want {
			t.Errorf("%q: valid %v, encoding/json says %v", s, got, want)
		}
	}
}

var scanSeeds = []string{
	``, ` `, `{}`, `[]`, `[1]`, `[1,]`, `[,1]`, `{"a":1}`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{,}`, `{"a":1 "b":2}`,
	`[1 2]`, `[}`, `{]`, `]`, `true`, `tru`, `nul`, `nulll`, `0`, `-0`, `01`, `-`, `1.`, `1.5e`, `1e+5`, `1E-2`, `.5`, `+1`,
	`"a"`, `"a`, `"\u00e9"`, `"\u00g0"`, `"\x"`, `"\`, `"\u12`, "\"\x01\"", "\"a\nb\"", `"\ud800"`, "\"\xff\"", `{"a":[{"b":[]}]}`,
	`[[[[[[]]]]]]`, "\ufeff{}", `{"a":1}{"b":2}`, `"12345678"`, `"1234567\"12345678"`, "\"1234567\x1f\"", `[1e1000]`, `{1:2}`, `nan`,
}

func FuzzScanner(f *testing.F) {
	for _, s := range scanSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		if bytes.Count(p, []byte("["))+bytes.Count(p, []byte("{")) >= 10000 {
			t.Skip("deeper than the standard library goes")
		}
		v, err := parse(nil, 0, 1, p)
		if want := json.Valid(p); (err == nil) != want {
			t.Fatalf("%q: error %v, encoding/json says valid is %v", p, err, want)
		}
		if err != nil {
			if err.pos < 0 || err.pos > len(p) {
				t.Fatalf("%q: error at %d", p, err.pos)
			}
			return
		}
		if v.isText() {
			var want string
			if json.Unmarshal(p, &want) == nil && strings.ToValidUTF8(v.str(), "\ufffd") != strings.ToValidUTF8(want, "\ufffd") && !bytes.ContainsFunc(p, func(r rune) bool { return r == 0xfffd }) {
				t.Fatalf("%q: %q, encoding/json has %q", p, v.str(), want)
			}
		}
	})
}

func TestDepthCostsNoStack(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: it runs once, without the race detector")
	}
	const depth = 3_000_000
	deep := append(bytes.Repeat([]byte(`[`), depth), bytes.Repeat([]byte(`]`), depth)...)
	if !valid(deep) {
		t.Error("3,000,000 arrays inside one another are valid JSON")
	}
	if _, err := parse(nil, 0, 1, deep[:depth]); err == nil || !err.cut || err.pos != depth {
		t.Errorf("without their ends they are cut at byte %d, not %v", depth, err)
	}
	if !valid([]byte(strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000))) {
		t.Error("100,000 objects inside one another are valid JSON")
	}
}
