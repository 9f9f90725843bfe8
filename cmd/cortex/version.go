package main

import (
	"runtime"
	"runtime/debug"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/spf13/cobra"
)

// release is the version of the next release.
const release = "0.1.0"

func version() string { return release }

func newVersionCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: args(0, 0),
		RunE: func(*cobra.Command, []string) error { return runVersion(e) },
	}
}

func runVersion(e *env) error {
	commit := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	if e.json {
		return answer.Write(e.out, map[string]string{
			"version": version(), "commit": commit, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
		})
	}
	text := "cortex " + version()
	if commit != "" {
		text += " (" + commit + ")"
	}
	e.printer().Printf("%s %s %s/%s\n", text, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
