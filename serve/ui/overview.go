package ui

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// counted is how often a value occurs.
type counted struct {
	Value string
	N     int
}

// counts are the values of a tally, the most frequent first.
func counts(tally map[string]int) []counted {
	out := make([]counted, 0, len(tally))
	for value, n := range tally {
		out = append(out, counted{value, n})
	}
	lists.Sort(out,
		func(a, b counted) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value)) })
	return out
}

// beat is when a hook ran last.
type beat struct {
	Event, Ago string
	MS         float64
}

type overview struct {
	Status           *workspace.Status
	Types            []counted
	Stale, Contested int
	Latest           []workspace.Entry
	Landed           []explore.LogEntry
	Beats            []beat
}

// Of the overview.
const (
	latestShown = 8
	landedShown = 8
)

// overview shows how much there is, and what is new.
func (v *visit) overview(ctx context.Context) (*page, error) {
	status, err := v.server.host.Status(ctx, v.Workspace)
	if err != nil {
		return nil, err
	}
	view, err := v.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return nil, err
	}
	all := view.List(ctx, workspace.ListOptions{TextLess: true, Code: true})
	data := overview{Status: status, Beats: v.beats(status), Latest: all[:min(len(all), latestShown)]}
	types := map[string]int{}
	for i := range all {
		types[string(all[i].Memory.Type)]++
		if all[i].Stale {
			data.Stale++
		}
		if all[i].Status == memory.StatusContested {
			data.Contested++
		}
	}
	data.Types = counts(types)
	if data.Landed, err = explore.Landed(ctx, v.Workspace, landedShown); err != nil {
		return nil, err
	}
	return &page{Name: "overview", Title: "Overview", Data: data, JSON: asJSON(status)}, nil
}

// beats says when each hook ran last.
func (v *visit) beats(s *workspace.Status) []beat {
	var out []beat
	for _, event := range slices.Sorted(maps.Keys(s.Heartbeat)) {
		b := s.Heartbeat[event]
		ago := b.Time
		if t, err := time.Parse(time.RFC3339, b.Time); err == nil {
			ago = since(v.server.host.Now().Sub(t))
		}
		out = append(out, beat{event, ago, b.MS})
	}
	return out
}

// since words an age in its largest unit.
func since(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return plural(int(d/time.Minute), "minute ago", "minutes ago")
	case d < day:
		return plural(int(d/time.Hour), "hour ago", "hours ago")
	}
	return plural(int(d/day), "day ago", "days ago")
}
