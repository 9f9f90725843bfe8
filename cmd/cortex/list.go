package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// listOptions are the flags of list.
type listOptions struct {
	view  viewOptions
	types []string
	stage string
	limit int    // 0 means all
	after string // an id; "" begins with the newest
}

// stages are the values of --stage.
func stages() []string { return []string{"landed", "pending", "global"} }

func newListCommand(e *env) *cobra.Command {
	var opt listOptions
	c := &cobra.Command{
		Use: "list", Short: "List memories, newest first", Args: args(0, 0),
		Long: `List the memories that this branch sees, newest first: landed ones, pending
ones, and your own global ones.`,
		Example: `  cortex list --type decision,rejected
  cortex list --stage pending
  cortex list -n 20 --after k7q2m9x
  cortex list --at v1.2 --json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runList(cmd.Context(), e, opt) },
	}
	viewFlags(c, e, &opt.view)
	c.Flags().StringSliceVarP(&opt.types, "type", "t", nil, "only these `TYPES`, separated by commas")
	c.Flags().StringVar(&opt.stage, "stage", "", "only this `STAGE`: landed, pending or global")
	c.Flags().IntVarP(&opt.limit, "limit", "n", 0, "list at most `N`; 0 means all")
	c.Flags().StringVar(&opt.after, "after", "", "go on after the memory `ID`")
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
		v, err := w.View(ctx, opt.view.ViewOptions)
		if err != nil {
			return err
		}
		entries, next, err := v.Page(ctx, workspace.ListOptions{Types: types, Stage: opt.stage, Limit: opt.limit, TextLess: !e.json, Code: true}, opt.after)
		if err != nil {
			return err
		}
		received := w.Received(ctx)
		if e.json {
			return answer.WriteList(e.out, entries, answer.NewListing(v, next))
		}
		return printList(e, v, entries, received)
	})
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

func printList(e *env, v *workspace.View, entries []workspace.Entry, received workspace.Marks) error {
	out := bufio.NewWriterSize(e.out, 64<<10)
	p := e.printer()
	p.Out = out
	if len(entries) == 0 {
		p.Printf("%s", p.WrapText(console.Join(console.Plain("No memories in this view. "), console.Dim("Write one with cortex remember TEXT; your agent's sessions will add more.")), nil))
	}
	others, stale := false, slices.ContainsFunc(entries, func(e workspace.Entry) bool { return e.Stale })
	p.Evidence(func() {
		for _, entry := range entries {
			mark := console.Plain("  ")
			if entry.Stage == index.Pending {
				mark = console.Warn("+ ")
				if received.Memory(entry.Memory.ID) {
					mark, others = console.Warn("< "), true
				}
			}
			if entry.Stage == index.Global {
				mark = console.Dim("* ")
			}
			if entry.Status != memory.StatusActive {
				mark = console.Dim("- ")
			}
			if stale && entry.Stale {
				mark = console.Join(mark, console.Warn("~ "))
			} else if stale {
				mark = console.Join(mark, console.Plain("  "))
			}
			m, from := entry.Memory, ""
			if entry.Gone() {
				from = "  (from " + console.Cut(entry.Branch, 20) + ", gone)"
			}
			p.Printf("%s%s  %s  %s  %s%s\n", mark, console.Bold(m.ID.Short()), console.Dim(m.Created.Format("2006-01-02")),
				console.Pad(string(m.Type), 12), p.Cut(m.Title, p.Width-35-mark.Columns()-len([]rune(from))), console.Dim(from))
		}
	})
	if !e.quiet {
		printLegend(p, entries, others)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the list: %w", err)
	}
	for _, problem := range v.ProblemTexts() {
		e.errPrinter().Printf("%s %s\n", console.Warn("!"), problem)
	}
	return nil
}

func printLegend(p *console.Printer, entries []workspace.Entry, others bool) {
	var notes []string
	if slices.ContainsFunc(entries, func(e workspace.Entry) bool { return e.Stage == index.Pending }) {
		notes = append(notes, "+ pending: lands with a commit or with cortex land")
	}
	if others {
		notes = append(notes, "< pending, from others: lands only with cortex land ID")
	}
	if slices.ContainsFunc(entries, func(e workspace.Entry) bool { return e.Stage == index.Global }) {
		notes = append(notes, "* global: yours, in every repository on this machine")
	}
	if slices.ContainsFunc(entries, func(e workspace.Entry) bool { return e.Stale }) {
		notes = append(notes, "~ the code that it is about has changed")
	}
	if slices.ContainsFunc(entries, func(e workspace.Entry) bool { return e.Status != memory.StatusActive }) {
		notes = append(notes, "- faded, superseded or contested")
	}
	for _, n := range notes {
		p.Printf("%s", console.Dim(p.Wrap(n, "")))
	}
}
