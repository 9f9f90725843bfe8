package main

import (
	"context"
	"errors"
	"io"
	"testing"
)

// TestUntilDone: reading ends when the command is interrupted, also while it waits for input.
func TestUntilDone(t *testing.T) {
	waiting, keyboard := io.Pipe() // nobody types
	defer keyboard.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r, stop := untilDone(ctx, waiting)
	defer stop()
	cancel()
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted reader says %v", err)
	}

	endless, stop := untilDone(t.Context(), noughts{})
	defer stop()
	n, err := io.Copy(io.Discard, endless)
	if err == nil || n > mostImported+1 {
		t.Errorf("an endless input ends after %d bytes with %v", n, err)
	}
}

// noughts is an input without end.
type noughts struct{}

func (noughts) Read(p []byte) (int, error) { return len(p), nil }
