package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/outcomes"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/imports"
)

func newImportCommand(e *env) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use: "import KIND SOURCE", Short: "Import memories from elsewhere", Args: args(0, -1),
		Long: `Import memories from elsewhere. They become files in the working tree, to
review and commit like any other change. Secrets are removed first. Importing
the same source again adds nothing.`,
		Example: "  cortex import jsonl notes.jsonl\n  cortex import adr docs/adr --dry-run\n  cortex import notes CLAUDE.md",
		RunE: func(cmd *cobra.Command, got []string) error {
			if len(got) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, got[0])
		},
	}
	c.PersistentFlags().BoolVar(&dry, "dry-run", false, "write nothing, and say what would be imported")
	for _, kind := range []struct {
		use, short, long, example string
		read                      reader
	}{
		{
			"jsonl FILE", "Import JSON Lines, one document on each line", `Import one document from each line of FILE (- for standard input): an object
with "id", "title", "text", "type" and "date". Only a title or a text is
required; a missing title is taken from the text. The id is kept as "ref".`,
			"  cortex import jsonl notes.jsonl\n  some-tool --dump | cortex import jsonl -", imports.JSONL,
		},
		{"mcp-memory FILE", "Import the file of the MCP memory server", `Import memory.jsonl, the file of the reference memory server of the Model
Context Protocol: each entity becomes a memory of its observations, each
relation a link.`, "  cortex import mcp-memory ~/memory.jsonl", imports.MCPMemory},
		{"notes FILE", "Import a Markdown file such as CLAUDE.md", `Import a Markdown file of instructions or notes, such as CLAUDE.md, AGENTS.md or
what an agent wrote for itself: each section becomes a memory.`, "  cortex import notes CLAUDE.md", imports.Notes},
	} {
		c.AddCommand(&cobra.Command{
			Use: kind.use, Short: kind.short, Args: args(1, 1), Long: kind.long, Example: kind.example,
			RunE: func(cmd *cobra.Command, files []string) error {
				return runImportFile(cmd.Context(), e, files[0], dry, kind.read)
			},
		})
	}
	c.AddCommand(&cobra.Command{
		Use: "adr FOLDER", Short: "Import architecture decision records", Args: args(1, 1),
		Long: `Import a folder of architecture decision records, as adr-tools and MADR write
them: each becomes a decision or a rejected approach with its date, and what
was superseded is linked from what replaced it.`,
		Example: "  cortex import adr docs/decisions --dry-run",
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return runImportADR(cmd.Context(), e, dirs[0], dry)
		},
	})
	return c
}

// reader reads one kind of file.
type reader func(context.Context, *workspace.Workspace, imports.Input) (imports.Result, error)

// runImportFile imports a file, or standard input for "-".
func runImportFile(ctx context.Context, e *env, file string, dry bool, read reader) error {
	in := imports.Input{Name: file, Lines: e.in, DryRun: dry}
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
		out, err := read(ctx, w, in)
		if err != nil {
			return err
		}
		return reportImport(e, out, importOf{in.Name, dry, e.now().Sub(start)})
	})
}

// runImportADR imports a folder of architecture decision records.
func runImportADR(ctx context.Context, e *env, dir string, dry bool) error {
	root, err := os.OpenRoot(e.file(dir))
	if err != nil {
		return fmt.Errorf("reading the import: %w", err)
	}
	defer root.Close()
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		start := e.now()
		out, err := imports.ADR(ctx, w, root.FS(), dry)
		if err != nil {
			return err
		}
		return reportImport(e, out, importOf{dir, dry, e.now().Sub(start)})
	})
}

// importOf says what was imported, and how.
type importOf struct {
	name string
	dry  bool
	took time.Duration
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

func reportImport(e *env, out imports.Result, of importOf) error {
	for _, list := range [][]index.Problem{out.Skipped, out.Notes} {
		for i := range list {
			list[i].Path = cmp.Or(list[i].Path, of.name)
		}
	}
	if e.json {
		if err := answer.Write(e.out, answer.NewImported(out, of.took)); err != nil {
			return err
		}
	} else {
		outcomes.Import(e.printer(), e.errPrinter(), out, outcomes.Imported{Dry: of.dry, Took: of.took, Quiet: e.quiet})
	}
	if len(out.Skipped) > 0 {
		return errProblems
	}
	return nil
}
