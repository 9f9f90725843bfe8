//go:build !windows

package gitops

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// noReader waits until no process has the pipe open for reading any more.
func noReader(t *testing.T, pipe string) {
	t.Helper()
	for range 200 {
		fd, err := syscall.Open(pipe, syscall.O_WRONLY|syscall.O_NONBLOCK, 0)
		if errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.ENOENT) { // it was ended before it made the pipe
			return
		}
		if err == nil {
			syscall.Close(fd)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("a child of git is still alive")
}

// TestSpoolOfAnotherKind: a spool that is a link or a pipe is named, and nobody waits
// for it.
func TestSpoolOfAnotherKind(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(dir, "elsewhere")
	writeFile(t, elsewhere, "")
	link, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.Symlink(elsewhere, link), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, pipe} {
		if _, _, err := (spool{path}).read(); err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("%s: %v", path, err)
		}
	}
}
