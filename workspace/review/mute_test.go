package review

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestMute: memories are muted and told again, by a person.
func TestMute(t *testing.T) {
	w := workspacetest.New(t)
	gauge := memory.New(memory.Gotcha, "Gauges sleep at night", "So poll them by day.", workspacetest.Clock())
	tide := memory.New(memory.Decision, "Tides are of the day before", "", workspacetest.Clock())
	workspacetest.PutPending(t, w, gauge, tide)
	for _, step := range []struct {
		ids  []*memory.Memory
		off  bool
		left []*memory.Memory
	}{
		{[]*memory.Memory{gauge, tide}, false, []*memory.Memory{gauge, tide}},
		{[]*memory.Memory{gauge}, false, []*memory.Memory{tide, gauge}},
		{[]*memory.Memory{tide}, true, []*memory.Memory{gauge}},
		{[]*memory.Memory{tide, gauge}, true, nil},
	} {
		var prefixes []string
		for _, m := range step.ids {
			prefixes = append(prefixes, string(m.ID[:8]))
		}
		found, err := Mute(t.Context(), w, prefixes, step.off)
		if err != nil || len(found) != len(step.ids) {
			t.Fatalf("%v, off %v: %d memories, %v", prefixes, step.off, len(found), err)
		}
		w = workspacetest.Open(t, w.Repo.Root)
		var got, want []string
		for _, e := range Muted(t.Context(), w) {
			got = append(got, e.Memory.Title)
		}
		for _, m := range step.left {
			want = append(want, m.Title)
		}
		if strings.Join(got, "; ") != strings.Join(want, "; ") {
			t.Errorf("%v, off %v: muted %q, want %q", prefixes, step.off, got, want)
		}
	}
	if _, err := Mute(t.Context(), w, []string{"nope"}, false); err == nil {
		t.Error("a memory that is not there was muted")
	}
	env := workspacetest.Env(t, w.Repo.Root)
	env.Agent = "claude-code"
	byAgent, err := workspace.Open(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	defer byAgent.Close()
	if _, err := Mute(t.Context(), byAgent, []string{string(gauge.ID)}, false); !errors.Is(err, ErrMutes) {
		t.Errorf("by an agent: %v", err)
	}
}
