package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The filters of this file are run by the jq program (Debian's, 1.6 or newer) and by us, on the same
// payloads. jq's answer is what is right, but for the differences in this list. Values are compared,
// not their spelling: jq 1.6 rounds numbers.
var jqDifferences = map[string]string{
	"newer":        "jq 1.6 has no such function or form yet: it came in 1.7 or 1.8",
	"sorted":       "the library visits an object's members by key, jq in the order of the payload",
	"repeat-zero":  "a string times 0 is null before jq 1.8",
	"implode":      "jq 1.6 aborts where a number is no code point",
	"regex-empty":  "jq 1.6 gives other empty matches, and gsub does not end on them",
	"regex-class":  "\\w and its like mean ASCII in the library",
	"regex-flag":   "the library knows the flags g, i and m",
	"sub-many":     "jq 1.6 gives all combinations of several replacements",
	"indices-byte": "jq 1.6 counts the places of a string in bytes",
	"limit-zero":   "jq 1.6 gives one result for limit(0)",
	"nan-sort":     "jq 1.6 orders NaN otherwise",
	"builtins":     "the functions are not all the same",
	"input":        "a filter here gets one value, of no file",
	"ltrim-null":   "jq gives the input back where a string is needed and there is none",
	"bigint":       "jq 1.6 rounds integers above 2^53",
	"gamma":        "jq 1.6 means the logarithm by gamma",
	"more":         "the jq program has more functions than the library",
	"tojson":       "a number keeps its spelling here",
	"has-null":     "has of null is false in the library, an error in jq",
	"null-error":   "jq 1.6 takes the error null for none",
	"format-key":   "the library takes no format for a key",
	"constant":     "jq 1.6 divides constants before it runs, outside try",
}

const jqPeople = `[{"name":"Ada","age":36,"tags":["a","b"],"city":"London","manager":null},` +
	`{"name":"Bob","age":25,"tags":[],"city":"Paris","manager":"Ada"},` +
	`{"name":"Cyd","age":36,"tags":["b","c"],"city":"London","manager":"Ada","note":"x y  z"}]`

var jqPayloads = map[string]string{
	"people":  jqPeople,
	"numbers": `[3,1,2,-5,2.5,0,1e3,100]`,
	"nested":  `{"a":{"b":[1,{"c":"d"},[2,[3,[4]]]]},"e":null,"f":true,"g":"text"}`,
	"text":    `"The quick brown fox — naïve café, 日本 2024-01-15"`,
	"null":    `null`,
	"mixed":   `[null,true,false,0,-1,"b","a",[1],[0,1],{"a":1},{"a":0},{"b":0}]`,
	"strings": `["b","a","c a","B","", "a,b", "1", "x\"y"]`,
	"objects": `{"b":2,"a":1,"c":{"z":1,"y":2}}`,
}

// jqFilters are groups of filters on a payload, each on a line. A line that starts with the name of
// a difference and a colon is allowed to differ for this reason.
var jqFilters = []struct{ payload, filters string }{
	{"people", `
.
.[0]
.[-1]
.[1:]
.[:-1]
.[0,2].name
.[].name
.[]?.tags[]?
map(.age)
map(select(.city == "London")) | length
[.[] | .name + " of " + .city]
map({name, years: .age})
map({(.name): .age}) | add
group_by(.city) | map({city: .[0].city, n: length})
sort_by(.age, .name) | map(.name)
sort_by(-.age) | map(.name)
min_by(.age).name, max_by(.age).name
unique_by(.city) | map(.name)
map(.city) | unique
[.[] | .tags | length]
map(.tags) | add
map(.tags | join("-"))
map(has("note"))
map(.manager // "none")
any(.[]; .age > 30), all(.[]; .age > 30)
map(.age > 30) | any, all
INDEX(.name) | keys
INDEX(.[]; .city) | map_values(.name)
[JOIN(INDEX(.name); .manager // "")] | length
[JOIN({"Ada": 1}; .[]; .name)]
[JOIN({"Ada": 1}; .[]; .name; .[1])]
[.[] | select(.name | IN("Ada", "Bob")) | .name]
IN(.[].age; 25, 26)
map(keys) | .[0]
map(to_entries) | .[1] | length
map(with_entries(select(.value != null))) | map(length)
.[0] | to_entries | from_entries
map(del(.tags, .note))
del(.[0, 1]) | length
del(.[].tags[0])
map(.tags |= map(ascii_upcase))
.[0].age = 40
.[].age += 1
.[].age -= 1 | map(.age)
.[].age *= 2 | map(.age)
.[].age /= 2 | map(.age)
.[].age %= 10 | map(.age)
.[].manager //= "nobody"
map_values(.name)
sorted: paths | tojson
[paths(type == "number")]
[paths(..)] | length
path(.[0].name)
[path(..)] | length
getpath([0, "tags", 1])
[getpath([0, "name"], [5, "name"])]
setpath([0, "name"]; "X") | .[0].name
delpaths([[0], [1, "name"]]) | length
newer: pick(.[0].name)
first, last
first(.[].name), last(.[].name)
nth(1).name
[nth(0, 2; .[].name)]
[limit(2; .[].name)]
limit-zero: [limit(0; .[].name)]
newer: [skip(1; .[].name)]
isempty(.[]), isempty(empty)
[.[] | .age] | add / length
newer: add(.[].age)
reduce .[] as $p (0; . + $p.age)
[foreach .[] as $p (0; . + $p.age; [$p.name, .])]
[foreach .[] as {name: $n, age: $a} (0; . + $a; $n)]
. as [$first, {name: $second}] | $first.name + $second
[.[] as {tags: [$t]} | $t]
[.[] as [$x] ?// {name: $x} | $x]
label $out | .[] | if .age == 25 then ., break $out else . end | .name
[.[] | if .age > 30 then "old" elif .age > 20 then "young" else "?" end]
[.[] | try error(.name) catch .]
[.[] | (.tags[0] | ascii_downcase)?]
[.[] | "\(.name) is \(.age): \(.tags)"]
[.[] | @text "\(.tags)", @json "\(.name)"]
.[] | [.name, .age] | @csv
.[] | [.name, .age, null, true] | @tsv
.[] | .name | @html, @uri, @sh, @base64
map(@json) | length
contains([{name: "Ad"}])
.[0] | contains({tags: ["a"]}), inside({name: "Ada B", age: 36, tags: ["a", "b", "c"], city: "London", manager: null})
[.[] | .tags | index("b"), rindex("b"), indices("b")]
[limit(3; repeat(1))]
map(.tags) | transpose
map(.age) | combinations?
[[1, 2], [3, 4]] | [combinations]
[[0, 1] | combinations(2)]
[range(5)], [range(2; 5)], [range(0; 10; 3)], [range(5; 0; -2)]
[.[] | .note // empty | split(" ")]
[.[] | .note | strings, nulls]
[splits("a")?]
.[2].note | [splits(" +")]
.[2].note | split(" +"; null)
.[2].note | sub("x"; "y"), gsub(" "; "_"), gsub("(?<a>[xyz])"; "<\(.a)>")
.[2].note | [match("[a-z]"; "g").offset]
.[2].note | test("X"; "i"), test("q")
.[2].note | capture("(?<first>\\w) (?<second>\\w)")
.[2].note | [scan("\\w")]
newer: .[2].note | [scan("(\\w) "; null)]
[.[] | walk(if type == "number" then . + 1 else . end) | .age]
sorted: tostream | tojson
fromstream(tostream) | length
[1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]
[.[] | objects, arrays] | length
tojson | fromjson | length
tojson | length
.[0] | tostring
env | type
input: input_filename
[.[] | .city | ascii_downcase, ascii_upcase]
map(.name | explode | implode)
.[] | .name as $n | $n | ltrimstr("A"), rtrimstr("b"), startswith("A"), endswith("d")
[.[] | select(.manager) | .name]
[.. | numbers]
[.. | booleans, scalars] | length
[.. | iterables] | length
map(values) | length
newer: .[0] | have_literal_numbers
.[0].tags + .[2].tags, .[0].tags - .[2].tags
.[0] * {extra: {a: 1}} | .extra
more: map(.name) | @text | ascii?
splits
builtins: builtins | length
$ENV | type
halt
debug, stderr | length
newer: map(debug("x")) | length
.[0] | has("name"), has("zzz")
map(in({"Ada": 1})?)
"name" | in({"name": 1})
`},
	{"numbers", `
sort
sort | reverse
min, max, add, length
map(floor), map(ceil), map(round), map(sqrt? // 0)
map(fabs)
newer: map(abs)
map(-.)
map(. % 3)
tojson: map(tostring), map(tojson)
map(. == 2), map(. < 2), map(. <= 2), map(. >= 2), map(. != 2)
unique
flatten, flatten(1)
sort | bsearch(2), bsearch(7)
map(trunc)
map(rint), map(nearbyint)
map(significand), map(logb)
map(frexp)
map(modf)
map(sin, cos, tan | . * 1000 | floor)
map(atan, asinh, sinh, cosh, tanh | . * 1000 | floor?) | length
[0.5 | asin, acos, atanh | . * 1000 | floor]
[2 | acosh, exp, exp2, exp10, expm1, log, log2, log10, log1p, cbrt | . * 1000 | floor]
[4 | lgamma, tgamma | round]
gamma: [4 | gamma | round]
newer: [0.5 | erf, erfc | . * 1000 | floor]
[2 | j0, j1, y0, y1 | . * 1000 | floor]
[jn(2; 3), yn(2; 3) | . * 1000 | floor]
[pow(2; 10), atan2(1; 2), fmin(1; 2), fmax(1; 2), fmod(7; 3), fma(2; 3; 4) | . * 1000 | floor]
[fdim(5; 3), hypot(3; 4), copysign(3; -1), drem(10; 3), remainder(10; 3), nextafter(1; 2), nexttoward(1; 2), ldexp(3; 2), scalb(3; 2), scalbln(3; 2)] | map(. * 1000 | floor)
infinite | isinfinite, isnormal
nan | isnan
[1, infinite, nan | isfinite?] | length
[.[] | isnormal, isinfinite, isnan]
map(normals), map(finites)
nan-sort: [nan, 1] | sort
nan < nan, ([nan] | sort | .[0] | isnan)
1e1000, -1e1000
bigint: 12345678901234567890 + 1
[.[] | . as $x | [1, 2] | map(. + $x)] | flatten | add
limit(3; .[])
[.[] | select(. > 0)] | length
until(length < 3; .[1:])
[1 | while(. < 100; . * 2)]
[1 | recurse(if . < 10 then . * 3 else empty end)]
[2 | recurse(. * .; . < 100)]
[.[] | tostring | tonumber] == .
map(. / 2)
1 / 0
implode: implode
[65, 66, 8364] | implode
implode: [-1] | implode
now | type
0 | todate
1425599621 | todate, gmtime
1425599621 | strftime("%Y-%m-%dT%H:%M:%SZ")
1425599621 | todateiso8601
"2015-03-05T23:53:41Z" | fromdate, fromdateiso8601
"2015-03-05T23:53:41Z" | strptime("%Y-%m-%dT%H:%M:%SZ") | mktime
1425599621 | localtime | type
1425599621 | strflocaltime("%Y")
1425599621 | gmtime | mktime
`},
	{"nested", `
.. | numbers
[..] | length
.a.b[1].c, .a["b"][0], ."a"."b"[2][1][0]
.a.b[5], .zzz, .e.f.g
flatten | length
.a.b | flatten
.a.b | flatten(1)
paths(type == "string")
to_entries | map(.key)
with_entries(.key |= ascii_upcase) | keys
map_values(type)
[.[] | type]
.a.b |= map(type)
.a.b[1].c |= ascii_upcase
.x.y.z = 1 | .x
.a.b[7] = 1 | .a.b | length
del(.a.b[0, 1]) | .a
del(.. | select(. == null))
delpaths([["a", "b"], ["a"]])
tostream | length
[tostream] | fromstream(.[]) == {"a": 1} | not
has("a"), has("zzz")
.e | not
.f and .e, .f or .e, (.e | not)
.g | length, utf8bytelength
.a | length
.e | length
.a.b | first, last
try error("x") catch ., try error({a: 1}) catch .a
.a?, .g.x?
.g.x
[.g, .f | tostring]
error
null-error: error(null)
.a as {b: [$x, {$c}]} | [$x, $c]
{a: 1} + {b: 2}, {a: {b: 1}} * {a: {c: 2}}
format-key: {"a b": 1}."a b", {@text "x": 1}
{(("a", "b")): 1}
[.a, .g] | tojson
[recurse] | length
[recurse(.[]?)] | length
limit(1; ..) | keys
newer: if .f then "yes" end
reduce range(5) as $i ([]; . + [$i * 2])
def f(x): x * 2; f(3), ([1, 2] | map(f(.)))
def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; 10 | fac
`},
	{"text", `
length, utf8bytelength
ascii_downcase, ascii_upcase
explode | length
regex-class: [match("\\w+"; "g").string]
[match("[aeiou]"; "g") | .offset] | length
test("quick"), test("QUICK"), test("QUICK"; "i"), test(["QUICK", "i"])
capture("(?<y>\\d{4})-(?<m>\\d\\d)")
[scan("[0-9]+")]
[scan("([a-z])([a-z])") | add] | .[0]
[match(["o", "g"]).offset]
split(" ")
split(", ") | length
[splits("[ ,]+")]
[splits("O"; "i")]
sub("(?<w>\\w+)"; "<\(.w)>")
gsub("\\s"; "")
gsub("O"; "0"; "i")
sub("o"; "0"; "g")
regex-empty: [match("x*"; "g").offset]
sub-many: [gsub("o"; "1", "2")]
startswith("The"), endswith("15"), ltrimstr("The "), rtrimstr("15")
newer: trim, ltrim, rtrim
newer: trimstr("T")
newer: "true" | toboolean
indices-byte: index("日"), rindex("日"), indices("a")
index("q"), indices("o"), rindex("zzz")
.[4:9], .[-5:], .[:3]
@base64, (@base64 | @base64d), @uri, @html, @sh, @json, @text
newer: @uri | @urid
@csv
[., 1] | @csv, @tsv, @sh
contains("quick"), inside("The quick")
tojson | fromjson == .
. * 2 | length
repeat-zero: . * 0
. / " " | length
tonumber
"12" | tonumber
"1.50" | tonumber
[.[0:3], "x"] | join(", ")
["a", 1, null, true] | join("-")
more: ascii?
ltrim-null: ltrimstr(1)
implode
format("json"), format("base64")
format("nope")
@json "x\(1 + 1)y", @html "<\("<&>")>"
`},
	{"mixed", `
sort
sort | map(type)
unique | length
group_by(type) | map(length)
min, max
map(type)
map(not)
map(length?)
map(tojson)
map(tostring)
map(. == 0)
. == ., . < [], . > {}
index(0), indices(true), rindex([1])
map(scalars), map(values), map(nulls), map(booleans), map(numbers), map(strings), map(arrays), map(objects), map(iterables)
[.[] | if . then 1 else 0 end]
map(. // "default")
[.[] | select(type == "object") | .a?]
unique_by(type) | map(type)
min_by(type), max_by(type)
. - [null, true]
index([1])
.[[1]]
map(has(0)?)
to_entries | length
flatten
any, all
add?
contains(["a"])
inside([1])
reverse | .[0]
tostream | tojson
transpose?
map(keys?)
`},
	{"strings", `
sort, unique, min, max, add
map(length), map(ascii_downcase), map(explode)
join(","), join("")
map(split(","))
map(test("a"))
map(sub("a"; "b"))
map(tonumber?)
@csv, @tsv, @sh, @json
map(@csv?), map(@base64), map(@uri), map(@html)
map(startswith("a")), map(endswith("a"))
map(ltrimstr("a")), map(rtrimstr("a"))
map(ascii_upcase) | sort
group_by(length) | map(length)
map(. + "!")
map(. * 2)
map(indices("a"))
map({(.): 1}) | add | keys
map(tojson | fromjson) == .
index("a"), .[2:4]
sort | bsearch("a")
map(utf8bytelength)
map([., 1] | @csv)
with_entries(.value |= length)
`},
	{"objects", `
.
.c
keys, length
[.c, .]
to_entries | map(.value) | length
sorted: .[]
sorted: to_entries
sorted: [paths]
sorted: tostream
map_values(.)
add?
with_entries(.value = 1)
has("a"), has("z")
del(.b)
.b = 5
.c.z |= . + 1
tojson
. == {"a": 1, "b": 2, "c": {"y": 2, "z": 1}}
contains({c: {y: 2}})
any, all
[.[] | numbers] | sort
map(type) | sort
{c, a}
. + {a: 9}
. * {c: {y: 9}}
`},
	{"null", `
.
length, not, type
.a, .[0], .[1:2]
. + 1, 1 + .
[.[]?]
.a.b.c = 1
.[2] = 1
null-error: try error catch .
1, 2, empty, 3
[]
{}
[1, [2]] | .[1][0]
"\u00e9\ud83d\ude00"
"a\tb\n"
1 as $x | 2 as $y | [$x, $y, $x + $y]
[1, 2, 3] | .[1:] = [9]
[1, 2, 3] | .[0] |= empty
try ("a" | error) catch .
"x" | ascii_downcase | @json
[1, 2] - [2], {} + {}, "a" + "b"
5 % 3, -5 % 3, 5 % -3
1 == 1.0, "a" < "b", [] < {}
infinite, -infinite | tostring
[.[]?, 1] | length
halt_error
has-null: has("a")
input
getpath(["a", "b"])
[splits("a")?]
ltrim-null: ltrimstr("a")
reduce empty as $x (0; 1)
[limit(5; range(100))]
first(range(10; 20))
[range(0)], [range(3; 1)]
regex-flag: "abc" | test("B"; "i"), test("B"; "x")
isvalid(1)?
implode: [.] | implode?
more: $__loc__
@base64 "x\("a")"
(1, 2) as $x | $x * 10
[(1, 2) + (10, 20)]
constant: try (1 / 0) catch "division"
error("x")
{} | .a += 1, .a -= 1, .a *= 2
{a: null} | .a // "d", .b // "e"
`},
}

var jqName = regexp.MustCompile(`[a-zA-Z_][a-zA-Z0-9_]*`)

func TestJqProgramGivesTheSame(t *testing.T) {
	program, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("the jq program is not installed")
	}
	if testing.Short() {
		t.Skip("hundreds of processes: it runs once, without the race detector")
	}
	if n := len(jqDifferences); n > 25 {
		t.Errorf("%d differences: at most 25", n)
	}
	filters, spelled := 0, map[string]bool{}
	for _, group := range jqFilters {
		payload := jqPayloads[group.payload]
		for _, filter := range strings.Split(strings.TrimSpace(group.filters), "\n") {
			reason := ""
			if name, rest, ok := strings.Cut(filter, ": "); ok && jqDifferences[name] != "" {
				reason, filter = name, rest
			}
			filters++
			for _, name := range jqName.FindAllString(filter, -1) {
				spelled[name] = true
			}
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			cmd := exec.CommandContext(ctx, program, "-c", filter)
			cmd.Stdin = strings.NewReader(payload)
			want, jqErr := cmd.Output()
			if ctx.Err() != nil {
				t.Errorf("jq does not end: %s", filter)
			}
			cancel()
			got, ourErr := outputOf(filter, payload)
			if reason == "" && (!sameValues(string(want), got) || (jqErr == nil) != (ourErr == nil)) {
				t.Errorf("%s of %s\n gives %.300q (%v)\n jq    %.300q (%v)", filter, group.payload, got, ourErr, strings.TrimSpace(string(want)), jqErr)
			}
		}
	}
	if filters < 150 {
		t.Errorf("only %d filters", filters)
	}
	for _, name := range Builtins() {
		name, _, _ = strings.Cut(name, "/")
		if !spelled[name] {
			t.Errorf("no filter calls %s", name)
		}
	}
}

