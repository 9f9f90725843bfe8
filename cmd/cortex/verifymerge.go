package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/certify"
)

// verifyMergeOptions are the arguments and the flag of verify-merge.
type verifyMergeOptions struct {
	merge string   // "" for the one under way, or HEAD
	sides []string // none, or at least two
}

func newVerifyMergeCommand(e *env) *cobra.Command {
	var opt verifyMergeOptions
	c := &cobra.Command{
		Use: "verify-merge [A B...]", Short: "Check that a merge lost no memory", Args: args(0, -1),
		Long: `Check that a merge holds the memories of all its sides, except those that a
side removed. Without arguments, this looks at the merge under way, or else at
HEAD. Name the sides of a squash merge or a rebase, which the commit does not
name. For each memory it says what is wrong: lost, resurrected, only one side's
text, conflict markers, duplicate id. It also says which pages are out of date.

It needs no set-up, no working tree and no network: use it in CI. Exit code 3
means that the merge is not certified.`,
		Example: `  cortex verify-merge
  cortex verify-merge --merge main~3
  cortex verify-merge main@{1} feature/search    after a squash merge`,
		RunE: func(cmd *cobra.Command, sides []string) error {
			opt.sides = sides
			return runVerifyMerge(cmd.Context(), e, opt)
		},
		ValidArgsFunction: completeBranches(e),
	}
	c.Flags().StringVar(&opt.merge, "merge", "", "`REV` that is the result of the merge (default HEAD)")
	_ = c.RegisterFlagCompletionFunc("merge", completeBranches(e))
	return c
}

func runVerifyMerge(ctx context.Context, e *env, opt verifyMergeOptions) error {
	if len(opt.sides) == 1 {
		return &usageError{err: errors.New("one side is not enough"), hint: "cortex verify-merge A B"}
	}
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		cert, err := certify.Merge(ctx, w, opt.merge, opt.sides)
		if err != nil {
			return err
		}
		if e.json {
			err = answer.Write(e.out, cert)
		} else {
			printCertificate(e, cert)
		}
		if err == nil && !cert.Certified {
			return errProblems
		}
		return err
	})
}

func printCertificate(e *env, c *certify.Certificate) {
	p := e.printer()
	for _, f := range c.Problems {
		printCertified(p, console.Bad(f.Kind), f)
	}
	if !e.quiet {
		for _, f := range c.Notes {
			printCertified(p, console.Warn(f.Kind), f)
		}
		for _, f := range c.Removed {
			printCertified(p, console.Dim(f.Kind), f)
		}
		p.Printf("%s", console.Wrap(fmt.Sprintf("%s: %s from %s, %d removed on one side.", shortCommit(c.Merge), console.Plural(c.Memories, "memory", "memories"), console.Plural(len(c.Sides), "side", "sides"), len(c.Removed)), p.Width, ""))
	}
	if c.Certified {
		p.Printf("%s: nothing was lost in this merge.\n", console.Good("certified"))
	} else {
		p.Printf("%s: %s.\n", console.Bad("not certified"), console.Plural(len(c.Problems), "problem", "problems"))
	}
}

func printCertified(p *console.Printer, kind console.Text, f certify.Finding) {
	title := f.Path
	if f.Title != "" {
		title = console.Cut(f.Title, max(20, p.Width-12-kind.Columns()))
	}
	if f.ID != "" {
		title = f.ID.Short() + " " + title
	}
	p.Printf("%s %s\n%s", kind, title, console.Wrap(f.Text, p.Width-2, "  "))
	if f.Title != "" {
		p.Printf("  %s\n", console.Dim(f.Path))
	}
	if f.Commit != "" {
		p.Printf("  %s\n", console.Dim("last touched by "+shortCommit(f.Commit)))
	}
	if f.Hint != "" {
		p.Printf("  %s\n", f.Hint)
	}
}

// shortCommit cuts the id of a commit to what git shows.
func shortCommit(id string) string {
	if len(id) >= 40 {
		return id[:10]
	}
	return memory.OneLine(id)
}
