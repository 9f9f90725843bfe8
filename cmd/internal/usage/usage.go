// Package usage is what a program says of mistakes on its command line: an unknown command or flag
// with the one that was probably meant, a wrong number of arguments, a value that is none. Both programs
// have it, so they say the same. Every mistake is an [*Error], which their exit codes go by; [Args] checks
// arguments, and [Unknown], [Flag] and [Negative] make errors of the others. [HelpCommand] and [Wrapped]
// are help as both show it.
package usage

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-cortex/cortex/index/query"
)

// Error is a mistake in how a program was called, and what to type instead: lines, or "".
type Error struct {
	Err  error
	Hint string
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// Args checks the number of arguments, of which there may be any number where most is below 0.
func Args(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, got []string) error {
		hint := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
		switch {
		case len(got) < least:
			return &Error{fmt.Errorf("%s: missing argument", name), hint}
		case most >= 0 && len(got) > most:
			return &Error{fmt.Errorf("%s: unexpected argument %q", name, got[most]), hint}
		}
		return nil
	}
}

// Unknown is the mistake of a name that is no command below parent.
func Unknown(parent *cobra.Command, name string) error {
	path := parent.CommandPath() + " "
	hint := path + "--help"
	if near := Meant(parent, name); len(near) > 0 {
		hint = "did you mean: " + path + strings.Join(near, ", "+path)
	}
	return &Error{fmt.Errorf("unknown command %q", strings.TrimPrefix(path, parent.Root().Name()+" ")+name), hint}
}

// Meant returns the commands below parent that a name probably means: the one that has it among its
// SuggestFor, those that begin with it, or the one that is spelled like it.
func Meant(parent *cobra.Command, name string) []string {
	var known []string
	for _, c := range parent.Commands() {
		if slices.Contains(c.SuggestFor, name) {
			return []string{c.Name()}
		}
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	if begun := beginningWith(name, known); len(begun) > 0 {
		return begun
	}
	if near := query.Nearest(name, known); near != "" {
		return []string{near}
	}
	return nil
}

// beginningWith returns the commands that begin with a name of two letters or more.
func beginningWith(name string, commands []string) []string {
	if len(name) < 2 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(commands), func(command string) bool {
		return !strings.HasPrefix(command, strings.ToLower(name))
	})
}

// Flag is an error of reading the flags of a command, in words, with the flag that was probably meant
// before the hint.
func Flag(cmd *cobra.Command, err error, hint string) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1 {
		if near := flagMeant(unknown.GetSpecifiedName(), flagsOf(cmd)); near != "" {
			hint = "did you mean: --" + near + "\n" + hint
		}
	}
	return &Error{flagFault(err), hint}
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
	if near := query.Nearest(name, known); near != "" {
		return near
	}
	others := map[string]string{
		"no-open": "no-browser", "force": "yes", "assume-yes": "yes", "no-prompt": "yes", "all": "all-branches",
		"max": "limit", "count": "limit", "out-file": "out", "output": "out", "silent": "quiet",
		"dryrun": "dry-run", "what-if": "dry-run",
	}
	if other := others[name]; slices.Contains(known, other) {
		return other
	}
	return ""
}

// flagFault says in words what is wrong with a flag, where the flag's type would say it in those of Go.
func flagFault(err error) error {
	var value *pflag.InvalidValueError
	if !errors.As(err, &value) {
		return err
	}
	wants := map[string]string{
		"int": "a whole number", "float64": "a number", "bool": "true or false",
		"duration": "a time such as 10s or 5m",
	}[value.GetFlag().Value.Type()]
	if wants == "" {
		return err
	}
	return fmt.Errorf("--%s takes %s, not %q", value.GetFlag().Name, wants, value.GetValue())
}

// Negative is the mistake of a number below 0, of which no flag has a use.
func Negative(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if v := f.Value.String(); f.Value.Type() == "int" && strings.HasPrefix(v, "-") {
			err = &Error{fmt.Errorf("--%s takes 0 or more, not %s", f.Name, v), cmd.CommandPath() + " --help"}
		}
	})
	return err
}
