package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

func (a *env) reindexCommand() *cobra.Command {
	verify := false
	c := &cobra.Command{
		Use: "reindex", Short: "Build the search index anew", Args: args(0, 0),
		Long: `Build the search index anew from the memories. There is never a need to: the
index is a cache that mends itself. --verify only reads every file of it and
says what is damaged.`,
		Example: "  cortex reindex\n  cortex reindex --verify",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				if verify {
					problems := w.VerifyIndex(cmd.Context())
					if a.json {
						if err := writeJSON(a.out, map[string]any{"problems": problems, "ok": len(problems) == 0}); err != nil {
							return err
						}
					}
					for _, p := range problems {
						if !a.json {
							a.printer().printf("%s %s\n", bad("damaged"), p.Error())
						}
					}
					if len(problems) > 0 {
						return errProblems
					}
					if !a.json && !a.quiet {
						a.printer().printf("The index is sound.\n")
					}
					return nil
				}
				v, err := w.Reindex(cmd.Context(), a.progress("indexing"))
				if err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, map[string]any{"indexed": len(v.Items), "view": v.Shape()})
				}
				if !a.quiet {
					a.printer().printf("Indexed %s.\n", plural(len(v.Items), "memory", "memories"))
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&verify, "verify", false, "read every file of the index and report damage")
	return c
}

// progress draws a bar on a terminal for what takes longer than a second; nil
// elsewhere.
func (a *env) progress(what string) func(done, total int) {
	if !a.dialogue || a.quiet || a.json {
		return nil
	}
	start, p, shown := a.now(), a.errPrinter(), false
	return func(done, total int) {
		if total == 0 || a.now().Sub(start).Seconds() < 1 {
			return
		}
		if done >= total {
			if shown {
				p.raw("\r\x1b[K")
			}
			return
		}
		shown = true
		full := 30 * done / total
		p.raw("\r" + what + " [" + strings.Repeat("#", full) + strings.Repeat(".", 30-full) + "] ")
		p.printf("%d/%d", done, total)
	}
}
