package workspace

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// ReviewOptions choose what is reviewed. The zero value is what is pending for
// the current branch, and what a merge left for a person to settle.
type ReviewOptions struct {
	Branch      string // what is pending for this branch, which may be gone; HEAD for a detached one
	AllBranches bool   // what is pending for any branch
}

// ReviewItem is a memory that waits for a person's word, with what that person
// should know.
type ReviewItem struct {
	Entry
	Why        string        // why it waits, in a line
	Elsewhere  bool          // it waits for a branch that is there and not checked out: it cannot be accepted here
	Lands      bool          // it lands with the next commit if nobody says anything
	Question   string        // what a merge or a heuristic asks, "" for nothing
	Duplicates []Counterpart // memories of the view that say much the same
	Replaces   []Counterpart // those it supersedes
	Contradict []Counterpart // those it contradicts, or that supersede the same one
}

// Counterpart is another memory, seen from one that is reviewed.
type Counterpart struct {
	ID    memory.ID   `json:"id"`
	Type  memory.Type `json:"type"`
	Title string      `json:"title"`
	Stage index.Stage `json:"stage"`
	Alike float64     `json:"alike,omitempty"` // the share of words they have in common
}

// MarshalJSON writes the shape "memory" of DESIGN §7 and what is added here.
func (r ReviewItem) MarshalJSON() ([]byte, error) {
	return EncodeJSON(struct {
		EntryShape
		Why         string        `json:"why"`
		Lands       bool          `json:"lands"`
		Question    string        `json:"question,omitempty"`
		Duplicates  []Counterpart `json:"duplicates"`
		Supersedes  []Counterpart `json:"supersedes"`
		Contradicts []Counterpart `json:"contradicts"`
	}{r.Shape(), r.Why, r.Lands, r.Question, r.Duplicates, r.Replaces, r.Contradict})
}

var _ json.Marshaler = ReviewItem{}

// Review lists what waits for a person's word: first what the policy leaves
// waiting, the surest first, then what lands with the next commit, then landed
// memories that a merge left contested.
func (w *Workspace) Review(ctx context.Context, opt ReviewOptions) ([]ReviewItem, *View, error) {
	w.RefreshJournal()
	v, err := w.reviewView(ctx, opt)
	if err != nil {
		return nil, nil, err
	}
	here := w.JournalBranch(ctx, w.Repo.Topic)
	var items []ReviewItem
	lands, half, err := w.LandsNext(ctx, v)
	if err != nil {
		return nil, nil, err
	}
	known := map[string]bool{here: true}
	if opt != (ReviewOptions{}) {
		if known, err = w.KnownBranches(ctx); err != nil {
			return nil, nil, err
		}
	}
	marks := w.Received(ctx)
	item := func(e Entry) ReviewItem {
		r := ReviewItem{Entry: e, Lands: lands[e.Memory.ID]}
		r.Elsewhere = e.Stage == index.Pending && e.Branch != here && known[e.Branch]
		r.Why = w.whyWaiting(ctx, r, here, known, marks)
		return r
	}
	for _, e := range half {
		items = append(items, item(e))
	}
	for _, it := range v.Items {
		contested := it.Stage == index.Landed && it.Status == memory.StatusContested && opt == (ReviewOptions{})
		if it.Stage != index.Pending && !contested {
			continue
		}
		e, err := v.Entry(ctx, it)
		if err != nil {
			return nil, nil, err
		}
		items = append(items, item(e))
	}
	slices.SortStableFunc(items, func(a, b ReviewItem) int {
		return cmp.Or(a.order()-b.order(), strings.Compare(a.Branch, b.Branch),
			cmp.Compare(b.Memory.Confidence, a.Memory.Confidence), olderFirst(a.Memory, b.Memory))
	})
	w.relate(ctx, v, items)
	return items, v, nil
}

func olderFirst(a, b *memory.Memory) int {
	return cmp.Or(a.Created.Compare(b.Created), strings.Compare(string(a.ID), string(b.ID)))
}

// reviewView is the view that a review is about. Duplicates are looked for in
// all of it.
func (w *Workspace) reviewView(ctx context.Context, opt ReviewOptions) (*View, error) {
	view := ViewOptions{AllBranches: opt.AllBranches, Local: true}
	if opt.Branch != "" && opt.Branch != w.Repo.Topic {
		view.Branch = opt.Branch
	}
	return w.View(ctx, view)
}

func (r *ReviewItem) order() int {
	switch {
	case r.Stage != index.Pending:
		return 2
	case r.Lands:
		return 1
	}
	return 0
}

// whyWaiting says in a few words what keeps a memory from landing by itself.
func (w *Workspace) whyWaiting(ctx context.Context, r ReviewItem, here string, known map[string]bool, marks Marks) string {
	switch {
	case r.Stage == index.Landed:
		return "a merge left it contested"
	case r.Branch != here && r.Branch != "" && !known[r.Branch]:
		return "it is pending for " + r.Branch + ", a branch that is gone"
	case r.Branch != here:
		return "it is pending for " + cmp.Or(r.Branch, "a detached HEAD")
	case marks.Entry(&r.Entry):
		return "it came from another clone"
	case w.hasSecret(ctx, r.Memory):
		return "it holds what looks like a secret"
	case w.Config.Land != "commit":
		return "nothing lands by itself here (land: " + w.Config.Land + ")"
	case r.Memory.Confidence < w.Config.LandConfidence:
		return fmt.Sprintf("less sure than %.2f", w.Config.LandConfidence)
	case !r.Lands:
		return fmt.Sprintf("only %d land with one commit", w.Config.LandMax)
	}
	return "it lands with your next commit"
}

