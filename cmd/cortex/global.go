package main

import (
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
)

// globalFlag adds the flag that makes a command be about the global store.
func (a *app) globalFlag(c *cobra.Command, usage string) {
	c.Flags().BoolVar(&a.global, "global", false, usage)
}

// globalStore is the folder of the user's own store: below XDG_DATA_HOME, or
// where the system keeps such data; "" when not even a home folder is known.
func (a *app) globalStore() string {
	data := a.getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) { // the specification has it ignored then
		home := a.getenv("HOME")
		switch runtime.GOOS {
		case "windows":
			home, data = "", a.getenv("LOCALAPPDATA")
		case "darwin":
			data = filepath.Join(home, "Library", "Application Support")
		default:
			data = filepath.Join(home, ".local", "share")
		}
		if home == "" && runtime.GOOS != "windows" || !filepath.IsAbs(data) {
			return ""
		}
	}
	return filepath.Join(data, "cortex", "global")
}
