//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"os/signal"
	"strings"
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
	cmd := exec.Command("cortex", "ui", "--json")
	var said strings.Builder
	cmd.Dir, cmd.Env, cmd.Stderr = at.dir, at.env, &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Errorf("it printed %q: %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("cortex ui ended with %v and said %q", err, said.String())
	}
}
