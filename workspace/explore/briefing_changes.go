package explore

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/jsontext"
)

// BriefingChanges is how one briefing differs from an earlier one. As JSON it has the shape
// "brief --since" of docs/json.md.
type BriefingChanges struct {
	From, To       workspace.ViewShape
	FromDay, ToDay string            // of the commits that the views are as of; "" for now
	Added          []workspace.Entry // in the order of the briefing
	Gone           []Gone            // in the order of the earlier one
	// memories that both show and that say something else now, in the order of the briefing
	Changed []Changed
	Same    int // memories that both show, the changed ones apart
}

// Changed is a memory whose words were edited between two briefings.
type Changed struct {
	Entry workspace.Entry
	Was   string // its title then; "" if only its text, its type or its status is another
}

// Gone is a memory that a briefing no longer shows.
type Gone struct {
	Entry workspace.Entry // as it was
	// Why is superseded, contested, archived, answered, removed, or room: others came before it.
	Why string
	By  memory.ID // that supersedes or answers it
}

// BriefingSince compares the briefing of a view with that of another, both within the
// same budget. Where From names a time it is that of the state before that time began.
func BriefingSince(ctx context.Context, w *workspace.Workspace, from,
	to workspace.BriefOptions,
) (*BriefingChanges, error) {
	rev, err := w.Views.Revision(ctx, from.View.At, true)
	if err != nil {
		return nil, err
	}
	from.View.At = rev
	before, then, err := w.Brief(ctx, from)
	if err != nil {
		return nil, err
	}
	after, now, err := w.Brief(ctx, to)
	if err != nil {
		return nil, err
	}
	out := &BriefingChanges{From: then.Shape(), To: now.Shape(), FromDay: dayOf(then), ToDay: dayOf(now)}
	for _, id := range missing(after, before) {
		if e, err := now.Find(ctx, string(id)); err == nil {
			out.Added = append(out.Added, e)
		}
	}
	for _, id := range after.Shown {
		if slices.Contains(before.Shown, id) {
			out.compare(ctx, then, now, id)
		}
	}
	for _, id := range missing(before, after) {
		if e, err := then.Find(ctx, string(id)); err == nil {
			g := Gone{Entry: e}
			g.Why, g.By = whyGone(ctx, now, id)
			out.Gone = append(out.Gone, g)
		}
	}
	return out, nil
}

// compare counts a memory that both briefings show.
func (s *BriefingChanges) compare(ctx context.Context, then, now *workspace.View, id memory.ID) {
	is, errNow := now.Find(ctx, string(id))
	was, errThen := then.Find(ctx, string(id))
	if errNow != nil || errThen != nil || sameWords(is, was) {
		s.Same++
		return
	}
	c := Changed{Entry: is}
	if is.Memory.Title != was.Memory.Title {
		c.Was = was.Memory.Title
	}
	s.Changed = append(s.Changed, c)
}

// sameWords reports whether two states of a memory make the same line of a briefing, but for
// how sure it is.
func sameWords(a, b workspace.Entry) bool {
	type words struct {
		title, text string
		typ         memory.Type
		status      memory.Status
	}
	return words{a.Memory.Title, a.Memory.Text, a.Memory.Type, a.Status} ==
		words{b.Memory.Title, b.Memory.Text, b.Memory.Type, b.Status}
}

// dayOf is the day of the commit that a view is as of; "" for one of now.
func dayOf(v *workspace.View) string {
	if c, past := v.Then(); past {
		return c.Time.Format("2006-01-02")
	}
	return ""
}

// missing lists the memories that a shows and b does not.
func missing(a, b projection.Briefing) []memory.ID {
	return lists.Without(a.Shown, func(id memory.ID) bool { return slices.Contains(b.Shown, id) })
}

// whyGone says why a briefing of a view does not show a memory.
func whyGone(ctx context.Context, v *workspace.View, id memory.ID) (why string, by memory.ID) {
	e, err := v.Find(ctx, string(id))
	if err != nil {
		return "removed", ""
	}
	links := map[memory.Rel]string{} // that count: what only presumes changes no status
	if e.Status == memory.StatusSuperseded {
		links[memory.Supersedes] = "superseded"
	}
	if !e.Open {
		links[memory.Answers] = "answered"
	}
	for _, other := range v.List(ctx, workspace.ListOptions{TextLess: true}) {
		for _, l := range other.Memory.Links {
			if l.To == id && links[l.Rel] != "" {
				return links[l.Rel], other.Memory.ID
			}
		}
	}
	if e.Status != memory.StatusActive {
		return string(e.Status), ""
	}
	return "room", ""
}

// MarshalJSON writes the shape of docs/json.md.
func (s BriefingChanges) MarshalJSON() ([]byte, error) {
	added := append([]addedEntry{}, lists.Map(s.Added, func(e workspace.Entry) addedEntry { return addedEntry{e} })...)
	return jsontext.Encode(struct {
		Since   workspace.ViewShape `json:"since"`
		View    workspace.ViewShape `json:"view"`
		Added   []addedEntry        `json:"added"`
		Changed []Changed           `json:"changed"`
		Gone    []Gone              `json:"gone"`
		Same    int                 `json:"same"`
	}{s.From, s.To, added, append([]Changed{}, s.Changed...), append([]Gone{}, s.Gone...), s.Same})
}

// addedEntry is a memory without its text.
type addedEntry struct{ workspace.Entry }

func (a addedEntry) MarshalJSON() ([]byte, error) { return a.Object(false).End() }

// MarshalJSON writes the memory without its text, and its title then.
func (c Changed) MarshalJSON() ([]byte, error) {
	o := c.Entry.Object(false)
	o.AddIf(c.Was != "", "was", c.Was)
	return o.End()
}

// MarshalJSON writes the memory without its text, and why it is gone.
func (g Gone) MarshalJSON() ([]byte, error) {
	o := g.Entry.Object(false)
	o.Add("why", g.Why)
	o.AddIf(g.By != "", "by", g.By)
	return o.End()
}
