package explore

import (
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestWhyGone: a memory is superseded where its status says so, and not where an agent
// would have it that nobody has agreed with yet.
func TestWhyGone(t *testing.T) {
	w := workspacetest.New(t)
	old, gone := workspacetest.Sure(memory.Decision, "Alerts go out by mail"),
		workspacetest.Sure(memory.Decision, "Pumps start at noon")
	old.Source.Agent, gone.Source.Agent = memory.Human, memory.Human
	workspacetest.Put(t, w, old, gone)
	by := func(title string, to memory.ID) *memory.Memory {
		m := memory.New(memory.Decision, title, "", workspacetest.Clock().Add(time.Minute))
		m.Links = []memory.Link{{Rel: memory.Supersedes, To: to}}
		m.Source.Agent = "claude-code"
		return m
	}
	workspacetest.PutPending(t, w, by("Alerts go out by radio", old.ID))
	after := by("Pumps start at night", gone.ID)
	workspacetest.Put(t, w, after)
	v := workspacetest.View(t, w, workspace.ViewOptions{})
	if why, by := whyGone(t.Context(), v, old.ID); why != "room" || by != "" {
		t.Errorf("what an agent presumes: %s by %q", why, by)
	}
	if why, by := whyGone(t.Context(), v, gone.ID); why != "superseded" || by != after.ID {
		t.Errorf("superseded: %s by %q", why, by)
	}
}
