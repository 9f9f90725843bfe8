package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	maxFileLines     = 600 // aim at 400
	maxFunctionLines = 80  // aim at 40
)

// finding is one break of a rule.
type finding struct {
	line int
	what string
}

// rule looks at one file. Package main is cmd: it speaks for the process.
type rule struct {
	name  string
	tests bool // also holds for tests
	check func(s *source, main bool) []finding
}

func rules() []rule {
	return []rule{
		{"file name", true, checkFileName},
		{"file size", true, checkFileSize},
		{"function size", false, checkFunctionSize},
		{"parameters", false, checkParameters},
		{"no init", true, checkInit},
		{"process and clock", false, checkProcess},
		{"package variables", false, checkVariables},
		{"error text", false, checkErrorText},
		{"nolint", true, checkNolint},
		{"context in a struct", false, checkContextField},
		{"plain comments", true, checkRiddles},
	}
}

func TestRules(t *testing.T) {
	for _, pkg := range load(t).packages {
		for _, s := range pkg.files {
			for _, r := range rules() {
				if s.test && !r.tests {
					continue
				}
				for _, f := range r.check(s, pkg.Name == "main") {
					t.Errorf("%s:%d: %s: %s", s.path, f.line, r.name, f.what)
				}
			}
		}
	}
}

func checkFileName(s *source, _ bool) []finding {
	junk := []string{"util", "utils", "common", "helper", "helpers", "types", "misc", "shared", "base", "stuff"}
	for part := range strings.SplitSeq(strings.TrimSuffix(s.name, ".go"), "_") {
		if slices.Contains(junk, part) {
			return []finding{{1, fmt.Sprintf("%q names a drawer, not a thing: name the noun that is in it", s.name)}}
		}
	}
	return nil
}

func checkFileSize(s *source, _ bool) []finding {
	if s.lines <= maxFileLines {
		return nil
	}
	return []finding{{1, fmt.Sprintf("%d lines, at most %d: split it by nouns", s.lines, maxFileLines)}}
}

func checkFunctionSize(s *source, _ bool) []finding {
	var found []finding
	for _, decl := range s.file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		lines := s.fset.Position(f.End()).Line - s.line(f) + 1
		if lines > maxFunctionLines {
			found = append(found, finding{s.line(f), fmt.Sprintf("%s has %d lines, at most %d", f.Name.Name, lines, maxFunctionLines)})
		}
	}
	return found
}

// checkRiddles refuses comments that say "X is what …": they leave the reader to find
// out what kind of thing X is.
func checkRiddles(s *source, _ bool) []finding {
	riddle := regexp.MustCompile(`^// \w+ (is|are) what\b`)
	var found []finding
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			if riddle.MatchString(c.Text) {
				found = append(found, finding{s.fset.Position(c.Pos()).Line, "say what kind of thing it is, and what it promises"})
			}
		}
	}
	return found
}

func checkInit(s *source, _ bool) []finding {
	var found []finding
	for _, decl := range s.file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			found = append(found, finding{s.line(f), "func init runs behind everybody's back: call it, or lazy.Value"})
		}
	}
	return found
}

func checkProcess(s *source, main bool) []finding {
	if main {
		return nil
	}
	var found []finding
	ast.Inspect(s.file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch {
		case s.selects(sel, "os", "Exit", "Getenv", "LookupEnv", "Environ", "ExpandEnv", "Setenv",
			"Stdin", "Stdout", "Stderr", "Args", "UserHomeDir", "UserCacheDir", "UserConfigDir"):
			found = append(found, finding{s.line(n), "os." + sel.Sel.Name + " is for cmd: pass it in"})
		case s.selects(sel, "time", "Now", "Since", "Until"):
			found = append(found, finding{s.line(n), "time." + sel.Sel.Name + " reads the clock, which is for cmd: pass the time in"})
		}
		return true
	})
	return found
}

// checkVariables allows at package level what costs nothing at start and holds
// no state: sentinel errors, package lazy, sync.OnceValue and its like, embedded files, and
// tables of constants. In package main the linker may set a string.
func checkVariables(s *source, main bool) []finding {
	var found []finding
	for _, decl := range s.file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			continue
		}
		for _, spec := range d.Specs {
			v := spec.(*ast.ValueSpec)
			if embedded(d.Doc) || embedded(v.Doc) {
				continue
			}
			if len(v.Values) == 0 {
				found = append(found, finding{s.line(v), v.Names[0].Name + " is a mutable package variable"})
			}
			for _, value := range v.Values {
				if _, constant := value.(*ast.BasicLit); constant && !main {
					found = append(found, finding{s.line(v), v.Names[0].Name + " holds one constant value: make it a const"})
				}
				found = append(found, s.startCost(value)...)
			}
		}
	}
	return found
}