// sameValues tells whether two texts hold the same JSON values.
func sameValues(x, y string) bool {
	return reflect.DeepEqual(valuesOf(x), valuesOf(y))
}

func valuesOf(s string) (values []any) {
	d := json.NewDecoder(strings.NewReader(s))
	for {
		var v any
		if d.Decode(&v) != nil {
			return values
		}
		values = append(values, v)
	}
}

// TestAnObjectOfThePayloadKeepsItsOrder: the texts are written by hand.
func TestAnObjectOfThePayloadKeepsItsOrder(t *testing.T) {
	payload := `{"z":1,"a":{"y":1.10,"b":[{"k":1,"c":2},{"c":3,"k":4}]},"m":12345678901234567890}`
	for _, c := range []struct {
		filter, want string
		sorted       bool
	}{
		{".", payload, false},
		{".a", `{"y":1.10,"b":[{"k":1,"c":2},{"c":3,"k":4}]}`, false},
		{".a.b | map(.)", `[{"k":1,"c":2},{"c":3,"k":4}]`, false},
		{".a.b | sort_by(-.c) | .[]", `{"c":3,"k":4}` + "\n" + `{"k":1,"c":2}`, false},
		{".a | tojson", `"{\"y\":1.10,\"b\":[{\"k\":1,\"c\":2},{\"c\":3,\"k\":4}]}"`, false},
		{"{z, a: .a.b[0]}", `{"a":{"k":1,"c":2},"z":1}`, true},
		{".z = 5 | .a", `{"y":1.10,"b":[{"k":1,"c":2},{"c":3,"k":4}]}`, false},
		{".z = 5 | del(.a)", `{"m":12345678901234567890,"z":5}`, true},
		{".a.b[1] + {}", `{"c":3,"k":4}`, false},
	} {
		results, report, err := NewQueries(0).Runner().Collect(context.Background(), requestOf(c.filter, payload))
		if got := linesOf(results); got != c.want || report.Sorted != c.sorted || err != nil {
			t.Errorf("%s: %s, sorted %t, %v; want %s, sorted %t", c.filter, got, report.Sorted, err, c.want, c.sorted)
		}
	}
}

func requestOf(filter, payload string) QueryRequest {
	return QueryRequest{Filter: filter,
		Input: QuerySource{Load: func(context.Context) ([]byte, error) { return []byte(payload), nil }}}
}

func linesOf(results []QueryResult) string {
	var lines [][]byte
	for _, r := range results {
		lines = append(lines, r.JSON)
	}
	return string(bytes.Join(lines, []byte("\n")))
}

func outputOf(filter, payload string) (string, error) {
	results, _, err := NewQueries(0).Runner().Collect(context.Background(), requestOf(filter, payload))
	return linesOf(results), err
}
