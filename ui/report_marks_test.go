package ui

import (
	"strings"
	"testing"
)

// lastLine is the last line of a report.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return lines[len(lines)-1]
}

func TestAMarkdownReportSaysAtItsEndWhatIsSensitiveInIt(t *testing.T) {
	clean := file(t, "clean.json", chat(toolResult{"log", strings.Repeat("nothing here\n", 4000)}))
	leak := file(t, "leak.json", chat(toolResult{"log", "to ana.silva@example.com with " + planted + "\n" + strings.Repeat("nothing here\n", 4000)}))
	named := file(t, "named.json", chat(toolResult{"get_" + planted, numbers(40_000)}))
	const takesOut = ". `--redact` takes it out."
	for _, test := range []struct {
		args []string
		path string
		want string
	}{
		{[]string{"why"}, leak, "1 mail address under \"…s the result of log not analysed as a variable? › Evidence\", " +
			"1 secret (github-pat) under \"…s the result of log not analysed as a variable? › Evidence\"" + takesOut},
		{[]string{"compare", "--policy", "none", "--policy", "trueforge", "--call", "call_1"}, leak,
			"· turn 1.1 · log · call\\_1 · 52,071 bytes › none\"" + takesOut},
		{[]string{"compare", "--policy", "none", "--policy", "trueforge"}, named, "1 secret (github-pat) under \"Results on which the policies disagree\"" + takesOut},
		{[]string{"audit", "--policy", "trueforge"}, named, "1 secret (github-pat) under \"…he source for less where it can page or project\", 1 secret"},
	} {
		got := cli(t, append(test.args, "--markdown", test.path)...)
		last := lastLine(got.out)
		if got.code != 0 || !strings.Contains(last, test.want) || !strings.HasPrefix(last, "`sensitive-boundary`: this report has what looks like ") {
			t.Errorf("%q: exit %d %s\n%s\nhas not\n%s", test.args, got.code, got.err, last, test.want)
		}
		if strings.Contains(last, planted) || strings.Contains(last, "ana.silva") {
			t.Errorf("%q quotes it: %s", test.args, last)
		}
		for _, quiet := range [][]string{append(test.args, "--markdown", clean), append(test.args, "--markdown", "--redact", test.path)} {
			if got := cli(t, quiet...); got.code != 0 || got.out == "" || strings.Contains(got.out, "sensitive-boundary`: this report") {
				t.Errorf("%q: exit %d: %s", quiet, got.code, lastLine(got.out))
			}
		}
	}
}

func TestASectionOfAReportIsTakenApartOutsideOfFencesOnly(t *testing.T) {
	got := markdownSections("# A\n\na\\_b\n~~~~text\n## no heading \\_\n~~~\n~~~~\n### `B`\nx\n")
	want := []markdownSection{{"its first lines", ""}, {`"A"`, "# A\n\na_b\n## no heading \\_\n~~~\n~~~~\n"}, {`"A › B"`, "### `B`\nx\n"}}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, not %q", got[i], want[i])
		}
	}
}

func TestARedactedComparisonHasSizesInThePlaceOfTexts(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"log", strings.Repeat("confidentialwords\n", 4000)}))
	got := cli(t, "compare", "--redact", "--policy", "none", "--policy", "trueforge", "--call", "call_1", path)
	contains(t, got.out, "[left out: 72,000 bytes]")
	if got.code != 0 || strings.Contains(got.out, "confidentialwords") {
		t.Errorf("exit %d:\n%s", got.code, got.out)
	}
	if got := cli(t, "compare", "--redact", "--healthy", "--fault", "expired", path); got.code != 2 {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}
