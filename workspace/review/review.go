// Package review puts what waits for a person's word before that person, and does
// what they decide. Call [List] for what waits and why; [Accept], [Reject] and
// [Edit] decide about one memory, [Rehome] about what waits for a branch that is
// gone, and [Undo] takes any of that back. [Restore] brings back what was removed
// long ago. It promises that a decision which was returned is on disk, that it is
// about the memory as the person saw it, and that a refused memory is kept.
package review

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// ErrNotWaiting is returned for an id that nothing has that waits for review. It is
// a [workspace.ErrNotFound] too.
var ErrNotWaiting = fmt.Errorf("%w among what waits for review", workspace.ErrNotFound)

// Options choose the memories to review. The zero value stands for those that are
// pending for the current branch, those that a merge left for a person to decide, and
// those that came with a branch which is not trusted.
type Options struct {
	Branch      string // what is pending for this branch, which may be gone; HEAD for a detached one
	AllBranches bool   // what is pending for any branch
	Filter      Filter // of these, what passes
	By          Group  // what the items are grouped by
}

// elsewhere reports whether o asks for more than the current branch.
func (o *Options) elsewhere() bool { return o.Branch != "" || o.AllBranches }

// Everything reports whether o leaves nothing of the current branch out.
func (o *Options) Everything() bool { return !o.elsewhere() && o.Filter.Empty() }

// Item is a memory that waits for a person's word, together with what the person
// should know about it.
type Item struct {
	workspace.Entry
	Why        string        // why it waits, in a line
	Origin     string        // who said it, in a few words
	Group      string        // the heading of those it is shown with; "" when nothing is grouped
	Elsewhere  bool          // it waits for a branch that is there and not checked out: it cannot be accepted here
	Presumes   bool          // it would replace what a person wrote, on an agent's word
	Untrusted  bool          // it is in quarantine: it came with a branch that is not trusted here
	Lands      bool          // it lands with the next commit if nobody says anything
	Worth      bool          // it is worth a look: the others can wait
	Question   string        // what only a person can answer; "" for nothing
	Shown      int           // how often agents were shown it in this clone, beyond briefings
	Used       int           // and how often they used it then
	Duplicates []Counterpart // memories of the view that say much the same
	Replaces   []Counterpart // those it supersedes
	Contradict []Counterpart // those it contradicts, or that supersede the same one
	opposed    []memory.ID   // of these, older ones that it contradicts by its words alone
	willing    bool          // it would land by itself if there were room
	tier       int
}

// Counterpart is another memory, seen from one that is reviewed.
type Counterpart struct {
	ID    memory.ID   `json:"id"`
	Type  memory.Type `json:"type"`
	Title string      `json:"title"`
	Stage index.Stage `json:"stage"`
	Alike float64     `json:"alike,omitempty"` // the share of words they have in common
}

// MarshalJSON writes the shape "memory" of docs/json.md and the fields of an item.
func (r Item) MarshalJSON() ([]byte, error) {
	o := r.Object(true)
	o.Add("why", r.Why)
	o.Add("origin", r.Origin)
	o.Add("lands", r.Lands)
	o.Add("worth", r.Worth)
	o.AddIf(r.Group != "", "group", r.Group)
	o.AddIf(r.Question != "", "question", r.Question)
	o.AddIf(r.Shown+r.Used > 0, "shown", r.Shown)
	o.AddIf(r.Shown+r.Used > 0, "used", r.Used)
	o.Add("duplicates", r.Duplicates)
	o.Add("supersedes", r.Replaces)
	o.Add("contradicts", r.Contradict)
	return o.End()
}

var _ json.Marshaler = Item{}

// List returns what waits for a person's word and passes the filter, by tiers: what lands with the next commit or would
// if there were room, what asks something, what is about the branch, what several sessions met, then the others, and
// what is in quarantine. In each tier the most worth stands first, and what is grouped together, each group where its
// best stands.
func List(ctx context.Context, w *workspace.Workspace, opt Options) ([]Item, *workspace.View, error) {
	v, err := viewOf(ctx, w, opt)
	if err != nil {
		return nil, nil, err
	}
	l, err := newLister(ctx, w, v, opt)
	if err != nil {
		return nil, nil, err
	}
	items := lists.Map(l.next.Half, l.item)
	for _, it := range v.Items {
		if !l.waits(&it) {
			continue
		}
		e, err := v.Entry(ctx, it)
		if err != nil {
			return nil, nil, err
		}
		items = append(items, l.item(e))
	}
	items = lists.Without(items, func(r Item) bool { return !opt.Filter.Passes(&r) })
	relate(ctx, w.Index, v, items)
	lore := w.Views.Lore(ctx)
	for i := range items {
		items[i].tier = items[i].rank(lore)
		items[i].Worth = items[i].tier < tierRest
	}
	lists.Sort(items, func(a, b Item) int { return better(&a, &b) })
	return items, v, group(ctx, w, items, opt.By)
}

