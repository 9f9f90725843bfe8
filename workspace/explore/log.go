package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// LogEntry is one commit that touched memories.
type LogEntry struct {
	Commit  string `json:"commit"`
	Time    string `json:"time"`
	Author  string `json:"author"`
	Subject string `json:"subject"`
	Where   string `json:"where"` // journal or HEAD
	// Signature is good (of Signer, an allowed signer), unknown (of another key), bad, expired
	// or revoked; "" without one by SSH.
	Signature gitops.Signature `json:"signature,omitempty"`
	Signer    string           `json:"signer,omitempty"`
	// Changes tell how the commit changed the memory that was asked for; nil when none was.
	Changes []LogChange `json:"changes,omitempty"`
}

// LogChange is one change of a memory by a commit.
type LogChange struct {
	// Kind is captured, landed, edited, moved, removed, dismissed, restored or left (the
	// journal, where it has landed or was removed), or the name of a link, such as
	// supersedes, that another memory has to this one.
	Kind   string          `json:"kind"`
	Fields []memory.Change `json:"fields,omitempty"` // of edited
	By     memory.ID       `json:"by,omitempty"`     // that has the link
	Title  string          `json:"title,omitempty"`  // of that one
}

// Log is the history of memories, newest first: commits of the journal and
// commits of HEAD that touch memory files. With an id, only those of that
// memory and of those that link to it, each with what it changed, and the memory itself
// if it is still in the view.
func Log(ctx context.Context, w *workspace.Workspace, prefix string, limit int) ([]LogEntry, *workspace.Entry, error) {
	about := subject{id: "", tree: []string{workspace.MemoriesDir + "/**"}}
	if prefix != "" {
		var err error
		if about, err = subjectOf(ctx, w, prefix); err != nil {
			return nil, nil, err
		}
	}
	var out []LogEntry
	for _, of := range []source{{"journal", gitops.JournalRef, about.journal}, {"HEAD", "HEAD", about.tree}} {
		entries, err := logOf(ctx, w, of, limit, about.id)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, entries...)
	}
	lists.Sort(out, func(a, b LogEntry) int { return cmp.Compare(b.Time, a.Time) })
	if prefix != "" && about.entry == nil && len(out) == 0 {
		return nil, nil, fmt.Errorf("%s: %w, here or in the history", prefix, workspace.ErrNotFound)
	}
	out = out[:min(len(out), limit)]
	return out, about.entry, verify(ctx, w, out)
}

// subject is the memory that a history is asked for, with the patterns of the files of it and of
// those that link to it.
type subject struct {
	id            memory.ID        // or its beginning; "" for all memories
	entry         *workspace.Entry // nil where it is not in the view any more
	journal, tree []string
}

// shortestGone is how many letters must be known of the id of a memory that is in no view.
const shortestGone = 4

// subjectOf is the memory whose id begins with prefix.
func subjectOf(ctx context.Context, w *workspace.Workspace, prefix string) (subject, error) {
	v, err := w.View(ctx, workspace.ViewOptions{AllBranches: true, Local: true, Unreviewed: true})
	if err != nil {
		return subject{}, err
	}
	e, err := v.Find(ctx, prefix)
	switch {
	case err != nil:
		return goneSubject(prefix, err)
	case e.Apart && w.ByAgent():
		return subject{}, fmt.Errorf("%s: %w in this view", prefix, workspace.ErrNotFound)
	}
	out := subject{id: e.Memory.ID, entry: &e}
	out.addFiles(out.id.Short())
	for _, other := range linkedTo(ctx, v, out.id, !w.ByAgent()) {
		out.addFiles(other.Short())
	}
	return out, nil
}

// goneSubject is a memory that is in no view any more: its file names are in the history. Err is
// why it was not found.
func goneSubject(prefix string, err error) (subject, error) {
	if !errors.Is(err, workspace.ErrNotFound) || !memory.IsIDPrefix(prefix) || len(prefix) < shortestGone {
		return subject{}, err
	}
	out := subject{id: memory.ID(prefix)}
	out.addFiles(out.id.Short())
	return out, nil
}

