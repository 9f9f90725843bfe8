package output

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/agents"
)

// ProjectStats shows what sessions left in the memory of a project.
func ProjectStats(p *console.Printer, s *agents.ProjectStats) {
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
	switch {
	case s.Due && s.Drift == "":
		say("drift run", "none yet: cortex stats --drift")
	case s.Due:
		say("drift run", fmt.Sprintf("%.10s, over a month ago: cortex stats --drift", s.Drift))
	case s.Drift != "":
		say("drift run", fmt.Sprintf("%.10s", s.Drift))
	}
	p.Printf("\n")
}
