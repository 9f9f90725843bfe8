package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

// reviewFlags are what a review without a dialogue is told to do.
type reviewFlags struct {
	review.Options
	accept, replace, reject, rehome []string
	list, yes                       bool
}

func (f *reviewFlags) decides() bool {
	return len(f.accept)+len(f.replace)+len(f.reject)+len(f.rehome) > 0
}

func (a *env) reviewCommand() *cobra.Command {
	var flags reviewFlags
	c := &cobra.Command{
		Use: "review", Short: "Look at pending memories one by one: accept, edit, reject", Args: args(0, 0),
		Long: `Look at the pending memories of this branch one by one. Those that will not land
by themselves come first, then those that land with your next commit, then what
a merge left for a person to settle.

  a accept   write it as a file and stage that file, as cortex land ID does
  p replace  accept it, and let it supersede the memory that it contradicts
  e edit     in the editor that git commit opens
  r reject   it is not captured again; cortex restore ID brings it back
  s skip     it stays pending     b back   to the one before
  u undo     the last decision, and the ones before it
  ? help     q quit               space    more of a long text

Each decision is on disk at once. Memories that wait for a branch that was
renamed or deleted come first of all: m moves them to another branch.

Without a terminal the same letters are read from standard input, one a line.
With --accept, --reject, --replace or --rehome nothing is asked.`,
		Example: `  cortex review
  cortex review --list
  cortex review --accept k7q2m9x --reject 3mfw0c1 --json
  cortex review --rehome feature/old
  cortex review --rehome feature/old:feature/new`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.check(); err != nil {
				return err
			}
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				switch {
				case flags.decides():
					return a.reviewAtOnce(cmd.Context(), w, &flags)
				case flags.list || a.json:
					return a.listReview(cmd.Context(), w, flags.Options)
				}
				return a.reviewDialogue(cmd.Context(), w, flags.Options)
			})
		},
	}
	f := c.Flags()
	f.StringSliceVar(&flags.accept, "accept", nil, "accept memory `ID` (repeatable)")
	f.StringSliceVar(&flags.replace, "replace", nil, "accept memory `ID`; it supersedes what it contradicts (repeatable)")
	f.StringSliceVar(&flags.reject, "reject", nil, "reject memory `ID` (repeatable)")
	f.StringArrayVar(&flags.rehome, "rehome", nil, "move what waits for the branch `OLD[:NEW]`, which is gone (HEAD: a detached one)")
	f.BoolVar(&flags.list, "list", false, "only list what there is to review")
	f.BoolVar(&flags.yes, "yes", false, "also reject more than a fifth of all memories")
	f.StringVar(&flags.Branch, "branch", "", "review what is pending for branch `NAME`")
	f.BoolVar(&flags.AllBranches, "all-branches", false, "review what is pending for any branch")
	for _, name := range []string{"accept", "replace", "reject"} {
		_ = c.RegisterFlagCompletionFunc(name, a.completeReview)
	}
	_ = c.RegisterFlagCompletionFunc("branch", a.completeBranches)
	_ = c.RegisterFlagCompletionFunc("rehome", a.completeStrays)
	return c
}

// check finds what contradicts itself.
func (f *reviewFlags) check() error {
	for _, id := range slices.Concat(f.accept, f.replace) {
		if slices.Contains(f.reject, id) {
			return usagef("%s cannot be both accepted and rejected", id)
		}
		if id == "all" {
			return &usageError{err: errors.New("--accept takes ids"), hint: "cortex land --all takes every pending memory"}
		}
	}
	return nil
}

// completeReview offers what waits for review.
func (a *env) completeReview(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	var out []string
	_ = a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
		items, _, err := review.List(cmd.Context(), w, review.Options{})
		for _, r := range items {
			out = append(out, r.Memory.ID.Short()+"\t"+r.Memory.Title)
		}
		return err
	})
	return starting(out, prefix), cobra.ShellCompDirectiveNoFileComp
}

