package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"
	"github.com/google/go-cmp/cmp"
)

func TestOpenErrors(t *testing.T) {
	ctx := context.Background()
	if _, err := Open(ctx, t.TempDir(), Options{Env: testEnv()}); !errors.Is(err, ErrNotRepository) {
		t.Errorf("no repository: %v", err)
	}
	if _, err := Open(ctx, t.TempDir(), Options{Env: []string{"PATH=.:bin"}}); !errors.Is(err, ErrNoGit) {
		t.Errorf("no git: %v", err)
	}
	if os.Getuid() == 0 {
		dir := initRepo(t)
		if err := os.Chown(dir, 12345, 12345); err != nil {
			t.Skipf("no folder can be given to another user here: %v", err)
		}
		var unsafe *UnsafeError
		if _, err := Open(ctx, dir, Options{Env: testEnv()}); !errors.As(err, &unsafe) || !strings.Contains(unsafe.Hint(), dir) {
			t.Errorf("another owner: %v", err)
		}
	}
	bare := t.TempDir()
	runGit(t, bare, "init", "-q", "--bare")
	r := openRepo(t, bare)
	if _, err := r.StagingArea().Land(ctx, []File{{Path: landPath}}); !errors.Is(err, ErrNoWorktree) {
		t.Errorf("landing in a bare repository: %v", err)
	}
	if out := capture(t, r, change("one-0000001", "one\n")); out.Commit == "" {
		t.Errorf("journal of a bare repository: %+v", out)
	}
}

// TestOpenOddPath: what a path holds is no part of git's answer, and a line break, which
// cannot be told from its end, is named.
func TestOpenOddPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such file names")
	}
	for _, name := range []string{"tab\tx", `quote"x`, "it's", "back\\slash", "carriage\r", "esc\x1b[31m", "latin\xe9", "line\nbreak", "two\n\nbreaks", "break\n"} {
		for _, args := range [][]string{nil, {"--bare"}} {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.MkdirAll(dir, 0o755); errors.Is(err, syscall.EILSEQ) {
				continue // a file system that takes UTF-8 alone
			} else if err != nil {
				t.Fatal(err)
			}
			runGit(t, dir, append([]string{"init", "-q", "-b", "main"}, args...)...)
			r, err := Open(t.Context(), dir, Options{Env: testEnv()})
			switch {
			case strings.Contains(name, "\n"):
				if !errors.Is(err, ErrLineBreak) {
					t.Errorf("%q %v: %v", name, args, err)
				}
			case err != nil:
				t.Errorf("%q %v: %v", name, args, err)
			case args == nil && (r.Root != r.Dir || r.GitDir != filepath.Join(r.Dir, ".git")), args != nil && (!r.Bare || r.GitDir != r.Dir):
				t.Errorf("%q %v: root %q, git %q, bare %v", name, args, r.Root, r.GitDir, r.Bare)
			}
		}
	}
}

