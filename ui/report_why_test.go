package ui

import (
	"strings"
	"testing"
)

// ownersLate are records of which the first 100 have no owner; 1,301 in all.
func ownersLate() string {
	return `{"items": [` + strings.Repeat(`{"id": 1}, `, 100) + strings.Repeat(`{"id": 2, "owner": "x"}, `, 1200) + `{"id": 3}]}`
}

func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("without %q in\n%s", want, text)
		}
	}
}

func TestWhyAFieldWasNotSeen(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"list_items", ownersLate()}))
	got := cli(t, "why", "--field", "owner", path)
	contains(t, got.out,
		"  field        owner: 1,200 values, the first at .items[100].owner, byte 1,121, in record 101 of 1,301\n",
		"the schema shows it, the preview does not show it\n",
		"it is reachable: floodmark query list_items_1 '.. | objects | .owner | values'\n",
		"put what matters most first, or filter before this step\n")
	o := cli(t, "why", "--json", "--field", ".items[].owner", path).lines(t)[0]
	for key, want := range map[string]any{"path": ".items[].owner", "values": 1200.0, "records": 1301.0, "record": 100.0,
		"in_schema": true, "in_preview": false, "query": ".items[].owner | values", "variable": "list_items_1"} {
		if got := at(o, "field", key); got != want {
			t.Errorf("field.%s is %v, want %v", key, got, want)
		}
	}
	if got := cli(t, "why", "--field", ".items[.x", path); got.code != 2 || !strings.HasPrefix(got.err, "floodmark: --field .items[.x: ") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}

func TestWhyTwoResultsSideBySide(t *testing.T) {
	rendered := `{"summary": "` + strings.Repeat(`- lunch in Oslo, 12.50\n`, 1500) + `"}`
	path := file(t, "r.json", chat(toolResult{"rendered", rendered}, toolResult{"structured", ownersLate()}, toolResult{"other", "{}"}))
	got := cli(t, "why", "--call", "call_1", "--beside", "call_2", path)
	contains(t, got.out, "verdict     inline, a flood", "offloaded\n", "rendered-text", "what is in the context, as text", "all of it, in $structured_1, by query\n")
	if strings.Contains(got.out, "call_3") {
		t.Errorf("got %s", got.out)
	}
	objects := cli(t, "why", "--json", "--beside", "call_3", path).lines(t)
	if len(objects) != 2 || objects[0]["call"] != "call_1" || objects[1]["call"] != "call_3" {
		t.Errorf("%v", objects)
	}
	if got := cli(t, "why", "--beside", "call_9", path); got.code != 2 || got.out != "" {
		t.Errorf("exit %d, %q", got.code, got.out)
	}
}

func TestATicketHasQuestionCauseEvidenceRepairAndMeasure(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"crm_accounts", accounts(t)}))
	got := cli(t, "why", "--markdown", path)
	contains(t, got.out,
		"## Why was the result of `crm_accounts` not analysed as a variable?\n",
		"**Verdict:** inline, a flood\n",
		"**Cause:** `stringified-json`: ",
		"### Evidence\n",
		"- where: .data, line 1, column 10, byte 9\n",
		"~~~text\n\"{\\\"accounts\\\": [{\\\"id\\\": 1, ",
		"~~~jq\n.data |= fromjson\n~~~\n",
		"| verdict | inline | offloaded | |\n",
		"~~~yaml\noutput_mapper:\n  items:\n    MAP():\n      items: data.data.accounts\n      converter:\n        id: item.id\n        open: item.open\n~~~\n",
		"tokens by bytes/4. A replay knows sizes, visibility and reachability, not how the agent would have acted.\n")
}

func TestARedactedReportHasNoPayloadText(t *testing.T) {
	secret := `{"jane.doe@example.com": ` + strings.TrimPrefix(accounts(t), `{"data": `)
	broken := "[" + strings.Repeat(`{"name": "Jane Doe", "qty": 1}, `, 1000) + `{'Jane Doe': 1}]`
	prosaic := strings.Repeat("Jane Doe had lunch. ", 2000)
	path := file(t, "r.json", chat(toolResult{"a", secret}, toolResult{"b", broken}, toolResult{"c", prosaic}))
	for _, args := range [][]string{{}, {"--markdown"}, {"--json"}} {
		got := cli(t, append([]string{"why", "--redact", path}, args...)...)
		if got.code != 0 || strings.Contains(got.out, "ane") || strings.Contains(got.out, "example.com") {
			t.Errorf("%v: exit %d, %s", args, got.code, got.out)
		}
	}
	contains(t, cli(t, "why", "--redact", path).out, `.["…"] |= fromjson makes it offloaded`)
}

func TestOfSeveralRecordingsTheCausesComeFirst(t *testing.T) {
	one := file(t, "one.json", chat(toolResult{"a", accounts(t)}, toolResult{"b", "{}"}))
	two := file(t, "two.json", chat(toolResult{"a", accounts(t)}, toolResult{"c", strings.Repeat("many words ", 3000)}))
	got := cli(t, "why", one, two)
	lines := strings.Split(got.out, "\n")
	for i, want := range []string{"cause", "stringified-json", "plaintext", "under-threshold", ""} {
		if fields := append(strings.Fields(lines[i]), ""); fields[0] != want {
			t.Errorf("line %d is %q, want %s", i+1, lines[i], want)
		}
	}
	objects := cli(t, "why", "--causes", "--json", one, two).lines(t)
	if len(objects) != 3 || objects[0]["cause"] != "stringified-json" || objects[0]["results"] != 2.0 || objects[0]["repairs"] != 2.0 {
		t.Errorf("%v", objects)
	}
	if n := len(cli(t, "why", "--json", one, two).lines(t)); n != 4 {
		t.Errorf("%d objects, want one a result", n)
	}
}

func TestWhyShowsALostPayloadInRed(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"list", numbers(20_000)}))
	s := &Streams{In: strings.NewReader(""), Width: 80, OutTerminal: true, Color: true}
	got := run(t, s, "why", "--policy", "trueforge", "--fault", "sandbox-down", path)
	if !strings.Contains(got.out, "\x1b[1;91m! lost") {
		t.Errorf("%q", got.out)
	}
	healthy := run(t, s, "why", "--policy", "trueforge", path)
	if strings.Contains(healthy.out, "\x1b[") {
		t.Errorf("%q", healthy.out)
	}
}
