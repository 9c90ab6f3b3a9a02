package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

const completeSample = `{"expenses":[{"id":"E1","category":"travel","created_at":"x","amount":412.50,"who":{"name":"Zoë","first name":"Z"},"tags":["a"]},
{"id":"E2","category":"meals","created_at":"y","amount":3,"who":{"name":"Ann"},"tags":[],"paid":true},
{"id":"E3","category":"travel","created_at":"y","amount":3,"who":{"name":"Bob"},"tags":["b"],"paid":false}],"total":3}`

func outlined(t testing.TB, payload string) *Outline {
	t.Helper()
	o := Scan([]byte(payload), ScanOptions{Shape: true}).Shape.Outline(0)
	v, err := Decode([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	o.Learn(context.Background(), v)
	return o
}

// labels are what is offered, on one line.
func labels(offers []Offer) string {
	var all []string
	for _, o := range offers {
		all = append(all, o.Label)
	}
	return strings.Join(all, " ")
}

func TestFieldsAreOfferedWhereverTheFilterStands(t *testing.T) {
	root := outlined(t, completeSample)
	const record = ".id .category .created_at .amount .who .tags .paid"
	for filter, want := range map[string]string{
		".":                         ".expenses .total",
		".t":                        ".total",
		".expenses[0].":             record,
		".expenses[].c":             ".category .created_at",
		".expenses[-1].ca":          ".category",
		".expenses.":                "[] [].id [].category [].created_at [].amount [].who [].tags [].paid",
		".expenses | .[0].wh":       ".who",
		".expenses | map(.c":        ".category .created_at",
		".expenses | map(select(.c": ".category .created_at",
		".expenses[:2] | map(.amo":  ".amount",
		".expenses | group_by(.c":   ".category .created_at",
		".expenses | group_by(.id) | map(.[0].cat":        ".category",
		".expenses | map({c: .cat":                        ".category",
		".expenses | map({cat: .category, n: 1}) | .[0].": ".cat .n",
		".expenses | map({cat":                            "category",
		".expenses | sort_by(.amount) | first | .a":       ".amount",
		".expenses[] | .who.":                             `.name ."first name"`,
		`.expenses[] | .who["`:                            `"name" "first name"`,
		`.["expenses"][0].p`:                              ".paid",
		`."expenses"[0].p`:                                ".paid",
		".expenses as $e | .to":                           ".total",
		".expenses as $e | $e[0].p":                       ".paid",
		"reduce .expenses[] as $e (0; . + $e.a":           ".amount",
		"if .total > 1 then .expenses else .t":            ".total",
		".expenses[] | if .paid then .i":                  ".id",
		`"\(.to`:                                          ".total",
		`.expenses[] | "\(.category): \(.am`:              ".amount",
		"[.expenses[] | {id, category}] | map(.c":         ".category",
		".expenses | to_entries | map(.value.i":           ".id",
		".expenses[0] | with_entries(.k":                  ".key",
		".expenses |= map(.pa":                            ".paid",
		".expenses | min_by(.amount).ca":                  ".category",
		"[.expenses[] | select(.paid == true) | .c":       ".category .created_at",
		".. | .na":             ".name",
		".total.":              "",
		".expenses[0].id[0].":  "",
		".expenses[0].id | .n": "",
		`"abc" # .e`:           "",
		"1.":                   "",
		".category":            "",
	} {
		offers, _ := Complete(filter, root, nil)
		if got := labels(offers); got != want {
			t.Errorf("after %s: %q, want %q", filter, got, want)
		}
	}
}

func TestValuesAreOfferedAfterAComparison(t *testing.T) {
	root := outlined(t, completeSample)
	for filter, want := range map[string]string{
		".expenses[] | select(.category == ":     `"travel" "meals"`,
		`.expenses[] | select(.category == "tr`:  `"travel"`,
		".expenses | map(select(.category != ":   `"travel" "meals"`,
		".expenses[] | select(.paid ==":          "false true",
		".expenses[] | select(.paid == t":        "true test test",
		".expenses | any(.[]; .category == \"m":  `"meals"`,
		".expenses[0].category == \"travel\" or": "",
	} {
		offers, _ := Complete(filter, root, nil)
		got := labels(offers)
		if filter == ".expenses[] | select(.paid == t" {
			got, want = strings.Fields(got)[0], "true"
		}
		if got != want {
			t.Errorf("after %s: %q, want %q", filter, got, want)
		}
	}
}

func TestAFieldOfManyValuesOffersNone(t *testing.T) {
	var b strings.Builder
	for i := range FewValues + 1 {
		fmt.Fprintf(&b, `,{"id":%d,"kind":%d}`, i, i%FewValues)
	}
	root := outlined(t, "["+b.String()[1:]+"]")
	if n := len(root.Items.Field("id").Few); n != 0 {
		t.Errorf("%d values of 25 are kept", n)
	}
	if n := len(root.Items.Field("kind").Few); n != 24 {
		t.Errorf("%d values of 24 are kept", n)
	}
}

func TestTheMostFrequentValueComesFirstAndTextIsNoNumber(t *testing.T) {
	root := outlined(t, `[{"v":1},{"v":"1"},{"v":"1"},{"v":1.10},{"v":true}]`)
	if got := strings.Join(root.Items.Field("v").Few, " "); got != `"1" 1 1.10 true` {
		t.Errorf("the values are %s", got)
	}
}

func TestFunctionsVariablesAndFormatsAreOffered(t *testing.T) {
	root := outlined(t, completeSample)
	variables := map[string]*Outline{"rates_1": outlined(t, `{"EUR":1.1}`), "other": nil}
	for filter, want := range map[string]string{
		".expenses | gro":  "group_by",
		".expenses|un":     "unique unique_by until",
		"$":                "$other $rates_1",
		"$r":               "$rates_1",
		"$rates_1.":        ".EUR",
		"1 as $mine | $m":  "$mine",
		". as $":           "",
		".expenses[] | @c": "@csv",
		"{to":              "total",
		".total | to":      "to_entries toboolean todate todateiso8601 tojson tonumber tostring tostream",
	} {
		offers, typed := Complete(filter, root, variables)
		got := labels(offers)
		if filter == ".total | to" {
			got, want = fmt.Sprint(len(offers)), "8"
		}
		if got != want || len(offers) > 0 && !typed {
			t.Errorf("after %s: %q, want %q", filter, got, want)
		}
	}
	offers, typed := Complete(".expenses | ", root, nil)
	if typed || offers[0].Text != ".[]" {
		t.Errorf("after a bar: %+v, typed %v", offers[0], typed)
	}
}

// What is offered can be taken: the filter then compiles, or only lacks its end.
func TestEveryOfferMakesAFilterThatCanGoOn(t *testing.T) {
	root := outlined(t, completeSample)
	for _, before := range []string{".", ".expenses.", ".expenses[] | .who.", `.expenses[] | .who["`, ".expenses[] | select(.category == ", "{to", "", ".expenses | map(", "[.total] | @"} {
		offers, _ := Complete(before, root, nil)
		if len(offers) == 0 {
			t.Errorf("nothing after %q", before)
		}
		for _, o := range offers {
			filter := before[:len(before)-o.Replace] + o.Text
			if _, err := Compile(filter); err != nil {
				if e := err.(*QueryError); !e.Unfinished() && !strings.HasPrefix(e.Message, "there is no") && !strings.Contains("and as catch elif else end or then", o.Label) {
					t.Errorf("%q: %v", filter, err)
				}
			}
		}
	}
}

func TestEveryFunctionOfTheLibraryIsExplained(t *testing.T) {
	q, err := Compile("builtins[]")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, b := range builtins {
		if b.help == "" || !strings.Contains(b.forms, b.name) {
			t.Errorf("%s has no help or form", b.name)
		}
		known[b.name] = true
	}
	n := 0
	err = q.Run(context.Background(), nil, nil, func(v any) bool {
		name, _, _ := strings.Cut(v.(string), "/")
		if n++; !strings.HasPrefix(name, "_") && !known[name] {
			t.Errorf("%s is not explained", name)
		}
		return true
	})
	if err != nil || n < 150 {
		t.Errorf("%d functions, %v", n, err)
	}
}

// Whatever is typed, completion comes back, and replaces no more than there is.
func FuzzComplete(f *testing.F) {
	root := outlined(f, completeSample)
	for _, s := range []string{".expenses | map({c: .cat", `"\("\(.`, "]])){}", "reduce . as [$a] (", "end end . as", ".[.[.["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, before string) {
		offers, _ := Complete(before, root, nil)
		for _, o := range offers {
			if o.Replace < 0 || o.Replace > len(before) || o.Text == "" {
				t.Fatalf("%q offers %+v", before, o)
			}
		}
	})
}

func BenchmarkComplete(b *testing.B) {
	root := outlined(b, completeSample)
	for b.Loop() {
		Complete(".expenses | group_by(.category) | map({c: .[0].cat", root, nil)
	}
}

// What a filter defines is offered as jq's own functions are, and only after its definition's name.
func TestFunctionsThatAFilterDefinesAreOffered(t *testing.T) {
	for before, want := range map[string]string{
		"def total: map(.a) | add; tot":                      "total",
		"def within(lo; $hi): . >= lo and . <= $hi; . | wit": "within( within(lo; $hi)",
		"def tot":                       "",
		`"def total: 1;" | tot`:         "",
		"def outer: def inner: 1; inne": "inner",
	} {
		offers, typed := Complete(before, nil, nil)
		got := ""
		for _, o := range offers {
			if o.Help == "defined in this filter" {
				if got = o.Text; o.Detail != o.Text {
					got += " " + o.Detail
				}
			}
		}
		if got != want || !typed && want != "" {
			t.Errorf("%s: offered %q, want %q", before, got, want)
		}
	}
}
