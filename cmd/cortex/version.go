package main

import (
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/spf13/cobra"
)

// release is the version of the next release, whose notes stand in CHANGELOG.md.
const release = "0.1.0"

func version() string { return release }

func newVersionCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: args(0, 0),
		Long: `Print the version and the commit that the program was built from. A version that
ends in -dev is no release, but a build on the way to it.`,
		Example: "  cortex version\n  cortex --version --json",
		RunE:    func(*cobra.Command, []string) error { return runVersion(e) },
	}
}

func runVersion(e *env) error {
	info := answer.ReadBuild(release)
	if e.json {
		return answer.Write(e.out, info)
	}
	e.printer().Printf("%s\n", info)
	return nil
}
