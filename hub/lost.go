package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// Lost notes that one push took most memories of a repository away. What it took is kept for a while.
type Lost struct {
	Commit string    `json:"commit"` // that still had them
	At     time.Time `json:"at"`
	Gone   int       `json:"gone"`
	Had    int       `json:"had"`
}

const (
	keepLost  = 7 * 24 * time.Hour
	fewToLose = 4 // fewer memories are no loss that is worth a note
)

// ErrNotLost says that no push took most memories of a repository away in the last seven days.
var ErrNotLost = errors.New("no push took most of its memories away in the last seven days")

// over reports whether what was lost is kept no more.
func (l *Lost) over(now time.Time) bool { return l != nil && now.Sub(l.At) >= keepLost }

// lossTo is the loss if other files stand in place of those of a repository; nil for none. A memory that has another
// path is not lost, nor one that was purged.
func (r *Repo) lossTo(files map[string]File, tombs Tombs, now time.Time) *Lost {
	had, stay := memoriesIn(r.Files, tombs), memoriesIn(files, tombs)
	l := &Lost{Commit: r.OID, At: now, Had: len(had)}
	for id := range had {
		if !stay[id] {
			l.Gone++
		}
	}
	if l.Had < fewToLose || 2*l.Gone <= l.Had {
		return nil
	}
	return l
}

// memoriesIn are the ids of the memories of files, but for those that were purged.
func memoriesIn(files map[string]File, tombs Tombs) map[memory.ID]bool {
	ids := map[memory.ID]bool{}
	for _, f := range files {
		if f.ID != "" && !tombs.file(f) {
			ids[f.ID] = true
		}
	}
	return ids
}

// noteLoss notes a loss with the repository and in the audit. An older one that is still kept stays: it has more.
func (h *Hub) noteLoss(ctx context.Context, r *Repo, l *Lost) {
	if r.Lost.over(l.At) {
		r.Lost = nil
	}
	r.Lost = cmp.Or(r.Lost, l)
	h.opt.Log.Warn("a push took most memories of a repository away: cortex-hub restore brings them back for seven days",
		"repository", r.Name, "gone", l.Gone, "had", l.Had, "commit", l.Commit)
	if h.opt.Audit.Key == nil {
		return
	}
	line := Asked{
		At: l.At.UTC(), Forge: r.Forge, Request: fmt.Sprintf("a push took %d of %d memories of %s away", l.Gone, l.Had,
			r.Name),
		Repositories: 1, Hits: l.Gone,
	}
	if err := h.store.Record(ctx, line); err != nil {
		h.opt.Log.Error("a loss does not stand in the audit", "error", err)
	}
}

// Restore has a repository answer again as it was before a push took most of its memories away, until its branch moves
// on or seven days are over.
func (h *Hub) Restore(ctx context.Context, key string) error {
	release, err := h.hold(ctx, key)
	if err != nil {
		return err
	}
	defer release()
	known, ok := h.repos()[key]
	if !ok {
		return fmt.Errorf("restoring %s: there is no such repository", key)
	}
	r := *known
	if r.Lost == nil || r.Lost.over(h.opt.Now()) || r.Restored != "" {
		return fmt.Errorf("restoring %s: %w", r.Name, ErrNotLost)
	}
	tombs, err := h.buried(ctx)
	if err != nil {
		return err
	}
	files, err := h.files(ctx, &r, tombs, "", r.Lost.Commit)
	if err != nil {
		return fmt.Errorf("restoring %s: %w", r.Name, err)
	}
	r.Restored, r.OID, r.Files = r.OID, r.Lost.Commit, files
	r.Moved, r.Judged = h.opt.Now(), judgement
	return h.save(&r)
}

// isRestored reports whether the repository answers of the commit before a loss, though its branch is at another.
func (r *Repo) isRestored(oid string, now time.Time) bool {
	return r.Restored != "" && r.Restored == oid && !r.Lost.over(now)
}

// holdLost keeps the commit before a loss in the mirror for as long as the loss is known.
func (h *Hub) holdLost(ctx context.Context, was, is *Repo) error {
	before, now := was.Lost.commit(), is.Lost.commit()
	if before == now {
		return nil
	}
	return h.mirror.Hold(ctx, is.URL, now)
}

// commit is that before the loss; "" for none.
func (l *Lost) commit() string {
	if l == nil {
		return ""
	}
	return l.Commit
}