// completeStrays offers the branches that are gone and for which something
// waits.
func (a *env) completeStrays(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	var out []string
	_ = a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
		strays, err := w.Strays(cmd.Context())
		for _, s := range strays {
			out = append(out, s.Branch)
		}
		return err
	})
	return starting(out, prefix), cobra.ShellCompDirectiveNoFileComp
}

// listReview prints what there is to review.
func (a *env) listReview(ctx context.Context, w *workspace.Workspace, opt review.Options) error {
	items, v, err := review.List(ctx, w, opt)
	if err != nil {
		return err
	}
	strays, err := w.Strays(ctx)
	if err != nil {
		return err
	}
	if a.json {
		if items == nil {
			items = []review.Item{}
		}
		if strays == nil {
			strays = []workspace.Stray{}
		}
		return writeJSON(a.out, map[string]any{"memories": items, "strays": strays, "view": v.Shape()})
	}
	p := a.printer()
	for _, r := range items {
		mark := warn("? ")
		if r.Lands {
			mark = good("+ ")
		}
		p.printf("%s%s  %.2f  %s  %s\n", mark, bold(r.Memory.ID.Short()), r.Memory.Confidence, pad(string(r.Memory.Type), 12), cut(r.Memory.Title, p.width-31))
		p.printf("%s\n", dim(strings.TrimRight(wrap(strings.Join(reviewNotes(r), "; "), p.width, strings.Repeat(" ", 17)), "\n")))
	}
	if len(items) == 0 {
		p.printf("Nothing waits for review.\n")
	}
	for _, s := range strays {
		p.printf("%s\n", joinLines(fold(join(warn("! "), unstyled(strayText(s))), p.width)))
		p.printf("  %s\n", dim("cortex review --rehome "+s.Branch))
	}
	return nil
}

// reviewNotes are the short forms of what a card says in rows.
func reviewNotes(r review.Item) []string {
	notes := []string{r.Why}
	for _, d := range r.Duplicates[:min(1, len(r.Duplicates))] {
		notes = append(notes, fmt.Sprintf("%.0f %% like %s", 100*d.Alike, d.ID.Short()))
	}
	for _, d := range r.Replaces {
		notes = append(notes, "supersedes "+d.ID.Short())
	}
	for _, d := range r.Contradict {
		notes = append(notes, "contradicts "+d.ID.Short())
	}
	return notes
}

func strayText(s workspace.Stray) string {
	switch {
	case s.Branch == workspace.DetachedName:
		return plural(s.Pending, "memory was", "memories were") + " learned with a detached HEAD"
	case s.Renamed != "":
		return plural(s.Pending, "memory waits", "memories wait") + " for " + s.Branch + ", which was renamed to " + s.Renamed
	}
	return plural(s.Pending, "memory waits", "memories wait") + " for " + s.Branch + ", a branch that is gone"
}

// batchResult is what a review without a dialogue did.
type batchResult struct {
	Moved    []batchMove       `json:"moved"`
	Accepted []workspace.Entry `json:"accepted"`
	Rejected []workspace.Entry `json:"rejected"`
	Failed   []batchFailure    `json:"failed"`
	Left     int               `json:"left"`
}

type batchMove struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Count int    `json:"count"`
}

type batchFailure struct {
	ID    string `json:"id"`
	Error string `json:"error"`
}

