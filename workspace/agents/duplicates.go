package agents

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// When a memory tells what another one tells: how many words they share and how alike they
// are (see [memory.Jaccard]), and how much of the title and of all the words of the one that
// goes stands in the other. A title that stands nowhere else is a fact of its own, whatever
// it was found with. Then of how many sessions the memories are compared with all others,
// since what branches found meets only where they are merged, and with how many of the
// likeliest each is.
const (
	toldShared   = 12
	toldAlike    = 0.2
	toldTitle    = 0.5
	toldInside   = 0.4
	toldSessions = 5
	toldRead     = 8
)

// foldDuplicates folds what capture guessed where another memory tells it better: a diagnosis that
// the commit tells too, an answer that the next session wrote into a document. What the
// sessions found that began last is compared with all that the view holds, but for the one
// at hand, which may go on. Which wording is the best, see [telling.below]. The others go
// where [FoldOld] puts what waited for thirty days. It returns how many were folded.
func (x *capturer) foldDuplicates(ctx context.Context, out *Captured) (int, error) {
	if out.view == nil {
		return 0, nil // nothing new was found, and the next session looks
	}
	snap, err := x.w.Journal(ctx)
	if err != nil {
		return 0, err
	}
	sessions, err := out.records.latest(ctx, x.w, snap)
	if err != nil {
		return 0, err
	}
	gone := x.duplicatesIn(ctx, out.view, lastFound(sessions, out.Session.ID))
	if len(gone) == 0 {
		return 0, nil
	}
	return foldWith(ctx, x.w, "that others tell better", func(snap *gitops.Snapshot, c *gitops.Change) (int, error) {
		waits := func(path string) bool { // it may be gone since the view was made
			_, ok, err := snap.File(ctx, path)
			return ok && err == nil
		}
		return foldInto(ctx, snap, c, func(e gitops.Entry) bool {
			by := gone[shortIn(e.Path)]
			return by != nil && (by.Stage != index.Pending || waits(by.Path))
		}, func(m *memory.Memory) bool { return guessed(m) && !reliedOn(m) }, (*session.Session).DecidedOn)
	})
}

// lastFound are the short ids of what capture guessed in the sessions that began last, each
// with its subagents, without one that is going on.
func lastFound(sessions []*session.Session, but string) map[string]bool {
	out := map[string]bool{}
	var names []string
	for _, s := range sessions {
		name, _, _ := strings.Cut(s.ID, "/")
		if name == but {
			continue
		}
		if !slices.Contains(names, name) {
			if len(names) == toldSessions {
				break
			}
			names = append(names, name)
		}
		for _, f := range s.Found {
			if f.ID != "" && guess(f.Layer) && !s.DecidedOn(f.ID) {
				out[f.ID.Short()] = true
			}
		}
	}
	return out
}

