package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/pages"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Landing is the result of one run of [Workspace.Land].
type Landing struct {
	Blocked string // why nothing could land now; "" otherwise
	Landed  []Entry
	Pages   []string // generated pages that were staged with them
	Waiting int      // pending memories that stay for review
	NoRoom  int      // of a commit: sure ones of this branch for which there is no room
	Refused []gitops.Refusal

	before, after []pages.State // of [Workspace.LandEntries]
	rest          *rest         // of [Workspace.PreCommit]
}

// lander lands pending memories.
type lander struct {
	repo    *gitops.Repo
	journal *journal.Journal
	secrets *journal.Secrets
	views   *view.Reader
	pages   *pages.Set
	policy  Config
	agent   string // that started this process; "" for a person or git
	version string // of this program
	now     func() time.Time
}

// Land copies pending memories of the current branch into the working tree and
// stages exactly those files. Without ids it takes those that the policy lets
// land by themselves: sure enough, the surest first, at most so many.
func (w *Workspace) Land(ctx context.Context, ids []string, all bool) (*Landing, error) {
	defer w.tree.Writing()()
	if all || len(ids) > 0 || w.Config.Land == "manual" { // a person's word
		if err := view.MayAccept(ctx, w.Repo); err != nil {
			return nil, err
		}
	}
	return w.lander.land(ctx, landChoice{ids: ids, all: all})
}

func (l *lander) land(ctx context.Context, choice landChoice) (*Landing, error) {
	if l.repo.Root == "" {
		return nil, gitops.ErrNoWorktree
	}
	if err := l.journal.Writable(ctx); err != nil {
		return nil, err
	}
	blocked, err := l.repo.LandBlocked(ctx)
	if err != nil || blocked != "" {
		return &Landing{Blocked: blocked}, err
	}
	lore := l.views.Lore(ctx)
	if choice.commit {
		return l.landWithCommit(ctx, choice, lore)
	}
	return l.landChosen(ctx, choice, lore)
}

// landWithCommit lands what goes with a commit. Where nothing is sure enough, or no room is left, no
// memory is read.
func (l *lander) landWithCommit(ctx context.Context, choice landChoice, lore *view.Lore) (*Landing, error) {
	switch {
	case !l.someSure(ctx):
		return l.entries(ctx, choice, nil, nil)
	case l.full(ctx, lore):
		return l.withoutRoom(ctx, choice)
	}
	return l.landChosen(ctx, choice, lore)
}

// landChosen lands what a choice picks of the pending memories.
func (l *lander) landChosen(ctx context.Context, choice landChoice, lore *view.Lore) (*Landing, error) {
	v, err := l.views.View(ctx, ViewOptions{Local: true, Unreviewed: true})
	if err != nil {
		return nil, err
	}
	half, err := l.halfLanded(ctx, v)
	if err != nil {
		return nil, err
	}
	picked, err := l.pick(ctx, l.judge(ctx, v, lore), half, choice)
	if err != nil {
		return nil, l.pendingElsewhere(ctx, choice.ids, err)
	}
	out, err := l.entries(ctx, choice, picked, v.LandedItems())
	if err != nil {
		return nil, err
	}
	if len(choice.ids) == 0 && !choice.all {
		l.noteStaged(ctx, picked, out.Landed)
	}
	out.Waiting = v.Count(index.Pending) + len(half) - len(out.Landed)
	return out, nil
}

// withoutRoom lands nothing, and counts what would land if there were room: once for each number of them.
func (l *lander) withoutRoom(ctx context.Context, choice landChoice) (*Landing, error) {
	out, err := l.entries(ctx, choice, nil, nil)
	if err != nil {
		return nil, err
	}
	n := l.sureHere(ctx)
	said, _ := facts.Kept[int](l.repo, facts.NoRoom, l.repo.Topic)
	if n != said {
		out.NoRoom = n
		facts.Keep(l.repo, facts.NoRoom, l.repo.Topic, n)
	}
	return out, nil
}

