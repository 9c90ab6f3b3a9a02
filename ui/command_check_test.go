package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A warning that the engine gains and --deny does not know could not be held to.
func TestDenyTakesEveryWarningOfTheEngine(t *testing.T) {
	packages, err := parser.ParseDir(token.NewFileSet(), "../engine", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(packages["engine"], func(node ast.Node) bool {
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
	})
	if n < 10 || n != len(warningCodes) {
		t.Errorf("the engine has %d warnings, --deny takes %d", n, len(warningCodes))
	}
}
