package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// run executes one command line and returns the exit code.
func run(ctx context.Context, s *streams, args []string) int {
	e := &env{streams: s}
	root := newRootCommand(e, args)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = e.unknown
	}
	if len(args) > 0 && args[0] == "hook" {
		return exitOK // whatever happened, an agent or a commit goes on
	}
	return report(ctx, s.err, err, e.json || slices.Contains(args, "--json"))
}

const rootLong = `Cortex is memory for coding agents, kept as code. Every decision, trap and plan
is one Markdown file in the .cortex folder of your repository. Cortex reads your
agent's sessions as they happen. What is worth keeping lands with your next
commit, and the next session starts with a briefing.

Exit codes: 0 ok, 1 error, 2 wrong usage, 3 problems found,
10 not a git repository, 130 interrupted.`

const rootExample = `  cortex init                      set up this clone
  cortex remember "We pin Go 1.26: 1.27 breaks the Windows build"
  cortex search "why do we pin go"
  cortex brief                     what an agent is told at session start
  cortex demo                      see it all in a throwaway repository`

// newRootCommand returns the command of the program for one command line, with all
// others below it; for a hook with that one alone, because a hook runs before every
// command of an agent, and making the others takes a good part of its time.
func newRootCommand(e *env, args []string) *cobra.Command {
	root := &cobra.Command{
		Use: "cortex", Short: "Memory for coding agents, kept as code in your git repository",
		Long: rootLong, Example: rootExample,
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	f := root.PersistentFlags()
	f.StringVarP(&e.dirFlag, "directory", "C", "", "run as if started in `DIR`")
	f.BoolVar(&e.json, "json", false, "print one JSON object instead of text")
	f.BoolVar(&e.noColor, "no-color", false, "print no colours")
	f.BoolVarP(&e.quiet, "quiet", "q", false, "print only what was asked for")
	root.SetUsageFunc(wrapFlags(root.UsageFunc()))
	root.SuggestionsMinimumDistance = 2 // letters; cobra's own default is set too late for unknownCommand
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{err: err, hint: cmd.CommandPath() + " --help"}
	})
	root.AddGroup(
		&cobra.Group{ID: "use", Title: "Remember and find:"},
		&cobra.Group{ID: "flow", Title: "From session to repository:"},
		&cobra.Group{ID: "setup", Title: "Set up and maintain:"})
	root.AddCommand(newHookCommand(e))
	if len(args) == 0 || args[0] != "hook" {
		addCommands(root, e)
	}
	root.SetHelpCommand(newHelpCommand())
	root.SetHelpFunc(helpUnlessUnknown(e, root.HelpFunc()))
	root.SetHelpCommandGroupID("setup")
	root.SetCompletionCommandGroupID("setup")
	return root
}

// addCommands adds all commands but hook.
func addCommands(root *cobra.Command, e *env) {
	for group, commands := range map[string][]*cobra.Command{
		"use":   {newRememberCommand(e), newSearchCommand(e), newRecallCommand(e), newShowCommand(e), newEditCommand(e), newPinCommand(e), newLinkCommand(e), newRelatedCommand(e), newGraphCommand(e), newWhyCommand(e), newListCommand(e), newForgetCommand(e), newPromoteCommand(e), newRestoreCommand(e), newBriefCommand(e)},
		"flow":  {newCaptureCommand(e), newBackfillCommand(e), newImportCommand(e), newExportCommand(e), newSessionsCommand(e), newTopicsCommand(e), newLogCommand(e), newLandCommand(e), newCurateCommand(e), newReviewCommand(e), newSyncCommand(e), newProjectCommand(e)},
		"setup": {newInitCommand(e), newUninstallCommand(e), newStatusCommand(e), newStatsCommand(e), newDoctorCommand(e), newCheckCommand(e), newGCCommand(e), newVerifyMergeCommand(e), newReindexCommand(e), newMCPCommand(e), newDemoCommand(e), newVersionCommand(e)},
	} {
		for _, c := range commands {
			c.GroupID = group
			if c.ValidArgsFunction == nil && !takesFiles(c) {
				c.ValidArgsFunction = cobra.NoFileCompletions
			}
			root.AddCommand(c)
		}
	}
	root.AddCommand(newModelWorkerCommand(e), newMergeDriverCommand(e))
}

// wrapFlags has usage wrap the texts of flags at 80 columns. A usage template would do
// that too, but text/template keeps the linker from dropping methods: a quarter of the
// program.
func wrapFlags(usage func(*cobra.Command) error) func(*cobra.Command) error {
	return func(cmd *cobra.Command) error {
		out := cmd.OutOrStderr()
		var text bytes.Buffer
		cmd.SetOut(&text)
		err := usage(cmd)
		cmd.SetOut(out)
		for _, flags := range []interface {
			FlagUsages() string
			FlagUsagesWrapped(columns int) string
		}{cmd.LocalFlags(), cmd.InheritedFlags()} {
			if unwrapped := bytes.TrimSpace([]byte(flags.FlagUsages())); len(unwrapped) > 0 {
				wrapped := bytes.TrimSpace([]byte(flags.FlagUsagesWrapped(80)))
				text = *bytes.NewBuffer(bytes.Replace(text.Bytes(), unwrapped, wrapped, 1))
			}
		}
		_, e := text.WriteTo(out)
		return errors.Join(err, e)
	}
}

// takesFiles reports whether an argument of a command is a file, which shells
// then offer. A command with others below it offers those.
func takesFiles(c *cobra.Command) bool {
	return c.HasSubCommands() || strings.Contains(c.Use, "FILE") || strings.Contains(c.Use, "PATH")
}

// unknownCommand is the mistake of a name that is no command below parent.
func unknownCommand(parent *cobra.Command, name string) error {
	path := parent.CommandPath() + " "
	err := &usageError{err: fmt.Errorf("unknown command %q", strings.TrimPrefix(path, "cortex ")+name), hint: path + "--help"}
	if close := parent.SuggestionsFor(name); len(close) > 0 {
		err.hint = "did you mean: " + path + strings.Join(close, ", "+path)
	}
	return err
}

// args checks the number of arguments; a mistake is one of usage.
func args(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, got []string) error {
		hint := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		name := strings.TrimPrefix(cmd.CommandPath(), "cortex ")
		switch {
		case len(got) < least:
			return &usageError{err: fmt.Errorf("%s: missing argument", name), hint: hint}
		case most >= 0 && len(got) > most:
			return &usageError{err: fmt.Errorf("%s: unexpected argument %q", name, got[most]), hint: hint}
		}
		return nil
	}
}
