package history

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// openTexts opens a folder with these files: name, text, name, text.
func openTexts(t *testing.T, files ...string) []*Recording {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Open(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

const msgA, msgB, msgC = "msg_01ABCDEFGHJKLMNPQRSTUVWX", "msg_01abcdefghjkmnpqrstuvwxy", "msg_01KLMNPQRSTUVWXYZabcdefg"

// claudeCopyLines is a session of two turns, each with a call, whose usage is 10+1 and 20+2 tokens.
// The second turn ends with words, 5 tokens of them.
func claudeCopyLines(session string) []string {
	usage := func(in, out string) string {
		return `"usage":{"input_tokens":` + in + `,"output_tokens":` + out + `},`
	}
	model := func(uuid, message, usage, block string) string {
		return strings.Replace(modelLine(uuid, message, `"requestId":"q`+uuid+`",`, block), `"model":`, usage+`"model":`, 1)
	}
	list := []string{userLine("u1", "", `"go"`),
		model("a1", msgA, usage("10", "11"), useOf("t1", "Read")), userLine("r1", "", `[`+resultOf("t1", "one")+`]`),
		userLine("u2", "", `"on"`),
		model("a2", msgB, usage("20", "12"), useOf("t2", "Read")), userLine("r2", "", `[`+resultOf("t2", "three")+`]`),
		model("a3", msgC, usage("30", "15"), `{"type":"text","text":"done"}`)}
	for i := range list {
		list[i] = strings.Replace(list[i], `"sessionId":"s1"`, `"sessionId":"`+session+`"`, 1)
	}
	return list
}

// Files that are opened one by one, but with the same Copies, are like those of a folder.
func TestCopiesAreFoundAmongFilesOpenedByName(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.jsonl": lines(claudeCopyLines("s1")...), "b.jsonl": lines(claudeCopyLines("s2")...)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		copies *Copies
		want   int // calls of the second file that count elsewhere
	}{{NewCopies(), 2}, {nil, 0}} {
		n := 0
		for _, name := range []string{"a.jsonl", "b.jsonl"} {
			list, err := Open(context.Background(), filepath.Join(dir, name), Options{Copies: tt.copies})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list[0].Conversations[0].Calls() {
				if c.Flags.Has(CountedElsewhere) {
					if n++; name == "a.jsonl" {
						t.Errorf("%s of the first file counts elsewhere", c.ID)
					}
				}
			}
		}
		if n != tt.want {
			t.Errorf("%d calls count elsewhere, want %d", n, tt.want)
		}
	}
}

func TestASessionThatGoesOnInAnotherFileCountsOnce(t *testing.T) {
	first := lines(claudeCopyLines("s1")...)
	again := func(session, message, id string) []string {
		return []string{strings.Replace(userLine("u4", "", `"more"`), `"s1"`, `"`+session+`"`, 1),
			strings.Replace(modelLine("a4", message, `"requestId":"q4",`, useOf(id, "Read")), `"s1"`, `"`+session+`"`, 1),
			strings.Replace(userLine("r4", "", `[`+resultOf(id, "fourth")+`]`), `"s1"`, `"`+session+`"`, 1)}
	}
	resumed := lines(append(claudeCopyLines("s2"), again("s2", "m7", "t5")...)...)
	forked := lines(append(claudeCopyLines("s3")[:3], again("s3", "m9", "t4")...)...)
	for name, tt := range map[string]struct {
		files  []string
		want   string // the calls of all files in order, those that count elsewhere in brackets
		output int64  // tokens that were reported
	}{
		"a resume":                       {[]string{"1.jsonl", first, "2.jsonl", resumed}, "t1 t2 | [t1] [t2] t5", 11 + 12 + 15},
		"a fork behind the first turn":   {[]string{"1.jsonl", first, "2.jsonl", forked}, "t1 t2 | [t1] t4", 11 + 12 + 15},
		"the copy comes first":           {[]string{"1.jsonl", resumed, "2.jsonl", first}, "t1 t2 t5 | [t1] [t2]", 11 + 12 + 15},
		"two forks of the same session":  {[]string{"1.jsonl", first, "2.jsonl", forked, "3.jsonl", resumed}, "t1 t2 | [t1] t4 | [t1] [t2] t5", 11 + 12 + 15},
		"a session that begins anew":     {[]string{"1.jsonl", first, "2.jsonl", lines(again("s4", "m8", "t4")...)}, "t1 t2 | t4", 11 + 12 + 15},
		"another result of the same ids": {[]string{"1.jsonl", first, "2.jsonl", strings.ReplaceAll(first, `"one"`, `"other"`)}, "t1 t2 | t1 t2", 2 * (11 + 12 + 15)},
	} {
		var got []string
		var usage *Usage
		for _, rec := range openTexts(t, tt.files...) {
			var calls []string
			for _, c := range rec.Conversations[0].Calls() {
				id := c.ID
				if c.Flags.Has(CopiedHistory | CountedElsewhere) {
					id = "[" + id + "]"
				}
				calls = append(calls, id)
			}
			got = append(got, strings.Join(calls, " "))
			usage = usage.Add(rec.Conversations[0].Usage)
		}
		if g := strings.Join(got, " | "); g != tt.want || usage.Output != tt.output {
			t.Errorf("%s: %s, %d tokens; should be %s, %d", name, g, usage.Output, tt.want, tt.output)
		}
	}
}

// Ids that are positions prove nothing, and neither do long ones with another time.
func TestEqualIDsOfDifferentSessionsAreNoCopies(t *testing.T) {
	chat := func(id, text string) string {
		return `[{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"get_stock_of_item","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"` + id + `","content":"` + text + `"}]`
	}
	session := func(name, time string) string {
		return strings.ReplaceAll(lines(
			userLine("u"+name, "", `"go"`), modelLine("a"+name, "msg", "", useOf("Bash:0", "Bash")), userLine("r"+name, "", `[`+resultOf("Bash:0", "one")+`]`)),
			`"sessionId":"s1"`, `"sessionId":"`+name+`","timestamp":"2026-01-02T03:04:`+time+`Z"`)
	}
	for name, files := range map[string][]string{
		"short ids":                      {"1.json", chat("0", "a"), "2.json", chat("0", "a")},
		"ids with the tool's name":       {"1.json", chat("get_stock_of_item:0", "a"), "2.json", chat("get_stock_of_item:0", "a")},
		"counted ids":                    {"1.json", chat("call_0000000000000001", "a"), "2.json", chat("call_0000000000000001", "a")},
		"the same places at other times": {"1.jsonl", session("x", "05"), "2.jsonl", session("y", "06")},
	} {
		for _, rec := range openTexts(t, files...) {
			if c := rec.Conversations[0].Calls()[0]; c.Flags.Has(CountedElsewhere) {
				t.Errorf("%s: %s is flagged %v", name, rec.Name, c.Flags.Names())
			}
		}
	}
}

func TestACodexForkBesideItsParentCountsOnce(t *testing.T) {
	child := codexFork(`"forked_from_id":"` + codexParent + `"`)
	parent := lines(rollout("session_meta", `{"id":"`+codexParent+`"}`),
		rollout("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"old"}]}`),
		rollout("response_item", `{"type":"function_call","call_id":"a","name":"shell","arguments":"{}"}`),
		codexTokens("100", "0", "1"),
		rollout("response_item", `{"type":"function_call_output","call_id":"a","output":"100"}`))
	list := openTexts(t, "1.jsonl", parent, "2.jsonl", child)
	if got, want := transcript(t, list[0])+transcript(t, list[1]), `main 1.1 shell(a) = "100"
main 1.1 shell(a) = "100" [copied-history counted-elsewhere]
main 2.1 shell(b) = "130"
`; got != want {
		t.Errorf("%sshould be\n%s", got, want)
	}
	if u, v := list[0].Conversations[0].Usage, list[1].Conversations[0].Usage; u.Input != 100 || v.Input != 30 {
		t.Errorf("usage %+v and %+v", u, v)
	}
	if alone := readAs(t, "codex", child); alone.Conversations[0].Calls()[0].Flags != CopiedHistory {
		t.Errorf("alone the copy counts: %v", alone.Conversations[0].Calls()[0].Flags.Names())
	}
}

// A recorder that gives every call an id of its own: the ids prove it, whatever the format.
func TestLongIDsProveACopyInAnyFormat(t *testing.T) {
	const a, b = "call_AbCdEfGhIjKlMnOpQrStUvWx", "call_QrStUvWxYzAbCdEfGhIjKlMn"
	call := func(id string) string {
		return `{"role":"assistant","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"` + id + `","content":"r"}`
	}
	list := openTexts(t, "1.json", `[{"role":"user","content":"go"},`+call(a)+`]`, "2.json", `[{"role":"user","content":"go"},`+call(a)+`,`+call(b)+`]`)
	if got, want := transcript(t, list[1]), "main 1.1 f("+a+") = \"r\" [copied-history counted-elsewhere]\nmain 1.2 f("+b+") = \"r\"\n"; got != want {
		t.Errorf("%sshould be\n%s", got, want)
	}
}

func TestNoRealSessionIsACopyOfAnother(t *testing.T) {
	list, err := Open(context.Background(), filepath.Join(realRecordings(t), "claude_code"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, rec := range list {
		for _, c := range rec.Conversations {
			for _, call := range c.Calls() {
				if calls++; call.Flags.Has(CountedElsewhere) {
					t.Errorf("%s: %s is flagged %v", rec.Name, call.ID, call.Flags.Names())
				}
			}
		}
	}
	if calls != 354+18 { // results and calls without one: the truth file's
		t.Errorf("%d calls", calls)
	}
}