// relate finds what the memories under review repeat, replace and contradict.
func (w *Workspace) relate(ctx context.Context, v *View, items []ReviewItem) {
	signatures := make([][]uint32, len(items))
	for i := range items {
		signatures[i] = memory.Signature(items[i].Memory.Title, items[i].Memory.Text)
	}
	byID := make(map[memory.ID]index.Item, len(v.Items))
	for i := range v.Items {
		byID[v.index.ID(i)] = v.Items[i]
	}
	for i, alike := range w.Index.Alike(v.Items, signatures, memory.SimilarCandidate) {
		r := &items[i]
		r.Duplicates, r.Replaces, r.Contradict = []Counterpart{}, []Counterpart{}, []Counterpart{}
		for _, it := range alike {
			other, ok := w.Index.Catalog().Memory(ctx, it.Blob)
			if !ok || other.ID == r.Memory.ID {
				continue
			}
			if share := memory.Jaccard(signatures[i], memory.Signature(other.Title, other.Text)); share >= memory.SimilarCandidate {
				r.Duplicates = append(r.Duplicates, counterpart(other, it.Stage, share))
			}
		}
		slices.SortStableFunc(r.Duplicates, func(a, b Counterpart) int { return cmp.Compare(b.Alike, a.Alike) })
		for _, l := range r.Memory.Links {
			it, ok := byID[l.To]
			if l.Rel != memory.Supersedes && l.Rel != memory.Contradicts || !ok {
				continue
			}
			if other, ok := w.Index.Catalog().Memory(ctx, it.Blob); ok && l.Rel == memory.Supersedes {
				r.Replaces = append(r.Replaces, counterpart(other, it.Stage, 0))
			} else if ok {
				r.Contradict = append(r.Contradict, counterpart(other, it.Stage, 0))
			}
		}
		w.rivals(ctx, v, r)
		r.Question = r.ask()
	}
}

// rivals adds the other memories that supersede what r does.
func (w *Workspace) rivals(ctx context.Context, v *View, r *ReviewItem) {
	if r.Status != memory.StatusContested {
		return
	}
	replaced := r.Memory.Linked(memory.Supersedes)
	for i := range v.Items {
		id := v.index.ID(i)
		if id == r.Memory.ID || v.Items[i].Status != memory.StatusContested {
			continue
		}
		other, ok := w.Index.Catalog().Memory(ctx, v.Items[i].Blob)
		if ok && slices.ContainsFunc(other.Linked(memory.Supersedes), func(to memory.ID) bool { return slices.Contains(replaced, to) }) {
			r.Contradict = append(r.Contradict, counterpart(other, v.Items[i].Stage, 0))
		}
	}
}

func counterpart(m *memory.Memory, stage index.Stage, alike float64) Counterpart {
	return Counterpart{ID: m.ID, Type: m.Type, Title: m.Title, Stage: stage, Alike: round3(alike)}
}

// ask words what only a person can answer.
func (r *ReviewItem) ask() string {
	switch {
	case r.Memory.Contested:
		return "a merge kept two versions of the text: edit it into one, or accept it as it is"
	case r.Status == memory.StatusContested:
		return "another memory replaces the same one: reject one of the two, or edit them into one"
	case len(r.Memory.Linked(memory.Contradicts)) > 0 && len(r.Contradict) > 0:
		return "it contradicts an older memory: does it replace that one?"
	}
	return ""
}

// Replaceable reports whether accepting r can settle its question by replacing
// what it contradicts.
func (r *ReviewItem) Replaceable() bool {
	return r.Stage == index.Pending && len(r.Memory.Linked(memory.Contradicts)) > 0
}

// FindReview returns the one item whose id begins with prefix.
func FindReview(items []ReviewItem, prefix string) (ReviewItem, error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	var found []ReviewItem
	for _, r := range items {
		if memory.IsIDPrefix(prefix) && strings.HasPrefix(string(r.Memory.ID), prefix) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return ReviewItem{}, fmt.Errorf("%s: %w among what waits for review", prefix, ErrNotFound)
	case 1:
		return found[0], nil
	}
	return ReviewItem{}, fmt.Errorf("%s: %w: type more of it", prefix, ErrAmbiguous)
}

// pendingIn is where a memory under review is pending, and what is there.
func (w *Workspace) pendingIn(ctx context.Context, snap *gitops.Snapshot, r ReviewItem) (gitops.Entry, error) {
	entries, err := snap.List(ctx, r.Path)
	if err != nil {
		return gitops.Entry{}, err
	}
	if len(entries) != 1 || string(entries[0].Blob) != r.Blob {
		return gitops.Entry{}, fmt.Errorf("%s: %w", r.Memory.ID.Short(), ErrMovedOn)
	}
	return entries[0], nil
}
