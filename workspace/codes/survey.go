package codes

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// State says how a symbol is described.
type State string

// The states.
const (
	Missing   State = "missing"   // there is no description
	Changed   State = "changed"   // there is one of other code
	Described State = "described" // there is one of this code
)

// Lack is a symbol that lacks a description of its present code.
type Lack struct {
	Path string `json:"path"`
	Symbol
	State  State     `json:"state"`
	Memory memory.ID `json:"memory,omitempty"` // that described it, of changed code
}

// Found holds the result of a [Survey].
type Found struct {
	Path      string   `json:"path"`      // that was looked at, "." for all
	Files     int      `json:"files"`     // source files that were read
	Described int      `json:"described"` // symbols whose description is of this code
	Lacking   []Lack   `json:"lacking"`   // in the order of paths and lines, [] for none
	More      int      `json:"more"`      // that a limit left out
	Whole     []string `json:"whole"`     // endings of files whose symbols nothing here can tell
}

// sources are the endings of files with code.
func sources() []string {
	return strings.Fields(".go .py .js .jsx .ts .tsx .mjs .cjs .rs .c .h .cc .cpp .cxx .hpp .cs .java .kt .kts " +
		".scala .rb .php .swift .m .mm .lua .pl .pm .r .jl .ex .exs .erl .hs .ml .mli .clj .dart .zig " +
		".sh .bash .sql .vue .svelte .proto .groovy .f90 .v .vhd .el .lisp")
}

// Survey finds what lacks a description below a folder of the last commit, or in one
// file of the working tree, at most limit (0: all). In a folder, tests and generated
// files are passed over; what cannot be read is, too.
func Survey(
	ctx context.Context, w *workspace.Workspace, tags Tagger, at string, limit int, opt workspace.ViewOptions,
) (*Found, error) {
	v, err := w.View(ctx, opt)
	if err != nil {
		return nil, err
	}
	tree, err := w.Tree()
	if err != nil {
		return nil, err
	}
	s := &survey{
		w: w, tags: tags, limit: limit, known: described(ctx, v),
		Found: &Found{Path: at, Lacking: []Lack{}, Whole: []string{}},
	}
	if _, isFile, _ := tree.ReadCapped(at, maxFile); isFile {
		return s.Found, s.lookAt(ctx, at)
	}
	files, err := s.filesBelow(ctx, at)
	if err != nil {
		return nil, err
	}
	if slices.Contains(files, at) { // a file that cannot be read: say why
		return s.Found, s.lookAt(ctx, at)
	}
	return s.Found, s.lookBelow(ctx, files)
}

// survey is a [Survey] under way.
type survey struct {
	*Found
	w     *workspace.Workspace
	tags  Tagger
	limit int
	known map[key]*memory.Memory
}

// filesBelow are the files of a folder of the last commit.
func (s *survey) filesBelow(ctx context.Context, at string) ([]string, error) {
	prefix := strings.TrimPrefix(path.Clean(at)+"/", "./")
	entries, err := s.w.Repo.Tree(ctx, "HEAD", prefix)
	if err != nil && !errors.Is(err, gitops.ErrNoRevision) {
		return nil, err
	}
	if len(entries) == 0 && prefix != "" {
		return nil, fmt.Errorf("%s is neither a file of this working tree nor a folder of the last commit", at)
	}
	return lists.Map(entries, func(e gitops.Entry) string { return e.Path }), nil
}

// lookAt looks at a file that somebody named.
func (s *survey) lookAt(ctx context.Context, name string) error {
	f, err := read(ctx, s.w, s.tags, name)
	if err != nil {
		return err
	}
	s.look(f)
	return ctx.Err()
}

// lookBelow looks at the source files among those of a folder.
func (s *survey) lookBelow(ctx context.Context, files []string) error {
	for _, name := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.lookInto(ctx, name)
	}
	return nil
}

// lookInto looks at a file, unless it is none of code that somebody wrote for the program, or cannot be
// read.
func (s *survey) lookInto(ctx context.Context, name string) {
	if !isSource(name) || isTest(name) {
		return
	}
	if f, err := read(ctx, s.w, s.tags, name); err == nil && !f.generated {
		s.look(f)
	}
}

// look tells which symbols of a file lack a description.
func (s *survey) look(f *file) {
	s.Files++
	symbols := f.symbols
	if f.by == "" {
		symbols = []Symbol{f.whole()}
		if ext := path.Ext(f.path); !slices.Contains(s.Whole, ext) {
			s.Whole = append(s.Whole, ext)
		}
	}
	for _, one := range symbols {
		s.add(f, one, s.known[key{f.path, one.Name}], f.blob, s.limit)
	}
}

// isSource reports whether a file holds code.
func isSource(name string) bool { return slices.Contains(sources(), path.Ext(name)) }

func (out *Found) add(f *file, s Symbol, m *memory.Memory, blob string, limit int) {
	state := f.state(s, m, blob)
	switch {
	case state == Described:
		out.Described++
	case limit > 0 && len(out.Lacking) == limit:
		out.More++
	default:
		l := Lack{Path: f.path, Symbol: s, State: state}
		if m != nil {
			l.Memory = m.ID
		}
		out.Lacking = append(out.Lacking, l)
	}
}

// testName matches what the names of test files are, and the folders of tests and of files
// that were copied in.
var testName = lazy.Pattern(`(^|/)(tests?|__tests__|testdata|vendor|node_modules|third_party)/|` +
	`(^|/)test_[^/]*$|(_test|\.test|\.spec)(\.[^./]*)?$`)

// isTest tells files of tests, and of others that were copied in, by where they are.
func isTest(name string) bool { return testName().MatchString(name) }
