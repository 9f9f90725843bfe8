package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// newHelpCommand is cobra's own, but that a command that is not there is wrong
// usage, as everywhere.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command", Args: args(0, -1),
		Long:    "Show the help of a command, as COMMAND --help does. Without one, list them all.",
		Example: "  cortex help search\n  cortex help import jsonl",
		RunE: func(cmd *cobra.Command, words []string) error {
			of, rest, err := cmd.Root().Find(words)
			if err != nil || of.HasSubCommands() && len(rest) > 0 {
				return unknownCommand(of, strings.Join(rest, " "))
			}
			of.InitDefaultHelpFlag() // or the help would not name it
			return of.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, words []string, prefix string) ([]string, cobra.ShellCompDirective) {
			var out []string
			if of, rest, err := cmd.Root().Find(words); err == nil && len(rest) == 0 {
				for _, c := range of.Commands() {
					if (c.IsAvailableCommand() || c.Name() == "help") && strings.HasPrefix(c.Name(), prefix) {
						out = append(out, cobra.CompletionWithDesc(c.Name(), c.Short))
					}
				}
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// helpUnlessUnknown shows help, unless the words before --help name no command:
// then the run fails with an error that says so.
func helpUnlessUnknown(e *env, show func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, words []string) {
		if rest := cmd.Flags().Args(); cmd.HasSubCommands() && len(rest) > 0 {
			e.unknown = unknownCommand(cmd, rest[0])
			return
		}
		show(cmd, words)
	}
}
