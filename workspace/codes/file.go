package codes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/lists"
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
	blob      string // "" for one that git does not know
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
	case strings.ContainsAny(name, "`\n\r"), !utf8.Valid(data), bytes.IndexByte(data, 0) >= 0:
		return nil, fmt.Errorf("%s is not text that can be described", name)
	}
	f := &file{path: name, lines: slices.Collect(strings.Lines(string(data)))}
	f.blob, _ = tree.Blob(name)
	if path.Ext(name) == ".go" {
		f.by = "go"
		f.parseGo(data)
		return f, nil
	}
	if tags == nil {
		return f, nil
	}
	if out, err := tags(ctx, tree.Path(name)); err == nil {
		f.by = "ctags"
		f.symbols = parseTags(out, len(f.lines))
	}
	return f, nil
}

// whole is the file as a whole.
func (f *file) whole() Symbol { return Symbol{Kind: "file", First: 1, Last: max(1, len(f.lines))} }

// taggedKinds are the kinds of ctags that are worth a description. Variables, fields
// and the like are described with what they are in; a member of several lines is a
// method.
func taggedKinds() []string {
	return []string{
		"class", "enum", "function", "interface", "macro", "method", "module", "namespace", "procedure", "record",
		"singletonMethod", "struct", "subroutine", "trait", "type", "typedef", "union", "func", "implementation",
		"object", "protocol",
	}
}

// tag is a line of ctags.
type tag struct {
	Type  string `json:"_type"`
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Scope string `json:"scope"`
	Line  int    `json:"line"`
	End   int    `json:"end"`
}

// isDescribed reports whether a tag is one of a symbol that is worth a description.
func (t *tag) isDescribed() bool {
	if t.Type != "tag" || t.symbol() == "" {
		return false
	}
	isMethod := t.Kind == "member" && t.End > t.Line
	return isMethod || slices.Contains(taggedKinds(), t.Kind)
}

// symbol is the name of the symbol, with that of what it is in; "" for one without.
func (t *tag) symbol() string {
	name := t.Name
	if t.Scope != "" {
		name = strings.ReplaceAll(t.Scope, "::", ".") + "." + name
	}
	if strings.ContainsAny(name, "`\n\r") || strings.HasPrefix(t.Name, "__anon") {
		return ""
	}
	return name
}

// parseTags reads the JSON lines of ctags. Lines that it does not know are passed over.
func parseTags(data []byte, lines int) []Symbol {
	var out []Symbol
	for line := range bytes.Lines(data) {
		var t tag
		_ = json.Unmarshal(line, &t)
		if t.isDescribed() && t.Line > 0 && t.Line <= lines {
			out = append(out, Symbol{t.symbol(), t.Kind, t.Line, min(max(t.Line, t.End), lines)})
		}
	}
	lists.Sort(out, func(a, b Symbol) int { return a.First - b.First })
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
	return fmt.Sprintf("%s\n%s%s:%d-%d`%s\n\n%s%s\n%s%s",
		strings.TrimSpace(prose), sourceLine, f.path, s.First, s.Last, name,
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
	case slices.Contains(m.Anchors, memory.Anchor{Path: f.path, Blob: blob}),
		s.Name != "" && strings.Contains(m.Text, "\n"+f.code(s)+"```"):
		return Described
	}
	return Changed
}
