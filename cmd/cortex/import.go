package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/imports"
)

func (a *env) importCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "import KIND SOURCE", Short: "Bring memories in from elsewhere", Args: args(0, -1),
		Long: `Bring memories in from elsewhere. They become files of the working tree, to be
looked at and committed like any other change. Secrets are taken out first.`,
		Example: "  cortex import jsonl notes.jsonl",
		RunE: func(cmd *cobra.Command, got []string) error {
			if len(got) == 0 {
				return cmd.Help()
			}
			return &usageError{err: fmt.Errorf("cortex cannot import %q", got[0]), hint: "cortex import jsonl FILE"}
		},
	}
	c.AddCommand(a.importJSONLCommand())
	return c
}

func (a *env) importJSONLCommand() *cobra.Command {
	return &cobra.Command{
		Use: "jsonl FILE", Short: "One document on each line, as JSON", Args: args(1, 1),
		Long: `Import one document for each line {"id", "title", "text", "type", "date"} of FILE
(- is standard input). Only some words are needed: a document without a title
gets one from its text. The id is kept and comes back as "ref". Importing the
same file again adds nothing.`,
		Example: "  cortex import jsonl notes.jsonl\n  some-tool --dump | cortex import jsonl -",
		RunE: func(cmd *cobra.Command, files []string) error {
			in := imports.Input{Name: files[0], Lines: a.in}
			if files[0] == "-" {
				in.Name = "standard input"
			} else {
				f, size, err := a.openInput(files[0])
				if err != nil {
					return err
				}
				defer f.Close()
				in.Lines, in.Size = f, size
			}
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				start := a.now()
				in.Progress = a.importProgress(start)
				out, err := imports.JSONL(cmd.Context(), w, in)
				if err != nil {
					return err
				}
				return a.reportImport(out, in.Name, a.now().Sub(start))
			})
		},
	}
}

// openInput opens a file that was named on the command line.
func (a *env) openInput(name string) (io.ReadCloser, int64, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.dir, name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the import: %w", err)
	}
	size := int64(0)
	if info, err := f.Stat(); err == nil {
		size = info.Size()
	}
	return f, size, nil
}

// importProgress draws a bar on a terminal for what takes longer than a second.
func (a *env) importProgress(start time.Time) func(read, total int64, documents int) {
	if !a.dialogue || a.quiet || a.json {
		return nil
	}
	p := a.errPrinter()
	return func(read, total int64, documents int) {
		switch {
		case a.now().Sub(start) < time.Second:
		case total > 0 && read >= total:
			p.raw("\r\x1b[K")
		default:
			bar := ""
			if total > 0 {
				full := int(30 * read / total)
				bar = "[" + strings.Repeat("#", full) + strings.Repeat(".", 30-full) + "] "
			}
			p.raw("\r\x1b[Kimporting " + bar)
			p.printf("%s, %s", plural(documents, "document", "documents"), throughput(read, a.now().Sub(start)))
		}
	}
}

func (a *env) reportImport(out imports.Result, name string, took time.Duration) error {
	for _, list := range [][]index.Problem{out.Skipped, out.Notes} {
		for i := range list {
			list[i].Path = name
		}
	}
	if a.json {
		if err := writeJSON(a.out, map[string]any{
			"documents": out.Documents, "added": out.Added, "known": out.Known, "redacted": out.Redacted,
			"skipped": listed(out.Skipped), "notes": listed(out.Notes), "took_ms": float64(took.Microseconds()) / 1000,
		}); err != nil {
			return err
		}
	} else {
		a.printImport(out, took)
	}
	if len(out.Skipped) > 0 {
		return errProblems
	}
	return nil
}

// listed is problems as JSON shows them: never null.
func listed(problems []index.Problem) []index.Problem { return append([]index.Problem{}, problems...) }

func (a *env) printImport(out imports.Result, took time.Duration) {
	const shown = 10
	said := slices.Concat(out.Skipped, out.Notes)
	for i, s := range said {
		if i == shown {
			a.errPrinter().printf("%s and %d more lines\n", warn("!"), len(said)-i)
			break
		}
		a.errPrinter().printf("%s %s\n", warn("!"), s.Error())
	}
	if a.quiet {
		return
	}
	p := a.printer()
	p.printf("Imported %s in %s", plural(out.Added, "document", "documents"), took.Round(10*time.Millisecond))
	for _, part := range []struct {
		n    int
		text string
	}{{out.Known, "there already"}, {out.Redacted, "without their secrets"}, {len(out.Skipped), "skipped"}} {
		if part.n > 0 {
			p.printf(", %d %s", part.n, part.text)
		}
	}
	p.printf(".\n")
	if out.Added > 0 {
		p.printf("%s\n", dim("They are files below .cortex/memories: look at them, then git add and commit."))
	}
}
