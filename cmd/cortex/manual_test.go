package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var updateManual = flag.Bool("update", false, "write what is generated from the commands anew")

// TestManual: docs/commands.md, the man pages and the completions are what the
// commands say of themselves. After a change of a command:
//
//	go test ./cmd/cortex -run TestManual -update
func TestManual(t *testing.T) {
	top := filepath.Join("..", "..")
	want := manual(t)
	if *updateManual {
		for _, dir := range []string{"man", "completions"} {
			if err := os.RemoveAll(filepath.Join(top, "share", dir)); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range want {
			path := filepath.Join(top, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	const again = "run: go test ./cmd/cortex -run TestManual -update"
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("%v; %s", err, again)
		} else if diff := cmp.Diff(text, strings.ReplaceAll(string(got), "\r\n", "\n")); diff != "" {
			t.Errorf("%s is not what the commands say; %s\n(-commands +file):\n%s", name, again, diff)
		}
	}
	for _, dir := range []string{"man", "completions"} {
		err := filepath.WalkDir(filepath.Join(top, "share", dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				if name, err := filepath.Rel(top, path); err != nil || want[filepath.ToSlash(name)] == "" {
					t.Errorf("no command has a page %s; %s", path, again)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// manual returns everything that is generated from the commands, by path.
func manual(t *testing.T) map[string]string {
	t.Helper()
	e := &env{streams: &streams{
		in: strings.NewReader(""), out: io.Discard, err: io.Discard, now: time.Now,
		getenv: func(string) string { return "" }, dir: t.TempDir(), width: 80,
	}}
	root := newRootCommand(e, nil)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("complete")
	out := map[string]string{}
	var reference strings.Builder
	reference.WriteString("# Commands\n\nThis page is generated from the commands themselves, as `cortex COMMAND --help` shows them.\n" +
		"[json.md](json.md) has the JSON shapes and [the exit codes](json.md#exit-codes).\n\n" +
		"Every command takes these flags:\n\n```\n" + flagLines(root.PersistentFlags()) + "```\n\n" +
		"Without a command:\n\n```\n" + flagLines(own(root)) + "```\n")
	for _, group := range root.Groups() {
		fmt.Fprintf(&reference, "\n## %s\n", strings.TrimSuffix(group.Title, ":"))
		for _, c := range root.Commands() {
			if c.GroupID == group.ID && !c.Hidden {
				refer(&reference, c)
			}
		}
	}
	out["docs/commands.md"] = reference.String()
	eachCommand(root, func(c *cobra.Command) {
		out["share/man/man1/"+pageName(c)+".1"] = manPage(c)
	})
	out["share/man/man1/git-cortex.1"] = ".so man1/cortex.1\n"
	for name, write := range map[string]func(io.Writer) error{
		"cortex.bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"_cortex":     root.GenZshCompletion,
		"cortex.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"cortex.ps1":  root.GenPowerShellCompletionWithDesc,
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		out["share/completions/"+name] = b.String()
	}
	return out
}

// eachCommand calls do for a command and all below it that a person may call.
func eachCommand(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, below := range c.Commands() {
		if !below.Hidden {
			eachCommand(below, do)
		}
	}
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// flagLines shows flags as help does.
func flagLines(f *pflag.FlagSet) string { return f.FlagUsagesWrapped(80) }

// sayings is the long text of a command, or the short one as a sentence.
func sayings(c *cobra.Command) string {
	if c.Long != "" {
		return strings.TrimSpace(c.Long)
	}
	return c.Short + "."
}

// refer writes the section of a command in the reference.
func refer(b *strings.Builder, c *cobra.Command) {
	c.InitDefaultHelpFlag()
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n```\n%s\n```\n", strings.TrimPrefix(c.CommandPath(), "cortex "), markdown(sayings(c)), c.UseLine())
	if flags := own(c); flags.HasAvailableFlags() {
		fmt.Fprintf(b, "\n```\n%s```\n", flagLines(flags))
	}
	if c.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", dedent(c.Example))
	}
	for _, below := range c.Commands() {
		if !below.Hidden {
			refer(b, below)
		}
	}
}

// own are the flags of a command but for --help and those that all have.
func own(c *cobra.Command) *pflag.FlagSet {
	out := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && c.Root().PersistentFlags().Lookup(f.Name) == nil {
			out.AddFlag(f)
		}
	})
	return out
}

func dedent(example string) string {
	return strings.TrimPrefix(strings.ReplaceAll("\n"+example, "\n  ", "\n"), "\n")
}

// markdown keeps indented lines of a help text as code, and what could be markup as it
// is written.
func markdown(text string) string {
	lines, code := []string{}, false
	for line := range strings.SplitSeq(text, "\n") {
		indented := strings.HasPrefix(line, "  ")
		if indented != code && line != "" {
			lines = append(lines, "```")
			code = indented
		}
		if !code {
			line = strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`).Replace(line)
		}
		lines = append(lines, line)
	}
	if code {
		lines = append(lines, "```")
	}
	return strings.Join(lines, "\n")
}

// manPage is the page of a command for man(1).
func manPage(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	name := pageName(c)
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"Cortex %s\" \"Cortex manual\"\n", strings.ToUpper(roff(name)), release)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(strings.ToLower(c.Short[:1])+c.Short[1:]))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	b.WriteString(".SH DESCRIPTION\n" + verbatimBlocks(sayings(c)))
	for _, part := range []struct {
		title string
		flags *pflag.FlagSet
	}{{"OPTIONS", own(c)}, {"GLOBAL OPTIONS", c.Root().PersistentFlags()}} {
		if !part.flags.HasAvailableFlags() {
			continue
		}
		fmt.Fprintf(&b, ".SH %s\n", part.title)
		part.flags.VisitAll(func(f *pflag.Flag) {
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
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", words, roff(use))
		})
	}
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n.nf\n")
		for line := range strings.SplitSeq(dedent(c.Example), "\n") {
			b.WriteString(roff(line) + "\n")
		}
		b.WriteString(".fi\n")
	}
	if c.HasSubCommands() {
		b.WriteString(".SH COMMANDS\n")
	}
	for _, below := range c.Commands() {
		if !below.Hidden {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(below.Name()), roff(below.Short))
		}
	}
	b.WriteString(".SH SEE ALSO\n")
	var others []string
	if c.HasParent() {
		others = append(others, pageName(c.Parent()))
	}
	for _, below := range c.Commands() {
		if !below.Hidden {
			others = append(others, pageName(below))
		}
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

// TestManualIsSafe: no line of a man page is a request of troff but ours, and every
// command has a page, an example and more than one line to say.
func TestManualIsSafe(t *testing.T) {
	request := regexp.MustCompile(`^\.(TH|SH|B|BR|TP|PP|nf|fi|so) ?`)
	for name, text := range manual(t) {
		if !strings.HasSuffix(name, ".1") {
			continue
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, ".") && !request.MatchString(line) || strings.HasPrefix(line, "'") {
				t.Errorf("%s: troff takes this for a request: %s", name, line)
			}
		}
	}
	eachCommand(newRootCommand(&env{streams: &streams{}}, nil), func(c *cobra.Command) {
		if !c.HasSubCommands() && c.Example == "" && c.Name() != "demo" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		if c.Long == "" {
			t.Errorf("%s says nothing of itself but its title", c.CommandPath())
		}
	})
}

// TestChangelog: the newest section of CHANGELOG.md is about the release that the
// program counts towards.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## (\S+?),? `).FindSubmatch(text)
	if newest == nil || string(newest[1]) != release {
		t.Errorf("CHANGELOG.md begins with %s, the next release is %s", newest, release)
	}
}
