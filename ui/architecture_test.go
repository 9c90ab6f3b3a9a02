package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms says who may import what: of ours, and which third parties live only there.
var rooms = map[string]struct {
	ours, third []string
}{
	"main":     {ours: []string{"floodmark/ui"}},
	"history":  {third: []string{"github.com/klauspost/compress", "go.yaml.in/yaml"}},
	"engine":   {ours: []string{"floodmark/history"}, third: []string{"github.com/itchyny/gojq", "github.com/tiktoken-go/tokenizer", "github.com/clipperhouse/uax29", "github.com/clipperhouse/displaywidth", "github.com/pelletier/go-toml", "github.com/tailscale/hujson", "github.com/zricethezav/gitleaks"}},
	"store":    {third: []string{"go.etcd.io/bbolt", "github.com/klauspost/compress", "filippo.io/age"}},
	"fixtures": {},
	"ui": {
		ours:  []string{"floodmark/history", "floodmark/engine", "floodmark/store", "floodmark/fixtures", "floodmark/ui/internal/term"},
		third: []string{"github.com/charmbracelet/", "github.com/muesli/termenv", "github.com/spf13/", "github.com/NimbleMarkets/ntcharts/"},
	},
}

// sourceFiles are the Go files of the project that are part of the program, by path from the root.
func sourceFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	root := os.DirFS("..")
	files := map[string]*ast.File{}
	fset := token.NewFileSet()
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && strings.HasPrefix(d.Name(), "."), d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir(), !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
			return nil
		}
		src, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(fset, path, src, 0)
		files[path] = f
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("only %d files were found", len(files))
	}
	return files
}

// room is the room that a file belongs to.
func room(path string) string {
	first, _, nested := strings.Cut(filepath.ToSlash(path), "/")
	if !nested {
		return "main"
	}
	return first
}

func TestEveryRoomImportsOnlyWhatItsRowInTheTableAllows(t *testing.T) {
	for path, file := range sourceFiles(t) {
		table, known := rooms[room(path)]
		if !known {
			t.Errorf("%s: no such room in the house", path)
			continue
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(name, "/")
			switch {
			case strings.HasPrefix(name, "floodmark/"):
				if !slices.Contains(table.ours, name) {
					t.Errorf("%s imports %s", path, name)
				}
			case strings.Contains(first, "."):
				if !slices.ContainsFunc(table.third, func(p string) bool { return strings.HasPrefix(name, p) }) {
					t.Errorf("%s imports %s", path, name)
				}
			}
		}
	}
}

func TestOnlyMainTouchesTheProcess(t *testing.T) {
	forbidden := map[string][]string{
		"os":  {"Exit", "Args", "Stdin", "Stdout", "Stderr"},
		"fmt": {"Print", "Printf", "Println"},
		"log": {"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln"},
	}
	for path, file := range sourceFiles(t) {
		if room(path) == "main" {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Obj == nil && slices.Contains(forbidden[pkg.Name], sel.Sel.Name) {
				t.Errorf("%s uses %s.%s", path, pkg.Name, sel.Sel.Name)
			}
			return true
		})
	}
}
