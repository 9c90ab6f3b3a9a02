package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

var moveworksPreview = PreviewOptions{Records: 3, StringChars: 200, InnerItems: 3, Budget: 1000, Estimator: Bytes4, MapKeys: 64}

// entries writes n entries of an object, "k0":value and so on.
func entries(n int, value string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"k%d":%s`, i, value)
	}
	return b.String()
}

func TestRecordsPreviewKeepsTheFirstRecordsAndTheFieldsAround(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct {
		name    string
		payload string
		want    string
		records int
		of      int
		path    string
	}{
		{"a small payload is whole", `[{"id":1},{"id":2}]`, `[{"id":1},{"id":2}]`, 2, 2, "."},
		{"three records stay", `[{"id":1},{"id":2},{"id":3}]`, `[{"id":1},{"id":2},{"id":3}]`, 3, 3, "."},
		{"of four records one goes", `[1,2,3,4]`, "[1,2,3]\n.: left out 1 record", 3, 4, "."},
		{"records under two keys, with the fields around them",
			`{"ok": true, "data": {"items": [{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}], "next": null}, "took": 1.10}`,
			`{"ok":true,"data":{"items":[{"id":1},{"id":2},{"id":3}],"next":null},"took":1.10}` +
				"\n.data.items: left out 2 records", 3, 5, ".data.items"},
		{"numbers and escapes stay as written, keys in their order",
			`[{"z":12345678901234567890,"a":1.10,"m":1E+2,"s":"\u00e9\/\"","z":-0}]`,
			`[{"z":12345678901234567890,"a":1.10,"m":1E+2,"s":"\u00e9\/\"","z":-0}]`, 1, 1, "."},
		{"a single element which is an array is gone into", `[[1,2,3,4,5]]`, "[[1,2,3]]\n.[0]: left out 2 records", 3, 5, ".[0]"},
		{"a single element which holds an array is gone into",
			`{"r":[{"n":5,"rows":[10,20,30,40,50]}]}`,
			`{"r":[{"n":5,"rows":[10,20,30]}]}` + "\n.r[0].rows: left out 2 records", 3, 5, ".r[0].rows"},
		{"in a single element the larger array is gone into",
			`[{"a":[1,2],"b":[1,2,3,4]}]`, `[{"a":[1,2],"b":[1,2,3]}]` + "\n.[0].b: left out 1 record", 3, 4, ".[0].b"},
		{"a single element without an array is a record", `[{"a":{"b":1}}]`, `[{"a":{"b":1}}]`, 1, 1, "."},
		{"two elements with arrays are records", `[[1,2],[3,4]]`, `[[1,2],[3,4]]`, 2, 2, "."},
		{"the larger of two arrays by bytes, not by elements",
			`{"ids":[1,2,3,4,5],"rows":["aaaaaaaaaa","b"]}`,
			`{"ids":[1,2,3],"rows":["aaaaaaaaaa","b"]}` + "\n.ids: left out 2 items", 2, 2, ".rows"},
		{"of two arrays of one size the first", `{"a":[1,2,3,4],"b":[5,6,7,8]}`,
			`{"a":[1,2,3],"b":[5,6,7]}` + "\n.a: left out 1 record\n.b: left out 1 item", 3, 4, ".a"},
		{"an array of arrays: inner arrays are cut",
			`[[1,2,3,4],[5,6,7,8],[9],[10]]`, "[[1,2,3],[5,6,7],[9]]\n.: left out 1 record\n.[]: left out 2 items", 3, 4, "."},
		{"one inner array that is cut has its own path",
			`[{"tags":["a","b","c","d"]},{"tags":[]}]`,
			`[{"tags":["a","b","c"]},{"tags":[]}]` + "\n.[0].tags: left out 1 item", 2, 2, "."},
		{"the same inner array of several records has one line",
			`[{"tags":[1,2,3,4]},{"tags":[1,2,3,4,5]},{"tags":[]}]`,
			`[{"tags":[1,2,3]},{"tags":[1,2,3]},{"tags":[]}]` + "\n.[].tags: left out 3 items", 3, 3, "."},
		{"a string of 200 characters stays", `["` + long(200) + `"]`, `["` + long(200) + `"]`, 1, 1, "."},
		{"a string of 201 characters is cut", `[{"note":"` + long(201) + `"}]`,
			`[{"note":"` + long(200) + `"}]` + "\n.[0].note: left out 1 character", 1, 1, "."},
		{"a string beside the records is cut", `{"log":"` + long(1012) + `","a":[` + strings.Repeat("1,", 600) + `1]}`,
			`{"log":"` + long(200) + `","a":[1,1,1]}` + "\n.log: left out 812 characters\n.a: left out 598 records", 3, 601, ".a"},
		{"no records: an object of 64 keys", `{` + entries(64, "1") + `}`, `{` + entries(64, "1") + `}`, -1, 0, ""},
		{"a map of 65 keys counts as records", `{"m":{` + entries(65, `{"v":1}`) + `}}`,
			`{"m":{"k0":{"v":1},"k1":{"v":1},"k2":{"v":1}}}` + "\n.m: left out 62 records", 3, 65, ".m"},
		{"65 keys of several kinds are no map", `{` + entries(64, "1") + `,"x":"y"}`, `{` + entries(64, "1") + `,"x":"y"}`, -1, 0, ""},
		{"beside an array no map counts", `{"e":[],"m":{` + entries(65, "1") + `}}`, `{"e":[],"m":{` + entries(65, "1") + `}}`, 0, 0, ".e"},
		{"an empty object", ` { } `, `{}`, -1, 0, ""},
		{"an empty array", "[\n]\n", `[]`, 0, 0, "."},
		{"keys that are no names are quoted in paths", `{"a b":{"c.d":[1,2,3,4]}}`,
			`{"a b":{"c.d":[1,2,3]}}` + "\n" + `.["a b"]["c.d"]: left out 1 record`, 3, 4, `.["a b"]["c.d"]`},
		{"brackets and quotes inside strings are text", `{"s":"]}[{\\\"","a":["]","\"[","x","y"]}`,
			`{"s":"]}[{\\\"","a":["]","\"[","x"]}` + "\n.a: left out 1 record", 3, 4, ".a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := RecordsPreview([]byte(tt.payload), moveworksPreview)
			if v.Text != tt.want {
				t.Errorf("text\n%s\nwant\n%s", v.Text, tt.want)
			}
			if v.Records != tt.records || v.Of != tt.of || v.Path != tt.path {
				t.Errorf("%d of %d records at %q, want %d of %d at %q", v.Records, v.Of, v.Path, tt.records, tt.of, tt.path)
			}
			if whole := !strings.Contains(tt.want, "left out"); v.Whole != whole {
				t.Errorf("whole is %t, want %t", v.Whole, whole)
			}
		})
	}
}

func TestAPreviewsOmissionsAreItsLines(t *testing.T) {
	v := RecordsPreview([]byte(`{"items":[{"n":"`+strings.Repeat("é", 300)+`","t":[1,2,3,4,5]},1,2,3]}`), moveworksPreview)
	want := []Omission{{".items", 1, "records"}, {".items[0].n", 100, "chars"}, {".items[0].t", 2, "items"}}
	if !reflect.DeepEqual(v.LeftOut, want) {
		t.Errorf("left out %v, want %v", v.LeftOut, want)
	}
	if want := `{"items":[{"n":"` + strings.Repeat("é", 200) + `","t":[1,2,3]},1,2]}`; string(v.JSON) != want {
		t.Errorf("JSON\n%s\nwant\n%s", v.JSON, want)
	}
}

func TestAStringIsCutBetweenWholeCharacters(t *testing.T) {
	const (
		woman  = "👩‍💻"   // three code points, one cluster
		family = "👨‍👩‍👧" // five
	)
	tests := []struct {
		name, text, want string
		left             int64
	}{
		{"at the limit", "abcd", "abcd", 0},
		{"one over", "abcde", "abcd", 1},
		{"code points count, not bytes", "日本語字", "日本語字", 0},
		{"an escape is one character", `\n\n\n\n\n`, `\n\n\n\n`, 1},
		{"an escape is not cut", `abc\u00e9\u00e9`, `abc\u00e9`, 1},
		{"a pair of escapes is one character", `abc\ud83d\ude00\ud83d\ude00`, `abc\ud83d\ude00`, 1},
		{"a lone surrogate is one character", `abc\ud83d\ud83d`, `abc\ud83d`, 1},
		{"a combining mark stays with its letter", "abce\u0301x", "abc", 3},
		{"a mark written as an escape, too", `abce\u0301x`, `abc`, 3},
		{"an emoji of several is not divided", "ab" + woman, "ab", 3},
		{"flags are not divided", "abc🇩🇪", "abc", 2},
		{"a line end is not divided", `abc\r\n`, `abc`, 2},
		{"a cluster over the limit is cut between code points", family + "a", "👨‍👩‍", 2},
		{"a backslash at the end", `abc\\d`, `abc\\`, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := []byte(` "` + tt.text + `",1`)
			cut, left, end := cutString(p, 1, 4)
			if got := string(p[2:cut]); got != tt.want || left != tt.left {
				t.Errorf("%q and %d left out, want %q and %d", got, left, tt.want, tt.left)
			}
			if end != len(p)-2 {
				t.Errorf("ends at %d, want %d", end, len(p)-2)
			}
		})
	}
}

func TestOverTheBudgetRecordsGoThenTheDeepestFields(t *testing.T) {
	tests := []struct {
		name    string
		budget  float64 // of four bytes
		payload string
		want    string
	}{
		{"all three records fit", 50 / 4.0, `[{"a":"xxxxx"},{"a":"xxxxx"},{"a":"xxxxx"}]`, `[{"a":"xxxxx"},{"a":"xxxxx"},{"a":"xxxxx"}]`},
		{"two fit", 49 / 4.0, `[{"a":"xxxxx"},{"a":"xxxxx"},{"a":"xxxxx"}]` + strings.Repeat(" ", 9),
			`[{"a":"xxxxx"},{"a":"xxxxx"},{"a":"xxxxx"}]`},
		{"two and the line fit", 51 / 4.0, `[{"a":"xxxxxxxxxx"},{"a":"x"},{"a":"xxxxxxxxxxxxx"}]`,
			`[{"a":"xxxxxxxxxx"},{"a":"x"}]` + "\n.: left out 1 record"},
		{"one and the line fit", 42 / 4.0, `[{"a":"xxxxxxxxxx"},{"a":"x"},{"a":"xxxxxxxxxxxxx"}]`,
			`[{"a":"xxxxxxxxxx"}]` + "\n.: left out 2 records"},
		{"the deepest field goes first", 68 / 4.0, `[{"id":1,"a":{"b":{"c":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}}]`,
			`[{"id":1,"a":{"b":{}}}]` + "\n.[0].a.b: left out 1 field"},
		{"then the one above", 49 / 4.0, `[{"id":1,"a":{"b":{"c":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}}]`,
			`[{"id":1,"a":{}}]` + "\n.[0].a: left out 1 field"},
		{"then the record's own, the last first", 41 / 4.0, `[{"id":1,"a":{"b":{"c":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}}]`,
			`[{"id":1}]` + "\n.[0]: left out 1 field"},
		{"then all of them", 32 / 4.0, `[{"id":1,"a":{"b":{"c":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}}]`,
			`[{}]` + "\n.[0]: left out 2 fields"},
		{"of one level the last goes first", 47 / 4.0, `[{"a":"xxxxxxxx","b":"yyyyyyyy","c":"zzzzzzzz"}]`,
			`[{"a":"xxxxxxxx"}]` + "\n.[0]: left out 2 fields"},
		{"fields around the records go before the record's own", 50 / 4.0,
			`{"u":"xxxxxxxxxxxxxxxxxxxxxxx","r":[{"a":1}],"v":2}`, `{"r":[{"a":1}]}` + "\n.: left out 2 fields"},
		{"nothing fits", 1 / 4.0, `{"a":[1,2,3]}`, `{}` + "\n.: left out 1 field"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := moveworksPreview
			o.Budget = tt.budget
			v := RecordsPreview([]byte(tt.payload), o)
			if v.Text != tt.want {
				t.Errorf("text\n%s\nwant\n%s", v.Text, tt.want)
			}
		})
	}
}

func TestManyOmissionsAreToldInFewLines(t *testing.T) {
	var b strings.Builder
	for i := range 13 {
		fmt.Fprintf(&b, `,"f%d":{"a":[1,2,3,4],"b":[1,2,3,4]}`, i)
	}
	v := RecordsPreview([]byte(`[{"id":1`+b.String()+`},2]`), moveworksPreview)
	if !json.Valid(v.JSON) {
		t.Fatalf("JSON is not valid: %s", v.JSON)
	}
	var total int64
	for _, o := range v.LeftOut {
		total += o.N
	}
	if len(v.LeftOut) > 12 || total != 26 {
		t.Errorf("%d lines for %d items, want at most 12 for 26:\n%s", len(v.LeftOut), total, v.Text)
	}
}

func TestOneHugeRecordIsCutToTheBudget(t *testing.T) {
	p := []byte(`{"rows":[{` + entries(50_000, `{"v":[1,2,3,4],"w":"x"}`) + `},{"id":2}]}`)
	v := RecordsPreview(p, moveworksPreview)
	if !json.Valid(v.JSON) {
		t.Fatal("JSON is not valid")
	}
	if n := len(v.Text); n > 4000 || n < 3900 {
		t.Errorf("%d bytes, want up to 4000 and most of them", n)
	}
	if v.Records != 1 || v.Of != 2 {
		t.Errorf("%d of %d records, want 1 of 2", v.Records, v.Of)
	}
}

func TestEveryEstimatorHasItsBudget(t *testing.T) {
	p := []byte(`{"rows":[{` + entries(5_000, `{"v":"日本語のテキスト","w":"text of some words"}`) + `},{"id":2}]}`)
	for _, e := range Estimators {
		o := moveworksPreview
		o.Estimator, o.Budget = e, 200
		v := RecordsPreview(p, o)
		if n := e.Of([]byte(v.Text)); n > 200 || n < 170 {
			t.Errorf("%s: %v tokens, want up to 200 and most of them", e, n)
		}
	}
}

func TestDeepNestingGivesAPreview(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: it runs once, without the race detector")
	}
	const depth = 100_000
	for name, p := range map[string]string{
		"arrays":           strings.Repeat("[", depth) + strings.Repeat("]", depth),
		"objects":          strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth),
		"both":             strings.Repeat(`[{"a":`, depth) + "1" + strings.Repeat("}]", depth),
		"inside a record":  `[1,` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `]`,
		"records far down": strings.Repeat(`{"s":"`+strings.Repeat("x", 300)+`","a":`, depth) + "[1,2,3,4]" + strings.Repeat("}", depth),
	} {
		t.Run(name, func(t *testing.T) {
			v := RecordsPreview([]byte(p), moveworksPreview)
			if !json.Valid(v.JSON) {
				t.Fatalf("JSON is not valid: %.100s", v.JSON)
			}
			if n := len(v.Text); n > 4000 {
				t.Errorf("%d bytes, want up to 4000", n)
			}
		})
	}
}

func TestWithoutABudgetOnlyTheCutsAreMade(t *testing.T) {
	o := moveworksPreview
	o.Budget = 0
	p := []byte(`[{` + entries(10_000, `{"v":[1,2,3,4]}`) + `}]`)
	v := RecordsPreview(p, o)
	want := `[{` + entries(10_000, `{"v":[1,2,3]}`) + `}]`
	if string(v.JSON) != want {
		t.Errorf("%d bytes of JSON, want %d", len(v.JSON), len(want))
	}
}

// randomJSON writes a value with everything that a preview has to get past.
func randomJSON(r *rand.Rand, depth int, b *bytes.Buffer) {
	space := func() { b.WriteString([]string{"", "", "", " ", "\n\t"}[r.IntN(5)]) }
	str := func() {
		b.WriteByte('"')
		for range r.IntN(1 << r.IntN(9)) {
			b.WriteString([]string{"a", "]", "{", `\"`, `\\`, "é", "e\u0301", "👨‍👩‍👧", `\ud83d\ude00`, `\udead`, `\u001b[1m`, "日", `\r\n`}[r.IntN(13)])
		}
		b.WriteByte('"')
	}
	kind := r.IntN(6)
	if kind == 0 && depth > 0 && b.Bytes()[0] == '{' {
		kind = 1 // most objects hold no array at all
		if r.IntN(100) == 0 {
			kind = 0
		}
	}
	if depth == 0 {
		kind = r.IntN(2) // the root
	} else if depth > 8 {
		kind = 2 + r.IntN(4)
	}
	switch kind {
	case 0, 1:
		brackets := []string{"[]", "{}"}[kind]
		b.WriteByte(brackets[0])
		n := r.IntN(1 << r.IntN(6))
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			if kind == 1 {
				str()
				space()
				b.WriteByte(':')
				space()
			}
			randomJSON(r, depth+1+r.IntN(2), b)
			space()
		}
		b.WriteByte(brackets[1])
	case 2, 3:
		str()
	case 4:
		b.WriteString([]string{"0", "-1.10", "12345678901234567890", "1e1000", "true", "false", "null"}[r.IntN(7)])
	default:
		b.WriteString(strconv.Itoa(r.IntN(1 << 20)))
	}
}

func TestEveryPreviewIsValidJSONWithinTheBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: it runs once, without the race detector")
	}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b bytes.Buffer
		randomJSON(r, 0, &b)
		o := PreviewOptions{Records: 1 + r.IntN(4), StringChars: 1 + r.IntN(40), InnerItems: r.IntN(4),
			Budget: float64(r.IntN(400)), Estimator: Bytes4, MapKeys: 8}
		v := RecordsPreview(b.Bytes(), o)
		if !json.Valid(v.JSON) {
			t.Fatalf("seed %d: JSON is not valid\n%s\nof\n%s", seed, v.JSON, b.Bytes())
		}
		minimal := len(v.JSON) == 2
		if o.Budget > 0 && Bytes4.Of([]byte(v.Text)) > o.Budget && !minimal {
			t.Fatalf("seed %d: over %v tokens:\n%s", seed, o.Budget, v.Text)
		}
		f := Scan(b.Bytes(), ScanOptions{MapKeys: o.MapKeys})
		if v.Path != f.RecordsPath || v.Of != max(f.Records, 0) || (v.Records < 0) != (f.Records < 0) {
			t.Fatalf("seed %d: %d records at %q, the facts have %d at %q\n%s", seed, v.Of, v.Path, f.Records, f.RecordsPath, b.Bytes())
		}
		if !strings.HasPrefix(v.Text, string(v.JSON)) {
			t.Fatalf("seed %d: the text does not begin with the JSON", seed)
		}
		var all bytes.Buffer
		json.Compact(&all, b.Bytes())
		if whole := bytes.Equal(all.Bytes(), v.JSON); whole != v.Whole {
			t.Fatalf("seed %d: whole is %t\n%s\nof\n%s", seed, v.Whole, v.Text, all.Bytes())
		}
	}
}
