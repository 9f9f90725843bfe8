package hub

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// Shelf holds memories of some repositories that the sessions of another one may be told.
type Shelf struct {
	Found []Found // the most telling first
	Repos int     // that were looked into: those named for briefings that the caller may read
	Stale []string
}

// Bounds of a shelf.
const (
	maxNames   = 256
	maxShelf   = 200 // memories
	atOnceHits = 300 // that are searched for
	someNames  = 24  // in one search
)

// Brief finds memories for the briefings of another repository: those of the repositories that the operator has named
// for it, that say something of one of the names, such as a dependency, and that nobody has to read first. What an
// agent only read somewhere, suspicious memories, and rules of the users of a repository are never among them.
func (h *Hub) Brief(ctx context.Context, c Caller, names []string) (*Shelf, error) {
	if len(names) > maxNames {
		return nil, fmt.Errorf("%w: it has more than %d names", ErrQuestion, maxNames)
	}
	in, err := h.granted(ctx, c)
	if err != nil {
		return nil, err
	}
	in = lists.Without(in, func(r *Repo) bool { return !slices.Contains(h.opt.Briefing, r.Name) })
	out := &Shelf{Repos: len(in), Stale: outdated(in)}
	for some := range slices.Chunk(names, someNames) {
		if err := h.shelve(ctx, out, in, some); err != nil {
			return nil, err
		}
	}
	out.Found = lists.Without(out.Found, func(f Found) bool { return !f.mayBeTold() })
	out.Found = out.Found[:min(len(out.Found), maxShelf)]
	return out, nil
}

// shelve adds memories of some repositories about some names, each once.
func (h *Hub) shelve(ctx context.Context, to *Shelf, in []*Repo, names []string) error {
	result, err := h.store.Search(ctx, in, about(names), atOnceHits)
	if err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	for i := range result.Hits {
		hit := &result.Hits[i]
		isKnown := slices.ContainsFunc(to.Found, func(f Found) bool { return f.Memory.ID == hit.Memory.ID })
		if !isKnown && isAbout(hit.Memory, names) {
			to.Found = append(to.Found, h.placed(in, hit, append([]memory.ID{hit.Memory.ID}, hit.Twins...)))
		}
	}
	return nil
}

// about asks for memories in force that hold one of some names.
func about(names []string) query.Query {
	q := query.Query{Text: strings.Join(names, " "), Words: names}
	for _, s := range []memory.Status{memory.StatusSuperseded, memory.StatusArchived} {
		q.Clauses = append(q.Clauses, query.Clause{Key: query.Status, Value: string(s), Not: true})
	}
	return q
}

// mayBeTold reports whether the sessions of others may be told of a memory that nobody there has read.
func (f *Found) mayBeTold() bool {
	if len(f.Flags) > 0 {
		return false
	}
	m := f.Memory
	if m.Outside() || m.Unsaid() || m.Contested {
		return false
	}
	return slices.Contains(told(), m.Type)
}

// told are the types of memories that others may be told of.
func told() []memory.Type {
	return []memory.Type{
		memory.Gotcha, memory.Fix, memory.Decision, memory.Rejected, memory.Architecture, memory.Learned,
	}
}

// isAbout reports whether a memory is about one of some names: its title has the name, or it is an entity or a file of
// it. A name that is said by the way in a text is not enough.
func isAbout(m *memory.Memory, names []string) bool {
	title := " " + strings.Join(slices.Collect(words.Split(words.Fold(m.Title), "-_/.@")), " ") + " "
	return slices.ContainsFunc(names, func(name string) bool {
		name = words.Fold(name)
		isIt := func(s string) bool { return words.Fold(s) == name }
		short := path.Base(strings.TrimSuffix(name, "/"))
		return strings.Contains(title, " "+name+" ") || strings.Contains(title, " "+short+" ") ||
			slices.ContainsFunc(m.Entities, isIt) || slices.ContainsFunc(m.Files, isIt)
	})
}
