package main

import (
	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

// viewOptions choose the state that a command looks at.
type viewOptions struct {
	workspace.ViewOptions
	global bool
}

// reading opens a workspace to read the memories of the view.
func (v viewOptions) reading() opening { return opening{reads: true, global: v.global} }

// viewFlags adds the flags that choose a state to look at.
func viewFlags(c *cobra.Command, e *env, view *viewOptions) {
	f := c.Flags()
	f.StringVar(&view.At, "at", "", "look at `REV` instead of the working tree: a revision, or a time (2026-03-01, yesterday)")
	f.StringVar(&view.Branch, "branch", "", "look at branch `NAME` and what is pending for it")
	globalFlag(c, &view.global, "look only at your own memories, from any folder")
	f.BoolVar(&view.AllBranches, "all-branches", false, "include what is pending for every other branch")
	_ = c.RegisterFlagCompletionFunc("branch", completeBranches(e))
	_ = c.RegisterFlagCompletionFunc("at", completeBranches(e))
}

// globalFlag adds the flag that makes a command be about the global store.
func globalFlag(c *cobra.Command, global *bool, usage string) {
	c.Flags().BoolVar(global, "global", false, usage)
}
