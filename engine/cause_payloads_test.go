package engine

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"floodmark/history"
)

// A situation is a payload (or several, of one batch) that a person asks about, and the answer.
type situation struct {
	name   string
	policy string // moveworks where empty
	set    []string
	fault  Fault
	calls  []*history.Call // the first is explained
	text   string          // the payload, where there are no calls

	cause  Cause
	looks  string
	syntax string // the fault's name
	path   string
	offset int64 // of the place; -1 without one
	repair string
}

// rows are n lines, each with its number where format asks for it.
func rows(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if strings.Contains(format, "%") {
			fmt.Fprintf(&b, format, i)
		} else {
			b.WriteString(format)
		}
	}
	return b.String()
}

// records is J(n) of the research: one line of n small objects.
func records(n int) string {
	return "[" + strings.TrimSuffix(rows(n, `{"id":%d,"name":"row","qty":1},`), ",") + "]"
}

const noPlace = -1

func situations(t *testing.T) []situation {
	j := records(1500)
	list := []situation{
		{name: "a small object", text: "{}", cause: CauseUnderThreshold, offset: noPlace},
		{name: "small records", text: records(100), cause: CauseUnderThreshold, offset: noPlace},
		{name: "small, its data in a string: the size decides", text: `{"data": "{\"a\": 1}"}`, cause: CauseUnderThreshold, offset: noPlace},
		{name: "small words", text: "created", cause: CauseUnderThreshold, offset: noPlace},
		{name: "nothing", text: "", cause: CauseEmpty, offset: noPlace},
		{name: "one byte over the hard limit", calls: []*history.Call{huge(100_000_001)}, cause: CauseHardLimit, offset: noPlace},
		{name: "no result", calls: []*history.Call{{}}, cause: CauseNoResult, offset: noPlace},
		{name: "records", text: j, cause: CauseOffloaded, offset: noPlace},
		{name: "records under a key", text: `{"rows": ` + j + `}`, cause: CauseOffloaded, offset: noPlace},
		{name: "the same call again", calls: []*history.Call{result(j), result(j)}, cause: CauseSuperseded, offset: noPlace},
		{name: "the disk is full", fault: DiskFull, text: j, cause: CauseStoreFailed, offset: noPlace},
		{name: "writing fails under a key", fault: WriteFails, text: `{"a": ` + j + `}`, cause: CauseStoreFailed, offset: noPlace},
		{name: "reading back fails", fault: ReadFails, text: `{"b": ` + j + `}`, cause: CauseStoreFailed, offset: noPlace},
		{name: "sandbox off", policy: "trueforge", set: []string{"sandbox.enabled=false"}, text: strings.Repeat("x", 24_001), cause: CauseStoreFailed, offset: noPlace},
		{name: "expired", fault: Expired, text: j, cause: CauseExpired, offset: noPlace},
		{name: "the policy is off", policy: "trueforge", set: []string{"enabled=false"}, text: strings.Repeat("x", 24_001), cause: CauseDisabled, offset: noPlace},
		{name: "ten of 5,900 tokens", policy: "trueforge", calls: many(10, 23_600), cause: CauseOffloadedCombined, offset: noPlace},
		{name: "a long error", policy: "trueforge", calls: []*history.Call{failed(strings.Repeat("e", 24_001))}, cause: CauseFailedCall, offset: noPlace},
		{name: "over a limit of a policy that keeps a part", set: []string{"strategy=truncate", "structured.only=false"}, text: j, cause: CauseTruncated, offset: noPlace},
		{name: "over a limit of a policy that keeps nothing", set: []string{"strategy=reject", "structured.only=false"}, text: j, cause: CauseNotKept, offset: noPlace},
		{name: "a tool that the limits are not for", set: []string{`applies.exempt=["*"]`}, text: j, cause: CauseExempt, offset: noPlace},
		{name: "the sandbox's own tool", policy: "trueforge", calls: []*history.Call{{Tool: "exec", Result: &history.Result{Payload: history.Of(rows(3000, "line %d\n"))}}}, cause: CauseSandboxTool, offset: noPlace},
		{name: "a package that does not shrink", policy: "trueforge", set: []string{"package.must_shrink=true", "limits.per_result=20"}, text: strings.Repeat("y", 100), cause: CauseNotSmaller, offset: noPlace},
		{name: "one letter", text: strings.Repeat("x", 28_001), cause: CausePlaintext, looks: LooksProse, syntax: "not-json", offset: noPlace},
	}
	list = append(list, textSituations()...)
	list = append(list, brokenSituations()...)
	return append(list, stringSituations(t, j)...)
}

