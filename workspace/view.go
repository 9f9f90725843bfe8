package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// ViewOptions say which state to look at. The zero value is the working tree
// as it is now, with what is pending for the current branch.
type ViewOptions struct {
	At          string // a revision instead of the working tree; nothing pending
	Branch      string // the tip of another branch and what is pending for it; [DetachedName] for no branch
	AllBranches bool   // besides, what is pending for every branch

	Local bool // without the global store
	bare  bool // Local, and what is derived (status, weight, rank) is not wanted
}

// View is what a command sees: memories of one tree, of the journal and of
// the global store, one entry for each id.
type View struct {
	Branch   string // as the journal names it, secrets taken out
	Tree     string // names the state the landed memories were read from
	Items    []index.Item
	Problems []index.Problem
	catalog  *index.Catalog
	rev      string     // the commit that landed memories were read from, "" for the working tree
	index    index.View // of Items
	stale    bool       // which items are stale was found out
	counts   map[index.Stage]int
	uses     map[memory.ID]memory.Use
	linked   bool // some memory links to another, or is contested
	central  map[memory.ID]float64
}

// Count is how many memories of a stage the view holds.
func (v *View) Count(stage index.Stage) int { return v.counts[stage] }

// ID returns the id of Items[i].
func (v *View) ID(i int) memory.ID { return v.index.ID(i) }

// View reads a state. Files that are not memories are listed in Problems and
// stop nothing.
func (w *Workspace) View(ctx context.Context, opt ViewOptions) (*View, error) {
	v := &View{Branch: w.Repo.Topic, catalog: w.Index.Catalog()}
	withPending := opt.At == "" || opt.AllBranches
	if opt.Branch == DetachedName {
		v.Branch, opt.At = "", cmp.Or(opt.At, "HEAD")
	} else if opt.Branch != "" {
		v.Branch = opt.Branch
	}
	// The journal is opened while the files of the tree are looked at.
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		_, _ = w.Journal(ctx) // an error comes back below
	}()
	landed, err := w.landed(ctx, v, opt)
	<-opened
	if err != nil {
		return nil, err
	}
	var pending []index.Item
	if withPending {
		if pending, err = w.pending(ctx, v, opt.AllBranches); err != nil {
			// Reading goes on without the journal; the trouble is said.
			w.Notice("%v", err)
		}
	}
	items := append(landed, pending...)
	if opt.At == "" && !opt.Local && !opt.bare {
		items = append(items, w.global(ctx)...)
	}
	problems, err := w.Index.Fill(ctx, items, w.fetch)
	if err != nil {
		return nil, fmt.Errorf("reading memories: %w", err)
	}
	v.Problems = append(v.Problems, problems...)
	v.index = w.Index.View(items)
	v.Items = v.index.Items
	if opt.bare {
		return v, nil
	}
	v.uses = w.uses(ctx)
	w.derive(v)
	return v, nil
}

// landed reads the files of the tree that the view is about.
func (w *Workspace) landed(ctx context.Context, v *View, opt ViewOptions) ([]index.Item, error) {
	if opt.Branch == DetachedName {
		opt.At = cmp.Or(opt.At, "HEAD")
	}
	if opt.At == "" && (opt.Branch == "" || opt.Branch == w.Repo.Branch) && w.Repo.Root != "" {
		tree, err := w.Index.Scan(ctx, w.abs(MemoriesDir))
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", MemoriesDir, err)
		}
		v.Problems = append(v.Problems, tree.Problems...)
		v.Tree = w.Repo.Head
		if w.isGlobal() {
			for i := range tree.Items {
				tree.Items[i].Stage = index.Global
			}
		}
		return w.withSkipped(ctx, tree.Items)
	}
	rev, entries, err := w.treeOf(ctx, opt)
	if errors.Is(err, gitops.ErrNoRevision) && opt.At == "" && w.waitsFor(ctx, opt.Branch) {
		return nil, nil // a branch that is gone has landed nothing
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", rev, err)
	}
	var items []index.Item
	for _, e := range entries {
		if strings.HasSuffix(e.Path, ".md") {
			items = append(items, index.Item{Blob: string(e.Blob), Path: e.Path, Stage: index.Landed})
		}
	}
	v.Tree, v.rev = rev, rev
	return items, nil
}

