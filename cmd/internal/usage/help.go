package usage

import (
	"bytes"
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// HelpCommand is cobra's own, but that a command that is not there is a mistake, as everywhere.
func HelpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command", Args: Args(0, -1),
		Long:    "Show the help of a command, as COMMAND --help does. Without one, list them all.",
		Example: "  cortex help search\n  cortex help import jsonl",
		RunE: func(cmd *cobra.Command, words []string) error {
			of, rest, err := cmd.Root().Find(words)
			if err != nil || of.HasSubCommands() && len(rest) > 0 {
				return Unknown(of, strings.Join(rest, " "))
			}
			of.InitDefaultHelpFlag() // or the help would not name it
			return of.Help()
		},
		ValidArgsFunction: func(
			cmd *cobra.Command, words []string, prefix string,
		) ([]string, cobra.ShellCompDirective) {
			var out []string
			if of, rest, err := cmd.Root().Find(words); err == nil && len(rest) == 0 {
				out = completedCommands(of, prefix)
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// completedCommands are the commands below one that begin with prefix, with what they do.
func completedCommands(of *cobra.Command, prefix string) []string {
	var out []string
	for _, c := range of.Commands() {
		if (c.IsAvailableCommand() || c.Name() == "help") && strings.HasPrefix(c.Name(), prefix) {
			out = append(out, cobra.CompletionWithDesc(c.Name(), c.Short))
		}
	}
	return out
}

// Wrapped has usage wrap the texts of flags at 80 columns. A usage template would do
// that too, but text/template keeps the linker from dropping methods: a quarter of the
// program.
func Wrapped(usage func(*cobra.Command) error) func(*cobra.Command) error {
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
