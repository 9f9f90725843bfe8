package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
	"github.com/git-cortex/cortex/workspace/review"
)

// completion offers what an argument or the value of a flag can be.
type completion = func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective)

// fixed offers words that are known beforehand.
func fixed(words ...string) completion {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// offered returns the completions that find takes from a workspace, without the
// words that are unsafe in a shell; an error offers nothing.
func offered(ctx context.Context, e *env, as opening,
	find func(*workspace.Workspace) ([]string, error),
) (out []string) {
	_ = e.with(ctx, as, func(w *workspace.Workspace) (err error) {
		out, err = find(w)
		return err
	})
	return lists.Without(out, unsafeWord)
}

// unsafeWord reports whether a completion, which comes from a repository, is for
// no shell: it would act on the terminal, or mean something to the shell that
// puts it into a command.
func unsafeWord(completion string) bool {
	word, _, _ := strings.Cut(completion, "\t")
	return memory.Clean(word) != word || strings.ContainsAny(word, "$`;&|<>()\"'\\!\n\t")
}

// describedColumns is how wide the title beside a completion is.
const describedColumns = 72

// described is the completion of a memory: its id, and its title beside it.
func described(m *memory.Memory) string {
	return m.ID.Short() + "\t" + console.Cut(memory.Defang(m.Title), describedColumns)
}

func starting(list []string, prefix string) []string {
	return lists.Without(list, func(s string) bool { return !strings.HasPrefix(s, prefix) })
}

// completeTypes offers the types of memories.
func completeTypes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return typeNames(), cobra.ShellCompDirectiveNoFileComp
}

func typeNames() []string {
	return lists.Map(memory.Types(), func(t memory.Type) string { return string(t) })
}

// completeIDs offers the ids of the view with their titles. With global set it
// is that of the global store; it may be nil.
func completeIDs(e *env, global *bool) completion {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
		ctx, as := cmd.Context(), opening{reads: true, global: global != nil && *global}
		return offered(ctx, e, as, func(w *workspace.Workspace) (out []string, err error) {
			v, err := w.View(ctx, workspace.ViewOptions{Unreviewed: true})
			if err != nil {
				return nil, err
			}
			for _, entry := range v.Entries(ctx) {
				if strings.HasPrefix(string(entry.Memory.ID), prefix) {
					out = append(out, described(entry.Memory))
				}
			}
			return out, nil
		}), cobra.ShellCompDirectiveNoFileComp
	}
}

// listed offers what find takes from a workspace.
func listed(e *env, find func(context.Context, *workspace.Workspace) ([]string, error)) completion {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
		ctx := cmd.Context()
		out := offered(ctx, e, opening{}, func(w *workspace.Workspace) ([]string, error) { return find(ctx, w) })
		return starting(out, prefix), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeReview offers what waits for review.
func completeReview(e *env) completion {
	return listed(e, func(ctx context.Context, w *workspace.Workspace) ([]string, error) {
		items, _, err := review.List(ctx, w, review.Options{})
		return lists.Map(items, func(r review.Item) string { return described(r.Memory) }), err
	})
}

// completeDismissed offers the ids of what was rejected or forgotten.
func completeDismissed(e *env) completion {
	return listed(e, func(ctx context.Context, w *workspace.Workspace) ([]string, error) {
		memories, err := review.Dismissed(ctx, w)
		return lists.Map(memories, described), err
	})
}

// completeStrays offers the branches that are gone and for which something
// waits.
func completeStrays(e *env) completion {
	return listed(e, func(ctx context.Context, w *workspace.Workspace) ([]string, error) {
		gone, err := w.Views.GoneBranches(ctx)
		return lists.Map(gone, func(s workspace.GoneBranch) string { return s.Branch }), err
	})
}

// completeBranches offers the branches of the repository.
func completeBranches(e *env) completion {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
		return starting(filterValues(cmd.Context(), e, opening{reads: true}, "branch"), prefix),
			cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFilters offers the filters of a search, and their values once a
// colon is there.
func completeFilters(e *env, view *viewOptions) completion {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
		key, _, ok := strings.Cut(prefix, ":")
		var out []string
		if !ok {
			for _, k := range []string{
				"type", "tag", "file", "entity", "branch", "session", "status", "stage", "since", "until", "is",
			} {
				out = append(out, k+":")
			}
			return starting(out, prefix), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		for _, v := range filterValues(cmd.Context(), e, view.reading(), strings.TrimPrefix(key, "-")) {
			if strings.ContainsAny(v, " ,") {
				v = `"` + v + `"`
			}
			out = append(out, key+":"+v)
		}
		return starting(out, prefix), cobra.ShellCompDirectiveNoFileComp
	}
}

// filterValues are values that a filter of a search can have here.
func filterValues(ctx context.Context, e *env, as opening, key string) []string {
	return offered(ctx, e, as, func(w *workspace.Workspace) ([]string, error) {
		return explore.FilterValues(ctx, w, key), nil
	})
}
