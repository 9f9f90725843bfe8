package explore

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// window is how many tokens the context of an agent usually holds.
const window = 200_000

// ProjectStats counts what sessions left in the memory of a project.
type ProjectStats struct {
	Sessions int `json:"sessions"` // that were read
	Turns    int `json:"turns"`
	// Captured counts the memories of the view by the evidence behind them; "person" for
	// those that somebody wrote.
	Captured []LayerCount `json:"captured"`
	Briefing BriefStats   `json:"briefing"`
	Plans    PlanStats    `json:"plans"`
	// Contradictions is how many pairs of memories in force were caught of which only one
	// can hold.
	Contradictions int `json:"contradictions"`
	// Repeats counts what sessions did again that earlier ones had done.
	Repeats RepeatStats `json:"repeats"`
}

// LayerCount is how many memories one kind of evidence gave.
type LayerCount struct {
	Layer    string `json:"layer"`
	Memories int    `json:"memories"`
	Landed   int    `json:"landed"`
}

// BriefStats counts briefings and their cost.
type BriefStats struct {
	Given  int     `json:"given"`  // at the start of a session
	Tokens int     `json:"tokens"` // of one, on average
	Share  float64 `json:"share"`  // of a context of Window tokens
	Window int     `json:"window"`
}

// PlanStats is how far plans came.
type PlanStats struct {
	All       int `json:"all"`
	Finished  int `json:"finished"`
	Continued int `json:"continued"` // on which more than one session worked
	Steps     int `json:"steps"`
	Done      int `json:"done"` // of the steps
}

// ProjectOf adds up what sessions left in the memory of a project. Compare is a span of time whose
// sessions are compared by whether they were told something, FROM..TO; "" for all time.
func ProjectOf(ctx context.Context, w *workspace.Workspace, compare string) (*ProjectStats, error) {
	compared, err := comparison(ctx, w, compare)
	if err != nil {
		return nil, err
	}
	v, err := w.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return nil, err
	}
	s := &ProjectStats{Captured: []LayerCount{}, Contradictions: len(v.Contradictions(ctx))}
	sessions, err := w.Journal.Sessions(ctx, math.MaxInt)
	if err != nil {
		return nil, err
	}
	for _, record := range sessions {
		s.Sessions++
		s.Turns += record.Turns
	}
	s.Repeats = repeatStats(ctx, w, sessions, compared)
	entries := v.Entries(ctx)
	s.layers(entries)
	s.Plans = planStats(entries)
	start := w.Diary.Evidence().Moments[diary.StartMoment]
	s.Briefing.Given, s.Briefing.Tokens = start.Spoke, start.Tokens/max(1, start.Spoke)
	s.Briefing.Window = window
	s.Briefing.Share = math.Round(float64(s.Briefing.Tokens)/window*1e4) / 1e4
	return s, nil
}

// layers counts memories by the evidence behind them, the most first.
func (s *ProjectStats) layers(entries []workspace.Entry) {
	at := map[string]int{}
	for i := range entries {
		layer := cmp.Or(entries[i].Memory.Source.Layer, "person")
		k, ok := at[layer]
		if !ok {
			k = len(s.Captured)
			at[layer] = k
			s.Captured = append(s.Captured, LayerCount{Layer: layer})
		}
		s.Captured[k].Memories++
		if entries[i].Stage == "landed" {
			s.Captured[k].Landed++
		}
	}
	lists.Sort(s.Captured, func(a, b LayerCount) int {
		return cmp.Or(cmp.Compare(b.Memories, a.Memories), cmp.Compare(a.Layer, b.Layer))
	})
}

// planStats counts plans and their steps.
func planStats(entries []workspace.Entry) PlanStats {
	var out PlanStats
	records := recordsOf(entries)
	for _, p := range projection.States(records) {
		out.All++
		out.Steps += len(p.Steps)
		out.Done += p.Done
		if p.Done == len(p.Steps) && p.Done > 0 {
			out.Finished++
		}
		if slices.ContainsFunc(records, func(r *memory.Memory) bool {
			return slices.Contains(r.Linked(memory.StepOf), p.Plan.ID) && r.Source.Session != p.Plan.Source.Session
		}) {
			out.Continued++
		}
	}
	return out
}

func recordsOf(entries []workspace.Entry) []*memory.Memory {
	return lists.Map(entries, func(e workspace.Entry) *memory.Memory { return e.Memory })
}
