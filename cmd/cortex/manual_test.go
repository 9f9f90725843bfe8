package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-cortex/cortex/cmd/internal/manual"
)

var updateManual = flag.Bool("update", false, "write what is generated from the commands anew")

// TestManual: docs/commands.md, the man pages and the completions are what the
// commands say of themselves. After a change of a command:
//
//	go test ./cmd/cortex -run TestManual -update
func TestManual(t *testing.T) {
	want := manualOf(t)
	manual.Hold(t, filepath.Join("..", ".."), want, regexp.MustCompile(`^(_|git-)?cortex($|\.|-[^h]|-h[^u])`), *updateManual)
}

// manualOf returns everything that is generated from the commands, by path.
func manualOf(t *testing.T) map[string]string {
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
		"[json.md](json.md) has the JSON shapes and [the exit codes](json.md#exit-codes). At a terminal, what may be longer\n" +
		"than a screen is shown by the pager that `GIT_PAGER` or `PAGER` names, or by `less`.\n\n" +
		"Every command takes these flags:\n\n```\n" + flagLines(root.PersistentFlags()) + "```\n\n" +
		"Without a command:\n\n```\n" + flagLines(manual.Own(root)) + "```\n")
	for _, group := range root.Groups() {
		fmt.Fprintf(&reference, "\n## %s\n", strings.TrimSuffix(group.Title, ":"))
		for _, c := range root.Commands() {
			if c.GroupID == group.ID && !c.Hidden {
				refer(&reference, c)
			}
		}
	}
	out["docs/commands.md"] = reference.String()
	maps.Copy(out, manual.Files(t, root, release, "cortex-hub")) // the page of the program that it runs
	out["share/man/man1/git-cortex.1"] = ".so man1/cortex.1\n"
	return out
}

// flagLines shows flags as help does.
func flagLines(f *pflag.FlagSet) string { return f.FlagUsagesWrapped(80) }

// refer writes the section of a command in the reference.
func refer(b *strings.Builder, c *cobra.Command) {
	c.InitDefaultHelpFlag()
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n```\n%s\n```\n", strings.TrimPrefix(c.CommandPath(), "cortex "), markdown(manual.Sayings(c)), c.UseLine())
	if flags := manual.Own(c); flags.HasAvailableFlags() {
		fmt.Fprintf(b, "\n```\n%s```\n", flagLines(flags))
	}
	if c.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", manual.Dedent(c.Example))
	}
	for _, below := range c.Commands() {
		if !below.Hidden {
			refer(b, below)
		}
	}
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

// TestManualIsSafe: no line of a man page is a request of troff but ours, and every
// command has a page, an example and more than one line to say.
func TestManualIsSafe(t *testing.T) {
	request := regexp.MustCompile(`^\.(TH|SH|B|BR|TP|PP|nf|fi|so) ?`)
	for name, text := range manualOf(t) {
		if !strings.HasSuffix(name, ".1") {
			continue
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, ".") && !request.MatchString(line) || strings.HasPrefix(line, "'") {
				t.Errorf("%s: troff takes this for a request: %s", name, line)
			}
		}
	}
	manual.Each(newRootCommand(&env{streams: &streams{}}, nil), func(c *cobra.Command) {
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
func TestChangelog(t *testing.T) { manual.HoldRelease(t, filepath.Join("..", ".."), release) }
