package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"floodmark/history"
)

// inParts is a conversation with one result of several text parts.
func textParts(t *testing.T, texts ...string) *history.Conversation {
	t.Helper()
	var parts []string
	for _, text := range texts {
		parts = append(parts, fmt.Sprintf(`{"type":"text","text":%q}`, text))
	}
	return opened(t, `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"list","input":{}}]},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[`+strings.Join(parts, ",")+`]}]}]}`)
}

func TestOnlyThePartsOverTheLimitAreReplaced(t *testing.T) {
	notice := func(tokens, bytes int) string {
		return fmt.Sprintf("This result (about %d tokens, %d bytes) was kept out of the context. The complete data is in the file\ncontent/list_1.txt\n"+
			"Look at a small prefix or infer the schema first, then search it, and filter or aggregate it with code. Print only what you need, never the whole file.", tokens, bytes)
	}
	for _, c := range []struct {
		name         string
		parts        []string
		text, detail string
	}{
		{"the second", []string{"before", letters(8_196), "after"}, "before\n" + notice(2_049, 8_196) + "\nafter", "1 of 3 text parts replaced"},
		{"two, each with its own size", []string{letters(8_196), "between", letters(9_000)}, notice(2_049, 8_196) + "\nbetween\n" + notice(2_250, 9_000), "2 of 3 text parts replaced"},
		{"one at the limit stays", []string{letters(8_192), letters(8_196)}, letters(8_192) + "\n" + notice(2_049, 8_196), "1 of 2 text parts replaced"},
	} {
		o := runOf(t, policy(t, "vscode-copilot"), textParts(t, c.parts...)).Outcomes[0]
		if o.Verdict != Offloaded || o.traced("package").Detail != c.detail {
			t.Fatalf("%s: %s, %v", c.name, o.Verdict, o.Trace)
		}
		if o.Package.Text != c.text {
			t.Errorf("%s: %q entered, want %q", c.name, o.Package.Text, c.text)
		}
		if got, want := o.Inline, (Measure{int64(len(c.text)), float64(len(c.text)) / 4}); got != want {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
}

func TestPartsUnderTheLimitStayThoughTheirSumIsOver(t *testing.T) {
	o := runOf(t, policy(t, "vscode-copilot"), textParts(t, letters(8_192), letters(8_192))).Outcomes[0]
	if o.Verdict != Inline || o.Inline.Bytes != 16_384 {
		t.Errorf("%s, %d bytes", o.Verdict, o.Inline.Bytes)
	}
}

// A part that stays is seen, as compare counts it; a replaced one without a preview can be read back.
func TestAPartThatStaysIsSeen(t *testing.T) {
	p := policy(t, "vscode-copilot")
	r := NewReplayer(textParts(t, letters(300), letters(9_000)))
	o := runOf(t, p, r.Conversation()).Outcomes[0]
	s, err := r.sight(p, o, "")
	if err != nil || s.Seen != 300 || s.Retrievable != 9_000 || s.Gone != 0 {
		t.Errorf("seen %d, retrievable %d, gone %d, %v", s.Seen, s.Retrievable, s.Gone, err)
	}
}

func TestAResultOfOnePartIsReplacedWhole(t *testing.T) {
	o := runOf(t, policy(t, "vscode-copilot"), textParts(t, letters(9_000))).Outcomes[0]
	if o.Verdict != Offloaded || strings.Contains(o.Package.Text, letters(50)) || o.traced("package").Detail != "" {
		t.Errorf("%s, %q", o.Verdict, o.Package.Text)
	}
}

// What is measured of a result alone can't say which of its parts a threshold replaces.
func TestScopePartTakesAReplay(t *testing.T) {
	for _, name := range []string{"goose-mcp", "vscode-copilot"} {
		if got := policy(t, name).ByReplays(); got != "limits.scope part replaces only the parts of a result that are over" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A part that stays would enter without the package as well: nothing crosses a boundary with it.
func TestASecretInAPartThatStaysIsNotThePackages(t *testing.T) {
	mail := "ana.silva@example.com is hers"
	p := policy(t, "vscode-copilot", "preview.kind=head-tail")
	warned := func(texts ...string) bool {
		run, err := NewReplayer(textParts(t, texts...)).Run(context.Background(), p, RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(codes(run.Outcomes[0]), "sensitive-boundary")
	}
	if warned(mail, letters(9_000)) {
		t.Error("what is in the part that stays is taken for the package's")
	}
	if !warned("short", mail+" "+letters(9_000)) {
		t.Error("the preview of the part that goes has a mail address, and there is no warning")
	}
}
