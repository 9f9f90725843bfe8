package workspace_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// acknowledged is the set of memories that writers were told are written.
type acknowledged struct {
	mu  sync.Mutex
	ids map[memory.ID]bool
}

func (a *acknowledged) add(ids ...memory.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range ids {
		a.ids[id] = true
	}
}

func (a *acknowledged) now() map[memory.ID]bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.ids)
}

// missing are the ids of want that a view does not show.
func missing(want map[memory.ID]bool, v *workspace.View) []memory.ID {
	for i := range v.Items {
		delete(want, v.ID(i))
	}
	return slices.Collect(maps.Keys(want))
}

// TestOneWorkspaceForMany: goroutines that share a workspace, and another process
// beside them, lose nothing, and each sees what was acknowledged before it looked.
// In the end the shared workspace says what one says that is opened then.
func TestOneWorkspaceForMany(t *testing.T) {
	rounds := 3
	if testrun.Full() {
		rounds = 20
	}
	shared := workspacetest.New(t)
	workspacetest.Git(t, shared, "config", "cortex.enabled", "true")
	workspacetest.Git(t, shared, "config", "cortex.clone", "0123456789abcdef")
	for i := range 40 { // some of them linked, so that graphs and statuses have work
		m := gauge(i)
		if i > 0 {
			m.Links = []memory.Link{{Rel: memory.RelatesTo, To: gauge(i - 1).ID}}
		}
		workspacetest.Put(t, shared, m)
	}
	workspacetest.Git(t, shared, "add", ".cortex")
	workspacetest.Git(t, shared, "commit", "-q", "-m", "memories")
	written := &acknowledged{ids: map[memory.ID]bool{}}
	other := workspacetest.Open(t, shared.Repo.Root) // as another process

	var group sync.WaitGroup
	many := func(n int, do func(w *workspace.Workspace, name string) error) {
		for g := range n {
			group.Go(func() {
				for r := range rounds {
					w, err := shared.Refresh(t.Context())
					if err == nil {
						err = do(w, fmt.Sprintf("%d-%d", g, r))
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	ctx := t.Context()
	many(2, func(w *workspace.Workspace, name string) error {
		return rememberOne(ctx, w, written, "goroutine "+name)
	})
	many(1, func(_ *workspace.Workspace, name string) error {
		return rememberOne(ctx, other, written, "process "+name)
	})
	many(2, func(w *workspace.Workspace, name string) error {
		path := workspacetest.Transcript(t, "session-"+name, "The captured pump number "+name+" is primed by hand.")
		got, err := agents.Capture(ctx, w, agents.CaptureInput{Path: path})
		if err != nil {
			return fmt.Errorf("capture: %w", err)
		}
		for _, m := range got.Added {
			written.add(m.ID)
		}
		return nil
	})
	many(1, func(w *workspace.Workspace, _ string) error {
		_, err := w.Land(ctx, nil, false)
		return err
	})
	many(1, func(w *workspace.Workspace, name string) error {
		_, o := agents.Hook(ctx, w, "user-prompt-submit", "claude-code",
			agents.HookPayload{SessionID: name, Prompt: "how is the gauge read, by poll number?"})
		w.Diary.Beat(ctx, "event "+name, 0, o)
		return o.Err
	})
	many(2, func(w *workspace.Workspace, _ string) error {
		want := written.now()
		v, err := w.View(ctx, workspace.ViewOptions{})
		if err != nil {
			return err
		}
		if lost := missing(want, v); len(lost) > 0 {
			return fmt.Errorf("a view lacks %v", lost)
		}
		if got := len(v.List(ctx, workspace.ListOptions{})); got != len(v.Items) {
			return fmt.Errorf("a list has %d of %d memories", got, len(v.Items))
		}
		return nil
	})
	many(2, func(w *workspace.Workspace, _ string) error { return searchAll(ctx, w, written.now()) })
	many(1, func(w *workspace.Workspace, _ string) error {
		b, _, err := w.Brief(ctx, workspace.BriefOptions{})
		if err == nil && len(b.Shown) == 0 {
			err = fmt.Errorf("an empty briefing: %q", b.Text)
		}
		return err
	})
	group.Wait()
	if len(written.now()) != 5*rounds {
		t.Errorf("%d memories were written, want %d", len(written.now()), 5*rounds)
	}
	same(t, shared, workspacetest.Open(t, shared.Repo.Root))
}

func gauge(i int) *memory.Memory {
	return workspacetest.Sure(memory.Decision, fmt.Sprintf("Gauge %d is read by poll number %d", i, i*7))
}

// seen returns the stage, the status and the path of each memory of a view, by id.
func seen(t *testing.T, w *workspace.Workspace) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, e := range workspacetest.View(t, w, workspace.ViewOptions{}).Entries(t.Context()) {
		out[string(e.Memory.ID)] = string(e.Stage) + " " + string(e.Status) + " " + e.Path
	}
	return out
}

func rememberOne(ctx context.Context, w *workspace.Workspace, written *acknowledged, name string) error {
	out, err := w.Remember(ctx, workspace.Note{
		Type: memory.Gotcha,
		Text: "The valve of " + name + " sticks in winter.", Pending: true,
	})
	if err != nil {
		return fmt.Errorf("remember: %w", err)
	}
	written.add(out.Entry.Memory.ID)
	return nil
}

// searchAll finds what was acknowledged by its words.
func searchAll(ctx context.Context, w *workspace.Workspace, want map[memory.ID]bool) error {
	answer, err := w.Search(ctx, "valve OR pump", workspace.SearchOptions{Limit: 1000, Sessions: true})
	if err != nil {
		return err
	}
	for _, f := range answer.Results {
		delete(want, f.Entry.Memory.ID)
	}
	if len(want) > 0 {
		return fmt.Errorf("a search lacks %v", slices.Collect(maps.Keys(want)))
	}
	return nil
}

// same compares what two workspaces of one project say.
func same(t *testing.T, got, want *workspace.Workspace) {
	t.Helper()
	said := func(w *workspace.Workspace) map[string]any {
		t.Helper()
		w, err := w.Refresh(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		answer, err := w.Search(t.Context(), "gauge valve pump winter hand", workspace.SearchOptions{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range answer.Results {
			found = append(found, fmt.Sprintf("%s %.4f %s %s", f.Entry.Memory.ID, f.Score, f.Via, f.Snippet.Text))
		}
		b, _, err := w.Brief(t.Context(), workspace.BriefOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var sessions []string
		records, err := w.Journal.Sessions(t.Context(), 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range records {
			sessions = append(sessions, s.ID)
		}
		status, err := w.Status(t.Context(), gitops.Binary{})
		if err != nil {
			t.Fatal(err)
		}
		return map[string]any{
			"view": seen(t, w), "search": found, "brief": b.Text, "sessions": sessions,
			"counts": []int{status.Landed, status.Pending, status.Sessions},
		}
	}
	if diff := cmp.Diff(said(want), said(got)); diff != "" {
		t.Errorf("(-opened anew +shared):\n%s", diff)
	}
}
