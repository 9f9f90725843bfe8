package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/wording"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// whyOptions are the argument and the flags of why.
type whyOptions struct {
	place string // PATH, PATH:LINE or PATH:FIRST-LAST, as typed
	view  viewOptions
	limit int
}

func newWhyCommand(e *env) *cobra.Command {
	var opt whyOptions
	c := &cobra.Command{
		Use: "why PATH[:LINE[-LINE]]", Short: "Show the memories behind a file or its lines", Args: args(1, 1),
		Long: `Show why code is as it is: the memories about a file under any name it has had,
those that came with the commits that wrote the lines, and those that were
learned where these commits were made. Each says why it is shown. Nothing but
the repository is needed: it works in a clone that never saw the sessions.`,
		Example: "  cortex why internal/store.go\n  cortex why internal/store.go:42\n  cortex why internal/store.go:40-60 --json",
		RunE: func(cmd *cobra.Command, words []string) error {
			opt.place = words[0]
			return runWhy(cmd.Context(), e, opt)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault // files
		},
	}
	f := c.Flags()
	f.StringVar(&opt.view.At, "at", "", "look at `REV` instead of the working tree")
	f.BoolVar(&opt.view.AllBranches, "all-branches", false, "include what is pending for every other branch")
	f.IntVarP(&opt.limit, "limit", "n", 10, "show at most `N` memories; 0 means all")
	_ = c.RegisterFlagCompletionFunc("at", completeBranches(e))
	return c
}

func runWhy(ctx context.Context, e *env, opt whyOptions) error {
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
			return &usageError{err: err}
		}
		if place.Path, err = relativeTo(w.Repo.Root, e.where(), place.Path); err != nil {
			return err
		}
		out, err := explore.Why(ctx, w, place, opt.limit, opt.view.ViewOptions)
		if errors.Is(err, gitops.ErrNoLines) {
			return &usageError{err: err}
		}
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, out)
		}
		printCauses(e, out)
		return nil
	})
}

// shownCommits is how many commits are named one by one.
const shownCommits = 5

func printCauses(e *env, out *explore.Causes) {
	p := e.printer()
	p.Evidence(func() {
		p.Printf("%s\n", console.Bold(placeText(out.Place)))
		for i, c := range out.Commits {
			if i == shownCommits {
				p.Printf("  %s\n", console.Dim(fmt.Sprintf("and %d more commits", len(out.Commits)-i)))
				break
			}
			if c.Commit == "" {
				p.Printf("  %s\n", p.Cut("not committed yet"+linesText(c.Lines), p.Width-2))
				continue
			}
			p.Printf("  %s  %s  %s\n", console.Dim(c.Commit[:7]), console.Dim(c.Time[:10]), p.Cut(c.Title+linesText(c.Lines), p.Width-23))
		}
		for _, c := range out.Causes {
			m := c.Entry.Memory
			p.Printf("\n%s  %s\n", console.Bold(m.ID.Short()), console.Bold(p.Cut(m.Title, p.Width-9)))
			p.Printf("%s", p.List(wording.Facts(c.Entry, e.now()), "         "))
			p.Printf("%s", p.Wrap(reasonsText(c.Reasons, out.Place.Path), "         "))
		}
	})
	if len(out.Causes) == 0 {
		text := "No memory of this view is behind it"
		if out.Unknown != "" {
			text += ", and " + out.Unknown
		}
		p.Printf("\n%s", p.Wrap(text+".", ""))
		p.Printf("%s\n", console.Dim(p.Cut("To look further: cortex search "+out.Place.Path, p.Width)))
	}
}

func placeText(at explore.Place) string {
	switch {
	case at.First == 0:
		return at.Path
	case at.First == at.Last:
		return fmt.Sprintf("%s:%d", at.Path, at.First)
	}
	return fmt.Sprintf("%s:%d-%d", at.Path, at.First, at.Last)
}

// linesText words the lines that a commit wrote: the first few runs of them.
func linesText(lines [][2]int) string {
	var parts []string
	for i, l := range lines {
		if i == 3 {
			parts = append(parts, "…")
			break
		}
		text := fmt.Sprint(l[0])
		if l[1] > l[0] {
			text += fmt.Sprintf("-%d", l[1])
		}
		parts = append(parts, text)
	}
	switch {
	case len(parts) == 0:
		return ""
	case len(lines) == 1 && lines[0][0] == lines[0][1]:
		return " (line " + parts[0] + ")"
	}
	return " (lines " + strings.Join(parts, ", ") + ")"
}

// reasonsText words why a memory is behind path.
func reasonsText(reasons []explore.Reason, path string) string {
	var parts []string
	for _, r := range reasons {
		switch r.Kind {
		case explore.CameWith:
			parts = append(parts, "came with "+r.Commit[:7])
		case explore.About:
			if r.Path == path {
				parts = append(parts, "about this file")
			} else {
				parts = append(parts, "about "+r.Path)
			}
		case explore.Learned:
			text := "learned since the last commit"
			if r.Commit != "" {
				text = "learned just before " + r.Commit[:7] + " was made"
			}
			parts = append(parts, text)
		case explore.After:
			parts = append(parts, "learned after "+r.Commit[:7])
		case explore.Names:
			parts = append(parts, "names "+r.Name)
		case explore.Session:
			parts = append(parts, "of the same session")
		}
	}
	return strings.Join(parts, "; ")
}
