package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

func newStatusCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show the state of this clone", Args: args(0, 0),
		Long: `Show the state of this clone: its memories, sessions, hooks and merge drivers,
how the hooks ran last, and any problems.`,
		Example: `  cortex status
  cortex status --json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runStatus(cmd.Context(), e) },
	}
}

func runStatus(ctx context.Context, e *env) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		s, err := w.Status(ctx, e.binary())
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, s)
		}
		printStatus(e.printer(), s, e.now())
		return nil
	})
}

func printStatus(p *printer, s *workspace.Status, now time.Time) {
	branch := s.Branch
	if branch == "" {
		branch = "(no branch)"
	}
	state := good("set up")
	if !s.Enabled {
		state = join(warn("not set up"), dim(" (run cortex init)"))
	}
	p.printf("%s  %s, on %s\n", bold("cortex"), state, p.cut(branch, p.width-state.columns()-13))
	row := func(name string, value text) { p.hang(unstyled("  "+pad(name, 10)), value) }
	row("landed", unstyled(plural(s.Landed, "memory", "memories")))
	row("pending", pendingText(s))
	if s.Global > 0 {
		row("global", unstyled(plural(s.Global, "memory", "memories")))
	}
	for _, remote := range slices.Sorted(maps.Keys(s.Unsent)) {
		row("sync", unstyled(plural(s.Unsent[remote], "change", "changes")+" not sent to "+remote))
	}
	row("sessions", unstyled(strconv.Itoa(s.Sessions)))
	row("search", unstyled(s.Tier+", index "+s.Index.State))
	if s.Enabled {
		row("hooks", partsText(s.Hooks, map[string]string{"config": " in git's configuration", "script": " as scripts"}[s.HooksBy]))
		row("drivers", partsText(s.Drivers, ""))
	}
	for _, event := range slices.Sorted(maps.Keys(s.Heartbeat)) {
		b := s.Heartbeat[event]
		when := b.Time
		if t, err := time.Parse(time.RFC3339, b.Time); err == nil {
			when = ago(now.Sub(t))
		}
		p.printf("  %s\n", dim(p.cut(pad(event, 20)+" "+when+" in "+milliseconds(b.MS), p.width-2)))
	}
	for _, problem := range s.Problems {
		p.printf("%s", p.wrapText(unstyled(problem), join(bad("!"), unstyled(" "))))
	}
	if len(s.Problems) > 0 {
		p.printf("%s\n", dim("for details: cortex doctor"))
	}
}

func pendingText(s *workspace.Status) text {
	out := unstyled(plural(s.Pending, "memory", "memories"))
	if s.Pending > 0 {
		out = join(out, unstyled(" (those that are sure enough land with your next commit)"))
	}
	if s.Elsewhere > 0 {
		out = join(out, dim(", "), unstyled(plural(s.Elsewhere, "memory", "memories")+" on other branches"))
	}
	if s.Received > 0 {
		out = join(out, dim(", "), unstyled(fmt.Sprintf("%d of them from others", s.Received)))
	}
	return out
}

// partsText says which parts of the set-up are installed, in which way, and
// which are missing.
func partsText(parts map[string]bool, way string) text {
	var there, missing []string
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if parts[name] {
			there = append(there, name)
		} else {
			missing = append(missing, name)
		}
	}
	var out text
	if len(there) > 0 {
		out = join(good("installed"), unstyled(way+": "+strings.Join(there, ", ")))
	}
	if len(missing) > 0 {
		if len(there) > 0 {
			out = join(out, unstyled("; "))
		}
		out = join(out, bad("missing"), unstyled(": "+strings.Join(missing, ", ")))
	}
	return out
}

func milliseconds(ms float64) string {
	return time.Duration(ms * float64(time.Millisecond)).Round(100 * time.Microsecond).String()
}

// ago words an age: "just now", "5 min ago", "3 days ago".
func ago(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return plural(int(d/time.Minute), "minute ago", "minutes ago")
	case d < day:
		return plural(int(d/time.Hour), "hour ago", "hours ago")
	case d < 60*day:
		return plural(int(d/day), "day ago", "days ago")
	case d < 730*day:
		return plural(int(d/(30*day)), "month ago", "months ago")
	}
	return plural(int(d/(365*day)), "year ago", "years ago")
}
