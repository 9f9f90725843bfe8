package workspace

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// someSure reports whether a pending memory, for whatever branch, may be sure enough to
// land by itself. That none is is seen without a look at the files of the working tree. The
// answer is kept for as long as the same memories are pending under the same policy.
func (l *lander) someSure(ctx context.Context) bool {
	snap, err := l.journal.Snapshot(ctx)
	if err != nil {
		return true
	}
	pending, err := snap.FolderID(ctx, "", "pending")
	if err != nil {
		return true
	}
	key := fmt.Sprintf("%s %g %q %q", pending, l.policy.LandConfidence, l.policy.PII, l.version)
	if sure, ok := facts.Kept[bool](l.repo, facts.Sure, key); ok {
		return sure
	}
	items, err := l.views.Pending(ctx, snap)
	if err != nil {
		return true
	}
	sure := slices.ContainsFunc(items, func(it index.Item) bool { return l.isSure(ctx, &it) })
	if ctx.Err() == nil {
		facts.Keep(l.repo, facts.Sure, key, sure)
	}
	return sure
}

// isSure reports whether a pending memory is sure enough. What check_accept names may have signs.
func (l *lander) isSure(ctx context.Context, it *index.Item) bool {
	catalog := l.views.Index.Catalog()
	if f, ok := catalog.FactsOf(it); ok && f.Confidence < l.policy.LandConfidence {
		return false // its text need not be read
	}
	m, ok := catalog.MemoryOf(ctx, it)
	return ok && l.policy.Holds(m) == ""
}

// sureHere counts the memories that are pending for the branch that is checked out and sure enough to land
// by themselves, without a look at their texts. What has landed and waits for its commit is none of them.
func (l *lander) sureHere(ctx context.Context) int {
	snap, err := l.journal.Snapshot(ctx)
	if err != nil {
		return 0
	}
	items, _ := l.views.Pending(ctx, snap) // none that cannot be read
	here := gitops.PendingPrefix(l.secrets.Branch(ctx, l.repo.Topic)) + "/"
	tree, catalog := Folder{Root: l.repo.Root}, l.views.Index.Catalog()
	return len(lists.Where(items, func(it index.Item) bool {
		rel, mine := strings.CutPrefix(it.Path, here)
		if !mine || tree.Exists(view.MemoryPath(rel)) {
			return false
		}
		f, ok := catalog.FactsOf(&it)
		return ok && f.Confidence >= l.policy.LandConfidence
	}))
}

// named reports whether a memory lands only when a person names it: not with all.
func (l *lander) named(ctx context.Context, v *View, m *memory.Memory) bool {
	switch {
	case m.Outside(), m.Hold != "", m.Scope == memory.ScopeGlobal:
		return true
	case v.Presumes(m.ID), l.policy.Private(m) != "":
		return true
	}
	return len(l.secrets.Of(ctx, m)) > 0
}

// held says in a few words why a pending memory does not land by itself, however
// much room there is; "" for nothing.
func (l *lander) held(ctx context.Context, v *View, e *Entry, marks Marks) string {
	switch {
	case e.Received(marks):
		return "it came from another clone"
	case len(l.secrets.Of(ctx, e.Memory)) > 0:
		return "it holds what looks like a secret"
	case v.Presumes(e.Memory.ID):
		return "it would replace what a person wrote, on an agent's word"
	}
	return cmp.Or(l.policy.Holds(e.Memory), l.policy.Flagged(e.Memory, e.Blob))
}

// judge says why pending memories of a view do not land by themselves on the branch that is checked out.
type judge struct {
	lander *lander
	view   *View
	marks  Marks
	lore   *view.Lore
}

func (l *lander) judge(ctx context.Context, v *View, lore *view.Lore) *judge {
	return &judge{l, v, l.journal.Marks(ctx), lore}
}

// held says in a few words why a memory does not land by itself, however much room there is; "" for
// nothing.
func (j *judge) held(ctx context.Context, e *Entry) string {
	if why := j.lander.held(ctx, j.view, e, j.marks); why != "" {
		return why
	}
	if why := j.lore.Foreign(e.Memory); why != "" {
		return why
	}
	return j.lander.views.Repeated(ctx, j.view, e.Memory)
}

// Landable are those of the pending memories of a view, of branches that are gone too, that would land by themselves
// if there were room, the surest first.
func Landable(ctx context.Context, w *Workspace, v *View, of func(*Entry) bool) []Entry {
	waiting := lists.Without(w.lander.waiting(ctx, v, nil, view.FarGone), func(e Entry) bool { return !of(&e) })
	return w.lander.judge(ctx, v, &view.Lore{Whole: true}).willing(ctx, waiting, Room{Left: len(waiting)})
}

// planner puts plans before their steps.
type planner struct {
	judge   *judge
	waiting []Entry

	taken map[memory.ID]bool
	out   []Entry
}

// step takes a memory that may land and, before it, the plan that it is a step of, where that
// waits or has landed by half: work on a plan lands it, although nobody approved it. A step
// whose plan is held for another reason waits with it, and so does what says again what is taken.
func (p *planner) step(ctx context.Context, e Entry) {
	waits := p.says(e.Memory)
	for _, id := range e.Memory.Linked(memory.StepOf) {
		if !p.plan(ctx, id) {
			waits = true
		}
	}
	if !waits {
		p.take(e)
	}
}

// plan takes a plan that waits, and reports whether its steps may land.
func (p *planner) plan(ctx context.Context, id memory.ID) bool {
	if p.taken[id] {
		return true
	}
	i := slices.IndexFunc(p.waiting, func(w Entry) bool { return w.Memory.ID == id })
	if i < 0 {
		plan, err := p.judge.view.Find(ctx, string(id))
		return err != nil || plan.Stage != index.Pending
	}
	if !p.worked(ctx, p.waiting[i]) {
		return false
	}
	p.take(p.waiting[i])
	return true
}

// mostCompared is how many of those that are taken are looked at for one that says the same: more than a branch lands.
const mostCompared = 32

// says reports whether a memory that is taken already says the same.
func (p *planner) says(m *memory.Memory) bool {
	first := p.out[:min(len(p.out), mostCompared)]
	return slices.ContainsFunc(first, func(e Entry) bool { return view.Restates(e.Memory, m) })
}

func (p *planner) take(e Entry) {
	if !p.taken[e.Memory.ID] {
		p.taken[e.Memory.ID] = true
		p.out = append(p.out, e)
	}
}

// worked reports whether nothing but that it is not sure enough holds back a plan that was
// worked on.
func (p *planner) worked(ctx context.Context, plan Entry) bool {
	sure := *plan.Memory
	sure.Confidence = 1
	plan.Memory = &sure
	return p.judge.lander.held(ctx, p.judge.view, &plan, p.judge.marks) == ""
}

// LandedForm is the file that a pending memory becomes: with it, what the memory was
// held for is decided, and that it is about the repository.
func LandedForm(m *memory.Memory) []byte {
	free := *m
	free.Hold = ""
	if free.Scope == memory.ScopeGlobal {
		free.Scope = ""
	}
	return memory.Format(&free)
}
