package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/google/go-cmp/cmp"
)

const landPath = ".cortex/memories/fix/2026-11/a-0000001.md"

func land(t *testing.T, r *Repo, files ...File) []Refusal {
	t.Helper()
	refused, err := r.StagingArea().Land(context.Background(), files)
	if err != nil {
		t.Fatal(err)
	}
	return refused
}

func TestLand(t *testing.T) {
	for _, args := range [][]string{nil, {"--object-format=sha256"}} {
		dir := t.TempDir()
		runGit(t, dir, append([]string{"init", "-q", "-b", "main"}, args...)...) // before the first commit
		r := openRepo(t, dir)
		writeFile(t, filepath.Join(dir, "mine.txt"), "unstaged\n")
		if got := land(t, r, File{Path: landPath, Data: []byte("one\n")}); got != nil {
			t.Errorf("refused %v", got)
		}
		if got := runGit(t, dir, "status", "--porcelain"); got != "A  "+landPath+"\n?? mine.txt" {
			t.Errorf("status %q", got)
		}
		land(t, r, File{Path: landPath, Data: []byte("one\n")}) // again changes nothing
		runGit(t, dir, "commit", "-q", "-m", "x")
		fsck(t, dir)
		want := map[string]ObjectID{landPath: r.Hash([]byte("one\n"))}
		got, err := r.PathsAt(context.Background(), "HEAD", []string{landPath, "absent", "a\nb", ".cortex"})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if got, err := r.PathsAt(context.Background(), "absent", []string{landPath}); err != nil || len(got) != 0 {
			t.Errorf("missing revision: %v, %v", got, err)
		}
	}
}