// addFiles adds the patterns of the files of a memory, in the journal and in the tree.
func (s *subject) addFiles(short string) {
	s.journal = append(s.journal, "pending/**/*-"+short+"*.md", "dismissed/"+short+"*")
	s.tree = append(s.tree, workspace.MemoriesDir+"/**/*-"+short+"*.md")
}

// Landed returns the newest commits of HEAD that changed memory files, at most limit.
func Landed(ctx context.Context, w *workspace.Workspace, limit int) ([]LogEntry, error) {
	return logOf(ctx, w, source{"HEAD", "HEAD", []string{workspace.MemoriesDir + "/**"}}, limit, "")
}

// verify fills in the signatures of commits.
func verify(ctx context.Context, w *workspace.Workspace, entries []LogEntry) error {
	commits := lists.Map(entries, func(e LogEntry) gitops.ObjectID { return gitops.ObjectID(e.Commit) })
	signed, err := w.Repo.History().Signatures(ctx, commits)
	for i := range entries {
		s := signed[commits[i]]
		entries[i].Signature, entries[i].Signer = s.Signature, s.By
	}
	return err
}

// Brought is the commit that gave a landed memory, or one that came from a remote, the content it
// has; the zero value if there is none, as for a file that is not committed.
func Brought(ctx context.Context, w *workspace.Workspace, e workspace.Entry) (LogEntry, error) {
	of := source{"HEAD", "HEAD", []string{globbed().Replace(e.Path)}}
	if e.Stage == index.Pending {
		of.where, of.rev = "journal", gitops.JournalRef
	}
	if !hasCommit(ctx, w, &e) {
		return LogEntry{}, nil
	}
	out, err := logOf(ctx, w, of, 1, "")
	if err != nil || len(out) == 0 {
		return LogEntry{}, err
	}
	return out[0], verify(ctx, w, out)
}

// hasCommit reports whether a commit may have brought a memory. Otherwise git would look for one
// through the whole history.
func hasCommit(ctx context.Context, w *workspace.Workspace, e *workspace.Entry) bool {
	if e.Stage == index.Pending {
		return e.Received(w.Journal.Marks(ctx))
	}
	files, err := w.Repo.Tree(ctx, "HEAD", e.Path)
	return err == nil && len(files) > 0
}

// globbed makes a path a pattern that no other one matches: whoever names a file "*.md" must
// not get the signature of another one's commit. A backslash before a mark would be a slash
// to git for Windows.
func globbed() *strings.Replacer {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]", `\`, `\\`)
}

// maxLinked is how many memories that link to one are followed.
const maxLinked = 50

// linkedTo are the memories of a view that link to one, with those in quarantine if apart
// says so.
func linkedTo(ctx context.Context, v *workspace.View, id memory.ID, apart bool) []memory.ID {
	var out []memory.ID
	for _, e := range v.List(ctx, workspace.ListOptions{TextLess: true}) {
		if e.Apart && !apart {
			continue
		}
		if slices.ContainsFunc(e.Memory.Links, func(l memory.Link) bool { return l.To == id }) {
			out = append(out, e.Memory.ID)
		}
	}
	return out[:min(len(out), maxLinked)]
}

// source is a history that commits are read from, and the files in it that count.
type source struct {
	where, rev string
	patterns   []string
}

// logOf is the history of one source; id is "" for that of all memories.
func logOf(ctx context.Context, w *workspace.Workspace, of source, limit int, id memory.ID) ([]LogEntry, error) {
	history := w.Repo.History()
	entry := func(c gitops.Commit) LogEntry {
		return LogEntry{
			Commit: string(c.ID), Time: c.Time.Format("2006-01-02T15:04:05Z"), Author: c.Author,
			Subject: c.Subject, Where: of.where,
		}
	}
	if id == "" {
		commits, err := history.Log(ctx, of.rev, of.patterns, limit)
		return lists.Map(commits, entry), err
	}
	var out []LogEntry
	steps, err := history.Steps(ctx, of.rev, of.patterns, limit)
	if err != nil {
		return nil, err
	}
	versions, err := readVersions(ctx, w, steps)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		e := entry(s.Commit)
		if e.Changes = changesOf(s.Changes, id, versions); len(e.Changes) > 0 {
			out = append(out, e)
		}
	}
	return out, nil
}

