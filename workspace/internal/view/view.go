// Package view reads the memories that a command works on, and derives what no file says of
// them.
//
// Set up a [Reader] and call [Reader.View]: a [View] holds the memories of one tree, of the
// journal and of the user's own store, each id once, with status, confidence as it has faded,
// and rank. [View.List], [View.Find] and [View.Entry] read them whole.
//
// A file that cannot be read is a problem of the view and stops nothing. What came with a
// branch that this clone does not trust is left out unless it is asked for ("Trust" of
// docs/behaviour.md), and what is pending for another branch unless it belongs here ("Views").
package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/trust"
	"github.com/git-cortex/cortex/workspace/internal/worktree"
)

// DetachedName is the name that people type for a detached HEAD where a branch is
// asked for. No branch can be called that.
const DetachedName = "HEAD"

// Options say which state to look at. The zero value is the working tree
// as it is now, with what is pending for the current branch.
type Options struct {
	At          string // a revision instead of the working tree; nothing pending
	Branch      string // the tip of another branch and what is pending for it; [DetachedName] for no branch
	AllBranches bool   // besides, what is pending for every branch

	Local bool // without the global store
	Bare  bool // Local, and what is derived (status, weight, rank) is not wanted

	// Unreviewed says to show what came with a branch of somebody else and was reviewed
	// by nobody here, which otherwise only [View.Quarantine] names.
	Unreviewed bool

	// Judged says to take all that has landed for trusted, as in a clone that knows of no
	// other branch. [View.Quarantine] names what is not. It is for who judges it, and for no agent.
	Judged bool

	// Soon says that the answer cannot wait: of the files that were never read here, as
	// after a clone of many, only a part is read, and the others are left out. Nothing
	// may be concluded from the absence of a memory then.
	Soon bool

	// Folders says to look at the folders of memory files alone: a file that was written in
	// place since somebody looked at the files is taken as it was then.
	Folders bool
}

// withPending reports whether anything pending may be in the view.
func (o *Options) withPending() bool { return o.At == "" || o.AllBranches }

// ofCommit reports whether landed memories are read from a commit that is named.
func (o *Options) ofCommit() bool { return o.At != "" || o.Branch == DetachedName }

// withGlobal reports whether the user's own store is in the view.
func (o *Options) withGlobal() bool { return !o.ofCommit() && !o.Local && !o.Bare }

// View is the set of memories that a command works on: those of one tree, of the
// journal and of the global store, one entry for each id. It is for one goroutine.
type View struct {
	Branch   string // as the journal names it, secrets taken out
	Others   bool   // something is pending for other branches, and no part of the view unless all are
	Items    []index.Item
	Index    index.View // of Items
	Problems []index.Problem

	repo    *gitops.Repo
	program string // path of the file that runs
	catalog *index.Catalog
	source  source
	hidden  hidden
	code    code // that the memories are about
	derived derived
	doubts  doubts
	horizon func(context.Context) time.Time // see [Reader.Horizon]
}

// source names the files that landed memories were read from.
type source struct {
	rev   string          // the commit; "" for the working tree
	files []index.Item    // of the working tree, where each is a memory that can be read; else nil
	left  int             // files that were left out, see [Options.Soon]
	name  *facts.TreeName // of the tree; nil where nobody asked for it
	then  gitops.Commit   // that a view of [Options.At] is as of
}

// hidden holds the landed files that are not trusted.
type hidden struct {
	apart    []index.Item
	withheld int // how many of apart are in no item
}

// doubts say whose words about other memories do not count yet.
type doubts struct {
	marks    journal.Marks      // of what came from a remote
	presumes map[memory.ID]bool // see [View.Presumes]
}

// namedProblems is how many files that are not memories are named one by one.
const namedProblems = 10

// ProblemTexts says what the Problems of a view are: the first ones each in a
// line, and how many there are besides.
func (v *View) ProblemTexts() []string {
	var out []string
	for i, p := range v.Problems {
		if more := len(v.Problems) - i; i == namedProblems && more > 1 {
			return append(out, fmt.Sprintf("%d more files cannot be read as memories: cortex check", more))
		}
		out = append(out, p.Error())
	}
	return out
}

// ID returns the id of Items[i].
func (v *View) ID(i int) memory.ID { return v.Index.ID(i) }

// Files is how many files of memories there are, with those that were left out, are in
// quarantine or cannot be read.
func (v *View) Files() int {
	return v.Count(index.Landed) + v.source.left + v.hidden.withheld + len(v.Problems)
}

// LandedItems returns the files of the working tree as they were read; nil where one of them is
// no memory that can be read, and in a view of another tree.
func (v *View) LandedItems() []index.Item { return v.source.files }

// OfWorktree reports whether landed memories are those of the working tree.
func (v *View) OfWorktree() bool { return v.source.rev == "" }

// Whole reports whether no file was left out.
func (v *View) Whole() bool { return v.source.left == 0 }

// Catalog returns the catalog that the memories of the view are in.
func (v *View) Catalog() *index.Catalog { return v.catalog }

