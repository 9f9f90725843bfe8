package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	wrong := &usageError{err: err}
	var known []string
	for _, t := range memory.Types() {
		known = append(known, string(t))
	}
	if near := workspace.Nearest(name, known); near != "" {
		wrong.hint = "did you mean: " + near
	}
	return "", wrong
}

// meantBy are the commands below parent that a name probably means: the one that does what
// other programs call so, those that begin with it, or the one that is spelled like it.
func meantBy(parent *cobra.Command, name string) []string {
	if does := called()[name]; does != "" && !parent.HasParent() {
		return []string{does}
	}
	known := shownCommands(parent)
	begun := beginningWith(name, known)
	if near := workspace.Nearest(name, known); len(begun) == 0 && near != "" {
		return []string{near}
	}
	return begun
}

// shownCommands are the commands of a command that are shown.
func shownCommands(parent *cobra.Command) []string {
	var out []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			out = append(out, c.Name())
		}
	}
	return out
}

// beginningWith are the commands that begin with a name of two letters or more.
func beginningWith(name string, commands []string) []string {
	return slices.DeleteFunc(slices.Clone(commands), func(command string) bool {
		return len(name) < 2 || !strings.HasPrefix(command, strings.ToLower(name))
	})
}

// called returns names of our commands by those that other programs have for them.
func called() map[string]string {
	return map[string]string{
		"add": "remember", "new": "remember", "note": "remember", "save": "remember", "store": "remember",
		"rm": "forget", "remove": "forget", "delete": "forget", "ls": "list", "find": "search", "grep": "search", "query": "search",
		"cat": "show", "get": "show", "view": "show", "change": "edit", "rename": "edit", "update": "edit", "blame": "why", "history": "log",
		"briefing": "brief", "install": "init", "setup": "init", "enable": "init", "disable": "uninstall", "clean": "gc", "fix": "doctor",
		"pull": "sync", "push": "sync", "web": "ui", "undo": "restore",
	}
}

// flagMistake is an error of reading the flags of a command, in words, with the flag
// that was probably meant before the hint.
func flagMistake(cmd *cobra.Command, err error, hint string) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1 {
		if near := flagMeant(unknown.GetSpecifiedName(), flagsOf(cmd)); near != "" {
			hint = "did you mean: --" + near + "\n" + hint
		}
	}
	return &usageError{err: flagFault(err), hint: hint}
}

// flagsOf are the names of the flags of a command, its own first.
func flagsOf(cmd *cobra.Command) []string {
	var known []string
	for _, flags := range []*pflag.FlagSet{cmd.LocalFlags(), cmd.InheritedFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !slices.Contains(known, f.Name) {
				known = append(known, f.Name)
			}
		})
	}
	return known
}

// flagMeant returns the flag that was probably meant by one that does not exist: the one that is
// spelled most like it, else one that begins with the same word or is what other programs call so.
func flagMeant(name string, known []string) string {
	if near := workspace.Nearest(name, known); near != "" {
		return near
	}
	others := map[string]string{
		"no-open": "no-browser", "force": "yes", "assume-yes": "yes", "no-prompt": "yes", "all": "all-branches",
		"max": "limit", "count": "limit", "out-file": "out", "output": "out", "silent": "quiet", "dryrun": "dry-run", "what-if": "dry-run",
	}
	if other := others[name]; slices.Contains(known, other) {
		return other
	}
	return ""
}

// negative is the mistake of a number below 0, of which no flag has a use.
func negative(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if v := f.Value.String(); f.Value.Type() == "int" && strings.HasPrefix(v, "-") {
			err = &usageError{err: fmt.Errorf("--%s takes 0 or more, not %s", f.Name, v), hint: cmd.CommandPath() + " --help"}
		}
	})
	return err
}

// flagFault says in words what is wrong with a flag, where the flag's type would say it
// in those of Go.
func flagFault(err error) error {
	var value *pflag.InvalidValueError
	if !errors.As(err, &value) {
		return err
	}
	wants := map[string]string{
		"int": "a whole number", "float64": "a number", "bool": "true or false", "duration": "a time such as 10s or 5m",
	}[value.GetFlag().Value.Type()]
	if wants == "" {
		return err
	}
	return fmt.Errorf("--%s takes %s, not %q", value.GetFlag().Name, wants, value.GetValue())
}

// noWords is for a command that takes flags alone, where words are those of a search.
func noWords(cmd *cobra.Command, got []string) error {
	err := args(0, 0)(cmd, got)
	var wrong *usageError
	if errors.As(err, &wrong) {
		wrong.hint = "to find memories by words or filters: cortex search " + strings.Join(got, " ") + "\n" + cmd.CommandPath() + " --help"
	}
	return err
}
