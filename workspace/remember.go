package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/hearsay"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/pages"
	"github.com/git-cortex/cortex/workspace/internal/places"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/worktree"
)

// Note is a request of a person (or an agent, on purpose) to remember something.
type Note struct {
	Type     memory.Type // empty means learned
	Title    string      // empty means the first sentence of Text
	Text     string
	Tags     []string
	Files    []string // relative to the root of the repository; none means those that the text names
	Entities []string
	Links    []memory.Link
	Pinned   bool
	Priority int    // 0 means the default of the type
	Scope    string // where it holds; "" is what its type says
	Agent    string // empty means that started this process, or a person
	Pending  bool   // into the journal instead of the working tree
	Branch   string // of a pending note, where it belongs; "" is the branch that is checked out
}

// Remembered says what became of a note.
type Remembered struct {
	Entry    Entry
	Known    bool            // it was there already; nothing was written
	Redacted []redact.Secret // secrets that were taken out of it
	Presumes bool            // it would replace what a person wrote, so it waits for one
}

// ErrEmpty is returned for a note without a word in it.
var ErrEmpty = errors.New("there is nothing to remember")

// keeper writes, removes and brings back single memories, as people and agents
// ask for it by name.
type keeper struct {
	repo    *gitops.Repo
	journal *journal.Journal
	secrets *journal.Secrets
	tree    *worktree.Tree
	views   *view.Reader
	pages   *pages.Set
	global  *view.Global
	agent   string // that started this process; "" for a person or git
	pii     string // the team's policy on people's data
	now     func() time.Time
}

// Remember writes a note as a file into the working tree, unstaged like any
// other edit, or into the journal. Secrets are taken out before anything is
// written.
func (w *Workspace) Remember(ctx context.Context, n Note) (Remembered, error) {
	return w.keeper.remember(ctx, n)
}

func (k *keeper) remember(ctx context.Context, n Note) (Remembered, error) {
	if n.Branch == k.repo.Topic {
		n.Branch = ""
	}
	m, findings, err := k.compose(ctx, n)
	if err != nil {
		return Remembered{}, err
	}
	there := ViewOptions{Branch: n.Branch, Unreviewed: true}
	out := Remembered{Redacted: findings}
	v, err := k.views.View(ctx, there)
	if err != nil {
		return out, err
	}
	if out.Presumes, err = k.presumes(ctx, v, m); err != nil {
		return out, err
	}
	n.Pending = n.Pending || out.Presumes || k.waits(m)
	if out.Entry, out.Known = k.known(ctx, v, m, n.Pending); out.Known {
		return out, nil
	}
	if err := k.add(ctx, m, n); err != nil {
		return out, err
	}
	out.Entry, err = k.added(ctx, m, n, there)
	return out, err
}

// presumes reports whether a memory would replace what a person wrote, without their word. Among the
// user's own memories nothing can wait for that.
func (k *keeper) presumes(ctx context.Context, v *View, m *memory.Memory) (bool, error) {
	if hearsay.ByPerson(m) || !v.ReplacesPersons(ctx, m) {
		return false, nil
	}
	if k.global.Here() {
		return true, &PresumingError{m.ID}
	}
	return true, nil
}

// known reports whether a view has a memory that is to be pending, or to be a file.
func (k *keeper) known(ctx context.Context, v *View, m *memory.Memory, pending bool) (Entry, bool) {
	e, err := v.Find(ctx, string(m.ID))
	if err != nil || !pending && e.Stage != k.global.FileStage() {
		return Entry{}, false
	}
	return e, true
}

// add writes a memory that was put together from a note, unless somebody removed it.
func (k *keeper) add(ctx context.Context, m *memory.Memory, n Note) error {
	if err := k.removed(ctx, m); err != nil {
		return err
	}
	if n.Pending {
		return k.addPending(ctx, m, n.Branch)
	}
	return k.addFile(ctx, m)
}

// added is a memory that was just written, as a view has it now.
func (k *keeper) added(ctx context.Context, m *memory.Memory, n Note, there ViewOptions) (Entry, error) {
	v, err := k.views.View(ctx, there)
	if err != nil {
		return Entry{}, err
	}
	e, err := v.Find(ctx, string(m.ID))
	if n.Pending && errors.Is(err, ErrNotFound) {
		return k.spooled(ctx, m, n.Branch), nil
	}
	return e, err
}

// waits reports whether a memory is pending until somebody knows who said it.
func (k *keeper) waits(m *memory.Memory) bool { return !k.global.Here() && hearsay.Waits(m) != "" }

