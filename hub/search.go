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
	"github.com/git-cortex/cortex/memory"
)

// Finder finds memories in some of the repositories of a store, as if there were no others.
type Finder interface {
	// Search ranks what the repositories hold, as `cortex search` does in one that holds it all.
	Search(ctx context.Context, in []*Repo, q query.Query, limit int) (*index.Result, error)
	// Memory is a memory of the repositories by the blob of its file; nil where none has it.
	Memory(ctx context.Context, in []*Repo, blob string) (*index.Hit, error)
}

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
		in = slices.DeleteFunc(in, func(r *Repo) bool { return !slices.Contains(ask.Repos, r.Name) })
	}
	limit := min(ask.Limit, maxHits)
	if limit <= 0 {
		limit = fewHits
	}
	result, err := h.store.Search(ctx, in, q, limit)
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	out := &Answer{Result: result, Repos: len(in), Notices: slices.Concat(q.Hints, result.Hints)}
	for _, r := range in {
		if r.Outdated() {
			out.Stale = append(out.Stale, r.Name)
		}
	}
	for i := range result.Hits {
		hit := &result.Hits[i]
		out.Found = append(out.Found, placed(in, hit, append([]memory.ID{hit.Memory.ID}, hit.Twins...)))
	}
	return out, nil
}

// Memory is the memory whose file is a blob, with the places at which the caller may read it; nil
// where there is none, or none that they may read.
func (h *Hub) Memory(ctx context.Context, c Caller, blob string) (*Found, error) {
	in, err := h.granted(ctx, c)
	if err != nil {
		return nil, err
	}
	hit, err := h.store.Memory(ctx, in, blob)
	if err != nil || hit == nil {
		return nil, err
	}
	found := placed(in, hit, []memory.ID{hit.Memory.ID})
	return &found, nil
}

// placed is a hit with the places at which some repositories hold any of ids.
func placed(in []*Repo, hit *index.Hit, ids []memory.ID) Found {
	out := Found{Hit: *hit}
	for _, r := range in {
		path, f, ok := r.file(ids)
		if !ok {
			continue
		}
		out.Flags = append(out.Flags, f.Flags...)
		out.Places = append(out.Places, Place{
			Repository: r.Name, Path: path, Commit: r.OID, IndexedAt: r.Moved, Stale: r.Outdated(),
		})
	}
	slices.Sort(out.Flags)
	out.Flags = slices.Compact(out.Flags)
	slices.SortFunc(out.Places, func(a, b Place) int { return strings.Compare(a.Repository, b.Repository) })
	return out
}

// file is the first file of a repository, by path, that holds one of ids.
func (r *Repo) file(ids []memory.ID) (path string, f File, ok bool) {
	for at, file := range r.Files {
		if slices.Contains(ids, file.ID) && (!ok || at < path) {
			path, f, ok = at, file, true
		}
	}
	return path, f, ok
}