func TestLandRefuses(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	writeFile(t, filepath.Join(dir, landPath), "edited by hand\n")
	if err := os.MkdirAll(filepath.Join(dir, "elsewhere"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, link := range [][2]string{{"../elsewhere", ".cortex/linked"}, {"/etc/passwd", ".cortex/passwd.md"}} {
		if err := os.Symlink(link[0], filepath.Join(dir, link[1])); err != nil {
			t.Fatal(err)
		}
	}
	var files []File
	for _, path := range []string{
		landPath, ".cortex/linked/a.md", ".cortex/passwd.md", ".cortex/../x", "x", ".git/config", ".cortex/.git/x", ".cortex//x", "/tmp/x", ".cortex/",
	} {
		files = append(files, File{Path: path, Data: []byte("new\n")})
	}
	refused := land(t, r, files...)
	if len(refused) != len(files) {
		t.Errorf("refused only %v", refused)
	}
	if got := runGit(t, dir, "diff", "--cached", "--name-only"); got != "" {
		t.Errorf("staged %q", got)
	}
	if got := readFile(t, filepath.Join(dir, landPath)); got != "edited by hand\n" {
		t.Errorf("file %q", got)
	}
}

func TestLandGenerated(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	file := func(text string) File {
		return File{Path: ".cortex/decisions.md", Data: []byte(text), Generated: true, Ours: func(old []byte) bool { return string(old) == "untracked\n" }}
	}
	path := filepath.Join(dir, ".cortex/decisions.md")
	for _, step := range []struct {
		tree, text string
		refused    bool
	}{
		{"", "one\n", false},
		{"", "two\n", false},        // as staged
		{"mine\n", "three\n", true}, // edited
		{"untracked\n", "four\n", false},
	} {
		if step.tree != "" {
			writeFile(t, path, step.tree)
		}
		if refused := land(t, r, file(step.text)); (refused != nil) != step.refused {
			t.Errorf("%+v: refused %v", step, refused)
		}
		if !step.refused && (readFile(t, path) != step.text || runGit(t, dir, "show", ":.cortex/decisions.md")+"\n" != step.text) {
			t.Errorf("%+v: file %q", step, readFile(t, path))
		}
	}
}

func TestLandAllOrNothing(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	writeFile(t, filepath.Join(dir, ".cortex/decisions.md"), "old\n")
	runGit(t, dir, "add", ".")
	writeFile(t, filepath.Join(r.GitDir, "index.lock"), "")
	_, err := r.StagingArea().Land(context.Background(), []File{
		{Path: landPath, Data: []byte("one\n")},
		{Path: ".cortex/decisions.md", Data: []byte("new\n"), Generated: true},
	})
	var locked *IndexLockedError
	if !errors.As(err, &locked) {
		t.Fatalf("a locked index: %v", err)
	}
	os.Remove(filepath.Join(r.GitDir, "index.lock"))
	if got := runGit(t, dir, "status", "--porcelain"); got != "A  .cortex/decisions.md" {
		t.Errorf("status %q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, ".cortex/memories")); err == nil {
		t.Error("folders are left")
	}
}

// TestLandHook is the pre-commit hook of the tests below: it lands one file
// unless landing is blocked, and says so in a file.
func TestLandHook(t *testing.T) {
	if os.Getenv("GITOPS_LAND_HOOK") == "" {
		t.Skip("runs as a git hook")
	}
	r, err := Open(context.Background(), ".", Options{Env: os.Environ(), InGitHook: true})
	if err != nil {
		t.Fatal(err)
	}
	reason, err := r.LandBlocked(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(r.CommonDir, "blocked"), reason)
	if reason == "" {
		land(t, r, File{Path: landPath, Data: []byte("one\n")})
	}
}

func TestLandFromHook(t *testing.T) {
	for _, tc := range []struct {
		name    string
		before  [][]string
		commit  []string
		blocked string
	}{
		{"plain", [][]string{{"add", "new"}}, []string{"commit", "-m", "x"}, ""},
		{"all", nil, []string{"commit", "-a", "-m", "x"}, ""},
		{"amend", nil, []string{"commit", "--amend", "-m", "x"}, ""},
		{"other branch", [][]string{{"checkout", "-q", "-b", "feat/a"}}, []string{"commit", "--allow-empty", "-m", "x"}, ""},
		{"paths", nil, []string{"commit", "-m", "x", "--", "old"}, "only some paths are being committed"},
		{"only", nil, []string{"commit", "-o", "old", "-m", "x"}, "only some paths are being committed"},
		{"include", nil, []string{"commit", "-i", "old", "-m", "x"}, ""},
		{"detached", [][]string{{"checkout", "-q", "--detach"}}, []string{"commit", "--allow-empty", "-m", "x"}, "HEAD is detached"},
		{"merge", [][]string{{"merge", "-q", "--no-commit", "--no-ff", "side"}}, []string{"commit", "-m", "x"}, "a merge is under way"},
		{"cherry-pick", [][]string{{"cherry-pick", "-n", "side"}, {"update-ref", "CHERRY_PICK_HEAD", "side"}}, []string{"commit", "-m", "x"}, "a cherry-pick is under way"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := initRepo(t)
			writeFile(t, filepath.Join(dir, "old"), "1\n")
			runGit(t, dir, "add", ".")
			runGit(t, dir, "commit", "-q", "-m", "old")
			runGit(t, dir, "checkout", "-q", "-b", "side")
			writeFile(t, filepath.Join(dir, "side"), "1\n")
			runGit(t, dir, "add", ".")
			runGit(t, dir, "commit", "-q", "-m", "side")
			runGit(t, dir, "checkout", "-q", "main")
			for _, args := range tc.before {
				if args[0] == "add" {
					writeFile(t, filepath.Join(dir, "new"), "1\n")
				}
				runGit(t, dir, args...)
			}
			if tc.name != "merge" && tc.name != "cherry-pick" {
				writeFile(t, filepath.Join(dir, "old"), "2\n")
			}
			hook := filepath.Join(dir, ".git/hooks/pre-commit")
			writeFile(t, hook, "#!/bin/sh\nGITOPS_LAND_HOOK=1 exec "+gitcmd.Quote(os.Args[0])+" -test.run '^TestLandHook$' >&2\n")
			if err := os.Chmod(hook, 0o755); err != nil {
				t.Fatal(err)
			}
			runGit(t, dir, tc.commit...)
			if got := readFile(t, filepath.Join(dir, ".git/blocked")); got != tc.blocked {
				t.Errorf("blocked: %q, want %q", got, tc.blocked)
			}
			committed := runGit(t, dir, "ls-tree", "-r", "--name-only", "HEAD")
			if strings.Contains(committed, landPath) != (tc.blocked == "") {
				t.Errorf("committed %q", committed)
			}
			if got := runGit(t, dir, "status", "--porcelain", "--", ".cortex"); got != "" {
				t.Errorf("status %q", got)
			}
			fsck(t, dir)
		})
	}
}
