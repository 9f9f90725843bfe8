package ui

import (
	"cmp"
	"context"
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

type overview struct {
	Status           *workspace.Status
	Types            []counted
	Stale, Contested int
	Latest           []workspace.Entry
	Days             []string // of them
	Sessions         []spanned
	Landed           []explore.LogEntry
}

// Of the overview.
const (
	latestShown  = 12
	lastSessions = 4
	landedShown  = 4
)

// overview says what a person should do, and what is new.
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
	data := overview{Status: status, Latest: all[:min(len(all), latestShown)]}
	data.Days = days(v.server.host.Now(), len(data.Latest),
		func(i int) time.Time { return data.Latest[i].Memory.Created })
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
	sessions, err := v.Journal.Sessions(ctx, lastSessions)
	if err != nil {
		return nil, err
	}
	data.Sessions = lists.Map(sessions, span)
	return &page{Name: "overview", Title: "Overview", Data: data, JSON: asJSON(status)}, nil
}

// days names the day of each of n times, the newest first, where it is another than that before it; "" elsewhere.
func days(now time.Time, n int, at func(i int) time.Time) []string {
	const date = "Monday, 2 January 2006"
	now = now.UTC()
	names := map[string]string{now.Format(date): "Today", now.AddDate(0, 0, -1).Format(date): "Yesterday"}
	out, last := make([]string, n), ""
	for i := range out {
		if day := at(i).UTC().Format(date); day != last {
			last, out[i] = day, cmp.Or(names[day], day)
		}
	}
	return out
}
