package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/imports"
)

func newImportCommand(e *env) *cobra.Command {
	c := &cobra.Command{
		Use: "import KIND SOURCE", Short: "Import memories from elsewhere", Args: args(0, -1),
		Long: `Import memories from elsewhere. They become files in the working tree, to
review and commit like any other change. Secrets are removed first.`,
		Example: "  cortex import jsonl notes.jsonl",
		RunE: func(cmd *cobra.Command, got []string) error {
			if len(got) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, got[0])
		},
	}
	c.AddCommand(newImportJSONLCommand(e))
	return c
}

func newImportJSONLCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "jsonl FILE", Short: "Import JSON Lines, one document on each line", Args: args(1, 1),
		Long: `Import one document from each line of FILE (- for standard input): an object
with "id", "title", "text", "type" and "date". Only a title or a text is
required; a missing title is taken from the text. The id is kept as "ref".
Importing the same file again adds nothing.`,
		Example: "  cortex import jsonl notes.jsonl\n  some-tool --dump | cortex import jsonl -",
		RunE: func(cmd *cobra.Command, files []string) error {
			return runImportJSONL(cmd.Context(), e, files[0])
		},
	}
}

// runImportJSONL imports the documents of a file, or of standard input for "-".
func runImportJSONL(ctx context.Context, e *env, file string) error {
	in := imports.Input{Name: file, Lines: e.in}
	if file == "-" {
		in.Name = "standard input"
	} else {
		f, err := os.Open(e.file(file))
		if err != nil {
			return fmt.Errorf("reading the import: %w", err)
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil {
			in.Size = info.Size()
		}
		in.Lines = f
	}
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		start := e.now()
		in.Progress = importProgress(e, start)
		out, err := imports.JSONL(ctx, w, in)
		if err != nil {
			return err
		}
		return reportImport(e, out, in.Name, e.now().Sub(start))
	})
}

// importProgress draws a bar on a terminal for what takes longer than a second.
func importProgress(e *env, start time.Time) func(read, total int64, documents int) {
	if !e.watched() {
		return nil
	}
	p := e.errPrinter()
	return func(read, total int64, documents int) {
		switch took := e.now().Sub(start); {
		case took < time.Second:
		case total > 0 && read >= total:
			p.Raw(lineBegin)
		default:
			share := ""
			if total > 0 {
				share = bar(read, total)
			}
			p.Raw(lineBegin)
			p.Printf("importing %s%s, %s", share, console.Plural(documents, "document", "documents"), throughput(read, took))
		}
	}
}

func reportImport(e *env, out imports.Result, name string, took time.Duration) error {
	for _, list := range [][]index.Problem{out.Skipped, out.Notes} {
		for i := range list {
			list[i].Path = name
		}
	}
	if e.json {
		if err := answer.Write(e.out, answer.NewImported(out, took)); err != nil {
			return err
		}
	} else {
		printImport(e, out, took)
	}
	if len(out.Skipped) > 0 {
		return errProblems
	}
	return nil
}

func printImport(e *env, out imports.Result, took time.Duration) {
	const shown = 10
	said := slices.Concat(out.Skipped, out.Notes)
	for i, s := range said {
		if i == shown {
			e.errPrinter().Printf("%s and %d more lines\n", console.Warn("!"), len(said)-i)
			break
		}
		e.errPrinter().Printf("%s %s\n", console.Warn("!"), s.Error())
	}
	if e.quiet {
		return
	}
	p := e.printer()
	p.Printf("Imported %s in %s", console.Plural(out.Added, "document", "documents"), took.Round(10*time.Millisecond))
	for _, part := range []struct {
		n    int
		text string
	}{{out.Known, "already there"}, {out.Redacted, "with secrets removed"}, {len(out.Skipped), "skipped"}} {
		if part.n > 0 {
			p.Printf(", %d %s", part.n, part.text)
		}
	}
	p.Printf(".\n")
	if out.Added > 0 {
		p.Printf("%s\n", console.Dim("They are files in .cortex/memories: review them, then git add and commit."))
	}
}
