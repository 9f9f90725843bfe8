package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Bulk is one decision about many memories: one change of the journal, or one
// landing. [Undo] takes all of it back, and so does [UndoLast] in a later process.
type Bulk struct {
	Decision
	Done []Item
	Left []Left // about which nothing was decided
}

// Left is a memory that a bulk decision passed over, and why.
type Left struct {
	Item Item
	Err  error
}

// errAsks is why a memory with a question is not accepted among others.
var errAsks = errors.New("it asks what only a person can answer: look at it alone")

// AcceptAll lands these memories at once, and the pages with them. Those that
// hold a secret, ask something, or wait elsewhere are left.
func AcceptAll(ctx context.Context, w *workspace.Workspace, items []Item) (Bulk, error) {
	b := Bulk{Decision: Decision{Verb: Accepted}}
	if err := mayLand(ctx, w); err != nil {
		return b, err
	}
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return b, err
	}
	here := w.Secrets.Branch(ctx, w.Repo.Topic)
	byPath := map[string]Item{}
	var picked []workspace.Entry
	for _, r := range items {
		if why := notAmong(ctx, w, snap, r, here); why != nil {
			b.Left = append(b.Left, Left{r, why})
			continue
		}
		picked = append(picked, r.Entry)
		byPath[view.MemoryPath(r.Memory.Path())] = r
	}
	if len(picked) == 0 {
		return b, nil
	}
	out, err := w.LandEntries(ctx, picked)
	if err != nil {
		return b, err
	}
	b.Pages = out.Pages
	var files []gitops.Entry
	for _, e := range out.Landed {
		r := byPath[e.Path]
		b.Done = append(b.Done, r)
		files = append(files, gitops.Entry{Path: e.Path, Blob: w.Repo.Hash(workspace.LandedForm(r.Memory))})
	}
	b.Left = append(b.Left, lists.Map(out.Refused, func(r gitops.Refusal) Left {
		return Left{byPath[r.Path], errors.New(r.Reason)}
	})...)
	b.Count = len(b.Done)
	b.undo = func(ctx context.Context) error { return w.Unland(ctx, out, files...) }
	return b, keepLast(w, lastBulk{Verb: Accepted, Files: files})
}

// notAmong says why a memory is not accepted among others; nil if it is.
func notAmong(ctx context.Context, w *workspace.Workspace, snap *gitops.Snapshot, r Item, here string) error {
	switch {
	case r.Untrusted:
		return errAsks
	case r.Stage == index.Landed:
		return errors.New("it has landed already")
	case r.Branch != here:
		return fmt.Errorf("it is pending for %s", r.Branch)
	case r.Question != "":
		return errAsks
	case r.Personal():
		return errors.New("it is about you, not about this repository: cortex promote " + r.Memory.ID.Short())
	case len(w.Secrets.Of(ctx, r.Memory)) > 0:
		return ErrSecret
	}
	_, err := pendingIn(ctx, snap, r)
	return err
}

// RejectAll refuses these pending memories at once, as [Reject] does each. What
// has landed is left.
func RejectAll(ctx context.Context, w *workspace.Workspace, items []Item) (Bulk, error) {
	b := Bulk{Decision: Decision{Verb: Rejected}}
	last := lastBulk{Verb: Rejected}
	err := w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		b.Done, b.Left, last.Rejected = nil, nil, map[string]string{}
		c := gitops.Change{
			Trailers: w.Trailers("", w.Secrets.Branch(ctx, w.Repo.Topic)), When: w.Now(),
			Put: map[string][]byte{},
		}
		for _, r := range items {
			why := errors.New("it has landed: reject it alone")
			if r.Stage == index.Pending {
				_, why = pendingIn(ctx, snap, r)
			}
			if why != nil {
				b.Left = append(b.Left, Left{r, why})
				continue
			}
			to := journal.DismissedPath(r.Memory.ID)
			c.Put[to] = memory.Format(r.Memory)
			c.Remove = append(c.Remove, r.Path)
			last.Rejected[r.Path] = to
			b.Done = append(b.Done, r)
		}
		c.Message = "reject: " + notices.Memories(len(b.Done))
		return c, nil
	})
	if err != nil {
		return b, err
	}
	b.Count = len(b.Done)
	b.undo = func(ctx context.Context) error { return takeBack(ctx, w, last.Rejected) }
	return b, keepLast(w, last)
}

// takeBack makes pending again what was rejected: the copy of each, by where it
// was pending.
func takeBack(ctx context.Context, w *workspace.Workspace, rejected map[string]string) error {
	return w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{
			Trailers: w.Trailers("", w.Secrets.Branch(ctx, w.Repo.Topic)), When: w.Now(),
			Put: map[string][]byte{},
		}
		for path, copied := range rejected {
			data, ok, err := snap.File(ctx, copied)
			if err != nil || !ok {
				return c, errors.Join(err, fmt.Errorf("%s is gone: it was restored, or rejected anew", copied))
			}
			c.Put[path] = data
			c.Remove = append(c.Remove, copied)
		}
		c.Message = "reject: taken back: " + notices.Memories(len(rejected))
		return c, nil
	})
}

// lastBulk is the record of a bulk decision from which a later process takes it back.
type lastBulk struct {
	Verb     Verb              `json:"verb"`
	Files    []gitops.Entry    `json:"files,omitempty"`    // that were staged
	Rejected map[string]string `json:"rejected,omitempty"` // the copy of each, by where it was pending
}

func lastPath(w *workspace.Workspace) string {
	return filepath.Join(w.Repo.CommonDir, "cortex", "review-undo.json")
}

// keepLast writes the record. A decision about nothing leaves the one before it.
func keepLast(w *workspace.Workspace, last lastBulk) error {
	if len(last.Files)+len(last.Rejected) == 0 {
		return nil
	}
	data, err := json.Marshal(last)
	if err != nil {
		return fmt.Errorf("noting what was decided: %w", err)
	}
	return atomicfile.WritePath(lastPath(w), data, atomicfile.Options{})
}

// UndoLast takes the last bulk decision of this clone back. It says what that was
// and about how many memories.
func UndoLast(ctx context.Context, w *workspace.Workspace) (Verb, int, error) {
	data, err := os.ReadFile(lastPath(w))
	if errors.Is(err, fs.ErrNotExist) {
		return "", 0, errors.New("nothing was decided about many at once; to bring one back that was rejected:" +
			" cortex restore ID")
	}
	var last lastBulk
	if err == nil {
		err = json.Unmarshal(data, &last)
	}
	if err != nil {
		return "", 0, fmt.Errorf("reading what was decided last: %w", err)
	}
	if last.Verb == Accepted {
		err = w.Unland(ctx, nil, last.Files...)
	} else {
		err = takeBack(ctx, w, last.Rejected)
	}
	if err != nil {
		return "", 0, err
	}
	return last.Verb, max(len(last.Files), len(last.Rejected)), os.Remove(lastPath(w))
}
