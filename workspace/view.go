package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/blobs"
	"github.com/git-cortex/cortex/workspace/internal/moves"
	"github.com/git-cortex/cortex/workspace/internal/treename"
	"github.com/git-cortex/cortex/workspace/internal/trust"
)

// ViewOptions say which state to look at. The zero value is the working tree
// as it is now, with what is pending for the current branch.
type ViewOptions struct {
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

// readSoon is how many files that were never read a view reads that cannot wait.
const readSoon = 5000

// View is the set of memories that a command works on: those of one tree, of the
// journal and of the global store, one entry for each id.
type View struct {
	Branch   string // as the journal names it, secrets taken out
	Items    []index.Item
	Index    index.View // of Items
	Problems []index.Problem
	catalog  *index.Catalog
	rev      string         // the commit that landed memories were read from, "" for the working tree
	files    []index.Item   // of the working tree, where each is a memory that can be read; else nil
	left     int            // files that were left out, see ViewOptions.Soon
	apart    []index.Item   // what came with a branch that is not trusted
	withheld int            // how many of apart are in no item
	stale    bool           // which items are stale was found out
	code     code           // that the memories are about
	tree     *treename.Name // nil for none
	then     gitops.Commit  // that a view of [ViewOptions.At] is as of
	counts   map[index.Stage]int
	uses     map[memory.ID]memory.Use
	usesOf   string     // what uses were read from
	fades    *keptFades // nil for none
	now      time.Time  // to which confidence has faded
	decay    memory.Decay
	weights  projection.Weights
	marks    Marks              // of what came from a remote
	presumes map[memory.ID]bool // see Presumes
	linked   bool               // some memory links to another, or is contested
	central  map[memory.ID]float64
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

// ArchivedFor returns how long a memory of the view has been archived, and whether it is.
func (v *View) ArchivedFor(e *Entry) (time.Duration, bool) {
	return v.decay.ArchivedFor(e.Memory, v.now, v.uses[e.Memory.ID], v.central[e.Memory.ID])
}

// Count is how many memories of a stage the view holds.
func (v *View) Count(stage index.Stage) int { return v.counts[stage] }

// Files is how many files of memories there are, with those that were left out, are in
// quarantine or cannot be read.
func (v *View) Files() int { return v.counts[index.Landed] + v.left + v.withheld + len(v.Problems) }

// ID returns the id of Items[i].
func (v *View) ID(i int) memory.ID { return v.Index.ID(i) }

// Accepted reports whether what Items[i] says of other memories counts. That of a
// pending memory which came from a remote, or which presumes, does not before somebody
// here accepted it, nor that of a landed one in quarantine.
func (v *View) Accepted(i int) bool {
	if v.Items[i].Stage != index.Pending {
		return !v.Items[i].Apart
	}
	if len(v.marks)+len(v.presumes) == 0 {
		return true
	}
	id := v.ID(i)
	return !v.marks.Memory(id) && !v.presumes[id]
}

// Centrality returns how central a memory is among those that are linked, from 0
// to 1.
func (v *View) Centrality(id memory.ID) float64 { return v.central[id] }

// viewer reads the states that a workspace can show. It is for any number of
// goroutines; a view is for one.
type viewer struct {
	repo    *gitops.Repo
	index   *index.Index
	tree    *worktree
	journal *journal
	secrets *secrets
	recalls *recalls
	global  *globalStore
	notices *notices
	trust   *trust.Rule // of what has landed in the working tree
	decay   memory.Decay
	tuning  projection.Tuning
	now     func() time.Time
	named   bool       // as in [Env]
	fades   *keptFades // of the last view; nil in a process that does not live on
	naming  sync.WaitGroup
}

// View reads a state. Files that are not memories are listed in Problems and
// stop nothing. The view is for one goroutine.
func (w *Workspace) View(ctx context.Context, opt ViewOptions) (*View, error) {
	return w.views.view(ctx, opt)
}

func (r *viewer) view(ctx context.Context, opt ViewOptions) (*View, error) {
	v := &View{Branch: r.repo.Topic, catalog: r.index.Catalog()}
	if r.named {
		v.tree = treename.New(r.repo)
	}
	withPending := opt.At == "" || opt.AllBranches
	var near *nearness
	if opt.Branch == DetachedName {
		v.Branch, opt.At = "", cmp.Or(opt.At, "HEAD")
	} else if opt.Branch != "" {
		v.Branch = opt.Branch
	}
	journal := r.openJournal(ctx)
	landed, err := r.landed(ctx, v, opt)
	snap, unread := journal()
	if err != nil {
		return nil, err
	}
	var pending []index.Item
	var journaled map[string]gitops.Entry
	others := false // something is pending for another branch
	if withPending && snap != nil {
		if pending, journaled, unread = r.pending(ctx, snap, v); unread == nil {
			near, err = r.nearness(ctx, v, opt.Branch != "" && opt.Branch != DetachedName && opt.Branch != r.repo.Branch && v.rev == "", pending)
		}
		if err != nil {
			return nil, err
		}
		others = near != nil && near.measure(pending)
	}
	if withPending && unread != nil {
		r.notices.add("%v", unread) // reading goes on without the journal
	}
	landed = r.quarantine(ctx, v, opt, snap, landed)
	items := append(landed, pending...)
	if opt.At == "" && !opt.Local && !opt.Bare {
		items = append(items, r.global.items(ctx)...)
	}
	problems, err := r.index.Fill(ctx, items, r.fetch(snap, journaled))
	if err != nil {
		return nil, fmt.Errorf("reading memories: %w", err)
	}
	v.Problems = append(v.Problems, problems...)
	if near != nil && others {
		if items, err = near.settle(ctx, v.catalog, items, opt.AllBranches); err != nil {
			return nil, err
		}
	}
	v.Index = r.index.View(items)
	v.Items = v.Index.Items
	if !opt.Bare {
		v.uses, v.usesOf = r.recalls.uses(ctx, snap)
		if snap != nil && len(pending) > 0 {
			v.marks = marksIn(ctx, snap)
			v.presuming(ctx)
		}
		v.now, v.decay, v.weights = r.now(), r.decay, r.tuning.Rank
		if opt.At != "" {
			v.asOf(ctx, r)
		} else {
			v.fades = r.fades
		}
		v.derive()
	}
	return v, nil
}

// asOf sets a view of a revision back to its day: confidence has faded as far as it had
// then, and what was recalled since does not count. Such a view says the same for good,
// in every clone.
func (v *View) asOf(ctx context.Context, r *viewer) {
	commits, err := r.repo.History().Log(ctx, v.rev, nil, 1)
	if err != nil || len(commits) == 0 {
		return // a tree, or nothing that has a day
	}
	v.then, v.uses = commits[0], nil
	v.now = commits[0].Time
	var m memory.Memory
	for i := range v.Items { // a date that was set back makes nothing younger than new
		v.Index.Fill(i, &m)
		if m.Created.After(v.now) {
			v.now = m.Created
		}
	}
}

// Then returns the commit that a view of a revision is as of, and whether it is one.
func (v *View) Then() (gitops.Commit, bool) { return v.then, v.then.ID != "" }

// openJournal reads the journal while the caller looks at the files of the tree.
// The caller has to ask for the result.
func (r *viewer) openJournal(ctx context.Context) (result func() (*gitops.Snapshot, error)) {
	var snap *gitops.Snapshot
	var err error
	var opening sync.WaitGroup
	opening.Go(func() { snap, err = r.journal.snapshot(ctx) })
	return func() (*gitops.Snapshot, error) {
		opening.Wait()
		return snap, err
	}
}

// landed reads the files of the tree that the view is about.
func (r *viewer) landed(ctx context.Context, v *View, opt ViewOptions) ([]index.Item, error) {
	if opt.Branch == DetachedName {
		opt.At = cmp.Or(opt.At, "HEAD")
	}
	if opt.At == "" && (opt.Branch == "" || opt.Branch == r.repo.Branch) && r.repo.Root != "" {
		if v.tree != nil {
			v.tree.Ask(ctx)
		}
		haste := index.Haste{Most: math.MaxInt, Folders: opt.Folders}
		if opt.Soon {
			haste.Most = readSoon
		}
		tree, err := r.index.ScanSome(ctx, r.tree.abs(MemoriesDir), haste)
		if err != nil {
			v.tree.Wait()
			return nil, fmt.Errorf("reading %s: %w", MemoriesDir, err)
		}
		v.Problems = append(v.Problems, tree.Problems...)
		v.left = tree.Left
		v.code.files, v.code.known = r.tree.files(), blobs.Of(r.repo, r.now)
		v.code.moves = moves.Of(r.repo, v.code.files)
		if r.global.here() {
			for i := range tree.Items {
				tree.Items[i].Stage = index.Global
			}
		}
		items, err := r.withSkipped(ctx, tree.Items)
		if len(tree.Problems) == 0 && tree.Left == 0 && len(items) == len(tree.Items) {
			v.files = slices.Clip(tree.Items)
		}
		if v.tree != nil && err == nil {
			if len(items) != len(tree.Items) {
				tree.State = "" // it does not name what was skipped
			}
			v.tree.Of(ctx, tree.State, items)
			r.naming.Go(v.tree.Done)
		}
		return items, err
	}
	rev, entries, err := r.treeOf(ctx, opt)
	if errors.Is(err, gitops.ErrNoRevision) && opt.At == "" && r.waitsFor(ctx, opt.Branch) {
		return nil, nil // a branch that is gone has landed nothing
	}
	switch {
	case errors.Is(err, gitops.ErrNoRevision) && rev == "HEAD" && opt.At == "":
		return nil, fmt.Errorf("%w: %s", ErrUnborn, r.repo.Branch)
	case errors.Is(err, gitops.ErrNoRevision) && opt.At == "":
		return nil, fmt.Errorf("%q: %w", opt.Branch, ErrNoBranch)
	case errors.Is(err, gitops.ErrNoRevision):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", rev, err)
	}
	var items []index.Item
	for _, e := range entries {
		if strings.HasSuffix(e.Path, ".md") {
			items = append(items, index.Item{Blob: string(e.Blob), Path: e.Path, Stage: index.Landed})
		}
	}
	v.rev = rev
	if v.tree != nil {
		id, _, _ := r.repo.TreeIDs(ctx, rev, MemoriesDir) // a state without a name is one all the same
		v.tree.Known(string(id))
	}
	return items, nil
}

// LandedFiles returns the memory files of the tree that a view with these options
// is about, before the view makes one entry of files with the same id.
func (w *Workspace) LandedFiles(ctx context.Context, opt ViewOptions) ([]index.Item, error) {
	return w.views.landed(ctx, &View{}, opt)
}

// withSkipped adds the memories that a sparse checkout leaves out of the
// working tree: they have landed all the same.
func (r *viewer) withSkipped(ctx context.Context, items []index.Item) ([]index.Item, error) {
	skipped, err := r.repo.StagingArea().Skipped(ctx, MemoriesDir)
	if err != nil || len(skipped) == 0 {
		return items, err
	}
	there := make(map[string]bool, len(items))
	for _, it := range items {
		there[it.Path] = true
	}
	for _, e := range skipped {
		if strings.HasSuffix(e.Path, ".md") && !there[e.Path] {
			items = append(items, index.Item{Blob: string(e.Blob), Path: e.Path, Stage: index.Landed})
		}
	}
	return items, nil
}

// treeOf lists the memory files of a revision or branch: a local one, else one
// of a remote, named with the remote or, as git switch takes it, without.
func (r *viewer) treeOf(ctx context.Context, opt ViewOptions) (rev string, entries []gitops.Entry, err error) {
	var revs []string
	if opt.At != "" {
		if rev, err = Revision(ctx, r.repo, opt.At, r.now(), false); err != nil {
			return opt.At, nil, err
		}
		revs = []string{rev}
	} else if opt.Branch == "" || opt.Branch == r.repo.Branch {
		revs = []string{"HEAD"}
	} else {
		revs = []string{"refs/heads/" + opt.Branch, "refs/remotes/" + opt.Branch, "refs/remotes/origin/" + opt.Branch}
	}
	for _, rev = range revs {
		if entries, err = r.repo.Tree(ctx, rev, MemoriesDir); !errors.Is(err, gitops.ErrNoRevision) {
			return rev, entries, err
		}
	}
	return cmp.Or(opt.At, opt.Branch, "HEAD"), nil, err
}

// Revision is the revision that a word for a state names: the word itself if git knows
// it and it is no day as 2026-03-02, else the newest commit of HEAD that was made by the
// end of a time, as of that day, "yesterday" or "two weeks ago", or with begin before it
// began. What was made at the moment that a word names was made by its end.
func Revision(ctx context.Context, repo *gitops.Repo, word string, now time.Time, begin bool) (string, error) {
	if _, err := time.Parse(time.DateOnly, word); err != nil {
		if _, err := repo.Tree(ctx, word, MemoriesDir); !errors.Is(err, gitops.ErrNoRevision) {
			return word, nil
		}
	}
	from, by, err := query.Span(word, now)
	if err != nil {
		return "", fmt.Errorf("%q: %w", word, gitops.ErrNoRevision)
	}
	if begin {
		by = from
	} else if by.Equal(from) {
		by = from.Add(time.Second)
	}
	id, err := repo.History().Before(ctx, "HEAD", by.Add(-time.Second))
	if err == nil && id == "" {
		err = fmt.Errorf("%q: %w, and no commit of HEAD is that old", word, gitops.ErrNoRevision)
	}
	return string(id), err
}

// waitsFor reports whether anything is pending for a branch.
func (r *viewer) waitsFor(ctx context.Context, branch string) bool {
	snap, err := r.journal.snapshot(ctx)
	if err != nil {
		return false
	}
	entries, err := snap.List(ctx, gitops.PendingPrefix(r.secrets.branchIn(ctx, snap, branch)))
	return err == nil && len(entries) > 0
}

// pending lists what was captured and has not landed, for whatever branch, and
// where each blob of it stands in the journal.
func (r *viewer) pending(ctx context.Context, snap *gitops.Snapshot, v *View) ([]index.Item, map[string]gitops.Entry, error) {
	v.Branch = r.secrets.branchIn(ctx, snap, v.Branch)
	entries, err := snap.List(ctx, "pending")
	if err != nil {
		return nil, nil, fmt.Errorf("reading the journal: %w", err)
	}
	var items []index.Item
	journaled := make(map[string]gitops.Entry, len(entries))
	for _, e := range entries {
		branch, _, ok := strings.Cut(strings.TrimPrefix(e.Path, "pending/"), "/")
		name, known := gitops.DecodeBranch(branch)
		if !ok || !known || !strings.HasSuffix(e.Path, ".md") {
			continue
		}
		items = append(items, index.Item{Blob: string(e.Blob), Path: e.Path, Stage: index.Pending, Branch: name})
		journaled[string(e.Blob)] = e
	}
	return items, journaled, nil
}

// fetch reads blobs that the catalog lacks: pending ones through the journal,
// where they may still be in the spool, the others from the repository.
func (r *viewer) fetch(snap *gitops.Snapshot, journaled map[string]gitops.Entry) index.Fetch {
	return func(ctx context.Context, blobs []string, yield func(string, []byte) error) error {
		var pending []gitops.Entry
		var ids []gitops.ObjectID
		for _, b := range blobs {
			if e, ok := journaled[b]; ok {
				pending = append(pending, e)
			} else {
				ids = append(ids, gitops.ObjectID(b))
			}
		}
		if len(pending) > 0 {
			if err := snap.Read(ctx, pending, func(e gitops.Entry, data []byte) error {
				if data == nil {
					return nil
				}
				return yield(string(e.Blob), data)
			}); err != nil {
				return fmt.Errorf("reading the journal: %w", err)
			}
		}
		if len(ids) == 0 {
			return nil
		}
		return r.repo.Blobs(ctx, ids, memory.MaxFile, func(id gitops.ObjectID, data []byte) error {
			if data == nil {
				return nil
			}
			return yield(string(id), data)
		})
	}
}
