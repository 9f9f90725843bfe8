package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

// git runs git in the working tree.
func (w *Workspace) git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.Repo.Root, w.env.Environ
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// again opens the same project anew, as another process would.
func (w *Workspace) again(t *testing.T) *Workspace {
	t.Helper()
	other, err := Open(t.Context(), w.env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	})
	return other
}

// file writes a file of the working tree.
func (w *Workspace) file(t *testing.T, rel, text string) {
	t.Helper()
	path := w.tree.Abs(rel)
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// seen returns the parts of a workspace that other processes can change: the branch,
// the commit, the policy on landing, and the state of each memory of the view, by id.
func seen(t *testing.T, w *Workspace) map[string]string {
	t.Helper()
	v := w.view(t, ViewOptions{})
	out := map[string]string{"branch": v.Branch, "head": w.Repo.Head, "land": w.Config.Land}
	for _, e := range v.Entries(t.Context()) {
		out[string(e.Memory.ID)] = string(e.Stage) + " " + string(e.Status) + " " + e.Path
	}
	return out
}

// TestRefresh: a workspace that lives on sees what other processes did, and says
// what one says that is opened now.
func TestRefresh(t *testing.T) {
	w := newWorkspace(t)
	w.git(t, "switch", "-q", "-c", "feat/a")
	enabled := func(w *Workspace) bool {
		t.Helper()
		on, err := w.Enabled(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return on
	}
	if enabled(w) {
		t.Fatal("a new repository is enabled")
	}
	live, err := w.Refresh(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	old := sure(memory.Decision, "Bluge for the index", 1, 9)
	for _, step := range []struct {
		name string
		do   func(other *Workspace)
		same bool // nothing that a workspace holds has changed: it is the one of before
	}{
		{"nothing", func(*Workspace) {}, true},
		{"a file", func(other *Workspace) { other.put(t, old) }, true},
		{"a pending memory", func(other *Workspace) { other.putPending(t, sure(memory.Fix, "Pending", 1, 1)) }, true},
		{"a link to a memory", func(other *Workspace) {
			other.putPending(t, linked(sure(memory.Decision, "SQLite after all", 1, 1), memory.Supersedes, old))
		}, true},
		{"a commit", func(other *Workspace) {
			other.git(t, "add", ".cortex")
			other.git(t, "commit", "-q", "-m", "memories")
		}, false},
		{"a policy", func(other *Workspace) { other.file(t, ConfigPath, "land: manual\n") }, false},
		{"a broken policy", func(other *Workspace) { other.file(t, ConfigPath, "land: never\n") }, false},
		{"a landing", func(other *Workspace) {
			if _, err := other.Land(t.Context(), nil, true); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"another branch", func(other *Workspace) { other.git(t, "switch", "-q", "-f", "main") }, false},
		{"a setting", func(other *Workspace) { other.git(t, "config", "cortex.enabled", "true") }, false},
		{"packed refs", func(other *Workspace) { other.git(t, "gc", "-q") }, false},
	} {
		step.do(w.again(t))
		now, err := live.Refresh(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(seen(t, w.again(t)), seen(t, now)); diff != "" {
			t.Errorf("after %s (-opened anew +refreshed):\n%s", step.name, diff)
		}
		if (now == live) != step.same {
			t.Errorf("after %s the workspace is the one of before: %v", step.name, now == live)
		}
		if fresh, err := w.Refresh(t.Context()); err != nil || fresh != now {
			t.Errorf("after %s an earlier workspace refreshes to another: %v", step.name, err)
		}
		live = now
	}
	if !enabled(live) || enabled(w) {
		t.Error("settings: an earlier workspace changed, or the refreshed one did not")
	}
}

// TestRefreshNewerPolicy: a policy of a newer version, and its end, are heeded.
func TestRefreshNewerPolicy(t *testing.T) {
	w := newWorkspace(t)
	for _, step := range []struct {
		policy string
		want   bool
	}{{"format: 2\n", false}, {"land: manual\n", true}} {
		w.file(t, ConfigPath, step.policy)
		now, err := w.Refresh(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := now.Journal.Writable(t.Context()); (err == nil) != step.want {
			t.Errorf("%q: writable: %v", step.policy, err)
		}
		if _, err := now.Remember(t.Context(),
			Note{Text: "A note about " + step.policy, Pending: true}); (err == nil) != step.want {
			t.Errorf("%q: remember: %v", step.policy, err)
		}
	}
}
