package main

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/curate"
	"github.com/git-cortex/cortex/workspace/setup"
)

func newInitCommand(e *env) *cobra.Command {
	var opt setup.Options
	var reader string
	var named []string
	c := &cobra.Command{
		Use: "init", Short: "Set up this clone", Args: args(0, 0),
		Long: `Set up this clone: the .cortex folder, git's merge drivers and hooks, and your
agent's hooks. Existing hooks, settings and attributes stay as they are, and
"cortex uninstall" removes exactly what this added. Running it again changes
nothing. Nothing is staged or committed.

Without --agent, every agent is set up of which there is a sign in the repository
or in your home folder, such as .codex or ~/.codex; without any, Claude Code.`,
		Example: `  cortex init --dry-run      show what would change
  cortex init                do it
  cortex init --agent claude,codex
  cortex init --agent none   git only, no agent's files
  cortex init --mcp          also tell the agents of the MCP server
  cortex init --curate claude   have "claude -p" word what was captured`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("curate") {
				command, err := readerCommand(reader)
				if err != nil {
					return err
				}
				opt.Curate = &command
			}
			if !cmd.Flags().Changed("agent") {
				return runInit(cmd.Context(), e, opt, nil)
			}
			return runInit(cmd.Context(), e, opt, named)
		},
	}
	c.Flags().BoolVar(&opt.DryRun, "dry-run", false, "show what would change, and change nothing")
	c.Flags().StringSliceVar(&named, "agent", nil, "`AGENTS` to set up instead of those found: "+strings.Join(setup.Agents(), ", ")+", none")
	c.Flags().BoolVar(&opt.Server, "mcp", false, "also name the server \"cortex mcp\" in the agents' settings, .mcp.json for Claude Code")
	c.Flags().StringVar(&reader, "curate", "", "have `READER` word what was captured, after sessions: "+strings.Join(curate.PresetNames(), ", ")+", off")
	_ = c.RegisterFlagCompletionFunc("agent", fixed(append(setup.Agents(), "none")...))
	_ = c.RegisterFlagCompletionFunc("curate", fixed(append(curate.PresetNames(), "off")...))
	return c
}

// readerCommand is the command line for the name of a reader.
func readerCommand(name string) (string, error) {
	if name == "off" {
		return "", nil
	}
	p, err := curate.ParsePreset(name)
	if err != nil {
		return "", usagef("unknown reader: %w", err)
	}
	return p.Command, nil
}

// runInit sets up the agents that are named, or those that are found if named is nil.
func runInit(ctx context.Context, e *env, opt setup.Options, named []string) error {
	agent, err := setup.ParseAgents(named)
	if err != nil {
		return usagef("%w", err)
	}
	opt.Binary, opt.Agents, opt.Found = e.binary(), agent, e.foundByAgents()
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		var found []setup.Detected
		if named == nil {
			found = setup.Detect(w, e.home())
			opt.Agents = setup.Named(found)
			if !e.json && !e.quiet {
				e.printer().Printf("%s\n", foundText(found))
			}
		}
		steps, err := setup.Init(ctx, w, opt)
		if err == nil {
			w, err = w.Refresh(ctx) // config.yaml may be new
		}
		if err != nil {
			return err
		}
		earlier, err := agents.Earlier(w, e.home())
		if err != nil {
			return err
		}
		if e.json {
			out := answer.NewSteps(steps, opt.DryRun, w.Config.Projections)
			out.Agents = setup.AgentsOf(steps, opt, found)
			if earlier.Sessions > 0 {
				out.Earlier = &earlier
			}
			return answer.Write(e.out, out)
		}
		printSteps(e, steps, opt.DryRun)
		if !e.quiet {
			printAgents(e.printer(), setup.AgentsOf(steps, opt, found), opt.DryRun)
		}
		if !e.quiet && !opt.DryRun {
			printInitAdvice(e.printer(), steps, opt, projectionsAdvice(w.Config.Projections, setup.HostedRemotes(ctx, w)))
		}
		if !e.quiet && !opt.DryRun && opt.Curate != nil {
			printReaderAdvice(e.printer(), *opt.Curate, curate.SettingsOf(ctx, w))
		}
		if !e.quiet && earlier.Sessions > 0 {
			p := e.printer()
			p.Printf("%s", p.Wrap(fmt.Sprintf("Found %s of this repository (%.1f MB) that Cortex has not read. To read what they taught: cortex backfill",
				console.Plural(earlier.Sessions, "earlier session", "earlier sessions"), float64(earlier.Bytes)/1e6), ""))
		}
		return nil
	})
}

