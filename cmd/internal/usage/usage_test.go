package usage_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/internal/usage"
)

// program returns a program with two commands, that of the flags under test among them.
func program() *cobra.Command {
	root := &cobra.Command{Use: "tool", SilenceErrors: true, SilenceUsage: true, PersistentPreRunE: usage.Negative}
	root.SetOut(io.Discard)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage.Flag(cmd, err, cmd.CommandPath()+" --help")
	})
	run := func(*cobra.Command, []string) error { return nil }
	list := &cobra.Command{Use: "list [WORD]", Args: usage.Args(0, 1), RunE: run, SuggestFor: []string{"ls"}}
	list.Flags().Int("limit", 10, "at most `N` of what there is to list, which may be far more than anybody wants to read")
	list.Flags().Bool("yes", false, "do not ask")
	root.AddCommand(list, &cobra.Command{Use: "remove NAME", Args: usage.Args(1, 1), RunE: run})
	root.SetHelpCommand(usage.HelpCommand())
	root.SetUsageFunc(usage.Wrapped(root.UsageFunc()))
	return root
}

func TestMistakes(t *testing.T) {
	for line, want := range map[string]string{
		"list --limit x":  `--limit takes a whole number, not "x"|tool list --help`,
		"list --limit -1": "--limit takes 0 or more, not -1|tool list --help",
		"list --limt 3":   "unknown flag: --limt|did you mean: --limit\ntool list --help",
		"list --force":    "unknown flag: --force|did you mean: --yes\ntool list --help",
		"list a b":        `list: unexpected argument "b"|tool list [WORD]`,
		"remove":          "remove: missing argument|tool remove NAME",
		"help ls":         `unknown command "ls"|did you mean: tool list`,
		"help rem":        `unknown command "rem"|did you mean: tool remove`,
		"help lsit":       `unknown command "lsit"|did you mean: tool list`,
		"help zzz":        `unknown command "zzz"|tool --help`,
	} {
		root := program()
		root.SetArgs(strings.Fields(line))
		err := root.Execute()
		var wrong *usage.Error
		if !errors.As(err, &wrong) {
			t.Errorf("tool %s: %v is no mistake of usage", line, err)
			continue
		}
		if got := wrong.Error() + "|" + wrong.Hint; got != want {
			t.Errorf("tool %s:\n%q, want\n%q", line, got, want)
		}
	}
}

func TestHelpIsWrapped(t *testing.T) {
	root := program()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs([]string{"help", "list"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if len(line) > 81 {
			t.Errorf("%d columns: %s", len(line)-1, line)
		}
	}
	if !strings.Contains(out.String(), "--limit") {
		t.Errorf("help without flags:\n%s", out.String())
	}
}
