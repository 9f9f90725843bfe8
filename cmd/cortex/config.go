package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/settings"
)

func newConfigCommand(e *env) *cobra.Command {
	c := &cobra.Command{
		Use: "config", Short: "Show, explain and change settings", Args: args(0, 0),
		Long: `Show, explain and change settings: those of the team in .cortex/config.yaml, and
your own in git's configuration. A repository needs none. Only a person changes
them.`,
		RunE: listSettings(e, false),
	}
	c.AddCommand(newConfigSetCommand(e), &cobra.Command{
		Use: "list", Short: "List all settings", Args: args(0, 0), RunE: listSettings(e, true),
		Long: "List all settings, each with where its value comes from.",
	},
		newConfigKeyCommand(e, "get", "Print the value of a setting",
			"Print the value that is in force, and nothing else.", output.SettingValue),
		newConfigKeyCommand(e, "explain", "Say what a setting is",
			"Say what a setting does, what it may be, what it is, and where that comes from.", output.Setting))
	return c
}

// listSettings lists all settings, or those that are not at their defaults.
func listSettings(e *env, all bool) func(*cobra.Command, []string) error {
	return e.within(opening{}, func(ctx context.Context, w *workspace.Workspace, _ []string) error {
		list, err := settings.List(ctx, w)
		return e.show(err, answer.Settings{Settings: list}, func(p *console.Printer) { output.Settings(p, list, all) })
	})
}

// newConfigKeyCommand makes a command that shows one setting.
func newConfigKeyCommand(e *env, use, short, long string,
	show func(*console.Printer, settings.Setting),
) *cobra.Command {
	return &cobra.Command{
		Use: use + " KEY", Short: short, Long: long, Args: args(1, 1),
		RunE: e.within(opening{}, func(ctx context.Context, w *workspace.Workspace, keys []string) error {
			s, err := settings.Find(ctx, w, keys[0])
			return e.show(err, s, func(p *console.Printer) { show(p, s) })
		}),
		ValidArgsFunction: fixed(settings.Names()...),
	}
}

func newConfigSetCommand(e *env) *cobra.Command {
	var change settings.Change
	c := &cobra.Command{
		Use: "set KEY VALUE", Short: "Give a setting a value", Args: args(1, 2),
		Long: `Give a setting a value. One of the team is written into .cortex/config.yaml, and
goes there if it is the default: commit the file. One of your own is written into
git's configuration of this clone, or with --global into yours for all clones.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if change.Unset == (len(words) == 2) {
				return usagef("give a value, or --unset")
			}
			change.Key, change.Value = words[0], append(words, "")[1]
			return e.with(cmd.Context(), opening{}, func(w *workspace.Workspace) error {
				s, err := change.Make(cmd.Context(), w)
				return e.show(err, s, func(p *console.Printer) { output.SettingChanged(p, s) })
			})
		},
		ValidArgsFunction: fixed(settings.Names()...),
	}
	c.Flags().BoolVar(&change.Unset, "unset", false, "take the value back")
	c.Flags().BoolVar(&change.Global, "global", false, "one of your own in all clones, not in this one alone")
	return c
}
