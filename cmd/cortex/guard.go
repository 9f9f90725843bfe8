package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/guards"
	"github.com/git-cortex/cortex/workspace/review"
)

func newGuardCommand(e *env) *cobra.Command {
	c := &cobra.Command{
		Use: "guard", Short: "Have a remembered rule deny or ask at a call of an agent", Args: args(0, 0),
		Long: `Make of a remembered rule that can be checked, such as "never push to main", a
guard: a file of .cortex/guards that is reviewed like code. Before an agent runs
a command or writes a file, its hook asks the guards: one denies the call, has
the user asked, or warns, and says the rule and what to do instead.

Only a person changes guards. One that came with a branch that is not trusted
here does nothing, and so does one that cannot be read.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(newGuardAddCommand(e), newGuardTestCommand(e),
		newGuardsCommand(e, "list [NAME]", "List the guards, and whether they are in force",
			"Show what each guard is about, and why one is not in force.", guards.List),
		newGuardsCommand(e, "accept NAME", "Put a guard in force in this clone",
			"Vouch for a guard that somebody else brought or you wrote by hand. Read it first.", guards.Accept),
		newGuardsCommand(e, "remove NAME", "Remove a guard", "Remove its file. The memory behind it stays.",
			guards.Remove))
	return c
}

// newGuardsCommand makes a command that does something with the guards of a name, and shows them.
func newGuardsCommand(e *env, use, short, long string,
	do func(context.Context, *workspace.Workspace, string) ([]guards.Kept, error),
) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long, Args: args(strings.Count(use, " NAME"), 1),
		RunE: e.within(opening{}, func(ctx context.Context, w *workspace.Workspace, names []string) error {
			kept, err := do(ctx, w, append(names, "")[0])
			return e.showGuards(err, kept, nil)
		}),
		ValidArgsFunction: completeGuards(e),
	}
}

// showGuards shows guards, unless something failed.
func (e *env) showGuards(failed error, kept []guards.Kept, trial *guards.Trial) error {
	return e.show(failed, answer.Guards{Guards: kept, Trial: trial},
		func(p *console.Printer) { output.Guards(p, kept, trial) })
}

func newGuardAddCommand(e *env) *cobra.Command {
	var opt guardOptions
	said := &opt.Guard
	c := &cobra.Command{
		Use: "add ID", Short: "Make a guard of a memory", Args: args(1, 1),
		Long: `Make a guard of a memory, try it on the past sessions of this repository, and put
it in force in this clone. What it is about follows from the words of the memory,
or from the flags. All that is given has to hold, of a list one of its words.`,
		RunE: e.within(opening{}, func(ctx context.Context, w *workspace.Workspace, ids []string) error {
			return runGuardAdd(ctx, e, w, ids[0], opt)
		}),
		ValidArgsFunction: completeIDs(e, nil),
	}
	f := c.Flags()
	f.StringVar(&said.Action, "action", "", "what it does: warn, ask or deny (deny if none, or what the rule says)")
	f.StringArrayVar(&said.Command, "command", nil, "how a `COMMAND` begins, such as \"git push\"")
	f.StringArrayVar(&said.With, "with", nil, "a `WORD` that the command has, such as --force")
	f.StringArrayVar(&said.Branch, "branch", nil, "a `BRANCH` that it pushes to, or is run on")
	f.StringArrayVar(&said.Needs, "needs", nil, "a `COMMAND` that has to run before, after the last edit")
	f.StringArrayVar(&said.Path, "path", nil, "a `PATTERN` of files that are written, such as generated/ or *.gen.go")
	f.StringArrayVar(&said.Text, "text", nil, "a `TEXT` that is added to a file")
	f.StringVar(&said.Remedy, "remedy", "", "what to do instead, in a `LINE`")
	f.BoolVar(&opt.dry, "dry-run", false, "show the guard and the trial, and write nothing")
	f.BoolVar(&opt.yes, "yes", false, "also of a rule that no person is known to have said")
	_ = c.RegisterFlagCompletionFunc("action", fixed(guards.Actions()...))
	return c
}

// guardOptions are the flags of guard add.
type guardOptions struct {
	guards.Guard
	dry, yes bool
}

func runGuardAdd(ctx context.Context, e *env, w *workspace.Workspace, id string, opt guardOptions) error {
	found, err := review.Lookup(ctx, w, id)
	if err != nil {
		return err
	}
	kept, err := guards.Propose(found.Memory, opt.Guard)
	if err != nil {
		return err
	}
	past := agents.BackfillInput{Home: e.home(), All: true}
	trial, err := agents.TryGuards(ctx, w, past, []*guards.Guard{kept[0].Guard})
	if err == nil && !opt.dry {
		kept, err = guards.Add(ctx, w, found.Memory, kept[0].Guard, opt.yes)
	}
	return e.showGuards(err, kept, trial)
}

func newGuardTestCommand(e *env) *cobra.Command {
	var command, file string
	c := &cobra.Command{
		Use: "test [NAME]", Short: "Try guards on past sessions, or on one call", Args: args(0, 1),
		Long: `Say how often the guards would have spoken in the past sessions of this
repository, and on what: all of them, or those of a name. With --command or
--file, show the one in force that speaks about that call; it makes no call.`,
		RunE: e.within(opening{}, func(ctx context.Context, w *workspace.Workspace, names []string) error {
			kept, err := guards.List(ctx, w, append(names, "")[0])
			if err != nil {
				return err
			}
			if command+file != "" {
				kept = guards.Only(kept, guards.Judge(w, command, file))
				return e.showGuards(nil, kept, nil)
			}
			past := agents.BackfillInput{Home: e.home(), All: true}
			trial, err := agents.TryGuards(ctx, w, past, guards.Readable(kept))
			return e.showGuards(err, kept, trial)
		}),
		ValidArgsFunction: completeGuards(e),
	}
	c.Flags().StringVar(&command, "command", "", "a command `LINE` that is about to run")
	c.Flags().StringVar(&file, "file", "", "a `FILE` that is about to be written")
	return c
}

// completeGuards offers the names of guards.
func completeGuards(e *env) completion {
	return listed(e, func(ctx context.Context, w *workspace.Workspace) ([]string, error) {
		kept, err := guards.List(ctx, w, "")
		return guards.Names(kept), err
	})
}