// spooled is a pending memory as the spool has it: the journal cannot be read, so it is in no view.
func (k *keeper) spooled(ctx context.Context, m *memory.Memory, branch string) Entry {
	branch = k.secrets.Branch(ctx, cmp.Or(branch, k.repo.Topic))
	return Entry{Memory: m, Item: index.Item{
		Path: gitops.PendingPrefix(branch) + "/" + m.Path(), Stage: index.Pending, Branch: branch,
		Status: memory.StatusActive, Effective: m.Confidence,
	}}
}

// StartedBy is the agent that started this process; [memory.Human] for a person or git.
func (w *Workspace) StartedBy() string { return cmp.Or(w.env.Agent, memory.Human) }

// AddMemory writes a memory that a program put together for somebody: into the working tree,
// unstaged like any other edit, or with pending, and where there is no working tree, into
// the journal. The caller answers for what is in it.
func (w *Workspace) AddMemory(ctx context.Context, m *memory.Memory, pending bool) error {
	if pending || w.Repo.Root == "" {
		return w.keeper.addPending(ctx, m, "")
	}
	return w.keeper.addFile(ctx, m)
}

func (k *keeper) compose(ctx context.Context, n Note) (*memory.Memory, []redact.Secret, error) {
	text, found := k.withoutPrivate(ctx, n.Text)
	title, more := k.withoutPrivate(ctx, n.Title)
	if memory.OneLine(title) == "" {
		title, text = titleOf(text)
	}
	if memory.OneLine(title) == "" {
		return nil, nil, ErrEmpty
	}
	if len(text) > memory.MaxFile/2 {
		return nil, nil, fmt.Errorf("%d bytes is too long for one memory: keep what a teammate needs, in a few lines",
			len(text))
	}
	m := memory.New(cmp.Or(n.Type, memory.Learned), cutTitle(title), text, k.now())
	m.Links, m.Pinned, m.Triggers = n.Links, n.Pinned, memory.CommandNamed(m)
	redactor := k.secrets.Redactor(ctx)
	for _, list := range []struct{ from, to *[]string }{
		{&n.Tags, &m.Tags},
		{&n.Files, &m.Files},
		{&n.Entities, &m.Entities},
	} {
		var secrets []redact.Secret
		*list.to, secrets = withoutSecrets(redactor, *list.from)
		found = append(found, secrets...)
	}
	m.Priority = cmp.Or(n.Priority, m.Priority)
	k.place(ctx, m, n)
	for _, p := range m.Files {
		if !memory.ValidPath(p) {
			return nil, nil, fmt.Errorf("%q is not a path inside the repository", p)
		}
	}
	Anchor(ctx, k.repo, k.tree.Files(), map[*memory.Memory][]string{m: m.Files})
	// What is written must be readable: parse it once before anyone relies on it.
	if _, err := memory.Parse(m.Path(), memory.Format(m)); err != nil {
		return nil, nil, fmt.Errorf("writing the memory: %w", err)
	}
	return m, append(found, more...), nil
}

// withoutSecrets are the words of a list in which no secret is, and the secrets of the others.
func withoutSecrets(r *redact.Redactor, list []string) (clean []string, found []redact.Secret) {
	for _, word := range list {
		_, in := r.Redact(word)
		if len(in) == 0 {
			clean = append(clean, word)
		}
		found = append(found, in...)
	}
	return clean, found
}

// place says of a memory who wrote it, where it holds and which files it is about.
func (k *keeper) place(ctx context.Context, m *memory.Memory, n Note) {
	branch := k.secrets.Branch(ctx, cmp.Or(n.Branch, k.repo.Topic))
	m.Source = memory.Source{Agent: cmp.Or(n.Agent, k.agent, memory.Human), Branch: branch}
	m.Scope = scopeOf(m, n)
	if n.Branch == "" {
		m.Source.Commit = Abbrev(k.repo.Head)
	}
	if len(n.Files) == 0 && !k.global.Here() {
		m.Files = capture.FilesIn(m.Title+"\n"+m.Text, k.tree.Files().Exists)
	}
	people, dependencies := facts.People(ctx, k.repo), k.tree.Files().Dependencies()
	m.Entities = lists.Unique(m.Entities, capture.EntitiesIn(m.Title+"\n"+m.Text, m.Files, people, dependencies))
}

