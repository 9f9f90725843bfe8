package codes

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
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
	return strings.Fields(".go .py .js .jsx .ts .tsx .mjs .cjs .rs .c .h .cc .cpp .cxx .hpp .cs .java .kt .kts .scala .rb .php .swift .m .mm " +
		".lua .pl .pm .r .jl .ex .exs .erl .hs .ml .mli .clj .dart .zig .sh .bash .sql .vue .svelte .proto .groovy .f90 .v .vhd .el .lisp")
}

// Survey finds what lacks a description below a folder of the last commit, or in one
// file of the working tree, at most limit (0: all). In a folder, tests and generated
// files are passed over; what cannot be read is, too.
func Survey(ctx context.Context, w *workspace.Workspace, tags Tagger, at string, limit int, opt workspace.ViewOptions) (*Found, error) {
	v, err := w.View(ctx, opt)
	if err != nil {
		return nil, err
	}
	tree, err := w.Tree()
	if err != nil {
		return nil, err
	}
	out := &Found{Path: at, Lacking: []Lack{}, Whole: []string{}}
	known := described(ctx, v)
	look := func(name string, named bool) error {
		f, err := read(ctx, w, tags, name)
		if err != nil || f.generated && !named {
			if named {
				return err
			}
			return ctx.Err()
		}
		out.Files++
		symbols := f.symbols
		if f.by == "" {
			symbols = []Symbol{{Kind: "file", First: 1, Last: max(1, len(f.lines))}}
			if ext := path.Ext(name); !slices.Contains(out.Whole, ext) {
				out.Whole = append(out.Whole, ext)
			}
		}
		blob, _ := tree.Blob(name)
		for _, s := range symbols {
			out.add(f, s, known[key{name, s.Name}], blob, limit)
		}
		return ctx.Err()
	}
	if _, isFile, err := tree.ReadCapped(at, maxFile); isFile && err == nil {
		return out, look(at, true)
	}
	prefix := at + "/"
	if at == "." || at == "" {
		prefix = ""
	}
	files, err := w.Repo.Tree(ctx, "HEAD", prefix)
	if err != nil && !errors.Is(err, gitops.ErrNoRevision) {
		return nil, err
	}
	switch {
	case prefix != "" && len(files) == 0:
		return nil, fmt.Errorf("%s is neither a file of this working tree nor a folder of the last commit", at)
	case len(files) == 1 && files[0].Path == at: // a file that cannot be read: say why
		return out, look(at, true)
	}
	for _, e := range files {
		if !slices.Contains(sources(), path.Ext(e.Path)) || isTest(e.Path) {
			continue
		}
		if err := look(e.Path, false); err != nil {
			return nil, err
		}
	}
	return out, nil
}

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

// isTest tells files of tests, and of others that were copied in, by where they are.
func isTest(name string) bool {
	base := strings.TrimSuffix(path.Base(name), path.Ext(name))
	if strings.HasSuffix(base, "_test") || strings.HasSuffix(base, ".test") || strings.HasSuffix(base, ".spec") || strings.HasPrefix(base, "test_") {
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		switch dir {
		case "test", "tests", "__tests__", "testdata", "vendor", "node_modules", "third_party":
			return true
		}
	}
	return false
}
