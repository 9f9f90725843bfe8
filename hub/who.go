package hub

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// maxLines is how many lines of an error are looked at.
const maxLines = 200

// Met says who met an error before.
type Met struct {
	Signatures []string // what stays the same of the error whenever it is met, by which it is known
	Found      []Found  // the memories of it, those of most repositories first, then the newest
	Similar    []Found  // others that hold most words of one of its lines, best first
	In         int      // repositories that met it
	Repos      int      // repositories that were looked into
	Stale      []string // those of them that may have moved since, by name
	Total      int      // memories of it
}

// Who finds, in what the caller may read, the memories that an error brings back: those whose own error is the
// same but for numbers, paths and names. Where these are few, there follow those that speak of it in its words.
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
	lists.Sort(hits, func(a, b Hit) int {
		x, y := a.Memory, b.Memory
		return cmp.Or(times[y.ID]-times[x.ID], y.Created.Compare(x.Created), cmp.Compare(x.ID, y.ID))
	})
	for i := range hits[:min(len(hits), bound(limit))] {
		out.Found = append(out.Found, h.placed(in, &hits[i], []memory.ID{hits[i].Memory.ID}))
	}
	if len(out.Found) < bound(limit) {
		out.Similar, err = h.similar(ctx, in, signatures, times)
	}
	return out, err
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

// What is similar to an error.
const (
	maxSimilar  = 3
	maxSearched = 8  // lines whose words are searched for, the first ones
	leastWords  = 3  // telling words of a line that can be judged by them
	mostOf      = .6 // of them
)

// similar are memories that hold most of the telling words of a line of an error, but those that it brings back.
func (h *Hub) similar(
	ctx context.Context, in []*Repo, signatures []string, known map[memory.ID]int,
) (out []Found, err error) {
	lines, all := tellingOf(signatures)
	if len(lines) == 0 {
		return nil, nil
	}
	result, err := h.store.Search(ctx, in, query.Query{Text: strings.Join(all, " "), Words: all}, maxHits)
	if err != nil {
		return nil, fmt.Errorf("searching for the words of an error: %w", err)
	}
	for i := range result.Hits {
		hit := &result.Hits[i]
		ids := append([]memory.ID{hit.Memory.ID}, hit.Twins...)
		isKnown := slices.ContainsFunc(ids, func(id memory.ID) bool { return known[id] > 0 })
		if !isKnown && holdsMost(hit.Memory, lines) {
			out = append(out, h.placed(in, hit, ids))
		}
		if len(out) == maxSimilar {
			break
		}
	}
	return out, nil
}

// tellingOf are the stems of the telling words of each line that has enough of them, and the words of all lines.
func tellingOf(signatures []string) (lines []map[string]bool, all []string) {
	var a words.Analyser
	for _, s := range signatures[:min(len(signatures), maxSearched)] {
		line := map[string]bool{}
		for _, token := range a.Plain(s) {
			if token.Stem != "" && !words.IsStop(token.Term) {
				line[token.Stem] = true
				all = append(all, token.Term)
			}
		}
		if len(line) >= leastWords {
			lines = append(lines, line)
		}
	}
	slices.Sort(all)
	return lines, slices.Compact(all)
}

// holdsMost reports whether a memory holds most words of one of the lines.
func holdsMost(m *memory.Memory, lines []map[string]bool) bool {
	var a words.Analyser
	holds := map[string]bool{}
	for _, token := range a.Plain(strings.Join(append([]string{m.Title, m.Text}, m.Triggers...), "\n")) {
		holds[token.Stem] = true
	}
	return slices.ContainsFunc(lines, func(line map[string]bool) bool {
		here := 0
		for stem := range line {
			if holds[stem] {
				here++
			}
		}
		return float64(here) >= mostOf*float64(len(line))
	})
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
