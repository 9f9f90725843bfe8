package house

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const modulePath = "github.com/git-cortex/cortex"

// project is the program's module and that of its tools, as the rules see them.
type project struct {
	root     string
	packages []*goPackage
}

// goPackage is one package, with the files of every system: what
// go list leaves out on this one is read all the same.
type goPackage struct {
	ImportPath     string
	Dir            string
	Name           string
	Doc            string
	GoFiles        []string
	CgoFiles       []string
	IgnoredGoFiles []string
	TestGoFiles    []string
	XTestGoFiles   []string

	path  string // relative to the root: "memory", "cmd/cortex", "." for the root
	files []*source
}

// testSupport are the packages that only tests import. What holds for tests
// holds for them.
func testSupport() []string {
	return []string{
		"cmd/internal/manual", "internal/forgetest", "internal/hubtest", "internal/pgtest", "internal/testrun",
		"internal/transcripttest", "workspace/internal/workspacetest",
	}
}

// source is one parsed Go file.
type source struct {
	path  string // relative to the module root, with slashes
	name  string
	test  bool
	lines int
	fset  *token.FileSet
	file  *ast.File
}

// loadProject reads the program's module and that of its tools once for all tests.
var loadProject = sync.OnceValues(func() (*project, error) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return nil, err
	}
	p := &project{root: root}
	for _, module := range []string{root, filepath.Join(root, "tools")} {
		if err := p.add(module); err != nil {
			return nil, err
		}
	}
	return p, nil
})

// add reads the packages of the module in a folder.
func (p *project) add(module string) error {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,Name,Doc,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles", "./...")
	cmd.Dir = module
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		pkg := &goPackage{}
		if err := decoder.Decode(pkg); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := pkg.parse(p.root); err != nil {
			return err
		}
		p.packages = append(p.packages, pkg)
	}
}

func (pkg *goPackage) parse(root string) error {
	rel, err := filepath.Rel(root, pkg.Dir)
	if err != nil {
		return err
	}
	pkg.path = filepath.ToSlash(rel)
	for _, names := range [][]string{pkg.GoFiles, pkg.CgoFiles, pkg.IgnoredGoFiles, pkg.TestGoFiles, pkg.XTestGoFiles} {
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(pkg.Dir, name))
			if err != nil {
				return err
			}
			s, err := parseSource(pkg.path+"/"+name, data)
			if err != nil {
				return err
			}
			pkg.files = append(pkg.files, s)
		}
	}
	return nil
}

func parseSource(path string, data []byte) (*source, error) {
	s := &source{
		path:  path,
		name:  path[strings.LastIndexByte(path, '/')+1:],
		test:  strings.HasSuffix(path, "_test.go") || slices.Contains(testSupport(), path[:strings.LastIndexByte(path, '/')]),
		lines: strings.Count(string(data), "\n"),
		fset:  token.NewFileSet(),
	}
	file, err := parser.ParseFile(s.fset, path, data, parser.ParseComments)
	s.file = file
	return s, err
}

// imports lists what a file imports, as paths.
func (s *source) imports() []string {
	var paths []string
	for _, spec := range s.file.Imports {
		paths = append(paths, strings.Trim(spec.Path.Value, `"`))
	}
	return paths
}

func (s *source) line(n ast.Node) int { return s.fset.Position(n.Pos()).Line }

func load(t *testing.T) *project {
	t.Helper()
	p, err := loadProject()
	if err != nil {
		t.Fatalf("reading the module: %v", err)
	}
	if len(p.packages) < 2 {
		t.Fatalf("go list found %d packages", len(p.packages))
	}
	return p
}

// text reads a file of the repository.
func text(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
