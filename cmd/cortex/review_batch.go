package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/wording"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

// batchResult is the outcome of a review without a dialogue, as --json prints it.
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
func reviewAtOnce(ctx context.Context, e *env, w *workspace.Workspace, opt reviewOptions) error {
	out := batchResult{Moved: []batchMove{}, Accepted: []workspace.Entry{}, Rejected: []workspace.Entry{}, Failed: []batchFailure{}}
	for _, arg := range opt.rehome {
		from, to, _ := strings.Cut(arg, ":")
		d, err := review.Rehome(ctx, w, from, to)
		if err != nil {
			return err
		}
		out.Moved = append(out.Moved, batchMove{d.From, d.Branch, d.Count})
	}
	items, v, err := review.List(ctx, w, opt.Options)
	if err != nil {
		return err
	}
	found := map[string]review.Item{}
	for _, id := range slices.Concat(opt.reject, opt.replace, opt.accept) {
		if found[id], err = review.Find(items, id); err != nil {
			return err
		}
	}
	if n := len(opt.reject); !opt.yes && n >= massRejection && 5*n > len(v.Items) {
		return answer.WithHint(fmt.Errorf("that would reject %d of %d memories", n, len(v.Items)), "to confirm: --yes; to see them first: cortex review --list")
	}
	settle := func(ids []string, list *[]workspace.Entry, decide func(review.Item) (review.Decision, error)) {
		for _, id := range ids {
			if d, err := decide(found[id]); err != nil {
				out.Failed = append(out.Failed, batchFailure{id, wording.Failure(err)})
			} else {
				*list = append(*list, d.Entry)
			}
		}
	}
	settle(opt.reject, &out.Rejected, func(r review.Item) (review.Decision, error) { return review.Reject(ctx, w, r) })
	settle(opt.replace, &out.Accepted, func(r review.Item) (review.Decision, error) { return review.Accept(ctx, w, r, true) })
	settle(opt.accept, &out.Accepted, func(r review.Item) (review.Decision, error) { return review.Accept(ctx, w, r, false) })
	out.Left = len(items) - len(out.Accepted) - len(out.Rejected)
	if e.json {
		err = answer.Write(e.out, out)
	} else {
		printBatch(e, &out)
	}
	if err == nil && len(out.Failed) > 0 {
		return errProblems
	}
	return err
}

// reviewAll decides about everything that the filters choose.
func reviewAll(ctx context.Context, e *env, w *workspace.Workspace, opt reviewOptions) error {
	if opt.acceptAll && opt.rejectAll || opt.decides() {
		return usagef("--accept-all and --reject-all stand alone")
	}
	items, v, err := review.List(ctx, w, opt.Options)
	if err != nil {
		return err
	}
	if opt.Filter.Empty() && !opt.yes {
		return answer.WithHint(fmt.Errorf("that would decide about all %s that wait", console.Plural(len(items), "memory", "memories")),
			"to confirm: --yes; to choose: a filter, such as layer:pattern")
	}
	if n := len(items); opt.rejectAll && !opt.yes && n >= massRejection && 5*n > len(v.Items) {
		return answer.WithHint(fmt.Errorf("that would reject %d of %d memories", n, len(v.Items)), "to confirm: --yes; to see them first: cortex review --list")
	}
	out := batchResult{Moved: []batchMove{}, Accepted: []workspace.Entry{}, Rejected: []workspace.Entry{}, Failed: []batchFailure{}}
	decide, list := review.AcceptAll, &out.Accepted
	if opt.rejectAll {
		decide, list = review.RejectAll, &out.Rejected
	}
	b, err := decide(ctx, w, items)
	if err != nil {
		return err
	}
	for _, r := range b.Done {
		*list = append(*list, r.Entry)
	}
	for _, l := range b.Left {
		out.Failed = append(out.Failed, batchFailure{string(l.Item.Memory.ID), wording.Failure(l.Err)})
	}
	out.Left = len(items) - len(b.Done)
	if e.json {
		err = answer.Write(e.out, out)
	} else {
		printBatch(e, &out)
		if !e.quiet && b.Count > 0 {
			e.printer().Printf("%s\n", console.Dim("to take that back: cortex review --undo"))
		}
	}
	if err == nil && len(out.Failed) > 0 {
		return errProblems
	}
	return err
}

// undoReview takes the last bulk decision back.
func undoReview(ctx context.Context, e *env, w *workspace.Workspace) error {
	verb, n, err := review.UndoLast(ctx, w)
	if err != nil {
		return err
	}
	if e.json {
		return answer.Write(e.out, map[string]any{"undone": verb, "count": n})
	}
	e.printer().Printf("Taken back: %s, %s.\n", console.Plural(n, "memory", "memories"), verb)
	return nil
}

// massRejection is how many memories may be rejected at once however few there
// are.
const massRejection = 5

func printBatch(e *env, out *batchResult) {
	p := e.printer()
	for _, m := range out.Moved {
		p.Printf("%s %s from %s to %s\n", console.Good("moved   "), console.Plural(m.Count, "memory", "memories"), m.From, m.To)
	}
	for _, entry := range out.Accepted {
		p.Printf("%s %s  %s  %s\n", console.Good("accepted"), console.Bold(entry.Memory.ID.Short()), console.Pad(string(entry.Memory.Type), 12), console.Cut(entry.Memory.Title, p.Width-33))
	}
	for _, entry := range out.Rejected {
		p.Printf("%s %s  %s  %s\n", console.Warn("rejected"), console.Bold(entry.Memory.ID.Short()), console.Pad(string(entry.Memory.Type), 12), console.Cut(entry.Memory.Title, p.Width-33))
	}
	for _, f := range out.Failed {
		p.Printf("%s %s  %s\n", console.Bad("left    "), console.Bold(f.ID), f.Error)
	}
	if !e.quiet && out.Left > 0 {
		p.Printf("%s\n", console.Dim(console.Plural(out.Left, "memory is", "memories are")+" left to review"))
	}
}
