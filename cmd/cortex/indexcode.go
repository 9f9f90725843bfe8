package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/codes"
)

// indexCodeOptions are the argument and the flags of index-code.
type indexCodeOptions struct {
	path, symbol, text string
	sourceOf           []string
	pending            bool
	limit              int
}

func newIndexCodeCommand(e *env) *cobra.Command {
	var opt indexCodeOptions
	c := &cobra.Command{
		Use: "index-code PATH", Short: "Describe code, or list what lacks a description", Args: args(1, 1),
		Long: `Without --text, list the functions, methods and types in a file or folder that
lack a description, or have one of other code. With --text, write one: a memory
of the type code with the text, the place and the code, which search finds by
its words and by the name of the symbol. Go is read as Go; of other languages
the symbols are those that Universal Ctags finds, and without it a whole file is
described. If TEXT is -, it is read from standard input.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			opt.path = words[0]
			if cmd.Flags().Changed("text") {
				return runDescribe(cmd.Context(), e, opt)
			}
			if opt.symbol != "" || len(opt.sourceOf) > 0 || opt.pending {
				return usagef("--symbol, --source-of and --pending go with --text")
			}
			return runSurvey(cmd.Context(), e, opt)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault // files
		},
	}
	f := c.Flags()
	f.StringVar(&opt.text, "text", "", "what the code is for: `TEXT`, or - for standard input")
	f.StringVar(&opt.symbol, "symbol", "",
		"`NAME` of the function, method (Type.Name) or type; without it the whole file")
	f.StringSliceVar(&opt.sourceOf, "source-of", nil, "`ID` of a memory that the code is the source of (repeatable)")
	f.BoolVar(&opt.pending, "pending", false, "write to the journal instead of the working tree")
	f.IntVarP(&opt.limit, "limit", "n", 50, "list at most `N` symbols; 0 means all")
	global := false
	_ = c.RegisterFlagCompletionFunc("source-of", completeIDs(e, &global))
	return c
}

func runDescribe(ctx context.Context, e *env, opt indexCodeOptions) error {
	text, err := noteText([]string{opt.text}, e.in, maxNote)
	if err != nil {
		return err
	}
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		d := codes.Description{Symbol: opt.symbol, Prose: text, Pending: opt.pending}
		if d.Path, err = relativeTo(w.Repo.Root, e.where(), opt.path); err != nil {
			return err
		}
		for _, id := range opt.sourceOf {
			d.SourceOf = append(d.SourceOf, memory.ID(id))
		}
		out, err := codes.Describe(ctx, w, process.Ctags(), d)
		var unknown *codes.SymbolError
		if errors.As(err, &unknown) {
			return &usageError{Err: err, Hint: unknown.Hint()}
		}
		if err != nil {
			return err
		}
		return printRemembered(e, out)
	})
}

func runSurvey(ctx context.Context, e *env, opt indexCodeOptions) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		rel, err := folderTo(w, e.where(), opt.path)
		if err != nil {
			return err
		}
		found, err := codes.Survey(ctx, w, process.Ctags(), rel, opt.limit, workspace.ViewOptions{})
		return e.show(err, found, func(p *console.Printer) { output.Survey(p, found) })
	})
}

// folderTo is [relativeTo] for what may also be the root itself.
func folderTo(w *workspace.Workspace, dir, path string) (string, error) {
	rel, err := relativeTo(w.Repo.Root, dir, path)
	if err != nil && isRoot(w.Repo.Root, dir, path) {
		return ".", nil
	}
	return rel, err
}

// isRoot reports whether a path names the root of the working tree, in which dir is.
func isRoot(root, dir, path string) bool {
	below, in := workspace.Below(root, dir)
	switch path {
	case root:
		return in
	case ".", "./":
		return in && below == "."
	}
	return false
}
