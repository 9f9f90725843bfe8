package doctor

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// clone is a repository that a test makes ill.
type clone struct {
	*testing.T
	dir string
	w   *workspace.Workspace
}

// healthy makes a clone in which nothing is wrong.
func healthy(t *testing.T) *clone {
	t.Helper()
	w := workspacetest.New(t)
	c := &clone{t, w.Repo.Root, w}
	c.git("config", "cortex.enabled", "true")
	workspacetest.PutPending(t, w, workspacetest.Sure(memory.Gotcha, "Pending for main"))
	c.reopen()
	return c
}

func (c *clone) git(args ...string) string { c.Helper(); return workspacetest.Git(c.T, c.w, args...) }

func (c *clone) write(path, text string) { c.Helper(); workspacetest.Write(c.T, c.w, path, text) }

func (c *clone) read(path string) string { c.Helper(); return workspacetest.Read(c.T, c.w, path) }

func (c *clone) put(memories ...*memory.Memory) { c.Helper(); workspacetest.Put(c.T, c.w, memories...) }

func (c *clone) commit(message string) { c.Helper(); workspacetest.Commit(c.T, c.w, message) }

func (c *clone) reopen() { c.Helper(); c.w = workspacetest.Open(c.T, c.dir) }

func (c *clone) policy(text string) { c.Helper(); c.write(workspace.ConfigPath, text) }

func (c *clone) there(path string) bool {
	_, err := os.Lstat(filepath.Join(c.dir, path))
	return err == nil
}

func sure(title string) *memory.Memory                 { return workspacetest.Sure(memory.Decision, title) }
func file(m *memory.Memory) string                     { return view.MemoryPath(m.Path()) }
func saying(m *memory.Memory, t string) *memory.Memory { m.Text = t; return m }

// project renders the pages as they should be.
func (c *clone) project() {
	c.Helper()
	c.reopen()
	if _, err := c.w.Project(c.Context(), false, true); err != nil {
		c.Fatal(err)
	}
}

// examine runs the doctor on a workspace of its own and returns what is not in
// order, by name.
func (c *clone) examine(fix bool) map[string]workspace.Check {
	c.Helper()
	c.reopen()
	checks, err := Run(c.Context(), c.w, fix)
	if err = errors.Join(err, c.w.Close()); err != nil {
		c.Fatal(err)
	}
	wrong := map[string]workspace.Check{}
	for _, check := range checks {
		if !check.OK {
			wrong[check.Name] = check
		}
	}
	return wrong
}

// only wants one thing to be wrong, with these words in what is said of it, and
// returns it.
func (c *clone) only(wrong map[string]workspace.Check, name string, words ...string) workspace.Check {
	c.Helper()
	check, ok := wrong[name]
	if !ok || len(wrong) != 1 {
		c.Fatalf("want %q wrong and nothing else, got %+v", name, wrong)
	}
	for _, word := range words {
		if !strings.Contains(check.Wrong+"\n"+check.Hint, word) {
			c.Errorf("%s: %q is not in %q, hint %q", name, word, check.Wrong, check.Hint)
		}
	}
	return check
}

// mended wants the doctor to mend exactly name, and then to find nothing.
func (c *clone) mended(name string) {
	c.Helper()
	if check := c.only(c.examine(true), name); !check.Fixed || check.Did == "" {
		c.Errorf("%s: not mended: %+v", name, check)
	}
	if left := c.examine(false); len(left) > 0 {
		c.Errorf("after mending %s: %+v", name, left)
	}
}

// old makes a file that was left behind an hour ago.
func (c *clone) old(path string) {
	c.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		c.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		c.Fatal(err)
	}
	then := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, then, then); err != nil {
		c.Fatal(err)
	}
}

func TestHealthy(t *testing.T) {
	if wrong := healthy(t).examine(true); len(wrong) > 0 {
		t.Errorf("%+v", wrong)
	}
}

func TestNotSetUp(t *testing.T) {
	c := healthy(t)
	c.git("config", "--unset", "cortex.enabled")
	c.only(c.examine(true), "set up", "cortex init")
}

func TestSettings(t *testing.T) {
	c := healthy(t)
	c.policy("land: sometimes\n")
	c.only(c.examine(true), "settings", "sometimes", "edit "+workspace.ConfigPath)
	// Of a newer format nothing is mended.
	c.policy("format: 99\n")
	c.old(filepath.Join(c.w.Repo.CacheDir(), tempName))
	wrong := c.examine(true)
	if len(wrong) != 2 || wrong["leftovers"].Fixed || !strings.Contains(wrong["settings"].Wrong, "format 99") {
		t.Errorf("%+v", wrong)
	}
}

