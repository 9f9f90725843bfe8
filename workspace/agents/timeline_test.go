package agents

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// pastRepo has commits on several days: main on the 1st and the 5th, a branch that
// is gone by now on the 3rd.
func pastRepo(t *testing.T) (w *workspace.Workspace, commits map[string]string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	git := func(day int, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", filepath.Dir(dir)}, args...)...)
		if args[0] != "init" {
			cmd.Args[2] = dir
		}
		date := time.Date(2026, 10, day, 10, 0, 0, 0, time.UTC).Format(time.RFC3339)
		cmd.Env = append(workspacetest.Environ(t.TempDir()), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commits = map[string]string{}
	commit := func(day int, name string) {
		if err := os.WriteFile(filepath.Join(dir, "gauge.go"), []byte("package gauge // "+name+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		git(day, "add", "-A")
		git(day, "commit", "-q", "-m", name)
		commits[name] = git(day, "rev-parse", "HEAD")
	}
	git(1, "init", "-q", "-b", "main", dir)
	commit(1, "first")
	git(3, "switch", "-q", "-c", "feature/gone")
	commit(3, "gone")
	git(4, "switch", "-q", "main")
	git(4, "branch", "-q", "-D", "feature/gone")
	commit(5, "last")
	return workspacetest.Open(t, dir), commits
}

// pastTranscript is a session of one day, on a branch, that touched gauge.go.
func pastTranscript(t *testing.T, dir, id, branch, day, tag string) string {
	t.Helper()
	var text strings.Builder
	for i, message := range []string{
		`"type":"user","message":{"role":"user","content":"Which register is it?"}`,
		`"type":"assistant","message":{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"` + dir + `/gauge.go"}}]}`,
		`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"package gauge"}]}`,
		`"type":"assistant","message":{"role":"assistant","model":"m","content":[{"type":"text","text":"Done.\n\n[MEMORY: decision] ` + tag + `"}]}`,
	} {
		at := ""
		if day != "" {
			at = fmt.Sprintf(`"timestamp":"%sT12:00:%02d.000Z",`, day, i)
		}
		fmt.Fprintf(&text, `{%s,%s"sessionId":%q,"cwd":%q,"gitBranch":%q,"uuid":"u%d","parentUuid":null,"version":"2.1.219"}`+"\n", message, at, id, dir, branch, i)
	}
	path := filepath.Join(t.TempDir(), id+".jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPastProvenance: a memory of a past session names the branch that its
// transcript names and the commit that was HEAD then, or none. Its anchor
// names the blob that the file had in that commit.
func TestPastProvenance(t *testing.T) {
	for name, c := range map[string]struct {
		branch, day  string
		log          bool // git still knows what HEAD was
		want, commit string
	}{
		"on main":                      {"main", "2026-10-02", true, "main", "first"},
		"on main, by history":          {"main", "2026-10-02", false, "main", "first"},
		"on the last commit":           {"main", "2026-10-06", true, "main", "last"},
		"on a branch that is gone":     {"feature/gone", "2026-10-03", true, "feature/gone", "gone"},
		"gone, and its log":            {"feature/gone", "2026-10-03", false, "feature/gone", ""},
		"before the first commit":      {"main", "2026-09-30", true, "main", ""},
		"on no branch":                 {"HEAD", "2026-10-03", true, "", "gone"},
		"on no branch, by history":     {"HEAD", "2026-10-03", false, "", ""},
		"a transcript without a time":  {"main", "", true, "main", ""},
		"a branch that never was here": {"topic", "2026-10-06", false, "topic", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, commits := pastRepo(t)
			if !c.log {
				if err := os.Remove(filepath.Join(w.Repo.GitDir, "logs", "HEAD")); err != nil {
					t.Fatal(err)
				}
			}
			const tag = "Gauge readings are kept in gauge.go, because the office has no other place."
			path := pastTranscript(t, w.Repo.Root, "s-1", c.branch, c.day, tag)
			got, err := Backfill(t.Context(), w, BackfillInput{Paths: []string{path}})
			if err != nil || got.Added != 1 {
				t.Fatalf("%+v, %v", got, err)
			}
			m := onlyPending(t, w)
			if m.Source.Branch != c.want || m.Source.Commit != workspace.Abbrev(commits[c.commit]) {
				t.Errorf("from %q at %q, want %q at %q (%s)", m.Source.Branch, m.Source.Commit, c.want, workspace.Abbrev(commits[c.commit]), c.commit)
			}
			switch {
			case c.commit == "" && len(m.Anchors) > 0:
				t.Errorf("anchored to %v, without a commit", m.Anchors)
			case c.commit != "" && len(m.Files) > 0 && (len(m.Anchors) != 1 || m.Anchors[0].Blob != workspacetest.Git(t, w, "rev-parse", commits[c.commit]+":gauge.go")):
				t.Errorf("anchored to %v", m.Anchors)
			}
		})
	}
}

func onlyPending(t *testing.T, w *workspace.Workspace) *memory.Memory {
	t.Helper()
	list := workspacetest.View(t, w, workspace.ViewOptions{}).Entries(t.Context())
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	return list[0].Memory
}

// TestEarlierSessions counts what was not read yet, of this repository.
func TestEarlierSessions(t *testing.T) {
	w, _ := pastRepo(t)
	home := t.TempDir()
	folder := filepath.Join(home, ".claude", "projects", strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(w.Repo.Root))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for i, cwd := range []string{w.Repo.Root, w.Repo.Root, "/somewhere/else"} {
		id := fmt.Sprintf("s-%d", i)
		data, err := os.ReadFile(pastTranscript(t, cwd, id, "main", "2026-10-02", "Gauge "+id+" is read in UTC."))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, id+".jsonl"), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Earlier(w, home); err != nil || got.Sessions != 2 || got.Bytes == 0 {
		t.Errorf("before: %+v, %v", got, err)
	}
	if got, err := Backfill(t.Context(), w, BackfillInput{Home: home}); err != nil || got.Files != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if got, err := Earlier(w, home); err != nil || got.Sessions != 0 {
		t.Errorf("after: %+v, %v", got, err)
	}
}

// TestBackfillAgain: of a session that was read to its end nothing is read again, until something
// is added to it.
func TestBackfillAgain(t *testing.T) {
	w := workspacetest.New(t)
	path := teaching(t, w.Repo.Root, "past", rand.New(rand.NewPCG(3, 5)), 3)
	read := func(wantAdded, wantLines int) {
		t.Helper()
		got, err := newCapturer(w).capture(t.Context(), CaptureInput{Path: path, Past: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Added) != wantAdded || got.Stats.Lines != wantLines {
			t.Fatalf("added %d of %d lines, want %d of %d", len(got.Added), got.Stats.Lines, wantAdded, wantLines)
		}
	}
	read(6, 6)
	read(0, 0)
	more, err := os.ReadFile(teaching(t, w.Repo.Root, "more", rand.New(rand.NewPCG(7, 5)), 1))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(bytes.ReplaceAll(more, []byte("more"), []byte("past"))); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	read(1, 6)
	read(0, 0)
}
