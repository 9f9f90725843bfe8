package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

func newPull(p *program) *cobra.Command {
	remove := false
	c := &cobra.Command{
		Use: "pull", Short: "Have briefings of this clone say what other repositories know", GroupID: "ask",
		Args: exactly(0, 0),
		Long: `Ask the hub what other repositories know of the dependencies of this one, and
keep it in this clone: for seven days, at most 15 % of each briefing of an agent
name such memories, with their repositories. Only repositories that the operator
of the hub named ("briefing" in hub.json) are looked into, and what may give an
agent orders, quotations and rules of users are left out.

The names of the dependencies are sent to the hub. Hooks never ask it: run this
again to have newer ones. --remove takes away what was pulled.`,
		Example: "  cortex hub pull\n  cortex hub pull --remove",
	}
	c.Flags().BoolVar(&remove, "remove", false, "take away what was pulled, and ask nobody")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		w, err := workspace.Open(cmd.Context(),
			workspace.Env{Environ: p.environ, Dir: p.dir, Now: p.now, Version: release})
		if err != nil {
			return err
		}
		defer w.Close()
		if remove {
			_, err := w.Diary.SetOthers(nil)
			return p.pulled(err, 0, 0)
		}
		return p.asking(cmd.Context(), func(ctx context.Context, hub *client.Client) error {
			return p.pull(ctx, w, hub)
		})
	}
	return c
}

// maxNames is how many names a hub is sent.
const maxNames = 128

// pull keeps in a clone what a hub knows of its dependencies.
func (p *program) pull(ctx context.Context, w *workspace.Workspace, hub *client.Client) error {
	names := workspace.UsesOf(w)
	if len(names) == 0 {
		return answer.WithHint(fmt.Errorf("no manifest here names a dependency"),
			"to search: cortex search --hub WORDS")
	}
	shelf, err := hub.Brief(ctx, names[:min(len(names), maxNames)])
	if err != nil {
		return err
	}
	var list []workspace.Other
	unflagged := lists.Without(shelf.Results, func(r *client.Result) bool { return len(r.Flags) > 0 })
	for _, r := range unflagged {
		var in []string
		for _, place := range r.Places[:min(len(r.Places), 2)] {
			in = append(in, place.Repository)
		}
		list = append(list, workspace.Other{
			ID: r.ID, Type: r.Type, Title: r.Title, Repository: strings.Join(in, ", "), Created: r.Created,
		})
	}
	kept, err := w.Diary.SetOthers(list)
	return p.pulled(err, len(kept), shelf.Repositories)
}

// pulled says what is kept now.
func (p *program) pulled(err error, memories, repos int) error {
	if err != nil {
		return err
	}
	return p.say(map[string]int{"memories": memories, "repositories": repos}, func() {
		if memories == 0 {
			p.printf("briefings say nothing of other repositories")
			return
		}
		p.printf("for seven days, briefings here may name %s of %s", plural(memories, "memory", "memories"),
			repositories(repos))
	})
}
