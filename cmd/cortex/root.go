package main

import (
	"cmp"
	"context"
	_ "embed"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/cmd/internal/usage"
)

// run executes one command line and returns the exit code.
func run(ctx context.Context, s *streams, args []string) int {
	e := &env{streams: s}
	hook := len(args) > 0 && args[0] == "hook"
	if !hook { // which may have to do less than this costs
		var stop func()
		ctx, stop = process.Interruptible(ctx)
		defer stop()
	}
	root := newRootCommand(e, args)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = e.unknown
	}
	if hook {
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

// rootBegin is the answer to help without a command: an introduction, and the commands of every
// day. A call without arguments shows less of it. All commands would not fit a screen.
//
//go:embed begin.txt
var rootBegin string

// terms explains the words of the program.
//
//go:embed terms.txt
var terms string

// newRootCommand returns the command of the program for one command line, with those
// below it that the command line can mean: the one that it begins with, or all others.
// A hook runs before every command of an agent, and making all of them takes a tenth of
// the time of a short one.
func newRootCommand(e *env, args []string) *cobra.Command {
	showVersion := false
	root := &cobra.Command{
		Use: "cortex", Short: "Memory for coding agents, kept as code in your git repository",
		Long: rootLong, Example: rootExample,
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.ArbitraryArgs, PersistentPreRunE: usage.Negative,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return usage.Unknown(cmd, args[0])
			case showVersion:
				return runVersion(cmd.Context(), e, false)
			}
			begin, _, _ := strings.Cut(rootBegin, "\nEvery day:")
			_, err := io.WriteString(cmd.OutOrStdout(), begin+"\nMore, and the commands of every day: cortex help\n")
			return err
		},
	}
	f := root.PersistentFlags()
	f.StringVarP(&e.dirFlag, "directory", "C", "", "run as if started in `DIR`")
	f.BoolVar(&e.json, "json", false, "print one JSON object instead of text")
	f.BoolVar(&e.noColor, "no-color", false, "print no colours")
	f.BoolVarP(&e.quiet, "quiet", "q", false, "print only what was asked for")
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	root.SetUsageFunc(usage.Wrapped(root.UsageFunc()))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage.Flag(cmd, err, cmd.CommandPath()+" --help")
	})
	root.AddGroup(
		&cobra.Group{ID: "use", Title: "Remember and find:"},
		&cobra.Group{ID: "flow", Title: "From session to repository:"},
		&cobra.Group{ID: "setup", Title: "Set up and maintain:"})
	addCommands(root, e, args)
	help := usage.HelpCommand()
	help.AddCommand(helpTopics(root, root.HelpFunc())...)
	root.SetHelpCommand(help)
	root.SetHelpFunc(helpUnlessUnknown(e, root.HelpFunc()))
	root.SetHelpCommandGroupID("setup")
	root.SetCompletionCommandGroupID("setup")
	return root
}

// commandMaker makes a command when it is called by name. Help lists it in group; one
// without a group is for programs.
type commandMaker struct {
	name, group string
	new         func(*env) *cobra.Command
}

// commandMakers are all commands but help and completion, in the order of their groups.
func commandMakers() []commandMaker {
	return []commandMaker{
		{"remember", "use", newRememberCommand},
		{"search", "use", newSearchCommand},
		{"recall", "use", newRecallCommand},
		{"show", "use", newShowCommand},
		{"edit", "use", newEditCommand},
		{"pin", "use", newPinCommand},
		{"mute", "use", newMuteCommand},
		{"guard", "use", newGuardCommand},
		{"link", "use", newLinkCommand},
		{"related", "use", newRelatedCommand},
		{"graph", "use", newGraphCommand},
		{"why", "use", newWhyCommand},
		{"index-code", "use", newIndexCodeCommand},
		{"list", "use", newListCommand},
		{"forget", "use", newForgetCommand},
		{"promote", "use", newPromoteCommand},
		{"restore", "use", newRestoreCommand},
		{"brief", "use", newBriefCommand},
		{"plan", "use", newPlanCommand},
		{"ui", "use", newUICommand},
		{"capture", "flow", newCaptureCommand},
		{"backfill", "flow", newBackfillCommand},
		{"import", "flow", newImportCommand},
		{"learn-from-review", "flow", newLearnCommand},
		{"export", "flow", newExportCommand},
		{"sessions", "flow", newSessionsCommand},
		{"topics", "flow", newTopicsCommand},
		{"log", "flow", newLogCommand},
		{"diff", "flow", newDiffCommand},
		{"land", "flow", newLandCommand},
		{"propose", "flow", newProposeCommand},
		{"curate", "flow", newCurateCommand},
		{"consolidate", "flow", newConsolidateCommand},
		{"review", "flow", newReviewCommand},
		{"sync", "flow", newSyncCommand},
		{"project", "flow", newProjectCommand},
		{"init", "setup", newInitCommand},
		{"uninstall", "setup", newUninstallCommand},
		{"config", "setup", newConfigCommand},
		{"status", "setup", newStatusCommand},
		{"stats", "setup", newStatsCommand},
		{"doctor", "setup", newDoctorCommand},
		{"check", "setup", newCheckCommand},
		{"gc", "setup", newGCCommand},
		{"verify-merge", "setup", newVerifyMergeCommand},
		{"reindex", "setup", newReindexCommand},
		{"embed", "setup", newEmbedCommand},
		{"upgrade", "setup", newUpgradeCommand},
		{"purge", "setup", newPurgeCommand},
		{"reset", "setup", newResetCommand},
		{"mcp", "setup", newMCPCommand},
		{"hub", "setup", newHubCommand},
		{"demo", "setup", newDemoCommand},
		{"try", "setup", newTryCommand},
		{"version", "setup", newVersionCommand},
		{"hook", "", newHookCommand},
		{"model-worker", "", newModelWorkerCommand},
		{"late-reader", "", newLateReaderCommand},
		{"merge-driver", "", newMergeDriverCommand},
	}
}

