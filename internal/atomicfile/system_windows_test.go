package atomicfile

import (
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// TestScanner: a program that has the old file open, and lets nobody delete
// it, only delays the new one.
func TestScanner(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	put(t, path, "old", 0o666)
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	scanner, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, func() { _ = windows.CloseHandle(scanner) })
	if err := Write(openRoot(t, dir), "file", []byte("new"), Options{}); err != nil {
		t.Error(err)
	}
	if got := files(t, dir); len(got) != 1 || got["file"] != "new" {
		t.Errorf("files %v", got)
	}
}
