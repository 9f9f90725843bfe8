package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace/doctor"
)

// release is the version of the next release, whose notes stand in CHANGELOG.md.
const release = "0.1.0"

func version() string { return release }

func newVersionCommand(e *env) *cobra.Command {
	check := false
	c := &cobra.Command{
		Use: "version", Short: "Print the version", Args: args(0, 0),
		Long: `Print the version and the commit that the program was built from. A version that
ends in -dev is no release, but a build on the way to it. --check asks the
repository of Cortex for a newer release; nothing else ever does.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runVersion(cmd.Context(), e, check) },
	}
	c.Flags().BoolVar(&check, "check", false, "ask over the network whether there is a newer release")
	return c
}

func runVersion(ctx context.Context, e *env, check bool) (err error) {
	info := answer.ReadBuild(release)
	if check {
		info.Newer, err = doctor.NewerRelease(ctx, e.environ, info.Version)
	}
	return e.show(err, info, func(p *console.Printer) {
		p.Printf("%s\n", info)
		if check {
			p.Printf("newer release at %s: %s\n", doctor.Releases, cmp.Or(info.Newer, "none"))
		}
	})
}
