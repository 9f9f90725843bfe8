package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

func (a *env) relatedCommand() *cobra.Command {
	var view workspace.ViewOptions
	depth, limit := 1, 20
	c := &cobra.Command{
		Use: "related ID", Short: "Show the memories around one", Args: args(1, 1),
		Long: `Show the memories around one: linked to it, of the same session, about the same
files and names, or saying something similar; the nearest first. Above them
stands its evolution: what it replaced or refined, and what became of it.`,
		Example: "  cortex related k7q2m9x\n  cortex related k7q --depth 2 --json",
		RunE: func(cmd *cobra.Command, ids []string) error {
			if depth < 1 || depth > 4 {
				return usagef("--depth is 1 to 4")
			}
			return a.with(cmd.Context(), opening{reads: true, global: a.global}, func(w *workspace.Workspace) error {
				out, err := w.Related(cmd.Context(), ids[0], depth, limit, view)
				if err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, out)
				}
				a.printRelated(out)
				return nil
			})
		},
		ValidArgsFunction: a.completeIDs,
	}
	a.viewFlags(c, &view)
	c.Flags().IntVar(&depth, "depth", 1, "how many memories away, 1 to 4")
	c.Flags().IntVarP(&limit, "limit", "n", 20, "at most `N` memories; 0 means all")
	return c
}

func (a *env) printRelated(out *workspace.Relatives) {
	p := a.printer()
	p.printf("%s  %s\n", bold(out.Of.Memory.ID.Short()), bold(p.cut(out.Of.Memory.Title, p.width-9)))
	if len(out.Chain) > 0 {
		p.printf("\n%s\n", dim("how it evolved, oldest first"))
		for _, e := range out.Chain {
			mark := unstyled("  ")
			if e.Memory.ID == out.Of.Memory.ID {
				mark = good("> ")
			}
			p.printf("%s%s  %s  %s\n", mark, e.Memory.ID.Short(), dim(e.Memory.Created.Format("2006-01-02")), p.cut(e.Memory.Title, p.width-23))
		}
	}
	if len(out.Related) == 0 {
		p.printf("\nNothing in this view is related to it. %s\n", dim("--depth 2 looks further."))
		return
	}
	for _, r := range out.Related {
		m := r.Entry.Memory
		p.printf("\n%s  %s\n", bold(m.ID.Short()), bold(p.cut(m.Title, p.width-9)))
		p.printf("%s", p.list(facts(r.Entry, a), "         "))
		p.printf("%s", p.wrap(tiesText(r.Ties, out.Of.Memory.ID), "         "))
	}
}

// tiesText words why a memory is related; of many reasons the first.
func tiesText(ties []index.Tie, of memory.ID) string {
	var parts []string
	for i, t := range ties {
		if i == 4 {
			parts = append(parts, fmt.Sprintf("and %d more", len(ties)-i))
			break
		}
		text := ""
		switch {
		case t.Rel == index.RelSimilar:
			text = fmt.Sprintf("similar (%.0f %%)", 100*t.Weight)
		case t.Rel == index.RelSession:
			text = "of the same session"
		case t.Rel == index.RelTopic:
			text = fmt.Sprintf("of the same topic, %q", t.Name)
		case t.Rel == index.RelFile:
			text = "about " + t.Name + " too"
		case t.Rel == index.RelEntity:
			text = "mentions " + t.Name + " too"
		case t.Back:
			text = strings.ReplaceAll(t.Rel, "_", " ") + " it"
		default:
			text = workspace.Passive(memory.Rel(t.Rel)) + " it"
		}
		if t.From != of {
			text += " (through " + t.From.Short() + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
