package agents

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// stored is a memory and its path.
type stored struct {
	path string
	m    *memory.Memory
}

// memoriesIn reads those memories of a folder of the journal that are wanted.
func memoriesIn(ctx context.Context, snap *gitops.Snapshot, folder string,
	wanted func(*memory.Memory) bool,
) ([]stored, error) {
	entries, err := snap.List(ctx, folder)
	if err != nil {
		return nil, err
	}
	return memoriesAt(ctx, snap, entries, wanted)
}

func memoriesAt(
	ctx context.Context, snap *gitops.Snapshot, entries []gitops.Entry, wanted func(*memory.Memory) bool,
) ([]stored, error) {
	var out []stored
	err := snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		if m, err := memory.Parse(e.Path, data); err == nil && wanted(m) {
			out = append(out, stored{e.Path, m})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading memories of the journal: %w", err)
	}
	return out, nil
}

func onlyMemories(list []stored) []*memory.Memory {
	return lists.Map(list, func(s stored) *memory.Memory { return s.m })
}

// foldRecipes leaves out recipes of traps that are known: one that was dismissed or has
// landed, and one that is pending for any branch, which the session raises. One that an earlier
// session noted becomes a memory: two have met it now. It reads nothing when the session met no
// trap.
func (r *reading) foldRecipes(ctx context.Context, out *Captured) error {
	met := lists.Where(out.held(capture.Kept, capture.Noted),
		func(c *capture.Candidate) bool { return recipe.Is(c.Memory) })
	if len(met)+len(out.Withdrawn) == 0 {
		return nil
	}
	pending, err := knownRecipes(ctx, r.snap, "pending")
	if err != nil {
		return err
	}
	out.keepReliedOn(pending)
	if len(met) == 0 {
		return nil
	}
	dismissed, unread := knownRecipes(ctx, r.snap, "dismissed")
	landed, err := r.landedRecipes(ctx)
	if err = errors.Join(unread, err); err != nil {
		return err
	}
	noted := r.w.Journal.NotedTraps(ctx, r.in.Session)
	for _, c := range met {
		if out.trapIn(dismissed, c) != nil {
			out.forget(c, "this trap was dismissed before")
		} else if k := out.trapIn(landed, c); k != nil {
			out.forget(c, "the same trap as "+k.path)
		} else if k := out.trapIn(pending, c); k != nil {
			raised, _ := recipe.Fold(k.m, c.Memory)
			out.forget(c, fmt.Sprintf("the trap of %s, met by %d sessions now", raised.ID.Short(), len(raised.Seen)))
			out.met = append(out.met, stored{k.path, c.Memory})
		} else if i := slices.IndexFunc(noted,
			func(m *memory.Memory) bool { return recipe.Same(m, c.Memory) }); i >= 0 {
			out.forget(c, "")
			c.Memory, _ = recipe.Fold(c.Memory, noted[i])
			c.Confidence, c.Disposition = c.Memory.Confidence, capture.Kept
			out.Session.Found = append(out.Session.Found, session.FindingOf(c.Memory))
		}
	}
	return nil
}

// forget marks a candidate as one that is known: it is no note of the session either.
func (out *Captured) forget(c *capture.Candidate, reason string) {
	repeats(c, reason)
	s := out.Session
	s.Notes = lists.Without(s.Notes, func(m *memory.Memory) bool { return m.ID == c.Memory.ID })
}

// repeats marks a candidate as one that is known.
func repeats(c *capture.Candidate, reason string) {
	c.Disposition, c.Reason = capture.Duplicate, reason
}

// keepReliedOn leaves pending what other sessions than this one rely on, although it was
// withdrawn.
func (out *Captured) keepReliedOn(pending []stored) {
	own := recipe.SessionMark(out.Session.ID)
	for _, k := range pending {
		if slices.ContainsFunc(k.m.Seen, func(s string) bool { return s != own }) {
			out.keep(k.m.ID)
		}
	}
}

// keep leaves a memory pending although it was withdrawn.
func (out *Captured) keep(id memory.ID) {
	out.Withdrawn = lists.Without(out.Withdrawn, func(gone memory.ID) bool { return gone == id })
}

// trapIn is the recipe of the same trap in a list; nil for none.
func (out *Captured) trapIn(list []stored, c *capture.Candidate) *stored {
	for i, k := range list {
		if recipe.Same(k.m, c.Memory) && !slices.Contains(out.Withdrawn, k.m.ID) {
			return &list[i]
		}
	}
	return nil
}

