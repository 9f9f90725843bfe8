package main

import (
	"context"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
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

Without --agent, every agent is set up of which there is a sign in the
repository or in your home folder, such as .codex or ~/.codex; without any,
Claude Code.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("curate") {
				command, err := readerCommand(reader)
				if err != nil {
					return err
				}
				opt.Curate = &command
			}
			asks := e.keyboard && !e.agents()
			chosen := slices.ContainsFunc([]string{"curate", "dry-run", "quiet", "json"}, cmd.Flags().Changed)
			return runInit(cmd.Context(), e, opt, named, asks && !chosen)
		},
	}
	c.Flags().BoolVar(&opt.DryRun, "dry-run", false, "show what would change, and change nothing")
	c.Flags().StringSliceVar(&named, "agent", nil,
		"`AGENTS` to set up instead of those found: "+strings.Join(setup.Agents(), ", ")+", none")
	c.Flags().BoolVar(&opt.Server, "mcp", false,
		"also name the server \"cortex mcp\" in the agents' settings, .mcp.json for Claude Code")
	c.Flags().BoolVar(&opt.Surface, "surface", false, "also keep the rules and decisions that hold, in some 500 "+
		"tokens, in the agents' CLAUDE.md, AGENTS.md or GEMINI.md")
	c.Flags().StringVar(&reader, "curate", "",
		"have `READER` word what was captured, after sessions: "+strings.Join(curate.PresetNames(), ", ")+", off")
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

// runInit sets up the agents that are named, or those found if named is nil; offer: a reader too.
func runInit(ctx context.Context, e *env, opt setup.Options, named []string, offer bool) error {
	agent, err := setup.ParseAgents(named)
	if err != nil {
		return usagef("%w", err)
	}
	opt.Binary, opt.Agents, opt.Found = e.binary(), agent, process.FoundByAgents(e.home())
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		if _, err := w.Tree(); err != nil {
			return err // before anything is said
		}
		var found []setup.Detected
		if named == nil {
			found = setup.Detect(w, e.home())
			opt.Agents = setup.Named(found)
			if !e.json && !e.quiet {
				e.printer().Printf("%s\n", output.Found(found))
			}
		}
		if offer {
			opt.Curate = output.OfferReader(ctx, e.errPrinter(), w, opt.Agents, onPath, e.yes)
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
			out := answer.NewSteps(steps, opt.DryRun, workspace.WherePages(ctx, w, w.Config.Projections))
			out.Agents = setup.AgentsOf(steps, opt, found)
			if earlier.Sessions > 0 {
				out.Earlier = &earlier
			}
			return answer.Write(e.out, out)
		}
		printSteps(e, steps, opt.DryRun)
		if e.quiet {
			warnOfHooks(e, steps)
			return nil
		}
		printSetUp(ctx, e, w, steps, opt, found)
		output.Earlier(e.printer(), earlier)
		return nil
	})
}

// warnOfHooks says that git calls no hook of ours, where that is so.
func warnOfHooks(e *env, steps []setup.Step) {
	if slices.ContainsFunc(steps, setup.Step.HookLeft) {
		e.errPrinter().Printf("cortex: no git hook was installed, because core.hooksPath leads elsewhere; " +
			"what to do: cortex doctor\n")
	}
}

// printSetUp says what was set up, for which agents, and how to go on.
func printSetUp(ctx context.Context, e *env, w *workspace.Workspace, steps []setup.Step, opt setup.Options,
	found []setup.Detected,
) {
	p := e.printer()
	p.Printf("\n")
	output.Trust(p, setup.AgentsOf(steps, opt, found))
	if opt.DryRun {
		return
	}
	output.SetUp(p, steps, opt)
	if opt.Curate != nil {
		output.Reader(p, *opt.Curate, curate.SettingsOf(ctx, w), onPath)
	}
}

func onPath(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

func printSteps(e *env, steps []setup.Step, dry bool) {
	if !e.quiet || dry {
		output.Steps(e.printer(), steps, dry)
	}
}
