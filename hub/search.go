package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Finder finds memories in some of the repositories of a store, as if there were no others.
type Finder interface {
	// Search ranks what the repositories hold, as `cortex search` does in one that holds it all.
	Search(ctx context.Context, in []*Repo, q query.Query, limit int) (*index.Result, error)
	// Memories are memories by their ids, as Search has them, in any order. One that cannot be read is left out.
	Memories(ctx context.Context, in []*Repo, ids []memory.ID) ([]Hit, error)
}

// Hit is a memory as a store has it.
type Hit = index.Hit

// Bounds of a question.
const (
	maxQuestion = 4 << 10 // bytes
	maxHits     = 100
	fewHits     = 10 // where no number is asked for
)

// Question is a query and where it looks.
type Question struct {
	Text  string
	Repos []string // names of repositories to look into; none: all that the caller may read
	Limit int      // hits; 0 is ten, and a hundred the most
}

// Answer holds the memories that were found, and what they were found in.
type Answer struct {
	*index.Result
	Found   []Found  // of Result.Hits, each with its places
	Repos   int      // repositories that were looked into
	Stale   []string // those of them that may have moved since, by name
	Unread  int      // those that could be read and have not been read yet
	Notices []string // what was understood otherwise than it was typed
}

// Found is a memory, and where it stands.
type Found struct {
	index.Hit
	Flags  []string // what is suspicious about it
	Places []Place  // one for each repository that the caller may read, in order of names
}

// Place is a file of a repository.
type Place struct {
	Repository string
	Path       string
	Commit     string
	IndexedAt  time.Time
	Stale      bool
}

// ErrQuestion says that a question cannot be answered as it is.
var ErrQuestion = errors.New("the question cannot be answered")

// Search answers a question from what the caller may read.
func (h *Hub) Search(ctx context.Context, c Caller, ask Question) (*Answer, error) {
	if len(ask.Text) > maxQuestion {
		return nil, fmt.Errorf("%w: it is longer than %d bytes", ErrQuestion, maxQuestion)
	}
	q := query.Parse(ask.Text, h.opt.Now())
	if len(q.Mistyped) > 0 {
		return nil, fmt.Errorf("%w: %w", ErrQuestion, q.Mistyped[0])
	}
	in, err := h.granted(ctx, c)
	if err != nil {
		return nil, err
	}
	if len(ask.Repos) > 0 {
		in = lists.Without(in, func(r *Repo) bool { return !slices.Contains(ask.Repos, r.Name) })
	}
	result, err := h.store.Search(ctx, in, q, bound(ask.Limit))
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	out := &Answer{
		Result: result, Repos: len(in), Stale: outdated(in),
		Notices: slices.Concat(q.Hints, result.Hints, unknown(q)),
	}
	for i := range result.Hits {
		hit := &result.Hits[i]
		out.Found = append(out.Found, h.placed(in, hit, append([]memory.ID{hit.Memory.ID}, hit.Twins...)))
	}
	return out, nil
}

// unknown says what filters ask for that no hub knows: it has memories, and not the code that they are about.
func unknown(q query.Query) []string {
	stale := lists.Where(q.Clauses, func(c query.Clause) bool { return string(c.Key)+":"+c.Value == "is:stale" })
	return lists.Map(stale, func(query.Clause) string {
		return "a hub has no code, so is:stale finds nothing there: ask for it in a clone"
	})
}

// bound is how many results are given where so many are asked for.
func bound(limit int) int {
	if limit <= 0 {
		return fewHits
	}
	return min(limit, maxHits)
}

// outdated are the names of repositories that may have moved since.
func outdated(in []*Repo) []string {
	return lists.Map(lists.Where(in, (*Repo).Outdated), func(r *Repo) string { return r.Name })
}

// Memory is a memory by its id, the beginning of it, or the blob of its file, with the places at which the
// caller may read it; nil where there is none, or none that they may read.
func (h *Hub) Memory(ctx context.Context, c Caller, name string) (*Found, error) {
	in, err := h.granted(ctx, c)
	if err != nil {
		return nil, err
	}
	id, err := h.named(in, name)
	if err != nil || id == "" {
		return nil, err
	}
	hits, err := h.store.Memories(ctx, in, []memory.ID{id})
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	found := h.placed(in, &hits[0], []memory.ID{id})
	return &found, nil
}

// placed is a hit with the places at which some repositories hold any of ids.
func (h *Hub) placed(in []*Repo, hit *Hit, ids []memory.ID) Found {
	out := Found{Hit: *hit}
	for _, r := range h.holding(in, ids) {
		path, ok := h.file(r, ids)
		if !ok {
			continue
		}
		out.Flags = append(out.Flags, r.Files[path].Flags...)
		out.Places = append(out.Places, Place{
			Repository: r.Name, Path: path, Commit: r.OID, IndexedAt: r.Moved, Stale: r.Outdated(),
		})
	}
	slices.Sort(out.Flags)
	out.Flags = slices.Compact(out.Flags)
	slices.SortFunc(out.Places, func(a, b Place) int { return strings.Compare(a.Repository, b.Repository) })
	return out
}