// knownRecipes reads the recipes of one folder of the journal.
func knownRecipes(ctx context.Context, snap *gitops.Snapshot, folder string) ([]stored, error) {
	entries, err := snap.List(ctx, folder)
	if err != nil {
		return nil, err
	}
	if folder == "pending" { // recipes are fixes, which their paths say there
		entries = lists.Without(entries,
			func(e gitops.Entry) bool { return !strings.Contains(e.Path, "/"+string(memory.Fix)+"/") })
	}
	return memoriesAt(ctx, snap, entries, recipe.Is)
}

// landedRecipes are the recipes among the files of the branch.
func (r *reading) landedRecipes(ctx context.Context) ([]stored, error) {
	v, err := r.view(ctx)
	if err != nil {
		return nil, err
	}
	var out []stored
	for i := range v.Items {
		if !strings.Contains(v.Items[i].Path, "memories/"+string(memory.Fix)+"/") {
			continue
		}
		if m, ok := r.w.Index.Catalog().MemoryOf(ctx, &v.Items[i]); ok && recipe.Is(m) {
			out = append(out, stored{v.Items[i].Path, m})
		}
	}
	return out, nil
}

// view returns the view of the branch that a session is read for.
func (r *reading) view(ctx context.Context) (*workspace.View, error) {
	return r.w.View(ctx, workspace.ViewOptions{Branch: r.topic, Bare: true, Folders: true})
}

// foldKnown leaves out what was dismissed, is pending, or is in the view already in these
// or other words, and links the rest to what is known. The view is only read when there is
// something to compare.
func (r *reading) foldKnown(ctx context.Context, out *Captured) error {
	received := journal.MarksIn(ctx, r.snap)
	if err := received.Unreadable(); err != nil {
		return err
	}
	if err := r.foldJournal(ctx, out, received); err != nil {
		return err
	}
	kept := out.kept()
	if len(kept) == 0 {
		return nil
	}
	v, err := r.view(ctx)
	if err != nil {
		return err
	}
	at := pathsIn(v, received)
	near := r.w.Index.Alike(ownItems(v, received), signaturesOf(kept), sameness.Related)
	same := map[memory.ID]memory.ID{} // the known memories that candidates repeat
	for i, c := range kept {
		if path := at[c.Memory.ID]; path != "" {
			repeats(c, "the same as "+path)
			same[c.Memory.ID] = c.Memory.ID
		} else if have := r.foldTwin(ctx, c, near[i], out); have != nil {
			same[c.Memory.ID] = have.ID
		}
	}
	r.noteAgain(ctx, v, out, same)
	resolveLinks(ctx, v, out, same)
	r.relate(ctx, kept, near, out)
	return nil
}

// noteAgain notes in the record of a session which decisions of other sessions it made again: a
// view has them in these or other words. Those of others that came from a remote count too.
func (r *reading) noteAgain(ctx context.Context, v *workspace.View, out *Captured, same map[memory.ID]memory.ID) {
	known := slices.Collect(maps.Values(same))
	for i := range v.Items {
		if !slices.Contains(known, v.ID(i)) {
			continue
		}
		if m, ok := r.w.Index.Catalog().HeadOf(ctx, &v.Items[i]); ok {
			out.decidesAgain(m)
		}
	}
}

// decidesAgain reports whether a memory that the session said again is a decision of another one,
// and notes that.
func (out *Captured) decidesAgain(m *memory.Memory) bool {
	again := isDecision(m.Type) && m.Source.Session != out.Session.ID
	if again {
		out.Session.DecideAgain(m.ID)
	}
	return again
}

// isDecision reports whether memories of a type say what was chosen or turned down.
func isDecision(t memory.Type) bool {
	return slices.Contains([]memory.Type{memory.Decision, memory.Rejected, memory.Architecture}, t)
}