// Then returns the commit that a view of a revision is as of, and whether it is one.
func (v *View) Then() (gitops.Commit, bool) { return v.source.then, v.source.then.ID != "" }

// Accepted reports whether what Items[i] says of other memories counts. That of a
// pending memory which came from a remote, or which presumes, does not before somebody
// here accepted it, nor that of a landed one in quarantine.
func (v *View) Accepted(i int) bool {
	if v.Items[i].Stage != index.Pending {
		return !v.Items[i].Apart
	}
	id := v.ID(i)
	return !v.doubts.marks.Memory(id) && !v.doubts.presumes[id]
}

// Shape names the state that an answer was computed from. Tree is the id of
// the git tree that landed memories are from, with "+dirty" behind it if the
// memory files of the working tree are others; "" where nobody asked for it, and for a
// branch that is gone.
type Shape struct {
	Branch  string `json:"branch"`
	Tree    string `json:"tree"`
	Landed  int    `json:"landed"`
	Pending int    `json:"pending"`
	Global  int    `json:"global"`
}

// Shape returns the summary of the view that an answer carries.
func (v *View) Shape() Shape {
	return Shape{
		Branch: v.Branch, Tree: v.source.name.String(),
		Landed: v.Count(index.Landed), Pending: v.Count(index.Pending), Global: v.Count(index.Global),
	}
}

// Fence is around the memories of v: its word is a hash over all of them.
func (v *View) Fence() memory.Fence {
	return memory.FenceOver(func(yield func(string) bool) {
		for _, it := range v.Items {
			if !yield(string(it.Blob)) {
				return
			}
		}
	})
}

// Reader reads the states that a project can show. It is safe for concurrent use.
type Reader struct {
	Repo    *gitops.Repo
	Index   *index.Index
	Tree    *worktree.Tree
	Journal *journal.Journal
	Secrets *journal.Secrets
	Global  *Global
	Notices *notices.List
	Trust   *trust.Rule // of what has landed in the working tree; nil trusts everything
	Fading  memory.Decay
	Weights projection.Weights
	Now     func() time.Time
	Program string // path of the file that runs
	Named   bool   // views know which tree they are of
	Unused  int    // sessions without use after which a memory is possibly outdated; 0 is never

	naming sync.WaitGroup
	last   atomic.Pointer[standing]
}

// Horizon is when the first of the latest sessions began in which a memory is used, or else counts as
// possibly outdated; the zero time if there were not so many.
func (r *Reader) Horizon(ctx context.Context) time.Time {
	return r.Journal.Own(ctx, time.Time{}).Horizon(r.Unused)
}

// Wait waits until what is noted of the names of trees is written.
func (r *Reader) Wait() { r.naming.Wait() }

// View reads a state. Files that are not memories are listed in Problems and
// stop nothing.
func (r *Reader) View(ctx context.Context, opt Options) (*View, error) {
	v := &View{
		Branch: cmp.Or(opt.Branch, r.Repo.Topic), repo: r.Repo, program: r.Program, catalog: r.Index.Catalog(),
		horizon: r.Horizon,
	}
	if r.Named {
		v.source.name = facts.NewTreeName(r.Repo, hookstate.MemoriesDir)
	}
	if opt.Branch == DetachedName {
		v.Branch = ""
	}
	opening := r.openJournal(ctx)
	landed, err := r.landed(ctx, v, opt)
	snap, unread := opening()
	if err != nil {
		return nil, err
	}
	if opt.withPending() && unread != nil {
		r.Notices.Add("%v", unread) // reading goes on without the journal
	}
	waiting, err := r.waiting(ctx, v, opt, snap)
	if err != nil {
		return nil, err
	}
	trusted := r.quarantine(ctx, v, opt, snap, landed)
	items := append(trusted, waiting.items...)
	if opt.withGlobal() {
		items = append(items, r.Global.Items(ctx)...)
	}
	problems, err := r.Index.Fill(ctx, items, r.fetch(snap, waiting.items))
	if err != nil {
		return nil, fmt.Errorf("reading memories: %w", err)
	}
	r.Index.KeepListed(pendingList, waiting.state, items[len(trusted):][:len(waiting.items)])
	v.Problems = append(v.Problems, problems...)
	v.Others = waiting.near != nil && waiting.near.others
	v.Index = r.Index.View(waiting.settle(ctx, v.catalog, items, opt.AllBranches))
	v.Items = v.Index.Items
	if of := (state{opt, v.Branch, snap}); !opt.Bare && !r.again(v, of) {
		v.doubt(ctx, snap)
		r.derive(ctx, v, opt, snap)
		r.keep(v, of)
	}
	return v, nil
}

// openJournal reads the journal while the caller looks at the files of the tree.
// The caller has to ask for the result.
func (r *Reader) openJournal(ctx context.Context) (result func() (*gitops.Snapshot, error)) {
	var snap *gitops.Snapshot
	var err error
	var opening sync.WaitGroup
	opening.Go(func() { snap, err = r.Journal.Snapshot(ctx) })
	return func() (*gitops.Snapshot, error) {
		opening.Wait()
		return snap, err
	}
}

