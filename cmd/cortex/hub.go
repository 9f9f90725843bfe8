package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/hub/client"
)

func newHubCommand(e *env) *cobra.Command {
	c := &cobra.Command{
		Use: "hub COMMAND", Short: "Run cortex-hub, which searches many repositories", Args: cobra.ArbitraryArgs,
		Long: `Run the program cortex-hub with all that follows, as git runs programs of its
own: the one beside cortex, else the one on PATH. It searches the memories of
many repositories for callers who may read some of them. Nothing else needs it.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			return process.Hub(cmd.Context(), process.Call{
				Beside: e.exe, Dir: e.dir, Environ: e.environ, In: e.in, Out: e.out, Err: e.err,
			}, words)
		},
	}
	c.Flags().SetInterspersed(false) // what follows the command is that program's
	return c
}

// hubOptions are the flags of a command that can ask a hub instead.
type hubOptions struct{ ask, flagged bool }

// hubFlags adds the flags that have a command ask a hub.
func hubFlags(c *cobra.Command, opt *hubOptions) {
	c.Flags().BoolVar(&opt.ask, "hub", false,
		"ask the hub of your git configuration instead: the memories of many repositories")
	c.Flags().BoolVar(&opt.flagged, "flagged", false, "with --hub: also what may give an agent orders or hold a secret")
}

// check is the mistake of a flag that means nothing to a hub.
func (o hubOptions) check(cmd *cobra.Command, also ...string) (err error) {
	if !o.ask && o.flagged {
		return usagef("--flagged goes with --hub")
	}
	known := append(also, "hub", "flagged", "json", "quiet", "no-color", "directory")
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if o.ask && !slices.Contains(known, f.Name) {
			err = &usageError{
				Err:  fmt.Errorf("--%s does not go with --hub", f.Name),
				Hint: "filters of a query do, such as type:decision",
			}
		}
	})
	return err
}

// maxFromHub is how many results a hub gives at most.
const maxFromHub = 100

// search searches by the hub that the user has set, or answers as without it where it is down.
func (o *hubOptions) search(ctx context.Context, e *env, q client.Question, without func() error) error {
	q.Limit = cmp.Or(q.Limit, maxFromHub)
	return o.answer(ctx, e, func(hub *client.Client) (client.Told, error) { return hub.Search(ctx, q) }, without)
}

// answer shows what that hub answers, or answers as without it where it is down.
func (o *hubOptions) answer(
	ctx context.Context, e *env, ask func(*client.Client) (client.Told, error), without func() error,
) error {
	told, err := client.Ask(ctx, e.environ, o.flagged, ask)
	if output.HubIsDown(e.errPrinter(), err) {
		o.ask = false
		return without()
	}
	return e.show(err, told, func(p *console.Printer) { output.FromHub(p, told, e.now(), e.quiet) })
}