// isHabit reports whether an agent says of a person what they always want.
func isHabit(m *memory.Memory) bool { return m.Source.Agent != memory.Human && capture.Personal(m) }

// scopeOf is where a memory holds: as the note says, but for habits that wait for review, which hold
// everywhere.
func scopeOf(m *memory.Memory, n Note) string {
	switch {
	case n.Scope == "" && n.Pending && isHabit(m):
		return memory.ScopeGlobal
	case n.Scope != m.Type.Scope():
		return n.Scope
	}
	return m.Scope
}

// withoutPrivate is text without what its writer marked as private, without
// secrets and, by the team's policy, without people's data.
func (k *keeper) withoutPrivate(ctx context.Context, s string) (string, []redact.Secret) {
	s, parts := redact.Private(strings.ToValidUTF8(s, "\ufffd"))
	s, found := k.secrets.Kept(ctx, k.pii).Redact(s)
	for range parts {
		found = append(found, redact.Secret{Kind: "private"})
	}
	return s, found
}

// titleOf takes the first sentence of a text as its title; the rest, if any,
// stays the text.
func titleOf(text string) (title, body string) {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, "\n")
	if i := SentenceEnd(first, ".!?", shortSentence); i > 0 {
		return strings.TrimSuffix(first[:i+1], "."), strings.TrimSpace(first[i+1:] + "\n" + rest)
	}
	if len(first) <= 120 {
		return strings.TrimSuffix(first, "."), strings.TrimSpace(rest)
	}
	return first, text
}

// shortSentence is the number of bytes within which a line ends no sentence.
const shortSentence = 12

// SentenceEnd returns the index of the first mark, one of marks, that ends a sentence
// before the end of a text and after least bytes; -1 without one.
func SentenceEnd(text, marks string, least int) int {
	for i := range text {
		if i > least && strings.IndexByte(marks, text[i]) >= 0 && EndsSentence(text[:i], text[i+1:]) {
			return i
		}
	}
	return -1
}

// EndsSentence reports whether a full stop between before and after ends a
// sentence: one inside a version or an abbreviation does not.
func EndsSentence(before, after string) bool {
	next, ok := strings.CutPrefix(after, " ")
	if r, _ := utf8.DecodeRuneInString(next); !ok || unicode.IsLower(r) {
		return false
	}
	switch strings.ToLower(before[strings.LastIndexAny(before, " (")+1:]) {
	case "e.g", "i.e", "vs", "cf", "approx":
		return false
	}
	return true
}

func cutTitle(s string) string {
	s = memory.OneLine(memory.Clean(s))
	if len(s) <= 160 {
		return s
	}
	cut := strings.LastIndexByte(s[:157], ' ')
	if cut < 80 {
		cut = 157
	}
	return strings.ToValidUTF8(s[:cut], "") + "…"
}

// Abbrev shortens the id of a commit as memories name it.
func Abbrev(commit string) string { return commit[:min(len(commit), 12)] }

// addFile lands one memory in the working tree without staging it.
func (k *keeper) addFile(ctx context.Context, m *memory.Memory) error {
	defer k.tree.Writing()()
	t, err := k.tree.Folder()
	if err != nil {
		return err
	}
	if _, err := t.Write(view.MemoryPath(m.Path()), memory.Format(m)); err != nil {
		return err
	}
	return k.settle(ctx, "remember: "+m.Title)
}

// addPending writes a memory into the journal, for a branch or, with "", the one that
// is checked out.
func (k *keeper) addPending(ctx context.Context, m *memory.Memory, branch string) error {
	branch = k.secrets.Branch(ctx, cmp.Or(branch, k.repo.Topic))
	data := memory.Format(m)
	return k.journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		path, err := places.New(ctx, snap, branch, m)
		return gitops.Change{
			Message:  "remember: " + m.Title,
			Trailers: journal.Trailers("", branch, k.repo.Head),
			When:     k.now(),
			Put:      map[string][]byte{path: data},
		}, err
	})
}

// Forgotten says what became of a memory that was removed.
type Forgotten struct {
	Entry Entry
	Kept  string // where a copy is
}

