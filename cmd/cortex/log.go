package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

func (a *env) logCommand() *cobra.Command {
	limit := 0
	c := &cobra.Command{
		Use: "log [ID]", Short: "Where memories came from", Args: args(0, 1),
		Long: `The history of memories, newest first: what was captured, landed, forgotten. With
an id, that of one memory, and the evidence it rests on.`,
		Example: "  cortex log -n 5\n  cortex log k7q2m9x",
		RunE: func(cmd *cobra.Command, ids []string) error {
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				commits, e, err := w.Log(cmd.Context(), strings.Join(ids, ""), limit)
				if err != nil {
					return err
				}
				if a.json {
					if commits == nil {
						commits = []workspace.LogEntry{}
					}
					answer := map[string]any{"commits": commits}
					if e != nil {
						answer["memory"] = e
					}
					return writeJSON(a.out, answer)
				}
				p := a.printer()
				if e != nil {
					p.printf("%s\n%s\n", bold(p.cut(e.Memory.Title, p.width)), dim(p.cut(sourceText(*e), p.width)))
				}
				for _, c := range commits {
					p.printf("%s  %s  %s  %s\n", c.Commit[:min(len(c.Commit), 8)], dim(strings.Replace(c.Time[:16], "T", " ", 1)), pad(c.Where, 7), p.cut(c.Subject, p.width-37))
				}
				if len(commits) == 0 {
					p.printf("Nothing has been committed yet.\n")
				}
				return nil
			})
		},
		ValidArgsFunction: a.completeIDs,
	}
	c.Flags().IntVarP(&limit, "limit", "n", 20, "at most `N` commits")
	return c
}
