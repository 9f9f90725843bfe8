package output

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/curate"
	"github.com/git-cortex/cortex/workspace/setup"
	"github.com/git-cortex/cortex/workspace/tiers"
)

// Reader says what a reader that was chosen will cost, and whether its
// program is there.
func Reader(p *console.Printer, command string, s curate.Settings, onPath func(program string) bool) {
	if command == "" {
		p.Printf("No command reads worksheets by itself now.\n")
		return
	}
	p.Printf("%s", p.Wrap(fmt.Sprintf("After a session, %s reads what was captured: at most %d worksheets a day of "+
		"up to %d tokens each, at most one in %d minutes for a session. What a session said is sent to that "+
		"program, secrets removed.",
		strings.Fields(command)[0], s.Daily, curate.SheetTokens, int(s.Interval.Minutes())), ""))
	if program := strings.Fields(command)[0]; !onPath(program) {
		p.Printf("%s", p.WrapText(console.Plain(program+" was not found on PATH. Until it is, nothing is curated, "+
			"and cortex status says so."), console.Join(console.Warn("!"), console.Plain(" "))))
	}
}

// OfferReader asks whether one of the agents may word what sessions teach, and says before what that
// costs. It returns the command that reads worksheets; nil for no, and where none can be offered.
func OfferReader(ctx context.Context, p *console.Printer, w *workspace.Workspace, named []string,
	onPath func(program string) bool, yes func(context.Context) bool,
) *string {
	reader, found := curate.Offered(ctx, w, named, onPath)
	if !found {
		return nil
	}
	p.Printf("%s", p.Wrap(fmt.Sprintf("%s can word what your sessions teach: after a session it reads one worksheet, "+
		"about %d tokens and at most %d, with your account, at most %d times a day. Without it, what nobody said to "+
		"remember stays a note that only a search finds. Later: cortex init --curate %s, or off.",
		reader.Name, curate.UsualTokens, curate.SheetTokens, curate.SettingsOf(ctx, w).Daily, reader.Name), ""))
	p.Printf("Have it read worksheets? [y/N] ")
	if !yes(ctx) {
		return nil
	}
	return &reader.Command
}

// Steps says what became of each file, or would.
func Steps(p *console.Printer, steps []setup.Step, dry bool) {
	if len(steps) == 0 {
		p.Printf("Nothing of Cortex is set up here.\n")
	}
	width := 0
	for _, s := range steps {
		width = max(width, console.Columns(s.Path))
	}
	width = min(width, p.Width/2)
	for _, s := range steps {
		as := console.Warn
		switch s.Action {
		case "unchanged":
			as = console.Dim
		case "created", "changed":
			as = console.Good
		}
		p.Printf("  %s  %s  %s\n", as(console.Pad(s.Action, 9)), console.Pad(s.Path, width),
			console.Dim(console.Cut(s.What, max(20, p.Width-width-15))))
	}
	if dry {
		p.Printf("\nNothing was changed (--dry-run).\n")
	}
}

// Earlier says which sessions of the repository were not read yet, if any.
func Earlier(p *console.Printer, earlier agents.EarlierSessions) {
	if earlier.Sessions == 0 {
		return
	}
	p.Printf("%s", p.Wrap(fmt.Sprintf("Found %s of this repository (%.1f MB) that Cortex has not read. "+
		"To read what they taught: cortex backfill",
		console.Plural(earlier.Sessions, "earlier session", "earlier sessions"), float64(earlier.Bytes)/1e6), ""))
}

// Trust says what a person has to do before agents run the hooks.
func Trust(p *console.Printer, set []setup.SetUp) {
	for _, s := range set {
		p.Printf("%s", p.Wrap(s.Trust, ""))
	}
}

// SetUp says what follows from a set-up, what to do next, and how to undo it.
func SetUp(p *console.Printer, steps []setup.Step, opt setup.Options) {
	if opt.Binary.Name == "" {
		p.Printf("%s", console.Wrap("This program is not on PATH as `cortex`. Git's hooks call it as "+
			opt.Binary.Path+"; your agent's hooks "+callText(opt.Found), p.Width, ""))
	}
	if files := toCommit(steps); len(files) > 0 {
		p.Printf("Commit the new files when you like; teammates without Cortex are not affected:\n  git add %s\n",
			strings.Join(console.FoldLines(strings.Join(files, " "), p.Width-12), " \\\n    "))
	}
	p.Printf("%s", p.Wrap("Next: work with your agent as usual. What a session teaches is kept as it ends; what is "+
		"sure enough comes with your next commits (cortex status, cortex list). Before a commit your agent is asked, "+
		"at most twice a session, what a teammate must know; to turn that off: cortex config set cortex.ask false", ""))
	p.Printf("To undo all of this: cortex uninstall\n")
}

// toCommit are the files that a set-up wrote for the team; of what lies in .cortex, the folder.
func toCommit(steps []setup.Step) []string {
	files := lists.Where(steps, func(s setup.Step) bool {
		return s.Action != "unchanged" && !strings.HasPrefix(s.Path, "git ")
	})
	return lists.Unique(lists.Map(files, func(s setup.Step) string {
		ours := strings.HasPrefix(s.Path, workspace.Dir+"/")
		return map[bool]string{true: workspace.Dir, false: s.Path}[ours]
	}))
}

// callText says what agents' hooks do where this program is not on PATH.
func callText(found string) string {
	if found == "" {
		return "do nothing until `cortex` is on PATH, or in ~/.local/bin."
	}
	return "call " + found + "."
}

// Found says which agents were found, and how to choose others.
func Found(found []setup.Detected) string {
	var names []string
	for _, f := range found {
		if f.Sign == "" {
			return "No agent was found, so Claude Code is set up (others: --agent)."
		}
		names = append(names, f.Agent+" ("+f.Sign+")")
	}
	return "Agents found: " + strings.Join(names, ", ") + " (others: --agent)."
}

// Upgraded says what was done to switch on a tier, what is left to a person, and at which tier the clone is.
func Upgraded(p *console.Printer, out *answer.Upgraded, s *workspace.Status, quiet bool) {
	changes := lists.Where(out.Steps, func(s setup.Step) bool { return s.Action != "unchanged" })
	switch {
	case len(changes) == 0, quiet && !out.DryRun:
	default:
		Steps(p, out.Steps, out.DryRun)
	}
	leftToDo(p, out.Left)
	if quiet || out.DryRun {
		return
	}
	p.Printf("%s\n", tierNow(out, s))
}

// leftToDo says what a person has to do.
func leftToDo(p *console.Printer, left []string) {
	for _, text := range left {
		p.Printf("%s", p.WrapText(console.Plain(text), console.Join(console.Warn("!"), console.Plain(" "))))
	}
}

// tierNow says at which tier a clone is, and what works there.
func tierNow(out *answer.Upgraded, s *workspace.Status) string {
	if out.Tier == nil {
		return fmt.Sprintf("Nothing is left to switch on: this clone is at the highest tier: %d, %s.", s.Tier.Level,
			s.Tier.Name)
	}
	works := lists.Where(slices.Sorted(maps.Keys(s.Tier.Parts)), func(name string) bool { return s.Tier.Parts[name] })
	return fmt.Sprintf("This clone is at tier %d of %d. What works: %s.", s.Tier.Level, tiers.Highest, parts(works))
}
