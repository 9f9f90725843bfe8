package codes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

const (
	maxFile  = 1 << 20 // bytes; of a larger file nothing is anchored either
	maxCode  = 80      // lines of code in a memory
	maxBytes = 8 << 10 // of code in a memory

	// sourceLine begins the line that says which code a memory describes.
	sourceLine = "\nSource: `"
)

// file is a source file and the symbols in it, in their order.
type file struct {
	path      string
	lines     []string
	symbols   []Symbol
	by        string // what found the symbols: go, ctags, or "" for nothing
	generated bool
}

// read reads a file of the working tree.
func read(ctx context.Context, w *workspace.Workspace, tags Tagger, name string) (*file, error) {
	tree, err := w.Tree()
	if err != nil {
		return nil, err
	}
	data, ok, err := tree.ReadCapped(name, maxFile)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("%s is not a file of this working tree", name)
	case strings.ContainsAny(name, "`\n\r") || !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return nil, fmt.Errorf("%s is not text that can be described", name)
	}
	f := &file{path: name, lines: strings.SplitAfter(string(data), "\n")}
	if f.lines[len(f.lines)-1] == "" {
		f.lines = f.lines[:len(f.lines)-1]
	}
	if path.Ext(name) == ".go" {
		f.by, f.symbols, f.generated = "go", nil, false
		if err := f.parseGo(data); err == nil {
			return f, nil
		}
	}
	f.by = ""
	if tags != nil {
		if out, err := tags(ctx, tree.Path(name)); err == nil {
			f.by = "ctags"
			f.symbols = parseTags(out, len(f.lines))
		}
	}
	return f, nil
}

// parseGo finds the functions, methods and types of a Go file, each with its comment.
func (f *file) parseGo(data []byte) error {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, f.path, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	f.generated = ast.IsGenerated(parsed)
	add := func(name, kind string, doc *ast.CommentGroup, from, to token.Pos) {
		if doc != nil {
			from = doc.Pos()
		}
		// The line in this file, whatever a //line comment says.
		f.symbols = append(f.symbols, Symbol{name, kind, set.PositionFor(from, false).Line, set.PositionFor(to, false).Line})
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if recv := receiver(d); recv != "" {
				add(recv+"."+d.Name.Name, "method", d.Doc, d.Pos(), d.End())
			} else {
				add(d.Name.Name, "function", d.Doc, d.Pos(), d.End())
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				t, ok := spec.(*ast.TypeSpec)
				switch {
				case !ok:
				case d.Lparen.IsValid():
					add(t.Name.Name, "type", t.Doc, t.Pos(), t.End())
				default:
					add(t.Name.Name, "type", d.Doc, d.Pos(), d.End())
				}
			}
		}
	}
	return nil
}

// receiver is the name of the type that a method is of, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	for at := d.Recv.List[0].Type; ; {
		switch t := at.(type) {
		case *ast.StarExpr:
			at = t.X
		case *ast.ParenExpr:
			at = t.X
		case *ast.IndexExpr:
			at = t.X
		case *ast.IndexListExpr:
			at = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// taggedKinds are the kinds of ctags that are worth a description. Variables, fields
// and the like are described with what they are in; a member of several lines is a
// method.
func taggedKinds() []string {
	return []string{
		"class", "enum", "function", "interface", "macro", "method", "module", "namespace", "procedure", "record",
		"singletonMethod", "struct", "subroutine", "trait", "type", "typedef", "union", "func", "implementation", "object", "protocol",
	}
}

// parseTags reads the JSON lines of ctags. Lines that it does not know are passed over.
func parseTags(data []byte, lines int) []Symbol {
	var out []Symbol
	for line := range bytes.Lines(data) {
		var tag struct {
			Type  string `json:"_type"`
			Name  string `json:"name"`
			Kind  string `json:"kind"`
			Scope string `json:"scope"`
			Line  int    `json:"line"`
			End   int    `json:"end"`
		}
		if json.Unmarshal(line, &tag) != nil || tag.Type != "tag" || tag.Line < 1 || tag.Line > lines || !slices.Contains(taggedKinds(), tag.Kind) && (tag.Kind != "member" || tag.End <= tag.Line) {
			continue
		}
		name := tag.Name
		if tag.Scope != "" {
			name = strings.ReplaceAll(tag.Scope, "::", ".") + "." + name
		}
		if strings.ContainsAny(name, "`\n\r") || strings.HasPrefix(tag.Name, "__anon") {
			continue
		}
		out = append(out, Symbol{name, tag.Kind, tag.Line, min(max(tag.Line, tag.End), lines)})
	}
	slices.SortStableFunc(out, func(a, b Symbol) int { return a.First - b.First })
	return out
}

// text returns the text of a memory about a symbol: the prose, where its code is, and the code,
// of a long one the beginning.
func (f *file) text(s Symbol, prose string) string {
	code := f.code(s)
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	name := ""
	if s.Name != "" {
		name = ", `" + s.Name + "`"
	}
	return fmt.Sprintf("%s\n%s%s:%d-%d`%s\n\n%s%s\n%s%s", strings.TrimSpace(prose), sourceLine, f.path, s.First, s.Last, name,
		fence, strings.TrimPrefix(path.Ext(f.path), "."), code, fence)
}

// code is the lines of a symbol, with those left out counted at the end.
func (f *file) code(s Symbol) string {
	var b strings.Builder
	for i, line := range f.lines[s.First-1 : min(s.Last, len(f.lines))] {
		if i == maxCode || b.Len()+len(line) > maxBytes {
			fmt.Fprintf(&b, "… %d more lines\n", s.Last-s.First+1-i)
			break
		}
		b.WriteString(strings.TrimRight(line, "\r\n") + "\n")
	}
	return b.String()
}

// state says how the description of a symbol stands: whether its code is as it was.
// Where the file is what it was, so is the code.
func (f *file) state(s Symbol, m *memory.Memory, blob string) State {
	switch {
	case m == nil:
		return Missing
	case slices.ContainsFunc(m.Anchors, func(a memory.Anchor) bool { return a.Path == f.path && a.Blob == blob }):
		return Described
	case s.Name != "" && strings.Contains(m.Text, "\n"+f.code(s)+"```"):
		return Described
	}
	return Changed
}
