package engine

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/itchyny/gojq"
)

// The filters of this file are run by the jq program (Debian's, 1.6 or newer) and by us, on the same
// payloads, some made for an edge and those of the fixtures (query_fixtures_test.go). The output has to
// be the same text, with -S where a filter made an object: ours has its keys sorted. But for the
// differences in this list jq's answer is right.
var jqDifferences = map[string]string{
	"newer":        "jq 1.6 has no such function or form yet: it came in 1.7 or 1.8",
	"sorted":       "the library visits an object's members by key, jq in the order of the payload; a text made by fromjson has lost it too",
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
	"spelling":     "a number keeps its spelling here until something computes with it; jq 1.6 writes its value",
	"minus-zero":   "an integer has no -0 in the library",
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

// A jqGroup is filters on a payload, each on a line. A line that starts with the name of a difference
// and a colon differs for this reason; behind "=>" it then says what we give: the results with ⏎
// between, and ! where an error ends them.
type jqGroup struct{ payload, filters string }

var jqFilters = []jqGroup{
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
sorted: paths | tojson => "[0]" ⏎ "[0,\"age\"]" ⏎ "[0,\"city\"]" ⏎ "[0,\"manager\"]" ⏎ "[0,\"name\"]" ⏎ "[0,\"tags\"]" ⏎ "[0,\"tags\",0]" ⏎ "[0,\"tags\",1]" ⏎ "[1]" ⏎ "[1,\"age\"]" ⏎ "[1,\"city\"]" ⏎ "[1,\"manager\"]" ⏎ "[1,\"name\"]" ⏎ "[1,\"tags\"]" ⏎ "[2]" ⏎ "[2,\"age\"]" ⏎ "[2,\"city\"]" ⏎ "[2,\"manager\"]" ⏎ "[2,\"name\"]" ⏎ "[2,\"note\"]" ⏎ "[2,\"tags\"]" ⏎ "[2,\"tags\",0]" ⏎ "[2,\"tags\",1]"
[paths(type == "number")]
[paths(..)] | length
path(.[0].name)
[path(..)] | length
getpath([0, "tags", 1])
[getpath([0, "name"], [5, "name"])]
setpath([0, "name"]; "X") | .[0].name
delpaths([[0], [1, "name"]]) | length
newer: pick(.[0].name) => [{"name":"Ada"}]
first, last
first(.[].name), last(.[].name)
nth(1).name
[nth(0, 2; .[].name)]
[limit(2; .[].name)]
limit-zero: [limit(0; .[].name)] => []
newer: [skip(1; .[].name)] => ["Bob","Cyd"]
isempty(.[]), isempty(empty)
[.[] | .age] | add / length
newer: add(.[].age) => 97
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
newer: .[2].note | [scan("(\\w) "; null)] => [["x"],["y"]]
[.[] | walk(if type == "number" then . + 1 else . end) | .age]
sorted: tostream | tojson => "[[0,\"age\"],36]" ⏎ "[[0,\"city\"],\"London\"]" ⏎ "[[0,\"manager\"],null]" ⏎ "[[0,\"name\"],\"Ada\"]" ⏎ "[[0,\"tags\",0],\"a\"]" ⏎ "[[0,\"tags\",1],\"b\"]" ⏎ "[[0,\"tags\",1]]" ⏎ "[[0,\"tags\"]]" ⏎ "[[1,\"age\"],25]" ⏎ "[[1,\"city\"],\"Paris\"]" ⏎ "[[1,\"manager\"],\"Ada\"]" ⏎ "[[1,\"name\"],\"Bob\"]" ⏎ "[[1,\"tags\"],[]]" ⏎ "[[1,\"tags\"]]" ⏎ "[[2,\"age\"],36]" ⏎ "[[2,\"city\"],\"London\"]" ⏎ "[[2,\"manager\"],\"Ada\"]" ⏎ "[[2,\"name\"],\"Cyd\"]" ⏎ "[[2,\"note\"],\"x y  z\"]" ⏎ "[[2,\"tags\",0],\"b\"]" ⏎ "[[2,\"tags\",1],\"c\"]" ⏎ "[[2,\"tags\",1]]" ⏎ "[[2,\"tags\"]]" ⏎ "[[2]]"
fromstream(tostream) | length
[1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]
[.[] | objects, arrays] | length
tojson | fromjson | length
tojson | length
.[0] | tostring
env | type
input: input_filename => null
[.[] | .city | ascii_downcase, ascii_upcase]
map(.name | explode | implode)
.[] | .name as $n | $n | ltrimstr("A"), rtrimstr("b"), startswith("A"), endswith("d")
[.[] | select(.manager) | .name]
[.. | numbers]
[.. | booleans, scalars] | length
[.. | iterables] | length
map(values) | length
more: .[0] | have_literal_numbers => !
.[0].tags + .[2].tags, .[0].tags - .[2].tags
.[0] * {extra: {a: 1}} | .extra
more: map(.name) | @text | ascii? => !
splits
builtins: builtins | length > 150 and (map(select(. == "input/0")) | length == 1) => true
$ENV | type
halt
debug, stderr | length
newer: map(debug("x")) | length => 3
.[0] | has("name"), has("zzz")
map(in({"Ada": 1})?)
"name" | in({"name": 1})
`},
	{"numbers", `
spelling: sort => [-5,0,1,2,2.5,3,100,1e3]
spelling: sort | reverse => [1e3,100,3,2.5,2,1,0,-5]
spelling: min, max, add, length => -5 ⏎ 1e3 ⏎ 1103.5 ⏎ 8
map(floor), map(ceil), map(round), map(sqrt? // 0)
map(fabs)
newer: map(abs) => [3,1,2,5,2.5,0,1e3,100]
minus-zero: map(-.) => [-3,-1,-2,5,-2.5,0,-1e3,-100]
map(. % 3)
spelling: map(tostring), map(tojson) => ["3","1","2","-5","2.5","0","1e3","100"] ⏎ ["3","1","2","-5","2.5","0","1e3","100"]
map(. == 2), map(. < 2), map(. <= 2), map(. >= 2), map(. != 2)
spelling: unique => [-5,0,1,2,2.5,3,100,1e3]
spelling: flatten, flatten(1) => [3,1,2,-5,2.5,0,1e3,100] ⏎ [3,1,2,-5,2.5,0,1e3,100]
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
gamma: [4 | gamma | round] => [6]
newer: [0.5 | erf, erfc | . * 1000 | floor] => [520,479]
[2 | j0, j1, y0, y1 | . * 1000 | floor]
[jn(2; 3), yn(2; 3) | . * 1000 | floor]
[pow(2; 10), atan2(1; 2), fmin(1; 2), fmax(1; 2), fmod(7; 3), fma(2; 3; 4) | . * 1000 | floor]
[fdim(5; 3), hypot(3; 4), copysign(3; -1), drem(10; 3), remainder(10; 3), nextafter(1; 2), nexttoward(1; 2), ldexp(3; 2), scalb(3; 2), scalbln(3; 2)] | map(. * 1000 | floor)
infinite | isinfinite, isnormal
nan | isnan
[1, infinite, nan | isfinite?] | length
[.[] | isnormal, isinfinite, isnan]
spelling: map(normals), map(finites) => [3,1,2,-5,2.5,1e3,100] ⏎ [3,1,2,-5,2.5,0,1e3,100]
nan-sort: [nan, 1] | sort => [null,1]
nan < nan, ([nan] | sort | .[0] | isnan)
1e1000, -1e1000
bigint: 12345678901234567890 + 1 => 12345678901234567891
[.[] | . as $x | [1, 2] | map(. + $x)] | flatten | add
limit(3; .[])
[.[] | select(. > 0)] | length
spelling: until(length < 3; .[1:]) => [1e3,100]
[1 | while(. < 100; . * 2)]
[1 | recurse(if . < 10 then . * 3 else empty end)]
[2 | recurse(. * .; . < 100)]
[.[] | tostring | tonumber] == .
map(. / 2)
1 / 0
implode: implode => "\u0003\u0001\u0002�\u0002\u0000Ϩd"
[65, 66, 8364] | implode
implode: [-1] | implode => "�"
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
null-error: error(null) => !
.a as {b: [$x, {$c}]} | [$x, $c]
{a: 1} + {b: 2}, {a: {b: 1}} * {a: {c: 2}}
format-key: {"a b": 1}."a b", {@text "x": 1} => !
{(("a", "b")): 1}
[.a, .g] | tojson
[recurse] | length
[recurse(.[]?)] | length
limit(1; ..) | keys
newer: if .f then "yes" end => "yes"
reduce range(5) as $i ([]; . + [$i * 2])
def f(x): x * 2; f(3), ([1, 2] | map(f(.)))
def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; 10 | fac
`},
	{"text", `
length, utf8bytelength
ascii_downcase, ascii_upcase
explode | length
regex-class: [match("\\w+"; "g").string] => ["The","quick","brown","fox","na","ve","caf","2024","01","15"]
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
regex-empty: [match("x*"; "g").offset] => [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47]
sub-many: [gsub("o"; "1", "2")] => ["The quick br1wn f1x — naïve café, 日本 2024-01-15","The quick br2wn f2x — naïve café, 日本 2024-01-15"]
startswith("The"), endswith("15"), ltrimstr("The "), rtrimstr("15")
newer: trim, ltrim, rtrim => "The quick brown fox — naïve café, 日本 2024-01-15" ⏎ "The quick brown fox — naïve café, 日本 2024-01-15" ⏎ "The quick brown fox — naïve café, 日本 2024-01-15"
newer: trimstr("T") => "he quick brown fox — naïve café, 日本 2024-01-15"
newer: "true" | toboolean => true
indices-byte: index("日"), rindex("日"), indices("a") => 34 ⏎ 34 ⏎ [23,29]
index("q"), indices("o"), rindex("zzz")
.[4:9], .[-5:], .[:3]
@base64, (@base64 | @base64d), @uri, @html, @sh, @json, @text
newer: @uri | @urid => "The quick brown fox — naïve café, 日本 2024-01-15"
@csv
[., 1] | @csv, @tsv, @sh
contains("quick"), inside("The quick")
tojson | fromjson == .
. * 2 | length
repeat-zero: . * 0 => ""
. / " " | length
tonumber
"12" | tonumber
"1.50" | tonumber
[.[0:3], "x"] | join(", ")
["a", 1, null, true] | join("-")
more: ascii? => !
ltrim-null: ltrimstr(1) => !
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
sorted: .[] => 1 ⏎ 2 ⏎ {"z":1,"y":2}
sorted: to_entries => [{"key":"a","value":1},{"key":"b","value":2},{"key":"c","value":{"z":1,"y":2}}]
sorted: [paths] => [["a"],["b"],["c"],["c","y"],["c","z"]]
sorted: tostream => [["a"],1] ⏎ [["b"],2] ⏎ [["c","y"],2] ⏎ [["c","z"],1] ⏎ [["c","z"]] ⏎ [["c"]]
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
null-error: try error catch . => null
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
halt_error(1)
[capture("(?<a>.)"; null)?]
"ab" | [capture("(?<x>B)"; "i")]
has-null: has("a") => false
input
getpath(["a", "b"])
[splits("a")?]
ltrim-null: ltrimstr("a") => !
reduce empty as $x (0; 1)
[limit(5; range(100))]
first(range(10; 20))
[range(0)], [range(3; 1)]
regex-flag: "abc" | test("B"; "i"), test("B"; "x") => true !
isvalid(1)?
implode: [.] | implode?
more: $__loc__ => !
@base64 "x\("a")"
(1, 2) as $x | $x * 10
[(1, 2) + (10, 20)]
constant: try (1 / 0) catch "division" => "division"
error("x")
{} | .a += 1, .a -= 1, .a *= 2
{a: null} | .a // "d", .b // "e"
`},
}

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
	onFixtures, calledHere, used := 0, map[string]bool{}, map[string]bool{}
	for _, group := range append(fixtureFilters, jqFilters...) {
		payload, made := jqPayloads[group.payload]
		if !made {
			payload = fixturePayload(t, group.payload)
		}
		var rows []jqRow
		for _, line := range strings.Split(strings.TrimSpace(group.filters), "\n") {
			row := jqRowOf(line)
			rows = append(rows, row)
			used[row.reason] = true
			if q, err := gojq.Parse(row.filter); err == nil {
				called(q, func(name string) { calledHere[name] = true })
			}
		}
		if !made {
			onFixtures += len(rows)
		}
		t.Run(group.payload, func(t *testing.T) {
			t.Parallel()
			for _, row := range rows {
				row.check(t, program, payload)
			}
		})
	}
	if onFixtures < 150 {
		t.Errorf("only %d filters on payloads of the fixtures", onFixtures)
	}
	for name := range jqDifferences {
		if !used[name] {
			t.Errorf("no filter shows the difference %s", name)
		}
	}
	for _, name := range Builtins() {
		if !calledHere[name] {
			t.Errorf("no filter calls %s", name)
		}
	}
}

// A jqRow is one filter, and where it differs from jq why and what we give.
type jqRow struct{ reason, filter, want string }

func jqRowOf(line string) jqRow {
	name, rest, ok := strings.Cut(line, ": ")
	if !ok || jqDifferences[name] == "" {
		return jqRow{filter: line}
	}
	filter, want, _ := strings.Cut(rest, " => ")
	return jqRow{name, filter, want}
}

func (row jqRow) check(t *testing.T, program, payload string) {
	got, sorted, ourErr := outputOf(row.filter, payload)
	if row.reason != "" {
		shown := strings.ReplaceAll(got, "\n", " ⏎ ")
		if ourErr != nil {
			shown = strings.TrimSpace(shown + " !")
		}
		if shown != row.want {
			t.Errorf("%s: %s\n gives %s (%v)\n want  %s", row.reason, row.filter, shown, ourErr, row.want)
		}
		return
	}
	arguments := []string{"-c", row.filter}
	if sorted {
		arguments[0] = "-cS"
		if got, ourErr = sortedOutputOf(row.filter, payload); ourErr != nil {
			t.Errorf("%s ends with %v once its keys are sorted", row.filter, ourErr)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Stdin = strings.NewReader(payload)
	want, jqErr := cmd.Output()
	if ctx.Err() != nil {
		t.Errorf("jq does not end: %s", row.filter)
	}
	if text := strings.TrimSuffix(string(want), "\n"); got != text || (jqErr == nil) != (ourErr == nil) {
		t.Errorf("%s\n gives %.400s (%v)\n jq    %.400s (%v)", row.filter, got, ourErr, text, jqErr)
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

// outputOf is a filter's output a result a line, objects of the payload in its order; sorted tells
// that another object is in it.
func outputOf(filter, payload string) (text string, sorted bool, err error) {
	results, report, err := NewQueries(0).Runner().Collect(context.Background(), requestOf(filter, payload))
	return linesOf(results), report.Sorted, err
}

// sortedOutputOf is a filter's output with the keys of all objects sorted.
func sortedOutputOf(filter, payload string) (string, error) {
	q, err := Compile(filter)
	if err != nil {
		return "", err
	}
	input, err := Decode([]byte(payload))
	if err != nil {
		return "", err
	}
	lines, _, err := q.Collect(context.Background(), input, nil, QueryLimits{}, 0)
	return string(bytes.Join(lines, []byte("\n"))), err
}