func TestRunEndsWithContext(t *testing.T) {
	dir := initRepo(t)
	slow := filepath.Join(t.TempDir(), "git")
	if err := os.WriteFile(slow, []byte("#!/bin/sh\nexec sleep 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := Open(ctx, dir, Options{Env: testEnv(), Git: slow}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestStates(t *testing.T) {
	ctx := context.Background()
	for _, format := range []string{"sha1", "sha256"} {
		dir := initRepo(t, "--object-format="+format)
		r := openRepo(t, dir)
		writeFile(t, filepath.Join(dir, ".cortex/memories/ünï.md"), "one\n")
		writeFile(t, filepath.Join(dir, ".cortex/memories/b.md"), strings.Repeat("x", 5000))
		writeFile(t, filepath.Join(dir, "other"), "")
		if err := os.Symlink("b.md", filepath.Join(dir, ".cortex/memories/link.md")); err != nil {
			t.Fatal(err)
		}
		runGit(t, dir, "add", ".")
		runGit(t, dir, "commit", "-q", "-m", "x")
		runGit(t, dir, "branch", "feat/a")
		one, b := Entry{Path: ".cortex/memories/ünï.md", Blob: r.Hash([]byte("one\n"))}, Entry{Path: ".cortex/memories/b.md", Blob: r.Hash([]byte(strings.Repeat("x", 5000)))}
		got, err := r.Tree(ctx, "feat/a", ".cortex")
		if diff := cmp.Diff([]Entry{b, one}, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if got, err := r.Tree(ctx, "HEAD", "absent"); err != nil || len(got) != 0 {
			t.Errorf("absent prefix: %v, %v", got, err)
		}
		for _, rev := range []string{"absent", "", "--all"} {
			if _, err := r.Tree(ctx, rev, ""); !errors.Is(err, ErrNoRevision) {
				t.Errorf("revision %q: %v", rev, err)
			}
		}
		var texts []string
		ids := []ObjectID{one.Blob, b.Blob, r.Hash([]byte("absent")), ObjectID(runGit(t, dir, "rev-parse", "HEAD")), one.Blob}
		err = r.Blobs(ctx, ids, 1000, func(_ ObjectID, data []byte) error {
			texts = append(texts, string(data))
			return nil
		})
		if diff := cmp.Diff([]string{"one\n", "", "", "", "one\n"}, texts); err != nil || diff != "" {
			t.Error(err, diff)
		}
		stop := errors.New("enough")
		if err := r.Blobs(ctx, ids, 0, func(ObjectID, []byte) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("stopping: %v", err)
		}
		branches, err := r.Branches(ctx)
		if err != nil || len(branches) != 2 || branches[0].Name != "feat/a" || branches[0].Commit != ObjectID(runGit(t, dir, "rev-parse", "HEAD")) {
			t.Errorf("branches %v, %v", branches, err)
		}
	}
}

func TestConfig(t *testing.T) {
	ctx, dir := context.Background(), initRepo(t)
	global := filepath.Join(t.TempDir(), "config")
	writeFile(t, global, "[user]\n\tname = Ada\n[cortex]\n\tenabled\n\teditor = a\n\tb\n")
	writeFile(t, global, "[user]\n\tname = Ada\n[cortex]\n\tenabled\n\teditor = \"a\\nb\"\n")
	r, err := Open(ctx, dir, Options{Env: append(testEnv(), "GIT_CONFIG_GLOBAL="+global)})
	if err != nil {
		t.Fatal(err)
	}
	before := readFile(t, filepath.Join(dir, ".git/config"))
	runGit(t, dir, "remote", "add", "up", "/x")
	c, err := r.Config(ctx)
	if err != nil {
		t.Fatal(err)
	}
	name, mail := c.User()
	if name != "Ada" || mail != "" || !c.Bool("cortex.enabled") || c.LocalValue("cortex.enabled") != "" || c.Value("cortex.editor") != "a\nb" ||
		!slices.Equal(c.Remotes(), []string{"up"}) {
		t.Errorf("config %+v", c)
	}
	runGit(t, dir, "remote", "remove", "up")
	if err := r.LocalConfig().Edit(ctx, Setting{Key: "cortex.enabled", Value: "false"}); err != nil {
		t.Fatal(err)
	}
	if c, _ = r.Config(ctx); c.Bool("cortex.enabled") || c.LocalValue("cortex.enabled") != "false" {
		t.Errorf("config %+v", c)
	}
	for range 2 {
		if err := r.LocalConfig().Edit(ctx, Setting{Key: "cortex.enabled"}); err != nil {
			t.Fatal(err)
		}
	}
	if after := readFile(t, filepath.Join(dir, ".git/config")); after != before {
		t.Errorf("config before %q, after %q", before, after)
	}
}

func TestSnapshotReuse(t *testing.T) {
	ctx := context.Background()
	r := openRepo(t, initRepo(t))
	capture(t, r, change("one-0000001", "one\n"))
	runGit(t, r.Root, "gc", "-q")
	s, err := r.Journal().Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, name := range []string{"two-0000002", "three-0000003"} { // the second finds s behind
		var seen []Entry
		_, err := r.Journal().Update(ctx, s, func(now *Snapshot) (Change, error) {
			var err error
			seen, err = now.List(ctx, PendingPrefix("main"))
			return change(name, name), err
		})
		if err != nil || (name == "three-0000003") != (len(seen) == 2) {
			t.Errorf("%s: saw %v, %v", name, seen, err)
		}
	}
	if got, _ := s.List(ctx, ""); len(got) != 1 {
		t.Errorf("the snapshot moved: %v", got)
	}
	if got := contents(t, r); len(got) != 3 {
		t.Errorf("journal %v", got)
	}
	folders, err := s.Folders(ctx, "pending")
	if err != nil || !slices.Equal(folders, []string{"main"}) {
		t.Errorf("folders %v, %v", folders, err)
	}
	refused := errors.New("no")
	if _, err := r.Journal().Update(ctx, nil, func(*Snapshot) (Change, error) { return Change{}, refused }); !errors.Is(err, refused) {
		t.Errorf("build error: %v", err)
	}
}

// TestCodec compares the encoding of trees and commits with go-git's.
func TestCodec(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	out := capture(t, r, Change{Message: "x\n\nbody", Trailers: []Trailer{{"A", "b\nc"}}, Put: map[string][]byte{
		"pending/a/fix/2026-11/a.md": nil, "pending/a.b/fix/2026-11/a.md": nil, "pending/a-b/fix/2026-11/a.md": nil, "dismissed/x": nil,
	}})
	check := func(id ObjectID) {
		o, err := r.objects.readLoose(id, maxObject)
		if err != nil {
			t.Fatal(err)
		}
		var mem, again plumbing.MemoryObject
		kind, _ := plumbing.ParseObjectType(o.kind)
		mem.SetType(kind)
		mem.Write(o.data)
		decoded, err := gitobject.DecodeObject(nil, &mem)
		if err != nil {
			t.Fatal(err)
		}
		if err := decoded.(interface {
			Encode(plumbing.EncodedObject) error
		}).Encode(&again); err != nil {
			t.Fatal(err)
		}
		if again.Hash().String() != string(id) {
			t.Errorf("go-git encodes %s %s as %s", o.kind, id, again.Hash())
		}
	}
	check(out.Commit)
	fsck(t, dir)
	for line := range strings.Lines(runGit(t, dir, "rev-list", "--objects", "--no-object-names", JournalRef)) {
		check(ObjectID(strings.TrimSpace(line)))
	}
}

func FuzzBranch(f *testing.F) {
	for _, s := range []string{"main", "feat/a", "", ".", "-x", "a.", "%", "ü", "a b", ".git", "x.lock"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, branch string) {
		enc := EncodeBranch(branch)
		if got, ok := DecodeBranch(enc); !ok || got != branch {
			t.Fatalf("%q became %q and %q, %v", branch, enc, got, ok)
		}
		if len(enc) <= 1024 && !validPath("received/"+enc) {
			t.Fatalf("%q became %q, which is no path component", branch, enc)
		}
		if got, ok := DecodeBranch(branch); ok && EncodeBranch(got) != branch {
			t.Fatalf("%q is read as %q, and is not how that is written", branch, got)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	dir := initRepo(b)
	env := testEnv()
	for b.Loop() {
		if _, err := Open(context.Background(), dir, Options{Env: env}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSnapshotRead(b *testing.B) {
	for _, packed := range []bool{false, true} {
		b.Run(map[bool]string{false: "loose", true: "packed"}[packed], func(b *testing.B) {
			dir := initRepo(b)
			r := openRepo(b, dir)
			c := change("one-0000001", "one\n")
			for i := range 200 {
				c.Put[memoryPath("m-"+string(rune('a'+i%26))+strings.Repeat("x", i/26))] = []byte(strings.Repeat("text ", i))
			}
			capture(b, r, c)
			if packed {
				runGit(b, dir, "gc", "-q")
			}
			for b.Loop() {
				s, err := r.Journal().Snapshot(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				entries, err := s.List(context.Background(), "pending/main")
				if err != nil || len(entries) != 201 {
					b.Fatal(len(entries), err)
				}
				if err := s.Read(context.Background(), entries, func(Entry, []byte) error { return nil }); err != nil {
					b.Fatal(err)
				}
				s.Close()
			}
		})
	}
}
