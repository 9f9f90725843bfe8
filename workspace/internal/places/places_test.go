package places_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/places"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

func TestMain(m *testing.M) { os.Exit(testrun.InMemory(m).Run()) }

// TestPending: a memory is found where it is, one whose id only begins alike is not, and
// neither is written over the other.
func TestPending(t *testing.T) {
	w := workspacetest.New(t)
	m := memory.New(memory.Gotcha, "The pump needs the lock", "", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	workspacetest.PutPending(t, w, m)
	twin := *m
	twin.ID = memory.ID(m.ID.Short() + "000000000")
	snap, err := w.Journal.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	usual := "pending/main/" + m.Path()
	for _, test := range []struct {
		m    *memory.Memory
		at   []string
		next string
	}{
		{m, []string{usual}, usual},
		{&twin, nil, places.Long(usual, twin.ID)},
	} {
		at, err := places.Pending(t.Context(), snap, "main")(test.m.ID)
		if diff := cmp.Diff(test.at, at); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", test.m.ID, err, diff)
		}
		if next, err := places.New(t.Context(), snap, "main", test.m); err != nil || next != test.next {
			t.Errorf("%s is to be written at %s (%v), want %s", test.m.ID, next, err, test.next)
		}
	}
	if there, err := places.Has(t.Context(), snap, usual); err != nil || !there {
		t.Errorf("%s: %t, %v", usual, there, err)
	}
	if there, err := places.Has(t.Context(), snap, "pending/main"); err != nil || there {
		t.Errorf("a folder is taken for a file: %t, %v", there, err)
	}
}

// TestUnreadable: a journal that cannot be read is an error, and not an empty one.
func TestUnreadable(t *testing.T) {
	w := workspacetest.New(t)
	m := memory.New(memory.Gotcha, "The pump needs the lock", "", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	workspacetest.PutPending(t, w, m)
	snap, err := w.Journal.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	broken, stop := context.WithCancel(t.Context())
	stop()
	if _, err := places.Pending(broken, snap, "main")(m.ID); err == nil {
		t.Error("Pending: no error")
	}
	if _, err := places.New(broken, snap, "main", m); err == nil {
		t.Error("New: no error")
	}
	if there, err := places.Has(broken, snap, "pending/main/"+m.Path()); err == nil && !there {
		t.Error("Has: nothing, and no error")
	}
}
