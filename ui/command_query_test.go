package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kept replays a recording of one tool's result into a new store and returns the store's path.
func kept(t *testing.T, tool, payload string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "v.db")
	if got := cli(t, "replay", "--store", path, file(t, "r.json", chat(toolResult{tool, payload}))); got.code != 0 || !strings.Contains(got.out, "offloaded") {
		t.Fatalf("exit %d, %s%s", got.code, got.out, got.err)
	}
	return path
}

// expensePayload is a large object with a few odd values.
func expensePayload() string {
	return `{"title": "a\u202eb\u001b[2J", "rate": 1.10, "id": 12345678901234567890, "rows": [` +
		strings.Repeat(`{"category": "travel", "amount": 2}, `, 1000) + `{"category": "meals", "amount": 3}]}`
}

func TestQuery(t *testing.T) {
	path := kept(t, "list", expensePayload())
	for _, c := range []struct {
		name     string
		terminal bool
		args     []string
		out, err string
		code     int
	}{
		{"one result a line", false, []string{`.rows[0], (.rows | length)`}, "{\"category\":\"travel\",\"amount\":2}\n1001\n", "", 0},
		{"indented on a terminal", true, []string{`.rows[0]`}, "{\n  \"category\": \"travel\",\n  \"amount\": 2\n}\n", "", 0},
		{"compact on a terminal", true, []string{`.rows[0]`, "--compact"}, "{\"category\":\"travel\",\"amount\":2}\n", "", 0},
		{"numbers keep their spelling", false, []string{`.rate, .id`}, "1.10\n12345678901234567890\n", "", 0},
		{"JSON is exact and harmless", false, []string{`.title`}, "\"a\\u202eb\\u001b[2J\"\n", "", 0},
		{"raw output is exact in a pipe", false, []string{`.title`, "-r"}, "a\u202eb\x1b[2J\n", "", 0},
		{"raw output is visible on a terminal", true, []string{`.title`, "-r"}, "a<U+202E>b␛[2J\n", "", 0},
		{"an argument", false, []string{`[.rows[] | select(.category == $c)] | length`, "--arg", "c=meals"}, "1\n", "", 0},
		{"a JSON argument", false, []string{`.rows[$n].amount`, "--argjson", "n=1000"}, "3\n", "", 0},
		{"a limit", false, []string{`.rows[].amount`, "--limit", "2"}, "2\n2\n", "floodmark: there are more than the 2 results of --limit\n", 0},
		{"a limit that is enough", false, []string{`.rows[:2][].amount`, "--limit", "2"}, "2\n2\n", "", 0},
		{"quiet", false, []string{`.rows[].amount`, "--limit", "1", "--quiet"}, "2\n", "", 0},
		{"no environment", false, []string{`env, $ENV`}, "{}\n{}\n", "", 0},
		{"halt ends the output and nothing else", false, []string{`1, halt, 2`}, "1\n", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := cli
			if c.terminal {
				run = onTerminal
			}
			got := run(t, append([]string{"query", "--store", path, "list_1"}, c.args...)...)
			if got != (end{c.out, c.err, c.code}) {
				t.Errorf("got  %+v\nwant %+v", got, end{c.out, c.err, c.code})
			}
		})
	}
}

func TestAFilterCanNameTheVariablesOfTheConversation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.db")
	if got := cli(t, "replay", "--store", path, file(t, "r.json",
		chat(toolResult{"list-all", numbers(20_000)}, toolResult{"list", numbers(30_000)}))); got.code != 0 {
		t.Fatal(got.err)
	}
	if got := cli(t, "replay", "--store", path, file(t, "r.json", chat(toolResult{"elsewhere", numbers(20_001)}))); got.code != 0 {
		t.Fatal(got.err)
	}
	for _, c := range []struct {
		filter, want string
		args         []string
		code         int
	}{
		{`[length, ($list_all_1 | length), ($list_1 | length)]`, "[20000,20000,30000]\n", nil, 0},
		{`$list_1`, "\"mine\"\n", []string{"--arg", "list_1=mine"}, 0},
		{`5 as $list_1 | $list_1`, "5\n", nil, 0},
		{`$elsewhere_1`, "", nil, 2}, // of another conversation
		{`$nothing_1`, "", nil, 2},
	} {
		got := cli(t, append([]string{"query", "--store", path, "list-all_1", c.filter}, c.args...)...)
		if got.code != c.code || got.out != c.want {
			t.Errorf("%s: exit %d, %q, %s", c.filter, got.code, got.out, got.err)
		}
	}
}

func TestAFilterThatIsWrongShowsWhere(t *testing.T) {
	path := kept(t, "list", expensePayload())
	got := cli(t, "query", "--store", path, "list_1", ".rows | }")
	lines := strings.Split(got.err, "\n")
	if got.code != 2 || got.out != "" || len(lines) != 4 || !strings.HasPrefix(lines[0], "floodmark: filter: ") ||
		lines[1] != "  .rows | }" || lines[2] != "          ^" {
		t.Errorf("exit %d\n%s", got.code, got.err)
	}
}

