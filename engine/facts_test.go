package engine

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"floodmark/history"
)

func TestFirstError(t *testing.T) {
	for _, c := range []struct {
		payload              string
		kind                 Kind
		offset, line, column int
		fault                string
	}{
		// Written by something that is not a JSON encoder.
		{`{'a': 1}`, InvalidJSON, 1, 1, 2, "single-quotes"},
		{`{"a": 'x'}`, InvalidJSON, 6, 1, 7, "single-quotes"},
		{`[nan]`, InvalidJSON, 1, 1, 2, "nan"},
		{`[1, NaN]`, InvalidJSON, 4, 1, 5, "nan"},
		{`{"a": Infinity}`, InvalidJSON, 6, 1, 7, "nan"},
		{`{"a": -Infinity}`, InvalidJSON, 7, 1, 8, "nan"},
		{`{"a": None}`, InvalidJSON, 6, 1, 7, "nan"},
		{`[True]`, InvalidJSON, 1, 1, 2, "nan"},
		{`[undefined]`, InvalidJSON, 1, 1, 2, "nan"},
		{`{a: 1}`, InvalidJSON, 1, 1, 2, "unquoted-key"},
		{`{"a":1, b: 2}`, InvalidJSON, 8, 1, 9, "unquoted-key"},
		{`{1: 2}`, InvalidJSON, 1, 1, 2, "unquoted-key"},
		{`[1,2,]`, InvalidJSON, 5, 1, 6, "trailing-comma"},
		{"{\n  \"a\": 1,\n}", InvalidJSON, 12, 3, 1, "trailing-comma"},
		{"[1, // one\n2]", InvalidJSON, 4, 1, 5, "comment"},
		{`[1 /* one */]`, InvalidJSON, 3, 1, 4, "comment"},
		{`{"a":1} // end`, InvalidJSON, 8, 1, 9, "comment"},
		{`{\"a\": 1}`, InvalidJSON, 1, 1, 2, "escaped"},
		// Cut off.
		{`{`, InvalidJSON, 1, 1, 2, "cut-off"},
		{`[1,`, InvalidJSON, 3, 1, 4, "cut-off"},
		{"[\n{\"a\":\n", InvalidJSON, 8, 3, 1, "cut-off"},
		{`{"a"`, InvalidJSON, 4, 1, 5, "cut-off"},
		{`{"a":"b`, InvalidJSON, 7, 1, 8, "cut-off"},
		{`["\u00e`, InvalidJSON, 7, 1, 8, "cut-off"},
		{`["\`, InvalidJSON, 3, 1, 4, "cut-off"},
		{"[\"a text that ends amid a character: \xe6\x9d", InvalidJSON, 39, 1, 40, "cut-off"},
		{`[tru`, InvalidJSON, 4, 1, 5, "cut-off"},
		{`[1.`, InvalidJSON, 3, 1, 4, "cut-off"},
		{`[{"a":1}, ... 20 more]`, InvalidJSON, 10, 1, 11, "cut-off"},
		{`"abc`, PlainText, 4, 1, 5, "cut-off"},
		// More than one value.
		{"{\"a\":1}\n{\"a\":2}\n", InvalidJSON, 8, 2, 1, "several-values"},
		{`{"a":1}{"a":`, InvalidJSON, 7, 1, 8, "several-values"},
		{`{"a":1},{"a":2}`, InvalidJSON, 7, 1, 8, "several-values"},
		{`[1] 2`, InvalidJSON, 4, 1, 5, "several-values"},
		{`[1, 2] and more`, InvalidJSON, 7, 1, 8, "trailing-data"},
		{`[1]]`, InvalidJSON, 3, 1, 4, "trailing-data"},
		// Bytes.
		{"\ufeff{}", InvalidJSON, 0, 1, 1, "bom"},
		{"[\"a\nb\"]", InvalidJSON, 3, 1, 4, "raw-control"},
		{"[\"a\x1bb\"]", InvalidJSON, 3, 1, 4, "raw-control"},
		{"[\"a\x00b\",1,2,3,4]", InvalidJSON, 3, 1, 4, "raw-control"},
		{"[\"12345678901234567890\xff\"]", InvalidJSON, 22, 1, 23, "bad-utf8"},
		{"[\"an encoded surrogate, which is not UTF-8: \xed\xa0\x80\"]", InvalidJSON, 44, 1, 45, "bad-utf8"},
		{`["\x41"]`, InvalidJSON, 3, 1, 4, "bad-escape"},
		{`["\u12g4"]`, InvalidJSON, 6, 1, 7, "bad-escape"},
		// Numbers.
		{`[01]`, InvalidJSON, 2, 1, 3, "bad-number"},
		{`[1.]`, InvalidJSON, 3, 1, 4, "bad-number"},
		{`[1e]`, InvalidJSON, 3, 1, 4, "bad-number"},
		{`[-]`, InvalidJSON, 2, 1, 3, "bad-number"},
		{`[+1]`, InvalidJSON, 1, 1, 2, "bad-number"},
		{`[.5]`, InvalidJSON, 1, 1, 2, "bad-number"},
		{`[1_000]`, InvalidJSON, 2, 1, 3, "bad-number"},
		{`[0x1f]`, InvalidJSON, 2, 1, 3, "bad-number"},
		{`[2025-01-31]`, InvalidJSON, 5, 1, 6, "bad-number"},
		// The rest.
		{`[1 2]`, InvalidJSON, 3, 1, 4, "other"},
		{`[1}`, InvalidJSON, 2, 1, 3, "other"},
		{`{"a" 1}`, InvalidJSON, 5, 1, 6, "other"},
		{`{"a":}`, InvalidJSON, 5, 1, 6, "other"},
		{`[1,,2]`, InvalidJSON, 3, 1, 4, "other"},
		{`["say "hi""]`, InvalidJSON, 7, 1, 8, "other"},
		{`[INFO] started`, PlainText, 1, 1, 2, "not-json"},
		{"[1] \ufeff", InvalidJSON, 4, 1, 5, "bom"},
		{"[1, 2] and a byte \xff that is not UTF-8", InvalidJSON, 7, 1, 8, "trailing-data"},
		{"[1, 2, 3, 4] \xff", InvalidJSON, 13, 1, 14, "bad-utf8"},
		{`'{"a": 1}'`, PlainText, 0, 1, 1, "single-quotes"},
		{"'tis", PlainText, 0, 1, 1, "not-json"},
		{"Hello,\nworld", PlainText, 0, 1, 1, "not-json"},
		{`"name": "x",`, PlainText, 6, 1, 7, "not-json"},
		{"12 monkeys", PlainText, 3, 1, 4, "not-json"},
		{"None of these", PlainText, 0, 1, 1, "not-json"},
		{"NaN", PlainText, 0, 1, 1, "nan"},
		{" \n", PlainText, 2, 2, 1, "not-json"},
		{"```json\n{}\n```", PlainText, 0, 1, 1, "code-fence"},
		{"PK\x00\x03", Binary, 0, 1, 1, "not-json"},
		{"\xff\xfe{\x00}\x00", Binary, 0, 1, 1, "not-json"},
	} {
		f := Scan([]byte(c.payload), ScanOptions{})
		if f.Valid || f.Syntax == nil {
			t.Errorf("%q is valid", c.payload)
			continue
		}
		e := f.Syntax
		if f.Kind != c.kind || e.Fault != c.fault || e.Offset != int64(c.offset) || e.Line != c.line || e.Column != c.column {
			t.Errorf("%q is %s, %s at byte %d (%d:%d), want %s, %s at byte %d (%d:%d)", c.payload,
				f.Kind, e.Fault, e.Offset, e.Line, e.Column, c.kind, c.fault, c.offset, c.line, c.column)
		}
		if e.Reason == "" || strings.Contains(e.Reason, "\n") {
			t.Errorf("%q has the reason %q", c.payload, e.Reason)
		}
		if f.Records != -1 || f.Shape != nil {
			t.Errorf("%q has records or a shape", c.payload)
		}
	}
}

func TestAroundIsFortyBytes(t *testing.T) {
	f := Scan([]byte(`["abcdefghijklmnopqrstuvwxyz",nope,"abcdefghijklmnopqrstuvwxyz"]`), ScanOptions{})
	if want := `jklmnopqrstuvwxyz",` + `nope,"abcdefghijklmn`; f.Syntax.Around[1:] != want {
		t.Errorf("around is %q, want one byte and %q", f.Syntax.Around, want)
	}
}

func TestBadUTF8(t *testing.T) {
	f := Scan([]byte("[\"a\xff\", \"b\xc0\xaf\", \"\xe6\x9d\xb1 and so on and so on and so on\"]"), ScanOptions{})
	if f.BadUTF8 != 3 || f.FirstBadUTF8 != 3 {
		t.Errorf("%d invalid bytes, the first at %d, want 3 and 3", f.BadUTF8, f.FirstBadUTF8)
	}
	if f := Scan([]byte("[]"), ScanOptions{}); f.BadUTF8 != 0 || f.FirstBadUTF8 != -1 {
		t.Errorf("%d invalid bytes, the first at %d, want 0 and -1", f.BadUTF8, f.FirstBadUTF8)
	}
}

func TestValidPayloads(t *testing.T) {
	for _, c := range []struct {
		payload string
		want    Facts // Valid and FirstBadUTF8 are added
	}{
		{`{}`, Facts{Kind: Object, Size: history.Size{Bytes: 2, Chars: 2, UTF16: 2}, Lines: 1, Depth: 1, Records: -1}},
		{" \r\n[1, 2]\n", Facts{Kind: Array, Size: history.Size{Bytes: 10, Chars: 10, UTF16: 10}, Lines: 2, Depth: 1, Records: 2, RecordsPath: "."}},
		{`-0.5e-7`, Facts{Kind: Scalar, Size: history.Size{Bytes: 7, Chars: 7, UTF16: 7}, Lines: 1, Records: -1}},
		{`"é東😀"`, Facts{Kind: Scalar, Size: history.Size{Bytes: 11, Chars: 5, UTF16: 6}, Lines: 1, Records: -1,
			Strings: StringFacts{Count: 1, Bytes: 11, Largest: StringPlace{".", 0, 11}}}},
		// Keys are no string values.
		{`[{"é":"x"},{"é":"yz"},{"é":"ab"}]`, Facts{Kind: Array, Size: history.Size{Bytes: 36, Chars: 33, UTF16: 33}, Lines: 1, Depth: 2, Records: 3, RecordsPath: ".",
			Strings: StringFacts{Count: 3, Bytes: 11, Largest: StringPlace{`.[1]["é"]`, 18, 4}}}},
		{`{"a":1,"a":2,"b":{"a":3,"\u0061":4}}`, Facts{Kind: Object, Size: history.Size{Bytes: 36, Chars: 36, UTF16: 36}, Lines: 1, Depth: 2, Records: -1,
			Duplicates: 2, FirstDuplicate: &Place{".a", 7}}},
		// Different lone surrogates are different keys.
		{`{"\ud800":"\ud83d\ude00","\ud801":"\udc00\ud83d"}`, Facts{Kind: Object, Size: history.Size{Bytes: 49, Chars: 49, UTF16: 49}, Lines: 1, Depth: 1, Records: -1,
			LoneSurrogates: 4, Strings: StringFacts{Count: 2, Bytes: 28, Largest: StringPlace{`.["�"]`, 10, 14}}}},
		{`{"a b":[{"c":["long enough"]}]}`, Facts{Kind: Object, Size: history.Size{Bytes: 31, Chars: 31, UTF16: 31}, Lines: 1, Depth: 4, Records: 1, RecordsPath: `.["a b"][0].c`,
			Strings: StringFacts{Count: 1, Bytes: 13, Largest: StringPlace{`.["a b"][0].c[0]`, 14, 13}}}},
	} {
		c.want.Valid, c.want.FirstBadUTF8 = true, -1
		if f := Scan([]byte(c.payload), ScanOptions{}); !reflect.DeepEqual(*f, c.want) {
			t.Errorf("%s\nhas  %+v\nwant %+v", c.payload, *f, c.want)
		}
	}
	if f := Scan(nil, ScanOptions{}); f.Kind != Empty || f.Syntax != nil || f.Lines != 0 || f.Valid {
		t.Errorf("nothing has %+v", f)
	}
}

func TestStringsThatHoldJSON(t *testing.T) {
	stringified := func(text string, times int) string {
		for range times {
			b, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		return text
	}
	for _, c := range []struct {
		text      string // of a string value
		decodings int
	}{
		{`{"a":1}`, 1},
		{`[]`, 1},
		{" \r\n\t[1, 2]\n ", 1},
		{stringified(`{"a":1}`, 1), 2},
		{" " + stringified(` [{"a":"b"}] `, 3) + "\n", 4},
		{stringified(`{"a":"`+"\u00e9"+`"}`, 6), 7},
		{strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), 1},
		{`{"a":1} x`, 0},
		{`{"a":1}{"a":2}`, 0},
		{`[INFO]`, 0},
		{`{a}`, 0},
		{`"text"`, 0},
		{stringified(`12`, 1), 0},
		{`1`, 0},
		{`null`, 0},
		{``, 0},
		{` `, 0},
		{`"`, 0},
		{`"{}`, 0},
		{"\u00a0{}", 0},
		{"\ufeff{}", 0},
	} {
		value := stringified(c.text, 1)
		f := Scan([]byte(`{"x":"y","data":`+value+`}`), ScanOptions{})
		s := f.Strings
		if c.decodings == 0 {
			if s.JSONCount != 0 || s.Decodings != 0 || s.LargestJSON != (StringPlace{}) {
				t.Errorf("%.60q counts as JSON: %+v", c.text, s)
			}
			continue
		}
		want := StringPlace{".data", 16, int64(len(value))}
		if s.JSONCount != 1 || s.JSONBytes != want.Bytes || s.LargestJSON != want || s.Decodings != c.decodings {
			t.Errorf("%.60q: %+v, want one string at %+v, to be decoded %d times", c.text, s, want, c.decodings)
		}
	}
	f := Scan([]byte(`["\u007b\u007d","{\"a\":\"\\ud800\"}","plain"]`), ScanOptions{})
	if s := f.Strings; s.Count != 3 || s.JSONCount != 2 || s.LargestJSON != (StringPlace{".[1]", 16, 21}) {
		t.Errorf("escaped brackets: %+v", s)
	}
}

func TestRecords(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		records       int
		path          string
	}{
		{"none", `{"a":{"b":1}}`, -1, ""},
		{"the root", `[1,2,3]`, 3, "."},
		{"an empty array", `{"a":[]}`, 0, ".a"},
		{"the largest by bytes, not by elements", `{"a":[1,2,3],"b":["a longer text"]}`, 1, ".b"},
		{"of equals the first", `{"a":[1,2],"b":[3,4]}`, 2, ".a"},
		{"wherever it sits", `{"a":{"b":{"c d":[1,2]}},"e":[1]}`, 2, `.a.b["c d"]`},
		{"a single element that is an array", `[[1,2,3]]`, 3, ".[0]"},
		{"a single element that holds one", `[{"n":1,"items":[1,2],"few":[1]}]`, 2, ".[0].items"},
		{"single elements on the way", `{"a":[[{"b":[1,2,3]}]]}`, 3, ".a[0][0].b"},
		{"a single element without an array", `[{"a":1}]`, 1, "."},
		{"two elements are records", `[[1,2,3],[4]]`, 2, "."},
		{"the largest, though a smaller one has more", `{"a":[{"text":"much longer than the others","b":[1,2]}],"c":[1,2,3,4]}`, 2, ".a[0].b"},
		{"more than six levels down", `{"a":{"b":{"c":{"d":{"e":{"f":{"g":[0,{"h":[1,2,3]}]}}}}}}}`, 2, ".a.b.c.d.e.f.g"},
		{"a map without any array", `{"ok":true,"users":{"u1":{"n":1},"u2":{"n":2},"u3":{"n":3},"u4":{"n":4}}}`, 4, ".users"},
		{"the larger of two maps", `{"a":{"k1":1,"k2":2,"k3":3,"k4":4},"b":{"k1":10,"k2":20,"k3":30,"k4":40,"k5":50}}`, 5, ".b"},
		{"an array comes before a map", `{"a":{"k1":1,"k2":2,"k3":3,"k4":4},"b":[]}`, 0, ".b"},
		{"a map's entries are its different keys", `{"k1":1,"k2":2,"k3":3,"k4":4,"k1":5}`, 4, "."},
		{"three keys are no map here", `{"k1":1,"k2":2,"k3":3}`, -1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Scan([]byte(c.payload), ScanOptions{MapKeys: 3})
			if f.Records != c.records || f.RecordsPath != c.path {
				t.Errorf("%s: %d records at %q, want %d at %q", c.payload, f.Records, f.RecordsPath, c.records, c.path)
			}
		})
	}
}

func TestPathsBelowSixLevels(t *testing.T) {
	p := `{"x":[1],"a":{"b":[0,{"c":{"d":{"e":{"f":[1,{"g":1,"h i":[2,"long","x"],"g":{"k":0}}]}}}}]}}`
	f := Scan([]byte(p), ScanOptions{Key: "k"})
	if want := `.a.b[1].c.d.e.f[1]["h i"][1]`; f.Strings.Largest.Path != want {
		t.Errorf("the largest string is at %s, want %s", f.Strings.Largest.Path, want)
	}
	if want := `.a.b[1].c.d.e.f[1].g`; f.FirstDuplicate == nil || f.FirstDuplicate.Path != want {
		t.Errorf("the duplicate is at %+v, want %s", f.FirstDuplicate, want)
	}
	if want := `.a.b[1].c.d.e.f[1].g.k`; f.DeeperKey != want {
		t.Errorf("the key is at %s, want %s", f.DeeperKey, want)
	}
}

func TestMembers(t *testing.T) {
	for _, c := range []struct {
		payload string
		members []Member
		deeper  string
	}{
		{`{"a":1}`, nil, ""},
		{`{"k":1}`, []Member{{1, 5, 6, -1, -1}}, ""},
		{`{ "a" : 1 , "k" : [2] , "b":3}`, []Member{{12, 18, 21, 9, 24}}, ""},
		{`{"\u006b":"x","k":{"k":1}}`, []Member{{1, 10, 13, -1, 14}, {14, 18, 25, 13, -1}}, ".k.k"},
		{`{"k":1,"k":2,"k":3}`, []Member{{1, 5, 6, -1, 7}, {7, 11, 12, 6, 13}, {13, 17, 18, 12, -1}}, ""},
		{`[{"k":1}]`, nil, ".[0].k"},
		{`{"a":[0,{"b c":{"k":1}},{"k":2}]}`, nil, `.a[1]["b c"].k`},
		{`{"a":"{\"k\":1}"}`, nil, ""},
	} {
		f := Scan([]byte(c.payload), ScanOptions{Key: "k"})
		if !reflect.DeepEqual(f.Members, c.members) || f.DeeperKey != c.deeper {
			t.Errorf("%s: %v, deeper at %q, want %v, at %q", c.payload, f.Members, f.DeeperKey, c.members, c.deeper)
		}
	}
}

func TestDuplicatesAmongForgottenKeys(t *testing.T) {
	payload := `{` + members(0, 10_000, `1`) + `,"k5":2,` + members(10_000, 10, `1`) + `,"k\u0039999":3}`
	f := Scan([]byte(payload), ScanOptions{})
	if f.Duplicates != 2 || f.FirstDuplicate.Path != ".k5" || f.FirstDuplicate.Offset != int64(strings.Index(payload, `"k5":2`)) {
		t.Errorf("%d duplicates, the first at %+v, want 2, the first at .k5", f.Duplicates, f.FirstDuplicate)
	}
	if f.Records != 10_010 || f.RecordsPath != "." {
		t.Errorf("%d records at %q, want 10010 at the root", f.Records, f.RecordsPath)
	}
}

func TestAnyDepth(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: it runs once, without the race detector")
	}
	for _, n := range []int{100_000, 500_000} {
		nested := strings.Repeat("[", n) + strings.Repeat("]", n)
		if f := Scan([]byte(nested), ScanOptions{Shape: true}); !f.Valid || f.Depth != n || f.Records != 0 || f.RecordsPath != ".[0]"+strings.Repeat("[0]", 9_999)+"…" {
			t.Errorf("%d arrays: valid is %v, depth %d, %d records at %.20s", n, f.Valid, f.Depth, f.Records, f.RecordsPath)
		}
		if f := Scan([]byte(nested[:2*n-1]), ScanOptions{}); f.Syntax == nil || f.Syntax.Fault != "cut-off" {
			t.Errorf("%d arrays without the last bracket: %+v", n, f.Syntax)
		}
		objects := strings.Repeat(`{"a":`, n) + `"x"` + strings.Repeat("}", n)
		if f := Scan([]byte(objects), ScanOptions{}); f.Depth != n || f.Duplicates != 0 || f.Strings.Largest.Path != strings.Repeat(".a", 10_000)+"…" {
			t.Errorf("%d objects: depth %d, %d duplicates, a string at %.20s", n, f.Depth, f.Duplicates, f.Strings.Largest.Path)
		}
	}
}
