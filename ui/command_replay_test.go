package ui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"floodmark/store"
)

// keys are the top-level keys of a JSON object, in the order in which they are written.
func keys(t *testing.T, line string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	var list []string
	depth, key := 0, true
	for {
		token, err := d.Token()
		if err != nil {
			return strings.Join(list, " ")
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
			continue
		case json.Delim('}'), json.Delim(']'):
			depth--
		default:
			if depth == 1 && key {
				list = append(list, token.(string))
				key = false
				continue
			}
		}
		if depth == 1 {
			key = true
		}
	}
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

func TestReplayJSONIsOneObjectAResultThenTotals(t *testing.T) {
	big := numbers(20_000) // 40,001 bytes: 10,000.25 tokens
	path := file(t, "r.json", chat(toolResult{"list-items", big}, toolResult{"whoami", `{"id": 7}`}))
	kept := filepath.Join(t.TempDir(), "v.db")
	got := cli(t, "replay", "--json", "--store", kept, path)
	if got.code != 0 || got.err != "" {
		t.Fatalf("exit %d, %s", got.code, got.err)
	}
	text := strings.Split(got.out, "\n")
	if want := "file format conversation thread turn step index batch call tool error policy verdict original inline variable instructions trace warnings at"; keys(t, text[0]) != want {
		t.Errorf("keys\n     %s\nwant %s", keys(t, text[0]), want)
	}
	objects := got.lines(t)
	if len(objects) != 3 {
		t.Fatalf("%d lines, want 3", len(objects))
	}
	first, second, totals := objects[0], objects[1], objects[2]["totals"]
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"file", first["file"], path},
		{"format", first["format"], "openai-chat"},
		{"thread", first["thread"], "main"},
		{"turn", first["turn"], 1.0},
		{"step", first["step"], 1.0},
		{"index", first["index"], 0.0},
		{"batch", first["batch"], 2.0},
		{"call", first["call"], "call_1"},
		{"tool", first["tool"], "list-items"},
		{"error", first["error"], false},
		{"policy", first["policy"], "moveworks"},
		{"verdict", first["verdict"], "offloaded"},
		{"original.bytes", at(first, "original", "bytes"), 40001.0},
		{"original.tokens", at(first, "original", "tokens"), 10000.25},
		{"original.estimator", at(first, "original", "estimator"), "bytes/4"},
		{"original.lines", at(first, "original", "lines"), 1.0},
		{"original.kind", at(first, "original", "kind"), "array"},
		{"original.records", at(first, "original", "records"), 20000.0},
		{"original.sha256", at(first, "original", "sha256"), sum(big)},
		{"variable", first["variable"], map[string]any{"name": "list-items_1", "bytes": 40001.0, "sha256": sum(big)}},
		{"instructions", first["instructions"], nil},
		{"trace, first", at(first, "trace", 0), map[string]any{"check": "hard-limit", "observed": 40001.0, "limit": 100000000.0, "unit": "bytes", "result": "under"}},
		{"trace, second", at(first, "trace", 1), map[string]any{"check": "size", "observed": 10000.25, "limit": 7000.0, "unit": "tokens", "result": "over"}},
		{"at.line", at(first, "at", "line"), 1.0},
		{"second verdict", second["verdict"], "inline"},
		{"second index", second["index"], 1.0},
		{"second inline", second["inline"], map[string]any{"bytes": 9.0, "tokens": 2.25}},
		{"second variable", second["variable"], nil},
		{"second records", at(second, "original", "records"), nil},
		{"second warnings", second["warnings"], []any{}},
		{"totals.results", at(totals, "results"), 2.0},
		{"totals.verdicts", at(totals, "verdicts"), map[string]any{"inline": 1.0, "offloaded": 1.0}},
		{"totals.original", at(totals, "original"), map[string]any{"bytes": 40010.0, "tokens": 10002.5}},
		{"totals.reported", at(totals, "reported"), nil},
		{"totals.no_result", at(totals, "no_result"), 0.0},
		{"totals.skipped_lines", at(totals, "skipped_lines"), 0.0},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
	if want := `{"totals":{"results":2,"verdicts":{"inline":1,"offloaded":1},`; !strings.HasPrefix(text[2], want) {
		t.Errorf("totals begin %.60s", text[2])
	}

	s, err := store.Open(kept, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	found, err := s.Find("list-items_1")
	if err != nil || len(found) != 1 || found[0].SHA256 != sum(big) || found[0].Tool != "list-items" || found[0].Call != "call_1" {
		t.Errorf("in the store: %+v (%v)", found, err)
	}
}

func TestReplayJSONAddsTextSchemaAndPreview(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"a", numbers(20_000)}, toolResult{"b", "plain text"}))
	got := cli(t, "replay", "--json", "--text", "--schema", "--preview", "--store", "none", path).lines(t)
	if text, _ := at(got[0], "inline", "text").(string); int(at(got[0], "inline", "bytes").(float64)) != len(text) || !strings.Contains(text, "a_1") {
		t.Errorf("inline.text of the offloaded result: %q", text)
	}
	if kind := at(got[0], "schema", "type"); kind != "array" {
		t.Errorf("schema.type %v", kind)
	}
	if preview, _ := got[0]["preview"].(string); !strings.HasPrefix(preview, "[1,1,1]") {
		t.Errorf("preview %q", preview)
	}
	if got[1]["schema"] != nil || at(got[1], "inline", "text") != "plain text" || got[1]["preview"] != "plain text" {
		t.Errorf("plain text: %v", got[1])
	}
	if v := got[0]["variable"]; at(v, "sha256") != sum(numbers(20_000)) {
		t.Errorf("with --store none: %v", v)
	}
}

