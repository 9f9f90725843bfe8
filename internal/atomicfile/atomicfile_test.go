package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// put writes a file past this package.
func put(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// files are all regular files and links below dir, with what they hold.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			data = []byte("unreadable")
		}
		rel, _ := filepath.Rel(dir, path)
		found[filepath.ToSlash(rel)] = string(data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestWrite(t *testing.T) {
	for name, opt := range map[string]Options{
		"beside":         {},
		"elsewhere":      {Temp: "cache"},
		"without sync":   {NoSync: true},
		"no such folder": {Temp: "missing/folder"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, "a/old"), "old", 0o666)
			put(t, filepath.Join(dir, "cache/kept"), "kept", 0o666)
			root := openRoot(t, dir)
			for name, data := range map[string]string{"a/old": "new", "a/new": "", "top": "text"} {
				if err := Write(root, name, []byte(data), opt); err != nil {
					t.Error(err)
				}
			}
			want := map[string]string{"a/old": "new", "a/new": "", "top": "text", "cache/kept": "kept"}
			if diff := cmp.Diff(want, files(t, dir)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWritePath(t *testing.T) {
	dir := t.TempDir()
	if err := WritePath(filepath.Join(dir, "a"), []byte("text"), Options{}); err != nil {
		t.Error(err)
	}
	if err := WritePath(filepath.Join(dir, "missing", "a"), []byte("text"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "text"}, files(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestNew(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "there"), "old", 0o666)
	put(t, filepath.Join(dir, "cache/kept"), "kept", 0o666)
	root := openRoot(t, dir)
	for _, temp := range []string{"", "cache"} {
		if err := Write(root, "there", []byte("new"), Options{New: true, Temp: temp}); !errors.Is(err, fs.ErrExist) {
			t.Errorf("replacing with %q: %v", temp, err)
		}
		if err := Write(root, "new"+temp, []byte("new"), Options{New: true, Temp: temp}); err != nil {
			t.Errorf("creating with %q: %v", temp, err)
		}
	}
	// Somebody else is faster.
	f, err := Create(root, "late", Options{New: true})
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "late"), "faster", 0o666)
	if err := f.Commit(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that came meanwhile: %v", err)
	}
	want := map[string]string{"there": "old", "cache/kept": "kept", "new": "new", "newcache": "new", "late": "faster"}
	if diff := cmp.Diff(want, files(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestOutside: nothing outside of the root is written, made or removed, and
// what is there and no regular file stays.
func TestOutside(t *testing.T) {
	top := t.TempDir()
	put(t, filepath.Join(top, "outside/file"), "theirs", 0o666)
	put(t, filepath.Join(top, "root/file"), "ours", 0o666)
	if err := os.Mkdir(filepath.Join(top, "root/folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"root/out": "../outside", "root/outfile": "../outside/file", "root/abs": filepath.Join(top, "outside"), "root/infile": "file",
	} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(top, link)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	before := files(t, top)
	root := openRoot(t, filepath.Join(top, "root"))
	for _, name := range []string{
		"../outside/file", "../new", "out/file", "out/new", "abs/file", "abs/new",
		"folder", "outfile", "infile", filepath.Join(top, "outside/file"), "", ".",
	} {
		if err := Write(root, name, []byte("new"), Options{}); err == nil {
			t.Errorf("%q was written", name)
		}
	}
	for _, temp := range []string{"../outside", "out", "abs"} {
		if f, err := Create(root, "file", Options{Temp: temp}); err == nil {
			t.Errorf("a temporary file in %q", temp)
			f.Close()
		}
	}
	if err := Write(root, "infile", []byte("new"), Options{}); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a link: %v", err)
	}
	if diff := cmp.Diff(before, files(t, top)); diff != "" {
		t.Errorf("files (-before +after):\n%s", diff)
	}
}

func TestMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits but read-only")
	}
	tests := []struct {
		old  fs.FileMode
		opt  Options
		want fs.FileMode
	}{
		{0o600, Options{}, 0o600},
		{0o755, Options{}, 0o755},
		{0o444, Options{}, 0o444},
		{0o666, Options{Temp: "cache"}, 0o666},
		{0o644, Options{Mode: 0o600}, 0o600},
		{0, Options{Mode: 0o604}, 0o604},
		{0, Options{Mode: 0o400, New: true}, 0o400},
	}
	for _, test := range tests {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "cache/kept"), "", 0o666)
		path := filepath.Join(dir, "file")
		if test.old != 0 {
			put(t, path, "old", test.old)
		}
		if err := Write(openRoot(t, dir), "file", []byte("new"), test.opt); err != nil {
			t.Error(err)
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != test.want {
			t.Errorf("%v over %v: %v, want %v", test.opt, test.old, info.Mode(), test.want)
		}
	}
}

// TestManyFiles writes as an import does: everything is complete before the
// first name is there, and an error leaves none of it.
func TestManyFiles(t *testing.T) {
	dir := t.TempDir()
	root := openRoot(t, dir)
	var open []*File
	for i := range 3 {
		f, err := Create(root, fmt.Sprint(i), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := fmt.Fprintf(f, "text %d", i); err != nil {
			t.Fatal(err)
		}
		if err := f.Seal(); err != nil {
			t.Fatal(err)
		}
		open = append(open, f)
	}
	for name := range files(t, dir) {
		if !IsTemp(name) {
			t.Errorf("%s is there before it is committed", name)
		}
	}
	for _, f := range open[:2] {
		if err := f.Commit(); err != nil {
			t.Error(err)
		}
		f.Close()
	}
	open[2].Close()
	if err := open[2].Commit(); err == nil {
		t.Error("a closed file was committed")
	}
	if diff := cmp.Diff(map[string]string{"0": "text 0", "1": "text 1"}, files(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestConcurrentWriters: the file is always one of those that were written,
// and at the end no temporary file is left.
func TestConcurrentWriters(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "cache"), 0o777); err != nil {
		t.Fatal(err)
	}
	const writers, rounds = 8, 40
	text := func(k, i int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%d-%d\n", k, i), 300*(k+1)) }
	var group sync.WaitGroup
	for k := range writers {
		root := openRoot(t, dir) // as another process would
		group.Go(func() {
			opt := Options{NoSync: true}
			if k%2 == 0 {
				opt.Temp = "cache"
			}
			own := fmt.Sprintf("own-%d", k)
			for i := range rounds {
				for _, name := range []string{own, "common"} {
					if err := Write(root, name, text(k, i), opt); err != nil {
						t.Error(err)
					}
				}
				got, err := root.ReadFile("common")
				line, _, _ := strings.Cut(string(got), "\n")
				if err != nil || len(got) == 0 || strings.Trim(string(got), line+"\n") != "" || strings.Count(string(got), "\n")%300 != 0 {
					t.Errorf("%d bytes that nobody wrote, %v", len(got), err)
				}
				if got, err := root.ReadFile(own); err != nil || !bytes.Equal(got, text(k, i)) {
					t.Errorf("%s is not what was written: %d bytes, %v", own, len(got), err)
				}
			}
		})
	}
	group.Wait()
	if found := files(t, dir); len(found) != writers+1 {
		t.Errorf("%d files are left, want %d", len(found), writers+1)
	}
}

func TestIsTemp(t *testing.T) {
	root := openRoot(t, t.TempDir())
	for _, opt := range []Options{{}, {Temp: "."}} {
		f, err := Create(root, "a", opt)
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Base(f.temp); !IsTemp(name) {
			t.Errorf("%s is not known", name)
		}
		f.Close()
	}
	for _, name := range []string{"cortex.tmp", "cortex-1.tmp", "a-cortex-abcdefghijklmnopqrstuvwxyz.tmp", ".cortex-abcdefghijklmnopqrstuvwxyz.tmp.md", ""} {
		if IsTemp(name) {
			t.Errorf("%q is nobody's temporary file of ours", name)
		}
	}
}

// TestBusyRename: a rename that another program is in the way of is tried again, for
// a while; one that can never work is not.
func TestBusyRename(t *testing.T) {
	errBusy, errOther := errors.New("busy"), errors.New("other")
	for _, tc := range []struct {
		name  string
		fails []error // one try each, then it works
		want  error
		tries int
	}{
		{"at once", nil, nil, 1},
		{"after a scan", []error{errBusy, errBusy, errBusy}, nil, 4},
		{"never", []error{errBusy, errOther, nil}, errOther, 2},
		{"always busy", slices.Repeat([]error{errBusy}, 100), errBusy, 10},
	} {
		tries := 0
		err := patiently(func() error {
			tries++
			if tries <= len(tc.fails) {
				return tc.fails[tries-1]
			}
			return nil
		}, func(err error) bool { return errors.Is(err, errBusy) })
		if !errors.Is(err, tc.want) || tries != tc.tries {
			t.Errorf("%s: %v after %d tries", tc.name, err, tries)
		}
	}
}

// TestEdit: a file is made, changed and removed, keeps its permissions, and is left alone
// where nothing changes.
func TestEdit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "file")
	edit := func(want, now string, mode fs.FileMode) {
		t.Helper()
		err := Edit(path, mode, func(data []byte) ([]byte, error) {
			if string(data) != want {
				t.Errorf("%q is there, want %q", data, want)
			}
			if now == "" {
				return nil, nil
			}
			return []byte(now), nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	edit("", "", 0)
	edit("", "a", 0o600)
	edit("a", "b", 0o644)
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	edit("b", "b", 0)
	if info, err := os.Stat(path); err != nil || info.ModTime().Unix() != 1 {
		t.Errorf("a file that stays as it is was written: %v", err)
	}
	refused := errors.New("no")
	if err := Edit(path, 0, func([]byte) ([]byte, error) { return nil, refused }); !errors.Is(err, refused) {
		t.Error(err)
	}
	edit("b", "", 0)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
	if err := Edit(dir, 0, func([]byte) ([]byte, error) { return nil, nil }); err == nil {
		t.Error("a folder is edited")
	}
}
