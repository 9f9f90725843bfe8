package guard

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/trust"
)

// Kept is a file of the folder of guards, and what this clone makes of it.
type Kept struct {
	File
	Guard   *Guard // nil for one that cannot be read
	Broken  error  // why, then
	Blob    string // the id of its content
	InForce bool   // it can be read, and is trusted
}

// Of reports whether the id of the memory behind a guard begins so.
func (f *Kept) Of(prefix string) bool {
	return f.Guard != nil && memory.IsIDPrefix(prefix) && strings.HasPrefix(string(f.Guard.Memory), prefix)
}

// Guards reads the folder of guards, and has the hooks at calls of tools go by those that are
// trusted: by what the commit that is checked out has of a trusted branch, and by what a person of
// this clone vouched for.
func Guards(ctx context.Context, w *workspace.Workspace) ([]Kept, error) {
	files := Files(w.Repo.Root)
	if len(files) == 0 {
		return nil, nil
	}
	trusts, err := trustedGuards(ctx, w)
	if err != nil {
		return nil, err
	}
	var out []Kept
	var inForce []Kept
	for _, f := range files {
		g := Kept{File: f, Blob: string(w.Repo.Hash(f.Data))}
		g.Guard, g.Broken = Parse(f.Name, f.Data)
		g.InForce = g.Broken == nil && trusts(Path(f.Name), g.Blob)
		if g.InForce {
			inForce = append(inForce, g)
		}
		out = append(out, g)
	}
	return out, Keep(w.Repo.CacheDir(), inForce)
}

// GuardsAt reads the folder of guards of a commit, whose guards are taken for trusted; "" is the working tree, see
// [Guards].
func GuardsAt(ctx context.Context, w *workspace.Workspace, rev string) ([]Kept, error) {
	if rev == "" {
		return Guards(ctx, w)
	}
	entries, err := w.Repo.Tree(ctx, rev, Dir)
	names := map[gitops.ObjectID]string{}
	for _, e := range entries {
		names[e.Blob] = path.Base(e.Path)
	}
	var out []Kept
	read := w.Repo.Blobs(ctx, slices.Collect(maps.Keys(names)), MaxSize, func(id gitops.ObjectID, data []byte) error {
		if name, is := strings.CutSuffix(names[id], Ending); is {
			g := Kept{File: File{name, data}, Blob: string(id), InForce: true}
			g.Guard, g.Broken = Parse(name, data)
			out = append(out, g)
		}
		return nil
	})
	return out, errors.Join(err, read)
}

// trustedGuards returns whether a content is trusted that stands at a path.
func trustedGuards(ctx context.Context, w *workspace.Workspace) (func(path, blob string) bool, error) {
	rule := workspace.GuardTrust(w, Dir)
	waits, noTrust := rule.Unreviewed(ctx)
	var committed trust.Committed
	var noCommit error
	if w.Repo.Head != "" { // there is a commit
		committed, noCommit = rule.Committed(ctx)
	}
	snap, noJournal := w.Journal.Snapshot(ctx)
	accepted := trust.Accepted(ctx, snap)
	return func(path, blob string) bool {
		at := committed.At(path)
		waiting := slices.ContainsFunc(at, func(b string) bool { return waits[b] })
		return accepted[blob] || slices.Contains(at, blob) && !waiting
	}, errors.Join(noTrust, noCommit, noJournal)
}

// Notice is [Guards] for a hook. It notices what is not in force.
func Notice(ctx context.Context, w *workspace.Workspace) {
	files, err := Guards(ctx, w)
	if err != nil {
		w.Notice("%v: only the guards that were in force before are", err)
	}
	idle := lists.Without(files, func(f Kept) bool { return f.InForce })
	if len(idle) > 0 {
		w.Notice("%s and %d more are not in force, and let every call pass; why: cortex guard list",
			Path(idle[0].Name), len(idle)-1)
	}
}
