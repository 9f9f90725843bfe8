package agents

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestLatest: of more sessions than are looked at those count that began last, whatever
// their names.
func TestLatest(t *testing.T) {
	w := workspacetest.New(t)
	put := map[string][]byte{}
	begin := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	add := func(id string, began time.Time) {
		s := &session.Session{Agent: "claude-code", ID: id, Branch: "main", Start: began, End: began}
		put[s.Path()] = session.Format(s)
	}
	for i := range latestRecords {
		add(fmt.Sprintf("a%03d", i), begin.Add(time.Duration(i)*time.Minute))
	}
	add("z1", begin.AddDate(0, 0, 7))
	workspacetest.Change(t, w, put)
	snap, err := w.Journal.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := latestSessions(t.Context(), w, snap)
	if err != nil || len(sessions) != latestRecords || sessions[0].ID != "z1" || sessions[len(sessions)-1].ID != "a001" {
		t.Errorf("%d sessions, the first is %s: %v", len(sessions), sessions[0].ID, err)
	}
}

// TestLatestBounded: however many records there are, a session reads so many of them to
// learn which are the latest; those that follow read the rest, and no record twice.
func TestLatestBounded(t *testing.T) {
	var entries []gitops.Entry
	begin := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	began := map[gitops.ObjectID]time.Time{}
	for i := range 2*datedAtOnce + 7 {
		e := gitops.Entry{Path: fmt.Sprintf("sessions/2026-11/claude-code-%04d.md", i), Blob: gitops.ObjectID(fmt.Sprintf("%040x", i))}
		entries, began[e.Blob] = append(entries, e), begin.Add(time.Duration(i*i%1009)*time.Hour)
	}
	read := map[gitops.ObjectID]int{}
	var found []gitops.Entry
	var known []string
	for round, want := range []int{datedAtOnce, 2 * datedAtOnce, len(entries), len(entries)} {
		var err error
		found, known, err = latest(t.Context(), entries, known, func(_ context.Context, entries []gitops.Entry, yield func(gitops.Entry, []byte) error) error {
			for _, e := range entries {
				read[e.Blob]++
				s := &session.Session{Agent: "claude-code", ID: e.Path, Start: began[e.Blob]}
				if err := yield(e, session.Format(s)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || len(read) != want || len(found) != latestRecords {
			t.Fatalf("round %d: %d records read, %d found: %v", round, len(read), len(found), err)
		}
	}
	for blob, n := range read {
		if n != 1 {
			t.Errorf("%s was read %d times", blob, n)
		}
	}
	slices.SortStableFunc(entries, func(a, b gitops.Entry) int { return began[b.Blob].Compare(began[a.Blob]) })
	if diff := cmp.Diff(entries[:latestRecords], found); diff != "" {
		t.Errorf("the latest (-want +got):\n%s", diff)
	}
	if _, again, err := latest(t.Context(), entries[:3], known, func(context.Context, []gitops.Entry, func(gitops.Entry, []byte) error) error { return nil }); err != nil || len(again) != 6 {
		t.Errorf("records that are gone are kept: %d words, %v", len(again), err)
	}
}