// printReaderAdvice says what a reader that was chosen will cost, and whether its
// program is there.
func printReaderAdvice(p *console.Printer, command string, s curate.Settings) {
	if command == "" {
		p.Printf("No command reads worksheets by itself now.\n")
		return
	}
	p.Printf("%s", p.Wrap(fmt.Sprintf("After a session, %s reads what was captured: at most %d worksheets a day of up to %d tokens each, at most one in %d minutes for a session. What a session said is sent to that program, secrets removed.",
		strings.Fields(command)[0], s.Daily, curate.SheetTokens, int(s.Interval.Minutes())), ""))
	if program := strings.Fields(command)[0]; !onPath(program) {
		p.Printf("%s", p.WrapText(console.Plain(program+" was not found on PATH. Until it is, nothing is curated, and cortex status says so."), console.Join(console.Warn("!"), console.Plain(" "))))
	}
}

func onPath(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

func printSteps(e *env, steps []setup.Step, dry bool) {
	if e.quiet && !dry {
		return
	}
	p := e.printer()
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
		p.Printf("  %s  %s  %s\n", as(console.Pad(s.Action, 9)), console.Pad(s.Path, width), console.Dim(console.Cut(s.What, max(20, p.Width-width-15))))
	}
	if dry {
		p.Printf("\nNothing was changed (--dry-run).\n")
	}
}

// printAgents says what was written for each agent.
func printAgents(p *console.Printer, set []setup.SetUp, dry bool) {
	done := "is set up by "
	if dry {
		done = "would be set up by "
	}
	for i, s := range set {
		if i == 0 {
			p.Printf("\n")
		}
		var files []string
		for _, f := range s.Files {
			files = append(files, f.Path+" ("+f.Action+")")
		}
		text := s.Title + " " + done + strings.Join(files, ", ") + "."
		if s.Trust != "" {
			text += " " + s.Trust
		}
		p.Printf("%s", p.Wrap(text, ""))
	}
}

// printInitAdvice says what follows from a set-up, and what to do next.
func printInitAdvice(p *console.Printer, steps []setup.Step, opt setup.Options, pages string) {
	p.Printf("\n%s\n", console.Wrap(pages, p.Width, ""))
	if opt.Binary.Name == "" {
		p.Printf("%s", console.Wrap("This program is not on PATH as `cortex`. Git's hooks call it as "+opt.Binary.Path+"; your agent's hooks "+callText(opt.Found), p.Width, ""))
	}
	if slices.ContainsFunc(steps, func(s setup.Step) bool { return s.Action == "created" && !strings.HasPrefix(s.Path, "git ") }) {
		p.Printf("Commit the new files when you like; teammates without Cortex are not affected.\n")
	}
	p.Printf("Next: work with your agent as usual, then try %s and %s.\n", console.Bold("cortex status"), console.Bold("cortex list"))
}

// callText says what agents' hooks do where this program is not on PATH.
func callText(found string) string {
	if found == "" {
		return "do nothing until `cortex` is on PATH, or in ~/.local/bin."
	}
	return "call " + found + "."
}

// foundText says which agents were found, and how to choose others.
func foundText(found []setup.Detected) string {
	var names []string
	for _, f := range found {
		if f.Sign == "" {
			return "No agent was found, so Claude Code is set up (others: --agent)."
		}
		names = append(names, f.Agent+" ("+f.Sign+")")
	}
	return "Agents found: " + strings.Join(names, ", ") + " (others: --agent)."
}

// projectionsAdvice says where the pages are kept up to date, and why. The
// settings may be older than this clone's remotes: then they are the reason.
func projectionsAdvice(projections string, hosted []string) string {
	mode := "(projections: " + projections + " in .cortex/config.yaml)"
	const pages = "Generated pages (decisions.md, active-plan.md) are kept up to date on "
	switch {
	case projections == "off":
		return "Generated pages are off. " + mode
	case projections == "default-branch" && len(hosted) > 0:
		return pages + "the default branch only. " + hosted[0] + " is on a server, and servers merge without merge drivers; this way, pull requests cannot conflict on the pages. " + mode
	case projections == "default-branch":
		return pages + "the default branch only, as the team's settings say. " + mode
	case len(hosted) > 0:
		return pages + "every branch, as the team's settings say. " + hosted[0] + " is on a server, and servers merge without merge drivers, so pull requests can conflict on the pages; with default-branch in the settings, they cannot. " + mode
	}
	return pages + "every branch. You have no remote on a server, so every merge happens in a clone, where a merge driver combines the pages. " + mode
}
