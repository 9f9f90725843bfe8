// Package guards makes of a remembered rule a guard at the calls of an agent, on a person's word
// alone.
//
// [Propose] makes a guard of a memory whose words have a shape that can be checked, [Add] writes its
// file, [Accept] puts a file in force that nobody here vouched for, [Remove] takes one away. No
// agent may do any of these. Past sessions are tried by the hooks' package, as
// is what a guard does at a call.
package guards

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/guard"
)

// Guard says which calls it is about, and what happens then.
type Guard = guard.Guard

// Trial is how often guards would have spoken in past sessions.
type Trial = guard.Trial

// Actions are those of a guard, the mildest first.
func Actions() []string { return guard.Actions() }

// Errors of what only a person may do, and of names.
var (
	ErrAgent   = errors.New("an agent changes no guard")
	ErrOrigin  = errors.New("no person is known to have said this rule")
	ErrUnknown = errors.New("there is no such guard")
	ErrThere   = errors.New("this memory has a guard already")
)

// Kept is a guard of the working tree.
type Kept struct {
	*Guard
	Path    string `json:"file"`
	InForce bool   `json:"in_force"`         // at the calls of this clone
	Broken  string `json:"broken,omitempty"` // why it cannot be read
}

func newKept(f guard.Kept) Kept {
	k := Kept{Guard: f.Guard, Path: guard.Path(f.Name), InForce: f.InForce}
	if f.Broken != nil {
		k.Guard, k.Broken = &Guard{Name: f.Name}, f.Broken.Error()
	}
	return k
}

// Standing says whether a guard is in force, and what to do otherwise.
func (k *Kept) Standing() string {
	if k.InForce {
		return "yes, in this clone; for the team once a trusted branch has " + k.Path
	}
	return "no: nobody here vouched for it; once it is there: cortex guard accept " + k.Name
}

// Only are those of some guards that are the one given, which may be nil.
func Only(kept []Kept, one *Guard) []Kept {
	return lists.Without(kept, func(k Kept) bool { return one == nil || k.Name != one.Name })
}

// Readable are those that can be read.
func Readable(kept []Kept) []*Guard {
	readable := lists.Where(kept, func(k Kept) bool { return k.Broken == "" })
	return lists.Map(readable, func(k Kept) *Guard { return k.Guard })
}

// Names are the names of guards.
func Names(kept []Kept) []string {
	return lists.Map(kept, func(k Kept) string { return k.Name })
}

// List returns the guards of the working tree that a person means by a name: that of the file, its
// path, or the beginning of the id of the memory behind it; all for "".
func List(ctx context.Context, w *workspace.Workspace, name string) ([]Kept, error) {
	files, err := find(ctx, w, name)
	return append([]Kept{}, lists.Map(files, newKept)...), err
}

// Add writes the file of a guard, and puts it in force in this clone. Nothing is staged. What no
// person is known to have said has to be confirmed by one.
func Add(ctx context.Context, w *workspace.Workspace, m *memory.Memory, g *Guard, confirmed bool) ([]Kept, error) {
	if m.Source.Claimed() != memory.OriginPerson && !confirmed {
		return nil, fmt.Errorf("%s: %w", m.ID.Short(), ErrOrigin)
	}
	if there, err := find(ctx, w, string(m.ID)); err == nil {
		return nil, fmt.Errorf("%s: %w", there[0].Name, ErrThere)
	}
	data, bad := g.Encode()
	tree, none := w.Tree()
	if err := errors.Join(byPerson(w), bad, none); err != nil {
		return nil, err
	}
	if _, err := tree.Write(guard.Path(g.Name), data); err != nil {
		return nil, err
	}
	return Accept(ctx, w, g.Name)
}

// Accept puts guards in force in this clone that nobody here vouched for.
func Accept(ctx context.Context, w *workspace.Workspace, name string) ([]Kept, error) {
	files, err := find(ctx, w, name)
	if err = errors.Join(byPerson(w), err); err != nil {
		return nil, err
	}
	entries := lists.Map(files, func(f guard.Kept) workspace.Entry {
		return workspace.Entry{Item: index.Item{Blob: f.Blob}}
	})
	if err := w.Accept(ctx, true, entries...); err != nil {
		return nil, err
	}
	return List(ctx, w, name)
}

// Remove removes the files of guards.
func Remove(ctx context.Context, w *workspace.Workspace, name string) ([]Kept, error) {
	gone, err := List(ctx, w, name)
	tree, failed := w.Tree()
	if err = errors.Join(byPerson(w), err, failed); err != nil {
		return nil, err
	}
	for _, g := range gone {
		if err := tree.Remove(g.Path, workspace.Dir); err != nil {
			return nil, err
		}
	}
	return gone, nil
}

// byPerson is an error where an agent started this process.
func byPerson(w *workspace.Workspace) error {
	if w.ByAgent() {
		return ErrAgent
	}
	return nil
}

// find returns the files that [List] lists.
func find(ctx context.Context, w *workspace.Workspace, name string) ([]guard.Kept, error) {
	files, err := guard.Guards(ctx, w)
	if err != nil || name == "" {
		return files, err
	}
	files = lists.Without(files, func(f guard.Kept) bool {
		names := []string{f.Name, guard.Path(f.Name)}
		return !slices.Contains(names, name) && !f.Of(name)
	})
	if len(files) == 0 {
		return nil, fmt.Errorf("%q: %w", name, ErrUnknown)
	}
	return files, nil
}

// Judge returns the guard in force that speaks about a call, nil for none.
func Judge(w *workspace.Workspace, command, file string) *guard.Guard {
	if rel, in := workspace.Below(w.Repo.Root, file); in && filepath.IsAbs(file) {
		file = rel
	}
	call := guard.Call{Command: command, Files: []string{filepath.ToSlash(file)}}
	site := &guard.Site{Branch: w.Repo.Branch, Ran: func(string) bool { return false }}
	return guard.Strictest(guard.InForce(w.Repo.Root, w.Repo.CacheDir(), &call), &call, site)
}
