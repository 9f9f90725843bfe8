// Package changes says what commits do to the memories of a repository, for whoever
// reviews them. Call [Choose] with what somebody typed, then [Read]. It compares
// the memories of two states by id, so that moved files do not matter, and says which
// were added, changed, removed, superseded or contested, which of those that were
// there before the changed code makes stale, and which decisions are contradicted. It
// reads git objects and, if asked to, the working tree, and writes nothing.
package changes

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Report lists the effects of a range on memories. As JSON it is the answer of
// `cortex diff` in docs/json.md. No list is nil.
type Report struct {
	Base string `json:"base"` // a commit id, "" for no commit
	Head string `json:"head"` // a commit id, or [Worktree]

	Added       []workspace.Entry `json:"added"`
	Changed     []Change          `json:"changed"`
	Removed     []workspace.Entry `json:"removed"`
	Superseded  []Turned          `json:"superseded"`
	Contested   []Turned          `json:"contested"`
	Stale       []Stale           `json:"stale"`
	Contradicts []Contradiction   `json:"contradicts"`
	Problems    []index.Problem   `json:"problems"` // files that became unreadable
	Policy      []Policy          `json:"policy"`   // what decides how memories are judged, shown and told
	Unreviewed  []Unreviewed      `json:"unreviewed"`
	Waits       []Wait            `json:"waits"` // why memories of the branch at hand are not among these
	Budget      Budget            `json:"budget"`
}

// Wait says why memories wait, and how many.
type Wait struct {
	Why   string `json:"why"`
	Count int    `json:"count"`
}

// Worktree is the name of the state of the files that are checked out.
const Worktree = "worktree"

// Quiet reports whether there is nothing to say.
func (r *Report) Quiet() bool {
	memories := len(r.Added) + len(r.Changed) + len(r.Removed)
	standing := len(r.Superseded) + len(r.Contested) + len(r.Stale) + len(r.Contradicts)
	return memories+standing+len(r.Problems)+len(r.Policy) == 0
}

// Change is a memory that is not what it was.
type Change struct {
	Now, Was workspace.Entry
	Fields   []string // that differ: keys of the frontmatter, "text", "path"
}

// Ref names a memory.
type Ref struct {
	ID    memory.ID   `json:"id"`
	Type  memory.Type `json:"type"`
	Title string      `json:"title"`
	Path  string      `json:"path"`
}

// Turned is a memory with another status than before.
type Turned struct {
	Entry workspace.Entry
	By    []Ref // that supersede it, or that supersede the same memory
}

// Stale is a memory that the code agreed with before, and does not agree with now.
type Stale struct {
	Entry workspace.Entry
	Code  []Code // that is not what it was
}

// Code is a file that is not what it was when a memory was learned.
type Code struct {
	Path  string `json:"path"`
	Gone  bool   `json:"gone,omitempty"`
	Moved string `json:"moved,omitempty"` // its path now, where git sees it
}

// Contradiction is a pair of memories in force of which only one can hold, and which
// both did not stand there before.
type Contradiction struct {
	By   Ref    `json:"by"` // the newer one, or the one that the range brought
	Of   Ref    `json:"of"`
	Kind string `json:"kind"`
	What string `json:"what,omitempty"` // the name that both are about
}

// Budget is how much there is to review, and how much the team lets land by itself.
type Budget struct {
	Added  int  `json:"added"`  // memories
	Most   int  `json:"most"`   // land_branch_max
	Over   bool `json:"over"`   // more than that
	Bytes  int  `json:"bytes"`  // of the files that were added or changed
	Tokens int  `json:"tokens"` // of the texts that were added or changed
	Brief  int  `json:"brief"`  // brief_tokens: what a briefing has room for
}

// Read compares the two states of a range.
func Read(ctx context.Context, w *workspace.Workspace, at Range) (*Report, error) {
	if at.alone {
		noteAlone(ctx, w)
	}
	base, err := stateAt(ctx, w, at.Base)
	if err != nil {
		return nil, err
	}
	head, err := stateAt(ctx, w, at.Head)
	if at.Worktree {
		head, err = worktree(ctx, w)
	}
	if err != nil {
		return nil, err
	}
	policy, err := Policies(ctx, w, at)
	unreviewed, failed := UnreviewedOf(ctx, w, at)
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	c := &comparison{w: w, base: base, head: head}
	c.out = Report{
		Base: string(at.Base), Head: head.name(),
		Added: []workspace.Entry{}, Changed: []Change{}, Removed: []workspace.Entry{}, Superseded: []Turned{},
		Contested: []Turned{}, Stale: []Stale{}, Contradicts: []Contradiction{}, Problems: []index.Problem{},
		Policy: policy, Unreviewed: unreviewed, Waits: []Wait{},
	}
	c.memories(ctx)
	c.statuses(ctx)
	c.contradictions(ctx)
	c.problems()
	if err := c.stale(ctx); err != nil {
		return nil, err
	}
	c.budget()
	return &c.out, nil
}

