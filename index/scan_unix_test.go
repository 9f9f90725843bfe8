//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package index

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/git-cortex/cortex/index/internal/regular"
	"github.com/git-cortex/cortex/memory"
)

// TestReadRegular: a file is read whole up to the limit, and nothing else than a file is.
func TestReadRegular(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, size := range []int{0, 1, 511, 512, 4096, memory.MaxFile - 1, memory.MaxFile} {
		want := bytes.Repeat([]byte{'x'}, size)
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := regular.Read(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: read %d, %v", size, len(got), err)
		}
	}
	if err := os.WriteFile(name, make([]byte, 2*memory.MaxFile), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := regular.Read(name); err == nil || !strings.Contains(err.Error(), "over the limit") {
		t.Errorf("too large: %v", err)
	}
	link, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.Symlink(name, link), unix.Mkfifo(pipe, 0o666)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{link: "symbolic links", pipe: "a named pipe is not", dir: "a folder is not"} {
		if _, err := regular.Read(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
	}
	if _, err := regular.Read(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}
