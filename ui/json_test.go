package ui

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestJSONOutputIsExactAndHarmless(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain text", "Train to Lyon, 412.50 €", `"Train to Lyon, 412.50 €"`},
		{"JSON's own escapes", "a\"\\\n\t", `"a\"\\\n\t"`},
		{"no HTML escapes", "<a&b>", `"<a&b>"`},
		{"C0", "\x00\x1b[2J\a", `"\u0000\u001b[2J\u0007"`},
		{"DEL", "\x7f", `"\u007f"`},
		{"C1: the one-byte CSI", "\u009b31m", `"\u009b31m"`},
		{"right-to-left override", "\u202e", `"\u202e"`},
		{"isolates", "\u2066a\u2069", `"\u2066a\u2069"`},
		{"right-to-left mark and Arabic letter mark", "\u200f\u061c", `"\u200f\u061c"`},
		{"zero-width space, joiner, word joiner", "\u200b\u200d\u2060", `"\u200b\u200d\u2060"`},
		{"a byte order mark", "\ufeff", `"\ufeff"`},
		{"line separators", "\u2028\u2029", `"\u2028\u2029"`},
		{"tag characters, beyond the first plane", "\U000e0041", `"\udb40\udc41"`},
		{"wide text and emoji stay", "日本 🌊", `"日本 🌊"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := writeJSON(&out, c.in); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); got != c.want+"\n" {
				t.Errorf("got %s, want %s", got, c.want)
			}
			var back string
			if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != c.in {
				t.Errorf("read back as %q (%v)", back, err)
			}
		})
	}
}

func TestEscapedLeavesADocumentTheSameToAParser(t *testing.T) {
	for in, want := range map[string]string{
		"{\n  \"a\": \"x\u200by\",\n  \"\u202e\": 1.10\n}": "{\n  \"a\": \"x\\u200by\",\n  \"\\u202e\": 1.10\n}",
		"[1,2]":      "[1,2]",
		"\"a\xffb\"": "\"a\ufffdb\"",
	} {
		if got := string(escaped([]byte(in))); got != want {
			t.Errorf("escaped(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzEscaped(f *testing.F) {
	for _, s := range []string{"", "\x1b[31m", "\u202e", "\U000e0041", "\xff", "日本"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var out bytes.Buffer
		if err := writeJSON(&out, s); err != nil {
			t.Fatal(err)
		}
		for _, r := range out.String()[:out.Len()-1] {
			if invisible(r) {
				t.Fatalf("%q holds %U", out.String(), r)
			}
		}
		var back, want string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		plain, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(plain, &want); err != nil || back != want {
			t.Fatalf("%q was read back as %q", s, back)
		}
	})
}
