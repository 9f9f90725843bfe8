package imports_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/git-cortex/cortex/workspace/imports"
)

// TestUntilDone: reading ends when the command is interrupted, also while it waits for input.
func TestUntilDone(t *testing.T) {
	waiting, keyboard := io.Pipe() // nobody types
	defer keyboard.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r, stop := imports.UntilDone(ctx, waiting)
	defer stop()
	cancel()
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted reader says %v", err)
	}

	endless, stop := imports.UntilDone(t.Context(), noughts{})
	defer stop()
	n, err := io.Copy(io.Discard, endless)
	if err == nil || n > 1<<30+1 {
		t.Errorf("an endless input ends after %d bytes with %v", n, err)
	}
}

// noughts is an input without end.
type noughts struct{}

func (noughts) Read(p []byte) (int, error) { return len(p), nil }
