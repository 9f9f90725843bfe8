package gitops

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Orphans are the tracking refs of remotes that are not configured any more.
func (m *Remotes) Orphans(ctx context.Context) ([]string, error) {
	refs, err := m.Forget(ctx, true)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	remotes, err := m.Names(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(refs, func(ref string) bool {
		return slices.ContainsFunc(remotes, func(name string) bool { return ref == TrackingRef(name) })
	}), nil
}

// DropOrphan removes a tracking ref whose history the journal has, and reports
// whether it did: what was fetched and not taken in stays.
func (m *Remotes) DropOrphan(ctx context.Context, ref string) (bool, error) {
	if !strings.HasPrefix(ref, "refs/cortex-remotes/") {
		return false, fmt.Errorf("%s is no tracking ref of cortex", ref)
	}
	tip, err := m.history.Commit(ctx, ref)
	if err != nil {
		return false, err
	}
	journal, err := m.history.Commit(ctx, JournalRef)
	if err != nil {
		return false, nil // no journal has it
	}
	bases, err := m.history.MergeBases(ctx, tip, journal)
	if err != nil || !slices.Contains(bases, tip) {
		return false, err
	}
	_, err = m.git.run(ctx, command{args: []string{"-c", "core.hooksPath=" + os.DevNull, "update-ref", "-d", ref, string(tip)}})
	if err != nil {
		return false, fmt.Errorf("removing %s: %w", ref, err)
	}
	return true, nil
}
