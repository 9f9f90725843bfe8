package output

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/explore"
)

// ProjectStats shows what sessions left in the memory of a project.
func ProjectStats(p *console.Printer, s *explore.ProjectStats) {
	say := func(name, text string) {
		p.Hang(console.Dim(console.Pad(name, 15)), console.Plain(text))
	}
	say("sessions", fmt.Sprintf("%d, with %s", s.Sessions, console.Plural(s.Turns, "turn", "turns")))
	var layers []string
	for _, l := range s.Captured {
		layers = append(layers, fmt.Sprintf("%s %d (%d landed)", l.Layer, l.Memories, l.Landed))
	}
	if len(layers) == 0 {
		layers = []string{"nothing yet"}
	}
	say("captured", strings.Join(layers, ", "))
	if s.Briefing.Given > 0 {
		say("briefings", fmt.Sprintf("%d, %s each: %.1f %% of a context of %d", s.Briefing.Given,
			console.Plural(s.Briefing.Tokens, "token", "tokens"), 100*s.Briefing.Share, s.Briefing.Window))
	}
	if s.Plans.All > 0 {
		say("plans", fmt.Sprintf("%d, %d finished, %d continued by a later session; %d of %s done",
			s.Plans.All, s.Plans.Finished, s.Plans.Continued, s.Plans.Done, console.Plural(s.Plans.Steps, "step",
				"steps")))
	}
	say("contradictions", fmt.Sprint(s.Contradictions))
	if s.Timed > 0 {
		say("first tool", fmt.Sprintf("%.1f s after the start (median of %s)", s.FirstTool,
			console.Plural(s.Timed, "session", "sessions")))
	}
	repeats(p, &s.Repeats)
	p.Printf("\n")
}

// repeats shows what sessions did again that earlier ones had done: as rates, since the two
// groups have not as many sessions.
func repeats(p *console.Printer, s *explore.RepeatStats) {
	before, after := &s.Before, &s.After
	if before.Sessions+after.Sessions == 0 {
		return
	}
	cell := func(text string) string { return fmt.Sprintf("%9s", text) }
	told := "never told an agent anything"
	if s.Since != "" {
		told = fmt.Sprintf("first told an agent something on %.10s", s.Since)
	}
	p.Printf("\n%s", p.Wrap(fmt.Sprintf("Done again, per session, compared with the %d sessions before each. "+
		"Hooks here %s.", s.Window, told), ""))
	row := func(name, first, second string) {
		p.Printf("%s\n", cutRow(p, console.Pad(name, 30)+cell(first)+cell(second)))
	}
	row("", "before", "since")
	row("sessions", fmt.Sprint(before.Sessions), fmt.Sprint(after.Sessions))
	for _, r := range []struct {
		name          string
		first, second explore.Rate
		of, ofSecond  int
	}{
		{"files read", before.Read, after.Read, before.Sessions, after.Sessions},
		{"  again", before.ReadAgain, after.ReadAgain, before.Sessions, after.Sessions},
		{"    that a map names", before.Mapped, after.Mapped, before.Sessions, after.Sessions},
		{"decisions made again", before.DecidedAgain, after.DecidedAgain, before.Watched, after.Watched},
		{"corrections by the user", before.Corrections, after.Corrections, before.Watched, after.Watched},
		{"failures of commands", before.Failed, after.Failed, before.Watched, after.Watched},
		{"  again", before.FailedAgain, after.FailedAgain, before.Watched, after.Watched},
	} {
		row(r.name, rate(r.first, r.of), rate(r.second, r.ofSecond))
	}
}

// rate is a rate of some sessions, "-" where there are none.
func rate(r explore.Rate, sessions int) string {
	if sessions == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", r.PerSession)
}