func many(n, chars int) []*history.Call {
	var calls []*history.Call
	for range n {
		calls = append(calls, result(strings.Repeat("x", chars)))
	}
	return calls
}

// textSituations are payloads that are not meant as JSON.
func textSituations() []situation {
	plain := func(name, looks, text, repair string) situation {
		return situation{name: name, text: text, cause: CausePlaintext, looks: looks, syntax: "not-json", offset: noPlace, repair: repair}
	}
	const toLines = `split("\n") | map(select(. != ""))`
	const toRecords = ` | .[0] as $keys | .[1:] | map([$keys, .] | transpose | map({(.[0]): .[1]}) | add)`
	const tableRows = `map(select(startswith("|")) | split("|")[1:-1] | map(trim)) | .[0] as $keys | .[2:] | map([$keys, .] | transpose | map({(.[0]): .[1]}) | add)`
	encoded := base64.StdEncoding.EncodeToString([]byte(records(900)))
	return []situation{
		plain("paragraphs", LooksProse, rows(600, "The quarterly review went well, and the team agreed to continue.\n"), ""),
		plain("an application's log", LooksLog, rows(800, "2026-05-01T10:00:00Z INFO request %d done\n"), toLines),
		plain("a coloured log", LooksLog, rows(1500, "\x1b[34mDEBUG\x1b[0m step %d\n"), toLines),
		plain("a web server's log", LooksLog, rows(500, "10.0.0.1 - - [01/May/2026:10:00:00 +0000] \"GET /%d\" 200\n"), toLines),
		plain("a build's log that ends with its verdict", LooksLog, rows(1400, "10:00:00 compiling unit %d\n")+"ERROR: build failed", toLines),
		plain("CSV", LooksCSV, "id,name,amount\n"+rows(2000, "%d,lunch,12.50\n"), `split("\n") | map(select(. != "") | split(","))`+toRecords),
		plain("CSV with CRLF", LooksCSV, "id,city\r\n"+rows(3000, "%d,Oslo\r\n"), `split("\r\n") | map(select(. != "") | split(","))`+toRecords),
		plain("CSV with semicolons", LooksCSV, "id;name;amount\n"+rows(2000, "%d;lunch;12,50\n"), `split("\n") | map(select(. != "") | split(";"))`+toRecords),
		plain("CSV with quoted cells", LooksCSV, "id,name\n"+rows(2000, "%d,\"Doe, Jane\"\n"), ""),
		plain("TSV", LooksTSV, "id\tname\n"+rows(3500, "%d\tlunch\n"), `split("\n") | map(select(. != "") | split("\t"))`+toRecords),
		plain("a Markdown table", LooksMarkdownTable, "| id | name |\n|----|------|\n"+rows(2000, "| %d | lunch |\n"), `split("\n") | `+tableRows),
		plain("a Markdown table under a heading", LooksMarkdownTable, "## Expenses\n\n| id | name |\n|:---|---:|\n"+rows(2000, "| %d | lunch |\n"),
			`split("\n") | {text: map(select(startswith("|") | not)) | join("\n"), rows: (`+tableRows+`)}`),
		plain("XML", LooksXML, "<?xml version=\"1.0\"?>\n<rows>\n"+rows(1200, "<row id=\"%d\"><qty>1</qty></row>\n")+"</rows>", ""),
		plain("SOAP without a declaration", LooksXML, "<soap:Envelope>"+rows(1200, "<v:item><v:id>%d</v:id></v:item>")+"</soap:Envelope>", ""),
		plain("an error page", LooksHTML, "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body>\n"+rows(900, "<p>upstream %d did not answer</p>\n")+"</body></html>", ""),
		plain("YAML", LooksYAML, rows(900, "- id: %d\n  name: lunch\n  qty: 1\n"), ""),
		plain("a SQL dump", LooksSQL, "-- dump\nCREATE TABLE t (id int);\n"+rows(1200, "INSERT INTO t VALUES (%d);\n"), ""),
		plain("base64 of JSON", LooksBase64, encoded, "@base64d | fromjson"),
		plain("a data URL of JSON", LooksBase64, "data:application/json;base64,"+encoded, ".[29:] | @base64d | fromjson"),
		plain("base64 of a picture", LooksBase64, base64.StdEncoding.EncodeToString([]byte(rows(6000, "\x89PNG\x00\xff%d"))), ""),
		plain("a rendered list", LooksList, rows(900, "- lunch in Oslo: $12.50 (meals, no. %d)\n"), toLines),
		plain("a numbered list", LooksList, "Here are your submitted expenses:\n"+rows(900, "%d. lunch in Oslo, $12.50 (meals)\n"), toLines),
		plain("a file with line numbers", LooksNumberedLines, rows(1500, "%6d→# Module Epsilon, cached\n"), ""),
		plain("a file with line numbers between tags", LooksNumberedLines, "<path>/a.ts</path>\n<content>\n"+rows(1500, "%d: export const a = 1\n")+"</content>", ""),
		plain("source code", LooksCode, "package main\n\n"+rows(900, "func f%d() int {\n\treturn g(1)\n}\n\n"), ""),
		plain("paths", LooksList, rows(1500, "/srv/app/modules/part%d/README.md\n"), toLines),
		plain("base64 of a picture after its name", LooksBase64, "local_base64_img: "+base64.StdEncoding.EncodeToString([]byte(rows(6000, "\x89PNG\x00\xff%d"))), ""),
		plain("JSON after a line of text", LooksJSONAfterText, "Found 1,500 rows:\n"+records(1500), "{text: .[:18], json: (.[18:] | fromjson)}"),
		plain("a Python object", LooksPython, "Page(items=["+rows(2500, "Item(id=%d), ")+"])", ""),
		plain("a binary file", LooksBinary, strings.Repeat("\x00\x01\xfe\xff", 8000), ""),
		{name: "white space", text: strings.Repeat(" \n", 15_000), cause: CausePlaintext, looks: LooksBlank, syntax: "not-json", offset: noPlace},
		{name: "a code fence around a log", text: "```\n" + rows(900, "2026-11-30 10:00:%02d INFO started worker in 12 ms\n") + "```", cause: CausePlaintext,
			syntax: "code-fence", offset: noPlace, repair: "split(\"```\")[1] | split(\"\\n\") | map(select(. != \"\"))"},
		{name: "a code fence around JSON", text: "```json\n" + records(1500) + "\n```", cause: CauseInvalidJSON, syntax: "code-fence", offset: 0,
			repair: "split(\"```\")[1] | ltrimstr(\"json\") | fromjson"},
	}
}

