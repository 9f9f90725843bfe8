package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/exports"
)

// exportOptions are the argument and the flags of export.
type exportOptions struct {
	format string
	out    string // "" is standard output
	types  []string
	view   viewOptions
}

// exportFormats are the formats of export.
func exportFormats() []string { return []string{"json", "jsonl", "markdown"} }

func newExportCommand(e *env) *cobra.Command {
	var opt exportOptions
	c := &cobra.Command{
		Use: "export FORMAT [--out PATH]", Short: "Write memories in a format of others", Args: args(1, 1),
		Long: `Write the memories of a view for other programs and people: json (one object),
jsonl (an object a line, which import jsonl reads), or markdown (one text). The
memories in the repository are plain Markdown already, and stay as they are.
Your own global memories are left out: --global exports those, and nothing else.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			opt.format = words[0]
			return runExport(cmd.Context(), e, opt)
		},
		ValidArgsFunction: fixed(exportFormats()...),
	}
	viewFlags(c, e, &opt.view)
	c.Flags().StringVarP(&opt.out, "out", "o", "", "write to the file `PATH`")
	c.Flags().StringSliceVarP(&opt.types, "type", "t", nil, "only these `TYPES`, separated by commas")
	_ = c.RegisterFlagCompletionFunc("type", completeTypes)
	return c
}

func runExport(ctx context.Context, e *env, opt exportOptions) error {
	types, err := parseTypes(opt.types)
	if err != nil {
		return err
	}
	if !slices.Contains(exportFormats(), opt.format) {
		return usagef("unknown format %q: json, jsonl or markdown", opt.format)
	}
	opt.view.Local = true
	return e.with(ctx, opt.view.reading(), func(w *workspace.Workspace) error {
		v, err := w.View(ctx, opt.view.ViewOptions)
		if err != nil {
			return err
		}
		entries := v.List(ctx, workspace.ListOptions{Types: types, Code: true})
		name := filepath.Base(w.Repo.Root)
		if opt.out == "" {
			return writeExport(e.out, opt.format, name, v, entries)
		}
		var b bytes.Buffer
		if err := writeExport(&b, opt.format, name, v, entries); err != nil {
			return err
		}
		if err := atomicfile.WritePath(e.file(opt.out), b.Bytes(), atomicfile.Options{}); err != nil {
			return err
		}
		return reportExport(e, len(entries), opt)
	})
}

func writeExport(out io.Writer, format, name string, v *workspace.View, entries []workspace.Entry) error {
	switch format {
	case "json":
		return answer.WriteList(out, entries, answer.NewListing(v, ""))
	case "jsonl":
		return exports.Lines(out, entries)
	default:
		return exports.Document(out, name, entries)
	}
}

func reportExport(e *env, n int, opt exportOptions) error {
	written := struct {
		Format   string `json:"format"`
		Path     string `json:"path"`
		Memories int    `json:"memories"`
	}{opt.format, opt.out, n}
	return e.show(nil, written, func(p *console.Printer) {
		p.Printf("Exported %s to %s\n", console.Plural(n, "memory", "memories"),
			console.Bold(p.Cut(opt.out, p.Width-30)))
	})
}
