package engine

import (
	"context"
	"path/filepath"
	"testing"

	"floodmark/history"
)

// fixtureResults are where the payloads of fixtureFilters are: a recording and which of its results.
var fixtureResults = map[string]struct {
	recording string
	result    int
}{
	"expenses": {"expenses-structured.json", 0},
	"rendered": {"expenses-rendered.json", 0},
	"accounts": {"crm-stringified.json", 0},
	"tickets":  {"threshold-edge.json", 0},
	"ids":      {"ids.json", 0},
	"hosts":    {"ids.json", 1},
	"reviews":  {"cjk-emoji.json", 1},
}

// fixturePayload is the text of a fixture's result.
func fixturePayload(t testing.TB, name string) string {
	t.Helper()
	from := fixtureResults[name]
	recordings, err := history.Open(context.Background(), filepath.Join("..", "fixtures", from.recording), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, call := range recordings[0].Conversations[0].Calls() {
		if call.Result == nil {
			continue
		}
		if n++; n > from.result {
			payload, err := call.Result.Payload.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			return string(payload)
		}
	}
	t.Fatalf("%s has no result %d", from.recording, from.result)
	return ""
}

// fixtureFilters are what people ask of such payloads; the form is that of jqFilters.
var fixtureFilters = []jqGroup{
	{"expenses", `
keys, length
.expenses | length
.expenses[0]
.expenses[-1], .expenses[499], .expenses[500]
.expenses[:3]
.expenses[-3:] | map(.category)
.expenses[2:5][1].amount
spelling: [.expenses[].amount] | min, max, length => 4.12 ⏎ 896.70 ⏎ 500
.expenses | map(.category) | unique
.expenses | group_by(.category) | map({category: .[0].category, n: length})
.expenses | group_by(.category) | map({(.[0].category): length}) | add
.expenses | map(.amount | floor) | add
.expenses | map(select(.amount > 150)) | length
.expenses[] | select(.category == "travel" and .amount > 140) | .description
.expenses | sort_by(.amount) | reverse | .[:5] | map(.description)
.expenses | sort_by(.category, -.amount) | .[0:4] | map(.description)
spelling: .expenses | min_by(.amount), max_by(.amount) | .amount => 4.12 ⏎ 896.70
.expenses | unique_by(.category) | map(.category)
.expenses | map(.description | length) | max
.expenses | map(.description | split(" ") | .[0]) | unique
.expenses | map(select(.description | test("^Lunch"))) | length
.expenses | map(select(.description | contains("Turin"))) | length
.expenses | map(select(.description | startswith("Hotel"))) | map(.amount | round)
.expenses[:4] | map(.description | ascii_upcase)
.expenses[:4] | map(.description | sub("(?<w>[A-Z][a-z]+)"; "<\(.w)>"))
.expenses[:4] | map(.description | gsub(" "; "_"))
.expenses[:3] | map(.description | [match("[A-Z]"; "g").offset])
.expenses[:3] | map(.description | capture("(?<first>[a-zA-Z]+) (?<second>[a-z]+)"))
.expenses[:2] | map(.description | [scan("[aeiou]")] | length)
.expenses[:3] | map([.category, .amount]) | .[] | @csv
.expenses[:3] | map([.category, .description]) | .[] | @tsv
.expenses[:2][] | @json
.expenses[:2][] | @html "<b>\(.description)</b>"
.expenses[:2][] | @uri "q=\(.description)"
.expenses[:2][] | @sh "echo \(.description)"
.expenses[:2][] | .description | @base64
.expenses[:2][] | .description | @base64 | @base64d
.expenses[:2][] | "\(.category): \(.amount)"
sorted: .expenses[:2] | map(to_entries | map(.key)) => [["amount","category","description"],["amount","category","description"]]
.expenses[:3] | map(with_entries(select(.key != "description")))
.expenses[:3] | map(del(.amount))
.expenses[:3] | map(.amount |= . + 1)
.expenses[:3] | map(.amount += 0.5 | .amount)
.expenses[:3] | map(. + {seen: true})
.expenses[:3] | map({category, amount})
.expenses[:3] | map(has("amount"), has("owner"))
.expenses[:3] | map(.owner // "nobody")
.expenses[:3] | [paths] | length
.expenses[:2] | [paths(type == "number")]
more: .expenses[:2] | [leaf_paths] | length => !
.expenses[:2] | [getpath([0, "amount"], [1, "category"], [9, "zzz"])]
.expenses[:2] | setpath([0, "category"]; "x") | .[0].category
.expenses[:2] | delpaths([[0], [1, "amount"]])
.expenses[:2] | tojson | fromjson | length
.expenses[:2] | [.[] | tostring | length]
.expenses[:2] | [tostream] | length
.expenses[:2] | fromstream(tostream) | length
.expenses[:2] | [.[] | .amount | tostring]
.expenses | any(.amount > 199), all(.amount > 0)
.expenses | any(.[]; .category == "cloud"), all(.[]; .category == "cloud")
.expenses | map(.category) | index("travel"), rindex("travel"), (indices("travel") | length)
.expenses | map(.category) | .[["travel", "travel"]] | length
.expenses | map(.amount) | sort | .[250]
.expenses | map(.amount) | (add / length * 100 | round)
reduce .expenses[] as $e ({}; .[$e.category] += 1)
reduce .expenses[] as {category: $c, amount: $a} ({}; .[$c] += ($a | floor))
[foreach .expenses[:6][] as $e (0; . + 1; [., $e.category])]
[limit(3; .expenses[] | select(.category == "meals") | .description)]
first(.expenses[] | select(.amount < 20)) | .category
[.expenses[:5][] | if .amount > 150 then "high" elif .amount > 100 then "mid" else "low" end]
[.expenses[:5][] | try (.amount | error) catch (. | floor)]
.expenses | INDEX(.category) | keys
.expenses | INDEX(.category) | map_values(.amount)
[.expenses[:4][] | select(.category | IN("travel", "cloud")) | .category]
[.expenses[].category] | [.[:5], .[5:10]] | transpose | length
.expenses as $all | $all[0].category as $c | $all | map(select(.category == $c)) | length
.expenses | . as [$first, $second] | [$first.category, $second.category]
.expenses[:3] | walk(if type == "number" then floor else . end)
.expenses[:3] | map(.amount) | [.[] * 2] | map(. % 7)
.expenses[:3] | [.[] | .amount, .category] | map(type)
.expenses[:3] | flatten == .
.expenses[:3] | [.[][]] | map(scalars) | length
.expenses[:3] | [.. | numbers]
.expenses[:3] | [.. | strings] | length
.expenses[:3] | map(.description | explode | .[0])
.expenses[:3] | map(.description | explode | implode) | .[0]
.expenses[:3] | map(.description | ltrimstr("Servers "), rtrimstr("Verde"))
.expenses[:3] | map(.description | utf8bytelength)
.expenses[:3] | map(.description[0:7])
.expenses[:3] | map(.category) | join(", ")
.expenses[:3] | map(.category) | combinations? // "none"
.expenses | length as $n | [range(0; $n; 100)]
sorted: .expenses[0] | to_entries[] | "\(.key)=\(.value)" => "amount=153.17" ⏎ "category=cloud" ⏎ "description=Servers for the pilot at Costa Verde"
.expenses[0] | map_values(type)
.expenses[0] | tojson
.expenses[0].amount | . * 100 | sqrt | floor
.expenses.amount
.expenses[].amount.x
.zzz[]
.expenses[0] | .[0]
.expenses | map(.amount + .category)
more: .expenses | .[0] | keys_unsorted => !
.expenses[:2] | map(keys)
.expenses[:2] | map(.a.b.c = 1 | .a)
spelling: def top($n): sort_by(-.amount) | .[:$n]; .expenses | top(2) | map(.amount) => [896.70,873.53]
label $out | .expenses[] | if .category == "meals" then .description, break $out else empty end
[.expenses[] | .amount | select(. == 153.17)] | length
.expenses | map({c: .category, d: .description}) | group_by(.c) | map([.[0].c, length])
`},
	{"tickets", `
.
.tickets | length
.tickets[0]
.tickets[:2]
.tickets | map(.state) | unique
.tickets | map(.priority) | unique
.tickets | group_by(.priority) | map([.[0].priority, length])
.tickets | map(select(.priority == 1 and .state == "new")) | map(.id) | .[:5]
.tickets | map(.opened[:10]) | unique | length
.tickets | map(.opened | fromdate) | min, max
.tickets[:3] | map(.opened | fromdate | todate)
.tickets[:3] | map(.opened | strptime("%Y-%m-%dT%H:%M:%SZ") | mktime)
.tickets[:3] | map(.opened | fromdateiso8601 | strftime("%d.%m.%Y"))
.tickets[:3] | map(.opened | fromdate | gmtime | .[0:3])
.tickets | sort_by(.opened) | map(.id) | .[0], .[-1]
.tickets | sort_by(.priority, .opened) | .[0]
.tickets | map(.customer) | group_by(.) | map({name: .[0], n: length}) | sort_by(-.n, .name) | .[0:3]
.tickets | max_by(.id), min_by(.id)
.tickets | map(.id | ltrimstr("INC") | tonumber) | .[0:3]
.tickets | map(.id | test("^INC[0-9]{7}$")) | all
.tickets | map(select(.summary | test("PASSWORD"; "i"))) | length
.tickets | map(.summary) | unique
.tickets | map(.customer | split(" ") | last) | unique
.tickets | map(.customer | ascii_downcase | gsub("[^a-z]+"; "-")) | unique
.tickets | [.[] | [.id, .state] | join("/")] | .[:3]
.tickets | INDEX(.id) | length
.tickets | (INDEX(.id) | keys | .[0])
.tickets | map({key: .id, value: .priority}) | from_entries | length
.tickets | map({key: .id, value: .priority}) | from_entries | to_entries | .[0:2]
.tickets | [.[] | select(.closed? == null)] | length
.tickets[0] | del(.summary, .customer)
.tickets[0] | .tags = ["a", "b"] | .tags |= map(. + "!")
.tickets[0] | .priority |= empty? // "none"
.tickets[0] | [.[]] | length
.tickets[0] | . * {extra: {a: 1}} | .extra
.tickets[0] | contains({state: "s"}), inside({})
.tickets | [.[:20][] | .priority] | [., (map(. * 10))] | transpose | .[0:2]
.tickets | [.[] | .priority] | (sort | bsearch(2) >= 0)
[.tickets[].priority] | until(length < 3; .[1:])
[.tickets[:3][] | .priority | while(. < 40; . * 2)]
[.tickets[:2][].priority | recurse(if . < 8 then . + 3 else empty end)]
[splits("x")]
`},
	{"accounts", `
keys
.data | type
.data | length
.data | fromjson | .accounts | length
.data | fromjson | .accounts[0]
.data | fromjson | .accounts | map(.owner) | unique
.data | fromjson | .accounts | map(.annual_revenue | floor) | add
.data | fromjson | .accounts | sort_by(-.annual_revenue) | .[:3] | map(.name)
.data | fromjson | .accounts | map(select(.open_invoices > 3)) | length
.data | fromjson | .accounts | group_by(.open_invoices) | map([.[0].open_invoices, length])
.data | fromjson | .accounts | map(.renewal[:7]) | unique
.data |= (fromjson | .accounts |= .[:2])
.data | .[:40]
.data[0:12], .data[-4:]
.data | index("name"), (indices("owner") | length)
.data | test("accounts"), ([scan("ACC-1000[0-9]")] | unique)
spelling: .data | fromjson | .accounts | map(.annual_revenue | tojson | select(endswith("0"))) | length > 0 => true
sorted: .data | fromjson | .accounts[0] | @text => "{\"annual_revenue\":88903.12,\"id\":\"ACC-10000\",\"name\":\"Ostrava Glass Turin\",\"open_invoices\":2,\"owner\":\"H. Silva\",\"renewal\":\"2026-10-19\"}"
.data.accounts
`},
	{"hosts", `
.hosts | length
.hosts | keys | .[0:3]
.hosts["web-001.opo"]
.hosts | to_entries | map(select(.value.state != "up")) | length
.hosts | to_entries | map(.value.site) | unique
.hosts | map_values(.cores) | add
.hosts | map(.memory_gb) | add, min, max
.hosts | with_entries(select(.value.cores == 32)) | length
.hosts | [.[] | .site] | group_by(.) | map([.[0], length])
.hosts | to_entries | group_by(.value.site) | map({site: .[0].value.site, hosts: length})
.hosts | [paths(type == "number")] | length
.hosts | del(.[]) | length
.hosts | to_entries | max_by(.value.memory_gb) | .value.memory_gb
.hosts | keys | map(split(".") | .[1]) | unique
.hosts | keys | sort == .
.hosts | has("web-001.opo"), has("nobody")
.hosts | [.[] | select(.site == "opo") | .cores] | add
`},
	{"ids", `
length
.[0], .[-1]
.[1000:1003]
unique | length
sort == .
map(ltrimstr("INC") | tonumber) | max - min
map(select(endswith("00"))) | length
index("INC0010059"), .[["INC0010059"]]
map(length) | unique
.[:5] | join(" ")
.[:3] | @csv, @tsv, @sh, @json
[.[:6] | .[range(0; 6; 2)]]
map(test("99")) | map(select(.)) | length
(.[:3] + .[-3:]) - .[1:2]
.[:4] | to_entries | map(.key)
contains(["INC0010059"]), inside(["x"])
`},
	{"reviews", `
.survey
.reviews | length
.reviews[0].text
.reviews[:2]
.reviews | map(.stars) | add
.reviews | group_by(.stars) | map([.[0].stars, length])
.reviews | map(.text | length) | max
.reviews | map(.text | utf8bytelength) | max
.reviews[0].text | explode | .[-3:]
.reviews[0].text | @uri, @base64
.reviews | map(select(.text | test("[^ -~]"))) | length
.reviews[0].text | [match("[^ -~]"; "g").offset] | .[0:3]
.reviews[0].text | .[-4:], .[:10]
.reviews[0] | tojson
.reviews[0].text | ascii_downcase
`},
	{"rendered", `
keys
.expense_summary | split("\n") | length
.expense_summary | split("\n")[1:3]
.expense_summary | [scan("\\$[0-9.]+")] | length
.expense_summary | [match("\\(([a-z]+)\\)"; "g").captures[0].string] | unique
.expense_summary | [splits("\n- ")] | .[1]
.expense_summary | capture("(?<who>[A-Z][a-z]+) are") | .who
.expense_summary | gsub("[^$]"; "") | length
.expense_summary | ascii_upcase | .[0:20]
.expense_summary | sub("\n.*"; "") | length
.expense_summary | [limit(3; splits("\n"))]
`},
}
