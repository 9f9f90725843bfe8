package house

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestThresholds: each constant that docs/behaviour.md names is there, and has the value
// that is said there.
func TestThresholds(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `([a-z/]+)\\.([A-Za-z]+)` \\| ([^|]+) \\|")
	rows := row.FindAllStringSubmatch(text(t, "docs/behaviour.md"), -1)
	if len(rows) == 0 {
		t.Fatal("docs/behaviour.md names no constant")
	}
	packages := map[string]constants{}
	for _, r := range rows {
		folder, name, said := r[1], r[2], strings.TrimSpace(r[3])
		if packages[folder] == nil {
			packages[folder] = constantsOf(t, folder)
		}
		got, err := packages[folder].value(name)
		if err != nil {
			t.Errorf("docs/behaviour.md names %s.%s: %v", folder, name, err)
			continue
		}
		if want := valueOf(said); !constant.Compare(got, token.EQL, want) {
			t.Errorf("docs/behaviour.md: %s.%s is %s, not %s", folder, name, got, said)
		}
	}
}

// valueOf is a number or a duration as the table writes it.
func valueOf(said string) constant.Value {
	if d, err := time.ParseDuration(said); err == nil {
		return constant.MakeInt64(int64(d))
	}
	return constant.MakeFromLiteral(strings.ReplaceAll(said, ",", ""), token.FLOAT, 0)
}

// constants are the expressions of a package's constants, by name.
type constants map[string]ast.Expr

func constantsOf(t *testing.T, folder string) constants {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(folder), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	out := constants{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.CONST {
				continue
			}
			for _, s := range decl.Specs {
				spec := s.(*ast.ValueSpec)
				for i := range min(len(spec.Names), len(spec.Values)) {
					out[spec.Names[i].Name] = spec.Values[i]
				}
			}
		}
	}
	return out
}

func (c constants) value(name string) (constant.Value, error) {
	e, ok := c[name]
	if !ok {
		return nil, fmt.Errorf("there is no constant %s", name)
	}
	return c.eval(e)
}

// eval is the value of an expression of literals, constants of the package and of time.
func (c constants) eval(e ast.Expr) (constant.Value, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0), nil
	case *ast.Ident:
		return c.value(e.Name)
	case *ast.SelectorExpr:
		unit := map[string]time.Duration{"Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour}[e.Sel.Name]
		return constant.MakeInt64(int64(unit)), nil
	case *ast.BinaryExpr:
		x, err := c.eval(e.X)
		if err != nil {
			return nil, err
		}
		y, err := c.eval(e.Y)
		if err != nil {
			return nil, err
		}
		if e.Op == token.SHL {
			n, _ := constant.Uint64Val(y)
			return constant.Shift(x, token.SHL, uint(n)), nil
		}
		return constant.BinaryOp(x, e.Op, y), nil
	}
	return nil, fmt.Errorf("it is no expression of numbers")
}
