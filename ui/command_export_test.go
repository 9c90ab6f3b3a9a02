package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"floodmark/history"
)

// reread opens what an export wrote.
func reread(t *testing.T, text string) *history.Recording {
	t.Helper()
	r, err := history.Read(context.Background(), "export", strings.NewReader(text), history.Options{})
	if err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	return r
}

// results are the texts of all results of a recording, in call order.
func results(t *testing.T, r *history.Recording) []string {
	t.Helper()
	var list []string
	for _, c := range r.Conversations {
		for _, call := range c.Calls() {
			if call.Result == nil {
				continue
			}
			b, err := call.Result.Payload.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, string(b))
		}
	}
	return list
}

func TestAnExportThatCannotBeWrittenNamesTheFileThatWasAskedFor(t *testing.T) {
	out := filepath.Join(t.TempDir(), "none", "o.json")
	got := cli(t, "export", "-o", out, file(t, "r.json", chat(toolResult{"a", "{}"})))
	if got != (end{"", "floodmark: " + out + ": cannot be written: no such file or directory\n", 2}) {
		t.Errorf("%+v", got)
	}
}

func TestAnExportHasThePackageInThePayloadsPlace(t *testing.T) {
	large := numbers(20000)
	recording := file(t, "r.json", chat(toolResult{"small", "[1]"}, toolResult{"large", large}))
	got := cli(t, "export", recording)
	if got.code != 0 || got.err != "" || strings.Count(got.out, "\n") != 1 {
		t.Fatalf("exit %d, %q, %d lines", got.code, got.err, strings.Count(got.out, "\n"))
	}
	r := reread(t, got.out)
	entered := cli(t, "replay", "--json", "--text", "--store", "none", recording).lines(t)
	list := results(t, r)
	if r.Format != "openai-chat" || len(list) != 2 || list[0] != "[1]" || list[1] != at(entered[1], "inline", "text") {
		t.Errorf("%s: %.300q", r.Format, list)
	}
	if !strings.Contains(list[1], "large_1") || len(list[1]) > len(large)/2 {
		t.Errorf("no package: %.300q", list[1])
	}
	kept := results(t, reread(t, cli(t, "export", "--policy", "none", recording).out))
	if len(kept) != 2 || kept[1] != large {
		t.Errorf("under none %d results, %d bytes", len(kept), len(kept[1]))
	}
}

func TestARejectedResultIsWrittenEmpty(t *testing.T) {
	recording := file(t, "r.json", chat(toolResult{"a", numbers(100)}))
	got := cli(t, "export", "--set", "limits.hard_bytes=150", recording)
	if list := results(t, reread(t, got.out)); len(list) != 1 || list[0] != "" {
		t.Errorf("%q, %s", list, got.err)
	}
}

func TestInstructionsStandBehindTheResult(t *testing.T) {
	recording := file(t, "r.json", chat(toolResult{"a", `{"display_instructions_for_model":"Use a table.","n":1}`}, toolResult{"b", "[2]"}))
	got := cli(t, "export", recording)
	want := `{"role":"tool","tool_call_id":"call_1","content":"{\"n\":1}"},{"role":"tool","tool_call_id":"call_2","content":"[2]"},` +
		`{"role":"system","content":"Use a table."}]}` + "\n"
	if !strings.HasSuffix(got.out, want) {
		t.Errorf("got %s", got.out)
	}
}

func TestAnExportSaysWhyItIsNotTheRecordingsOwnFormat(t *testing.T) {
	one := file(t, "one.json", chat(toolResult{"a", "[1]"}))
	claude := func(id string) string {
		return `{"type":"user","uuid":"u-` + id + `","sessionId":"` + id + `","isSidechain":false,"message":{"role":"user","content":"go on with ` + id + `"}}` + "\n" +
			`{"type":"assistant","uuid":"v-` + id + `","sessionId":"` + id + `","isSidechain":false,"message":{"role":"assistant","content":"done"}}` + "\n"
	}
	first, second := file(t, "first.jsonl", claude("s-1")), file(t, "second.jsonl", claude("s-2"))
	sub := file(t, "sub.jsonl", claude("s-3")+strings.NewReplacer(`false`, `true,"agentId":"x"`, "u-", "w-", "v-", "z-").Replace(claude("s-3")))
	for _, c := range []struct {
		name          string
		args          []string
		format, err   string
		conversations int
	}{
		{"its own format", []string{one}, "openai-chat", "", 1},
		{"a session", []string{first}, "claude-code", "", 1},
		{"a session with a subagent", []string{sub}, "claude-code", "", 1},
		{"two of one format", []string{one, one}, "openai-chat", "", 2},
		{"two sessions", []string{first, second}, "openai-chat",
			"floodmark: written as openai-chat: 2 conversations, or subagents, have no place in one file of claude-code\n", 2},
		{"two formats", []string{one, first}, "openai-chat", "floodmark: written as openai-chat: the recordings have several formats\n", 2},
		{"as asked for", []string{"--to", "anthropic-messages", one}, "anthropic-messages", "", 1},
		{"a subagent elsewhere", []string{"--to", "openai-responses", sub}, "openai-responses",
			"floodmark: openai-responses has no place for subagents: 1 thread written as 1 more conversation\n", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := cli(t, append([]string{"export"}, c.args...)...)
			r := reread(t, got.out)
			if got.code != 0 || got.err != c.err || r.Format != c.format || len(r.Conversations) != c.conversations {
				t.Errorf("exit %d, %q, %s with %d conversations", got.code, got.err, r.Format, len(r.Conversations))
			}
		})
	}
}