// tempName is the name of a temporary file of a killed run.
const tempName = "cortex-abcdefghijklmnopqrstuvwxyz.tmp"

func TestJournal(t *testing.T) {
	t.Run("a path of somebody else's", func(t *testing.T) {
		c := healthy(t)
		by := filepath.Join(t.TempDir(), "hand")
		c.git("worktree", "add", "-q", "--detach", by, gitops.JournalRef)
		if err := os.WriteFile(filepath.Join(by, "something-else"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		c.git("-C", by, "add", "-A")
		c.git("-C", by, "commit", "-q", "-m", "by hand")
		c.git("update-ref", gitops.JournalRef, c.git("-C", by, "rev-parse", "HEAD"))
		c.git("worktree", "remove", by)
		c.only(c.examine(true), "journal", "something-else", "not written by cortex")
	})
	t.Run("a commit that is gone", func(t *testing.T) {
		c := healthy(t)
		workspacetest.PutPending(t, c.w, workspacetest.Sure(memory.Gotcha, "The last one"))
		lost := c.git("rev-parse", gitops.JournalRef)
		if err := os.Remove(filepath.Join(c.w.Repo.ObjectsDir, lost[:2], lost[2:])); err != nil {
			t.Fatal(err)
		}
		if wrong := c.examine(false); len(wrong) > 0 { // whoever opens the journal heals it
			t.Errorf("%+v", wrong)
		}
		log, err := os.ReadFile(filepath.Join(c.w.Repo.CacheDir(), "log"))
		if err != nil || strings.Count(string(log), "healed: ") != 1 || !strings.Contains(string(log), lost) {
			t.Errorf("the log: %s, %v", log, err)
		}
	})
}

func TestLeftovers(t *testing.T) {
	c := healthy(t)
	temp := filepath.Join(c.w.Repo.CacheDir(), tempName)
	c.old(temp)
	c.only(c.examine(false), "leftovers", tempName, "cortex doctor --fix")
	c.mended("leftovers")
	if _, err := os.Stat(temp); err == nil {
		t.Error("it is still there")
	}
	// A lock of git may be somebody's.
	lock := filepath.Join(c.w.Repo.GitDir, "packed-refs.lock")
	c.old(lock)
	if check := c.only(c.examine(true), "git locks", "packed-refs.lock", "by hand"); check.Fixed {
		t.Errorf("%+v", check)
	}
}

func TestRemotes(t *testing.T) {
	c := healthy(t)
	const ref = "refs/cortex-remotes/gone/journal"
	c.git("update-ref", ref, gitops.JournalRef)
	c.only(c.examine(false), "remotes", ref)
	c.mended("remotes")
	if out := c.git("for-each-ref", ref); out != "" {
		t.Errorf("still there: %s", out)
	}
	// What the journal does not have stays.
	c.git("update-ref", ref, "HEAD")
	if check := c.only(c.examine(true), "remotes", "not all of it is in the journal",
		"git log --stat "+ref); check.Fixed {
		t.Errorf("%+v", check)
	}
}

func TestMemories(t *testing.T) {
	const bad = ".cortex/memories/decision/bad.md"
	twin, secret := sure("Twin"), saying(sure("Door"),
		"The token is "+strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_"))
	contested, future := sure("Contested"), sure("Tomorrow's")
	contested.Contested, future.Created = true, workspacetest.Clock().AddDate(1, 0, 0)
	for name, make := range map[string]struct {
		ill   func(*clone)
		check string
		words []string
	}{
		"unreadable": {func(c *clone) { c.write(bad, "no frontmatter\n") }, "memories", []string{bad, "edit the file"}},
		"twins": {
			func(c *clone) { c.put(twin); c.write(bad, string(memory.Format(twin))) }, "ids",
			[]string{twin.ID.Short(), "git rm"},
		},
		"case": {func(c *clone) {
			c.write(".cortex/memories/decision/a.md", string(memory.Format(twin)))
			c.write(".cortex/memories/decision/A.md", string(memory.Format(sure("Another"))))
		}, "ids", []string{"only in letter case"}},
		"a secret": {func(c *clone) { c.put(secret) }, "secrets", []string{file(secret), "replace it at its source"}},
		"contested": {
			func(c *clone) { c.put(contested) }, "contested",
			[]string{contested.ID.Short(), "edit " + file(contested)},
		},
		"the clock": {
			func(c *clone) { c.put(future) }, "clock",
			[]string{future.ID.Short(), "2027-11-20", "2026-11-20"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := healthy(t)
			make.ill(c)
			c.policy("projections: \"off\"\n")
			if check := c.only(c.examine(true), make.check, make.words...); check.Fixed {
				t.Errorf("mended what a person must decide: %+v", check)
			}
		})
	}
}

// marked is a file in which a merge left both versions between markers.
func marked(ours, theirs *memory.Memory) string {
	return "<<<<<<< HEAD\n" + string(memory.Format(ours)) + "=======\n" + string(memory.Format(theirs)) +
		">>>>>>> side\n"
}

// TestConflicts: both sides of a file with conflict markers are joined where
// history has it, and it is left alone elsewhere.
func TestConflicts(t *testing.T) {
	start := func(t *testing.T, ours, theirs *memory.Memory) *clone {
		c := healthy(t)
		c.policy("projections: \"off\"\n")
		c.write(file(ours), marked(ours, theirs))
		return c
	}
	tagged := func(m *memory.Memory, tag string) *memory.Memory {
		m.Tags = []string{tag}
		return m
	}
	t.Run("joined", func(t *testing.T) {
		ours, theirs := tagged(sure("Kilns"), "here"), tagged(sure("Kilns"), "there")
		c := start(t, ours, theirs)
		c.commit("with markers")
		c.only(c.examine(false), "conflicts", file(ours), "cortex show "+ours.ID.Short())
		c.mended("conflicts")
		m, err := memory.Parse(file(ours), []byte(c.read(file(ours))))
		if err != nil || strings.Join(m.Tags, " ") != "here there" {
			t.Errorf("%v, %v", m, err)
		}
	})
	t.Run("contested", func(t *testing.T) {
		c := start(t, saying(sure("Kilns"), "Fire at night."), saying(sure("Kilns"), "Fire at noon."))
		c.commit("with markers")
		wrong := c.examine(true)
		if check := wrong["conflicts"]; !check.Fixed || !strings.Contains(check.Did, "contested") ||
			wrong["contested"].OK {
			t.Errorf("%+v", wrong)
		}
		if got := c.read(file(sure("Kilns"))); !strings.Contains(got, "Fire at night.") ||
			!strings.Contains(got, "Fire at noon.") {
			t.Errorf("a text is lost:\n%s", got)
		}
	})
	t.Run("two memories", func(t *testing.T) {
		ours, theirs := sure("Kilns"), sure("Glazes")
		c := start(t, ours, theirs)
		c.commit("with markers")
		c.mended("conflicts")
		for _, m := range []*memory.Memory{ours, theirs} {
			if diff := cmp.Diff(string(memory.Format(m)), c.read(file(m))); diff != "" {
				t.Errorf("%s:\n%s", file(m), diff)
			}
		}
	})
	t.Run("two memories, one of them there already", func(t *testing.T) {
		ours, theirs := sure("Kilns"), tagged(sure("Glazes"), "old")
		c := start(t, ours, tagged(sure("Glazes"), "new"))
		c.put(theirs)
		c.commit("with markers")
		c.mended("conflicts")
		m, err := memory.Parse(file(theirs), []byte(c.read(file(theirs))))
		if err != nil || strings.Join(m.Tags, " ") != "new old" {
			t.Errorf("%v, %v", m, err)
		}
	})
	t.Run("in the way", func(t *testing.T) {
		ours, theirs := sure("Kilns"), sure("Glazes")
		c := start(t, ours, theirs)
		c.write(file(theirs), string(memory.Format(sure("Something else"))))
		c.commit("with markers")
		before := c.read(file(ours))
		if check := c.examine(true)["conflicts"]; check.Fixed || !strings.Contains(check.Wrong, "is in the way") ||
			c.read(file(ours)) != before {
			t.Errorf("%+v", check)
		}
	})
	t.Run("not in history", func(t *testing.T) {
		ours := sure("Kilns")
		c := start(t, ours, tagged(sure("Kilns"), "there"))
		before := c.read(file(ours))
		if check := c.only(c.examine(true), "conflicts", "edit it by hand"); check.Fixed ||
			c.read(file(ours)) != before {
			t.Errorf("%+v", check)
		}
	})
	t.Run("not finished", func(t *testing.T) {
		m := sure("Kilns")
		c := healthy(t)
		c.policy("projections: \"off\"\n")
		c.put(m)
		c.commit("base")
		c.git("switch", "-q", "-c", "side")
		c.put(saying(sure("Kilns"), "Theirs."))
		c.commit("theirs")
		c.git("switch", "-q", "main")
		c.put(saying(sure("Kilns"), "Ours."))
		c.commit("ours")
		if err := workspacetest.TryGit(t, c.w, "merge", "-q", "side"); err == nil {
			t.Fatal("git met no conflict")
		}
		wrong := c.examine(true)
		if check := wrong["conflicts"]; check.Fixed || !strings.Contains(check.Wrong, "git add "+file(m)) {
			t.Errorf("%+v", wrong)
		}
	})
}

func TestStrays(t *testing.T) {
	c := healthy(t)
	for branch, more := range map[string]string{"gone": "", "renamed": "", "": ""} {
		m := sure("Waits for " + branch + more)
		workspacetest.Change(t, c.w, map[string][]byte{gitops.PendingPrefix(branch) + "/" + m.Path(): memory.Format(m)})
	}
	c.git("branch", "renamed")
	c.git("branch", "-m", "renamed", "anew")
	check := c.only(c.examine(true), "pending branches", "3 memories wait", "gone (1)", "HEAD (1, detached)",
		"renamed (1, renamed to anew)", "cortex review --rehome ")
	if check.Fixed {
		t.Errorf("%+v", check)
	}
}

// TestPages: pages are brought in step where this branch keeps them, removed
// where none does, and put back where another branch keeps them; never over
// words that a person wrote.
func TestPages(t *testing.T) {
	const page = ".cortex/decisions.md"
	t.Run("kept", func(t *testing.T) {
		c := healthy(t)
		c.put(sure("Kilns"))
		c.only(c.examine(false), "generated pages", page+" (missing)", "cortex project")
		c.mended("generated pages")
		c.write(page, "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n")
		c.only(c.examine(false), "generated pages", page+" (conflict markers)")
		c.mended("generated pages")
	})
	t.Run("off", func(t *testing.T) {
		c := healthy(t)
		c.put(sure("Kilns"))
		c.project()
		c.policy("projections: \"off\"\n")
		c.only(c.examine(false), "generated pages", page)
		c.mended("generated pages")
		c.write(page, "By hand.\n")
		if check := c.only(c.examine(true), "generated pages", "edited by hand", "commit them"); check.Fixed ||
			!c.there(page) {
			t.Errorf("%+v", check)
		}
		c.commit("by hand")
		c.mended("generated pages")
		if c.there(page) {
			t.Error("the page is still there")
		}
	})
	t.Run("inherited", func(t *testing.T) {
		c := healthy(t)
		c.policy("projections: default-branch\n")
		c.put(sure("Kilns"))
		c.project()
		c.commit("on main")
		before := c.read(page)
		c.git("switch", "-q", "-c", "feature")
		c.put(sure("Glazes"))
		if wrong := c.examine(false); len(wrong) > 0 {
			t.Fatalf("%+v", wrong)
		}
		c.project()
		c.only(c.examine(false), "generated pages", page, "merging may conflict")
		c.mended("generated pages")
		if diff := cmp.Diff(before, c.read(page)); diff != "" {
			t.Errorf("not as on main:\n%s", diff)
		}
		c.write(page, "By hand.\n")
		if check := c.only(c.examine(true), "generated pages", "edited by hand", "commit it"); check.Fixed ||
			c.read(page) != "By hand.\n" {
			t.Errorf("%+v", check)
		}
	})
	t.Run("inherited from none", func(t *testing.T) {
		c := healthy(t)
		c.policy("projections: default-branch\n")
		c.put(sure("Kilns"))
		c.commit("on main")
		c.git("switch", "-q", "-c", "feature")
		c.project()
		c.mended("generated pages")
		if c.there(page) {
			t.Error("the page is still there")
		}
	})
}

func TestIndex(t *testing.T) {
	c := healthy(t)
	c.policy("projections: \"off\"\n")
	c.put(sure("Kilns"), sure("Glazes"))
	c.reopen()
	if _, err := c.w.Reindex(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := c.w.Close(); err != nil {
		t.Fatal(err)
	}
	damaged := 0
	err := filepath.WalkDir(c.w.Repo.CacheDir(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, "index") && !strings.HasPrefix(d.Name(), "catalog") {
			return err
		}
		info, err := d.Info()
		if err != nil || info.Size() < 64 {
			return err
		}
		damaged++
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		data[len(data)/2] ^= 0xff
		return os.WriteFile(path, data, 0o666)
	})
	if err != nil || damaged == 0 {
		t.Fatalf("%d files damaged, %v", damaged, err)
	}
	c.only(c.examine(false), "index", "cortex reindex")
	c.mended("index")
}
