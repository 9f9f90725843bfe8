package lifecycle_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
	"github.com/git-cortex/cortex/workspace/lifecycle"
)

func TestMain(m *testing.M) { os.Exit(testrun.InMemory(m).Run()) }

// old is a memory of a type that fades soon, from years ago.
func old(title string) *memory.Memory {
	return memory.New(memory.Progress, title, "", time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC))
}

// TestPropose proposes what is archived for long, and nothing that another memory relies on.
func TestPropose(t *testing.T) {
	w := workspacetest.New(t)
	gone, held, fresh := old("Moved the gauges"), old("Wired the sluice"), workspacetest.Sure(memory.Decision, "Use UTC")
	fresh.Links = []memory.Link{{Rel: memory.DerivedFrom, To: held.ID}}
	workspacetest.Put(t, w, gone, held, fresh)
	p, err := lifecycle.Propose(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Old) != 1 || p.Old[0].Entry.Memory.ID != gone.ID || p.Old[0].For <= p.After {
		t.Errorf("to be removed: %+v", p.Old)
	}
	if len(p.Held) != 1 || p.Held[0].Entry.Memory.ID != held.ID || p.Held[0].Held == "" {
		t.Errorf("held: %+v", p.Held)
	}
	if p.Total != 3 || p.Archived != 2 {
		t.Errorf("%d of %d are archived", p.Archived, p.Total)
	}
	p.Most = 0
	var many *lifecycle.TooManyError
	if err := p.Check(); !errors.As(err, &many) || many.Removed != 1 {
		t.Errorf("more than may go at once: %v", err)
	}
	if p.Oldest(0); len(p.Old) != 0 || p.Check() != nil {
		t.Errorf("none of them: %+v", p.Old)
	}
}

// TestRemove removes what a query finds, and nothing else.
func TestRemove(t *testing.T) {
	w := workspacetest.New(t)
	one, two := workspacetest.Sure(memory.Decision, "Keep gauges in metres"), workspacetest.Sure(memory.Fix, "Drain first")
	two.Source = memory.Source{Agent: "claude-code", Session: "0b2c-11", Layer: "tag", Origin: memory.OriginAgent}
	workspacetest.Put(t, w, one)
	workspacetest.PutPending(t, w, two)
	found, err := lifecycle.Matching(t.Context(), w, "gauges", 0)
	if err != nil || len(found) != 1 || found[0].Memory.ID != one.ID {
		t.Fatalf("%+v %v", found, err)
	}
	session, err := lifecycle.OfSession(t.Context(), w, "0b2c")
	if err != nil || len(session) != 1 || session[0].Memory.ID != two.ID {
		t.Fatalf("of a session: %+v %v", session, err)
	}
	if err := lifecycle.Remove(t.Context(), w, append(found, session...)); err != nil {
		t.Fatal(err)
	}
	if left := workspacetest.View(t, w, workspace.ViewOptions{}).Entries(t.Context()); len(left) != 0 {
		t.Errorf("left: %+v", left)
	}
}