func TestAFilterThatFailsOnTheDataEndsWith1(t *testing.T) {
	path := kept(t, "list", expensePayload())
	got := cli(t, "query", "--store", path, "list_1", `.rows[0].amount, (.title | tonumber)`)
	if got.code != 1 || got.out != "2\n" || !strings.HasPrefix(got.err, "floodmark: query: ") || strings.ContainsAny(got.err, "\x1b\u202e") {
		t.Errorf("exit %d, %q, %q", got.code, got.out, got.err)
	}
	slow := cli(t, "query", "--store", path, "list_1", `[range(1e12)] | length`, "--timeout", "20ms")
	if slow.code != 1 || slow.err != "floodmark: query: not done after 20ms\nhint: give it more time with --timeout\n" {
		t.Errorf("exit %d, %q", slow.code, slow.err)
	}
}

func TestAFilterThatStopsItselfEndsWithTheCodeItGives(t *testing.T) {
	path := kept(t, "list", expensePayload())
	for _, c := range []struct {
		filter string
		want   end
	}{
		{`1, ("no\u001b[31m rows" | halt_error), 2`, end{"1\n", "floodmark: query: no␛[31m rows\n", 5}}, // as jq
		{`"no rows" | halt_error(3)`, end{"", "floodmark: query: no rows\n", 3}},
		{`1, ("enough" | halt_error(0))`, end{"1\n", "floodmark: query: enough\n", 0}},
		{`"far" | halt_error(257)`, end{"", "floodmark: query: far\n", 1}}, // a system keeps 8 bits
		{`try ("no" | halt_error(7)) catch 1`, end{"", "floodmark: query: no\n", 7}},
		{`"no" | error`, end{"", "floodmark: query: error: no\n", 1}},
	} {
		if got := cli(t, "query", "--store", path, "list_1", c.filter, "--exit-status"); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.filter, got, c.want)
		}
	}
}

func TestTheExitStatusTellsOfTheLastResult(t *testing.T) {
	path := kept(t, "list", expensePayload())
	for _, c := range []struct {
		filter, out   string
		with, without int
	}{
		{`false, 1`, "false\n1\n", 0, 0},
		{`1, false`, "1\nfalse\n", 1, 0},
		{`1, null`, "1\nnull\n", 1, 0},
		{`0`, "0\n", 0, 0},
		{`"false"`, "\"false\"\n", 0, 0},
		{`empty`, "", 4, 0},
		{`null, halt`, "null\n", 1, 0},
	} {
		if got := cli(t, "query", "--store", path, "list_1", c.filter, "-e"); got != (end{c.out, "", c.with}) {
			t.Errorf("%s -e: %+v", c.filter, got)
		}
		if got := cli(t, "query", "--store", path, "list_1", c.filter); got != (end{c.out, "", c.without}) {
			t.Errorf("%s: %+v", c.filter, got)
		}
	}
}

func TestNegativeLimitsAreRefused(t *testing.T) {
	path := kept(t, "list", expensePayload())
	for _, c := range []struct{ flag, err string }{
		{"--limit=-1", "floodmark: --limit -1: the number of results can't be negative\nhint: 0 is for all results\n"},
		{"--timeout=-5s", "floodmark: --timeout -5s: the time can't be negative\nhint: 0 is for no end\n"},
	} {
		if got := cli(t, "query", "--store", path, "list_1", ".", c.flag); got != (end{"", c.err, 2}) {
			t.Errorf("%s: %+v", c.flag, got)
		}
	}
}

// A reader that has seen enough ends a filter that would never end by itself.
func TestABrokenPipeEndsAQueryQuietly(t *testing.T) {
	path := kept(t, "list", expensePayload())
	for _, more := range [][]string{nil, {"-r"}, {"-e"}} {
		var errs strings.Builder
		s := &Streams{In: strings.NewReader(""), Out: brokenPipe{}, Err: &errs}
		args := append([]string{"query", "--store", path, "list_1", `repeat("x")`}, more...)
		if code := Report(s, Run(t.Context(), s, args)); code != 0 || errs.Len() > 0 {
			t.Errorf("%v: exit %d, %q", more, code, errs.String())
		}
	}
}

func TestANameInSeveralConversationsMeansTheOneStoredLast(t *testing.T) {
	store := filepath.Join(t.TempDir(), "v.db")
	for _, rows := range []int{20_000, 30_000} {
		if got := cli(t, "replay", "--store", store, file(t, "r.json", chat(toolResult{"list", numbers(rows)}))); got.code != 0 {
			t.Fatal(got.err)
		}
	}
	got := cli(t, "query", "--store", store, "list_1", "length")
	if got.code != 0 || got.out != "30000\n" || !strings.HasPrefix(got.err, "floodmark: list_1 names 2 variables; taking the one stored last: ") {
		t.Errorf("%+v", got)
	}
	reference := strings.Fields(strings.TrimPrefix(got.err, "floodmark: list_1 names 2 variables; taking the one stored last: "))[0]
	if exact := cli(t, "query", "--store", store, reference, "length"); exact != (end{"30000\n", "", 0}) {
		t.Errorf("%s: %+v", reference, exact)
	}
}

func TestQueryNeedsAStoreAndAVariable(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.db")
	if got := cli(t, "query", "--store", missing, "list_1", "."); got.code != 2 || !strings.HasPrefix(got.err, "floodmark: nothing is stored yet in ") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("a query made a store")
	}
	path := kept(t, "list", expensePayload())
	if got := cli(t, "query", "--store", path, "lits_1", "."); got.code != 2 || got.err != "floodmark: no variable \"lits_1\" in the store\nhint: did you mean list_1?\n" {
		t.Errorf("%+v", got)
	}
}
