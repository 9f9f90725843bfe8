package explore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/guard"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// RecallStats counts what hooks said in this clone and how much of it was used, by
// kind of moment and by memory. As JSON it has the shape "stats" of docs/json.md.
type RecallStats struct {
	Moments  []MomentStats `json:"moments"`
	Memories []MemoryStats `json:"memories"` // those shown most, the most first
	Known    int           `json:"known"`    // memories that were shown or used
	Guards   []GuardStats  `json:"guards"`   // those of the working tree
	Sessions int           `json:"sessions"` // that are still known one by one
	// MedianTokens is the median number of tokens that those sessions were shown
	// beyond their briefings.
	MedianTokens int `json:"median_tokens"`
	// Project counts the marks that sessions left besides; nil with --recall.
	Project *ProjectStats `json:"project,omitempty"`
}

// MomentStats is how hooks did at one kind of moment.
type MomentStats struct {
	Moment   string  `json:"moment"`
	Asked    int     `json:"asked"`    // how often a hook ran
	Spoke    int     `json:"spoke"`    // how often it said something
	Quiet    float64 `json:"quiet"`    // the share of times at which it did not
	Memories int     `json:"memories"` // that it showed
	Tokens   int     `json:"tokens"`   // of all it said
	Used     int     `json:"used"`     // memories that were used then
}

// MemoryStats counts how often one memory was shown and used.
type MemoryStats struct {
	ID    memory.ID `json:"id"`
	Title string    `json:"title"` // "" for one that is not in the view
	Shown int       `json:"shown"` // beyond briefings
	Brief int       `json:"brief"` // in briefings
	Used  int       `json:"used"`
	Last  string    `json:"last"` // when it was shown last; "" for never
}

// GuardStats counts how often one guard spoke.
type GuardStats struct {
	Name  string `json:"name"`
	Spoke int    `json:"spoke"`
}

// Stats adds up what this clone remembers of moments of recall. It names at most so
// many memories; 0 names all.
func Stats(ctx context.Context, w *workspace.Workspace, limit int) (*RecallStats, error) {
	v, err := w.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return nil, err
	}
	e := w.Diary.Evidence()
	s := &RecallStats{Moments: []MomentStats{}, Memories: []MemoryStats{}, Known: len(e.Memories)}
	for _, moment := range slices.Concat([]string{diary.StartMoment}, kinds()) {
		was := e.Moments[moment]
		m := MomentStats{
			Moment: moment, Asked: was.Asked, Spoke: was.Spoke, Memories: was.Items, Tokens: was.Tokens,
			Used: was.Used, Quiet: view.Round3(float64(was.Asked-was.Spoke) / float64(max(1, was.Asked))),
		}
		s.Moments = append(s.Moments, m)
	}
	spoke := func(f guard.File) GuardStats { return GuardStats{f.Name, e.Moments[diary.GuardMoment+f.Name].Asked} }
	s.Guards = append([]GuardStats{}, lists.Map(guard.Files(w.Repo.Root), spoke)...)
	titles := map[memory.ID]string{}
	for i := range v.Items {
		id := v.ID(i)
		if _, ok := e.Memories[id]; !ok {
			continue
		}
		if m, ok := w.Index.Catalog().HeadOf(ctx, &v.Items[i]); ok {
			titles[id] = m.Title
		}
	}
	for id, seen := range e.Memories {
		m := MemoryStats{ID: id, Title: titles[id], Shown: seen.Shown, Brief: seen.Brief, Used: seen.Used}
		if seen.Last > 0 {
			m.Last = time.UnixMilli(seen.Last).UTC().Format(time.RFC3339)
		}
		s.Memories = append(s.Memories, m)
	}
	lists.Sort(s.Memories, func(a, b MemoryStats) int {
		return cmp.Or(cmp.Compare(b.Shown, a.Shown), cmp.Compare(b.Used, a.Used), cmp.Compare(b.Brief, a.Brief),
			cmp.Compare(a.ID, b.ID))
	})
	s.Memories = lists.First(s.Memories, limit)
	if tokens := w.Diary.SessionTokens(); len(tokens) > 0 {
		s.Sessions, s.MedianTokens = len(tokens), tokens[len(tokens)/2]
	}
	return s, nil
}

func kinds() []string {
	return lists.Map(recall.Kinds(), func(k recall.Kind) string { return string(k) })
}
