package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// whyOptions are the argument and the flags of why.
type whyOptions struct {
	place string // PATH, PATH:LINE or PATH:FIRST-LAST, as typed
	view  viewOptions
	hub   hubOptions
	limit int
}

func newWhyCommand(e *env) *cobra.Command {
	var opt whyOptions
	c := &cobra.Command{
		Use: "why PATH[:LINE[-LINE]]", Short: "Show the memories behind a file or its lines", Args: args(1, 1),
		Long: `Show why code is as it is: the memories about the file under any name it had,
that came with the commits that wrote the lines or were learned there, each with
the reason; the files that mostly changed together with it; and what sessions
that read in its folder read. The memories need no sessions here. With --hub:
what other repositories know about a file of this path.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			opt.place = words[0]
			if err := opt.hub.check(cmd, "limit"); err != nil {
				return err
			}
			return runWhy(cmd.Context(), e, opt)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault // files
		},
	}
	hubFlags(c, &opt.hub)
	f := c.Flags()
	f.StringVar(&opt.view.At, "at", "", "look at `REV` instead of the working tree")
	f.BoolVar(&opt.view.AllBranches, "all-branches", false, "include what is pending for every other branch")
	f.IntVarP(&opt.limit, "limit", "n", 10, "show at most `N` memories; 0 means all")
	_ = c.RegisterFlagCompletionFunc("at", completeBranches(e))
	return c
}

func runWhy(ctx context.Context, e *env, opt whyOptions) error {
	if opt.hub.ask {
		about := fmt.Sprintf("file:%q", filepath.ToSlash(opt.place))
		q := client.Question{Query: about, Limit: opt.limit}
		return opt.hub.search(ctx, e, q, func() error { return runWhy(ctx, e, opt) })
	}
	return e.with(ctx, opt.view.reading(), func(w *workspace.Workspace) error {
		tree, err := w.Tree()
		if err != nil {
			return err
		}
		place, err := explore.PlaceOf(opt.place, func(path string) bool {
			rel, err := relativeTo(w.Repo.Root, e.where(), path)
			return err == nil && tree.Exists(rel)
		})
		if err != nil {
			return &usageError{Err: err}
		}
		if place.Path, err = relativeTo(w.Repo.Root, e.where(), place.Path); err != nil {
			return err
		}
		out, err := explore.Why(ctx, w, place, opt.limit, opt.view.ViewOptions)
		if errors.Is(err, gitops.ErrNoLines) {
			return &usageError{Err: err}
		}
		if err != nil {
			return err
		}
		if len(out.Causes)+len(out.Commits) == 0 && (opt.view.At != "" || !tree.Exists(place.Path)) {
			err := fmt.Errorf("there is no %s, and neither history nor a memory knows of one", place.Path)
			return answer.WithHint(err, "to look for words instead: cortex search "+opt.place)
		}
		return e.show(nil, out, func(p *console.Printer) { output.Causes(p, out, e.now()) })
	})
}
