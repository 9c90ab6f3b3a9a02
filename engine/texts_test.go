package engine

import (
	"math"
	"strings"
	"testing"

	"floodmark/history"
)

func TestPackageTexts(t *testing.T) {
	records := &Preview{Text: "[{\"id\":1}]\n.: left out 499 records", JSON: []byte(`[{"id":1}]`), Records: 1, Of: 500, Path: "."}
	ends := HeadTailPreview([]byte(strings.Repeat("a", 150)+strings.Repeat("z", 150)), 100, 100, false)
	a100, z100 := strings.Repeat("a", 100), strings.Repeat("z", 100)
	size := Measure{184022, 46005.5}
	for _, c := range []struct {
		name, policy string
		kind         Verdict
		records      int
		preview      *Preview
		schema       *Schema
		want         string
	}{
		{"a variable has preview, schema, name and the way to the data", "moveworks", Offloaded, 500, records, &Schema{JSON: []byte(`{"type":"array"}`)},
			`Preview, the first of 500 records:
[{"id":1}]
.: left out 499 records

JSON Schema of the complete data:
{"type":"array"}

The complete data (about 46006 tokens, 184022 bytes, 500 records) is the variable list_expenses_1 and is available through the Code Interpreter. Use it for anything that the preview does not show; print only what you need.`},
		{"a file has notice, path, advice and preview", "trueforge", Offloaded, 500, ends, nil,
			`This result (about 46006 tokens, 184022 bytes) was kept out of the context. The complete data is in the sandbox file
tool-results/list_expenses_1.txt
Look at a small prefix or infer the schema first, then search it, and filter or aggregate it with code. Print only what you need, never the whole file.

Preview, both ends:
` + a100 + "\n…\n" + z100},
		{"a lost result says that it can't be read back", "trueforge", Lost, -1, ends, nil,
			`This result (about 46006 tokens, 184022 bytes) is too large for the context, and the complete result could not be kept: it can't be read back. Only the preview is left. If you need more, call the tool again and ask for less: a filter, fewer fields, or a page.

Preview, both ends:
` + a100 + "\n…\n" + z100},
		{"the sandbox's own output is to be written to a file", "trueforge", PreviewOnly, -1, ends, nil,
			`This output (about 46006 tokens, 184022 bytes) is too large for the context and was not kept. Run the command again and write its output to a file, then read parts of that file: search it, or print a few lines.

Preview, both ends:
` + a100 + "\n…\n" + z100},
		{"a failed call's text is cut and nothing is added", "trueforge", Truncated, -1,
			HeadTailPreview([]byte(strings.Repeat("e", 501)), 500, 0, false), nil, strings.Repeat("e", 500)},
		{"a short one stays as it is", "trueforge", Truncated, -1,
			HeadTailPreview([]byte(strings.Repeat("e", 500)), 500, 0, false), nil, strings.Repeat("e", 500)},
		{"a cut that would split a cluster moves inwards", "trueforge", Truncated, -1,
			HeadTailPreview([]byte(strings.Repeat("e", 499)+"🎉"), 500, 0, false), nil, strings.Repeat("e", 499)},
		{"the payload's own mark at the cut stays", "trueforge", Truncated, -1,
			HeadTailPreview([]byte(strings.Repeat("e", 497)+"\n…\nrest"), 500, 0, false), nil, strings.Repeat("e", 497) + "\n…\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := builtinPolicy(t, c.policy)
			path := ""
			if p.Package.Reference == FileReference && c.kind == Offloaded {
				path = p.Package.file("list_expenses_1")
			}
			if got := packageText(c.kind, p, "list_expenses_1", path, size, c.records, c.preview, c.schema); got != c.want {
				t.Errorf("the package is\n%s\n\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestNoticeAndPathKeepToTheirLimit(t *testing.T) {
	preview := &Preview{Text: "…", Records: -1}
	size := Measure{math.MaxInt64, 1e15}
	for _, limit := range []string{"76", "100", "150", "200", "300", "400"} {
		p, err := builtinPolicy(t, "trueforge").Set("package.notice_chars=" + limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a_1", longestName} {
			for _, kind := range []Verdict{Offloaded, Lost, PreviewOnly} {
				path := p.Package.file(name)
				notice, _, _ := strings.Cut(packageText(kind, p, name, path, size, -1, preview, nil), "\n\nPreview, ")
				if n := history.Measure(notice).UTF16; n > int64(p.Package.NoticeChars) {
					t.Errorf("%s of a limit of %s has a notice of %d: %s", kind, limit, n, notice)
				}
				if kind == Offloaded && !strings.Contains(notice+"\n", "\n"+path+"\n") {
					t.Errorf("the path is not on a line of its own within %s: %s", limit, notice)
				}
			}
		}
	}
}

// TrueForge's 400 characters have room for all of the notice, with the longest name and the largest
// payload that is read.
func TestTheWholeNoticeFitsInto400Characters(t *testing.T) {
	p := builtinPolicy(t, "trueforge")
	text := packageText(Offloaded, p, longestName, p.Package.file(longestName), Measure{999_999_999, 249_999_999.75}, -1, &Preview{Records: -1}, nil)
	if !strings.Contains(text, "Print only what you need, never the whole file.\n\nPreview") {
		t.Errorf("the notice is cut short: %s", text)
	}
}

func TestLabelsSayWhatAPreviewIs(t *testing.T) {
	for _, c := range []struct {
		preview Preview
		want    string
	}{
		{Preview{Text: "x", Records: -1, Whole: true}, "Preview, nothing left out:\nx"},
		{Preview{Text: "x", Records: -1}, "Preview, both ends:\nx"},
		{Preview{Text: "{}", JSON: []byte("{}"), Records: -1}, "Preview, with parts left out:\n{}"},
		{Preview{Text: "[1]", JSON: []byte("[1]"), Records: 3, Of: 40}, "Preview, the first 3 of 40 records:\n[1]"},
		{Preview{Text: "[1]", JSON: []byte("[1]"), Records: 1, Of: 1}, "Preview, 1 record with parts left out:\n[1]"},
	} {
		if got := labelled(&c.preview); got != c.want {
			t.Errorf("the label is %q, want %q", got, c.want)
		}
	}
}