// foldJournal leaves out what somebody dismissed, what was folded into the record of the
// session, and what is pending.
func (r *reading) foldJournal(ctx context.Context, out *Captured, received workspace.Marks) error {
	pending := places.Pending(ctx, r.snap, out.Branch)
	folded, err := foldedIn(ctx, r.snap, out.Session.Path())
	if err != nil {
		return err
	}
	for _, c := range out.kept() {
		id := c.Memory.ID
		dismissed, err := places.Has(ctx, r.snap, journal.DismissedPath(id))
		if err != nil {
			return err
		}
		there, err := pending(id)
		if err != nil {
			return err
		}
		switch {
		case dismissed:
			repeats(c, "it was dismissed before")
		case folded[id]:
			repeats(c, "it was folded into the session's record")
		case len(there) > 0 && !received.Memory(id):
			repeats(c, "it is pending already")
			_, err := memoriesIn(ctx, r.snap, there[0], out.decidesAgain)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// ofRemote reports whether an item of a view is pending and only a remote says it.
func ofRemote(v *workspace.View, i int, received workspace.Marks) bool {
	return v.Items[i].Stage == index.Pending && received.Memory(v.ID(i))
}

// ownItems returns the items of a view without those that only a remote says.
func ownItems(v *workspace.View, received workspace.Marks) []index.Item {
	if len(received) == 0 {
		return v.Items
	}
	var own []index.Item
	for i := range v.Items {
		if !ofRemote(v, i, received) {
			own = append(own, v.Items[i])
		}
	}
	return own
}

// pathsIn are the paths of the memories of a view by their ids, without those that only a remote
// says.
func pathsIn(v *workspace.View, received workspace.Marks) map[memory.ID]string {
	at := make(map[memory.ID]string, len(v.Items))
	for i := range v.Items {
		if !ofRemote(v, i, received) {
			at[v.ID(i)] = v.Items[i].Path
		}
	}
	return at
}

func signaturesOf(list []*capture.Candidate) [][]uint32 {
	return lists.Map(list,
		func(c *capture.Candidate) []uint32 { return sameness.Signature(c.Memory.Title, c.Memory.Text) })
}

// foldTwin leaves out a candidate that restates one of the memories that are alike (see
// restates), and returns that; nil if it restates none. One that is pending counts the
// session that said it again.
func (r *reading) foldTwin(ctx context.Context, c *capture.Candidate, alike []index.Alike,
	out *Captured,
) *memory.Memory {
	if stated(c.Memory) { // it restates nothing, so nothing need be read
		return nil
	}
	for i := range alike {
		it := &alike[i].Item
		if !alike[i].Reaches(sameness.Restated) {
			break
		}
		have, ok := r.w.Index.Catalog().MemoryOf(ctx, it)
		if !ok {
			continue
		}
		if _, gone := out.Replaced[have.ID]; gone {
			continue
		}
		if !restates(have, c.Memory) {
			continue
		}
		if counts(have, c.Memory, it) {
			out.met = append(out.met, stored{it.Path, c.Memory})
		}
		repeats(c, "the same as "+it.Path)
		r.w.Diary.NoteLooked([]memory.ID{have.ID})
		return have
	}
	return nil
}

// counts reports whether a memory of the view names the sessions that say it again: one
// that is pending, of another session, and that no person has touched.
func counts(have, m *memory.Memory, it *index.Item) bool {
	if it.Stage != index.Pending || !have.Updated.IsZero() || have.Pinned {
		return false
	}
	return have.Source.Session != "" && have.Source.Session != m.Source.Session
}

// restates reports whether m, which a session says, says again what have does, a memory of
// the view.
//
// They are one fact if they are of one type, nearly all words of one stand in the other, and
// they differ in no number, name, identifier, negation or order (see [sameness.Covers]).
// Somebody's tag is never taken for a restatement.
func restates(have, m *memory.Memory) bool {
	if stated(m) || have.Type != m.Type {
		return false
	}
	old, now := wordingOf(have), wordingOf(m)
	return sameness.Jaccard(old.words, now.words) >= sameness.Restated && now.in(&old)
}

// wording holds the words of a memory, as they are compared.
type wording struct {
	said  string
	words []uint32
}

func wordingOf(m *memory.Memory) wording {
	return wording{m.Title + "\n" + m.Text, sameness.Signature(m.Title, m.Text)}
}

// in reports whether o says all that w says.
func (w *wording) in(o *wording) bool {
	if !sameness.Within(w.words, o.words) {
		return false
	}
	less, more := sameness.StatementOf(w.said), sameness.StatementOf(o.said)
	return more.Covers(&less)
}

// stated reports whether somebody put a tag or a memory of their own in a session.
func stated(m *memory.Memory) bool {
	return m.Source.Layer == "" || m.Source.Layer == string(session.LayerTag)
}
