package imports

import (
	"context"
	_ "embed" // the table
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
	tables "github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/workspace"
)

//go:embed places.tsv
var placesTable string

// Found is a source that is where its program keeps it, and what an import of it would bring. As JSON it
// has the shape of docs/json.md.
type Found struct {
	Kind    string `json:"kind"`   // as cortex import takes it
	Source  string `json:"source"` // the same
	Added   int    `json:"added"`  // memories that an import would add
	Known   int    `json:"known"`  // those that are there already
	Skipped int    `json:"skipped"`
	Error   string `json:"error,omitempty"` // why it cannot be imported
}

// Find looks for sources in the working tree and below a home folder, and reads each without writing
// anything. What came from a source under another path counts as new.
func Find(ctx context.Context, w *workspace.Workspace, home string) []Found {
	claude := append(transcript.Folders(home, w.Repo.Root, false), "")[0]
	found := []Found{}
	for row := range tables.Rows(placesTable, 2) {
		file := strings.NewReplacer("~~", claude, "~", home).Replace(filepath.FromSlash(row[1]))
		if !filepath.IsAbs(file) {
			file = filepath.Join(w.Repo.Root, file)
		}
		if _, err := os.Stat(file); err == nil {
			found = append(found, wouldBring(ctx, w, row[0], row[1], file))
		}
	}
	return found
}

// wouldBring reads a source, which the table calls so, and counts what an import would add.
func wouldBring(ctx context.Context, w *workspace.Workspace, kind, called, file string) Found {
	out := Found{Kind: kind, Source: file}
	if !strings.HasPrefix(called, "~") {
		out.Source = called
	}
	r, err := dry(ctx, w, kind, out.Source, file)
	if err != nil {
		out.Error = err.Error()
	}
	out.Added, out.Known, out.Skipped = r.Added, r.Known, len(r.Skipped)
	return out
}

// dry reads a source of a kind, under the name that a person would give it, and writes nothing.
func dry(ctx context.Context, w *workspace.Workspace, kind, name, file string) (Result, error) {
	of := slices.IndexFunc(Kinds(), func(k Kind) bool { return strings.HasPrefix(k.Use, kind+" ") })
	if of < 0 {
		return Store(ctx, w, StoreOptions{Name: file, DryRun: true})
	}
	k := &Kinds()[of]
	if k.Folder != nil {
		root, err := os.OpenRoot(file)
		if err == nil {
			defer root.Close()
			return k.Folder(ctx, w, root.FS(), true)
		}
		if k.File == nil {
			return Result{}, err
		}
	}
	f, size, err := OpenFile(file)
	if err != nil {
		return Result{}, err
	}
	defer f.Close()
	return k.File(ctx, w, Input{Name: name, Lines: f, Size: size, DryRun: true})
}
