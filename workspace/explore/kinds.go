package explore

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/dependencies"
)

// EntityKind says what a name that a memory mentions stands for.
type EntityKind string

// The kinds of names. A name that is none of the others is a concept: a symbol, a
// service, an idea.
const (
	Project    EntityKind = "project"    // this one, by its folder or by a manifest
	Technology EntityKind = "technology" // what a manifest depends on, or the table of dependencies knows
	Person     EntityKind = "person"     // somebody who wrote one of the newest commits
	File       EntityKind = "file"       // a file or folder of the working tree
	Concept    EntityKind = "concept"
)

// Kinds tells what names stand for. What it compares them with is read when the first name
// asks for it. It is for one goroutine at a time.
type Kinds struct {
	files        workspace.Folder
	table        dependencies.Table
	projects     func() []string
	dependencies func() map[string]bool
	people       func() map[string]bool
}

// KindsOf returns the kinds of names in a project. It costs nothing.
func KindsOf(ctx context.Context, w *workspace.Workspace) *Kinds {
	files, _ := w.Tree() // without a working tree nothing is a file
	return &Kinds{
		files: files, table: dependencies.Builtin().With(w.Config.Dependencies),
		projects:     lazy.Value(func() []string { return projectNames(files) }),
		dependencies: lazy.Value(func() map[string]bool { return dependencyNames(files.Dependencies()) }),
		people:       lazy.Value(func() map[string]bool { return authorNames(ctx, w) }),
	}
}

// Of is the kind of one name.
func (k *Kinds) Of(name string) EntityKind {
	lower := strings.ToLower(strings.TrimSpace(name))
	switch {
	case slices.Contains(k.projects(), lower):
		return Project
	case k.isFile(name):
		return File
	case k.isTechnology(lower):
		return Technology
	case k.isPerson(lower):
		return Person
	}
	return Concept
}

func (k *Kinds) isFile(name string) bool {
	return strings.ContainsAny(name, "./") && k.files.Exists(strings.TrimSuffix(name, "/"))
}

func (k *Kinds) isTechnology(lower string) bool {
	return k.table.Knows(lower) || k.dependencies()[lower] || k.dependencies()[plainName(lower)]
}

func (k *Kinds) isPerson(lower string) bool {
	return personal(lower) && k.people()[strings.TrimPrefix(lower, "@")]
}

// All is the kind of each of some names; nil for none.
func (k *Kinds) All(names []string) map[string]EntityKind {
	if len(names) == 0 {
		return nil
	}
	out := make(map[string]EntityKind, len(names))
	for _, name := range names {
		out[name] = k.Of(name)
	}
	return out
}

// projectNames are the names of a project, in lower case: that of its folder, and what the
// manifests at its root say, whole and without its owner.
func projectNames(files workspace.Folder) []string {
	if files.Root == "" {
		return nil
	}
	names := []string{strings.ToLower(filepath.Base(files.Root))}
	for _, name := range files.ProjectNames() {
		name = strings.ToLower(name)
		names = append(names, name, lastPart(name))
	}
	return names
}

// dependencyNames are the names by which people speak of dependencies, in lower case.
func dependencyNames(dependencies []string) map[string]bool {
	out := map[string]bool{}
	for _, d := range dependencies {
		d = strings.ToLower(d)
		last := lastPart(d)
		out[d], out[last], out[plainName(last)] = true, true, true
	}
	delete(out, "")
	return out
}

// lastPart is the last element of a path of a module, without its major version.
func lastPart(name string) string {
	_, last := path.Split(majorVersion().ReplaceAllString(name, ""))
	return last
}

// majorVersion matches that at the end of the path of a module.
var majorVersion = lazy.Pattern(`/v\d+$`)

// plainName is a name without what only says which language a package is for.
func plainName(name string) string {
	for _, affix := range []string{"go-", "node-", "py-", "rust-"} {
		name = strings.TrimPrefix(name, affix)
	}
	for _, affix := range []string{".js", "-js", "-go", "-py", "-rs", ".rs"} {
		name = strings.TrimSuffix(name, affix)
	}
	return name
}

// personal reports whether a name can be that of a person: letters, with what stands
// between the parts of a name.
func personal(name string) bool {
	return !strings.ContainsFunc(strings.TrimPrefix(name, "@"), func(r rune) bool {
		return !words.IsAlphanumeric(r) && !strings.ContainsRune(" -.'’", r)
	})
}

// Bounds of who is known as a person: how many commits are read, and how short a part of
// a name may be that stands for the person.
const (
	authorsRead = 300
	shortName   = 3
)

// authorNames are the names of those who wrote the newest commits, in lower case, whole and
// by their first part. Programs that commit are no people.
func authorNames(ctx context.Context, w *workspace.Workspace) map[string]bool {
	out := map[string]bool{}
	commits, err := w.Repo.History().Log(ctx, "HEAD", nil, authorsRead)
	if err != nil {
		return out // no commits yet
	}
	for _, c := range commits {
		name := strings.ToLower(strings.TrimSpace(c.Author))
		if slices.Contains([]string{"", "github"}, name) || strings.HasSuffix(name, "[bot]") {
			continue
		}
		out[name] = true
		if first, _, _ := strings.Cut(name, " "); len(first) >= shortName {
			out[first] = true
		}
	}
	return out
}

// Shown is a memory, what the names that it mentions stand for, and what it relies on that is gone.
type Shown struct {
	Entry workspace.Entry
	Kinds map[string]EntityKind // by name

	Removed []Removal
}

// Show says what the names stand for that a memory mentions, and what of it is gone.
func Show(ctx context.Context, w *workspace.Workspace, e workspace.Entry) Shown {
	e.Unused = e.UnusedSince(w.Views.Horizon(ctx))
	return Shown{e, KindsOf(ctx, w).All(e.Memory.Entities), removalsOf(ctx, w, e.Memory)}
}

// Unused counts the memories of the present view that are possibly outdated, because the latest sessions neither
// taught, said again nor used them; 0 where there is no view.
func Unused(ctx context.Context, w *workspace.Workspace) int {
	v, err := w.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return 0
	}
	since := w.Views.Horizon(ctx)
	return len(lists.Where(v.Entries(ctx), func(e workspace.Entry) bool { return e.UnusedSince(since) }))
}

// MarshalJSON writes the memory in full, with the kinds if it mentions names.
func (s Shown) MarshalJSON() ([]byte, error) {
	o := s.Entry.Object(true)
	o.AddIf(len(s.Kinds) > 0, "kinds", s.Kinds)
	o.AddIf(len(s.Removed) > 0, "removed", s.Removed)
	return o.End()
}

// Names are the names that the memory mentions, in its order, each but a concept with its
// kind.
func (s Shown) Names() []string {
	return lists.Map(s.Entry.Memory.Entities, func(name string) string { return Worded(name, s.Kinds[name]) })
}

// Worded is a name with its kind, where that says something.
func Worded(name string, kind EntityKind) string {
	if kind == "" || kind == Concept {
		return name
	}
	return name + " (" + string(kind) + ")"
}

// spellings are the names that memories of a graph mention as they are written there, by
// their form in lower case.
func spellings(memories []*memory.Memory) map[string]string {
	out := map[string]string{}
	for _, m := range memories {
		for _, name := range m.Entities {
			if lower := strings.ToLower(name); out[lower] == "" {
				out[lower] = name
			}
		}
	}
	return out
}