func TestACallWithoutAResultIsALineWithoutAVerdict(t *testing.T) {
	path := file(t, "r.json", `{"messages": [{"role": "user", "content": "q"},
		{"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "slow", "arguments": "{}"}}]}]}`)
	got := cli(t, "replay", "--json", "--store", "none", path)
	objects := got.lines(t)
	if want := "file format conversation thread turn step index batch call tool policy warnings"; !strings.HasPrefix(keys(t, got.out), want) || strings.Contains(keys(t, got.out), "verdict") {
		t.Errorf("keys %s", keys(t, got.out))
	}
	if at(objects[0], "warnings", 0, "code") != "no-result" || at(objects[1], "totals", "no_result") != 1.0 {
		t.Errorf("got %s", got.out)
	}
}

func TestReplayTextIsOneAlignedLineAResult(t *testing.T) {
	path := file(t, "r.json", chat(
		toolResult{"list-items", numbers(20_000)},
		toolResult{"report", strings.Repeat("many words ", 4000)},
		toolResult{"evil\x1b[2J", "{}"},
	))
	got := cli(t, "replay", "--store", "none", path)
	if got.code != 0 || got.err != "" {
		t.Fatalf("exit %d, %s", got.code, got.err)
	}
	for _, want := range []string{
		`(?m)^\S+r\.json · openai-chat · conversation \S+ · 1 turn$`,
		`(?m)^  turn    tool          original →      inline  verdict$`,
		`(?m)^  1\.1   ↑ list-items      10,000 →      [ ,0-9]{6}  offloaded to \$list_items_1$`,
		`(?m)^  1\.1   ≈ report          11,000 →      11,000  inline · large-plaintext`,
		`(?m)^  1\.1   = evil␛\[2J             1 →           1  inline$`,
		`(?m)^3 results: 2 inline, 1 offloaded$`,
		`(?m)^original           21,001 tokens       84,003 bytes$`,
		`(?m)^policy moveworks, tokens by bytes/4$`,
	} {
		if !regexp.MustCompile(want).MatchString(got.out) {
			t.Errorf("no line %s in\n%s", want, got.out)
		}
	}
}

