package ui

import (
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"floodmark/fixtures"
)

// resumed is the built-in recording of that name.
func resumed(t *testing.T) string {
	t.Helper()
	b, err := fs.ReadFile(fixtures.FS(), "resumed-workflow.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return file(t, "resumed.jsonl", string(b))
}

func TestValuesSaysWhereArgumentsComeFrom(t *testing.T) {
	got := cli(t, "values", resumed(t))
	if got.code != 0 || got.err != "" {
		t.Fatalf("exit %d: %s", got.code, got.err)
	}
	contains(t, got.out,
		"  .region  EMEA  from the prompt of turn 1\n",
		"  .variable  list_accounts_2  from the package of toolu_again\n",
		"  .account_id  ACC-10012  nothing before it has it; ACC-10021 (transposed) is in toolu_first .accounts[3].id; ",
		"  .id  ACC-10021  from toolu_first .accounts[3].id, record 3, in sight first in toolu_lines, byte 436\n",
		"; the id beside it names another record (other-record), that of toolu_first .accounts[3].id, which has 15731.83\n",
		"$list_accounts_1, turn 1, step 1: 7,105 tokens kept out, 305 entered instead\n"+
			"→ list_accounts, turn 1, step 2: 100 % of $list_accounts_1 back, 305 tokens entered, kept out again as $list_accounts_2\n"+
			"→ read_lines, turn 1, step 3: 63 % of $list_accounts_2 back, 4,437 tokens entered\n"+
			"in all 4,742 tokens entered in 2 hops\n",
		"turn 2, step 1 names $list_accounts_1 in its argument, superseded by $list_accounts_2\n")
}

func TestValuesChoosesByCallAndValue(t *testing.T) {
	path := resumed(t)
	got := cli(t, "values", "--value", "EMEA", path)
	if lines := strings.Split(strings.TrimSuffix(got.out, "\n"), "\n"); got.code != 0 || len(lines) != 4 || strings.Count(got.out, "  .region  EMEA  from the prompt of turn 1\n") != 2 {
		t.Errorf("exit %d:\n%s", got.code, got.out)
	}
	if got := cli(t, "values", "--value", "emea", path); got != (end{out: "no value to show\n"}) {
		t.Errorf("case is not folded: %+v", got)
	}
	got = cli(t, "values", "--call", "toolu_wrong", path)
	if got.code != 0 || strings.Count(got.out, "\n") != 2 || !strings.HasPrefix(got.out, "get_account  ") {
		t.Errorf("exit %d:\n%s", got.code, got.out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--call", "toolu_nobody"}, "no result is at the place asked for"},
		{[]string{"--json", "--call", "toolu_nobody"}, "no result is at the place asked for"},
		{[]string{"--value", ""}, "--value is empty"},
	} {
		got := cli(t, append(append([]string{"values"}, c.args...), path)...)
		if got.code != 2 || got.out != "" || !strings.Contains(got.err, c.want) || !strings.Contains(got.err, "hint: ") {
			t.Errorf("%v: %+v", c.args, got)
		}
	}
}

func TestValuesAsJSON(t *testing.T) {
	path := resumed(t)
	found := cli(t, "values", "--json", "--findings", path).lines(t)
	if len(found) != 2 {
		t.Fatalf("%d findings, want the wrong id and the other record's value", len(found))
	}
	for _, c := range []struct{ got, want any }{
		{found[0]["call"], "toolu_wrong"}, {found[0]["value"], "ACC-10012"}, {found[0]["ground"], "ungrounded"}, {found[0]["first"], nil},
		{at(found[0], "near", 0, "kind"), "transposed"}, {at(found[0], "near", 0, "value"), "ACC-10021"}, {at(found[0], "near", 0, "at", "record"), 3.0},
		{found[1]["call"], "toolu_mixed"}, {at(found[1], "near", 0, "kind"), "other-record"}, {at(found[1], "near", 0, "value"), "15731.83"},
		{at(found[1], "near", 1, "value"), "64069.03"}, {at(found[1], "first", "visible"), false}, {at(found[1], "seen", "call"), "toolu_lines"},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
	kinds := map[any]int{}
	for _, v := range cli(t, "values", "--json", path).lines(t) {
		kinds[v["kind"]]++
	}
	if kinds["reread"] != 2 || kinds["reference"] != 2 || kinds["argument"] < 9 {
		t.Errorf("%v", kinds)
	}
}

func TestWhyDrawsTheChainOfACall(t *testing.T) {
	path := resumed(t)
	contains(t, cli(t, "why", "--call", "toolu_lines", path).out, "  chain        $list_accounts_1, turn 1, step 1: 7,105 tokens kept out, 305 entered instead\n",
		"               → read_lines, turn 1, step 3: 63 % of $list_accounts_2 back, 4,437 tokens entered\n", "               in all 4,742 tokens entered in 2 hops\n")
	contains(t, cli(t, "why", "--markdown", "--call", "toolu_first", path).out, "- chain: → read\\_lines, turn 1, step 3: 63 % of $list\\_accounts\\_2 back, 4,437 tokens entered\n")
	v := cli(t, "why", "--json", "--call", "toolu_again", path).lines(t)[0]
	for _, c := range []struct{ got, want any }{
		{at(v, "chain", "variable"), "list_accounts_1"}, {at(v, "chain", "tokens"), 4741.75}, {at(v, "chain", "hops", 0, "variable"), "list_accounts_2"},
		{at(v, "chain", "hops", 1, "call"), "toolu_lines"}, {at(v, "chain", "hops", 1, "tokens"), 4437.0}, {at(v, "chain", "hops", 1, "from"), "list_accounts_2"},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
	if v := cli(t, "why", "--json", "--call", "toolu_wrong", path).lines(t)[0]; v["chain"] != nil {
		t.Errorf("%v", v["chain"])
	}
}