// brokenSituations are payloads that were meant as JSON.
func brokenSituations() []situation {
	j := records(1500)
	broken := func(name, syntax, looks, text string, offset int64, repair string) situation {
		return situation{name: name, text: text, cause: CauseInvalidJSON, syntax: syntax, looks: looks, offset: offset, repair: repair}
	}
	last := int64(len(j) - 1) // of the closing bracket
	return []situation{
		broken("a trailing comma", "trailing-comma", "", j[:last]+",]", last+1, `split(",]") | join("]") | fromjson`),
		broken("a trailing comma in every record", "trailing-comma", "", "["+strings.TrimSuffix(rows(1500, `{"id":%d,"name":"row",},`), ",")+"]", 22, `split(",}") | join("}") | fromjson`),
		broken("a trailing comma that a string holds too", "trailing-comma", "", `["a,]",`+j[1:last]+`,]`, last+7, ""),
		broken("a Python list", "single-quotes", LooksPython, "["+rows(1500, "{'id': %d, 'open': True}, ")+"{'id': None}]", 2,
			`split("'") | join("\"") | split("True") | join("true") | split("None") | join("null") | fromjson`),
		broken("a Python list with an apostrophe", "single-quotes", LooksPython, "["+rows(2500, "{'id': %d}, ")+`{'name': "O'Hara"}]`, 2, ""),
		broken("NaN", "nan", "", `[{"mean":NaN},`+j[1:], 9, `split("NaN") | join("null") | fromjson`),
		broken("minus Infinity", "nan", "", `[{"low":-Infinity},`+j[1:], 9, `split("-Infinity") | join("null") | fromjson`),
		broken("None in otherwise JSON", "nan", LooksPython, `[{"owner": None, "who": "None of them"},`+j[1:], 11, `split(": None,") | join(": null,") | fromjson`),
		broken("comments at the ends of lines", "comment", "", "[ // all of them\n"+j[1:], 2, `split("\n") | map(split("//")[0] // "") | join("\n") | fromjson`),
		broken("a comment on a line of its own, and a URL", "comment", "", "[\n// from the API\n{\"url\":\"https://x\"},"+j[1:], 2, `split("\n") | map(select(test("^\\s*//") | not)) | join("\n") | fromjson`),
		broken("a comment between stars", "comment", "", "[/* page 1 */"+j[1:], 1, `split("/*") | [.[0], (.[1:][] | split("*/")[1:] | join("*/"))] | join("") | fromjson`),
		broken("cut off inside a string", "cut-off", "", j[:last-10], last-10, ""),
		broken("cut off after a comma", "cut-off", "", j[:last-1-int64(len(`{"id":1499,"name":"row","qty":1}`))]+",", last-32, ""),
		broken("text after the value", "trailing-data", "", j+"\nDone in 3 s", last+2, fmt.Sprintf("{json: (.[:%d] | fromjson), rest: .[%d:]}", last+2, last+2)),
		broken("JSON lines", "several-values", LooksJSONLines, rows(1500, "{\"id\":%d,\"open\":true}\n"), 21, `split("\n") | map(select(test("\\S")) | fromjson)`),
		broken("values in a row", "several-values", "", rows(1500, "{\"id\":%d,\"open\":true}"), 20, `split("}{") | join("},{") | "[\(.)]" | fromjson`),
		broken("values with commas, without brackets", "several-values", "", rows(1499, "{\"id\":%d,\"open\":true},")+`{"id":1}`, 20, `"[\(.)]" | fromjson`),
		broken("a byte order mark", "bom", "", "\ufeff"+j, 0, `ltrimstr("\ufeff") | fromjson`),
		broken("raw line breaks in strings", "raw-control", "", "["+strings.TrimSuffix(rows(1500, "{\"id\":%d,\"note\":\"a\nb\"},"), ",")+"]", 18, `split("\n") | join("\\n") | fromjson`),
		broken("Latin-1 in a string", "bad-utf8", "", `[{"city":"K`+"\xf6"+`ln"},`+j[1:], 11, ""),
		broken("keys without quotes", "unquoted-key", "", "["+strings.TrimSuffix(rows(1500, `{id:%d,"name":"row"},`), ",")+"]", 2, `split("{id:") | join("{\"id\":") | fromjson`),
		broken("an escaped text", "escaped", "", strings.ReplaceAll(j, `"`, `\"`), 2, `"\"\(.)\"" | fromjson | fromjson`),
		broken("an escape that JSON has not", "bad-escape", "", `[{"name":"O\'Hara"},`+j[1:], 12, `split("\\'") | join("'") | fromjson`),
		broken("a Windows path", "bad-escape", "", `[{"path":"C:\Users"},`+j[1:], 13, ""),
		broken("a leading zero", "bad-number", "", `[{"zip":01234},`+j[1:], 9, ""),
		broken("a colon is missing", "other", "", `[{"a" 1},`+j[1:], 6, ""),
	}
}

