package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/certify"
	"github.com/git-cortex/cortex/workspace/explore"
	"github.com/git-cortex/cortex/workspace/reset"
	"github.com/git-cortex/cortex/workspace/settings"
)

// objects are the objects that commands print, by the first cell of their row in
// docs/json.md. What other commands print is put together by hand, and so are their rows.
func objects() map[string]any {
	return map[string]any{
		"`backfill`":                answer.Backfilled{},
		"`try`":                     answer.Tried{},
		"`config list`":             answer.Settings{},
		"`config get`":              settings.Setting{},
		"`import KIND SOURCE`":      answer.Imported{},
		"`import`":                  answer.Found{},
		"`recall`":                  agents.Recalled{},
		"`stats`":                   explore.RecallStats{},
		"`sessions`":                answer.Sessions{},
		"`brief`":                   answer.Brief{},
		"`verify-merge`":            certify.Certificate{},
		"`curate`":                  answer.Sheet{},
		"`curate --apply`, `--run`": answer.Outcome{},
		"`land`":                    answer.Landing{},
		"`sync`":                    answer.Synced{},
		"`status`":                  workspace.Status{},
		"`reset`":                   reset.Done{},
		"`version`":                 answer.Build{},
	}
}

// TestManualJSON: the rows of docs/json.md that objects lists are what these types say. With
// -update they are written.
func TestManualJSON(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "json.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := objects()
	source := &typeSource{t: t, fields: map[string]map[string]string{}}
	lines := strings.SplitAfter(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	for i, line := range lines {
		name, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		v, known := rows[name]
		if !ok || !known {
			continue
		}
		delete(rows, name)
		source.told = map[reflect.Type]bool{}
		want := "| " + name + " | " + source.object(reflect.TypeOf(v)) + " |\n"
		if line != want && !*updateManual {
			t.Errorf("docs/json.md is not what the types say; run: go test ./cmd/cortex -run TestManual -update\nfile: %stypes: %s", line, want)
		}
		lines[i] = want
	}
	for name := range rows {
		t.Errorf("docs/json.md has no row %s", name)
	}
	if *updateManual {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// typeSource knows the comments of types.
type typeSource struct {
	t      *testing.T
	fields map[string]map[string]string // comments of fields, by package, and by type and name
	told   map[reflect.Type]bool        // types that the row describes already
}

// object names the keys of a type with their comments.
func (s *typeSource) object(t reflect.Type) string {
	comments := s.comments(t)
	var keys []string
	for f := range fieldsOf(t) {
		key, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && key == "" {
			keys = append(keys, s.object(deref(f.Type)))
			continue
		}
		if key == "-" || !f.IsExported() {
			continue
		}
		note := comments[f.Name]
		if strings.Contains(rest, "omit") {
			note = strings.TrimSuffix("with a value only: "+note, ": ")
		}
		said := "`" + key + "`" + s.value(f.Type)
		if note != "" {
			said += " (" + note + ")"
		}
		keys = append(keys, said)
	}
	return strings.Join(keys, ", ")
}

// value says what a key holds that is no plain value.
func (s *typeSource) value(t reflect.Type) string {
	t = deref(t)
	switch {
	case t.Kind() == reflect.Slice:
		return bracketed(" [", s.value(t.Elem()), "]")
	case t.Kind() == reflect.Map:
		return bracketed(" {name: ", s.value(t.Elem()), "}")
	case t == reflect.TypeFor[workspace.ViewShape]():
		return ""
	case t == reflect.TypeFor[workspace.Entry]():
		return " memory"
	case t.Kind() != reflect.Struct || marshals(t):
		return ""
	case s.told[t]:
		return " the same"
	}
	s.told[t] = true
	return " {" + s.object(t) + "}"
}

// bracketed puts a value that is no plain one between brackets.
func bracketed(open, value, end string) string {
	if value == "" {
		return ""
	}
	return open + strings.TrimSpace(value) + end
}

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// marshals reports whether a type writes its JSON itself.
func marshals(t reflect.Type) bool {
	_, ok := t.MethodByName("MarshalJSON")
	return ok
}

func fieldsOf(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// comments are the comments of a type's fields, by their names.
func (s *typeSource) comments(t reflect.Type) map[string]string {
	pkg := strings.TrimPrefix(t.PkgPath(), "github.com/git-cortex/cortex/")
	if s.fields[pkg] == nil {
		s.parse(pkg)
	}
	out := map[string]string{}
	for name, comment := range s.fields[pkg] {
		if field, ok := strings.CutPrefix(name, t.Name()+"."); ok {
			out[field] = comment
		}
	}
	return out
}

// parse reads the comments of the fields of a package's types.
func (s *typeSource) parse(pkg string) {
	s.t.Helper()
	s.fields[pkg] = map[string]string{}
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*.go"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			s.t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			body, ok := spec.Type.(*ast.StructType)
			if !ok {
				return false
			}
			for _, f := range body.Fields.List {
				for _, id := range f.Names {
					s.fields[pkg][spec.Name.Name+"."+id.Name] = commentOf(f, id.Name)
				}
			}
			return false
		})
	}
}

// commentOf is the comment of a field as the cell of a table has it.
func commentOf(f *ast.Field, name string) string {
	text := f.Comment.Text()
	if text == "" {
		text = f.Doc.Text()
		for _, verb := range []string{" is ", " are ", " counts "} {
			text = strings.TrimPrefix(text, name+verb)
		}
	}
	text = regexp.MustCompile(`\[([A-Z][A-Za-z.]*)\]`).ReplaceAllString(text, "$1")
	return strings.TrimSuffix(strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`), ".")
}
