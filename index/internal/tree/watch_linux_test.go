package tree

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// watching is a watch of a folder with a file in it; nil where the file system of
// temporary folders is not one that can be watched.
func watching(t *testing.T) (w *Watch, dir, file string) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, "a.md")
	if err := os.WriteFile(file, []byte("one\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	w, ok := NewWatch()
	if !ok {
		t.Fatal("no watch can be made")
	}
	t.Cleanup(w.Close)
	if !w.Add(dir) {
		if !counted(dir) {
			return nil, dir, file
		}
		t.Fatal("the folder cannot be watched")
	}
	return w, dir, file
}

// TestHappened: every change is counted when the call that makes it has returned.
func TestHappened(t *testing.T) {
	w, dir, file := watching(t)
	if w == nil {
		return
	}
	steps := []struct {
		name string
		do   func() error
	}{
		{"write in place", func() error { return write(file, os.O_WRONLY, "two\n") }},
		{"append", func() error { return write(file, os.O_WRONLY|os.O_APPEND, "x") }},
		{"cut", func() error { return os.Truncate(file, 2) }},
		{"mode", func() error { return os.Chmod(file, 0o600) }},
		{"new file", func() error { return os.WriteFile(filepath.Join(dir, "b.md"), nil, 0o666) }},
		{"rename over", func() error { return os.Rename(filepath.Join(dir, "b.md"), file) }},
		{"new folder", func() error { return os.Mkdir(filepath.Join(dir, "f"), 0o777) }},
		{"remove folder", func() error { return os.Remove(filepath.Join(dir, "f")) }},
		{"memory map", func() error { return writeMapped(file) }},
		{"remove", func() error { return os.Remove(file) }},
	}
	was, _ := w.Happened()
	for _, step := range steps {
		if now, ok := w.Happened(); now != was || !ok {
			t.Fatalf("before %s: %d, %v where %d was", step.name, now, ok, was)
		}
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		now, ok := w.Happened()
		if now == was || !ok {
			t.Errorf("after %s: %d, %v", step.name, now, ok)
		}
		was = now
	}
	if _, err := os.ReadDir(dir); err != nil {
		t.Fatal(err)
	}
	if now, _ := w.Happened(); now != was {
		t.Error("reading counts")
	}
}

func write(name string, how int, text string) error {
	file, err := os.OpenFile(name, how, 0)
	if err != nil {
		return err
	}
	defer file.Close() // counted by the writing before
	_, err = file.WriteString(text)
	return err
}

// writeMapped writes through a memory map, which is gone when it returns.
func writeMapped(name string) error {
	if err := os.WriteFile(name, []byte("mapped"), 0o666); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	data, err := unix.Mmap(int(file.Fd()), 0, 6, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	data[0] = 'M'
	if err := unix.Munmap(data); err != nil {
		return err
	}
	return file.Close()
}

// TestAdd: a folder is known again, and another one in its place is not, which counts.
func TestAdd(t *testing.T) {
	w, dir, _ := watching(t)
	if w == nil {
		return
	}
	was, _ := w.Happened()
	if ok := w.Add(dir); !ok || w.count != was {
		t.Errorf("a second Add = %v, %d where %d was", ok, w.count, was)
	}
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	if w.Add(dir) {
		t.Error("a folder that is not there was added")
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	was, _ = w.Happened()
	if ok := w.Add(dir); !ok || w.count != was+1 {
		t.Errorf("Add of another folder = %v, %d where %d was", ok, w.count, was)
	}
}

// TestLost: what is too much to be counted is not known, and neither is a folder that
// is gone.
func TestLost(t *testing.T) {
	w, dir, _ := watching(t)
	if w == nil {
		return
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, ok := w.Happened(); ok {
		t.Error("a folder that is gone is said to be watched")
	}
	w, _, file := watching(t)
	most := 16_384 // events, unless the system says otherwise
	if setting, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events"); err == nil {
		if most, err = strconv.Atoi(strings.TrimSpace(string(setting))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range most/2 + 1000 { // two events each; two equal ones in a row are one
		if err := os.Chmod(file, os.FileMode(0o600+i%2)); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(file, 4); err != nil {
			t.Fatal(err)
		}
	}
	if n, ok := w.Happened(); ok {
		t.Errorf("all of %d are said to be counted", n)
	}
}
