package view

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// Plans is [Reader.View] for who asks for plans and their steps alone. Where nothing is a plan, as mostly, no memory is
// read and the view is empty: it is kept whether a plan is among the files that have landed.
func (r *Reader) Plans(ctx context.Context, opt Options) (*View, error) {
	state := r.Index.Unchanged(ctx, r.Tree.Abs(hookstate.MemoriesDir))
	sum := sha256.Sum256([]byte(opt.Branch + " " + state)) // the name of a branch may be a secret
	key := hex.EncodeToString(sum[:])
	without, _ := facts.Kept[bool](r.Repo, facts.NoPlan, key)
	if without && !r.isPlanPending(ctx) {
		return &View{}, nil
	}
	v, err := r.View(ctx, opt)
	if err == nil && v.source.files != nil {
		facts.Keep(r.Repo, facts.NoPlan, key, !slices.ContainsFunc(v.Read(ctx, v.source.files, false), isPlan))
	}
	return v, err
}

// isPlanPending reports whether a plan is pending for whatever branch. Of a journal that cannot be read a view has
// none.
func (r *Reader) isPlanPending(ctx context.Context) bool {
	snap, err := r.Journal.Snapshot(ctx)
	if err != nil {
		return false
	}
	branches, _ := snap.Folders(ctx, "pending")
	return slices.ContainsFunc(branches, func(branch string) bool {
		types, _ := snap.Folders(ctx, "pending/"+branch)
		return slices.Contains(types, string(memory.Plan))
	})
}

func isPlan(e Entry) bool { return e.Memory.Type == memory.Plan }
