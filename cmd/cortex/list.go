package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// listOptions are the flags of list.
type listOptions struct {
	view  viewOptions
	types []string
	stage string
	owner string // "" means all
	limit int    // 0 means all
	after string // an id; "" begins with the newest
}

// stages are the values of --stage.
func stages() []string { return []string{"landed", "pending", "global"} }

func newListCommand(e *env) *cobra.Command {
	var opt listOptions
	c := &cobra.Command{
		Use: "list", Short: "List memories, newest first", Args: noWords,
		Long: `List the memories that this branch sees, newest first: landed ones, pending
ones, and your own global ones. --owner takes those that name a file which the
repository's CODEOWNERS gives to a person or a team; "me" is whom git's
user.email names there.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runList(cmd.Context(), e, opt) },
	}
	viewFlags(c, e, &opt.view)
	c.Flags().StringSliceVarP(&opt.types, "type", "t", nil, "only these `TYPES`, separated by commas")
	c.Flags().StringVar(&opt.stage, "stage", "", "only this `STAGE`: landed, pending or global")
	c.Flags().StringVar(&opt.owner, "owner", "",
		"only about files of this `OWNER` in CODEOWNERS: me, @name, @org/team or an address")
	c.Flags().IntVarP(&opt.limit, "limit", "n", 0, "list at most `N`; 0 means all")
	c.Flags().StringVar(&opt.after, "after", "", "go on after the memory `ID`")
	_ = c.RegisterFlagCompletionFunc("owner", fixed("me"))
	_ = c.RegisterFlagCompletionFunc("after", completeIDs(e, &opt.view.global))
	_ = c.RegisterFlagCompletionFunc("type", completeTypes)
	_ = c.RegisterFlagCompletionFunc("stage", fixed(stages()...))
	return c
}

func runList(ctx context.Context, e *env, opt listOptions) error {
	types, err := parseTypes(opt.types)
	if err != nil {
		return err
	}
	if opt.stage != "" && !slices.Contains(stages(), opt.stage) {
		return usagef("unknown stage %q: landed, pending or global", opt.stage)
	}
	return e.with(ctx, opt.view.reading(), func(w *workspace.Workspace) error {
		opt.view.Unreviewed = !w.ByAgent()
		v, err := w.View(ctx, opt.view.ViewOptions)
		if err != nil {
			return err
		}
		wanted := workspace.ListOptions{Types: types, Stage: opt.stage, Limit: opt.limit, TextLess: !e.json, Code: true}
		if opt.owner != "" {
			if wanted.Of, err = explore.OwnedBy(ctx, w, opt.owner); err != nil {
				return err
			}
		}
		entries, next, err := v.Page(ctx, wanted, opt.after)
		if err != nil {
			return err
		}
		received := w.Journal.Marks(ctx)
		if e.json {
			return answer.WriteList(e.out, entries, answer.NewListing(v, next))
		}
		if err := output.Entries(e.printer(), entries, received, e.quiet,
			len(types) == 0 && opt.stage+opt.after+opt.owner == ""); err != nil {
			return err
		}
		if said := v.QuarantineText(); said != "" {
			e.errPrinter().Printf("%s %s\n", console.Warn("?"), said)
		}
		for _, problem := range v.ProblemTexts() {
			e.errPrinter().Printf("%s %s\n", console.Warn("!"), problem)
		}
		return nil
	})
}

func parseTypes(names []string) ([]memory.Type, error) {
	var out []memory.Type
	for _, n := range names {
		t, err := parseType(n)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// viewOptions choose the state that a command looks at.
type viewOptions struct {
	workspace.ViewOptions
	global bool
}

// reading opens a workspace to read the memories of the view.
func (v viewOptions) reading() opening { return opening{reads: true, global: v.global} }

// viewFlags adds the flags that choose a state to look at.
func viewFlags(c *cobra.Command, e *env, view *viewOptions) {
	f := c.Flags()
	f.StringVar(&view.At, "at", "",
		"look at `REV` instead of the working tree: a revision, or a time (2026-03-01, yesterday)")
	f.StringVar(&view.Branch, "branch", "", "look at branch `NAME` and what is pending for it")
	globalFlag(c, &view.global, "look only at your own memories, from any folder")
	f.BoolVar(&view.AllBranches, "all-branches", false, "include what is pending for every other branch")
	_ = c.RegisterFlagCompletionFunc("branch", completeBranches(e))
	_ = c.RegisterFlagCompletionFunc("at", completeBranches(e))
}

// globalFlag adds the flag that makes a command be about the global store.
func globalFlag(c *cobra.Command, global *bool, usage string) {
	c.Flags().BoolVar(global, "global", false, usage)
}