// Forget removes a memory from the view: a pending one from the journal, a
// landed one from the working tree, unstaged like any other edit. A copy stays
// in the journal under dismissed/, so that it is not captured again and can be
// restored. A global one is removed from the global store, which is committed.
func (w *Workspace) Forget(ctx context.Context, prefix string) (out Forgotten, err error) {
	v, err := w.View(ctx, ViewOptions{Unreviewed: !w.ByAgent()})
	if err != nil {
		return Forgotten{}, err
	}
	e, err := v.Find(ctx, prefix)
	if note, _ := w.Note(ctx, prefix); note != nil && errors.Is(err, ErrNotFound) {
		return Forgotten{}, fmt.Errorf("%s is a note in the record of its session, and no memory:"+
			" cortex mute %[1]s has sessions told of it no more", note.ID.Short())
	}
	if err != nil {
		return Forgotten{}, err
	}
	if e.Stage == index.Global && !w.global.Here() {
		err = w.InGlobal(ctx, false, func(store *Workspace) (err error) {
			out, err = store.Forget(ctx, string(e.Memory.ID))
			return err
		})
		return out, err
	}
	return w.keeper.forget(ctx, e)
}

// NotPendingError is a memory that only a person removes.
type NotPendingError struct{ Entry Entry }

func (e *NotPendingError) Error() string {
	return fmt.Sprintf("%s is %s, not pending", e.Entry.Memory.ID.Short(), e.Entry.Stage)
}

// ForgetPending is [Workspace.Forget] of a pending memory of a view. Of any other it
// is a [NotPendingError], and changes nothing.
func (w *Workspace) ForgetPending(ctx context.Context, prefix string, opt ViewOptions) (Forgotten, error) {
	v, err := w.View(ctx, opt)
	if err != nil {
		return Forgotten{}, err
	}
	e, err := v.Find(ctx, prefix)
	if err != nil {
		return Forgotten{}, err
	}
	if e.Stage != index.Pending {
		return Forgotten{}, &NotPendingError{e}
	}
	return w.keeper.forget(ctx, e)
}

func (k *keeper) forget(ctx context.Context, e Entry) (Forgotten, error) {
	return Forgotten{Entry: e, Kept: gitops.JournalRef + ":" + journal.DismissedPath(e.Memory.ID)},
		k.forgetAll(ctx, e.Memory.Title, e)
}

// ForgetAll is [Workspace.Forget] of several memories of this repository, in one
// commit of the journal. One that is not in the view stops it before anything is done.
func (w *Workspace) ForgetAll(ctx context.Context, ids []memory.ID) error {
	v, err := w.View(ctx, ViewOptions{Unreviewed: !w.ByAgent()})
	if err != nil {
		return err
	}
	entries := make([]Entry, len(ids))
	for i, id := range ids {
		if entries[i], err = v.Find(ctx, string(id)); err != nil {
			return err
		}
		if entries[i].Stage == index.Global && !w.global.Here() {
			return fmt.Errorf("%s is in your own store: cortex forget --global", id.Short())
		}
	}
	return w.keeper.forgetAll(ctx, notices.Memories(len(entries)), entries...)
}

func (k *keeper) forgetAll(ctx context.Context, what string, entries ...Entry) error {
	files := lists.Without(entries, func(e Entry) bool { return e.Stage != k.global.FileStage() })
	if len(files) > 0 {
		if _, err := k.tree.Folder(); err != nil {
			return err // before the journal says that they are gone
		}
	}
	branch := k.secrets.Branch(ctx, k.repo.Topic)
	err := k.journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{
			Message: "forget: " + what, Trailers: journal.Trailers("", branch, k.repo.Head),
			When: k.now(), Put: map[string][]byte{},
		}
		pending := places.Anywhere(ctx, snap)
		for _, e := range entries {
			paths, err := pending(e.Memory.ID)
			if err != nil {
				return c, err
			}
			c.Put[journal.DismissedPath(e.Memory.ID)] = memory.Format(e.Memory)
			c.Remove = append(c.Remove, paths...)
		}
		return c, nil
	})
	if err != nil || len(files) == 0 {
		return err
	}
	return k.removeFiles(ctx, what, files)
}

// removeFiles removes the files of memories.
func (k *keeper) removeFiles(ctx context.Context, what string, entries []Entry) error {
	defer k.tree.Writing()()
	t, err := k.tree.Folder()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := t.Remove(e.Path, Dir); err != nil {
			return err
		}
	}
	return k.settle(ctx, "forget: "+what)
}

// settle does what follows a change of files by hand: the pages are brought in
// step, and in the global store, where nobody else works, it is committed.
func (k *keeper) settle(ctx context.Context, message string) error {
	err := k.pages.Refresh(ctx, projection.Kinds())
	if k.global.Here() {
		err = errors.Join(err, k.repo.CommitAll(ctx, Dir, message))
	}
	return err
}
