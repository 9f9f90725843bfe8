package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// parseType reads a type that was typed; a mistake is one of usage, with the type
// that was probably meant.
func parseType(name string) (memory.Type, error) {
	t, err := memory.ParseType(name)
	if err == nil {
		return t, nil
	}
	wrong := &usageError{Err: err}
	if near := workspace.Nearest(name, typeNames()); near != "" {
		wrong.Hint = "did you mean: " + near
	}
	return "", wrong
}

// calledElsewhere returns the names that other programs have for what a command of ours does.
func calledElsewhere() map[string][]string {
	return map[string][]string{
		"remember": {"add", "new", "note", "save", "store"}, "forget": {"rm", "remove", "delete"}, "list": {"ls"},
		"search": {"find", "grep", "query"}, "show": {"cat", "get", "view"}, "edit": {"change", "rename", "update"},
		"why": {"blame"}, "log": {"history"}, "brief": {"briefing"}, "init": {"install", "setup", "enable"},
		"uninstall": {"disable"}, "gc": {"clean"}, "doctor": {"fix"}, "sync": {"pull", "push"}, "ui": {"web"},
		"restore": {"undo"},
	}
}

// noWords is for a command that takes flags alone, where words are those of a search.
func noWords(cmd *cobra.Command, got []string) error {
	err := args(0, 0)(cmd, got)
	var wrong *usageError
	if errors.As(err, &wrong) {
		wrong.Hint = "to find memories by words or filters: cortex search " + strings.Join(got, " ") + "\n" +
			cmd.CommandPath() + " --help"
	}
	return err
}
