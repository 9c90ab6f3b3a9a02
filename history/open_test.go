package history

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"
)

func TestWhatCannotBeOpenedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"empty-list.json": "[]\n", "cut.json": `{"messages":[{"role":"us`, "braces.txt": "func main() {\n\tf([\n",
		"empty.json": "", "blank.json": " \n\n", "zip.jsonl": "PK\x03\x04rest", "db.json": "SQLite format 3\x00rest",
		"utf16.json": "\xff\xfe{\x00", "binary": "\x7fELF\x02\x01\x00\x00", "notes.txt": "just\ntext\n",
		"other.json": `{"alpha":1,"be ta":2,"secret value":3,"gamma":[]}`, "numbers.json": `[1,2,3]`,
		"broken.gz": "\x1f\x8b\x08\x00", "folder/notes.txt": "nothing\n", "folder/x.json": `{"a":1}`,
	} {
		write(t, filepath.Join(dir, name), text)
	}
	for _, c := range []struct {
		path, reason string
		hint         bool
	}{
		{"none.json", "no such file or folder", true},
		{"empty.json", "the file is empty", true},
		{"blank.json", "the file holds nothing but white space", true},
		{"db.json", "this is an SQLite database", true},
		{"utf16.json", "this is UTF-16 text", true},
		{"binary", "this is a binary file, not a recording", true},
		{"empty-list.json", "no known recording format: its lists are empty; a recording has messages, tool calls and their results", true},
		{"cut.json", "no known recording format: the JSON it begins with is cut or damaged, and nothing of it is complete; a recording has messages, tool calls and their results", true},
		{"braces.txt", "no known recording format: it has no JSON objects or arrays; a recording has messages, tool calls and their results", true},
		{"zip.jsonl", "this is a zip archive without its end, where the list of its files stands", true},
		{"notes.txt", "no known recording format: it has no JSON objects or arrays; a recording has messages, tool calls and their results", true},
		{"other.json", "no known recording format: its records have the keys alpha, gamma; a recording has messages, tool calls and their results", true},
		{"numbers.json", "no known recording format: its records have no keys; a recording has messages, tool calls and their results", true},
		{"broken.gz", "the compressed data is damaged: unexpected EOF", true},
		{"folder", "the folder holds no recordings", true},
	} {
		path := filepath.Join(dir, c.path)
		list, err := Open(context.Background(), path, Options{})
		var e *OpenError
		if len(list) > 0 || !errors.As(err, &e) || e.Path != path || e.Reason != c.reason || (e.Hint != "") != c.hint {
			t.Errorf("%s: %d recordings, %#v", c.path, len(list), err)
		}
	}
	if _, err := Open(context.Background(), "-", Options{}); err == nil {
		t.Error("without standard input - is an error")
	}
}

