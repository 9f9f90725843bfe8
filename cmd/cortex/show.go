package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// showOptions are the argument and the flags of show.
type showOptions struct {
	id   string
	view viewOptions
	hub  hubOptions
}

func newShowCommand(e *env) *cobra.Command {
	var opt showOptions
	c := &cobra.Command{
		Use: "show ID...", Short: "Show memories in full", Args: args(1, -1),
		Long: `Show memories in full, and where each came from. ID can be any unique prefix of
an id. With --json several ids give one object a line. A name that a memory
mentions comes with what it stands for, if that is known: a project, technology,
person or file. If git left conflict markers in the file, both sides are shown
and the exit code is 3. With --hub: a memory of another repository that you may
read at the hub.`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := opt.hub.check(cmd); err != nil {
				return err
			}
			for i, id := range ids {
				if i > 0 && !e.json {
					e.printer().Printf("\n")
				}
				opt.id = id
				if err := runShow(cmd.Context(), e, opt); err != nil {
					return err
				}
			}
			return nil
		},
		ValidArgsFunction: completeIDs(e, &opt.view.global),
	}
	viewFlags(c, e, &opt.view)
	hubFlags(c, &opt.hub)
	return c
}

func runShow(ctx context.Context, e *env, opt showOptions) error {
	if opt.hub.ask {
		ask := func(hub *client.Client) (client.Told, error) { return hub.Memory(ctx, opt.id) }
		return opt.hub.answer(ctx, e, ask, func() error { return runShow(ctx, e, opt) })
	}
	return e.with(ctx, opt.view.reading(), func(w *workspace.Workspace) error {
		opt.view.Unreviewed = !w.ByAgent()
		v, err := w.View(ctx, opt.view.ViewOptions)
		if err != nil {
			return err
		}
		entry, err := v.Find(ctx, opt.id)
		if errors.Is(err, workspace.ErrNotFound) {
			if c, cerr := w.Views.FindConflicted(ctx, v, opt.id); cerr == nil {
				return showConflicted(e, c)
			}
			if note, nerr := w.Note(ctx, opt.id); nerr == nil {
				return showNote(ctx, e, w, note)
			}
		}
		if err != nil {
			return err
		}
		w.NoteRecalled(ctx, entry)
		if e.json {
			return answer.Write(e.out, explore.Show(ctx, w, entry))
		}
		title := func(id memory.ID) string {
			linked, err := v.Find(ctx, string(id))
			if err != nil {
				return "not in this view"
			}
			return linked.Memory.Quote(linked.Memory.Title)
		}
		output.Memory(e.printer(), explore.Show(ctx, w, entry), title, e.now())
		brought, err := explore.Brought(ctx, w, entry)
		if err != nil {
			return err
		}
		e.printer().Row("commit", output.Signature(brought))
		return nil
	})
}

// showNote shows a note of a session.
func showNote(ctx context.Context, e *env, w *workspace.Workspace, note *memory.Memory) error {
	shown := explore.Show(ctx, w, workspace.NoteEntry(note))
	return e.show(nil, shown, func(p *console.Printer) { output.Note(p, shown, e.now(), e.quiet) })
}

// showConflicted prints both sides of a file with conflict markers.
func showConflicted(e *env, c *workspace.Conflicted) error {
	if !e.json {
		output.Conflict(e.printer(), c, e.now())
	} else if err := answer.Write(e.out, answer.NewConflict(c)); err != nil {
		return err
	}
	return errProblems
}