// readVersions reads every version of a memory that some commits mention.
func readVersions(ctx context.Context, w *workspace.Workspace,
	steps []gitops.Step,
) (map[gitops.ObjectID]*memory.Memory, error) {
	var ids []gitops.ObjectID
	for _, s := range steps {
		for _, c := range s.Changes {
			ids = append(ids, c.Old, c.New)
		}
	}
	slices.Sort(ids)
	ids = lists.Without(slices.Compact(ids), func(id gitops.ObjectID) bool { return id == "" })
	versions := map[gitops.ObjectID]*memory.Memory{}
	err := w.Repo.Blobs(ctx, ids, 0, func(id gitops.ObjectID, data []byte) error {
		if m, err := memory.Parse("", data); err == nil {
			versions[id] = m
		}
		return nil
	})
	return versions, err
}

// commitChanges collects what one commit did to a memory.
type commitChanges struct {
	id       memory.ID
	versions map[gitops.ObjectID]*memory.Memory

	gone, come *gitops.Difference // a file of it that was removed, and one that was added
	out        []LogChange
}

// changesOf says what one commit did to a memory.
func changesOf(files []gitops.Difference, id memory.ID, versions map[gitops.ObjectID]*memory.Memory) []LogChange {
	c := commitChanges{id: id, versions: versions}
	for i := range files {
		c.file(&files[i])
	}
	if c.gone != nil && c.come != nil { // it has moved
		c.out = append(c.out, edited(versions[c.gone.Old], versions[c.come.New])...)
	}
	if len(c.out) > 0 {
		return c.out
	}
	return c.moved()
}

// file notes what the commit did to one file.
func (c *commitChanges) file(f *gitops.Difference) {
	m := cmp.Or(c.versions[f.New], c.versions[f.Old])
	switch {
	case m == nil:
	case !strings.HasPrefix(string(m.ID), string(c.id)):
		if f.Old == "" {
			c.linked(m)
		}
	case strings.HasPrefix(f.Path, "dismissed/"):
		kind := "dismissed"
		if f.New == "" {
			kind = "restored"
		}
		c.out = append(c.out, LogChange{Kind: kind})
	case f.New == "":
		c.gone = f
	case f.Old == "":
		c.come = f
	default:
		c.out = append(c.out, edited(c.versions[f.Old], c.versions[f.New])...)
	}
}

// linked notes the links of a new memory that lead to the one that is asked for.
func (c *commitChanges) linked(m *memory.Memory) {
	for _, l := range m.Links {
		if l.To == c.id {
			c.out = append(c.out, LogChange{Kind: string(l.Rel), By: m.ID, Title: m.Title})
		}
	}
}

// moved tells of a file that was added, removed, or both; nil for none.
func (c *commitChanges) moved() []LogChange {
	switch {
	case c.gone == nil && c.come == nil:
		return nil
	case c.come == nil:
		return []LogChange{{Kind: kindByPlace(c.gone.Path, "left", "removed")}}
	case c.gone == nil:
		return []LogChange{{Kind: kindByPlace(c.come.Path, "captured", "landed")}}
	}
	return []LogChange{{Kind: "moved"}}
}

// kindByPlace is the kind of a change of a file that is pending, or of another one.
func kindByPlace(path, pending, landed string) string {
	if strings.HasPrefix(path, "pending/") {
		return pending
	}
	return landed
}

// edited compares two versions of a memory; nothing, where one cannot be read.
func edited(was, now *memory.Memory) []LogChange {
	if was == nil || now == nil {
		return []LogChange{{Kind: "edited"}}
	}
	if fields := memory.Changes(was, now); len(fields) > 0 {
		return []LogChange{{Kind: "edited", Fields: fields}}
	}
	return nil
}
