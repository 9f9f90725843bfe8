package workspace_test

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestRememberEntities: what is remembered names the same things as what is captured, so that the graph connects it.
func TestRememberEntities(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Write(t, w, "package.json", `{"dependencies":{"fastify":"4"}}`)
	out, err := w.Remember(t.Context(), workspace.Note{
		Text: "We route with fastify, because `TideTable` needs hooks", Type: memory.Decision, Entities: []string{"pier"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(out.Entry.Memory.Entities, " "); got != "pier TideTable fastify" && got != "TideTable fastify pier" {
		t.Errorf("entities: %s", got)
	}
}