func TestNoPermissionIsAnError(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root may read everything: the message alone is checked")
		if e := unreadable("p", os.ErrPermission); e.Reason != "no permission to read it" || e.Hint == "" {
			t.Errorf("%+v", e)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "r.json")
	write(t, path, chatOf("x"))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	var e *OpenError
	if _, err := Open(context.Background(), path, Options{}); !errors.As(err, &e) || e.Reason != "no permission to read it" {
		t.Error(err)
	}
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstdFrames(t *testing.T, texts ...string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, s := range texts {
		all = w.EncodeAll([]byte(s), all)
	}
	return string(all)
}

func TestTheSameFromEverySource(t *testing.T) {
	text := "\ufeff" + `{"messages":` + chatOf("one") + "}\n" + `{"messages":` + chatOf("two") + "}\n"
	dir := t.TempDir()
	want := readText(t, text)
	for name, bytes := range map[string]string{
		"plain.txt": text, "without-mark.log": strings.TrimPrefix(text, "\ufeff"), "a.gz": gzipped(t, text),
		"several-gz": gzipped(t, text[:100]) + gzipped(t, text[100:]), "b.zst": zstdFrames(t, text[:50], text[50:]),
		"both": gzipped(t, zstdFrames(t, text)),
	} {
		path := filepath.Join(dir, name)
		write(t, path, bytes)
		got := open(t, path, Options{})
		if got.Name != path || got.Format != "openai-chat" || !slices.Equal(results(t, got), []string{"one", "two"}) || len(got.Problems) > 0 {
			t.Errorf("%s: %+v %q", name, got, results(t, got))
			continue
		}
		for i, c := range got.Conversations {
			if c.ID != want.Conversations[i].ID || c.Ordinal != i || c.File != path {
				t.Errorf("%s: conversation %d has the id %s, want %s", name, i, c.ID, want.Conversations[i].ID)
			}
			if at, w := c.Calls()[0].Result.At, want.Conversations[i].Calls()[0].Result.At; at.Offset != w.Offset || at.Line != w.Line {
				t.Errorf("%s: at %+v, want %+v", name, at, w)
			}
		}
	}
	fromFS, err := OpenFS(context.Background(), fstest.MapFS{"f/x.json": {Data: []byte(text)}}, "f/x.json", Options{})
	if err != nil || fromFS.Name != "f/x.json" || len(fromFS.Conversations) != 2 {
		t.Error(fromFS, err)
	}
	in, err := Open(context.Background(), "-", Options{Stdin: strings.NewReader(gzipped(t, text))})
	if err != nil || in[0].Name != "-" || len(in[0].Conversations) != 2 {
		t.Error(in, err)
	}
}

func TestACutArchiveKeepsWhatItHas(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		b.WriteString(strings.Replace(chatOf(strings.Repeat("x", i)), "hi", strings.Repeat("y", i%7), 1) + "\n")
	}
	packed := gzipped(t, b.String())
	rec := readText(t, packed[:len(packed)/2])
	if n := len(rec.Conversations); n < 500 || n > 1500 {
		t.Errorf("%d conversations", n)
	}
	if last := rec.Problems[len(rec.Problems)-1]; last.Reason != "the compressed data ends early or is damaged" {
		t.Errorf("%+v", rec.Problems)
	}
}

