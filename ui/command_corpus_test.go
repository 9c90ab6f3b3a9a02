package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOneCauseIsOneLine(t *testing.T) {
	var varied strings.Builder // it does not shrink much
	for i := range 2000 {
		fmt.Fprintf(&varied, "%x ", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	lines := chat(toolResult{"a", "{}"}) + "\n" + chat(toolResult{"b", varied.String()}) + "\n"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(lines)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const cut = "the compressed data ends early or is damaged"
	for _, c := range []struct {
		name, text string
		strict     bool
		want       string // behind "floodmark: FILE"
		code       int
	}{
		{"a bad line", chat(toolResult{"a", "{}"}) + "\n{\"a\":tru}\n", false, ":2: ", 0},
		{"a bad line, strictly", chat(toolResult{"a", "{}"}) + "\n{\"a\":tru}\n", true, ": line 2, byte ", 2},
		{"a document that is cut, strictly", chat(toolResult{"a", "{}"}, toolResult{"b", "{}"})[:350], true, ": line 1, byte ", 2},
		{"a gzip cut inside a line", packed.String()[:packed.Len()-20], false, ":2: " + cut, 0},
		{"a gzip cut behind the text", packed.String()[:packed.Len()-4], false, ": " + cut, 0},
		{"a gzip cut inside a line, strictly", packed.String()[:packed.Len()-20], true, ": line 2, byte ", 2},
		{"a gzip cut behind the text, strictly", packed.String()[:packed.Len()-4], true, ": byte ", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := file(t, "r.jsonl", c.text)
			args := []string{"replay", "--store", "none", path}
			if c.strict {
				args = append(args, "--strict")
			}
			got := cli(t, args...)
			if got.code != c.code || strings.Count(got.err, "floodmark: ") != 1 || !strings.HasPrefix(got.err, "floodmark: "+path+c.want) {
				t.Errorf("exit %d\n%s", got.code, got.err)
			}
		})
	}
}

func TestEveryFileOfAFolderThatCannotBeReadIsNamed(t *testing.T) {
	dir := t.TempDir()
	good := chat(toolResult{"list", "[1]"})
	for name, text := range map[string]string{"a.json.gz": "\x1f\x8b\x08\x00", "b.json.gz": "\x1f\x8b\x08\x00", "c.json": good[:len(good)-3], "d.json": good} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args []string
		want []string
	}{{nil, []string{"a.json.gz", "b.json.gz", "c.json"}}, {[]string{"--strict"}, []string{"a.json.gz", "b.json.gz", "c.json"}}} {
		got := cli(t, append([]string{"replay", "--store", "none", dir}, tt.args...)...)
		for _, name := range tt.want {
			if n := strings.Count(got.err, "floodmark: "+filepath.Join(dir, name)+":"); n != 1 || got.code != 2 {
				t.Errorf("%v: %s is named %d times, exit %d\n%s", tt.args, name, n, got.code, got.err)
			}
		}
		if strings.Contains(got.err, "d.json") {
			t.Errorf("%v: %s", tt.args, got.err)
		}
	}
}

func TestStrictTakesNoRecordThatCouldNotBeUsed(t *testing.T) {
	path := file(t, "r.jsonl", strings.ReplaceAll(chat(toolResult{"list", "[1]"}), "\n", " ")+"\n{\"messages\":null,\"x\":1}\n")
	loose, strict := cli(t, "replay", "--store", "none", path), cli(t, "replay", "--store", "none", "--strict", path)
	if loose.code != 0 || strict.code != 2 || !strings.HasPrefix(strict.err, "floodmark: "+path+": line 2, byte ") {
		t.Errorf("%+v\n%+v", loose, strict)
	}
}
