package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// completeFilters offers the filters of a search, and their values once a
// colon is there.
func (a *env) completeFilters(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	key, _, ok := strings.Cut(prefix, ":")
	if !ok {
		var out []string
		for _, k := range []string{"type", "tag", "file", "entity", "branch", "session", "status", "stage", "since", "until", "is"} {
			out = append(out, k+":")
		}
		return starting(out, prefix), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	bare := strings.TrimPrefix(key, "-")
	var out []string
	for _, v := range a.filterValues(cmd, bare) {
		if strings.ContainsAny(v, " ,") {
			v = `"` + v + `"`
		}
		out = append(out, key+":"+v)
	}
	return starting(out, prefix), cobra.ShellCompDirectiveNoFileComp
}

func starting(list []string, prefix string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return !strings.HasPrefix(s, prefix) })
}

func (a *env) filterValues(cmd *cobra.Command, key string) (out []string) {
	switch key {
	case "type":
		for _, t := range memory.Types() {
			out = append(out, string(t))
		}
	case "status":
		out = []string{"active", "superseded", "contested", "archived"}
	case "stage":
		out = []string{"landed", "pending", "global"}
	case "is":
		out = []string{"open", "pinned", "stale", "contested", "superseded", "archived", "pending"}
	case "since", "until":
		out = []string{"today", "yesterday", "7d", "last-week", "last-month", "this-year"}
	case "tag", "entity", "file", "branch", "session":
		_ = a.with(cmd.Context(), opening{reads: true, global: a.global}, func(w *workspace.Workspace) error {
			out = w.FilterValues(cmd.Context(), key)
			return nil
		})
	}
	return out
}

// completeBranches offers the branches of the repository to a flag.
func (a *env) completeBranches(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	return starting(a.filterValues(cmd, "branch"), prefix), cobra.ShellCompDirectiveNoFileComp
}