// lister makes the items of a list.
type lister struct {
	w        *workspace.Workspace
	view     *workspace.View
	opt      Options
	here     string          // the current branch, as the journal names it
	known    map[string]bool // branches that there are
	next     *workspace.Next // what lands with the next commit
	seen     func(memory.ID) (shown, used int)
	received workspace.Marks
}

func newLister(ctx context.Context, w *workspace.Workspace, v *workspace.View, opt Options) (*lister, error) {
	totals := w.Diary.Totals().Memories
	l := &lister{
		w: w, view: v, opt: opt, here: w.Secrets.Branch(ctx, w.Repo.Topic), received: w.Journal.Marks(ctx),
		seen: func(id memory.ID) (int, int) { return totals[id].Shown, totals[id].Used },
	}
	var err error
	if l.next, err = w.LandsNext(ctx, v); err != nil {
		return nil, err
	}
	l.known = map[string]bool{l.here: true}
	far := func(it index.Item) bool { return it.Far > view.FarHere }
	if opt.elsewhere() || slices.ContainsFunc(v.Items, far) {
		l.known, err = w.Views.KnownBranches(ctx)
	}
	return l, err
}

// waits reports whether an item of the view waits for a person's word.
func (l *lister) waits(it *index.Item) bool {
	if l.opt.elsewhere() {
		return it.Stage == index.Pending
	}
	if it.Stage == index.Pending {
		return !l.isGone(it)
	}
	return it.Stage == index.Landed && (it.Status == memory.StatusContested || it.Apart)
}

// isGone reports whether an item is pending for a branch that is gone, which is offered by itself.
func (l *lister) isGone(it *index.Item) bool {
	return it.Far == view.FarGone && l.view.Branch == l.here
}

// item is a memory with what a person should know about it.
func (l *lister) item(e workspace.Entry) Item {
	r := Item{Entry: e, Lands: l.next.Lands[e.Memory.ID], Presumes: l.view.Presumes(e.Memory.ID), Untrusted: e.Apart}
	r.Shown, r.Used = l.seen(e.Memory.ID)
	if e.Stage == index.Pending && e.Branch != l.here && l.known[e.Branch] {
		r.Elsewhere = l.view.Branch != l.here || e.Far == view.FarElsewhere
	}
	r.Why = l.why(&r)
	r.Origin = originOf(&r, l.received)
	return r
}

// viewOf returns the view that a review is about. Duplicates are looked for in all
// of it.
func viewOf(ctx context.Context, w *workspace.Workspace, opt Options) (*workspace.View, error) {
	view := workspace.ViewOptions{AllBranches: opt.AllBranches, Local: true, Unreviewed: true}
	if opt.Branch != "" && opt.Branch != w.Repo.Topic {
		view.Branch = opt.Branch
	}
	return w.View(ctx, view)
}

// The tiers of a list. What stands in one before the rest is worth a look.
const (
	tierLanding = iota
	tierAsking
	tierNear
	tierAgain
	tierRest
	tierApart
)

// rank returns the tier of an item, by what is known of the branch that is checked out.
func (r *Item) rank(lore *view.Lore) int {
	switch {
	case r.Untrusted:
		return tierApart
	case r.Lands, r.willing:
		return tierLanding
	case r.Question != "":
		return tierAsking
	case lore.Near(r.Memory):
		return tierNear
	case len(r.Memory.Seen) > 1:
		return tierAgain
	}
	return tierRest
}

