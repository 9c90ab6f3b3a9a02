package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
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