// waiting holds the pending items, and how far their branches are from that of the view.
type waiting struct {
	items []index.Item
	state string    // names them; "" where they are kept under that already
	near  *nearness // nil where nothing is pending
}

// waiting reads what is pending. A journal that cannot be read holds nothing, and is a notice.
func (r *Reader) waiting(ctx context.Context, v *View, opt Options, snap *gitops.Snapshot) (waiting, error) {
	var w waiting
	if snap == nil || !opt.withPending() {
		return w, nil
	}
	var err error
	if w.items, w.state, err = r.pending(ctx, snap, v); err != nil {
		r.Notices.Add("%v", err)
		return waiting{}, nil
	}
	if w.near, err = r.nearness(ctx, v, r.elsewhere(opt) && v.OfWorktree(), w.items); err != nil {
		return waiting{}, err
	}
	w.near.measure(w.items)
	return w, nil
}

// elsewhere reports whether another branch than the one that is checked out is asked for.
func (r *Reader) elsewhere(opt Options) bool {
	return opt.Branch != "" && opt.Branch != DetachedName && opt.Branch != r.Repo.Branch
}

// settle leaves out what is pending and does not belong to the view, unless all are wanted.
func (w *waiting) settle(ctx context.Context, catalog *index.Catalog, items []index.Item, all bool) []index.Item {
	if w.near == nil || !w.near.others {
		return items
	}
	return w.near.settle(ctx, catalog, items, all)
}

// Pending returns what was captured and has not landed, for whatever branch, with heads in the
// catalog.
func (r *Reader) Pending(ctx context.Context, snap *gitops.Snapshot) ([]index.Item, error) {
	items, _, err := r.pending(ctx, snap, &View{})
	if err == nil && len(items) > 0 {
		_, err = r.Index.Fill(ctx, items, r.fetch(snap, items))
	}
	return items, err
}

// pendingList is the name under which the index keeps what is pending.
const pendingList = "pending"

// pending lists what was captured and has not landed, for whatever branch. State is the id of its
// folder in the journal, where the index does not keep the list yet.
func (r *Reader) pending(ctx context.Context, snap *gitops.Snapshot, v *View,
) (items []index.Item, state string, err error) {
	v.Branch = r.Secrets.BranchIn(ctx, snap, v.Branch)
	folder, _ := snap.FolderID(ctx, "", "pending") // "" is the key of no list
	if items = r.Index.Listed(pendingList, string(folder)); items != nil {
		return branched(items), "", nil
	}
	entries, err := snap.List(ctx, "pending")
	if err != nil {
		return nil, "", fmt.Errorf("reading the journal: %w", err)
	}
	return branched(lists.Map(entries, func(e gitops.Entry) index.Item {
		return index.Item{Blob: string(e.Blob), Path: e.Path}
	})), string(folder), nil
}

// branched says of pending files, which are all memories of a branch, of which one.
func branched(items []index.Item) []index.Item {
	of, name := "", "" // the folder of the file before: thousands may be in one
	for i := range items {
		branch, _, _ := strings.Cut(strings.TrimPrefix(items[i].Path, "pending/"), "/")
		if branch != of {
			of = branch
			name, _ = gitops.DecodeBranch(branch)
		}
		items[i].Stage, items[i].Branch = index.Pending, name
	}
	return items
}

// Fetch reads blobs that the catalog lacks from the repository.
func (r *Reader) Fetch() index.Fetch { return r.fetch(nil, nil) }

// fetch reads blobs that the catalog lacks: pending ones through the journal,
// where they may still be in the spool, the others from the repository.
func (r *Reader) fetch(snap *gitops.Snapshot, waiting []index.Item) index.Fetch {
	return func(ctx context.Context, blobs []string, yield func(string, []byte) error) error {
		journaled := lists.SetOf(waiting, func(it index.Item) string { return it.Blob })
		var pending []gitops.Entry
		var ids []gitops.ObjectID
		for _, b := range blobs {
			if id := gitops.ObjectID(b); journaled[b] {
				pending = append(pending, gitops.Entry{Blob: id})
			} else {
				ids = append(ids, id)
			}
		}
		there := func(blob gitops.ObjectID, data []byte) error {
			if data == nil {
				return nil
			}
			return yield(string(blob), data)
		}
		err := snap.Read(ctx, pending, func(e gitops.Entry, data []byte) error { return there(e.Blob, data) })
		if err != nil {
			return fmt.Errorf("reading the journal: %w", err)
		}
		return r.Repo.Blobs(ctx, ids, memory.MaxFile, there)
	}
}

// Errors of a view of a branch that is not there, and of one of HEAD where there is neither
// a commit nor a working tree.
var (
	ErrNoBranch = errors.New("no such branch")
	ErrUnborn   = errors.New("the repository is bare, and its branch has no commits")
)

// MemoryPath returns the path in the working tree of a memory whose own path,
// such as "decision/2026-03/use-bluge-1f2e3d4.md", is rel.
func MemoryPath(rel string) string { return hookstate.MemoriesDir + "/" + rel }