func TestALongStreamIsSpooled(t *testing.T) {
	want := strings.Repeat("é, \"twenty\" bytes\n", 10_000)
	src, err := spoolSource("s", strings.NewReader("\ufeff"+chatOf(want)), 1000)
	if err != nil || src.spool == nil || src.memory != nil {
		t.Fatalf("%+v, %v", src, err)
	}
	rec, err := read(t.Context(), &input{path: "s", src: src}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := results(t, rec); !slices.Equal(got, []string{want}) {
		t.Errorf("%d results", len(got))
	}
	if _, err := os.Stat(src.spool.Name()); err == nil {
		t.Log("the file is still seen: this system keeps names of open files")
	}
	if src, err := spoolSource("s", strings.NewReader("{}"), 2); err != nil || src.spool != nil {
		t.Errorf("two bytes fit into two: %v", err)
	}
}

func TestAFolderIsAllRecordingsInIt(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.json"), chatOf("b"))
	write(t, filepath.Join(dir, "a", "z.jsonl"), chatOf("a/z"))
	write(t, filepath.Join(dir, "c.json.gz"), gzipped(t, chatOf("c")))
	write(t, filepath.Join(dir, "README.md"), "# text\n")
	write(t, filepath.Join(dir, "package.json"), `{"name":"x"}`)
	write(t, filepath.Join(dir, "empty"), "")
	list, err := Open(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range list {
		got = append(got, results(t, r)...)
	}
	if want := []string{"a/z", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLinksInAFolderAreNotFollowed(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret.json"), chatOf("secret"))
	inner := filepath.Join(dir, "in")
	write(t, filepath.Join(inner, "a.json"), chatOf("a"))
	for name, to := range map[string]string{
		"loop": inner, "parent": dir, "beside": outside, "file.json": filepath.Join(outside, "secret.json"),
		"again.json": filepath.Join(inner, "a.json"), "dead.json": filepath.Join(dir, "none"),
	} {
		if err := os.Symlink(to, filepath.Join(inner, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(inner, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, inner, link} { // the PATH itself may be a link
		list, err := Open(context.Background(), path, Options{})
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %d recordings, %v", path, len(list), err)
		}
		if got := results(t, list[0]); !slices.Equal(got, []string{"a"}) {
			t.Errorf("%s: %q", path, got)
		}
	}
	if err := os.Remove(filepath.Join(inner, "a.json")); err != nil {
		t.Fatal(err)
	}
	_, err := Open(context.Background(), inner, Options{})
	var e *OpenError
	if !errors.As(err, &e) || e.Hint != "links in a folder are not followed: name what they lead to" {
		t.Errorf("links only: %v", err)
	}
}

func TestFormatIsForced(t *testing.T) {
	text := `[{"role":"user","content":"hi"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"x"}]`
	rec := readText(t, text)
	if rec.Format != "openai-responses" || rec.Reason == "" || len(onlyCall(t, rec).Flags.Names()) > 0 {
		t.Errorf("%s: %s", rec.Format, rec.Reason)
	}
	forced, err := Read(context.Background(), "-", strings.NewReader(text), Options{Format: "openai-chat"})
	if err != nil || forced.Format != "openai-chat" || len(forced.Conversations[0].Calls()) != 0 {
		t.Error(forced, err)
	}
	var e *OpenError
	if _, err := Read(context.Background(), "-", strings.NewReader(text), Options{Format: "none"}); !errors.As(err, &e) || !strings.Contains(e.Hint, "openai-chat") {
		t.Error(err)
	}
	if _, err := Read(context.Background(), "-", strings.NewReader(`{"a":1}`), Options{Format: "openai-chat"}); !errors.As(err, &e) ||
		e.Reason != "no conversation in it, read as openai-chat: nobody says or calls anything there; a recording has messages, tool calls and their results" {
		t.Error(err)
	}
}

func TestNestingCostsNoStack(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: it runs once, without the race detector")
	}
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const depth = 200_000
	for _, nest := range [][2]string{{"[", "]"}, {`{"a":`, "}"}, {`{"messages":[`, "]}"}} {
		deep := strings.Repeat(nest[0], depth) + "0" + strings.Repeat(nest[1], depth)
		for _, f := range formats {
			// Too deep a recursion is fatal; with or without a conversation, there must be an answer.
			rec, err := Read(t.Context(), "-", strings.NewReader(deep), Options{Format: f.Name})
			if rec == nil && err == nil {
				t.Errorf("%s says nothing of %s", f.Name, nest[0])
			}
		}
	}
}

func TestStrictStopsAtTheFirstDamage(t *testing.T) {
	text := chatOf("one") + "\n{\"a\":tru}\n" + chatOf("two") + "\n"
	rec, err := Read(context.Background(), "r", strings.NewReader(text), Options{Strict: true})
	var e *OpenError
	if !errors.As(err, &e) || !strings.HasPrefix(e.Reason, "line 2, byte ") || e.Hint == "" {
		t.Fatal(err)
	}
	if got := results(t, rec); !slices.Equal(got, []string{"one"}) {
		t.Errorf("%q came before the damage", got)
	}
	rec = readText(t, text)
	if got := results(t, rec); !slices.Equal(got, []string{"one", "two"}) || len(rec.Problems) != 1 || rec.Problems[0].At.Line != 2 {
		t.Errorf("%q %+v", got, rec.Problems)
	}
}

func TestProgressAndCancel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	text := strings.Repeat(chatOf("x")+"\n", 5000)
	write(t, path, text)
	var last, total int64
	open(t, path, Options{Progress: func(n, of int64) {
		if n < last {
			t.Errorf("%d after %d", n, last)
		}
		last, total = n, of
	}})
	if last != int64(len(text)) || total != last {
		t.Errorf("%d of %d bytes, want %d", last, total, len(text))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, path, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Read(ctx, "-", strings.NewReader(text), Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestGeneratedPayloads(t *testing.T) {
	g := Generator{Size: Size{Bytes: 200_000_000, Chars: 200_000_000, UTF16: 200_000_000}}
	rec, err := Read(context.Background(), "-", strings.NewReader(chatOf("made by a rule")), Options{Generated: map[string]Generator{"c1": g}})
	if err != nil || onlyCall(t, rec).Result.Payload.Size() != g.Size {
		t.Error(err)
	}
}
