package facts

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/stamp"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// Renames says under which name a file is found that is gone: [Renames.Place]. A rename is
// what git recognises as one, committed or staged. [Former] says what files were called before.
// It costs a git process or two where a file is gone that was not asked for at this commit, and
// none where all are there. It promises that the file which is named exists. A nil one finds none.
// It is for one goroutine.
type Renames struct {
	repo  *gitops.Repo
	files folder.Folder
	known map[string]string // by the old name; "" for a file that has no other; nil until read
}

// RenamesOf returns the renames of a working tree. Nothing is read before the first question.
func RenamesOf(repo *gitops.Repo, files folder.Folder) *Renames {
	return &Renames{repo: repo, files: files}
}

// Bounds of what is asked.
const (
	mostNames = 200                 // of files that are gone
	mostSteps = 3                   // renames of one file, one after the other
	slack     = 30 * 24 * time.Hour // that a commit may be older than what was learned before it came here
)

// Learn finds out the present names of the files that memories are anchored to and that are
// gone, for [Renames.Place]. Where git fails, or takes longer than a hook may, they are gone.
func (m *Renames) Learn(ctx context.Context, about ...*memory.Memory) {
	if m == nil || m.repo.Head == "" {
		return
	}
	gone, since := m.gone(about)
	if len(gone) == 0 {
		return
	}
	ctx, cancel := patient(ctx)
	defer cancel()
	gone = gone[:min(len(gone), mostNames)]
	staged, _ := m.repo.History().MovedStaged(ctx) // where git fails, there are none
	now := map[string]string{}                     // by the old name, the one it has at the end
	for _, path := range gone {
		now[path] = path
	}
	for range mostSteps {
		if !m.step(ctx, since, now, staged) {
			break
		}
	}
	for path, name := range now {
		if !m.files.Exists(name) {
			name = ""
		}
		m.known[path] = name
	}
	Keep(m.repo, Moves, "", keptRenames{m.state(), m.known})
}

// step takes those names that no file has one rename further, and reports whether any went.
func (m *Renames) step(ctx context.Context, since time.Time, now, staged map[string]string) bool {
	var names []string
	for _, name := range now {
		if !m.files.Exists(name) && staged[name] == "" {
			names = append(names, name)
		}
	}
	var committed map[string]string
	if len(names) > 0 {
		slices.Sort(names)
		committed, _ = m.repo.History().MovedSince(ctx, since.Add(-slack), names) // where git fails, there are none
	}
	went := false
	for path, name := range now {
		next := cmp.Or(staged[name], committed[name])
		if next != "" && !m.files.Exists(name) {
			now[path], went = next, true
		}
	}
	return went
}

// gone are the files that memories are about which are not there and were not asked for yet, and
// since when they may have been renamed.
func (m *Renames) gone(about []*memory.Memory) (paths []string, since time.Time) {
	for _, x := range about {
		for _, path := range lists.Without(filesOf(x), m.isKnown) {
			if !slices.Contains(paths, path) {
				paths, since = append(paths, path), earlier(since, x.Created)
			}
		}
	}
	return paths, since
}

// isKnown reports whether a file is there, or was asked for.
func (m *Renames) isKnown(path string) bool { return m.files.Exists(path) || m.asked(path) }

// earlier is the earlier one of two times, of which the first may be zero.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// filesOf are the files that a memory is anchored to, and those at which it is to be told.
func filesOf(m *memory.Memory) []string {
	paths := lists.Map(m.Anchors, func(a memory.Anchor) string { return a.Path })
	paths = append(paths, lists.Where(slices.Concat(m.TriggersOf(memory.TriggerFile),
		m.TriggersOf(memory.TriggerBefore)), func(path string) bool {
		return isFile(path)
	})...)
	return paths
}

// isFile reports whether a trigger names one file in a folder.
func isFile(path string) bool {
	return strings.Contains(path, "/") && !strings.ContainsAny(path, " *") && memory.ValidPath(path)
}

// asked reports whether a file that is gone was asked for.
func (m *Renames) asked(path string) bool {
	m.read()
	_, known := m.known[path]
	return known
}

// keptRenames is the note of present names, by the old ones.
type keptRenames struct {
	State string // of the commit and the index
	Names map[string]string
}

// read takes over what was found out at the same commit and index. Of what was found out at
// another one the renames that hold are kept, so that hooks, which ask git nothing, know them.
func (m *Renames) read() {
	if m.known != nil {
		return
	}
	kept, _ := Kept[keptRenames](m.repo, Moves, "")
	if m.known = kept.Names; kept.State != m.state() {
		m.known = holding(kept.Names, m.files)
	}
}

// holding are the names of which the old one is gone and the new one is there.
func holding(names map[string]string, files folder.Folder) map[string]string {
	out := map[string]string{}
	for path, name := range names {
		if name != "" && files.Exists(name) && !files.Exists(path) {
			out[path] = name
		}
	}
	return out
}

// Former returns the files of a working tree that have another name now, as far as [Renames.Learn] has
// found out: their present names by the old ones. It reads one file, and starts no process.
func Former(repo *gitops.Repo, files folder.Folder) map[string]string {
	kept, _ := Kept[keptRenames](repo, Moves, "")
	return holding(kept.Names, files)
}

// Place returns where the file at path is now: there, or where [Renames.Learn] found it. ok is
// false where it is gone.
func (m *Renames) Place(path string) (now string, ok bool) {
	if m == nil {
		return "", false
	}
	if m.files.Exists(path) {
		return path, true
	}
	now = m.known[path]
	return now, now != "" && m.files.Exists(now)
}

// state names the commit and the index that the answers hold for.
func (m *Renames) state() string {
	now, _ := stamp.Lstat(filepath.Join(m.repo.GitDir, "index"))
	return fmt.Sprintf("%s %d", m.repo.Head, now)
}
