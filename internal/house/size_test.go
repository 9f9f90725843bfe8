package house

import (
	"fmt"
	"go/ast"
	"testing"
)

const (
	maxPackageLines = 6500 // without tests
	maxPackageFiles = 60   // without tests
	maxMethods      = 60   // of one type
	maxParameters   = 6
)

// TestPackageSizes: a package that has grown too large holds another that
// wants out, and so does a type with too many methods. Files of all systems
// count, tests do not.
func TestPackageSizes(t *testing.T) {
	check := func(what string, n, most int, advice string) {
		if n > most {
			t.Errorf("%d %s, at most %d: %s", n, what, most, advice)
		}
	}
	for _, pkg := range load(t).packages {
		files, lines, methods := 0, 0, map[string]int{}
		for _, s := range pkg.files {
			if s.test {
				continue
			}
			files++
			lines += s.lines
			for _, name := range receivers(s) {
				methods[name]++
			}
		}
		check("files of "+pkg.path, files, maxPackageFiles, "which of them share a first word?")
		check("lines of "+pkg.path, lines, maxPackageLines, "which part of it could be told to a stranger alone?")
		for name, n := range methods {
			check("methods of "+pkg.path+"."+name, n, maxMethods, "part it by what they need of it")
		}
	}
}

// receivers are the types of which a file has methods, each as often as it has.
func receivers(s *source) []string {
	var names []string
	for _, decl := range s.file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
			names = append(names, typeName(f.Recv.List[0].Type))
		}
	}
	return names
}

// typeName is the name of a receiver's type, without pointer and parameters.
func typeName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return typeName(of.X)
	case *ast.IndexExpr:
		return typeName(of.X)
	case *ast.IndexListExpr:
		return typeName(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

func checkParameters(s *source, _ bool) []finding {
	var found []finding
	ast.Inspect(s.file, func(n ast.Node) bool {
		f, ok := n.(*ast.FuncType)
		if ok && f.Params.NumFields() > maxParameters {
			found = append(found, finding{s.line(f), fmt.Sprintf("%d parameters, at most %d: gather those that belong together", f.Params.NumFields(), maxParameters)})
		}
		return true
	})
	return found
}