// LandedFiles returns the memory files of the tree that a view with these options
// is about, before the view makes one entry of files with the same id.
func (w *Workspace) LandedFiles(ctx context.Context, opt ViewOptions) ([]index.Item, error) {
	return w.landed(ctx, &View{}, opt)
}

// withSkipped adds the memories that a sparse checkout leaves out of the
// working tree: they have landed all the same.
func (w *Workspace) withSkipped(ctx context.Context, items []index.Item) ([]index.Item, error) {
	skipped, err := w.Repo.Index().Skipped(ctx, MemoriesDir)
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
func (w *Workspace) treeOf(ctx context.Context, opt ViewOptions) (rev string, entries []gitops.Entry, err error) {
	revs := []string{opt.At}
	if opt.At == "" && (opt.Branch == "" || opt.Branch == w.Repo.Branch) {
		revs = []string{"HEAD"}
	} else if opt.At == "" {
		revs = []string{"refs/heads/" + opt.Branch, "refs/remotes/" + opt.Branch, "refs/remotes/origin/" + opt.Branch}
	}
	for _, rev = range revs {
		if entries, err = w.Repo.Tree(ctx, rev, MemoriesDir); !errors.Is(err, gitops.ErrNoRevision) {
			return rev, entries, err
		}
	}
	return cmp.Or(opt.At, opt.Branch, "HEAD"), nil, err
}

// waitsFor reports whether anything is pending for a branch.
func (w *Workspace) waitsFor(ctx context.Context, branch string) bool {
	snap, err := w.Journal(ctx)
	if err != nil {
		return false
	}
	entries, err := snap.List(ctx, gitops.PendingPrefix(w.secrets.branchIn(ctx, snap, branch)))
	return err == nil && len(entries) > 0
}

// pending lists what was captured and has not landed.
func (w *Workspace) pending(ctx context.Context, v *View, all bool) ([]index.Item, error) {
	snap, err := w.Journal(ctx)
	if err != nil {
		return nil, err
	}
	v.Branch = w.secrets.branchIn(ctx, snap, v.Branch)
	prefix := gitops.PendingPrefix(v.Branch)
	if all {
		prefix = "pending"
	}
	entries, err := snap.List(ctx, prefix)
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	var items []index.Item
	for _, e := range entries {
		branch, _, ok := strings.Cut(strings.TrimPrefix(e.Path, "pending/"), "/")
		name, known := gitops.DecodeBranch(branch)
		if !ok || !known || !strings.HasSuffix(e.Path, ".md") {
			continue
		}
		items = append(items, index.Item{Blob: string(e.Blob), Path: e.Path, Stage: index.Pending, Branch: name})
		w.journaled[string(e.Blob)] = e
	}
	return items, nil
}

// fetch reads blobs that the catalog lacks: pending ones through the journal,
// where they may still be in the spool, the others from the repository.
func (w *Workspace) fetch(ctx context.Context, blobs []string, yield func(string, []byte) error) error {
	var pending []gitops.Entry
	var ids []gitops.ObjectID
	for _, b := range blobs {
		if e, ok := w.journaled[b]; ok {
			pending = append(pending, e)
		} else {
			ids = append(ids, gitops.ObjectID(b))
		}
	}
	if len(pending) > 0 {
		snap, err := w.Journal(ctx)
		if err != nil {
			return err
		}
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
	return w.Repo.Blobs(ctx, ids, memory.MaxFile, func(id gitops.ObjectID, data []byte) error {
		if data == nil {
			return nil
		}
		return yield(string(id), data)
	})
}

// derive computes what no file says: status, effective confidence, rank, and
// what is open. It goes over the facts of the catalog once, and again only over
// memories that others link to, so that it stays cheap for ten thousand.
func (w *Workspace) derive(v *View) {
	d := deriver{view: v, now: w.Now(), decay: w.Config.decay(), pointed: map[memory.ID]bool{}, answered: map[memory.ID]bool{}}
	for _, u := range v.uses {
		d.maxRecalls = max(d.maxRecalls, u.Recalls)
	}
	d.all()
	var nodes []memory.Node
	var linked []memory.Linked
	pending, global := 0, 0
	for i := range v.Items {
		switch v.Items[i].Stage {
		case index.Pending:
			pending++
		case index.Global:
			global++
		}
		if v.index.Linked(i) {
			f := v.index.Facts(i)
			nodes, linked = append(nodes, d.links(&f)), append(linked, memory.Linked{ID: f.ID, Links: f.Links})
		}
	}
	v.counts = map[index.Stage]int{index.Landed: len(v.Items) - pending - global, index.Pending: pending, index.Global: global}
	if len(nodes) == 0 {
		return
	}
	v.linked = true
	for i := range v.Items {
		if id := v.index.ID(i); d.pointed[id] {
			var m memory.Memory
			v.index.Fill(i, &m)
			nodes, linked = append(nodes, memory.Node{ID: id, Contested: m.Contested}), append(linked, memory.Linked{ID: id})
		}
	}
	v.central = memory.Centralities(linked)
	statuses := memory.Statuses(nodes)
	for i := range v.Items {
		it, id := &v.Items[i], v.index.ID(i)
		if c, ok := v.central[id]; ok {
			var m memory.Memory
			v.index.Fill(i, &m)
			d.one(it, &m, c)
		}
		if s, ok := statuses[id]; ok {
			it.Status = s
		}
		it.Open = it.Open && it.Status != memory.StatusSuperseded && !d.answered[id]
	}
}

// deriver is one run of derive.
type deriver struct {
	view       *View
	now        time.Time
	decay      memory.Decay
	maxRecalls int
	pointed    map[memory.ID]bool // links lead to it
	answered   map[memory.ID]bool
}

// all derives what the facts of each memory say by themselves, on all cores.
func (d *deriver) all() {
	const part = 2048
	var group sync.WaitGroup
	for from := 0; from < len(d.view.Items); from += part {
		group.Go(func() {
			var m memory.Memory
			for i := from; i < min(from+part, len(d.view.Items)); i++ {
				d.view.index.Fill(i, &m)
				d.one(&d.view.Items[i], &m, 0)
			}
		})
	}
	group.Wait()
}

// one derives what a memory's own facts and its centrality say.
func (d *deriver) one(it *index.Item, m *memory.Memory, central float64) {
	use := d.view.uses[m.ID]
	archived := false
	it.Effective, archived = d.decay.Faded(m, d.now, use, central)
	it.Status = memory.StatusActive
	if archived {
		it.Status = memory.StatusArchived
	}
	it.Open = m.Type == memory.Question || m.Type == memory.Problem || m.Type == memory.Plan
	it.Prior = projection.Rank(projection.Item{
		Memory: m, Effective: it.Effective, Recalls: use.Recalls, Centrality: central,
		SameBranch: it.Stage == index.Pending && it.Branch == d.view.Branch,
	}, d.maxRecalls)
}

// links notes what the links of a memory say of others.
func (d *deriver) links(f *index.Facts) memory.Node {
	n := memory.Node{ID: f.ID, Contested: f.Contested}
	for _, l := range f.Links {
		switch l.Rel {
		case memory.Supersedes:
			n.Supersedes = append(n.Supersedes, l.To)
		case memory.Answers:
			d.answered[l.To] = true
		}
		d.pointed[l.To] = true
	}
	return n
}

// Errors of [View.Find].
var (
	ErrNotFound  = errors.New("no such memory")
	ErrAmbiguous = errors.New("the id is ambiguous")
)

// Find returns the one item whose id begins with prefix.
func (v *View) Find(ctx context.Context, prefix string) (Entry, error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	if !memory.IsIDPrefix(prefix) {
		return Entry{}, fmt.Errorf("%q is not an id or the beginning of one: %w", prefix, ErrNotFound)
	}
	found := -1
	for i := range v.Items {
		if !strings.HasPrefix(string(v.index.ID(i)), prefix) {
			continue
		}
		if found >= 0 {
			return Entry{}, fmt.Errorf("%s: %w: type more of it", prefix, ErrAmbiguous)
		}
		found = i
	}
	if found < 0 {
		return Entry{}, fmt.Errorf("%s: %w in this view", prefix, ErrNotFound)
	}
	return v.Entry(ctx, v.Items[found])
}

// Entry joins an item of the view with its whole memory.
func (v *View) Entry(ctx context.Context, it index.Item) (Entry, error) {
	m, ok := v.catalog.MemoryOf(ctx, &it)
	if !ok {
		return Entry{}, fmt.Errorf("%s: %w: its text cannot be read", it.Path, ErrNotFound)
	}
	return entryOf(v, it, m), nil
}
