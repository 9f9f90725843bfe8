package main

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

func (a *env) listCommand() *cobra.Command {
	var view workspace.ViewOptions
	var types []string
	var stage string
	limit := 0
	c := &cobra.Command{
		Use: "list", Short: "List the memories of this view, newest first", Args: args(0, 0),
		Example: `  cortex list --type decision,rejected
  cortex list --stage pending
  cortex list --at v1.2 --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			wanted, err := parseTypes(types)
			if err != nil {
				return err
			}
			if stage != "" && !slices.Contains([]string{"landed", "pending", "global"}, stage) {
				return usagef("unknown stage %q: landed, pending or global", stage)
			}
			return a.with(cmd.Context(), opening{reads: true, global: a.global}, func(w *workspace.Workspace) error {
				v, err := w.View(cmd.Context(), view)
				if err != nil {
					return err
				}
				return a.printList(v, v.List(cmd.Context(), workspace.ListOptions{
					Types: wanted, Stage: stage, Limit: limit, TextLess: !a.json,
				}), w.Received(cmd.Context()))
			})
		},
	}
	a.viewFlags(c, &view)
	c.Flags().StringSliceVarP(&types, "type", "t", nil, "only these types")
	c.Flags().StringVar(&stage, "stage", "", "only landed, pending or global ones")
	c.Flags().IntVarP(&limit, "limit", "n", 0, "at most `N`; 0 means all")
	_ = c.RegisterFlagCompletionFunc("type", completeTypes)
	_ = c.RegisterFlagCompletionFunc("stage", cobra.FixedCompletions([]string{"landed", "pending", "global"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func parseTypes(names []string) ([]memory.Type, error) {
	var out []memory.Type
	for _, n := range names {
		t, err := memory.ParseType(n)
		if err != nil {
			return nil, &usageError{err: err}
		}
		out = append(out, t)
	}
	return out, nil
}

func (a *env) printList(v *workspace.View, entries []workspace.Entry, received map[string]bool) error {
	if a.json {
		problems := v.Problems
		if problems == nil {
			problems = []index.Problem{}
		}
		return writeMemories(a.out, entries, map[string]any{"view": v.Shape(), "problems": problems})
	}
	out := bufio.NewWriterSize(a.out, 64<<10)
	p := a.printer()
	p.w = out
	if len(entries) == 0 {
		p.printf("%s", p.wrapText(join(unstyled("No memories in this view. "), dim("cortex remember TEXT writes one; agents' sessions bring more.")), nil))
	}
	others := false
	for _, e := range entries {
		mark := unstyled("  ")
		if e.Stage == index.Pending {
			mark = warn("+ ")
			if received[e.Memory.ID.Short()] {
				mark, others = warn("< "), true
			}
		}
		if e.Stage == index.Global {
			mark = dim("* ")
		}
		if e.Status != memory.StatusActive {
			mark = dim("- ")
		}
		m := e.Memory
		p.printf("%s%s  %s  %s  %s\n", mark, bold(m.ID.Short()), dim(m.Created.Format("2006-01-02")),
			pad(string(m.Type), 12), p.cut(m.Title, p.width-37))
	}
	if !a.quiet {
		a.printLegend(p, entries, others)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the list: %w", err)
	}
	for _, problem := range v.Problems {
		a.errPrinter().printf("%s %s\n", warn("!"), problem.Error())
	}
	return nil
}

func (a *env) printLegend(p *printer, entries []workspace.Entry, others bool) {
	var notes []string
	if slices.ContainsFunc(entries, func(e workspace.Entry) bool { return e.Stage == index.Pending }) {
		notes = append(notes, "+ pending: lands with a commit, or by cortex land")
	}
	if others {
		notes = append(notes, "< pending, from others: lands by cortex land ID")
	}
	if slices.ContainsFunc(entries, func(e workspace.Entry) bool { return e.Stage == index.Global }) {
		notes = append(notes, "* global: yours, in every repository of this machine")
	}
	if slices.ContainsFunc(entries, func(e workspace.Entry) bool { return e.Status != memory.StatusActive }) {
		notes = append(notes, "- faded, superseded or contested")
	}
	for _, n := range notes {
		p.printf("%s", dim(p.wrap(n, "")))
	}
}
