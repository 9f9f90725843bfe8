//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// TestUIHangUp: a terminal that is closed ends cortex ui as Ctrl-C does, so that it takes
// away what it put down for the browser.
func TestUIHangUp(t *testing.T) {
	at := newCheckout(t)
	hung := make(chan os.Signal, 1) // what starts these tests may have it ignored, which a new process would inherit
	signal.Notify(hung, syscall.SIGHUP)
	defer signal.Stop(hung)
	cmd, out, said := startUI(t, at)
	if line, err := out.ReadString('\n'); err != nil {
		t.Errorf("it printed %q: %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("cortex ui ended with %v and said %q", err, said.String())
	}
}
