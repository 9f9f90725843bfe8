package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

// reviewShown bounds how many memories wait on one page; filters lead to the others.
const reviewShown = 250

type reviewing struct {
	Filter       string
	Items        []waiting
	Worth, Rest  int // of them, worth a look, and not
	Left         int // that wait too
	GoneBranches []workspace.GoneBranch
}

// waiting is a memory that waits, and its file as an editor would show it.
type waiting struct {
	review.Item
	File    string
	earlier map[memory.ID]*memory.Memory // what it and others replace or contradict
}

// Lacks reports whether the page lacks characters of the file, which nobody would see in
// it: what is saved from the page has them no more.
func (w waiting) Lacks() bool { return string(memory.Visible([]byte(w.File))) != w.File }

// review shows what waits for a person's word.
func (v *visit) review(ctx context.Context) (*page, error) {
	filter := v.req.URL.Query().Get("q")
	items, view, err := v.waiting(ctx, filter)
	if err != nil {
		return nil, err
	}
	gone, err := v.Views.GoneBranches(ctx)
	if err != nil {
		return nil, err
	}
	data := reviewing{Filter: filter, GoneBranches: gone, Left: max(0, len(items)-reviewShown)}
	shown := items[:min(len(items), reviewShown)]
	before := earlier(ctx, view, shown)
	for _, it := range shown {
		data.Items = append(data.Items, waiting{it, string(memory.Format(it.Memory)), before})
		if it.Worth {
			data.Worth++
		}
	}
	data.Rest = len(data.Items) - data.Worth
	return &page{Name: "review", Title: "Review", Data: data, JSON: asJSON(answer.NewReview(items, gone, view))}, nil
}

func (v *visit) waiting(ctx context.Context, filter string) ([]review.Item, *workspace.View, error) {
	f, err := review.ParseFilter(strings.Fields(filter), v.server.host.Now())
	if err != nil {
		return nil, nil, mistake(err, "cortex review --help lists the filters")
	}
	return review.List(ctx, v.Workspace, review.Options{Filter: f, By: review.BySession})
}

// chosen is the memory that a form is about, as the person saw it.
func (v *visit) chosen(ctx context.Context) (review.Item, error) {
	items, _, err := v.waiting(ctx, "")
	if err != nil {
		return review.Item{}, err
	}
	id, blob, _ := strings.Cut(v.req.PostFormValue("item"), " ")
	item, err := review.Find(items, id)
	if err == nil && item.Blob != blob {
		err = fmt.Errorf("%s: %w", item.Memory.ID.Short(), review.ErrMovedOn)
	}
	return item, err
}

// decide does something about the memory that was chosen; verb begins the sentence about it.
func (v *visit) decide(ctx context.Context, verb string,
	do func(context.Context, *workspace.Workspace, review.Item) (review.Decision, error),
) (string, error) {
	item, err := v.chosen(ctx)
	if err != nil {
		return "", err
	}
	d, err := do(ctx, v.Workspace, item)
	if err != nil {
		return "", err
	}
	v.server.undo.add(v.Repo.Root, verb+" “"+item.Memory.Title+"”", d)
	return v.back(), nil
}

// accept lands the memory that was chosen.
func (v *visit) accept(ctx context.Context) (string, error) {
	replace := v.req.PostFormValue("replace") != ""
	return v.decide(ctx, "Accepted",
		func(ctx context.Context, w *workspace.Workspace, it review.Item) (review.Decision, error) {
			return review.Accept(ctx, w, it, replace)
		})
}

func (v *visit) reject(ctx context.Context) (string, error) {
	return v.decide(ctx, "Rejected", review.Reject)
}

func (v *visit) note(ctx context.Context) (string, error) {
	return v.decide(ctx, "Made a note of", review.Shelve)
}

func (v *visit) keep(ctx context.Context) (string, error) {
	return v.decide(ctx, "Kept as yours", review.Promote)
}

// edit stores a file that a person changed in the page.
func (v *visit) edit(ctx context.Context) (string, error) {
	text := strings.ReplaceAll(v.req.PostFormValue("file"), "\r\n", "\n") // as forms send lines
	return v.decide(ctx, "Edited",
		func(ctx context.Context, w *workspace.Workspace, it review.Item) (review.Decision, error) {
			m, err := review.CheckEdited(ctx, w, it, []byte(text))
			if err != nil {
				return review.Decision{}, mistake(fmt.Errorf("not saved: %w", err), "the browser still has your text")
			}
			return review.Edit(ctx, w, &it, m)
		})
}

// undoOne takes the last decision that was made in these pages back, if it is the one
// that the person's page named.
func (v *visit) undoOne(ctx context.Context) (string, error) {
	root, undo := v.Repo.Root, v.server.undo
	n, _ := strconv.Atoi(v.req.PostFormValue("decision"))
	d, ok := undo.pull(root, n)
	if !ok {
		return "", mistake(errors.New("there is nothing to undo, or something else was decided since"),
			"load the page again to see what undo takes back")
	}
	if err := review.Undo(ctx, v.Workspace, d.decision); err != nil {
		undo.putBack(root, d)
		return "", fmt.Errorf("undoing: %w", err)
	}
	undo.say(root, "Undone: "+d.what+".")
	return v.back(), nil
}

// back is the page of the review that the form was on.
func (v *visit) back() string {
	if filter := v.req.PostFormValue("filter"); filter != "" {
		return "review?q=" + url.QueryEscape(filter)
	}
	return "review"
}

// decided is a decision that can be taken back, and what it was in words.
type decided struct {
	n        int // from 1, in the order in which they were made
	what     string
	decision review.Decision
}

// undoing keeps the decisions made in these pages, for each repository the newest
// last, and what is to be said of the last one.
type undoing struct {
	mu   sync.Mutex
	made int // decisions, in all repositories
	of   map[string][]decided
	told map[string]string
}

func newUndoing() *undoing {
	return &undoing{of: map[string][]decided{}, told: map[string]string{}}
}

// undoable bounds how many decisions can be taken back: all that one page can decide about at once.
const undoable = reviewShown

func (u *undoing) add(root, what string, d review.Decision) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.made++
	all := append(u.of[root], decided{u.made, what, d})
	u.of[root] = all[max(0, len(all)-undoable):]
	u.told[root] = what + "."
}

func (u *undoing) say(root, text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.told[root] = text
}

// take returns what is to be said, once.
func (u *undoing) take(root string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	text := u.told[root]
	delete(u.told, root)
	return text
}

// last says in words what undo would take back, and its number; "" for nothing.
func (u *undoing) last(root string) (what string, n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if all := u.of[root]; len(all) > 0 {
		d := all[len(all)-1]
		return d.what, d.n
	}
	return "", 0
}

// pull removes and returns the newest decision if it has a number.
func (u *undoing) pull(root string, n int) (decided, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.of[root]
	if len(all) == 0 || all[len(all)-1].n != n {
		return decided{}, false
	}
	d := all[len(all)-1]
	u.of[root] = all[:len(all)-1]
	return d, true
}

// putBack keeps a decision that was pulled and could not be taken back.
func (u *undoing) putBack(root string, d decided) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.of[root] = append(u.of[root], d)
	lists.Sort(u.of[root], func(a, b decided) int { return cmp.Compare(a.n, b.n) })
}
