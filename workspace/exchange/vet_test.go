package exchange

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// byHand commits files to the journal of a bare remote as another program could.
func byHand(t *testing.T, hub string, w *workspace.Workspace, put func(dir string)) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "hand")
	workspacetest.Git(t, w, "-C", hub, "worktree", "add", "-q", "--detach", dir, gitops.JournalRef)
	put(dir)
	workspacetest.Git(t, w, "-C", dir, "add", "-A")
	workspacetest.Git(t, w, "-C", dir, "commit", "-q", "-m", "by hand")
	workspacetest.Git(t, w, "-C", hub, "update-ref", gitops.JournalRef,
		workspacetest.Git(t, w, "-C", dir, "rev-parse", "HEAD"))
	workspacetest.Git(t, w, "-C", hub, "worktree", "remove", dir)
}

// TestRefused: of a remote's journal only what is valid is taken; the rest is
// named with the reason, and stays on the remote as it is.
func TestRefused(t *testing.T) {
	hub, clones := workspacetest.Team(t, 2)
	a, b := clones[0], clones[1]
	workspacetest.PutPending(t, a, workspacetest.Sure(memory.Decision, "First"))
	sync(t, a)
	good, other := workspacetest.Sure(memory.Decision, "Good"), workspacetest.Sure(memory.Decision, "Other")
	record := &session.Session{Agent: "claude-code", ID: "s1", Start: workspacetest.Clock()}
	bad := map[string]struct{ text, reason string }{
		"pending/main/rumour/2026-11/a-" + good.ID.Short() +
			".md": {string(memory.Format(good)), "not a type of memory"},
		"pending/main/decision/2026-11/noid.md": {
			string(memory.Format(good)),
			"its name does not end in an id",
		},
		"pending/main/decision/2026-11/-" + good.ID.Short() + ".md": {string(memory.Format(good)), ""},
		"pending/main/decision/2026-11/other-" + good.ID.Short() +
			".md": {string(memory.Format(other)), "it is not the memory that its name says"},
		"pending/main/decision/2026-11/text-" + other.ID.Short() + ".md": {"no frontmatter\n", "line 1: "},
		"pending/main/fix/2026-11/large-" + other.ID.Short() +
			".md": {strings.Repeat("x", memory.MaxFile+1), "bytes, at most"},
		"dismissed/not-an-id":          {"", "not a path of the journal"},
		"dismissed/" + string(good.ID): {string(memory.Format(other)), "it is not the memory that its name says"},
		"access/abc.tsv":               {"", "not a path of the journal"},
		"access/0123456789abcdef.tsv":  {"no counters\n", "not a list of counters"},
		"sessions/2026-11/claude-code-x.md": {string(session.Format(record)), "it is not the record of the session" +
			" that its name says"},
		"sessions/2026-11/claude-code-s2.md": {"no record\n", ""},
		"something/else.md":                  {"", ""},
	}
	byHand(t, hub, b, func(dir string) {
		put := func(path, text string) {
			path = filepath.Join(dir, filepath.FromSlash(path))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		put("pending/main/"+good.Path(), string(memory.Format(good)))
		for path, file := range bad {
			put(path, file.text)
		}
		if err := os.Symlink("/etc/passwd",
			filepath.Join(dir, "pending", "main", "decision", "2026-11", "link-"+good.ID.Short()+".md")); err != nil {
			t.Fatal(err)
		}
	})
	before := workspacetest.Git(t, b, "-C", hub, "ls-tree", "-r", gitops.JournalRef)
	workspacetest.PutPending(t, b, workspacetest.Sure(memory.Decision, "Ours"))
	out := sync(t, b)
	reasons := map[string]string{}
	for _, r := range out.Refused {
		reasons[r.Path] = r.Reason
	}
	for path, file := range bad {
		if reason, ok := reasons[path]; !ok || !strings.Contains(reason, file.reason) {
			t.Errorf("%s: refused %v, because %q, want %q", path, ok, reason, file.reason)
		}
	}
	if len(reasons) != len(bad)+1 {
		t.Errorf("refused: %v", reasons)
	}
	var titles []string
	for path, text := range files(t, b) {
		m, err := memory.Parse(path, []byte(text))
		if err != nil {
			t.Errorf("taken: %s", path)
			continue
		}
		titles = append(titles, m.Title)
	}
	slices.Sort(titles)
	if diff := cmp.Diff([]string{"First", "Good", "Ours"}, titles); diff != "" {
		t.Errorf("the journal (-want +got):\n%s", diff)
	}
	after := workspacetest.Git(t, b, "-C", hub, "ls-tree", "-r", gitops.JournalRef)
	for line := range strings.SplitSeq(before, "\n") {
		if !strings.Contains(after, line) {
			t.Errorf("gone from the remote: %s", line)
		}
	}
}

// TestNewerRemote: a journal of a newer format is not touched.
func TestNewerRemote(t *testing.T) {
	hub, clones := workspacetest.Team(t, 2)
	workspacetest.PutPending(t, clones[0], workspacetest.Sure(memory.Decision, "First"))
	sync(t, clones[0])
	byHand(t, hub, clones[1], func(dir string) {
		if err := os.WriteFile(filepath.Join(dir, "format"), []byte("99\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := Sync(t.Context(), clones[1], Options{}); err == nil || !strings.Contains(err.Error(), "format 99") {
		t.Errorf("error %v", err)
	}
	if have := files(t, clones[1]); len(have) != 0 {
		t.Errorf("taken: %v", have)
	}
}

// TestHeldBack: what holds a secret by the rules of now stays in the clone.
func TestHeldBack(t *testing.T) {
	hub, clones := workspacetest.Team(t, 1)
	w := clones[0]
	inText, inTitle, inTag := workspacetest.Sure(memory.Decision, "The door"),
		workspacetest.Sure(memory.Decision, "Kiln-1234 opens it"), workspacetest.Sure(memory.Decision, "The window")
	inText.Text, inTag.Tags = "It opens with kiln-1234.", []string{"kiln-1234"}
	workspacetest.PutPending(t, w, inText, inTitle, inTag, workspacetest.Sure(memory.Decision, "Nothing to hide"))
	workspacetest.Git(t, w, "config", "cortex.secret", "(?i)kiln-[0-9]{4}")
	w = workspacetest.Open(t, w.Repo.Root)
	out := sync(t, w)
	if len(out.HeldBack) != 3 || len(out.Sent.Added) != 1 {
		t.Errorf("held back %+v, sent %v", out.HeldBack, out.Sent.Added)
	}
	for _, h := range out.HeldBack {
		if h.Kind != "custom" || strings.Contains(h.Path, "1234") {
			t.Errorf("%+v", h)
		}
	}
	if sent := workspacetest.Git(t, w, "-C", hub, "grep", "-c", "", gitops.JournalRef); strings.Contains(sent,
		"1234") || strings.Count(sent, "\n") != 0 {
		t.Errorf("the remote has:\n%s", sent)
	}
}
