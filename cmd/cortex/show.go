package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

func (a *env) showCommand() *cobra.Command {
	var view workspace.ViewOptions
	c := &cobra.Command{
		Use: "show ID", Short: "Show one memory whole", Args: args(1, 1),
		Long: `Show one memory whole, with where it comes from. An id is any unique beginning
of one. Of a file in which git left conflict markers both sides are shown, and
the exit code is 3.`,
		Example: "  cortex show k7q2m9x\n  cortex show k7q --json",
		RunE: func(cmd *cobra.Command, ids []string) error {
			return a.with(cmd.Context(), opening{reads: true, global: a.global}, func(w *workspace.Workspace) error {
				v, err := w.View(cmd.Context(), view)
				if err != nil {
					return err
				}
				e, err := v.Find(cmd.Context(), ids[0])
				if errors.Is(err, workspace.ErrNotFound) {
					if c, cerr := w.FindConflicted(cmd.Context(), v, ids[0]); cerr == nil {
						return a.showConflicted(c)
					}
				}
				if err != nil {
					return err
				}
				if view.At == "" && view.Branch == "" { // the working tree says nothing of another state
					e.Stale = w.Changed(e.Memory)
				}
				if a.json {
					return writeJSON(a.out, e)
				}
				a.printMemory(e)
				return nil
			})
		},
		ValidArgsFunction: a.completeIDs,
	}
	a.viewFlags(c, &view)
	return c
}

// viewFlags adds the flags that choose a state to look at.
func (a *env) viewFlags(c *cobra.Command, view *workspace.ViewOptions) {
	f := c.Flags()
	f.StringVar(&view.At, "at", "", "look at `REV` instead of the working tree")
	f.StringVar(&view.Branch, "branch", "", "look at branch `NAME` and what is pending for it")
	a.globalFlag(c, "only your own memories of all repositories, wherever you are")
	f.BoolVar(&view.AllBranches, "all-branches", false, "also what is pending for every other branch")
	_ = c.RegisterFlagCompletionFunc("branch", a.completeBranches)
	_ = c.RegisterFlagCompletionFunc("at", a.completeBranches)
}

// completeIDs offers the ids of the view with their titles.
func (a *env) completeIDs(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	var out []string
	_ = a.with(cmd.Context(), opening{reads: true, global: a.global}, func(w *workspace.Workspace) error {
		v, err := w.View(cmd.Context(), workspace.ViewOptions{})
		if err != nil {
			return err
		}
		for _, e := range v.Entries(cmd.Context()) {
			if id := string(e.Memory.ID); strings.HasPrefix(id, prefix) {
				out = append(out, e.Memory.ID.Short()+"\t"+e.Memory.Title)
			}
		}
		return nil
	})
	return out, cobra.ShellCompDirectiveNoFileComp
}

func (a *env) printMemory(e workspace.Entry) {
	p := a.printer()
	m := e.Memory
	p.printf("%s\n", bold(strings.TrimRight(p.wrap(m.Title, ""), "\n")))
	p.printf("%s", p.list(facts(e, a), ""))
	if m.Text != "" {
		p.printf("\n%s", p.wrap(m.Text, ""))
	}
	p.printf("\n")
	p.row("id", string(m.ID))
	p.row("tags", strings.Join(m.Tags, ", "))
	p.row("files", strings.Join(m.Files, ", "))
	p.row("entities", strings.Join(m.Entities, ", "))
	for _, l := range m.Links {
		p.row("link", string(l.Rel)+" "+l.To.Short())
	}
	p.row("source", sourceText(e))
	p.row("path", e.Path)
}

// showConflicted prints both sides of a file with conflict markers.
func (a *env) showConflicted(c *workspace.Conflicted) error {
	if a.json {
		if err := writeJSON(a.out, map[string]any{
			"id": c.Ours.Memory.ID, "path": c.Path, "line": c.Line,
			"conflict": map[string]any{"ours": c.Ours, "theirs": c.Theirs, "ours_name": c.OursName, "theirs_name": c.TheirsName},
		}); err != nil {
			return err
		}
		return errProblems
	}
	p := a.printer()
	p.printf("%s\n", p.wrap(fmt.Sprintf("%s:%d: git left a conflict in this file. Both sides:", c.Path, c.Line), ""))
	for _, side := range []struct {
		name, label string
		e           workspace.Entry
	}{{"ours", c.OursName, c.Ours}, {"theirs", c.TheirsName, c.Theirs}} {
		p.printf("%s\n", warn(strings.TrimSpace("== "+side.name+" "+side.label)))
		a.printMemory(side.e)
		p.printf("\n")
	}
	p.printf("Join them: %s\n", bold("cortex doctor --fix"))
	return errProblems
}

func facts(e workspace.Entry, a *env) []string {
	m := e.Memory
	out := []string{string(m.Type), string(e.Stage)}
	if e.Status != "active" {
		out = append(out, string(e.Status))
	}
	out = append(out, m.Created.Format("2006-01-02")+" ("+ago(a.now().Sub(m.Created))+")", confidenceText(e))
	if m.Pinned {
		out = append(out, "pinned")
	}
	if e.Stale {
		out = append(out, "the code it is about changed")
	}
	return out
}

func confidenceText(e workspace.Entry) string {
	text := fmt.Sprintf("confidence %.2f", e.Memory.Confidence)
	if e.Memory.Confidence-e.Effective >= 0.05 {
		text += fmt.Sprintf(", %.2f by now", e.Effective)
	}
	return text
}

func sourceText(e workspace.Entry) string {
	s := e.Memory.Source
	var parts []string
	add := func(format, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf(format, value))
		}
	}
	add("%s", s.Agent)
	add("session %s", s.Session)
	add("layer %s", s.Layer)
	add("branch %s", s.Branch)
	add("at commit %s", s.Commit)
	if s.Record > 0 {
		parts = append(parts, fmt.Sprintf("record %d", s.Record))
	}
	add("imported as %s", s.Ref)
	return strings.Join(parts, ", ")
}