// why says in a few words why a memory does not land by itself, and notes whether it would if there were room.
func (l *lister) why(r *Item) string {
	switch {
	case r.Untrusted:
		return "it came with a branch that is not trusted here"
	case r.Stage == index.Landed:
		return "a merge left it contested"
	}
	if waits := l.elsewhere(r); waits != "" {
		return waits
	}
	if held := l.next.Held(&r.Entry); held != "" {
		return held
	}
	r.willing = true
	_, fits := l.next.Lands[r.Memory.ID]
	full := [...]string{
		workspace.ByShare:  "",
		workspace.ByBranch: "at most %d come with one branch, and it has that many",
		workspace.ByPush:   "at most %d come with the default branch between two pushes: more after the next one",
		workspace.ByDay:    "at most %d come with the default branch in a day: more tomorrow",
	}
	switch room := l.next.Room; {
	case l.w.Config.Land == "manual":
		return "memories do not land by themselves here (land: manual)"
	case r.Lands:
		return "it lands with your next commit"
	case fits:
		return "it lands when you say: cortex land"
	case room.Bound == workspace.ByShare:
		return fmt.Sprintf("memories are at most %.0f %% of the files of a branch, or one", 100*l.w.Config.LandShare)
	case full[room.Bound] != "":
		return fmt.Sprintf(full[room.Bound], l.w.Config.LandBranchMax)
	}
	return fmt.Sprintf("at most %d land with one commit", l.w.Config.LandMax)
}

// elsewhere says for which branch a memory waits that is not this one; "" where it belongs
// here.
func (l *lister) elsewhere(r *Item) string {
	switch {
	case r.Branch == l.here:
		return ""
	case r.Branch == "":
		return "it is pending for a detached HEAD"
	case !l.known[r.Branch]:
		return "it is pending for " + r.Branch + ", a branch that is gone"
	case r.Elsewhere:
		return "it is pending for " + r.Branch
	}
	return ""
}

// originOf says whose words an item holds. What a person said in a session of this clone is
// told to them as their own.
func originOf(r *Item, received workspace.Marks) string {
	mine := r.Stage == index.Pending && !r.Entry.Received(received)
	if mine && r.Memory.Source.Claimed() == memory.OriginPerson {
		return "you said it"
	}
	return r.Memory.OriginText()
}

// relate finds what the memories under review repeat, replace and contradict.
func relate(ctx context.Context, x *index.Index, v *workspace.View, items []Item) {
	signatures := make([][]uint32, len(items))
	for i := range items {
		signatures[i] = signatureOf(items[i].Memory)
	}
	byID := make(map[memory.ID]index.Item, len(v.Items))
	for i := range v.Items {
		byID[v.ID(i)] = v.Items[i]
	}
	for i, alike := range x.Alike(v.Items, signatures, sameness.Candidate) {
		r := &items[i]
		r.Replaces, r.Contradict = []Counterpart{}, []Counterpart{}
		r.Duplicates = duplicates(ctx, x, r.Memory, alike)
		r.addLinked(ctx, x, byID)
		if r.Status == memory.StatusContested {
			rivals(ctx, x, v, r)
		}
	}
	oppose(ctx, v, byID, items)
	for i := range items {
		items[i].Question = items[i].ask()
	}
}

func signatureOf(m *memory.Memory) []uint32 { return sameness.Signature(m.Title, m.Text) }

// duplicates are those memories that say much the same as m, the likest first.
func duplicates(ctx context.Context, x *index.Index, m *memory.Memory, alike []index.Alike) []Counterpart {
	out := []Counterpart{}
	for _, it := range alike {
		other, ok := x.Catalog().Memory(ctx, it.Blob)
		if !ok || other.ID == m.ID {
			continue
		}
		if share := sameness.Jaccard(signatureOf(m), signatureOf(other)); share >= sameness.Candidate {
			out = append(out, counterpart(other, it.Stage, share))
		}
	}
	lists.Sort(out, func(a, b Counterpart) int { return cmp.Compare(b.Alike, a.Alike) })
	return out
}

// addLinked adds what the memory says that it replaces or contradicts.
func (r *Item) addLinked(ctx context.Context, x *index.Index, byID map[memory.ID]index.Item) {
	for _, l := range r.Memory.Links {
		it, there := byID[l.To]
		if !there {
			continue
		}
		other, ok := x.Catalog().Memory(ctx, it.Blob)
		if !ok {
			continue
		}
		switch l.Rel {
		case memory.Supersedes:
			r.Replaces = append(r.Replaces, counterpart(other, it.Stage, 0))
		case memory.Contradicts:
			r.Contradict = append(r.Contradict, counterpart(other, it.Stage, 0))
		}
	}
}