// comparison is one run of [Read].
type comparison struct {
	w          *workspace.Workspace
	base, head *state
	out        Report
}

// memories finds what was added, changed and removed. Of what is new or gone all is read at once.
func (c *comparison) memories(ctx context.Context) {
	var added []memory.ID
	for _, id := range c.head.order {
		switch {
		case c.isSame(id):
		case c.known(id):
			c.changed(ctx, id)
		default:
			added = append(added, id)
		}
	}
	removed := lists.Where(c.base.order, c.isRemoved)
	c.out.Added = append(c.out.Added, c.head.entries(ctx, added)...)
	c.out.Removed = append(c.out.Removed, c.base.entries(ctx, removed)...)
	lists.Sort(c.out.Added, byTitle)
	lists.Sort(c.out.Removed, byTitle)
	lists.Sort(c.out.Changed, func(a, b Change) int { return byTitle(a.Now, b.Now) })
}

// isSame reports whether both states have a memory in the same file with the same content.
func (c *comparison) isSame(id memory.ID) bool {
	if !c.known(id) {
		return false
	}
	was, now := c.base.item(id), c.head.item(id)
	return was.Blob == now.Blob && was.Path == now.Path
}

// isRemoved reports whether the head has no such memory, and no file in its place that cannot be read.
func (c *comparison) isRemoved(id memory.ID) bool {
	_, kept := c.head.held[id]
	return !kept && !c.head.broken[c.base.item(id).Path]
}

// known reports whether a memory was in the base.
func (c *comparison) known(id memory.ID) bool {
	_, known := c.base.held[id]
	return known
}

// changed notes a memory that both states have, if it says something else.
func (c *comparison) changed(ctx context.Context, id memory.ID) {
	was, _ := c.base.entry(ctx, id)
	now, _ := c.head.entry(ctx, id)
	if fields := differing(was, now); len(fields) > 0 {
		c.out.Changed = append(c.out.Changed, Change{now, was, fields})
	}
}

func byTitle(a, b workspace.Entry) int {
	return cmp.Or(cmp.Compare(a.Memory.Type, b.Memory.Type), cmp.Compare(a.Memory.Title, b.Memory.Title),
		cmp.Compare(a.Memory.ID, b.Memory.ID))
}

// contradictions finds the pairs of landed memories that contradict each other, and
// did not in the base.
func (c *comparison) contradictions(ctx context.Context) {
	type pair [2]memory.ID
	before := lists.SetOf(c.base.view.Contradictions(ctx), func(p workspace.Contradiction) pair {
		return pair{p.Newer.ID, p.Older.ID}
	})
	for _, p := range c.head.view.Contradictions(ctx) {
		if before[pair{p.Newer.ID, p.Older.ID}] {
			continue
		}
		by, okBy := c.head.entry(ctx, p.Newer.ID)
		of, okOf := c.head.entry(ctx, p.Older.ID)
		if c.broughtLast(p.Older.ID, p.Newer.ID) {
			by, of = of, by
		}
		if okBy && okOf {
			c.out.Contradicts = append(c.out.Contradicts, Contradiction{refTo(by), refTo(of), string(p.Kind), p.What})
		}
	}
}

// broughtLast reports whether the range brought a memory and not the other one, whichever is older.
// The one that it brought speaks against the other.
func (c *comparison) broughtLast(id, other memory.ID) bool { return !c.known(id) && c.known(other) }

func refTo(e workspace.Entry) Ref {
	return Ref{e.Memory.ID, e.Memory.Type, e.Memory.Title, e.Path}
}

// differing are the keys by which two versions of a memory differ.
func differing(was, now workspace.Entry) []string {
	if was.Memory == nil || now.Memory == nil {
		return nil
	}
	fields := lists.Map(memory.Changes(was.Memory, now.Memory), func(c memory.Change) string { return c.Key })
	if was.Path != now.Path {
		fields = append(fields, "path")
	}
	return fields
}

// statuses finds the memories that became superseded or contested. Of what was
// added, only contested ones are worth saying: what it supersedes says the rest.
func (c *comparison) statuses(ctx context.Context) {
	for _, id := range c.head.order {
		now := c.head.statuses[id]
		if now == c.base.statuses[id] {
			continue
		}
		switch now {
		case memory.StatusSuperseded:
			if c.known(id) {
				c.out.Superseded = append(c.out.Superseded, c.turned(ctx, id)...)
			}
		case memory.StatusContested:
			c.out.Contested = append(c.out.Contested, c.turned(ctx, id)...)
		}
	}
}

