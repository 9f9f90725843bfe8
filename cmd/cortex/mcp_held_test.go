//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// held is a checkout whose git waits while a file is there, and writes down which
// process it is.
type held struct {
	*checkout
	hold, pid string
}

func newHeld(t *testing.T) *held {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	h := &held{checkout: newCheckout(t)}
	dir := t.TempDir()
	h.hold, h.pid = filepath.Join(dir, "hold"), filepath.Join(dir, "pid")
	script := fmt.Sprintf("#!/bin/sh\nif [ -e %[1]s ]; then echo $$ >%[2]s.new; mv %[2]s.new %[2]s; fi\nwhile [ -e %[1]s ]; do sleep 0.05; done\nexec %[3]s \"$@\"\n", h.hold, h.pid, git)
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	h.env = slices.Clone(h.env)
	for i, v := range h.env {
		if path, ok := strings.CutPrefix(v, "PATH="); ok {
			h.env[i] = "PATH=" + dir + string(os.PathListSeparator) + path
		}
	}
	if err := os.WriteFile(h.hold, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *held) release() {
	if err := os.Remove(h.hold); err != nil {
		h.t.Fatal(err)
	}
}

// long is a call that says that it goes on.
func long(tool string) *sdk.CallToolParams {
	p := &sdk.CallToolParams{Name: tool, Arguments: arguments{}}
	p.SetProgressToken("token")
	return p
}

// TestMCPProgress: a client that asks hears of a long call that it goes on, and then
// gets its answer.
func TestMCPProgress(t *testing.T) {
	t.Parallel()
	h := newHeld(t)
	a := newAgent(t, h.checkout)
	done := make(chan error, 1)
	go func() {
		res, err := a.CallTool(t.Context(), long("cortex_list"))
		if err == nil && res.IsError {
			err = errors.New(res.Content[0].(*sdk.TextContent).Text)
		}
		done <- err
	}()
	<-a.progress
	<-a.progress
	h.release()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestMCPCancel: a call that its client gives up ends, with the processes that it
// started, and other calls are answered.
func TestMCPCancel(t *testing.T) {
	t.Parallel()
	h := newHeld(t)
	a := newAgent(t, h.checkout)
	for range 2*runtime.GOMAXPROCS(0) + 1 { // more than may work at once
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := a.CallTool(ctx, long("cortex_list"))
			done <- err
		}()
		<-a.progress
		data, err := os.ReadFile(h.pid)
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("a call that was given up: %v", err)
		}
		for end := time.Now().Add(patience); syscall.Kill(pid, 0) == nil; {
			if time.Now().After(end) {
				t.Fatalf("git still runs %s after the call was given up", patience)
			}
			time.Sleep(10 * time.Millisecond)
		}
		for len(a.progress) > 0 {
			<-a.progress
		}
	}
	h.release()
	a.call("cortex_list", arguments{})
}
