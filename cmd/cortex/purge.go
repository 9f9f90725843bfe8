package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/purge"
)

func newPurgeCommand(e *env) *cobra.Command {
	var opt purgeOptions
	c := &cobra.Command{
		Use: "purge [ID|TEXT|-]", Aliases: []string{"privacy"},
		Short: "Plan how to remove a leaked secret or a person's data", Args: args(0, 1),
		Long: `Without an argument, or as cortex privacy, say which memories, notes, session
records and logs of this clone hold names of people, mail and street addresses,
phone, card or account numbers, how many, and how each goes; the text itself is
not printed.

With one, list every place of this clone that holds a memory or a text: files,
all objects of git with their names, messages and authors, the names of
branches, tags and other refs, stashes, notes, git's logs and settings, the
journal and its history, copies of forgotten memories, session records,
snapshots, what remotes were last seen to have, and caches. Then say, command by
command, what is left to do, what cannot be undone, and where purge does not
look.

A text of words is found in capitals or not, and whatever stands between the
words: so a name is also found in the name of a file or in an address. With -
the text is read from standard input, so that it does not stay in the history of
a shell. Neither it nor a name that tells of it is printed. Of a text of several
lines, such as a private key, each line of 16 characters or more counts.

While another cortex works in this clone, such as the server or a hook of an
agent, purge stops: what agents write while histories are rewritten is lost.

After a question, or with --yes, purge removes what this clone can do without:
pending memories and copies of forgotten ones that hold it, lines of session
records, and all caches. For the commands that are left to you it writes the
text to .git/cortex/purge, readable for you alone; the last of them removes it.
It rewrites no history and no file of the working tree, sends nothing, and does
nothing for an agent.

When all is done, run it again: that nothing holds the text is only said after
every object was read. --remote also reads all that each remote shows, in a new
copy that is removed again. Exit code 3: there is more to do.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 {
				return runPrivacy(cmd.Context(), e)
			}
			return runPurge(cmd.Context(), e, words[0], opt)
		},
		ValidArgsFunction: completeIDs(e, new(bool)),
	}
	c.Flags().BoolVar(&opt.yes, "yes", false, "remove what can be removed here without asking")
	c.Flags().BoolVar(&opt.remote, "remote", false, "look through a new copy of each remote too")
	return c
}

type purgeOptions struct{ yes, remote bool }

// runPrivacy says what this clone holds of people, and changes nothing.
func runPrivacy(ctx context.Context, e *env) error {
	return e.with(ctx, opening{reads: true}, func(w *workspace.Workspace) error {
		found, err := purge.Survey(ctx, w)
		return e.show(err, answer.Privacy{Personal: found}, func(p *console.Printer) { output.Personal(p, found) })
	})
}

func runPurge(ctx context.Context, e *env, word string, opt purgeOptions) error {
	if e.agents() {
		return answer.WithHint(errors.New("an agent does not purge"), "ask the user to run the command")
	}
	word, err := noteText([]string{word}, e.in, 64<<10)
	if err != nil {
		return err
	}
	var found *purge.Places
	var cache string
	err = e.with(ctx, opening{}, func(w *workspace.Workspace) (err error) {
		if found, err = findPlaces(ctx, e, w, strings.TrimRight(word, "\r\n"), opt.remote); err != nil {
			return err
		}
		if !e.json {
			output.Places(e.printer(), found)
		}
		if len(found.Places) == 0 {
			return nil
		}
		if sure, err := e.confirm(ctx, "Remove what can be removed here? [y/N] ", opt.yes); err != nil || !sure {
			return err
		}
		cache = w.Repo.CacheDir()
		return purge.Clear(ctx, w, found)
	})
	if err == nil && cache != "" { // nothing is open that would write it anew
		err = purge.ClearCache(cache)
	}
	if err != nil {
		return err
	}
	err = e.show(nil, answer.NewPurge(found), func(p *console.Printer) { output.Purged(p, found) })
	if err == nil && len(found.Places) > len(found.Done) {
		return errProblems
	}
	return err
}

// findPlaces finds what holds a text in this clone and, where asked, in its remotes.
func findPlaces(ctx context.Context, e *env, w *workspace.Workspace, word string, remote bool) (*purge.Places, error) {
	if err := purge.Alone(w); err != nil {
		return nil, answer.WithHint(err, "stop the agents that work in this clone, and run cortex purge again")
	}
	what, err := purge.Meant(ctx, w, word)
	if err != nil {
		return nil, &usageError{Err: err}
	}
	found, err := purge.Find(ctx, w, what...)
	if err == nil && remote {
		err = found.Remotes(ctx, w, gitops.Network{Prompt: e.keyboard})
	}
	return found, err
}
