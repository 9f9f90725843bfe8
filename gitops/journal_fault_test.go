package gitops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/internal/locks"
)

// TestHeal damages the newest state of a journal in every way a power cut can.
func TestHeal(t *testing.T) {
	loose := func(r *Repo, name string) string {
		out, err := tryGit(r.Root, nil, "rev-parse", name)
		if err != nil {
			panic(out)
		}
		return r.objects.loosePath(ObjectID(strings.TrimSpace(out)))
	}
	overwrite := func(t *testing.T, path, data string) {
		os.Remove(path)
		writeFile(t, path, data)
	}
	for _, tc := range []struct {
		name   string
		damage func(t *testing.T, r *Repo)
	}{
		{"empty ref", func(t *testing.T, r *Repo) { overwrite(t, r.Journal().ref.file(), "") }},
		{"garbage in the ref", func(t *testing.T, r *Repo) { overwrite(t, r.Journal().ref.file(), "\x00\x00\x00") }},
		{"ref to nowhere", func(t *testing.T, r *Repo) {
			overwrite(t, r.Journal().ref.file(), strings.Repeat("1", len(r.Head))+"\n")
		}},
		{"ref is gone", func(t *testing.T, r *Repo) { os.Remove(r.Journal().ref.file()) }},
		{"empty commit", func(t *testing.T, r *Repo) { overwrite(t, loose(r, JournalRef), "") }},
		{"garbage commit", func(t *testing.T, r *Repo) { overwrite(t, loose(r, JournalRef), "x\x9c\x00garbage") }},
		{"missing tree", func(t *testing.T, r *Repo) { os.Remove(loose(r, JournalRef+"^{tree}")) }},
		{"wrong tree", func(t *testing.T, r *Repo) {
			overwrite(t, loose(r, JournalRef+"^{tree}"), readFile(t, loose(r, JournalRef)))
		}},
		{"deep tree", func(t *testing.T, r *Repo) { overwrite(t, loose(r, JournalRef+":pending/main/decision"), "") }},
		{"torn log", func(t *testing.T, r *Repo) {
			overwrite(t, r.Journal().ref.file(), "")
			writeFile(t, r.Journal().ref.log(), readFile(t, r.Journal().ref.log())+"0123 torn")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, dir := context.Background(), initRepo(t)
			r := openRepo(t, dir)
			capture(t, r, change("one-0000001", "one\n"))
			two := capture(t, r, change("two-0000002", "two\n"))
			if !strings.HasPrefix(tc.name, "empty ref") {
				capture(t, r, change("three-0000003", "three\n"))
			}
			tc.damage(t, r)
			s, err := r.Journal().Snapshot(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			entries, err := s.List(ctx, "pending/main")
			if err != nil || s.Healed() == "" || len(entries) < 2 {
				t.Fatalf("healed %q, %v, %v", s.Healed(), entries, err)
			}
			out := capture(t, r, change("four-0000004", "four\n"))
			if out.Healed == "" || out.Spooled || out.Commit == "" {
				t.Errorf("outcome %+v", out)
			}
			got := contents(t, r)
			if got[memoryPath("one-0000001")] != "one\n" || got[memoryPath("two-0000002")] != "two\n" || got[memoryPath("four-0000004")] != "four\n" {
				t.Errorf("journal %v", got)
			}
			if out, err := tryGit(dir, nil, "merge-base", "--is-ancestor", string(two.Commit), JournalRef); err != nil {
				t.Errorf("history is lost: %s", out)
			}
			if out := capture(t, r, change("four-0000004", "four\n")); out != (Outcome{}) {
				t.Errorf("replay after healing: %+v", out)
			}
			if out, err := tryGit(dir, nil, "rev-list", "--objects", JournalRef); err != nil {
				t.Errorf("the healed journal is not whole: %s", out)
			}
			// The log names no lost state any more, and so what is left of one is
			// garbage. (git 2.55 prunes nothing while a damaged object lies about.)
			if out, err := tryGit(dir, nil, "prune", "--expire=now"); err != nil && !strings.Contains(out, "mark recent objects") {
				t.Errorf("git prune: %s", out)
			} else if err == nil {
				fsck(t, dir)
			}
		})
	}
}

func TestRepairBlob(t *testing.T) {
	ctx := context.Background()
	r := openRepo(t, initRepo(t))
	capture(t, r, change("one-0000001", "one\n"))
	capture(t, r, change("two-0000002", "two\n"))
	r.Journal().safe.forget()
	path := r.objects.loosePath(r.Hash([]byte("two\n")))
	os.Remove(path)
	writeFile(t, path, "")
	if _, ok, err := snapshotFile(t, r, memoryPath("two-0000002")); ok || err == nil {
		t.Errorf("a damaged file reads as %v, %v", ok, err)
	}
	out, err := r.Journal().Repair(ctx)
	if err != nil || out.Healed == "" {
		t.Errorf("outcome %+v, %v", out, err)
	}
	if diff := cmp.Diff(map[string]string{memoryPath("one-0000001"): "one\n"}, contents(t, r)); diff != "" {
		t.Error(diff)
	}
}

func snapshotFile(t *testing.T, r *Repo, path string) ([]byte, bool, error) {
	t.Helper()
	s, err := r.Journal().Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return s.File(context.Background(), path)
}

// TestUnreadableIsNotAbsent: in the place of a ref that names nothing, and where nothing
// else holds a state, a new journal begins, and says so; what the ref held is put aside.
func TestUnreadableIsNotAbsent(t *testing.T) {
	r := openRepo(t, initRepo(t))
	writeFile(t, r.Journal().ref.file(), "garbage\n")
	s, err := r.Journal().Snapshot(context.Background())
	if err != nil || !strings.Contains(s.Healed(), "garbage") {
		t.Fatalf("snapshot: %v", err)
	}
	s.Close()
	out := capture(t, r, change("one-0000001", "one\n"))
	if out.Spooled || !strings.Contains(out.Healed, "garbage") {
		t.Errorf("outcome %+v", out)
	}
	if got := readFile(t, filepath.Join(r.CacheDir(), "damaged-ref")); got != "garbage\n" {
		t.Errorf("put aside: %q", got)
	}
	if diff := cmp.Diff(map[string]string{memoryPath("one-0000001"): "one\n"}, contents(t, r)); diff != "" {
		t.Error(diff)
	}
}

// loose is the files of all loose objects.
func loose(t *testing.T, r *Repo) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.ObjectsDir, "??", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestKilledGit: a git that is killed while it reads says nothing about the objects,
// and costs no state of the journal.
func TestKilledGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("what stands in for git is a shell script, which Windows does not run by itself")
	}
	ctx := t.Context()
	dir := initRepo(t)
	r := openRepo(t, dir)
	capture(t, r, change("one-0000001", "one\n"))
	first := loose(t, r)
	capture(t, r, change("two-0000002", "two\n"))
	runGit(t, dir, "-c", "pack.indexVersion=1", "repack", "-a", "-q") // an index that only git reads
	for _, name := range loose(t, r) {                                // git is asked for the second state, and not for the first
		if !slices.Contains(first, name) {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	git := r.git.Binary
	r.git.Binary = filepath.Join(t.TempDir(), "git")
	script := "#!/bin/sh\ncase $1 in cat-file) read -r name; kill -9 $$;; esac\nexec '" + git + "' \"$@\"\n"
	if err := os.WriteFile(r.git.Binary, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	if s, err := r.Journal().Snapshot(ctx); err == nil || errors.Is(err, ErrUnreadable) {
		t.Errorf("snapshot: %+v, %v", s, err)
	}
	if out := capture(t, r, change("three-0000003", "three\n")); !out.Spooled {
		t.Errorf("outcome %+v", out)
	}
	r.git.Binary = git
	if out := capture(t, r, Change{}); out.Healed != "" || out.Drained != 1 {
		t.Errorf("outcome %+v", out)
	}
	want := map[string]string{
		memoryPath("one-0000001"): "one\n", memoryPath("two-0000002"): "two\n", memoryPath("three-0000003"): "three\n",
	}
	if diff := cmp.Diff(want, contents(t, r)); diff != "" {
		t.Error(diff)
	}
}

func TestStaleLock(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	r.lockWait = 300 * time.Millisecond
	capture(t, r, change("one-0000001", "one\n"))
	lock := r.Journal().ref.file() + ".lock"
	writeFile(t, lock, "")
	if out := capture(t, r, change("two-0000002", "two\n")); !out.Spooled || !strings.Contains(fmt.Sprint(out.Reason), "locked") {
		t.Errorf("a young lock: %+v", out)
	}
	if len(contents(t, r)) != 2 {
		t.Error("what is spooled is not seen")
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(lock)
	if err != nil {
		t.Fatal(err)
	}
	out := capture(t, r, change("three-0000003", "three\n"))
	if locks.InUse(lock, mustStat(t, lock)) != out.Spooled {
		t.Errorf("a lock that is held: %+v", out)
	}
	f.Close()
	out = capture(t, r, change("four-0000004", "four\n"))
	if out.Spooled || out.Commit == "" {
		t.Errorf("a stale lock: %+v", out)
	}
	writeFile(t, lock, "")
	future := time.Now().AddDate(10, 0, 0)
	if err := os.Chtimes(lock, future, future); err != nil {
		t.Fatal(err)
	}
	if out = capture(t, r, change("five-0000005", "five\n")); out.Spooled || out.Commit == "" {
		t.Errorf("a stale lock of before the clock was set back: %+v", out)
	}
	if got := contents(t, r); len(got) != 5 {
		t.Errorf("journal %v", got)
	}
	if _, err := os.Stat(r.Journal().spool.path); err == nil {
		t.Error("the spool is not drained")
	}
	fsck(t, dir)
}

func mustStat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func TestSpool(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	capture(t, r, change("one-0000001", "one\n"))
	r.lockWait = 50 * time.Millisecond
	unlock, err := r.Journal().lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	two := change("two-0000002", "two\n")
	two.Remove = []string{memoryPath("one-0000001")}
	if out := capture(t, r, two); !out.Spooled {
		t.Errorf("outcome %+v", out)
	}
	// A power cut tears the next line; what comes after it counts again.
	spool, err := os.OpenFile(r.Journal().spool.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	spool.WriteString("12345678 {\"message\":\"to")
	spool.Close()
	capture(t, r, change("three-0000003", "three\n"))
	unlock()
	want := map[string]string{memoryPath("two-0000002"): "two\n", memoryPath("three-0000003"): "three\n"}
	if diff := cmp.Diff(want, contents(t, r)); diff != "" {
		t.Errorf("before draining: %s", diff)
	}
	if out := capture(t, r, Change{}); out.Drained != 2 {
		t.Errorf("outcome %+v", out)
	}
	if diff := cmp.Diff(want, contents(t, r)); diff != "" {
		t.Errorf("after draining: %s", diff)
	}
	if n := runGit(t, dir, "rev-list", "--count", JournalRef); n != "3" {
		t.Errorf("%s commits", n)
	}
	if out := capture(t, r, Change{}); out != (Outcome{}) {
		t.Errorf("nothing to do: %+v", out)
	}
	fsck(t, dir)
}

// TestSpoolLine: of a line of which one byte is not what was written, nothing counts.
func TestSpoolLine(t *testing.T) {
	text, err := json.Marshal(spoolRecord(change("two-0000002", "two\n")))
	if err != nil {
		t.Fatal(err)
	}
	line := fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(text), text)
	if _, ok := parseSpoolLine(line); !ok {
		t.Fatalf("%s", line)
	}
	for i := range len(line) - 1 {
		wrong := bytes.Clone(line)
		wrong[i] ^= 1
		if _, ok := parseSpoolLine(wrong); ok {
			t.Errorf("byte %d: %s", i, wrong)
		}
	}
}

// TestUnknownEntries has a tree that cortex did not write.
func TestUnknownEntries(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	good := memoryPath("one-0000001")
	capture(t, r, change("one-0000001", "one\n"))
	blob := string(r.Hash([]byte("one\n")))
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(t.TempDir(), "index")}
	mustGit := func(args ...string) string {
		out, err := tryGit(dir, index, args...)
		if err != nil {
			t.Fatal(out)
		}
		return strings.TrimSpace(out)
	}
	mustGit("read-tree", JournalRef)
	for _, entry := range []string{
		"120000," + blob + "," + memoryPath("link"), "100644," + blob + ",pending/main/decision/2026-13/a.md",
		"100644," + blob + ",unknown/x", "100644," + blob + ",pending/main/decision/2026-11/a b.md",
		"160000," + r.Head + ",sessions/2026-11/sub.md", "100644," + blob + ",a/b/c/d/e/f/g/h/i/j/k",
	} {
		mustGit("update-index", "--add", "--cacheinfo", entry)
	}
	commit := mustGit("commit-tree", "-m", "by hand", mustGit("write-tree"))
	mustGit("update-ref", JournalRef, commit)
	if diff := cmp.Diff(map[string]string{good: "one\n"}, contents(t, r)); diff != "" {
		t.Error(diff)
	}
	capture(t, r, change("two-0000002", "two\n"))
	if n := len(strings.Fields(runGit(t, dir, "ls-tree", "-r", "--name-only", JournalRef))); n != 9 {
		t.Errorf("%d words: unknown entries are lost", n)
	}
	for _, path := range []string{"x", "pending/main/a.md", "pending/../../x/y/z.md", "pending/main/decision/2026-11/a/b.md", "dismissed/.git", "access/a.tsv/"} {
		c := Change{Message: "x", Put: map[string][]byte{path: nil}}
		if _, err := r.Journal().Update(context.Background(), nil, func(*Snapshot) (Change, error) { return c, nil }); err == nil {
			t.Errorf("%q was written", path)
		}
	}
}

// TestNotAcknowledged has nowhere to write: the change is not acknowledged.
func TestNotAcknowledged(t *testing.T) {
	r := openRepo(t, initRepo(t))
	writeFile(t, r.CacheDir(), "in the way")
	_, err := r.Journal().Update(context.Background(), nil, func(*Snapshot) (Change, error) {
		return change("one-0000001", "one\n"), nil
	})
	if err == nil {
		t.Error("acknowledged")
	}
}