// oppose adds to each item what it contradicts by its words.
func oppose(ctx context.Context, v *workspace.View, byID map[memory.ID]index.Item, items []Item) {
	at := map[memory.ID]*Item{}
	for i := range items {
		at[items[i].Memory.ID] = &items[i]
	}
	for _, p := range v.Contradictions(ctx) {
		for _, side := range [][2]*memory.Memory{{p.Newer, p.Older}, {p.Older, p.Newer}} {
			r, other := at[side[0].ID], side[1]
			if r == nil || slices.ContainsFunc(r.Contradict, func(c Counterpart) bool { return c.ID == other.ID }) {
				continue
			}
			r.Contradict = append(r.Contradict, counterpart(other, byID[other.ID].Stage, 0))
			if other == p.Older { // only what is newer replaces
				r.opposed = append(r.opposed, other.ID)
			}
		}
	}
}

// rivals adds the other memories that supersede what r supersedes.
func rivals(ctx context.Context, x *index.Index, v *workspace.View, r *Item) {
	replaced := r.Memory.Linked(memory.Supersedes)
	contested := lists.Without(v.Items, func(it index.Item) bool {
		return it.Status != memory.StatusContested
	})
	for _, it := range contested {
		other, ok := x.Catalog().Memory(ctx, it.Blob)
		if ok && other.ID != r.Memory.ID && shareOne(other.Linked(memory.Supersedes), replaced) {
			r.Contradict = append(r.Contradict, counterpart(other, it.Stage, 0))
		}
	}
}

func shareOne(a, b []memory.ID) bool {
	return slices.ContainsFunc(a, func(id memory.ID) bool { return slices.Contains(b, id) })
}

func counterpart(m *memory.Memory, stage index.Stage, alike float64) Counterpart {
	return Counterpart{ID: m.ID, Type: m.Type, Title: m.Title, Stage: stage, Alike: math.Round(alike*1000) / 1000}
}

// ask returns the question that only a person can answer; "" for none.
func (r *Item) ask() string {
	switch {
	case r.Untrusted:
		return "may agents be told of it?"
	case r.Memory.Contested:
		return "a merge kept what both sides made of it: edit it into one, or accept it as it is"
	case r.Status == memory.StatusContested:
		return "another memory replaces the same one: reject one of the two, or edit them into one"
	case r.presumesToReplace():
		return "an agent says that it replaces what a person wrote: does it?"
	case r.isOpposed():
		return "it contradicts an older memory: does it replace that one?"
	}
	return ""
}

// presumesToReplace reports whether what a memory would replace is in the view, and not an agent's
// to replace.
func (r *Item) presumesToReplace() bool { return r.Presumes && len(r.Replaces) > 0 }

// isOpposed reports whether what the memory contradicts is in the view.
func (r *Item) isOpposed() bool { return r.contradicts() && len(r.Contradict) > 0 }

// contradicts reports whether the memory contradicts another one, by a link or by its words.
func (r *Item) contradicts() bool { return len(r.Memory.Linked(memory.Contradicts))+len(r.opposed) > 0 }

// Replaceable reports whether accepting r can settle its question by replacing
// what it contradicts.
func (r *Item) Replaceable() bool { return r.Stage == index.Pending && r.contradicts() && !r.Elsewhere }

// Acceptable reports whether [Accept] can do something with r: one that is pending here, or contested, or in
// quarantine.
func (r *Item) Acceptable() bool {
	return !r.Elsewhere && (r.Stage == index.Pending || r.Memory.Contested || r.Untrusted)
}

// Find returns the one item whose id begins with prefix.
func Find(items []Item, prefix string) (Item, error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	found := lists.Where(items, func(r Item) bool {
		return memory.IsIDPrefix(prefix) && strings.HasPrefix(string(r.Memory.ID), prefix)
	})
	switch len(found) {
	case 0:
		return Item{}, fmt.Errorf("%s: %w", prefix, ErrNotWaiting)
	case 1:
		return found[0], nil
	}
	return Item{}, fmt.Errorf("%s: %w: type more of it", prefix, workspace.ErrAmbiguous)
}

// pendingIn returns the file in which a memory under review is pending. It must be
// as it was shown.
func pendingIn(ctx context.Context, snap *gitops.Snapshot, r Item) (gitops.Entry, error) {
	entries, err := snap.List(ctx, r.Path)
	if err != nil {
		return gitops.Entry{}, err
	}
	if len(entries) != 1 || string(entries[0].Blob) != r.Blob {
		return gitops.Entry{}, fmt.Errorf("%s: %w", r.Memory.ID.Short(), ErrMovedOn)
	}
	return entries[0], nil
}
