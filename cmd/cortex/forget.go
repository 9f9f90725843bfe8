package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/lifecycle"
)

// forgetOptions are the argument and the flags of forget. One of the first three is
// given.
type forgetOptions struct {
	id, query, session string
	limit              int
	yes                bool
	global             bool
}

func newForgetCommand(e *env) *cobra.Command {
	var opt forgetOptions
	c := &cobra.Command{
		Use: "forget [ID]", Short: "Remove a memory", Args: args(0, 1),
		Long: `Remove a memory: a pending one from the journal, a landed one from the working
tree (commit the removal like any other edit). A copy is kept in the journal,
and the memory will not be captured again.

--query lists what a search finds and reads from standard input which of them to
remove: numbers such as "1 3", "all", or nothing. --session lists what one
session left behind and asks once. An agent can do neither.`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			opt.id = cmp.Or(ids...)
			return runForget(cmd.Context(), e, opt)
		},
		ValidArgsFunction: completeIDs(e, &opt.global),
	}
	globalFlag(c, &opt.global, "forget one of your own memories, from any folder")
	c.Flags().StringVar(&opt.query, "query", "", "choose among what a search for `WORDS` finds")
	c.Flags().StringVar(&opt.session, "session", "", "remove what the session `ID` left behind")
	c.Flags().IntVarP(&opt.limit, "limit", "n", 10, "with --query, offer at most `N`")
	c.Flags().BoolVar(&opt.yes, "yes", false, "with --session, do not ask")
	return c
}

func runForget(ctx context.Context, e *env, opt forgetOptions) error {
	given := lists.Without([]string{opt.id, opt.query, opt.session}, func(s string) bool { return s == "" })
	switch len(given) {
	case 0:
		return &usageError{
			Err:  errors.New("forget: missing argument"),
			Hint: "cortex forget ID, or --query WORDS, or --session ID",
		}
	case 1:
		if opt.yes && opt.query != "" {
			return &usageError{
				Err:  errors.New("forget: --yes is for --session"),
				Hint: "cortex forget --query WORDS asks which of them to remove: answer all to remove all",
			}
		}
	default:
		return usagef("an ID, --query and --session exclude each other")
	}
	if opt.id == "" {
		return forgetMany(ctx, e, opt)
	}
	return e.with(ctx, opening{global: opt.global}, func(w *workspace.Workspace) error {
		out, err := w.Forget(ctx, opt.id)
		return e.show(err, answer.NewForgotten(out), func(p *console.Printer) {
			m := out.Entry.Memory
			p.Printf("Forgot %s  %s  %s\n", console.Bold(m.ID.Short()), m.Type, p.Cut(m.Title, p.Width-30))
			if e.quiet {
				return
			}
			if out.Entry.Stage == index.Landed {
				p.Printf("  %s\n", console.Dim("the file was removed from the working tree: commit that when you like"))
			}
			p.Printf("  %s\n", console.Dim("to bring it back: cortex restore "+m.ID.Short()))
		})
	})
}

// forgetMany lists what a query or a session means and removes what a person chooses.
func forgetMany(ctx context.Context, e *env, opt forgetOptions) error {
	if e.agents() {
		_, err := e.confirm(ctx, "", false)
		return err
	}
	return e.with(ctx, opening{reads: true, global: opt.global}, func(w *workspace.Workspace) error {
		var found []workspace.Entry
		var err error
		if opt.query != "" {
			found, err = lifecycle.Matching(ctx, w, opt.query, opt.limit)
		} else {
			found, err = lifecycle.OfSession(ctx, w, opt.session)
		}
		if err != nil {
			return err
		}
		if !e.json {
			output.Numbered(e.printer(), found)
		}
		removed := []workspace.Entry{}
		switch {
		case len(found) == 0:
		case opt.query != "":
			e.errPrinter().Printf("Which of them shall go? Numbers, all, or nothing: ")
			removed, err = choose(e, found)
		default:
			var sure bool
			if sure, err = e.confirm(ctx,
				fmt.Sprintf("Remove %s? [y/N] ", console.Plural(len(found), "memory", "memories")), opt.yes); sure {
				removed = found
			}
		}
		if err == nil && len(removed) > 0 {
			err = lifecycle.Remove(ctx, w, removed)
		}
		switch {
		case err != nil:
			return err
		case e.json:
			return answer.Write(e.out, answer.NewForgottenMany(found, removed))
		case len(removed) > 0:
			output.Removed(e.printer(), removed, e.quiet)
		}
		return nil
	})
}

// choose reads which of a list a person means. Words that are no numbers of it choose
// nothing at all.
func choose(e *env, from []workspace.Entry) ([]workspace.Entry, error) {
	line, _ := bufio.NewReader(e.in).ReadString('\n')
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r <= ' ' })
	if strings.Join(words, " ") == "all" {
		return from, nil
	}
	out := []workspace.Entry{}
	taken := map[int]bool{}
	for _, word := range words {
		n, err := strconv.ParseUint(word, 10, 31)
		if err != nil || n == 0 || int(n) > len(from) {
			return nil, usagef("%q is not a number from 1 to %d: nothing was removed", word, len(from))
		}
		if !taken[int(n)] {
			taken[int(n)] = true
			out = append(out, from[n-1])
		}
	}
	return out, nil
}
