// Package manual writes the man pages and completions of a program from its commands, and holds the files in share
// against them. It is for tests. Call [Files] for what a program says of itself, and [Hold] to compare it.
package manual

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-cortex/cortex/internal/lists"
)

// Files are the man pages and completions of a program by path below the root of the repository. A command of skip
// has no page: that of another program is there in its place.
func Files(t *testing.T, root *cobra.Command, release string, skip ...string) map[string]string {
	t.Helper()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("complete")
	out := map[string]string{}
	Each(root, func(c *cobra.Command) { out["share/man/man1/"+pageName(c)+".1"] = page(c, release) })
	for _, name := range skip {
		delete(out, "share/man/man1/"+name+".1")
	}
	for name, write := range map[string]func(io.Writer) error{
		root.Name() + ".bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"_" + root.Name():     root.GenZshCompletion,
		root.Name() + ".fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		root.Name() + ".ps1":  root.GenPowerShellCompletionWithDesc,
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		out["share/completions/"+name] = b.String()
	}
	return out
}

// Hold compares files below top with what they must be, or writes them. Those in share that are this program's, by
// their names, must be among them.
func Hold(t *testing.T, top string, want map[string]string, own *regexp.Regexp, update bool) {
	t.Helper()
	again := "run: go test -run TestManual . -update"
	for _, path := range present(t, top, own) {
		if _, ok := want[path]; ok {
			continue
		}
		if !update {
			t.Errorf("no command has a page %s; %s", path, again)
		} else if err := os.Remove(filepath.Join(top, filepath.FromSlash(path))); err != nil {
			t.Error(err)
		}
	}
	for name, text := range want {
		path := filepath.Join(top, filepath.FromSlash(name))
		if update {
			write(t, path, text)
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%v; %s", err, again)
		} else if diff := cmp.Diff(text, strings.ReplaceAll(string(got), "\r\n", "\n")); diff != "" {
			t.Errorf("%s is not what the commands say; %s\n(-commands +file):\n%s", name, again, diff)
		}
	}
}

// present are the man pages and completions that are there with names that match own.
func present(t *testing.T, top string, own *regexp.Regexp) (paths []string) {
	t.Helper()
	for _, dir := range []string{"man", "completions"} {
		err := filepath.WalkDir(filepath.Join(top, "share", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !own.MatchString(d.Name()) {
				return err
			}
			name, err := filepath.Rel(top, path)
			paths = append(paths, filepath.ToSlash(name))
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	return paths
}

func write(t *testing.T, path, text string) {
	t.Helper()
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666))
	if err != nil {
		t.Fatal(err)
	}
}

// Each calls do for a command and all below it that a person may call.
func Each(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, below := range c.Commands() {
		if !below.Hidden {
			Each(below, do)
		}
	}
}

// pageName is the name of the page of a command.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// Sayings is the long text of a command, or the short one as a sentence.
func Sayings(c *cobra.Command) string {
	if c.Long != "" {
		return strings.TrimSpace(c.Long)
	}
	return c.Short + "."
}

// Own are the flags of a command but for --help and those that all have.
func Own(c *cobra.Command) *pflag.FlagSet {
	out := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && c.Root().PersistentFlags().Lookup(f.Name) == nil {
			out.AddFlag(f)
		}
	})
	return out
}

// Dedent is an example without the indentation of help.
func Dedent(example string) string {
	return strings.TrimPrefix(strings.ReplaceAll("\n"+example, "\n  ", "\n"), "\n")
}

// page is the page of a command for man(1).
func page(c *cobra.Command, release string) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	name := pageName(c)
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"Cortex %s\" \"Cortex manual\"\n", strings.ToUpper(roff(name)), release)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(strings.ToLower(c.Short[:1])+c.Short[1:]))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	b.WriteString(".SH DESCRIPTION\n" + verbatimBlocks(Sayings(c)))
	options(&b, "OPTIONS", Own(c))
	options(&b, "GLOBAL OPTIONS", c.Root().PersistentFlags())
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n.nf\n")
		for line := range strings.SplitSeq(Dedent(c.Example), "\n") {
			b.WriteString(roff(line) + "\n")
		}
		b.WriteString(".fi\n")
	}
	below := lists.Without(c.Commands(), func(c *cobra.Command) bool { return c.Hidden })
	if c.HasSubCommands() {
		b.WriteString(".SH COMMANDS\n")
	}
	for _, below := range below {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(below.Name()), roff(below.Short))
	}
	b.WriteString(".SH SEE ALSO\n")
	var others []string
	if c.HasParent() {
		others = append(others, pageName(c.Parent()))
	}
	for _, below := range below {
		others = append(others, pageName(below))
	}
	for i, other := range others {
		end := ","
		if i == len(others)-1 {
			end = ""
		}
		fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(other), end)
	}
	return b.String()
}

// options writes a part of a page about flags, nothing where there are none.
func options(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, use := pflag.UnquoteUsage(f)
		words := "\\-\\-" + roff(f.Name)
		if f.Shorthand != "" {
			words = "\\-" + f.Shorthand + ", " + words
		}
		if value != "" {
			words += " " + roff(value)
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", words, roff(use))
	})
}

// verbatimBlocks is a help text in which indented lines keep their breaks.
func verbatimBlocks(text string) string {
	var b strings.Builder
	fixed := false
	for line := range strings.SplitSeq(text, "\n") {
		indented := strings.HasPrefix(line, "  ")
		switch {
		case line == "":
			b.WriteString(".PP\n")
			continue
		case indented && !fixed:
			b.WriteString(".nf\n")
		case !indented && fixed:
			b.WriteString(".fi\n")
		}
		fixed = indented
		b.WriteString(roff(line) + "\n")
	}
	if fixed {
		b.WriteString(".fi\n")
	}
	return b.String()
}

// roff escapes what troff would act on.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// HoldRelease holds the version of a program against the newest section of CHANGELOG.md in top.
func HoldRelease(t *testing.T, top, release string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## (\S+?),? `).FindSubmatch(text)
	if newest == nil || string(newest[1]) != release {
		t.Errorf("CHANGELOG.md begins with %s, the next release is %s", newest, release)
	}
}