func TestAnExportThatCannotBeIsOneLineAndAHint(t *testing.T) {
	one := file(t, "one.json", chat(toolResult{"a", "[1]"}))
	folder := t.TempDir()
	for _, c := range []struct{ args, err string }{
		{"--to openai", "floodmark: --to: no such name: openai\nhint: one of openai-chat, openai-responses, anthropic-messages, claude-code, mcp-jsonrpc, gemini-contents\n"},
		{"--to mcp-jsonrpc " + one, "floodmark: export: 2 conversations, or subagents, have no place in one file of mcp-jsonrpc\nhint: export one at a time, or use --to openai-chat\n"},
		{"-o " + folder, "floodmark: " + folder + ": it is a folder\nhint: --output names a file\n"},
	} {
		got := cli(t, append(append([]string{"export"}, strings.Fields(c.args)...), one)...)
		if got.code != 2 || got.err != c.err || got.out != "" {
			t.Errorf("%s: exit %d, %q, output %q", c.args, got.code, got.err, got.out)
		}
	}
}

func TestAnExportKeepsNothingAndLeavesNothingBehind(t *testing.T) {
	recording := file(t, "r.json", chat(toolResult{"large", numbers(20000)}))
	store, out := filepath.Join(t.TempDir(), "variables.db"), filepath.Join(t.TempDir(), "out.json")
	if got := cli(t, "export", "--store", store, "-o", out, recording); got.code != 0 || got.out != "" {
		t.Fatalf("exit %d, %q", got.code, got.err)
	}
	if _, err := os.Stat(store); err == nil {
		t.Error("a store was made")
	}
	text, err := os.ReadFile(out)
	if err != nil || len(text) > 10000 || !strings.Contains(string(text), "large_1") {
		t.Errorf("%v, %d bytes", err, len(text))
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(out), ".floodmark-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAnExportIsHarmlessAndExact(t *testing.T) {
	const text = "\x1b[31m \x7f \u009b \u202e \u200b \ufeff \U000e0041 é \U0001F600"
	recording := file(t, "r.json", chat(toolResult{"a", text}))
	got := cli(t, "export", recording)
	if strings.ContainsAny(got.out, "\x1b\x7f\u009b\u202e\u200b\ufeff\U000e0041") ||
		!strings.Contains(got.out, `\u001b[31m \u007f \u009b \u202e \u200b \ufeff \udb40\udc41 é `+"\U0001F600") {
		t.Errorf("got %q", got.out)
	}
	if list := results(t, reread(t, got.out)); len(list) != 1 || list[0] != text {
		t.Errorf("read back %q", list)
	}
	broken := file(t, "b.json", strings.Replace(chat(toolResult{"a", "x HERE y"}), "HERE", "\xff", 1))
	got = cli(t, "export", broken)
	if list := results(t, reread(t, got.out)); list[0] != "x \ufffd y" || got.err != "floodmark: 1 byte not UTF-8 became U+FFFD: JSON has no place for them\n" {
		t.Errorf("read back %q, %q", list, got.err)
	}
}

// However the pieces are cut, they are written as one.
func TestCharactersOverTwoPiecesAreEscapedToo(t *testing.T) {
	const text = "a\u202eb\U000e0041é\xe2\x80"
	for n := 1; n < 6; n++ {
		var b strings.Builder
		w := &escapingWriter{w: &b}
		for rest := text; rest != ""; {
			k := min(n, len(rest))
			if _, err := w.Write([]byte(rest[:k])); err != nil {
				t.Fatal(err)
			}
			rest = rest[k:]
		}
		if err := w.flush(); err != nil {
			t.Fatal(err)
		}
		if want := `a\u202eb\udb40\udc41é` + "\ufffd\ufffd"; b.String() != want || w.invalid != 2 {
			t.Errorf("in pieces of %d: %q, %d invalid", n, b.String(), w.invalid)
		}
	}
}

// A file that many programs can read: the exports of the built-in recordings, whole.
func TestTheBuiltInRecordingsCanBeExported(t *testing.T) {
	got := cli(t, "export")
	if got.code != 0 || !strings.HasPrefix(got.err, "floodmark: written as openai-chat: the recordings have several formats\n") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
	if r := reread(t, got.out); len(r.Problems) > 0 || len(r.Conversations) != 19 {
		t.Errorf("%d conversations, problems %v", len(r.Conversations), r.Problems)
	}
}

func TestExportDoesNotWriteOverWhatItReads(t *testing.T) {
	text := chat(toolResult{"list", numbers(20_000)})
	path := file(t, "r.json", text)
	link := filepath.Join(filepath.Dir(path), "link.json")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	for _, out := range []string{path, link} {
		got := cli(t, "export", "-o", out, path)
		if got != (end{"", "floodmark: " + out + ": it is the recording that is read, and what the export leaves out would be gone\nhint: write to another file\n", 2}) {
			t.Errorf("%+v", got)
		}
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != text {
		t.Errorf("%d bytes, %v: the recording was changed", len(b), err)
	}
}
