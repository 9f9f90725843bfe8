//go:build !windows

package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// childEnv is set in a copy of this test program that plays a part of its own.
const childEnv = "ATOMICFILE_TEST_CHILD"

// child prepares to run this test again as a process of its own.
func child(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), childEnv+"=1")
	return cmd
}

// TestFullDisk: a write that fails halfway leaves the old file and nothing
// else. The limit of the size of files stands for a full disk.
func TestFullDisk(t *testing.T) {
	if os.Getenv(childEnv) != "" {
		writeTooMuch(t)
		return
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "file"), "old", 0o666)
	put(t, filepath.Join(dir, "cache/kept"), "kept", 0o666)
	if out, err := child(t, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if diff := cmp.Diff(map[string]string{"file": "old", "cache/kept": "kept"}, files(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func writeTooMuch(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}); err != nil {
		t.Fatal(err)
	}
	root := openRoot(t, ".")
	for _, name := range []string{"file", "new"} {
		for _, opt := range []Options{{}, {Temp: "cache"}, {New: true}} {
			err := Write(root, name, make([]byte, 10000), opt)
			if !errors.Is(err, syscall.EFBIG) && !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s with %v: %v", name, opt, err)
			}
		}
	}
}

// TestKill kills a writer at any moment: its file is whole, and what else it
// left has the name of a temporary file.
func TestKill(t *testing.T) {
	if os.Getenv(childEnv) != "" {
		root := openRoot(t, ".")
		for i := 0; ; i++ {
			opt := Options{Temp: []string{"", "cache"}[i%2], NoSync: i%3 == 0}
			if err := Write(root, "file", killText(i), opt); err != nil {
				t.Fatal(err)
			}
		}
	}
	left := 0
	for round := range 20 {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "file"), string(killText(0)), 0o666)
		if err := os.Mkdir(filepath.Join(dir, "cache"), 0o777); err != nil {
			t.Fatal(err)
		}
		cmd := child(t, dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(15+2*round) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait()
		for name, text := range files(t, dir) {
			switch {
			case IsTemp(filepath.Base(name)):
				left++
			case name != "file":
				t.Errorf("%s was left behind", name)
			default:
				var i int
				if _, err := fmt.Sscanf(text, "%d\n", &i); err != nil || text != string(killText(i)) {
					t.Errorf("half a file: %d bytes, %v", len(text), err)
				}
			}
		}
	}
	t.Logf("%d temporary files were left behind by 20 kills", left)
}

func killText(i int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%d\n", i), 20000) }

// TestReadOnly: a folder that cannot be written is an error that leaves
// nothing; a file that cannot be written is replaced, and stays read-only.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "folder/file"), "old", 0o444)
	root := openRoot(t, dir)
	if err := Write(root, "folder/file", []byte("new"), Options{}); err != nil {
		t.Errorf("a read-only file: %v", err)
	}
	if info, err := root.Stat("folder/file"); err != nil || info.Mode() != 0o444 {
		t.Errorf("a read-only file: %v, %v", info, err)
	}
	if os.Getuid() == 0 {
		t.Log("root may write everywhere: no read-only folder to test")
		return
	}
	if err := os.Chmod(filepath.Join(dir, "folder"), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "folder"), 0o777) })
	for _, name := range []string{"folder/file", "folder/new"} {
		if err := Write(root, name, []byte("newer"), Options{}); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s in a read-only folder: %v", name, err)
		}
	}
	if diff := cmp.Diff(map[string]string{"folder/file": "new"}, files(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestUmask: a new file respects it, whatever mode was asked for; one that is replaced keeps its
// permissions.
func TestUmask(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	root := openRoot(t, t.TempDir())
	put(t, filepath.Join(root.Name(), "kept"), "old", 0o664)
	put(t, filepath.Join(root.Name(), "given"), "old", 0o664)
	var got []string
	for name, opt := range map[string]Options{"new": {}, "asked": {Mode: 0o644}, "wide": {Mode: 0o777}, "kept": {}, "given": {Mode: 0o666}} {
		if err := Write(root, name, nil, opt); err != nil {
			t.Fatal(err)
		}
		info, err := root.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, name+" "+info.Mode().String())
	}
	slices.Sort(got)
	want := []string{"asked -rw-------", "given -rw-------", "kept -rw-rw-r--", "new -rw-------", "wide -rwx------"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