// Next lists the pending memories of a view that land with the next commit if nobody
// says anything, and those of which half has landed.
type Next struct {
	Lands map[memory.ID]bool // with the next commit
	Half  []Entry            // of which half has landed: the file is in the working tree and not staged
	Room  Room               // for how many more there is room; unknown where none waits

	held func(*Entry) string
}

// Held says in a few words why a memory does not land by itself, however much room
// there is; "" for nothing.
func (n *Next) Held(e *Entry) string { return n.held(e) }

// LandsNext returns what becomes of the pending memories of a view. It must be of
// the branch that is checked out; of another one nothing lands.
func (w *Workspace) LandsNext(ctx context.Context, v *View) (*Next, error) {
	return w.lander.next(ctx, v)
}

func (l *lander) next(ctx context.Context, v *View) (*Next, error) {
	judge := l.judge(ctx, v, l.views.Lore(ctx))
	n := &Next{Lands: map[memory.ID]bool{}, held: func(e *Entry) string { return judge.held(ctx, e) }}
	here := l.secrets.Branch(ctx, l.repo.Topic)
	if v.Branch != here || l.repo.Root == "" {
		return n, nil
	}
	var err error
	if n.Half, err = l.halfLanded(ctx, v); err != nil || l.policy.Land == "manual" {
		return n, err
	}
	waiting, room, err := l.withRoom(ctx, judge, n.Half)
	n.Room = room
	for _, e := range judge.willing(ctx, waiting, room) {
		n.Lands[e.Memory.ID] = l.policy.Land == "commit"
	}
	return n, err
}

// LandEntries lands these pending memories, whatever the policy says, and the
// pages with them.
func (w *Workspace) LandEntries(ctx context.Context, picked []Entry) (*Landing, error) {
	defer w.tree.Writing()()
	before, err := w.pages.States(ctx)
	if err != nil {
		return nil, err
	}
	out, err := w.lander.entries(ctx, landChoice{}, picked, nil)
	if err != nil {
		return nil, err
	}
	out.before = before
	out.after, err = w.pages.States(ctx)
	return out, err
}

// entries lands memories. Seen are the memory files of the working tree, nil if they have
// not been looked at.
func (l *lander) entries(ctx context.Context, choice landChoice, picked []Entry, seen []index.Item) (*Landing, error) {
	out := &Landing{}
	var err error
	files := make([]gitops.File, len(picked))
	for i, e := range picked {
		files[i] = gitops.File{Path: view.MemoryPath(e.Memory.Path()), Data: LandedForm(e.Memory)}
	}
	var rendered []gitops.File
	if l.pages.Maintained(ctx) {
		if rendered, err = l.pages.Staged(ctx, files, seen); err != nil {
			return nil, err
		}
	}
	if len(files)+len(rendered) == 0 {
		return out, nil
	}
	if choice.commit && l.commitRefused(ctx) {
		return out, nil // what landed would stay behind
	}
	if out.Refused, err = l.repo.StagingArea().Land(ctx, slices.Concat(files, rendered)); err != nil {
		return nil, fmt.Errorf("landing: %w", err)
	}
	// The staged pages know what the commit holds; those in the working
	// tree also know memories that are not staged yet.
	refresh := l.pages.Follow
	if len(out.Refused) > 0 {
		refresh = l.pages.Refresh
	}
	if err := refresh(ctx, pages.KindsOf(files, rendered)); err != nil {
		return nil, err
	}
	out.note(picked, files, rendered)
	return out, nil
}

// commitRefused reports whether git is going to refuse the commit that is being made: it is
// asked for nothing, and the index is as HEAD.
func (l *lander) commitRefused(ctx context.Context) bool {
	return l.repo.StagingArea().AsHead(ctx) && l.repo.Asked(ctx) == (gitops.Asked{})
}

