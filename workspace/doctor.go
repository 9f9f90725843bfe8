package workspace

import (
	"context"
	"errors"
	"strings"

	"github.com/git-cortex/cortex/gitops"
)

// Doctor checks the promises that can be checked from outside. With fix it
// mends what is cortex's own or can be mended without losing anything; what
// needs a person's decision stays, with a hint of what to type.
func (w *Workspace) Doctor(ctx context.Context, fix bool) ([]Check, error) {
	if _, err := w.worktree(); err != nil {
		return nil, err
	}
	newer := w.Writable(ctx)
	if newer != nil {
		fix = false
	}
	checks := []Check{w.checkEnabled(ctx), w.checkConfig(newer), w.checkJournal(ctx, fix), w.checkLock(ctx), w.checkTracking(ctx, fix)}
	checks = append(checks, w.checkLeftovers(ctx, fix)...)
	checks = append(checks, w.checkMemories(ctx, fix)...)
	checks = append(checks, w.checkStrays(ctx), w.checkPages(ctx, fix), w.checkIndex(ctx, fix))
	return checks, nil
}

func (w *Workspace) checkEnabled(ctx context.Context) Check {
	c := Check{Name: "set up", OK: w.Enabled(ctx)}
	if !c.OK {
		c.Wrong, c.Hint = "cortex is not set up in this clone: nothing is captured here", "cortex init"
	}
	return c
}

func (w *Workspace) checkJournal(ctx context.Context, fix bool) Check {
	c := Check{Name: "journal", OK: true}
	const hint = "cortex doctor --fix"
	snap, err := w.Repo.Journal().Snapshot(ctx)
	if err == nil {
		defer snap.Close()
	}
	switch {
	case err != nil:
		c = Fault(c.Name, hint, "%v", err)
	case snap.Healed() != "":
		c = Fault(c.Name, hint, "%s", snap.Healed())
	case snap.Spooled() > 0:
		c = Fault(c.Name, hint, "%d captures wait in the spool", snap.Spooled())
	default:
		if err := w.Repo.Journal().Verify(ctx); errors.Is(err, gitops.ErrNoLog) {
			return Fault(c.Name, "cortex capture or any note begins one", "%v", err)
		} else if err != nil {
			c = Fault(c.Name, hint, "%v", err)
		}
	}
	if c.OK {
		if skipped, err := snap.Skipped(ctx); err == nil && len(skipped) > 0 { // what cannot be read is Verify's to say
			return Fault(c.Name, "git ls-tree -r "+gitops.JournalRef, "%d paths in %s were not written by cortex and are passed over: %s",
				len(skipped), gitops.JournalRef, strings.Join(skipped[:min(3, len(skipped))], ", "))
		}
	}
	if !c.OK && fix {
		_, err := w.Repo.Journal().Repair(ctx)
		c = c.Mended("took in what waited, and went back to what can be read", err)
		w.RefreshJournal()
	}
	return c
}

func (w *Workspace) checkIndex(ctx context.Context, fix bool) Check {
	c := Check{Name: "index", OK: true}
	if problems := w.Index.Verify(ctx); len(problems) > 0 {
		c = Fault(c.Name, "cortex reindex", "%s", problems[0].Error())
		if fix {
			_, err := w.Reindex(ctx, nil)
			c = c.Mended("built it anew", err)
		}
	}
	return c
}
