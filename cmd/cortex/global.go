package main

import "github.com/spf13/cobra"

// globalFlag adds the flag that makes a command be about the global store.
func (a *env) globalFlag(c *cobra.Command, usage string) {
	c.Flags().BoolVar(&a.global, "global", false, usage)
}
