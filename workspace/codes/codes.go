// Package codes keeps what pieces of code are for: prose that an agent or a person
// gives, together with the code that it describes, as memories of the type code.
// Call [Survey] for what lacks a description, and [Describe] for one. Files are
// read and never written, and of programs it knows none: who calls it runs ctags.
// It implements what "Types" of docs/behaviour.md says of code.
package codes

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Symbol is a named piece of code, or a whole file.
type Symbol struct {
	Name  string `json:"symbol"` // Type.Method for a method; "" for a whole file
	Kind  string `json:"kind"`   // such as function, method or type; file for a whole file
	First int    `json:"first"`  // of the lines, from 1
	Last  int    `json:"last"`
}

// Tagger returns what Universal Ctags says of a file in JSON lines, with the fields
// end, kind, line and scope. Nil is for where there is none.
type Tagger func(ctx context.Context, file string) ([]byte, error)

// Description holds the words of somebody about a piece of code.
type Description struct {
	Path     string // relative to the root of the repository, with slashes
	Symbol   string // "" for the whole file
	Prose    string
	SourceOf []memory.ID // memories that the code is the source of
	Links    []memory.Link
	Tags     []string
	Pending  bool   // into the journal instead of the working tree
	Branch   string // see [workspace.Note]
	Agent    string
}

// SymbolError says that a file has no such symbol, or several.
type SymbolError struct {
	Path, Symbol string
	Names        []string // of the file, those alike first
	Several      bool
}

func (e *SymbolError) Error() string {
	if e.Several {
		return fmt.Sprintf("%s has more than one %s", e.Path, e.Symbol)
	}
	return fmt.Sprintf("%s has no %s", e.Path, e.Symbol)
}

// Hint names what the file has.
func (e *SymbolError) Hint() string {
	if len(e.Names) == 0 {
		return "describe the whole file: leave the symbol out"
	}
	return "it has " + strings.Join(e.Names[:min(len(e.Names), 8)], ", ")
}

// Describe writes a memory with a description and its code. One that described the same
// symbol until now is superseded, where it is somebody's own to replace. A file that git
// ignores is refused: what stands in it is not for everybody.
func Describe(ctx context.Context, w *workspace.Workspace, tags Tagger, d Description) (workspace.Remembered, error) {
	f, err := read(ctx, w, tags, d.Path)
	if err != nil {
		return workspace.Remembered{}, err
	}
	s, err := f.find(d.Symbol)
	if err != nil {
		return workspace.Remembered{}, err
	}
	if strings.TrimSpace(d.Prose) == "" {
		return workspace.Remembered{}, workspace.ErrEmpty
	}
	ignored, err := w.Repo.Ignored(ctx, d.Path)
	if err != nil {
		return workspace.Remembered{}, err
	}
	if len(ignored) > 0 {
		return workspace.Remembered{}, fmt.Errorf(
			"git ignores %s, and a memory would publish what stands in it", d.Path)
	}
	note := workspace.Note{
		Type: memory.Code, Files: []string{d.Path}, Pending: d.Pending, Branch: d.Branch, Agent: d.Agent,
		Tags: d.Tags, Title: s.title(d.Path, d.Prose), Text: f.text(s, d.Prose),
	}
	if s.Name != "" {
		note.Entities = []string{s.Name}
	}
	if note.Links, err = d.links(ctx, w, key{d.Path, s.Name}, note.Text); err != nil {
		return workspace.Remembered{}, err
	}
	return w.Remember(ctx, note)
}

// links are those of a description, to what the code is the source of and to what it supersedes.
func (d Description) links(ctx context.Context, w *workspace.Workspace, k key, text string) ([]memory.Link, error) {
	v, err := w.View(ctx, workspace.ViewOptions{Branch: d.Branch})
	if err != nil {
		return nil, err
	}
	links := slices.Clone(d.Links)
	for _, id := range d.SourceOf {
		found, err := v.Find(ctx, string(id))
		if err != nil {
			return nil, err
		}
		links = append(links, memory.Link{Rel: memory.SourceOf, To: found.Memory.ID})
	}
	if old, ok := described(ctx, v)[k]; ok && strings.TrimSpace(old.Text) != text {
		links = append(links, memory.Link{Rel: memory.Supersedes, To: old.ID})
	}
	return links, nil
}

// title is the name of a symbol and the first sentence of what is said of it.
func (s Symbol) title(file, prose string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(prose), "\n")
	first = strings.TrimSuffix(first, ".")
	if i := workspace.SentenceEnd(first, ".", 0); i > 0 {
		first = first[:i]
	}
	return cmp.Or(s.Name, path.Base(file)) + ": " + first
}

// key tells the code of one description from that of others.
type key struct{ path, symbol string }

// described are the active memories of a view that describe code, by what they
// describe; of several the newest.
func described(ctx context.Context, v *workspace.View) map[key]*memory.Memory {
	out := map[key]*memory.Memory{}
	all := v.List(ctx, workspace.ListOptions{Types: []memory.Type{memory.Code}})
	for _, e := range slices.Backward(all) { // the newest are the first
		if e.Status == memory.StatusActive && strings.Contains(e.Memory.Text, sourceLine) {
			out[key{cmp.Or(e.Memory.Files...), cmp.Or(e.Memory.Entities...)}] = e.Memory
		}
	}
	return out
}

// find is the one symbol of a name, or of the end of one: Method for Type.Method.
func (f *file) find(name string) (Symbol, error) {
	if name == "" {
		return f.whole(), nil
	}
	found := f.matching(func(full string) bool { return full == name })
	if len(found) == 0 {
		found = f.matching(func(full string) bool { return strings.HasSuffix(full, "."+name) })
	}
	if len(found) == 1 {
		return found[0], nil
	}
	names := lists.Map(f.symbols, func(s Symbol) string { return s.Name })
	lists.Sort(names, func(a, b string) int { return alike(b, name) - alike(a, name) })
	return Symbol{}, &SymbolError{f.path, name, slices.Compact(names), len(found) > 1}
}

func (f *file) matching(match func(name string) bool) []Symbol {
	return lists.Without(f.symbols, func(s Symbol) bool { return !match(s.Name) })
}

// alike is 1 where a name has another in it, whatever the case.
func alike(name, in string) int {
	if strings.Contains(strings.ToLower(name), strings.ToLower(in)) {
		return 1
	}
	return 0
}