// turned is a memory with the status that it has now; none where it cannot be read.
func (c *comparison) turned(ctx context.Context, id memory.ID) []Turned {
	e, ok := c.head.entry(ctx, id)
	if !ok {
		return nil
	}
	return []Turned{{Entry: e, By: c.head.against(ctx, id, c.head.statuses[id])}}
}

// problems finds the files that cannot be read as memories, and that were not so in
// the base.
func (c *comparison) problems() {
	c.out.Problems = append(c.out.Problems, lists.Where(c.head.view.Problems, func(p index.Problem) bool {
		return !slices.ContainsFunc(c.base.view.Problems, func(old index.Problem) bool {
			return old == p
		})
	})...)
}

// stale finds the memories that were in the base, agreed there with the code that
// they are anchored to, and do not agree with it in the head. A memory that the
// change itself brings or anchors anew is the author's word about the code as it
// became, and is none of them; nor is one that is superseded.
func (c *comparison) stale(ctx context.Context) error {
	anchored, paths := c.anchored(ctx)
	f := codeFiles{comparison: c}
	var err error
	if f.before, err = c.base.files(ctx, paths); err != nil {
		return err
	}
	if f.after, err = c.head.files(ctx, paths); err != nil {
		return err
	}
	for _, e := range anchored {
		code, err := f.of(ctx, e.Memory)
		if err != nil {
			return err
		}
		if len(code) > 0 {
			e.Stale = true
			c.out.Stale = append(c.out.Stale, Stale{e, code})
		}
	}
	return nil
}

// anchored are the memories in force that were in the base, and the files that these are about.
func (c *comparison) anchored(ctx context.Context) (anchored []workspace.Entry, paths []string) {
	for _, e := range c.head.heads(ctx) {
		if e.Status == memory.StatusSuperseded || !c.known(e.Memory.ID) {
			continue
		}
		anchored = append(anchored, e)
		paths = append(paths, lists.Map(e.Memory.Anchors, func(a memory.Anchor) string { return a.Path })...)
	}
	slices.Sort(paths)
	return anchored, slices.Compact(paths)
}

// codeFiles are the files that memories are about, by their blobs in both states.
type codeFiles struct {
	*comparison
	before, after map[string]string
	renames       map[string]string // nil before they were asked for
}

// of are the files of a memory that are not what they were.
func (f *codeFiles) of(ctx context.Context, m *memory.Memory) ([]Code, error) {
	var out []Code
	for _, a := range m.Anchors {
		if !isBlob(f.before[a.Path], a.Blob) || isBlob(f.after[a.Path], a.Blob) {
			continue
		}
		change := Code{Path: a.Path}
		if f.after[a.Path] == "" {
			same, err := f.follow(ctx, &change, a.Blob)
			if err != nil {
				return nil, err
			}
			if same {
				continue
			}
		}
		out = append(out, change)
	}
	return out, nil
}

// follow notes where a file that is gone has moved, and reports whether it is there as it was.
func (f *codeFiles) follow(ctx context.Context, change *Code, blob string) (same bool, err error) {
	change.Gone = true
	if f.renames == nil {
		if f.renames, err = f.moved(ctx); err != nil {
			return false, err
		}
	}
	change.Moved = f.renames[change.Path]
	return f.sameAt(ctx, change.Moved, blob)
}

// sameAt reports whether a file has a blob after the change. With the path "" it has not.
func (c *comparison) sameAt(ctx context.Context, path, blob string) (bool, error) {
	if path == "" {
		return false, nil
	}
	now, err := c.head.files(ctx, []string{path})
	return isBlob(now[path], blob), err
}

// moved are the files that the range gave another path.
func (c *comparison) moved(ctx context.Context) (map[string]string, error) {
	newer := cmp.Or(c.head.commit, gitops.ObjectID(c.w.Repo.Head)) // what is not committed has no renames
	if c.base.commit == "" || newer == "" {
		return map[string]string{}, nil
	}
	return c.w.Repo.History().Moved(ctx, c.base.commit, newer)
}

func (c *comparison) budget() {
	b := Budget{Added: len(c.out.Added), Most: c.w.Config.LandBranchMax, Brief: c.w.Config.BriefTokens}
	b.Over = b.Added > b.Most
	count := func(m *memory.Memory) {
		b.Bytes += len(memory.Format(m))
		b.Tokens += memory.Tokens(m.Title + "\n" + m.Text)
	}
	for _, e := range c.out.Added {
		count(e.Memory)
	}
	for _, e := range c.out.Changed {
		count(e.Now.Memory)
	}
	c.out.Budget = b
}
