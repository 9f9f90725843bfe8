package main

import (
	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

func (a *env) landCommand() *cobra.Command {
	all := false
	c := &cobra.Command{
		Use: "land [ID...]", Short: "Copy pending memories into the working tree and stage them", Args: args(0, -1),
		Long: `Copy pending memories of this branch into the working tree and stage exactly
those files. Without ids the sure ones land, as they would with your next
commit; --all takes every one.`,
		Example: "  cortex land\n  cortex land k7q2m9x 3mfw0c1\n  cortex land --all",
		RunE: func(cmd *cobra.Command, ids []string) error {
			if all && len(ids) > 0 {
				return usagef("either --all or ids")
			}
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				out, err := w.Land(cmd.Context(), ids, all)
				if err != nil {
					return err
				}
				if a.json {
					landed := out.Landed
					if landed == nil {
						landed = []workspace.Entry{}
					}
					return writeJSON(a.out, map[string]any{
						"landed": landed, "pages": out.Pages, "waiting": out.Waiting, "blocked": out.Blocked, "refused": out.Refused,
					})
				}
				a.printLanding(out)
				return nil
			})
		},
		ValidArgsFunction: a.completeIDs,
	}
	c.Flags().BoolVar(&all, "all", false, "every pending memory, however sure")
	return c
}

func (a *env) printLanding(out *workspace.Landing) {
	p := a.printer()
	if out.Blocked != "" {
		p.printf("Nothing can land now: %s.\n", out.Blocked)
		return
	}
	for _, e := range out.Landed {
		p.printf("%s %s  %s  %s\n", good("landed"), bold(e.Memory.ID.Short()), pad(string(e.Memory.Type), 12), p.cut(e.Memory.Title, p.width-31))
	}
	for _, page := range out.Pages {
		p.printf("%s %s\n", good("staged"), page)
	}
	for _, r := range out.Refused {
		p.printf("%s %s: %s\n", warn("left  "), r.Path, r.Reason)
	}
	if a.quiet {
		return
	}
	switch {
	case len(out.Landed) == 0 && out.Waiting == 0:
		p.printf("Nothing is pending on this branch.\n")
	case out.Waiting > 0:
		p.printf("%s\n", dim(plural(out.Waiting, "memory waits", "memories wait")+" for a look: cortex review"))
	}
}
