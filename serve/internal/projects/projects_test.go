package projects

import (
	"context"
	"errors"
	"runtime/debug"
	"testing"

	"github.com/git-cortex/cortex/workspace"
)

// TestLimit: whatever calls do to the limit of memory, it is as before when the last of
// them is done, and not earlier.
func TestLimit(t *testing.T) {
	const before, raised = 1 << 40, 1 << 41
	old := debug.SetMemoryLimit(before)
	defer debug.SetMemoryLimit(old)
	s := &Set{Open: func(context.Context, string) (*workspace.Workspace, error) { return nil, errors.New("it is not there") }}
	for range 2 {
		first, second := s.at("a"), s.at("b")
		debug.SetMemoryLimit(raised)
		if s.done(first); debug.SetMemoryLimit(-1) != raised {
			t.Error("lowered under a call that is at work")
		}
		if s.done(second); debug.SetMemoryLimit(-1) != before {
			t.Errorf("left at %d bytes", debug.SetMemoryLimit(-1))
		}
	}
	debug.SetMemoryLimit(raised) // by what runs on behind a call that is done
	s.done(s.at("a"))
	if debug.SetMemoryLimit(-1) != before {
		t.Errorf("raised between two calls, it is left at %d bytes", debug.SetMemoryLimit(-1))
	}
	if _, _, err := s.Use(t.Context(), "a"); err == nil || debug.SetMemoryLimit(-1) != before || s.users != 0 {
		t.Errorf("after a failed call: %d bytes, %v", debug.SetMemoryLimit(-1), err)
	}
}
