// Package moves says under which name a file is found that is gone: [Moves.Place], and what files
// were called before: [Former]. A rename is what git recognises as one, committed or staged.
//
// It costs a git process or two where a file is gone that was not asked for at this commit, and
// none where all are there. It promises that the file which is named exists.
package moves

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/stamp"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// Moves finds the present names of files of one working tree. A nil one finds none. It is for
// one goroutine.
type Moves struct {
	repo  *gitops.Repo
	files folder.Folder
	known map[string]string // by the old name; "" for a file that has no other; nil until read
}

// Of returns the renames of a working tree. Nothing is read before the first question.
func Of(repo *gitops.Repo, files folder.Folder) *Moves { return &Moves{repo: repo, files: files} }

// Bounds of what is asked.
const (
	mostNames = 200                 // of files that are gone
	mostSteps = 3                   // renames of one file, one after the other
	slack     = 30 * 24 * time.Hour // that a commit may be older than what was learned before it came here
	patience  = 2 * time.Second     // of a hook or a server
	wordsHead = 2                   // of the note, before the names of files
	wordsEach = 2                   // for a file: its two names
)

// Learn finds out the present names of the files that memories are anchored to and that are
// gone, for [Moves.Place]. Where git fails, or takes longer than a hook may, they are gone.
func (m *Moves) Learn(ctx context.Context, about ...*memory.Memory) {
	if m == nil || m.repo.Head == "" {
		return
	}
	gone, since := m.gone(about)
	if len(gone) == 0 {
		return
	}
	if _, limited := ctx.Deadline(); limited {
		asking, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		ctx = asking
	}
	gone = gone[:min(len(gone), mostNames)]
	staged, err := m.repo.History().MovedStaged(ctx)
	if err != nil {
		staged = map[string]string{}
	}
	now := map[string]string{} // by the old name, the one it has at the end
	for _, path := range gone {
		now[path] = path
	}
	for range mostSteps {
		open := m.step(ctx, since, now, staged)
		if !open {
			break
		}
	}
	for path, name := range now {
		if !m.files.Exists(name) {
			name = ""
		}
		m.known[path] = name
	}
	m.keep()
}

// step takes those names that no file has one rename further, and reports whether any went.
func (m *Moves) step(ctx context.Context, since time.Time, now, staged map[string]string) bool {
	var names []string
	for _, name := range now {
		if !m.files.Exists(name) && staged[name] == "" {
			names = append(names, name)
		}
	}
	committed := map[string]string{}
	if len(names) > 0 {
		slices.Sort(names)
		if found, err := m.repo.History().MovedSince(ctx, since.Add(-slack), names); err == nil {
			committed = found
		}
	}
	went := false
	for path, name := range now {
		next := staged[name]
		if next == "" {
			next = committed[name]
		}
		if next != "" && !m.files.Exists(name) {
			now[path], went = next, true
		}
	}
	return went
}

// gone are the files that memories are about which are not there and were not asked for yet, and
// since when they may have been renamed.
func (m *Moves) gone(about []*memory.Memory) (paths []string, since time.Time) {
	for _, x := range about {
		for _, path := range filesOf(x) {
			if m.files.Exists(path) {
				continue
			}
			m.read()
			if _, known := m.known[path]; known || slices.Contains(paths, path) {
				continue
			}
			paths = append(paths, path)
			if since.IsZero() || x.Created.Before(since) {
				since = x.Created
			}
		}
	}
	return paths, since
}

// filesOf are the files that a memory is anchored to, and those at which it is to be told.
func filesOf(m *memory.Memory) []string {
	var paths []string
	for _, a := range m.Anchors {
		paths = append(paths, a.Path)
	}
	for _, path := range slices.Concat(m.TriggersOf(memory.TriggerFile), m.TriggersOf(memory.TriggerBefore)) {
		if strings.Contains(path, "/") && !strings.ContainsAny(path, " *") && memory.ValidPath(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Place returns where the file at path is now: there, or where [Moves.Learn] found it. ok is
// false where it is gone.
func (m *Moves) Place(path string) (now string, ok bool) {
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
func (m *Moves) state() []string {
	now, _ := stamp.Lstat(filepath.Join(m.repo.GitDir, "index"))
	return []string{m.repo.Head, url.QueryEscape(string(stamp.Append(nil, &now)))}
}

// read takes over what was found out at the same commit and index. Of what was found out at
// another one the renames that hold are kept, so that hooks, which ask git nothing, know them.
func (m *Moves) read() {
	if m.known != nil {
		return
	}
	words := facts.Read(m.repo, facts.Moves)
	known, state := noted(words), m.state()
	if len(known) > 0 && slices.Equal(words[:len(state)], state) {
		m.known = known
		return
	}
	m.known = renamed(known, m.files)
}

// noted are the names in a note, by the old one.
func noted(words []string) map[string]string {
	known := map[string]string{}
	if len(words) < wordsHead {
		return known
	}
	for w := range slices.Chunk(words[wordsHead:], wordsEach) {
		path, err := url.PathUnescape(w[0])
		if err != nil || len(w) != wordsEach {
			break
		}
		if name, err := url.PathUnescape(w[1]); err == nil {
			known[path] = name
		}
	}
	return known
}

// renamed are the names of which the old one is gone and the new one is there.
func renamed(known map[string]string, files folder.Folder) map[string]string {
	out := map[string]string{}
	for path, name := range known {
		if name != "" && files.Exists(name) && !files.Exists(path) {
			out[path] = name
		}
	}
	return out
}

// Former returns the files of a working tree that have another name now, as far as [Moves.Learn] has
// found out: their present names by the old ones. It reads one file, and starts no process.
func Former(repo *gitops.Repo, files folder.Folder) map[string]string {
	return renamed(noted(facts.Read(repo, facts.Moves)), files)
}

func (m *Moves) keep() {
	words := m.state()
	for path, name := range m.known {
		words = append(words, url.PathEscape(path), url.PathEscape(name))
	}
	facts.Write(m.repo, facts.Moves, words)
}
