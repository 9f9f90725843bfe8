//go:build !windows

package gitops

import (
	"errors"
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
