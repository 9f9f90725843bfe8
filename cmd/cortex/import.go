package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/cmd/internal/usage"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/imports"
)

func newImportCommand(e *env) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use: "import [KIND SOURCE]", Short: "Import memories from elsewhere", Args: args(0, -1),
		Long: `Import memories from elsewhere. They become files in the working tree, to
review and commit like any other change. Secrets are removed first. Importing
the same source again adds nothing.

Without a KIND, look for what other programs kept here and in your home folder,
and say how many memories an import of each would bring. Nothing is written.`,
		RunE: func(cmd *cobra.Command, got []string) error {
			if len(got) == 0 {
				return runImportFind(cmd.Context(), e)
			}
			return unknownKind(cmd, got)
		},
	}
	c.PersistentFlags().BoolVar(&dry, "dry-run", false, "write nothing, and say what would be imported")
	for _, kind := range imports.Kinds() {
		one := &cobra.Command{
			Use: kind.Use, Short: kind.Short, Args: args(1, 1), Long: kind.Long, Example: kind.Example,
			RunE: func(cmd *cobra.Command, names []string) error {
				info, err := os.Stat(e.file(names[0]))
				if kind.File == nil || kind.Folder != nil && err == nil && info.IsDir() {
					return runImportFolder(cmd.Context(), e, names[0], dry, kind)
				}
				return runImportFile(cmd.Context(), e, names[0], dry, kind)
			},
		}
		if kind.File == nil {
			one.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return nil, cobra.ShellCompDirectiveFilterDirs
			}
		}
		c.AddCommand(one)
	}
	c.AddCommand(newImportStoreCommand(e, &dry))
	return c
}

// runImportFind says what can be imported, and writes nothing.
func runImportFind(ctx context.Context, e *env) error {
	return e.with(ctx, opening{reads: true}, func(w *workspace.Workspace) error {
		found := imports.Find(ctx, w, e.home())
		return e.show(nil, answer.Found{Sources: found}, func(p *console.Printer) { output.Importable(p, found) })
	})
}

// unknownKind is the mistake of importing something without its kind, or with a wrong one.
func unknownKind(cmd *cobra.Command, got []string) error {
	var kinds []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			kinds = append(kinds, c.Name())
		}
	}
	hint := "cortex import KIND SOURCE, where KIND is one of " + strings.Join(kinds, ", ")
	if near := usage.Meant(cmd, got[0]); len(near) > 0 {
		hint = "did you mean: cortex import " + strings.Join(append(near[:1], got[1:]...), " ") + "\n" + hint
	}
	return &usageError{Err: fmt.Errorf("%q is no kind of import", got[0]), Hint: hint}
}

// runImportFile imports a file, or standard input for "-".
func runImportFile(ctx context.Context, e *env, file string, dry bool, kind imports.Kind) error {
	in := imports.Input{Name: file, DryRun: dry}
	source := e.in
	if file == "-" {
		in.Name = "standard input"
	} else {
		f, size, err := imports.OpenFile(e.file(file))
		if err != nil {
			return err
		}
		defer f.Close()
		in.Size, source = size, f
	}
	lines, stop := imports.UntilDone(ctx, source)
	defer stop()
	in.Lines = lines
	return importing(ctx, e, in.Name, dry, func(w *workspace.Workspace, progress reading) (imports.Result, error) {
		in.Progress = progress
		return kind.File(ctx, w, in)
	})
}

func newImportStoreCommand(e *env, dry *bool) *cobra.Command {
	opt := imports.StoreOptions{}
	c := &cobra.Command{
		Use: "store FILE", Short: "Import the store of another memory program", Args: args(1, 1),
		Long: `Import the store of another memory program: an SQLite database of claude-mem,
engram, an event-sourced memory (events), a memory plugin (memories, edges) or a
memory graph (ideas, relations); or events or an export of engram as JSON. Which
it is, its tables say. Ids, sessions, branches, dates, files and links are kept.

Of a store of several projects, those of this repository are taken: by its
folder or the name of that. --project names another, and '*' means all.
Databases are read with the program sqlite3, which must be installed.`,
		RunE: func(cmd *cobra.Command, files []string) error {
			opt.Name, opt.DryRun = e.file(files[0]), *dry
			return runImportStore(cmd.Context(), e, opt, files[0])
		},
	}
	c.Flags().StringVar(&opt.Project, "project", "", "take the memories of the project `NAME` of the store; '*' is all")
	_ = c.RegisterFlagCompletionFunc("project", cobra.NoFileCompletions)
	return c
}

func runImportStore(ctx context.Context, e *env, opt imports.StoreOptions, name string) error {
	err := importing(ctx, e, name, opt.DryRun, func(w *workspace.Workspace, progress reading) (imports.Result, error) {
		opt.Progress = progress
		return imports.Store(ctx, w, opt)
	})
	if projects, ok := errors.AsType[*imports.ProjectsError](err); ok {
		return answer.WithHint(err, projects.Hint())
	}
	return err
}

// runImportFolder imports a folder.
func runImportFolder(ctx context.Context, e *env, dir string, dry bool, kind imports.Kind) error {
	info, err := os.Stat(e.file(dir)) // before it is opened: opening a pipe waits for whoever writes to it
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", dir)
	}
	if err != nil {
		return fmt.Errorf("reading the import: %w", err)
	}
	root, err := os.OpenRoot(e.file(dir))
	if err != nil {
		return fmt.Errorf("reading the import: %w", err)
	}
	defer root.Close()
	return importing(ctx, e, dir, dry, func(w *workspace.Workspace, _ reading) (imports.Result, error) {
		return kind.Folder(ctx, w, root.FS(), dry)
	})
}

// reading says how far an import is.
type reading = func(read, total int64, documents int)

// importing opens the workspace, runs an import of what has a name, and says what came of it.
func importing(ctx context.Context, e *env, name string, dry bool,
	do func(*workspace.Workspace, reading) (imports.Result, error),
) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error { return e.imported(w, name, dry, do) })
}

// imported runs an import, with a bar on a terminal for what takes longer than a second.
func (e *env) imported(w *workspace.Workspace, name string, dry bool,
	do func(*workspace.Workspace, reading) (imports.Result, error),
) error {
	start, progress := e.now(), reading(nil)
	if e.watched() {
		progress = e.errPrinter().Reading("importing", start, e.now)
	}
	out, err := do(w, progress)
	if err != nil {
		return err
	}
	took := e.now().Sub(start)
	for _, list := range [][]index.Problem{out.Skipped, out.Notes} {
		for i := range list {
			list[i].Path = cmp.Or(list[i].Path, name)
		}
	}
	if e.json {
		err = answer.Write(e.out, answer.NewImported(out, took))
	} else {
		output.Import(e.printer(), e.errPrinter(), out, output.Imported{Dry: dry, Took: took, Quiet: e.quiet})
	}
	if err == nil && len(out.Skipped) > 0 {
		return errProblems
	}
	return err
}