// stringSituations are valid JSON whose data is inside strings.
func stringSituations(t *testing.T, j string) []situation {
	q := quoted(t, j)
	twice := quoted(t, q)
	perRecord := func(body string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(`{"n":1,"payload":`+quoted(t, body)+`},`, 1200), ",") + "]"
	}
	inside := func(name, path string, offset int64, text, repair string) situation {
		return situation{name: name, text: text, cause: CauseStringifiedJSON, path: path, offset: offset, repair: repair}
	}
	csvText := quoted(t, "id,name\n"+rows(2500, "%d,lunch\n"))
	python := quoted(t, "["+rows(2500, "{'id': %d}, ")+"{'id': 1}]")
	return []situation{
		inside("a field", ".data", 8, `{"data":`+q+`}`, ".data |= fromjson"),
		inside("a field below a field", ".result.data", 18, `{"result":{"data":`+q+`}}`, ".result.data |= fromjson"),
		inside("a key that needs quotes", `.["a b"]`, 7, `{"a b":`+q+`}`, `.["a b"] |= fromjson`),
		inside("the whole payload", ".", 0, q, "fromjson"),
		inside("the whole payload, twice", ".", 0, twice, "fromjson | fromjson"),
		inside("a field, twice", ".data", 8, `{"data":`+twice+`}`, ".data |= (fromjson | fromjson)"),
		inside("a field of every record", ".[0].payload", 18, perRecord(`{"id":1001,"open":true}`), ".[].payload |= fromjson"),
		inside("a field of some records", ".[0].payload", 18, strings.TrimSuffix(perRecord(`{"id":1001,"open":true}`), "]")+`,{"n":2}]`,
			"(.[].payload | strings) |= fromjson"),
		inside("a field that is words in one record", ".[0].payload", 18, strings.TrimSuffix(perRecord(`{"id":1001,"open":true}`), "]")+`,{"n":2,"payload":"words"}]`,
			"(.[].payload | strings) |= (fromjson? // .)"),
		inside("at two paths", ".open", 8, `{"open":`+quoted(t, records(800))+`,"shut":`+quoted(t, records(700))+`}`, ".open |= fromjson | .shut |= fromjson"),
		inside("a map of strings", ".k0", 6, "{"+rows(400, `"k%d":`+quoted(t, records(3))+`,`)+`"n":1}`, `(.. | strings | select(test("^\\s*[\\[{]"))) |= (fromjson? // .)`),
		inside("JSON in JSON in a field", ".data", 8, `{"data":`+quoted(t, `{"rows":`+q+`}`)+`}`, ".data |= fromjson | .data.rows |= fromjson"),
		inside("a field beside a number", ".a", 5, `{"a":`+quoted(t, records(1000))+`,"b":1}`, ".a |= fromjson"),
		{name: "parsed, it is small", text: `{"data":` + quoted(t, "["+strings.Repeat(" ", 30_000)+"1]") + `}`, cause: CauseStringifiedJSON, path: ".data", offset: 8},
		{name: "a rendered list in a field", text: `{"summary":` + quoted(t, rows(900, "- lunch in Oslo: $12.50 (no. %d)\n")) + `}`, cause: CauseRenderedText, looks: LooksList, path: ".summary", offset: 11,
			repair: `.summary |= (split("\n") | map(select(. != "")))`},
		{name: "CSV in a field", text: `{"csv":` + csvText + `,"ok":true}`, cause: CauseRenderedText, looks: LooksCSV, path: ".csv", offset: 7,
			repair: `.csv |= (split("\n") | map(select(. != "") | split(",")) | .[0] as $keys | .[1:] | map([$keys, .] | transpose | map({(.[0]): .[1]}) | add))`},
		{name: "a Python list in a field", text: `{"output":` + python + `}`, cause: CauseRenderedText, looks: LooksPython, path: ".output", offset: 10,
			repair: `.output |= (split("'") | join("\"")) | .output |= fromjson`},
		{name: "JSON lines in a field", text: `{"stdout":` + quoted(t, rows(3000, "{\"id\":%d}\n")) + `,"exit_code":0}`, cause: CauseRenderedText, looks: LooksJSONLines, path: ".stdout", offset: 10,
			repair: `.stdout |= (split("\n") | map(select(test("\\S")) | fromjson))`},
		{name: "paragraphs in a field", text: `{"answer":` + quoted(t, rows(600, "The quarterly review went well, and all agreed to go on.\n")) + `}`, cause: CauseRenderedText, looks: LooksProse, path: ".answer", offset: 10},
		{name: "a JSON string of words", text: `"` + strings.Repeat("many words ", 3000) + `"`, cause: CauseScalarRoot, looks: LooksProse, path: ".", offset: 0},
		{name: "a JSON string of CSV", text: csvText, cause: CauseScalarRoot, looks: LooksCSV, path: ".", offset: 0,
			repair: `split("\n") | map(select(. != "") | split(",")) | .[0] as $keys | .[1:] | map([$keys, .] | transpose | map({(.[0]): .[1]}) | add)`},
		{name: "a very long number", text: strings.Repeat("9", 28_001), cause: CauseScalarRoot, offset: noPlace},
		{name: "MCP's content blocks", text: `{"content":[{"type":"text","text":` + q + `}]}`, cause: CauseEnvelope, path: ".content[0].text", offset: 34, repair: ".content[0].text | fromjson"},
		{name: "content blocks alone", text: `[{"type":"text","text":` + q + `}]`, cause: CauseEnvelope, path: ".[0].text", offset: 23, repair: ".[0].text | fromjson"},
		{name: "two content blocks", text: `{"content":[{"type":"text","text":` + q + `},{"type":"text","text":` + quoted(t, records(10)) + `}]}`, cause: CauseEnvelope, path: ".content[0].text", offset: 34,
			repair: "[.content[].text | fromjson? // .]"},
		{name: "a JSON-RPC answer", text: `{"result":{"content":[{"type":"text","text":` + q + `}]}}`, cause: CauseEnvelope, path: ".result.content[0].text", offset: 44, repair: ".result.content[0].text | fromjson"},
		{name: "lines of text in a content block", text: `{"content":[{"type":"text","text":` + quoted(t, rows(3000, "line no %d\n")) + `}]}`, cause: CauseEnvelope, looks: LooksProse, path: ".content[0].text", offset: 34},
		{name: "an HTTP client's answer", text: `{"status":200,"body":` + q + `}`, cause: CauseEnvelope, path: ".body", offset: 21, repair: ".body |= fromjson"},
		{name: "a proxy's answer", text: `{"statusCode":200,"headers":{},"body":` + q + `}`, cause: CauseEnvelope, path: ".body", offset: 38, repair: ".body |= fromjson"},
		{name: "an HTTP client's error page", text: `{"status":502,"data":` + quoted(t, "<html><body>"+rows(900, "<p>upstream %d is down</p>\n")+"</body></html>") + `}`, cause: CauseEnvelope, looks: LooksHTML, path: ".data", offset: 21},
	}
}
