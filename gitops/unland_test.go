package gitops

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRenames: a rename is followed by the logs that git keeps of branches.
func TestRenames(t *testing.T) {
	ctx := context.Background()
	dir := initRepo(t)
	runGit(t, dir, "branch", "feature/a")
	runGit(t, dir, "branch", "-m", "feature/a", "feature/b")
	runGit(t, dir, "branch", "-m", "feature/b", "c")
	runGit(t, dir, "branch", "-m", "main", "trunk")
	r := openRepo(t, dir)
	got, err := r.History().Renames(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"feature/a": "feature/b", "feature/b": "c", "main": "trunk"}, got); diff != "" {
		t.Errorf("renames (-want +got):\n%s", diff)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	runGit(t, dir, "worktree", "add", "-q", "--detach", linked)
	branches, detached, err := r.Checkouts(ctx)
	if err != nil || !detached || len(branches) != 1 || branches[0] != "trunk" {
		t.Errorf("checkouts: %v, detached %v, %v", branches, detached, err)
	}
}

func TestUnland(t *testing.T) {
	ctx := context.Background()
	dir := initRepo(t)
	r := openRepo(t, dir)
	const name = ".cortex/memories/fix/2026-11/a-1234567.md"
	land := func() Entry {
		t.Helper()
		if refused, err := r.StagingArea().Land(ctx, []File{{Path: name, Data: []byte("text\n")}}); err != nil || len(refused) > 0 {
			t.Fatal(refused, err)
		}
		return Entry{Path: name, Blob: r.Hash([]byte("text\n"))}
	}
	unland := func(want string) {
		t.Helper()
		refused, err := r.StagingArea().Unland(ctx, []Entry{{Path: name, Blob: r.Hash([]byte("text\n"))}})
		got := ""
		for _, x := range refused {
			got += x.Reason
		}
		if err != nil || got != want {
			t.Errorf("unland: %q, %v, want %q", got, err, want)
		}
	}
	land()
	unland("")
	if _, err := os.Stat(filepath.Join(dir, ".cortex/memories/fix")); err == nil {
		t.Error("an empty folder is left")
	}
	if out := runGit(t, dir, "status", "--porcelain", "-uall"); out != "" {
		t.Errorf("left behind: %s", out)
	}
	unland("") // gone already

	land()
	writeFile(t, filepath.Join(dir, name), "edited\n")
	unland("it was edited since")
	runGit(t, dir, "add", name)
	unland("it was staged anew since")
	writeFile(t, filepath.Join(dir, name), "text\n")
	runGit(t, dir, "add", name)
	runGit(t, dir, "commit", "-q", "-m", "landed")
	unland("it is committed")
	if readFile(t, filepath.Join(dir, name)) != "text\n" {
		t.Error("the file is not what it was")
	}
	fsck(t, dir)
}

func TestVersions(t *testing.T) {
	ctx := context.Background()
	dir := initRepo(t)
	r := openRepo(t, dir)
	write := func(name, text string) {
		writeFile(t, filepath.Join(dir, name), text)
		runGit(t, dir, "add", "-A")
		runGit(t, dir, "commit", "-q", "-m", text)
	}
	write("m/a-1.md", "one\n")
	write("m/a-1.md", "two\n")
	runGit(t, dir, "rm", "-q", "m/a-1.md")
	runGit(t, dir, "commit", "-q", "-m", "removed")
	runGit(t, dir, "switch", "-q", "-c", "side")
	write("m/b-2.md", "on a branch that goes\n")
	runGit(t, dir, "switch", "-q", "main")
	runGit(t, dir, "branch", "-q", "-D", "side")
	const one, two = "one\n", "two\n"
	for name, tt := range map[string]struct {
		rev, pattern, text string
		limit              int
		want               [][2]string // before and since
	}{
		"removed":        {"HEAD", "m/**/*-1*.md", "", 9, [][2]string{{two, ""}, {one, two}, {"", one}}},
		"the newest":     {"HEAD", "m/**/*-1*.md", "", 1, [][2]string{{two, ""}}},
		"by its text":    {"HEAD", "m/**", "^one", 9, [][2]string{{one, two}, {"", one}}},
		"deleted branch": {"", "m/**/*-2*.md", "", 9, [][2]string{{"", "on a branch that goes\n"}}},
		"not on HEAD":    {"HEAD", "m/**/*-2*.md", "", 9, nil},
		"no revision":    {"nowhere", "m/**", "", 9, nil},
	} {
		id := func(text string) ObjectID {
			if text == "" {
				return ""
			}
			return r.Hash([]byte(text))
		}
		got, err := r.History().Versions(ctx, tt.rev, []string{tt.pattern}, tt.text, tt.limit)
		if err != nil || len(got) != len(tt.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		for i, v := range got {
			if v.Before != id(tt.want[i][0]) || v.Blob != id(tt.want[i][1]) || v.Commit == "" || !strings.HasPrefix(v.Path, "m/") {
				t.Errorf("%s: %+v, want %q", name, v, tt.want[i])
			}
		}
	}
	if found, err := r.History().Somewhere(ctx, []string{"m/a-1.md", "m/b-2.md"}); err != nil || len(found) != 0 {
		t.Errorf("somewhere: %v, %v", found, err)
	}
	runGit(t, dir, "branch", "again", "HEAD~1")
	if found, err := r.History().Somewhere(ctx, []string{"m/a-1.md", "m/b-2.md"}); err != nil || !found["m/a-1.md"] || len(found) != 1 {
		t.Errorf("somewhere: %v, %v", found, err)
	}
}

func TestEditor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editor of this test is a shell script")
	}
	ctx := context.Background()
	dir := initRepo(t)
	r := openRepo(t, dir)
	script := filepath.Join(t.TempDir(), "my editor")
	writeFile(t, script, "#!/bin/sh\necho \"$1\" | grep -q \"it's\" && echo \"$LC_ALL $GIT_DIR\" > \"$1\" && read word && echo \"$word\"\nexit $CODE\n")
	if err := os.Chmod(script, 0o777); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "it's a file.md")
	var out bytes.Buffer
	env := append(testEnv(), "GIT_EDITOR='"+script+"'", "LC_ALL=de_DE.UTF-8", "GIT_DIR=/nowhere", "CODE=0")
	if err := r.Editor(ctx, env, name, Terminal{In: bytes.NewReader([]byte("hello\n")), Out: &out, Err: &out}); err != nil {
		t.Fatal(err, out.String())
	}
	if got := readFile(t, name); got != "de_DE.UTF-8 \n" && got != "de_DE.UTF-8 .git\n" {
		t.Errorf("the editor saw %q", got)
	}
	if out.String() != "hello\n" {
		t.Errorf("the editor's terminal: %q", out.String())
	}
	if err := r.Editor(ctx, append(env, "CODE=3"), name, Terminal{}); err == nil || err.Error() != "the editor ended with status 3" {
		t.Errorf("a failing editor: %v", err)
	}
}
