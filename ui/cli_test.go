package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// An end is what a command line left behind.
type end struct {
	out, err string
	code     int
}

// cli runs a command line as a script would: nothing is a terminal.
func cli(t *testing.T, args ...string) end {
	t.Helper()
	return run(t, &Streams{In: strings.NewReader(""), Width: 80}, args...)
}

// onTerminal runs a command line for a person, without colours.
func onTerminal(t *testing.T, args ...string) end {
	t.Helper()
	return run(t, &Streams{In: strings.NewReader(""), Width: 80, InTerminal: true, OutTerminal: true, ErrTerminal: true}, args...)
}

func run(t *testing.T, s *Streams, args ...string) end {
	t.Helper()
	var out, errs bytes.Buffer
	s.Out, s.Err = &out, &errs
	if s.Explorer == nil {
		s.Explorer = func(context.Context, ExploreOptions) error {
			t.Error("the explorer was opened")
			return nil
		}
	}
	code := Report(s, Run(context.Background(), s, args))
	return end{out.String(), errs.String(), code}
}

// lines are the JSON objects of an output, one a line.
func (e end) lines(t *testing.T) []map[string]any {
	t.Helper()
	var list []map[string]any
	for _, l := range strings.Split(strings.TrimSuffix(e.out, "\n"), "\n") {
		var v map[string]any
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatalf("%v: %q (standard error: %s)", err, l, e.err)
		}
		list = append(list, v)
	}
	return list
}

// at follows keys and indexes into a JSON value.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

// A toolResult is a tool's name and what it gave back.
type toolResult struct{ tool, text string }

// chat is a recording in the form of OpenAI chat messages: one question, one step with these calls,
// call_1 and so on.
func chat(results ...toolResult) string {
	type object = map[string]any
	var calls []object
	for i, r := range results {
		calls = append(calls, object{"id": fmt.Sprintf("call_%d", i+1), "type": "function",
			"function": object{"name": r.tool, "arguments": "{}"}})
	}
	messages := []object{
		{"role": "user", "content": "Which accounts have open invoices?"},
		{"role": "assistant", "content": nil, "tool_calls": calls},
	}
	for i, r := range results {
		messages = append(messages, object{"role": "tool", "tool_call_id": fmt.Sprintf("call_%d", i+1), "content": r.text})
	}
	doc, err := json.Marshal(object{"messages": messages})
	if err != nil {
		panic(err)
	}
	return string(doc)
}

// file writes text to a new file and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// numbers is a JSON array of n ones, 2n+1 bytes.
func numbers(n int) string { return "[1" + strings.Repeat(",1", n-1) + "]" }

// accounts is JSON whose data is inside a string.
func accounts(t *testing.T) string {
	t.Helper()
	inner := `{"accounts": [` + strings.Repeat(`{"id": 1, "open": true}, `, 1500) + `{"id": 2, "open": false}]}`
	quoted, err := json.Marshal(inner)
	if err != nil {
		t.Fatal(err)
	}
	return `{"data": ` + string(quoted) + `}`
}

func TestWrongUsageIsOneLineAndAHint(t *testing.T) {
	recording := file(t, "r.json", chat(toolResult{"a", "{}"}))
	for _, c := range []struct {
		args []string
		err  string
	}{
		{[]string{"--polcy", "x"}, "floodmark: unknown flag --polcy\nhint: did you mean --policy?\n"},
		{[]string{"replay", "-x"}, "floodmark: unknown flag -x\nhint: see floodmark replay --help\n"},
		{[]string{"replay", "--policy"}, "floodmark: flag --policy needs a value\nhint: see floodmark replay --help\n"},
		{[]string{"why", "--turn", "x", recording}, "floodmark: flag --turn: \"x\" is no whole number\nhint: see floodmark why --help\n"},
		{[]string{"query", "a_1"}, "floodmark: query: an argument is missing\nhint: usage: floodmark query VARIABLE FILTER [flags]\n"},
		{[]string{"version", "x"}, "floodmark: version: one argument too many: x\nhint: usage: floodmark version [flags]\n"},
		{[]string{"vars", "lsit"}, "floodmark: vars: unknown command lsit\nhint: did you mean floodmark vars list?\n"},
		{[]string{"policy", "xyz"}, "floodmark: policy: unknown command xyz\nhint: see floodmark policy --help\n"},
		{[]string{"replay", "--policy", "movework", recording}, "floodmark: policy: no built-in policy and no file of this name: movework\nhint: did you mean moveworks?\n"},
		{[]string{"replay", "--fault", "disk", recording}, "floodmark: --fault: no such name: disk\nhint: one of sandbox-down, write-fails, read-fails, expired, disk-full\n"},
		{[]string{"replay", "--estimator", "bytes4", recording}, "floodmark: --estimator: no such name: bytes4\nhint: did you mean bytes/4?\n"},
		{[]string{"replay", "--text", recording}, "floodmark: --text, --schema and --preview belong to --json\nhint: add --json\n"},
		{[]string{"query", "--store", "none", "a_1", "."}, "floodmark: --store none holds no variables\nhint: name the store's file, or leave --store out\n"},
		{[]string{"query", "a_1", ".", "--arg", "x"}, "floodmark: --arg x: no name and value\nhint: it is --arg NAME=VALUE, in one word\n"},
		{[]string{"query", "a_1", ".", "--arg", "x", "v"}, "floodmark: --arg x: no name and value\nhint: it is --arg NAME=VALUE, in one word\n"},
		{[]string{"query", "a_1", ".", "--argjson", "x", "1"}, "floodmark: --argjson x: no name and value\nhint: it is --argjson NAME=VALUE, in one word\n"},
		{[]string{"query", "a_1", ".", "--arg", "x=1", "v"}, "floodmark: query: one argument too many: v\nhint: usage: floodmark query VARIABLE FILTER [flags]\n"},
		{[]string{"help", "nosuch"}, "floodmark: help: unknown command nosuch\nhint: see floodmark --help\n"},
		{[]string{"help", "polcy"}, "floodmark: help: unknown command polcy\nhint: did you mean floodmark policy?\n"},
		{[]string{"help", "policy", "chek"}, "floodmark: help: unknown command chek\nhint: did you mean floodmark policy check?\n"},
		{[]string{"help", "replay", "x"}, "floodmark: help: unknown command x\nhint: see floodmark replay --help\n"},
		{[]string{"completion", "nosuch"}, "floodmark: completion: unknown command nosuch\nhint: see floodmark completion --help\n"},
		{[]string{"completion", "fsh"}, "floodmark: completion: unknown command fsh\nhint: did you mean floodmark completion fish?\n"},
		{[]string{"query", "a_1", ".", "--argjson", "x=y"}, "floodmark: --argjson x=y: the value is not JSON\nhint: quotes belong to a JSON string: --argjson 'x=\"text\"'\n"},
	} {
		t.Run(strings.Join(c.args[:len(c.args)-1], " "), func(t *testing.T) {
			got := cli(t, c.args...)
			if got.code != 2 || got.err != c.err || got.out != "" {
				t.Errorf("exit %d\nstandard error %q\nwant           %q\noutput %q", got.code, got.err, c.err, got.out)
			}
		})
	}
}

