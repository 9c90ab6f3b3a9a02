package ui

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestTheTreeShowsStepsAndBatches(t *testing.T) {
	rows, steps := buildRows(sampleRecording().Conversations[0])
	var got []string
	for _, r := range rows {
		switch r.kind {
		case turnRow:
			got = append(got, strconv.Itoa(r.turn.Number))
		case callRow:
			got = append(got, r.tree.branch(&unicodeGlyphs)+" "+r.call.ID)
		case wordsRow:
			got = append(got, r.tree.branch(&unicodeGlyphs)+" words")
		}
	}
	want := "1|├─ call_8|├─ call_9|└─ words|2|├┬ call_10|│├ call_11|│└ call_12|└─ call_13|3|├─ call_14|└─ words"
	if g := strings.Join(got, "|"); g != want {
		t.Errorf("%s\nwant\n%s", g, want)
	}
	if len(steps) != 7 {
		t.Errorf("%d steps, want 7", len(steps))
	}
}

func TestPanesTileTheScreen(t *testing.T) {
	for w := minWidth; w < 230; w++ {
		for h := minHeight; h < 80; h++ {
			l := layOut(w, h)
			if got := l.header.H + 1 + l.list.H + 1 + l.gauge.H + l.footer.H; got != h {
				t.Fatalf("%d×%d: %d rows", w, h, got)
			}
			if l.body.H != l.list.H || l.body.Y != l.list.Y || l.list.H < 9 {
				t.Fatalf("%d×%d: list %v, body %v", w, h, l.list, l.body)
			}
			if !l.narrow && (l.list.W+1 != l.body.X || l.body.X+l.body.W != w || l.body.W < 39) {
				t.Fatalf("%d×%d: list %v, body %v", w, h, l.list, l.body)
			}
		}
	}
}

func TestALaterJobOfAKindReplacesTheEarlier(t *testing.T) {
	j := newJobs(context.Background())
	var got []string
	work := func(name string) func(context.Context) answer {
		return func(ctx context.Context) answer {
			return func() tea.Cmd { got = append(got, name); return nil }
		}
	}
	first := j.start("load", work("first"))
	early := first()
	second := j.start("load", work("second"))
	other := j.start("find", work("other"))
	if m := first(); m != nil {
		t.Error("a cancelled job ran")
	}
	j.finish(early.(jobMsg))
	j.finish(second().(jobMsg))
	j.finish(other().(jobMsg))
	if g := strings.Join(got, " "); g != "second other" {
		t.Errorf("applied: %s, want second other", g)
	}
	if j.running("load") || j.running("find") {
		t.Error("something still runs")
	}
}

// Keys are named in the key table and styles in the theme, nowhere else.
func TestKeysAndStylesHaveOnePlace(t *testing.T) {
	special := map[string]bool{}
	for _, b := range bindings {
		for _, k := range b.keys {
			if strings.HasPrefix(k, "ctrl+") || k == "esc" || k == "enter" || strings.HasPrefix(k, "pg") || k == "shift+tab" {
				special[k] = true
			}
		}
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := file.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if path := strings.Trim(i.Path.Value, `"`); path == "github.com/charmbracelet/lipgloss" && name != "theme.go" {
				t.Errorf("%s makes styles; theme.go is the place", name)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					if special[s] && name != "keys.go" {
						t.Errorf("%s names the key %q; keys.go is the place", name, s)
					}
					if strings.Contains(s, "\x1b") && !strings.HasPrefix(name, "command_") {
						t.Errorf("%s writes an escape sequence", name)
					}
				}
			}
			return true
		})
	}
}
