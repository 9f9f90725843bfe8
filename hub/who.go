package hub

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/internal/order"
	"github.com/git-cortex/cortex/memory"
)

// maxLines is how many lines of an error are looked at.
const maxLines = 200

// Met says who met an error before.
type Met struct {
	Signatures []string // what stays the same of the error whenever it is met, by which it is known
	Found      []Found  // the memories of it, those of most repositories first, then the newest
	In         int      // repositories that met it
	Repos      int      // repositories that were looked into
	Stale      []string // those of them that may have moved since, by name
	Total      int      // memories of it
}

// Who finds, in what the caller may read, the memories that an error brings back: those whose own error is the
// same but for numbers, paths and names.
func (h *Hub) Who(ctx context.Context, c Caller, text string, limit int) (*Met, error) {
	if len(text) > maxQuestion {
		return nil, fmt.Errorf("%w: it is longer than %d bytes", ErrQuestion, maxQuestion)
	}
	signatures := signaturesOf(text)
	if len(signatures) == 0 {
		return nil, fmt.Errorf("%w: no line of the error stays the same whenever it is met", ErrQuestion)
	}
	in, err := h.granted(ctx, c)
	if err != nil {
		return nil, err
	}
	out := &Met{Signatures: signatures, Repos: len(in), Stale: outdated(in)}
	times := map[memory.ID]int{} // repositories by memory
	for _, r := range in {
		here := h.met(r, signatures)
		if len(here) > 0 {
			out.In++
		}
		for id := range here {
			times[id]++
		}
	}
	out.Total = len(times)
	ids := slices.SortedFunc(maps.Keys(times), func(a, b memory.ID) int {
		return cmp.Or(times[b]-times[a], cmp.Compare(a, b))
	})
	hits, err := h.store.Memories(ctx, in, ids[:min(len(ids), maxHits)])
	if err != nil {
		return nil, fmt.Errorf("reading memories: %w", err)
	}
	order.Sort(hits, func(a, b Hit) int {
		x, y := a.Memory, b.Memory
		return cmp.Or(times[y.ID]-times[x.ID], y.Created.Compare(x.Created), cmp.Compare(x.ID, y.ID))
	})
	for i := range hits[:min(len(hits), bound(limit))] {
		out.Found = append(out.Found, h.placed(in, &hits[i], []memory.ID{hits[i].Memory.ID}))
	}
	return out, nil
}

// met are the memories of a repository that an error brings back.
func (h *Hub) met(r *Repo, signatures []string) map[memory.ID]bool {
	ids := map[memory.ID]bool{}
	traps := h.lookup(r).traps
	for _, s := range signatures {
		for _, id := range traps[s] {
			ids[id] = true
		}
	}
	return ids
}

// signaturesOf are the signatures of the lines of an error, each once.
func signaturesOf(text string) (out []string) {
	lines := recipe.Lines(text)
	for _, line := range lines[:min(len(lines), maxLines)] {
		if s := recipe.Signature(line); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