// note notes which memories and pages landed. The files are those of the memories.
func (out *Landing) note(picked []Entry, files, rendered []gitops.File) {
	refused := lists.SetOf(out.Refused, func(r gitops.Refusal) string { return r.Path })
	for i, e := range picked {
		if !refused[files[i].Path] {
			e.Path = files[i].Path
			out.Landed = append(out.Landed, e)
		}
	}
	for _, p := range rendered {
		if !refused[p.Path] {
			out.Pages = append(out.Pages, p.Path)
		}
	}
}

// halfLanded are pending memories whose file is in the working tree, byte for
// byte, and not in the index: a landing that was killed between the two. They
// land like any other that is pending.
func (l *lander) halfLanded(ctx context.Context, v *View) ([]Entry, error) {
	snap, err := l.journal.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	prefix := gitops.PendingPrefix(v.Branch)
	entries, err := snap.List(ctx, prefix)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	pending := make(map[string]gitops.Entry, len(entries)) // by the path it lands at
	for _, e := range entries {
		pending[view.MemoryPath(strings.TrimPrefix(e.Path, prefix+"/"))] = e
	}
	var both []index.Item
	for _, it := range v.Items {
		e, ok := pending[it.Path]
		if ok && it.Stage == index.Landed && it.Blob == string(e.Blob) {
			both = append(both, it)
		}
	}
	staged, err := l.stagedAmong(ctx, both)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, it := range both {
		if staged[it.Path] {
			continue
		}
		it.Stage, it.Path, it.Branch = index.Pending, pending[it.Path].Path, v.Branch
		half, err := v.Entry(ctx, it)
		if err != nil {
			return nil, err
		}
		out = append(out, half)
	}
	return out, nil
}

// stagedAmong are the paths of those items that are in git's index.
func (l *lander) stagedAmong(ctx context.Context, items []index.Item) (map[string]bool, error) {
	if len(items) == 0 {
		return nil, nil
	}
	paths := []string{MemoriesDir}
	if len(items) <= maxPathArgs {
		paths = lists.Map(items, func(it index.Item) string { return it.Path })
	}
	entries, err := l.repo.StagingArea().Staged(ctx, paths...)
	staged := lists.SetOf(entries, func(e gitops.Entry) string { return e.Path })
	return staged, err
}

// maxPathArgs is how many paths a command line of git takes everywhere.
const maxPathArgs = 200

// ElsewhereError is a memory that waits for a branch that is not checked out:
// it cannot become a file here.
type ElsewhereError struct {
	ID     memory.ID
	Branch string // HEAD for a detached one
	Gone   bool   // there is no such branch any more
}

func (e *ElsewhereError) Error() string {
	where := e.Branch
	if where == DetachedName {
		where = "a detached HEAD"
	}
	return fmt.Sprintf("%s is pending for %s", e.ID.Short(), where)
}

// pendingElsewhere explains that what was not found is pending for another
// branch.
func (l *lander) pendingElsewhere(ctx context.Context, ids []string, err error) error {
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	v, failed := l.views.View(ctx, ViewOptions{AllBranches: true, Local: true, Unreviewed: true})
	if failed != nil {
		return err
	}
	for _, id := range ids {
		if elsewhere := l.elsewhere(ctx, v, id); elsewhere != nil {
			return elsewhere
		}
	}
	return err
}

// elsewhere says that a memory of a view of all branches is pending for another one; nil where it is not.
func (l *lander) elsewhere(ctx context.Context, v *View, id string) error {
	e, err := v.Find(ctx, id)
	if err != nil || e.Stage != index.Pending || e.Branch == v.Branch {
		return nil
	}
	known, err := l.views.KnownBranches(ctx)
	gone := err == nil && !known[e.Branch]
	return &ElsewhereError{e.Memory.ID, cmp.Or(e.Branch, DetachedName), gone}
}

// landChoice says what is to land: memories by their ids, all that are pending,
// or, as its zero value, what the policy lets land.
type landChoice struct {
	commit bool // by policy, for a commit: how many wait need not be known unless some land
	ids    []string
	all    bool
}