func TestAChangedPolicyOfAVendorIsMarkedWhatIf(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"a", numbers(3000)}))
	got := cli(t, "replay", "--json", "--store", "none", "--set", "limits.per_result=1000", path).lines(t)
	if got[0]["verdict"] != "offloaded" || !reflect.DeepEqual(got[0]["what_if"], []any{"limits.per_result"}) {
		t.Errorf("verdict %v, what_if %v", got[0]["verdict"], got[0]["what_if"])
	}
	text := cli(t, "replay", "--store", "none", "--set", "limits.per_result=1000", path)
	if !strings.Contains(text.out, "policy moveworks (what if: limits.per_result), tokens by bytes/4\n") {
		t.Errorf("got %s", text.out)
	}
}

func TestAChangedPolicyWithSettingsIsNoWhatIf(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"a", numbers(3000)}))
	args := []string{"replay", "--store", "none", "--policy", "trueforge", "--set", "limits.per_result=1000", path}
	got := cli(t, append(args, "--json")...).lines(t)
	if what, known := got[0]["what_if"]; known || !reflect.DeepEqual(got[0]["changed"], []any{"limits.per_result"}) {
		t.Errorf("what_if %v, changed %v", what, got[0]["changed"])
	}
	if text := cli(t, args...); !strings.Contains(text.out, "policy trueforge (changed: limits.per_result), tokens by utf16/4\n") {
		t.Errorf("got %s", text.out)
	}
}

func TestAResultAtTheThresholdShowsItsFraction(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"over", numbers(14_000)}, toolResult{"under", numbers(13_999)}, toolResult{"far", "[1]"}, toolResult{"one", "true"}))
	got := cli(t, "replay", "--store", "none", path)
	for _, want := range []string{`over +7,000\.25 → +\d+  offloaded`, `under +6,999\.75 → +6,999\.75  inline`, `far +1 → +1  inline`} {
		if !regexp.MustCompile(want).MatchString(got.out) {
			t.Errorf("no line %s in\n%s", want, got.out)
		}
	}
	small := cli(t, "replay", "--store", "none", file(t, "s.json", chat(toolResult{"one", "true"})))
	if !strings.Contains(small.out, "inline                  1 token             4 bytes\n") || strings.Contains(small.out, " 1 tokens") {
		t.Errorf("got\n%s", small.out)
	}
}

func TestOneUnreadablePathOfSeveral(t *testing.T) {
	good := file(t, "good.json", chat(toolResult{"a", "{}"}))
	missing := filepath.Join(t.TempDir(), "missing.json")
	got := cli(t, "replay", "--json", "--store", "none", missing, good, good)
	if got.code != 2 || !strings.HasPrefix(got.err, "floodmark: "+missing+": ") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
	if n := len(got.lines(t)); n != 3 {
		t.Errorf("%d lines, want 2 results and the totals", n)
	}
	if alone := cli(t, "replay", "--store", "none", missing); alone.code != 2 || alone.out != "" {
		t.Errorf("alone: exit %d, %q", alone.code, alone.out)
	}
}

func TestStandardInputIsAPath(t *testing.T) {
	got := run(t, &Streams{In: strings.NewReader(chat(toolResult{"a", "{}"}))}, "replay", "--json", "--store", "none", "-")
	if got.code != 0 || got.lines(t)[0]["file"] != "-" {
		t.Errorf("exit %d, %s%s", got.code, got.out, got.err)
	}
	if typed := onTerminal(t, "replay", "-"); typed.code != 2 || !strings.Contains(typed.err, "standard input is a terminal") {
		t.Errorf("on a terminal: exit %d, %s", typed.code, typed.err)
	}
}

func TestAStoreInUseIsAnErrorWithAWayOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.db")
	s, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got := cli(t, "replay", "--store", path, file(t, "r.json", chat(toolResult{"a", "{}"})))
	if got.code != 2 || got.out != "" || !strings.HasSuffix(got.err, "hint: wait until it is done, or use --store none to keep nothing\n") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}

