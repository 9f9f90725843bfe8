package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// purgeOptions are the flags of purge.
type purgeOptions struct {
	hub.Purge
	memory, text string
	yes          bool
}

func newPurge(p *program) *cobra.Command {
	opt := purgeOptions{}
	c := &cobra.Command{
		Use: "purge", Short: "Remove memories for good, with a certificate", GroupID: "govern", Args: exactly(0, 0),
		Long: `Remove from the hub what a memory, a text, a session or an author left, and keep
it from coming in again though git still has it, also after "rebuild" and in
repositories that are added later. Git is not touched: the certificate says what
still holds it. It is printed, and kept in the folder certificates of the hub.

By an author goes each memory file that they committed a version of, by the name
or the address that git has of them. A text is read from a file, or from
standard input with -, so that it stands in no history of a shell.

Without --yes nothing goes: what would is listed.`,
		Example: `  cortex-hub purge --author ann@example.org --why "left in May"
  cortex-hub purge --author ann@example.org --why "left in May" --yes
  cortex-hub purge --memory k7q2m9x4b1c8d5e6 --yes
  printf %s "$LEAKED" | cortex-hub purge --text - --yes --json`,
	}
	f := c.Flags()
	f.StringVar(&opt.memory, "memory", "", "what goes is the memory with this `ID`")
	f.StringVar(&opt.text, "text", "", "what goes is each memory that has the text of this `FILE`")
	f.StringVar(&opt.Session, "session", "", "what goes is all that the session with this `ID` taught")
	f.StringVar(&opt.Author, "author", "", "what goes is all that `NAME` committed, by name or address")
	f.StringVar(&opt.By, "by", "", "in whose `NAME`: for the certificate")
	f.StringVar(&opt.Why, "why", "", "the `REASON`: for the certificate")
	f.BoolVar(&opt.yes, "yes", false, "do it, in place of listing what would go")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		named := lists.Without([]string{opt.memory, opt.text, opt.Session, opt.Author}, isEmpty)
		if len(named) != 1 {
			return &usageError{
				fmt.Sprintf("purge: say once what goes, not %d times", len(named)),
				"one of --memory ID, --text FILE, --session ID, --author NAME",
			}
		}
		return p.with(func(ctx context.Context, o *opened, _ []string) error { return o.purge(ctx, opt) })(cmd, args)
	}
	return c
}

// purge does what the flags say, and prints the certificate.
func (o *opened) purge(ctx context.Context, opt purgeOptions) error {
	ask := opt.Purge
	ask.DryRun, ask.By = !opt.yes, cmp.Or(opt.By, o.environment("USER"), o.environment("USERNAME"), "unknown")
	var err error
	if opt.memory != "" {
		if ask.Memory, err = memory.ParseID(opt.memory); err != nil {
			return answer.WithHint(err, "the whole id, as cortex search --hub --json shows it")
		}
	}
	if opt.text != "" {
		if ask.Text, err = o.text(opt.text); err != nil {
			return err
		}
	}
	cert, err := o.Purge(ctx, ask)
	if errors.Is(err, hub.ErrNothing) {
		return answer.WithHint(err, "a repository that is not read yet is read by cortex-hub sweep")
	}
	if err == nil && !cert.DryRun {
		err = o.keep(cert)
	}
	if err != nil {
		return err
	}
	return o.say(cert, func() { o.certify(cert) })
}

// environment is the value of a variable of the environment.
func (o *opened) environment(name string) string {
	for _, v := range o.environ {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// minText is the fewest bytes of a text that is purged: less is in every memory.
const minText = 8

// text reads what is purged from a file or standard input.
func (o *opened) text(name string) (string, error) {
	read := o.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", answer.WithHint(fmt.Errorf("reading the text to purge: %w", err), "- is standard input")
		}
		defer f.Close()
		read = f
	}
	data, err := io.ReadAll(io.LimitReader(read, maxSettings))
	if err != nil {
		return "", fmt.Errorf("reading the text to purge: %w", err)
	}
	text := strings.TrimRight(string(data), "\r\n")
	if len(text) < minText {
		return "", fmt.Errorf("the text to purge has %d bytes: fewer than %d are in too many memories", len(text),
			minText)
	}
	return text, nil
}

// keep writes a certificate into the folder of the hub.
func (o *opened) keep(cert *hub.Certificate) error {
	data, err := json.MarshalIndent(cert, "", "  ")
	if err != nil {
		return err
	}
	folder := filepath.Join(o.program.store, "certificates")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("keeping the certificate: %w", err)
	}
	err = atomicfile.WritePath(filepath.Join(folder, cert.ID+".json"), append(data, '\n'), atomicfile.Options{})
	return hub.While(err, "keeping the certificate")
}

// certify prints a certificate for a person.
func (o *opened) certify(cert *hub.Certificate) {
	if cert.DryRun {
		o.printf("files that would go: %d, things that would never come in again: %d", len(cert.Files), cert.Tombs)
	} else {
		o.printf("Certificate %s", cert.ID)
		o.printf("%s was purged on %s by %s%s", cert.What, cert.At.Format("2 January 2006 15:04 MST"), cert.By,
			because(cert.Why))
		o.printf("files that went: %d, things that never come in again: %d", len(cert.Files), cert.Tombs)
	}
	for _, f := range cert.Files {
		o.printf("  %s: %s", f.Repository, f.Path)
	}
	if cert.DryRun {
		o.printf("to do it: the same with --yes")
		return
	}
	o.printf("What still holds it, or may:")
	for _, left := range cert.Left {
		sure := "may be"
		if left.Sure {
			sure = "seen"
		}
		o.printf("  %-6s %s: %s", sure, left.Where, oneLine(left.Says))
	}
}

func isEmpty(s string) bool { return s == "" }

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}
