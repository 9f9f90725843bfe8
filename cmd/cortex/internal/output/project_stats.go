package output

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/explore"
)

// ProjectStats shows what sessions left in the memory of a project.
func ProjectStats(p *console.Printer, s *explore.ProjectStats) {
	say := func(name, text string) {
		p.Hang(console.Dim(console.Pad(name, 15)), console.Plain(text))
	}
	say("sessions", fmt.Sprintf("%d, with %s", s.Sessions, console.Plural(s.Turns, "turn", "turns")))
	if len(s.Captured) == 0 {
		say("captured", "nothing yet")
	}
	for _, l := range s.Captured {
		kind, _, _ := strings.Cut(memory.Source{Layer: l.Layer}.LayerText(), ",")
		kind = cmp.Or(kind, map[string]string{"person": "written by hand"}[l.Layer], l.Layer)
		say("captured", fmt.Sprintf("%d (%d landed): %s", l.Memories, l.Landed, kind))
	}
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
	repeats(p, &s.Repeats)
	p.Printf("\n")
}

// repeats shows what sessions did again that earlier ones had done: as rates, since the groups
// have not as many sessions.
func repeats(p *console.Printer, s *explore.RepeatStats) {
	if s.Since != "" {
		p.Printf("\n%s", p.Wrap(fmt.Sprintf("What a session did again, on average: before hooks here first told an "+
			"agent something, on %.10s, and since. Again means: as one of the %d sessions before it.",
			s.Since, s.Window), ""))
		table(p, "", []string{"before", "since"}, []*explore.Repeated{&s.Before, &s.After})
	}
	if c := &s.Compared; c.From+c.To != "" {
		p.Printf("\n%s",
			p.Wrap(fmt.Sprintf("Sessions from %s to %s, by whether hooks told them of a memory; of %d more "+
				"that is not known any more. This is no experiment: their tasks may differ more than what "+
				"they were told.",
				cmp.Or(c.From, "the first"), cmp.Or(c.To, "now"), c.Unknown), ""))
		table(p, "", []string{"untold", "told"}, []*explore.Repeated{&c.Without, &c.With})
	}
	if len(s.Weeks) < 2 {
		return // one week compares nothing
	}
	var names []string
	var weeks []*explore.Repeated
	for _, week := range s.Weeks[max(0, len(s.Weeks)-mostWeeks):] {
		names, weeks = append(names, week.Monday[5:]), append(weeks, &week.Repeated)
	}
	p.Printf("\nWeek by week:\n")
	table(p, "week from", names, weeks)
}

// mostWeeks is how many weeks have room in a line.
const mostWeeks = 5

// table shows groups of sessions side by side.
func table(p *console.Printer, title string, names []string, groups []*explore.Repeated) {
	var columns [][]string
	for i, g := range groups {
		columns = append(columns, append([]string{names[i]}, column(g)...))
	}
	for i, name := range []string{
		title, "sessions", "files read", "  again", "    that a map names", "decisions made again",
		"corrections by the user", "failures of commands", "  again", "seconds to the first edit",
		"calls to the first edit", "tokens told", "memories told", "  and used",
	} {
		line := console.Pad(name, 30)
		for _, c := range columns {
			line += fmt.Sprintf("%9s", c[i])
		}
		p.Printf("%s\n", cutRow(p, line))
	}
}

// column has a group of sessions in the order of the lines of a table; "-" where nothing is known.
func column(g *explore.Repeated) []string {
	of := func(value float64, sessions int) string {
		if sessions == 0 {
			return "-"
		}
		return fmt.Sprintf("%.2f", value)
	}
	all, watched, edit, told := g.Sessions, g.Watched, &g.FirstEdit, &g.Told
	return []string{
		fmt.Sprint(all), of(g.Read.PerSession, all), of(g.ReadAgain.PerSession, all), of(g.Mapped.PerSession, all),
		of(g.DecidedAgain.PerSession, watched), of(g.Corrections.PerSession, watched),
		of(g.Failed.PerSession, watched), of(g.FailedAgain.PerSession, watched),
		of(float64(edit.Seconds), edit.Sessions), of(float64(edit.Calls), edit.Sessions),
		of(told.Tokens.PerSession, told.Sessions), of(told.Memories.PerSession, told.Sessions),
		of(told.Used.PerSession, told.Sessions),
	}
}