// reviewAtOnce makes the decisions that the flags name. An id that is not
// found stops it before anything is decided.
func (a *env) reviewAtOnce(ctx context.Context, w *workspace.Workspace, flags *reviewFlags) error {
	out := batchResult{Moved: []batchMove{}, Accepted: []workspace.Entry{}, Rejected: []workspace.Entry{}, Failed: []batchFailure{}}
	for _, arg := range flags.rehome {
		from, to, _ := strings.Cut(arg, ":")
		d, err := review.Rehome(ctx, w, from, to)
		if err != nil {
			return err
		}
		out.Moved = append(out.Moved, batchMove{d.From, d.Branch, d.Count})
	}
	items, v, err := review.List(ctx, w, flags.Options)
	if err != nil {
		return err
	}
	found := map[string]review.Item{}
	for _, id := range slices.Concat(flags.reject, flags.replace, flags.accept) {
		if found[id], err = review.Find(items, id); err != nil {
			return err
		}
	}
	if n := len(flags.reject); !flags.yes && n >= massRejection && 5*n > len(v.Items) {
		return withHint(fmt.Errorf("that would reject %d of %d memories", n, len(v.Items)), "cortex review --list, and --yes if you mean it")
	}
	settle := func(ids []string, list *[]workspace.Entry, decide func(review.Item) (review.Decision, error)) {
		for _, id := range ids {
			if d, err := decide(found[id]); err != nil {
				out.Failed = append(out.Failed, batchFailure{id, withElsewhere(err)})
			} else {
				*list = append(*list, d.Entry)
			}
		}
	}
	settle(flags.reject, &out.Rejected, func(r review.Item) (review.Decision, error) { return review.Reject(ctx, w, r) })
	settle(flags.replace, &out.Accepted, func(r review.Item) (review.Decision, error) { return review.Accept(ctx, w, r, true) })
	settle(flags.accept, &out.Accepted, func(r review.Item) (review.Decision, error) { return review.Accept(ctx, w, r, false) })
	out.Left = len(items) - len(out.Accepted) - len(out.Rejected)
	if a.json {
		err = writeJSON(a.out, out)
	} else {
		a.printBatch(&out)
	}
	if err == nil && len(out.Failed) > 0 {
		return errProblems
	}
	return err
}

// massRejection is how many memories may be rejected at once however few there
// are.
const massRejection = 5

func (a *env) printBatch(out *batchResult) {
	p := a.printer()
	for _, m := range out.Moved {
		p.printf("%s %s from %s to %s\n", good("moved   "), plural(m.Count, "memory", "memories"), m.From, m.To)
	}
	for _, e := range out.Accepted {
		p.printf("%s %s  %s  %s\n", good("accepted"), bold(e.Memory.ID.Short()), pad(string(e.Memory.Type), 12), cut(e.Memory.Title, p.width-33))
	}
	for _, e := range out.Rejected {
		p.printf("%s %s  %s  %s\n", warn("rejected"), bold(e.Memory.ID.Short()), pad(string(e.Memory.Type), 12), cut(e.Memory.Title, p.width-33))
	}
	for _, f := range out.Failed {
		p.printf("%s %s  %s\n", bad("left    "), bold(f.ID), f.Error)
	}
	if !a.quiet && out.Left > 0 {
		p.printf("%s\n", dim(plural(out.Left, "memory is", "memories are")+" left to review"))
	}
}

// reviewDialogue asks a person, on the whole screen of a terminal, or line by
// line.
func (a *env) reviewDialogue(ctx context.Context, w *workspace.Workspace, opt review.Options) error {
	d := &dialogue{env: a, w: w, ctx: ctx, opt: opt}
	if err := d.load(); err != nil {
		return err
	}
	if len(d.cards) == 0 {
		a.printer().printf("Nothing waits for review.\n")
		return nil
	}
	in, isFile := a.in.(*os.File)
	out, isScreen := a.out.(*os.File)
	var err error
	if isFile && isScreen && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd())) && a.getenv("TERM") != "dumb" {
		err = d.onScreen(in, out)
	} else {
		err = d.byLines(a.in)
	}
	d.summary()
	return err
}

// elsewhereHint says how to get at a memory of another branch.
func elsewhereHint(e *workspace.ElsewhereError) string {
	switch {
	case e.Gone:
		return "cortex review --rehome " + e.Branch + " makes it pending here"
	case e.Branch == workspace.DetachedName:
		return "accept it in the worktree whose HEAD is detached"
	}
	return "git switch " + e.Branch + " to accept it there"
}

// withElsewhere is what an error says, and how to get at a memory of another
// branch.
func withElsewhere(err error) string {
	var elsewhere *workspace.ElsewhereError
	if errors.As(err, &elsewhere) {
		return err.Error() + "; " + elsewhereHint(elsewhere)
	}
	return err.Error()
}

// isPending is for what is said of a memory under review.
func isPending(r review.Item) bool { return r.Stage == index.Pending }
