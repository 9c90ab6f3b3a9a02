package ui

import (
	"reflect"
	"strings"
	"testing"
)

func TestWhyNamesThePathTheShareAndWhatParsingWouldChange(t *testing.T) {
	payload := accounts(t)
	path := file(t, "r.json", chat(toolResult{"whoami", "{}"}, toolResult{"crm_accounts", payload}))
	got := cli(t, "why", path)
	if got.code != 0 || got.err != "" {
		t.Fatalf("exit %d, %s", got.code, got.err)
	}
	for _, want := range []string{
		"policy moveworks, tokens by bytes/4\n\ncrm_accounts  ",
		"≈ inline, a flood: ",
		"tokens, over 7,000, entered whole: 99.9 % of the payload is JSON inside a string, the most of it at .data\n",
		"  where        .data, line 1, column 10, byte 9\n",
		"  missing      to be offloaded: parse .data\n",
		"  repair       .data |= fromjson makes it offloaded: ",
		"\nwhoami  ",
		"= inline: 1 token, not over 7,000\n",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("without %q in\n%s", want, got.out)
		}
	}
}

func TestWhyJSON(t *testing.T) {
	payload := accounts(t)
	path := file(t, "r.json", chat(toolResult{"whoami", "{}"}, toolResult{"crm_accounts", payload}))
	got := cli(t, "why", "--json", path)
	objects := got.lines(t)
	if len(objects) != 2 {
		t.Fatalf("%d objects: %s", len(objects), got.out)
	}
	first, second := objects[0], objects[1]
	tokens := float64(len(payload)) / 4
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"call", first["call"], "call_2"},
		{"tool", first["tool"], "crm_accounts"},
		{"turn", first["turn"], 1.0},
		{"verdict", first["verdict"], "inline"},
		{"cause", first["cause"], "stringified-json"},
		{"location", first["location"], map[string]any{"path": ".data", "offset": 9.0, "line": 1.0, "column": 10.0}},
		{"detail.share", at(first, "detail", "share"), float64(len(payload)-10) / float64(len(payload))},
		{"detail.looks_like", at(first, "detail", "looks_like"), nil},
		{"detail.fault", at(first, "detail", "fault"), nil},
		{"distance", first["distance"], map[string]any{"to": "offloaded", "by": "parse .data"}},
		{"repair.filter", at(first, "repair", "filter"), ".data |= fromjson"},
		{"repair.verdict", at(first, "repair", "verdict"), "offloaded"},
		{"repair.inline_tokens.before", at(first, "repair", "inline_tokens", "before"), tokens},
		{"second cause", second["cause"], "under-threshold"},
		{"second location", second["location"], nil},
		{"second repair", second["repair"], nil},
		{"second detail", second["detail"], map[string]any{"share": nil, "looks_like": nil, "fault": nil}},
		{"second warnings", second["warnings"], []any{}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestWhyChoosesByCallTurnAndConversation(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"a", "{}"}, toolResult{"b", "{}"}))
	all := cli(t, "replay", "--json", "--store", "none", path).lines(t)
	id := all[0]["conversation"].(string)
	for _, c := range []struct {
		args []string
		want int
	}{
		{nil, 2},
		{[]string{"--call", "call_2"}, 1},
		{[]string{"--turn", "1"}, 2},
		{[]string{"--conversation", id, "--call", "call_1"}, 1},
	} {
		if got := cli(t, append([]string{"why", "--json", path}, c.args...)...); got.code != 0 || len(got.lines(t)) != c.want {
			t.Errorf("%v: exit %d, %s", c.args, got.code, got.out)
		}
	}
	for _, args := range [][]string{{"--call", "call_9"}, {"--turn", "0"}, {"--conversation", "x"}} {
		got := cli(t, append([]string{"why", path}, args...)...)
		if got.code != 2 || got.out != "" || !strings.HasPrefix(got.err, "floodmark: no result is at the place asked for\nhint: ") {
			t.Errorf("%v: exit %d, %q", args, got.code, got.err)
		}
	}
}

func TestWhyIsPreciseAtTheThreshold(t *testing.T) {
	at := func(bytes int) string { return numbers((bytes-1)/2) + strings.Repeat(" ", 1-bytes%2) }
	const instructions = `"display_instructions_for_model": "sum by month", `
	path := file(t, "r.json", chat(
		toolResult{"equal", at(28_000)},
		toolResult{"over", at(28_001)},
		toolResult{"instructed", `{` + instructions + `"a": ` + at(27_900) + `}`},
	))
	got := cli(t, "why", path)
	for _, want := range []string{
		"\n= inline: 7,000 tokens, not over 7,000\n  hard-limit   28,000 bytes, within 100,000,000\n  size         7,000 tokens, within 7,000\n  missing      to be offloaded: anything more\n",
		"\n↑ offloaded: 7,000.25 tokens, over 7,000: ",
		"\n  size         7,000.25 tokens, over 7,000\n",
		"\n  missing      to be inline: 0.25 tokens less; it is 1 byte over the threshold\n",
		"\n= inline: 6,977 tokens without its instructions, not over 7,000\n", // 27,907 bytes are left
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("without %q in\n%s", want, got.out)
		}
	}
}

// Warnings of values that were tracked quote them; a redacted ticket does not.
func TestARedactedTicketQuotesNoTrackedValue(t *testing.T) {
	for _, call := range []string{"toolu_wrong", "toolu_mixed"} {
		for _, as := range []string{"--json", "--markdown", "--quiet"} {
			plain := cli(t, "why", as, "--call", call, "../fixtures/resumed-workflow.jsonl").out
			if !strings.Contains(plain, "ACC-10012") && !strings.Contains(plain, "64069.03") {
				t.Errorf("%s %s does not tell the value: %s", call, as, plain)
			}
			redacted := cli(t, "why", as, "--redact", "--call", call, "../fixtures/resumed-workflow.jsonl").out
			for _, value := range []string{"ACC-100", "64069.03", "15731.83"} {
				if strings.Contains(redacted, value) {
					t.Errorf("%s %s quotes %s: %s", call, as, value, redacted)
				}
			}
		}
	}
}