func TestHelpOfACommandIsItsHelp(t *testing.T) {
	for _, words := range [][]string{{}, {"policy"}, {"policy", "check"}, {"completion"}, {"completion", "bash"}} {
		want := cli(t, append(words, "--help")...)
		if got := cli(t, append([]string{"help"}, words...)...); got.code != 0 || got != want {
			t.Errorf("help %s: exit %d, %q\nwant %q", words, got.code, got.out+got.err, want.out)
		}
	}
}

func TestAPathThatIsACommandWithATypoSaysSo(t *testing.T) {
	got := cli(t, "replya")
	if got.code != 2 || !strings.HasPrefix(got.err, "floodmark: replya: ") || !strings.HasSuffix(got.err, "\nhint: did you mean \"floodmark replay\"?\n") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}

func TestWhatAnErrorQuotesCannotDriveTheTerminal(t *testing.T) {
	got := cli(t, "replay", "--policy", "\x1b[31m\u202e")
	if strings.ContainsAny(got.err, "\x1b\u202e") || !strings.Contains(got.err, "␛[31m<U+202E>") {
		t.Errorf("got %q", got.err)
	}
}

func TestHelpNamesEveryCommandAndNoOther(t *testing.T) {
	got := cli(t, "--help")
	if got.code != 0 || got.err != "" {
		t.Fatalf("exit %d, %q", got.code, got.err)
	}
	_, list, _ := strings.Cut(got.out, "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var commands []string
	for _, l := range strings.Split(list, "\n") {
		commands = append(commands, strings.Fields(l)[0])
	}
	want := "audit check compare completion export formats help man policy query replay tune values vars version why"
	if strings.Join(commands, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(commands, " "), want)
	}
}

func TestCompletionForFourShells(t *testing.T) {
	for shell, want := range map[string]string{
		"bash": "__start_floodmark", "zsh": "#compdef floodmark", "fish": "complete -c floodmark", "powershell": "Register-ArgumentCompleter",
	} {
		if got := cli(t, "completion", shell); got.code != 0 || !strings.Contains(got.out, want) {
			t.Errorf("%s: exit %d, without %q", shell, got.code, want)
		}
	}
	if got := cli(t, "__complete", "replay", "--policy", ""); !strings.Contains(got.out, "moveworks\n") || !strings.Contains(got.out, "trueforge\n") {
		t.Errorf("policies are not completed: %q", got.out)
	}
}

func TestTheManualHasEveryCommandAndFlag(t *testing.T) {
	got := cli(t, "man")
	for _, want := range []string{".TH FLOODMARK 1", ".SS floodmark replay [PATH...] [flags]", ".SS floodmark vars export VARIABLE [flags]",
		`.B \-\-policy NAME`, ".SH EXIT STATUS"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("without %q", want)
		}
	}
}

func TestVersionIsOneLineEverywhere(t *testing.T) {
	a, b := cli(t, "version"), cli(t, "--version")
	if a.code != 0 || a.out != b.out || !strings.HasPrefix(a.out, "floodmark ") || strings.Count(a.out, "\n") != 1 {
		t.Errorf("version %q, --version %q", a.out, b.out)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestHelpThatCannotBeWrittenIsAnError(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"replay", "--help"}, {"vars"}, {"--version"}} {
		err := Run(context.Background(), &Streams{In: strings.NewReader(""), Out: fullDisk{}, Err: io.Discard}, args)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