// PresumingError is a memory that would replace what a person wrote, on the word of
// the agent that asks to land it.
type PresumingError struct{ ID memory.ID }

func (e *PresumingError) Error() string {
	return e.ID.Short() + " would replace what a person wrote: only a person can accept that"
}

// pick chooses what lands. Memories in which a secret is found now, by rules
// that may be newer than the capture, never do.
func (l *lander) pick(ctx context.Context, j *judge, half []Entry, choice landChoice) ([]Entry, error) {
	if len(choice.ids) > 0 {
		return l.pickNamed(ctx, j.view, half, choice.ids)
	}
	if choice.all {
		return l.pickAll(ctx, j.view, half), nil
	}
	waiting, room, err := l.withRoom(ctx, j, half)
	return j.willing(ctx, waiting, room), err
}

// withRoom are the pending memories of which some may land by themselves, and for how many there
// is room; unknown where none waits.
func (l *lander) withRoom(ctx context.Context, j *judge, half []Entry) (waiting []Entry, room Room, err error) {
	waiting = l.withoutTakenOut(ctx, l.waiting(ctx, j.view, half, view.FarBelongs))
	if len(waiting) > 0 {
		room, err = l.room(ctx, j.lore)
	}
	return waiting, room, err
}

// pickNamed are the memories that somebody names. One that cannot land is an error.
func (l *lander) pickNamed(ctx context.Context, v *View, half []Entry, ids []string) ([]Entry, error) {
	var out []Entry
	marks := l.journal.Marks(ctx)
	for _, id := range ids {
		e, err := v.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(half, func(h Entry) bool { return h.Memory.ID == e.Memory.ID }); i >= 0 {
			e = half[i]
		}
		if e.Apart && l.agent != "" {
			return nil, fmt.Errorf("%s: %w in this view", id, ErrNotFound)
		}
		if err := l.mayLand(ctx, v, &e, marks); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// mayLand returns why a memory that somebody names cannot land; nil if it can.
func (l *lander) mayLand(ctx context.Context, v *View, e *Entry, marks Marks) error {
	id := e.Memory.ID.Short()
	switch {
	case e.Stage != index.Pending:
		return fmt.Errorf("%s has landed already, at %s", id, e.Path)
	case e.Far > view.FarBelongs:
		return fmt.Errorf("%s: %w: it is pending for another branch", id, ErrNotFound)
	case len(l.secrets.Of(ctx, e.Memory)) > 0:
		return fmt.Errorf("%s holds what looks like a secret: forget it, and remember it without", id)
	}
	if err := forPerson(l.agent, marks, e); err != nil {
		return err
	}
	if l.agent != "" && v.Presumes(e.Memory.ID) {
		return &PresumingError{e.Memory.ID}
	}
	return nil
}

// pickAll are all memories that may land without being named, the surest first.
func (l *lander) pickAll(ctx context.Context, v *View, half []Entry) []Entry {
	var out []Entry
	marks := l.journal.Marks(ctx)
	for _, e := range l.waiting(ctx, v, half, view.FarBelongs) {
		flagged := l.policy.Flagged(e.Memory, e.Blob) != ""
		if !flagged && !l.named(ctx, v, e.Memory) && forPerson(l.agent, marks, &e) == nil {
			out = append(out, e)
		}
	}
	lists.Sort(out, surest)
	return out
}

// waiting are the pending memories of branches no farther than far, with those of which half has landed.
func (l *lander) waiting(ctx context.Context, v *View, half []Entry, far int8) []Entry {
	out := slices.Clone(half)
	for _, it := range v.Items {
		if it.Stage != index.Pending || it.Far > far {
			continue
		}
		if e, err := v.Entry(ctx, it); err == nil {
			out = append(out, e)
		}
	}
	return out
}

// willing are those that land by themselves for which there is room: the nearest to the branch first, and of
// these the surest. Each costs milliseconds, so no more are judged than it takes to find so many.
func (j *judge) willing(ctx context.Context, waiting []Entry, room Room) []Entry {
	p := planner{judge: j, waiting: waiting, taken: map[memory.ID]bool{}}
	for _, e := range j.ranked(waiting) {
		if len(p.out) >= room.Left {
			break
		}
		if room.has(e.Memory) && j.held(ctx, &e) == "" {
			p.step(ctx, e)
		}
	}
	return p.out[:min(len(p.out), room.Left)]
}

// ranked are memories in the order in which they land.
func (j *judge) ranked(waiting []Entry) []Entry {
	near := make(map[memory.ID]int, len(waiting))
	for _, e := range waiting {
		near[e.Memory.ID] = j.lore.Of(e.Memory)
	}
	out := slices.Clone(waiting)
	lists.Sort(out, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(near[a.Memory.ID], near[b.Memory.ID]), surest(a, b))
	})
	return out
}

