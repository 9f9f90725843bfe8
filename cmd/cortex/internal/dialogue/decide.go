package dialogue

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

// Named are verdicts about memories, each named by its id or the beginning of it.
type Named struct {
	review.Options
	Accept  []string
	Replace []string // accept, and supersede what it contradicts
	Reject  []string
	Rehome  []string // OLD[:NEW]: move what waits for branch OLD
	Yes     bool     // reject however many
}

// Any reports whether anything is named.
func (n *Named) Any() bool { return len(n.Accept)+len(n.Replace)+len(n.Reject)+len(n.Rehome) > 0 }

// Result is the outcome of a review without a dialogue, as --json prints it.
type Result struct {
	Moved    []move            `json:"moved"`
	Accepted []workspace.Entry `json:"accepted"`
	Rejected []workspace.Entry `json:"rejected"`
	Failed   []failure         `json:"failed"`
	Left     int               `json:"left"`

	undo bool // it can be taken back as one
}

func none() *Result {
	return &Result{Moved: []move{}, Accepted: []workspace.Entry{}, Rejected: []workspace.Entry{}, Failed: []failure{}}
}

type move struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Count int    `json:"count"`
}

type failure struct {
	ID    string `json:"id"`
	Error string `json:"error"`
}

// massRejection is how many memories may be rejected at once however few there
// are.
const massRejection = 5

// mass reports whether n are too many of a view to be rejected without a yes.
func mass(n int, v *workspace.View) bool { return n >= massRejection && 5*n > len(v.Items) }

// Decide decides about the memories that are named. One that is not found stops it
// before anything is decided.
func Decide(ctx context.Context, w *workspace.Workspace, of Named) (*Result, error) {
	out := none()
	for _, arg := range of.Rehome {
		from, to, _ := strings.Cut(arg, ":")
		d, err := review.Rehome(ctx, w, from, to)
		if err != nil {
			return nil, err
		}
		out.Moved = append(out.Moved, move{d.From, d.Branch, d.Count})
	}
	items, v, err := review.List(ctx, w, of.Options)
	if err != nil {
		return nil, err
	}
	found := map[string]review.Item{}
	for _, id := range slices.Concat(of.Reject, of.Replace, of.Accept) {
		if found[id], err = review.Find(items, id); err != nil {
			return nil, err
		}
	}
	if n := len(of.Reject); !of.Yes && mass(n, v) {
		return nil, answer.WithHint(fmt.Errorf("that would reject %d of %d memories", n, len(v.Items)),
			"to confirm: --yes; to see them first: cortex review --list")
	}
	settle := func(ids []string, list *[]workspace.Entry, decide func(review.Item) (review.Decision, error)) {
		for _, id := range ids {
			if d, err := decide(found[id]); err != nil {
				out.Failed = append(out.Failed, failure{id, output.Failure(err)})
			} else {
				*list = append(*list, d.Entry)
			}
		}
	}
	settle(of.Reject, &out.Rejected, func(r review.Item) (review.Decision, error) { return review.Reject(ctx, w, r) })
	settle(of.Replace, &out.Accepted,
		func(r review.Item) (review.Decision, error) { return review.Accept(ctx, w, r, true) })
	settle(of.Accept, &out.Accepted,
		func(r review.Item) (review.Decision, error) { return review.Accept(ctx, w, r, false) })
	out.Left = len(items) - len(out.Accepted) - len(out.Rejected)
	return out, nil
}

// All accepts or rejects everything that opt chooses. Without a filter that takes a yes.
func All(ctx context.Context, w *workspace.Workspace, opt review.Options, reject, yes bool) (*Result, error) {
	items, v, err := review.List(ctx, w, opt)
	if err != nil {
		return nil, err
	}
	if opt.Filter.Empty() && !yes {
		return nil, answer.WithHint(fmt.Errorf("that would decide about all %s that wait",
			console.Plural(len(items), "memory", "memories")),
			"to confirm: --yes; to choose: a filter, such as layer:pattern")
	}
	if n := len(items); reject && !yes && mass(n, v) {
		return nil, answer.WithHint(fmt.Errorf("that would reject %d of %d memories", n, len(v.Items)),
			"to confirm: --yes; to see them first: cortex review --list")
	}
	out := none()
	decide, list := review.AcceptAll, &out.Accepted
	if reject {
		decide, list = review.RejectAll, &out.Rejected
	}
	b, err := decide(ctx, w, items)
	if err != nil {
		return nil, err
	}
	for _, r := range b.Done {
		*list = append(*list, r.Entry)
	}
	for _, l := range b.Left {
		out.Failed = append(out.Failed, failure{string(l.Item.Memory.ID), output.Failure(l.Err)})
	}
	out.Left, out.undo = len(items)-len(b.Done), b.Count > 0
	return out, nil
}

// Print shows what was decided, and unless quiet what is left and how to take it back.
func (r *Result) Print(p *console.Printer, quiet bool) {
	for _, m := range r.Moved {
		p.Printf("%s %s from %s to %s\n", console.Good("moved   "), console.Plural(m.Count, "memory", "memories"),
			m.From, m.To)
	}
	for _, entry := range r.Accepted {
		p.Printf("%s %s  %s  %s\n", console.Good("accepted"), console.Bold(entry.Memory.ID.Short()),
			console.Pad(string(entry.Memory.Type), 12), console.Cut(entry.Memory.Title, p.Width-33))
	}
	for _, entry := range r.Rejected {
		p.Printf("%s %s  %s  %s\n", console.Warn("rejected"), console.Bold(entry.Memory.ID.Short()),
			console.Pad(string(entry.Memory.Type), 12), console.Cut(entry.Memory.Title, p.Width-33))
	}
	for _, f := range r.Failed {
		p.Printf("%s %s  %s\n", console.Bad("left    "), console.Bold(f.ID), f.Error)
	}
	if !quiet {
		r.printRest(p)
	}
}

// printRest says what is left, and how to take back what was done.
func (r *Result) printRest(p *console.Printer) {
	if len(r.Moved)+len(r.Accepted)+len(r.Rejected)+len(r.Failed) == 0 {
		p.Printf("Nothing that waits passes the filter.\n")
	}
	if r.Left > 0 {
		p.Printf("%s\n", console.Dim(console.Plural(r.Left, "memory is", "memories are")+" left to review"))
	}
	switch {
	case r.undo:
		p.Printf("%s\n", console.Dim("to take that back: cortex review --undo"))
	case len(r.Rejected) > 0:
		p.Printf("%s\n", console.Dim("to bring one back: cortex restore ID"))
	}
}