// addCommands adds the command that args begin with, or all; none where only the version is asked for.
func addCommands(root *cobra.Command, e *env, args []string) {
	makers := commandMakers()
	named := func(m commandMaker) bool { return slices.Equal(args[:min(1, len(args))], []string{m.name}) }
	if i := slices.IndexFunc(makers, named); i >= 0 {
		makers = makers[i : i+1]
		root.CompletionOptions.DisableDefaultCmd = true
	}
	if slices.Equal(args, []string{"--version"}) {
		makers = nil
	}
	for _, m := range makers {
		c := m.new(e)
		c.GroupID, c.SuggestFor = m.group, calledElsewhere()[m.name]
		if slices.Contains(pagedCommands(), m.name) {
			c.RunE = e.paged(c.RunE)
		}
		if m.group != "" {
			withoutFiles(c)
		}
		root.AddCommand(c)
		exemplify(c)
	}
}

// examples are those of the help of all commands, each under a line with its name.
//
//go:embed examples.txt
var examples string

// exemplify gives a command and those below it their examples.
func exemplify(c *cobra.Command) {
	_, from, _ := strings.Cut(examples, "# "+c.CommandPath()+"\n")
	text, _, _ := strings.Cut(from, "\n\n")
	c.Example = cmp.Or(c.Example, strings.TrimSuffix(text, "\n"))
	for _, below := range c.Commands() {
		exemplify(below)
	}
}

// withoutFiles keeps a shell from completing names of files for a command that takes none.
func withoutFiles(c *cobra.Command) {
	if c.ValidArgsFunction == nil && !takesFiles(c) {
		c.ValidArgsFunction = cobra.NoFileCompletions
	}
}

// takesFiles reports whether an argument of a command is a file, which shells
// then offer. A command with others below it offers those.
func takesFiles(c *cobra.Command) bool {
	return c.HasSubCommands() || strings.Contains(c.Use, "FILE") || strings.Contains(c.Use, "PATH")
}

// args checks the number of arguments; a mistake is one of usage.
func args(least, most int) cobra.PositionalArgs { return usage.Args(least, most) }

// helpTopics returns the commands below help; show prints all commands of root.
func helpTopics(root *cobra.Command, show func(*cobra.Command, []string)) []*cobra.Command {
	return []*cobra.Command{
		{
			Use: "all", Short: "List all commands", Args: args(0, 0), Long: "List all commands, with what each does.",
			Run: func(*cobra.Command, []string) { show(root, nil) },
		},
		{
			Use: "terms", Short: "Explain the words of Cortex", Args: args(0, 0), Long: strings.TrimSpace(terms),
			Run: func(cmd *cobra.Command, _ []string) { _, _ = io.WriteString(cmd.OutOrStdout(), terms) },
		},
	}
}

// helpUnlessUnknown shows help, unless the words before --help name no command:
// then the run fails with an error that says so.
func helpUnlessUnknown(e *env, show func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, words []string) {
		if rest := cmd.Flags().Args(); cmd.HasSubCommands() && len(rest) > 0 {
			e.unknown = usage.Unknown(cmd, rest[0])
			return
		}
		if cmd.HasParent() {
			show(cmd, words)
			return
		}
		_, _ = io.WriteString(cmd.OutOrStdout(), rootBegin)
	}
}
