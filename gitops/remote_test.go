package gitops

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/gitops/internal/remotes"
)

// clonePair is a bare repository and a clone of it, whose journal has one memory.
func clonePair(t *testing.T) (hub string, clone *Repo) {
	t.Helper()
	dir := initRepo(t)
	hub = filepath.Join(t.TempDir(), "hub.git")
	runGit(t, dir, "clone", "-q", "--bare", dir, hub)
	runGit(t, dir, "remote", "add", "origin", hub)
	r := openRepo(t, dir)
	capture(t, r, change("one-0000001", "one\n"))
	return hub, r
}

// publish pushes one file more on top of what the remote has.
func publish(t *testing.T, r *Repo, on ObjectID, name string) (ObjectID, error) {
	t.Helper()
	c, err := r.Journal().Compose(t.Context(), on, change(name, name+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.Commit, r.Remotes().Push(t.Context(), "origin", c.Commit, on, Network{})
}

// TestFetchJournal: whatever the user configured for fetching and pushing,
// only the journal moves, and only its tracking ref.
func TestFetchJournal(t *testing.T) {
	hub, a := clonePair(t)
	b := filepath.Join(t.TempDir(), "b")
	runGit(t, hub, "tag", "v1", "main")
	runGit(t, hub, "branch", "side", "main")
	runGit(t, b[:len(b)-2], "clone", "-q", "--no-tags", "--single-branch", hub, b)
	for _, kv := range [][2]string{
		{"fetch.prune", "true"},
		{"fetch.pruneTags", "true"},
		{"remote.origin.tagOpt", "--tags"},
		{"push.followTags", "true"},
		{"fetch.writeCommitGraph", "true"},
		{"fetch.recurseSubmodules", "on-demand"},
		{"push.recurseSubmodules", "check"},
		{"remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"},
		{"remote.origin.push", "refs/heads/*:refs/heads/*"},
		{"core.logAllRefUpdates", "always"},
		{"transfer.fsckObjects", "true"},
	} {
		runGit(t, b, "config", "--add", kv[0], kv[1])
	}
	runGit(t, b, "tag", "mine")
	runGit(t, b, "symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
	r := openRepo(t, b)
	refs := func() string {
		return runGit(t, b, "for-each-ref", "refs/heads", "refs/tags", "refs/remotes", "refs/cortex")
	}
	before := refs()
	got, err := r.Remotes().Fetch(t.Context(), "origin", Network{}, false)
	if err != nil || got != (Fetched{}) {
		t.Fatalf("a remote without a journal: %+v, %v", got, err)
	}
	first, err := publish(t, a, "", "two-0000002")
	if err != nil {
		t.Fatal(err)
	}
	got, err = r.Remotes().Fetch(t.Context(), "origin", Network{}, true)
	if err != nil || got != (Fetched{Commit: first}) || trackedAt(t, r) != "" {
		t.Fatalf("dry run: %+v, %v, tracking %q", got, err, trackedAt(t, r))
	}
	if _, err := r.Journal().At(t.Context(), first); err != nil {
		t.Errorf("a dry run did not bring the objects: %v", err)
	}
	got, err = r.Remotes().Fetch(t.Context(), "origin", Network{}, false)
	if err != nil || got != (Fetched{Commit: first}) || trackedAt(t, r) != first {
		t.Fatalf("%+v, %v", got, err)
	}
	second, err := publish(t, r, first, "three-0000003")
	if err != nil || trackedAt(t, r) != second {
		t.Fatalf("pushing: %v", err)
	}
	if diff := cmp.Diff(before, refs()); diff != "" {
		t.Errorf("refs of the user (-before +after):\n%s", diff)
	}
	if tags := runGit(t, hub, "tag"); tags != "v1" {
		t.Errorf("tags of the remote: %s", tags)
	}
	if gitcmd.Exists(filepath.Join(b, ".git", "FETCH_HEAD")) {
		t.Error("FETCH_HEAD was written")
	}
	fsck(t, b)
	fsck(t, hub)

	// The remote is rewound, and then has lost its journal.
	runGit(t, hub, "update-ref", JournalRef, string(first))
	if got, err = r.Remotes().Fetch(t.Context(), "origin", Network{}, false); err != nil || got != (Fetched{Commit: first, Rewound: true}) {
		t.Errorf("rewound: %+v, %v", got, err)
	}
	runGit(t, hub, "update-ref", "-d", JournalRef)
	if got, err = r.Remotes().Fetch(t.Context(), "origin", Network{}, false); err != nil || got != (Fetched{Rewound: true}) {
		t.Errorf("gone: %+v, %v", got, err)
	}
}

// TestPushJournal: a push that another was faster than is told from one that
// is refused, and nothing is ever forced.
func TestPushJournal(t *testing.T) {
	hub, r := clonePair(t)
	first, err := publish(t, r, "", "two-0000002")
	if err != nil {
		t.Fatal(err)
	}
	second, err := publish(t, r, first, "three-0000003")
	if err != nil {
		t.Fatal(err)
	}
	for name, on := range map[string]ObjectID{"absent": "", "older": first} {
		if _, err := publish(t, r, on, "four-0000004"); !errors.Is(err, ErrRemoteMoved) {
			t.Errorf("expecting %s: %v", name, err)
		}
	}
	// Rewound since it was fetched: an ordinary push would be a fast-forward.
	runGit(t, hub, "update-ref", JournalRef, string(first))
	if _, err := publish(t, r, second, "four-0000004"); !errors.Is(err, ErrRemoteMoved) {
		t.Errorf("rewound: %v", err)
	}
	if got := runGit(t, hub, "rev-parse", JournalRef); got != string(first) {
		t.Errorf("the remote moved to %s", got)
	}
	if runtime.GOOS == "windows" {
		return
	}
	refusal := func(want string) {
		t.Helper()
		var remote *RemoteError
		if _, err := publish(t, r, first, "five-0000005"); !errors.As(err, &remote) || remote.Kind != RemoteRefused || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	hook := filepath.Join(hub, "hooks", "pre-receive")
	script(t, hook, "echo 'only branches here' >&2; exit 1")
	refusal("pre-receive hook declined; only branches here")
	os.Remove(hook)
	script(t, filepath.Join(r.GitDir, "hooks", "pre-push"), "echo 'tests are red' >&2; exit 1")
	refusal("the pre-push hook of this clone said no; tests are red")
}

func script(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
}

// TestSilentRemote: a remote that says nothing is given up in time, one that
// is interrupted at once, and neither leaves a process behind.
func TestSilentRemote(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the fake ssh is a shell script")
	}
	dir := initRepo(t)
	runGit(t, dir, "remote", "add", "origin", "ssh://nowhere.invalid/x")
	alive := filepath.Join(t.TempDir(), "alive")
	ssh := filepath.Join(t.TempDir(), "ssh")
	// Its child holds the pipe open for as long as it lives.
	script(t, ssh, "mkfifo "+alive+"; sleep 60 <"+alive+" & exec sleep 60 >"+alive)
	r, err := Open(t.Context(), dir, Options{Env: append(testEnv(), "GIT_SSH_COMMAND="+ssh, "GIT_ALLOW_PROTOCOL=ssh")})
	if err != nil {
		t.Fatal(err)
	}
	var remote *RemoteError
	_, err = r.Remotes().Fetch(t.Context(), "origin", Network{Idle: 300 * time.Millisecond}, false)
	if !errors.As(err, &remote) || remote.Kind != RemoteSilent || !strings.Contains(err.Error(), "no answer for 300ms") {
		t.Errorf("silent: %v", err)
	}
	noReader(t, alive)
	os.Remove(alive)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err = r.Remotes().Fetch(ctx, "origin", Network{}, false); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("interrupted: %v", err)
	}
	noReader(t, alive)
}

func TestRemoteErrors(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	runGit(t, dir, "remote", "add", "gone", filepath.Join(t.TempDir(), "no such"))
	var remote *RemoteError
	if _, err := r.Remotes().Fetch(t.Context(), "gone", Network{}, false); !errors.As(err, &remote) || remote.Kind != RemoteMissing {
		t.Errorf("missing: %v", err)
	}
	// Protocols that the user forbade stay forbidden, and ext never names a command.
	runGit(t, dir, "remote", "add", "ext", "ext::touch "+filepath.Join(dir, "planted"))
	if _, err := r.Remotes().Fetch(t.Context(), "ext", Network{}, false); err == nil || gitcmd.Exists(filepath.Join(dir, "planted")) {
		t.Errorf("ext: %v", err)
	}
}

// TestVet: of a tree that cortex has not written, only what it could have
// written is used.
func TestVet(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	s := newStore(r.objects)
	blob := string(s.stage("blob", []byte("text\n")))
	tree := func(entries ...string) ObjectID {
		var data []byte
		for _, e := range entries {
			fields := strings.SplitN(e, " ", 3)
			raw := make([]byte, len(fields[1])/2)
			for i := range raw {
				raw[i] = hexByte(fields[1][2*i : 2*i+2])
			}
			data = append(append(data, fields[0]+" "+fields[2]+"\x00"...), raw...)
		}
		return s.stage("tree", data)
	}
	month := tree("100644 "+blob+" a-0000001.md", "120000 "+blob+" b-0000002.md", "100755 "+blob+" c-0000003.md",
		"160000 "+blob+" d-0000004.md", "100644 "+blob+" e-0000005.md", "100644 "+blob+" e-0000005.md", "100644 "+blob+" f\n.md")
	root := tree("100644 "+blob+" ..", "40000 "+string(tree("40000 "+string(tree("40000 "+string(tree("40000 "+string(month)+" 2026-11"))+" decision"))+" main",
		"40000 "+string(month)+" .."))+" pending", "100644 "+blob+" received")
	stageCommit := func(tree ObjectID, message string) ObjectID {
		return s.stage("commit", gitobject.FormatCommit(gitobject.Commit{Tree: tree, Ident: "x <x>", Message: message}))
	}
	c := stageCommit(root, "\x1b[2J")
	if err := s.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	at, err := r.Journal().At(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	entries, refused, err := at.Vet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, e := range entries {
		paths = append(paths, e.Path)
	}
	if diff := cmp.Diff([]string{memoryPath("a-0000001"), memoryPath("e-0000005")}, paths); diff != "" {
		t.Error(diff)
	}
	want := []Refusal{
		{Path: "..", Reason: "not a path of the journal"},
		{Path: memoryPath("b-0000002"), Reason: "a symbolic link"},
		{Path: memoryPath("c-0000003"), Reason: "its mode is 100755, not 100644"},
		{Path: memoryPath("d-0000004"), Reason: "a submodule"},
		{Path: memoryPath("e-0000005"), Reason: "it is there twice"},
		{Path: memoryPath("f\n"), Reason: "not a path of the journal"},
		{Path: "pending/..", Reason: "not a folder of the journal"},
		{Path: "received", Reason: "not a path of the journal"},
	}
	if diff := cmp.Diff(want, refused); diff != "" {
		t.Error(diff)
	}
	// Few trees that stand for billions of files, and of folders.
	for bomb, most := range map[ObjectID]int{month: maxVetted, tree(): maxVisits} {
		for range 8 {
			var entries []string
			for i := range 40 {
				entries = append(entries, fmt.Sprintf("40000 %s d%02d", bomb, i))
			}
			bomb = tree(entries...)
		}
		c = stageCommit(bomb, "")
		if err := s.flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		many, err := r.Journal().At(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := many.Vet(t.Context()); err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("more than %d entries", most)) {
			t.Errorf("a tree bomb: %v, want at most %d", err, most)
		}
		_ = many.Close()
	}
	// A ref that leads to no commit.
	if _, err := r.Journal().At(t.Context(), ObjectID(blob)); err == nil {
		t.Error("a blob was read as a journal")
	}
}

func hexByte(s string) (b byte) {
	for i := range s {
		b = b<<4 | byte(strings.IndexByte("0123456789abcdef", s[i]))
	}
	return b
}

// TestStaleTrackingLock: a lock that a killed git left on the ref of a remote's
// journal is removed when it is old and nobody holds it, as on our own journal.
func TestStaleTrackingLock(t *testing.T) {
	_, r := clonePair(t)
	r.lockWait = 100 * time.Millisecond
	commit, err := publish(t, r, "", "two-0000002")
	if err != nil {
		t.Fatal(err)
	}
	lock := filepath.Join(r.CommonDir, filepath.FromSlash(remotes.TrackingRef("origin"))+".lock")
	locked := func(what string, err error) {
		t.Helper()
		var remote *RemoteError
		if !errors.As(err, &remote) || remote.Kind != RemoteLocked {
			t.Errorf("%s of a ref with a young lock: %v", what, err)
		}
		if !gitcmd.Exists(lock) {
			t.Errorf("%s took a young lock", what)
		}
	}
	runGit(t, r.Root, "update-ref", "-d", remotes.TrackingRef("origin"))
	writeFile(t, lock, "")
	_, err = r.Remotes().Fetch(t.Context(), "origin", Network{}, false)
	locked("a fetch", err)
	next, err := publish(t, r, commit, "three-0000003")
	locked("a push", err)
	old := time.Now().Add(-time.Minute)
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"push", func() error { return r.Remotes().Push(t.Context(), "origin", next, commit, Network{}) }},
		{"fetch", func() error {
			_, err := r.Remotes().Fetch(t.Context(), "origin", Network{}, false)
			return err
		}},
		{"forget", func() error {
			_, err := r.Remotes().Forget(t.Context(), false)
			return err
		}},
	} {
		writeFile(t, lock, "")
		if err := os.Chtimes(lock, old, old); err != nil {
			t.Fatal(err)
		}
		if err := step.do(); err != nil || gitcmd.Exists(lock) {
			t.Errorf("%s with a stale lock: %v, the lock is there: %v", step.what, err, gitcmd.Exists(lock))
		}
	}
}

// TestFetchHostileNames: a journal with names that git refuses to check out is
// refused whole, and none of its objects stays.
func TestFetchHostileNames(t *testing.T) {
	hub, r := clonePair(t)
	evil := initRepo(t)
	writeFile(t, filepath.Join(evil, "x"), "hostile content")
	blob := runGit(t, evil, "hash-object", "-w", "x")
	for _, name := range []string{".git", "..", ".", ".GIT", "git~1", ".g\u200cit"} {
		raw := append([]byte("100644 "+name+"\x00"), unhex(t, blob)...)
		writeFile(t, filepath.Join(evil, "tree"), string(raw))
		tree := runGit(t, evil, "hash-object", "-w", "-t", "tree", "--literally", "tree")
		commit := runGit(t, evil, "commit-tree", "-m", "hostile", tree)
		runGit(t, evil, "push", "-q", "-f", hub, commit+":"+JournalRef)
		for _, dryRun := range []bool{true, false} {
			_, err := r.Remotes().Fetch(t.Context(), "origin", Network{}, dryRun)
			var remote *RemoteError
			if !errors.As(err, &remote) || remote.Kind != RemoteMalformed {
				t.Errorf("%q, dry run %v: %v", name, dryRun, err)
			}
		}
		if got := trackedAt(t, r); got != "" {
			t.Errorf("%q: the tracking ref is %s", name, got)
		}
		for _, id := range []string{blob, tree, commit} {
			if _, err := tryGit(r.Root, nil, "cat-file", "-e", id); err == nil {
				t.Errorf("%q: %s stayed", name, id)
			}
		}
		fsck(t, r.Root)
	}
}

func unhex(t *testing.T, id string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(id)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// trackedAt is the journal of origin as it was last seen.
func trackedAt(t *testing.T, r *Repo) ObjectID {
	t.Helper()
	seen, err := r.Remotes().Tracked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return seen["origin"]
}
