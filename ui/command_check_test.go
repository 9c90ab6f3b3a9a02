package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A warning that the engine gains and --deny does not know could not be held to.
func TestDenyTakesEveryWarningOfTheEngine(t *testing.T) {
	paths, err := filepath.Glob("../engine/*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	look := func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Warn") {
			return true
		}
		if v, ok := spec.Values[0].(*ast.BasicLit); ok {
			code, err := strconv.Unquote(v.Value)
			if n++; err != nil || !slices.Contains(warningCodes, code) {
				t.Errorf("--deny does not take %s", v.Value)
			}
		}
		return true
	}
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, look)
	}
	if n < 10 || n != len(warningCodes) {
		t.Errorf("the engine has %d warnings, --deny takes %d", n, len(warningCodes))
	}
}

func TestCheckHoldsToWhatLooksSensitive(t *testing.T) {
	payload := `{"rows":[{"id":1,"card":"4242424242424242"}` + strings.Repeat(`,{"id":2,"note":"nothing here"}`, 1000) + `]}`
	path := file(t, "cards.json", chat(toolResult{"list", payload}))
	got := cli(t, "check", "--deny", "sensitive-boundary", path)
	if got.code == 0 || !strings.Contains(got.out, "the preview has what looks like 1 card number") || strings.Contains(got.out, "4242") {
		t.Errorf("%d: %s", got.code, got.out)
	}
	ticket := cli(t, "why", "--redact", "--markdown", path).out
	if !strings.Contains(ticket, "1 card number") || strings.Contains(ticket, "4242") {
		t.Error(ticket)
	}
}

func TestALimitOf0DoesNotOpenTheGate(t *testing.T) {
	path := file(t, "r.json", chat(toolResult{"list", numbers(20_000)}))
	for _, args := range [][]string{{"--max-step-tokens", "0", "--max-result-tokens", "99999"}, {"--max-step-tokens", "0", "--deny", "lost"}} {
		got := cli(t, append(append([]string{"check"}, args...), path)...)
		if got != (end{"", "floodmark: --max-step-tokens 0 makes no sense\nhint: give a number of tokens over 0, or leave it out\n", 2}) {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