func TestFaultsLoseWhatWouldBeOffloaded(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"a", numbers(20_000)}))
	for fault, want := range map[string]string{"disk-full": "lost", "sandbox-down": "lost", "write-fails": "lost", "read-fails": "offloaded", "expired": "offloaded"} {
		got := cli(t, "replay", "--json", "--store", "none", "--fault", fault, path).lines(t)
		if got[0]["verdict"] != want {
			t.Errorf("%s: %v, want %s", fault, got[0]["verdict"], want)
		}
		if want == "lost" && got[0]["variable"] != nil {
			t.Errorf("%s: a lost payload has the variable %v", fault, got[0]["variable"])
		}
	}
}

// brokenPipe is a reader that went away.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

func TestABrokenPipeEndsQuietly(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"a", "{}"}))
	for _, args := range [][]string{{"replay", "--store", "none", path}, {"replay", "--json", "--store", "none", path}, {"why", path}, {"formats"}, {"policy", "schema"}} {
		var errs bytes.Buffer
		s := &Streams{In: strings.NewReader(""), Out: brokenPipe{}, Err: &errs}
		if code := Report(s, Run(context.Background(), s, args)); code != 0 || errs.Len() > 0 {
			t.Errorf("%s: exit %d, %q", args[0], code, errs.String())
		}
	}
}

func TestAnInterruptEndsWith130(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := file(t, "r.json", chat(toolResult{"a", numbers(20_000)}))
	for _, command := range []string{"replay", "why"} {
		var out, errs bytes.Buffer
		s := &Streams{In: strings.NewReader(""), Out: &out, Err: &errs}
		if code := Report(s, Run(ctx, s, []string{command, path})); code != 130 || errs.Len() > 0 {
			t.Errorf("%s: exit %d, %q", command, code, errs.String())
		}
	}
}

func TestWithoutATerminalTheExplorerIsAReplay(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"a", "{}"}))
	if a, b := cli(t, "--store", "none", path), cli(t, "replay", "--store", "none", path); a != b || a.code != 0 {
		t.Errorf("got %+v, want %+v", a, b)
	}
	if got := onTerminal(t, "--store", "none", "--json", path); got.code != 0 || len(got.lines(t)) != 2 {
		t.Errorf("--json on a terminal: %+v", got)
	}
	opened := false
	s := &Streams{In: strings.NewReader(""), InTerminal: true, OutTerminal: true,
		Explorer: func(context.Context, ExploreOptions) error { opened = true; return nil }}
	if got := run(t, s, path); got.code != 0 || !opened {
		t.Errorf("exit %d, opened %v", got.code, opened)
	}
}

func TestCopiedCallsAreTotalledOnce(t *testing.T) {
	dir := t.TempDir()
	call := func(id, result string) string {
		return `,{"role": "assistant", "tool_calls": [{"id": "` + id + `", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
			{"role": "tool", "tool_call_id": "` + id + `", "content": "` + result + `"}`
	}
	first := `{"messages": [{"role": "user", "content": "q"}` + call("call_AbCdEfGhIjKlMnOpQrStUvWx", "12345678")
	for name, text := range map[string]string{"a.json": first + "]}", "b.json": first + call("call_BcDeFgHiJkLmNoPqRsTuVwXy", "1234") + "]}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, paths := range [][]string{{dir}, {filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")}} {
		objects := cli(t, append([]string{"replay", "--json", "--store", "none"}, paths...)...).lines(t)
		totals := objects[3]["totals"]
		if len(objects) != 4 || at(totals, "results") != 2.0 || at(totals, "original", "bytes") != 12.0 || at(totals, "counted_elsewhere") != 1.0 {
			t.Errorf("%v: %v", paths, totals)
		}
	}
	if got := cli(t, "replay", "--store", "none", dir).out; !strings.Contains(got, "\n1 call counted once: copied from one recording into another\n") {
		t.Errorf("%s", got)
	}
}