func surest(a, b Entry) int {
	return cmp.Or(
		cmp.Compare(b.Memory.Confidence, a.Memory.Confidence),
		cmp.Compare(b.Memory.Priority, a.Memory.Priority),
		a.Memory.Created.Compare(b.Memory.Created),
		strings.Compare(string(a.Memory.ID), string(b.Memory.ID)))
}

// Unland takes the files of memories that have just landed back out of the index
// and the working tree. Pages that are as landing, which may be nil, left them become
// what they were before it; others are brought in step. A file that was changed since
// stays, and that is an error.
func (w *Workspace) Unland(ctx context.Context, landing *Landing, files ...gitops.Entry) error {
	defer w.tree.Writing()()
	return w.lander.unland(ctx, landing, files)
}

func (l *lander) unland(ctx context.Context, landing *Landing, files []gitops.Entry) error {
	refused, err := l.repo.StagingArea().Unland(ctx, files)
	if err != nil {
		return err
	}
	stays := staying(refused, len(files))
	if len(refused) == len(files) || !l.pages.Maintained(ctx) {
		return stays
	}
	if stays != nil {
		landing = nil // the pages are not those from before it
	}
	return errors.Join(stays, l.unlandPages(ctx, landing))
}

// unlandPages makes the staged pages what they were before a landing, or renders them; nil is none.
func (l *lander) unlandPages(ctx context.Context, landing *Landing) error {
	if landing != nil {
		if done, err := l.pages.PutBack(ctx, landing.before, landing.after); done || err != nil {
			return err
		}
	}
	return l.pages.Unstage(ctx)
}

// staying is an error that says which of a number of files were not taken back; nil for none.
func staying(refused []gitops.Refusal, of int) error {
	if len(refused) == 0 {
		return nil
	}
	first := refused[0]
	if of == 1 {
		return fmt.Errorf("its file stays: %s", first.Reason)
	}
	return fmt.Errorf("%d of %d files stay, such as %s: %s", len(refused), of, first.Path, first.Reason)
}

// PreCommit does the work of git's pre-commit hook: it lands the memories that the
// policy lets land and keeps the pages of the commit in step with its memories. It never
// stops a commit; its errors are for the log.
func (w *Workspace) PreCommit(ctx context.Context) (*Landing, error) {
	if enabled, err := w.Enabled(ctx); err != nil || !enabled {
		return &Landing{}, err
	}
	rest := restBefore(ctx, w)
	if w.Config.Land != "commit" {
		return &Landing{rest: rest}, nil
	}
	defer w.tree.Writing()()
	out, err := w.lander.land(ctx, landChoice{commit: true})
	if err != nil {
		return out, err
	}
	out.rest = rest
	if out.Blocked == "" || w.Repo.PartialCommit() {
		return out, nil
	}
	// Nothing lands into a merge, but the pages must say what its user made
	// of a conflict: the driver could not know.
	out.Refused, err = w.pages.Stage(ctx)
	return out, err
}
