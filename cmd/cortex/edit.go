package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

// editOptions are the argument and the flags of edit. With none of the flags the
// user's editor opens.
type editOptions struct {
	id, title, text, typ string
	given                func(flag string) bool
}

func newEditCommand(e *env) *cobra.Command {
	var opt editOptions
	c := &cobra.Command{
		Use: "edit ID", Short: "Change the words of a memory", Args: args(1, 1),
		Long: `Change a memory: in your editor, the one that git commit opens, or by flags. A
pending memory stays pending; the file of a landed one is changed in the working
tree, and its pages with it; a memory of your own store, which cortex list marks
with *, is changed there. The id stays, and so do the links to it.`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			opt.id, opt.given = ids[0], cmd.Flags().Changed
			return runEdit(cmd.Context(), e, opt)
		},
		ValidArgsFunction: completeIDs(e, nil),
	}
	f := c.Flags()
	f.StringVar(&opt.title, "title", "", "set the title to `TEXT`")
	f.StringVar(&opt.text, "text", "", "set what stands below the title to `TEXT`; - reads standard input")
	f.StringVarP(&opt.typ, "type", "t", "", "set the type to `TYPE`")
	_ = c.RegisterFlagCompletionFunc("type", completeTypes)
	return c
}

func runEdit(ctx context.Context, e *env, opt editOptions) error {
	if opt.given("text") {
		text, err := noteText([]string{opt.text}, e.in, maxNote)
		if err != nil {
			return err
		}
		opt.text = text
	}
	byFlags := opt.byFlags()
	if !byFlags && !e.keyboard && e.getenv("GIT_EDITOR") == "" {
		return usagef("there is no terminal for an editor: say --title, --text or --type")
	}
	return e.change(ctx, opt.id, "Edited",
		func(ctx context.Context, w *workspace.Workspace, r *review.Item) (bool, error) {
			if !byFlags {
				return editByHand(ctx, e, w, r)
			}
			return review.Change(ctx, w, r, opt.apply)
		})
}

// byFlags reports whether flags say what changes.
func (opt *editOptions) byFlags() bool {
	return opt.given("title") || opt.given("text") || opt.given("type")
}

// apply changes what flags name.
func (opt *editOptions) apply(m *memory.Memory) error {
	if opt.given("title") {
		m.Title = opt.title
	}
	if opt.given("text") {
		m.Text = opt.text
	}
	if !opt.given("type") {
		return nil
	}
	t, err := parseType(opt.typ)
	if err == nil {
		m.Type = t
	}
	return err
}

// editByHand opens the editor. What cannot be stored is said; the file of the editor is
// gone then, so what was typed is printed.
func editByHand(ctx context.Context, e *env, w *workspace.Workspace, r *review.Item) (bool, error) {
	edited, err := review.EditText(ctx, w, memory.Format(r.Memory), gitops.Terminal{In: e.in, Out: e.out, Err: e.err})
	if err != nil {
		return false, err
	}
	if len(bytes.TrimSpace(edited)) == 0 {
		return false, errors.New("the text is empty, so nothing was changed: to remove a memory, run cortex forget")
	}
	m, err := review.CheckEdited(ctx, w, *r, edited)
	if err != nil {
		e.errPrinter().Printf("%s", edited)
		return false, fmt.Errorf("what you wrote, printed above, was not saved: %w", err)
	}
	return review.Change(ctx, w, r, func(to *memory.Memory) error {
		*to = *m
		return nil
	})
}

func newPinCommand(e *env) *cobra.Command {
	var off bool
	c := &cobra.Command{
		Use: "pin ID", Short: "Keep a memory from fading", Args: args(1, 1),
		Long: `Pin a memory: it does not fade with time, comes first in the briefing, and no
agent's word replaces it. --off takes the pin out again.`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			verb := map[bool]string{false: "Pinned", true: "No longer pinned:"}[off]
			return e.change(cmd.Context(), ids[0], verb,
				func(ctx context.Context, w *workspace.Workspace, r *review.Item) (bool, error) {
					return review.Change(ctx, w, r, func(m *memory.Memory) error {
						m.Pinned = !off
						return nil
					})
				})
		},
		ValidArgsFunction: completeIDs(e, nil),
	}
	c.Flags().BoolVar(&off, "off", false, "take the pin out")
	return c
}

func newLinkCommand(e *env) *cobra.Command {
	var remove bool
	c := &cobra.Command{
		Use: "link ID REL ID", Short: "Link one memory to another", Args: args(3, 3),
		Long: `Link a memory to another: the first one gets the link. REL is one of relates_to,
derived_from, contradicts, exemplifies, refines, builds_on, supersedes, answers,
source_of, step_of and agrees. What supersedes another takes its place in the
briefing. Two memories of which one agrees with the other do not contradict each
other, whatever their words look like: nothing asks about them again.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			return runLink(cmd.Context(), e, words, remove)
		},
		ValidArgsFunction: func(
			cmd *cobra.Command, words []string, prefix string,
		) ([]string, cobra.ShellCompDirective) {
			if len(words) != 1 {
				return completeIDs(e, nil)(cmd, words, prefix)
			}
			rels := lists.Map(memory.Rels(), func(r memory.Rel) string { return string(r) })
			return starting(rels, prefix), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().BoolVar(&remove, "remove", false, "take the link out")
	return c
}

func runLink(ctx context.Context, e *env, words []string, remove bool) error {
	rel, err := memory.ParseRel(words[1])
	if err != nil {
		return &usageError{Err: err, Hint: "cortex link --help"}
	}
	verb := map[bool]string{false: "Linked", true: "No longer linked:"}[remove]
	return e.change(ctx, words[0], verb,
		func(ctx context.Context, w *workspace.Workspace, r *review.Item) (bool, error) {
			changed, err := review.Link(ctx, w, r, rel, words[2], remove)
			if errors.Is(err, review.ErrItself) {
				return false, &usageError{Err: err}
			}
			return changed, err
		})
}

// change finds a memory, has it changed, and says so.
func (e *env) change(ctx context.Context, id, verb string,
	change func(context.Context, *workspace.Workspace, *review.Item) (bool, error),
) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		r, changed, err := review.Alter(ctx, w, id, change)
		return e.show(err, r.Entry, func(p *console.Printer) {
			if !changed {
				verb = "As it was:"
			}
			output.Done(p, verb, r.Memory)
			if changed && r.Stage == index.Landed && !e.quiet {
				p.Printf("  %s\n", console.Dim("its file was changed in the working tree: commit that when you like"))
			}
		})
	})
}