// startCost reports what an initialiser does at program start.
func (s *source) startCost(value ast.Expr) []finding {
	var found []finding
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if s.calls(n, "errors", "New") || s.calls(n, "fmt", "Errorf") ||
				s.calls(n, modulePath+"/internal/lazy", "Value", "Pattern") ||
				s.calls(n, "sync", "OnceValue", "OnceValues", "OnceFunc") || s.converts(n) {
				return false
			}
			what := "a call at program start: use lazy.Value"
			if s.calls(n, "regexp", "MustCompile", "MustCompilePOSIX") {
				what = "regexp.MustCompile at program start: use lazy.Pattern"
			}
			found = append(found, finding{s.line(n), what})
			return false
		case *ast.CompositeLit:
			if _, ok := n.Type.(*ast.MapType); ok {
				found = append(found, finding{s.line(n), "a map built at program start: use a switch or lazy.Value"})
				return false
			}
		}
		return true
	})
	return found
}

// converts reports a conversion such as (*T)(nil) or []byte("x").
func (s *source) converts(call *ast.CallExpr) bool {
	switch call.Fun.(type) {
	case *ast.ParenExpr, *ast.ArrayType:
		return true
	}
	return false
}

func embedded(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:embed")
	})
}

func checkErrorText(s *source, _ bool) []finding {
	worn := regexp.MustCompile(`^(?i)(failed to|could not|couldn't|cannot|can't|error while|error when|error |unable to)`)
	wrapped := regexp.MustCompile(`^(?i)(failed to|could not|couldn't|error while|error when|unable to)`)
	maker := regexp.MustCompile(`(?i)(err|fail)`)
	var found []finding
	ast.Inspect(s.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		errorf := s.calls(call, "fmt", "Errorf") || s.calls(call, "errors", "New")
		if !errorf && !maker.MatchString(calleeName(call)) {
			return true
		}
		for _, arg := range call.Args {
			lit, ok := arg.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				continue
			}
			message, err := strconv.Unquote(lit.Value)
			bad := wrapped
			if strings.HasSuffix(message, "%w") {
				bad = worn
			}
			if err == nil && bad.MatchString(message) {
				found = append(found, finding{s.line(lit), fmt.Sprintf("%q: say what was attempted, gerund first: \"reading x: %%w\"", message)})
			}
		}
		return true
	})
	return found
}

func checkNolint(s *source, _ bool) []finding {
	good := regexp.MustCompile(`^//nolint:[a-z0-9,]+ // \S.{7,}`)
	var found []finding
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			body := strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))
			if strings.HasPrefix(body, "nolint") && !good.MatchString(c.Text) {
				found = append(found, finding{s.line(c), "write //nolint:linter // and a reason"})
			}
		}
	}
	return found
}

func checkContextField(s *source, _ bool) []finding {
	var found []finding
	ast.Inspect(s.file, func(n ast.Node) bool {
		fields, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range fields.Fields.List {
			if sel, ok := field.Type.(*ast.SelectorExpr); ok && s.selects(sel, "context", "Context") && !s.excused(field, "containedctx") {
				found = append(found, finding{s.line(field), "a context is a parameter, never a field"})
			}
		}
		return true
	})
	return found
}

// excused reports whether the line of n says nolint for that linter; the rule
// above sees to the reason.
func (s *source) excused(n ast.Node, linter string) bool {
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			if s.line(c) == s.line(n) && strings.HasPrefix(c.Text, "//nolint:"+linter) {
				return true
			}
		}
	}
	return false
}

// calls reports whether call is to one of the functions of the package that
// the file imports from path.
func (s *source) calls(call *ast.CallExpr, path string, names ...string) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && s.selects(sel, path, names...)
}

// selects reports whether sel is one of the names of the package imported from
// path, under whatever name the file gave it.
func (s *source) selects(sel *ast.SelectorExpr, path string, names ...string) bool {
	id, ok := sel.X.(*ast.Ident)
	if !ok || !slices.Contains(names, sel.Sel.Name) {
		return false
	}
	for _, spec := range s.file.Imports {
		if strings.Trim(spec.Path.Value, `"`) != path {
			continue
		}
		local := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			local = spec.Name.Name
		}
		return id.Name == local
	}
	return false
}

func calleeName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}