// duplicatesIn are the short ids of the memories that another one of a view tells better, and
// which one. Of each two that are compared, one is in last.
func (x *capturer) duplicatesIn(ctx context.Context, v *workspace.View, last map[string]bool) map[string]*index.Item {
	read := x.tellings(ctx)
	var found []*telling
	var words [][]uint32
	for i := range v.Items {
		if it := &v.Items[i]; it.Stage == index.Pending && last[shortIn(it.Path)] {
			if t := read(it); t != nil {
				found, words = append(found, t), append(words, t.words)
			}
		}
	}
	type pair struct{ gone, stays *telling }
	var pairs []pair
	for i, near := range x.w.Index.Alike(v.Items, words, toldAlike) {
		for k := range near[:min(len(near), toldRead)] {
			gone, stays := read(&near[k].Item), found[i]
			if gone == nil || gone.m.ID == stays.m.ID {
				continue
			}
			if gone.below(stays) > 0 {
				gone, stays = stays, gone
			}
			if gone.toldBy(stays) && stays.seenWith(gone, v.Branch) {
				pairs = append(pairs, pair{gone, stays})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Or(a.gone.below(b.gone), b.stays.below(a.stays)) })
	out, kept := map[string]*index.Item{}, map[string]bool{}
	for _, p := range pairs {
		gone, stays := p.gone.m.ID.Short(), p.stays.m.ID.Short()
		if out[stays] == nil && !kept[gone] {
			out[gone], kept[stays] = cmp.Or(out[gone], p.stays.it), true
		}
	}
	return out
}

// tellings reads the memories of items, each once. It gives nil for what only a remote says,
// what is in quarantine or of the global store, and recipes, which are folded by their errors.
func (x *capturer) tellings(ctx context.Context) func(*index.Item) *telling {
	received := x.w.Received(ctx)
	read := map[string]*telling{} // by blob
	return func(it *index.Item) *telling {
		t, ok := read[it.Blob]
		if !ok {
			m, ok := x.w.Index.Catalog().MemoryOf(ctx, it)
			if ok && !it.Apart && it.Stage != index.Global && !received.Memory(m.ID) && !recipe.Is(m) {
				t = &telling{m, it, memory.Signature(m.Title, m.Text)}
			}
			read[it.Blob] = t
		}
		return t
	}
}

// telling is a memory as it is compared.
type telling struct {
	m     *memory.Memory
	it    *index.Item
	words []uint32
}

// below compares two wordings of one fact: best is what has landed, then what somebody
// said or a reader worded, what was written to be read by others, what is surer, what was
// said last.
func (t *telling) below(o *telling) int {
	rank := func(t *telling) int {
		switch {
		case t.it.Stage == index.Landed:
			return 3
		case !guessed(t.m):
			return 2
		case t.m.Source.Layer == string(session.LayerStructure):
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(rank(t), rank(o)), cmp.Compare(t.m.Confidence, o.m.Confidence), t.m.Created.Compare(o.m.Created), cmp.Compare(t.m.ID, o.m.ID))
}

// toldBy reports whether o tells what t tells, so that t can go: its title, and so much of
// the rest that both are of one thing. A question does not tell its answer.
func (t *telling) toldBy(o *telling) bool {
	if t.it.Stage != index.Pending || !guessed(t.m) || reliedOn(t.m) || asks(o.m) && !asks(t.m) || t.bound(o) || o.weak() && !t.weak() {
		return false
	}
	return memory.Shared(t.words, o.words) >= toldShared && memory.Jaccard(t.words, o.words) >= toldAlike &&
		memory.Inside(t.words, o.words) >= toldInside && memory.Inside(memory.Signature(t.m.Title), o.words) >= toldTitle && !t.overturns(o)
}

// weak reports whether t is a guess that [foldGuesses] takes soon, and stands for no surer one.
func (t *telling) weak() bool {
	return t.it.Stage == index.Pending && guessed(t.m) && t.m.Confidence < weakBelow
}

func asks(m *memory.Memory) bool { return m.Type == memory.Question || m.Type == memory.Problem }

// bound reports whether t says of a memory what o does not: what it answers would be open
// again, and what it contradicts undisputed.
func (t *telling) bound(o *telling) bool {
	return slices.Contains(o.m.Linked(memory.Contradicts), t.m.ID) || slices.ContainsFunc(t.m.Links, func(l memory.Link) bool {
		switch l.Rel {
		case memory.Answers, memory.Contradicts, memory.Supersedes, memory.StepOf:
			return !slices.Contains(o.m.Links, l)
		}
		return false
	})
}

// overturns reports whether t is the later one and may say that it is no longer as o says:
// another session mended it, or a word of the title is negated in one of them alone.
func (t *telling) overturns(o *telling) bool {
	if !t.m.Created.After(o.m.Created) {
		return false
	}
	if t.m.Source.Session != o.m.Source.Session && t.m.Type == memory.Fix && o.m.Type != memory.Fix {
		return true
	}
	now, then := memory.StatementOf(t.m.Title), memory.StatementOf(o.m.Title+"\n"+o.m.Text)
	return now.Denies(&then)
}

// seenWith reports whether whoever sees o sees t too: it waits for the same branch, or has
// landed on this one, and not only on this one where o waits for another.
func (t *telling) seenWith(o *telling, branch string) bool {
	if t.it.Stage == index.Pending {
		return t.it.Branch == o.it.Branch
	}
	return o.it.Branch == branch || t.m.Source.Branch != branch
}
