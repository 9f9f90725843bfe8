package certify

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

const noPages = "projections: \"off\"\n"

// The memories that both branches of a history come from.
var (
	first  = func() *memory.Memory { return about("Gauges are read in UTC") }
	second = func() *memory.Memory { return about("The kiln is fired at night") }
)

func about(title string) *memory.Memory { return workspacetest.Sure(memory.Decision, title) }

// saying returns m with another text.
func saying(m *memory.Memory, text string) *memory.Memory {
	m.Text = text
	return m
}

func file(m *memory.Memory) string { return view.MemoryPath(m.Path()) }

// repo is a repository in which two branches are merged.
type repo struct {
	t *testing.T
	w *workspace.Workspace
}

// diverged makes a repository whose branches main and side come from two
// memories, and have changed them as ours and theirs say. Main is checked out.
func diverged(t *testing.T, ours, theirs func(*repo)) *repo {
	t.Helper()
	r := &repo{t, workspacetest.New(t)}
	workspacetest.Write(t, r.w, workspace.ConfigPath, noPages)
	r.put(first(), second())
	r.commit("base")
	r.git("switch", "-q", "-c", "side")
	theirs(r)
	r.commit("theirs")
	r.git("switch", "-q", "main")
	ours(r)
	r.commit("ours")
	return r
}

func (r *repo) git(args ...string)           { r.t.Helper(); workspacetest.Git(r.t, r.w, args...) }
func (r *repo) put(m ...*memory.Memory)      { r.t.Helper(); workspacetest.Put(r.t, r.w, m...) }
func (r *repo) remove(m *memory.Memory)      { r.t.Helper(); r.git("rm", "-q", file(m)) }
func (r *repo) write(path, text string)      { r.t.Helper(); workspacetest.Write(r.t, r.w, path, text) }
func (r *repo) read(m *memory.Memory) string { return workspacetest.Read(r.t, r.w, file(m)) }

func (r *repo) commit(message string) {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
}

// merge commits a merge of side that holds what main has, changed by then.
func (r *repo) merge(then func(*repo)) {
	r.t.Helper()
	r.git("merge", "-q", "-s", "ours", "--no-commit", "side")
	then(r)
	r.commit("merge")
}

func (r *repo) certify(merge string, sides ...string) *Certificate {
	r.t.Helper()
	c, err := Merge(r.t.Context(), workspacetest.Open(r.t, r.w.Repo.Root), merge, sides)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// remarks returns what a certificate says, a line each: list, kind and title or
// path.
func remarks(c *Certificate) []string {
	out := []string{}
	for _, list := range []struct {
		name     string
		findings []Finding
	}{{"removed", c.Removed}, {"problem", c.Problems}, {"note", c.Notes}} {
		for _, f := range list.findings {
			name := f.Title
			if name == "" {
				name = f.Path
			}
			out = append(out, list.name+": "+f.Kind+": "+name)
		}
	}
	slices.Sort(out)
	return out
}

func nothing(*repo) {}

// TestMerge: for each thing that can become of a memory in a merge, what the
// certificate says.
func TestMerge(t *testing.T) {
	third := about("Glaze dries for two days")
	for name, c := range map[string]struct {
		ours, theirs, merge func(*repo)
		want                []string
	}{
		"both sides are there": {
			func(r *repo) { r.put(saying(first(), "Since the summer time trouble.")) },
			func(r *repo) { r.put(third) },
			func(r *repo) { r.put(third) },
			[]string{},
		},
		"an addition is lost": {
			nothing,
			func(r *repo) { r.put(third) },
			nothing,
			[]string{"problem: lost: " + third.Title},
		},
		"an old one is lost": {
			nothing, nothing,
			func(r *repo) { r.remove(second()) },
			[]string{"problem: lost: " + second().Title},
		},
		"a side removed one": {
			nothing,
			func(r *repo) { r.remove(second()) },
			func(r *repo) { r.remove(second()) },
			[]string{"removed: removed: " + second().Title},
		},
		"both sides removed one": {
			func(r *repo) { r.remove(second()) },
			func(r *repo) { r.remove(second()) },
			nothing,
			[]string{"removed: removed: " + second().Title},
		},
		"what a side removed is back": {
			nothing,
			func(r *repo) { r.remove(second()) },
			nothing,
			[]string{"problem: resurrected: " + second().Title},
		},
		"what both sides removed is back": {
			func(r *repo) { r.remove(second()) },
			func(r *repo) { r.remove(second()) },
			func(r *repo) { r.put(second()) },
			[]string{"problem: resurrected: " + second().Title},
		},
		"removed here, edited there, and kept": {
			func(r *repo) { r.put(saying(second(), "It is cheaper then.")) },
			func(r *repo) { r.remove(second()) },
			nothing,
			[]string{"note: removed-edited: " + second().Title},
		},
		"removed here, edited there, and gone": {
			func(r *repo) { r.put(saying(second(), "It is cheaper then.")) },
			func(r *repo) { r.remove(second()) },
			func(r *repo) { r.remove(second()) },
			[]string{"note: removed-edited: " + second().Title, "removed: removed: " + second().Title},
		},
		"one side's edit is dropped": {
			func(r *repo) { r.put(saying(first(), "Ours.")) },
			func(r *repo) { r.put(saying(first(), "Theirs.")) },
			nothing,
			[]string{"problem: one-sided: " + first().Title},
		},
		"both sides' edits are undone": {
			func(r *repo) { r.put(saying(first(), "Ours.")) },
			func(r *repo) { r.put(saying(first(), "Theirs.")) },
			func(r *repo) { r.put(first()) },
			[]string{"problem: one-sided: " + first().Title},
		},
		"one id in two files": {
			nothing, nothing,
			func(r *repo) { r.write(".cortex/memories/decision/copy.md", r.read(second())) },
			[]string{"problem: duplicate-id: " + second().Title},
		},
		"a file is moved": {
			nothing, nothing,
			func(r *repo) { r.git("mv", file(second()), ".cortex/memories/decision/moved.md") },
			[]string{},
		},
		"conflict markers": {
			func(r *repo) { r.put(saying(first(), "Ours.")) },
			func(r *repo) { r.put(saying(first(), "Theirs.")) },
			func(r *repo) {
				r.write(file(first()), "<<<<<<< HEAD\n"+r.read(first())+"=======\n"+
					string(memory.Format(saying(first(), "Theirs.")))+">>>>>>> side\n")
			},
			[]string{"problem: markers: " + file(first())},
		},
		"a file that cannot be read": {
			nothing, nothing,
			func(r *repo) { r.write(file(first()), "---\nid: "+string(first().ID)+"\n") },
			[]string{"problem: unreadable: " + file(first())},
		},
		"a memory of the merge's own": {
			nothing, nothing,
			func(r *repo) { r.put(third) },
			[]string{"note: new: " + third.Title},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := diverged(t, c.ours, c.theirs)
			r.merge(c.merge)
			got := r.certify("")
			if diff := cmp.Diff(c.want, remarks(got)); diff != "" {
				t.Errorf("remarks (-want +got):\n%s", diff)
			}
			certified := !strings.Contains(strings.Join(c.want, "\n"), "problem")
			if got.Certified != certified || len(got.Sides) != 2 || len(got.Bases) != 1 {
				t.Errorf("certified %v, sides %v, bases %v", got.Certified, got.Sides, got.Bases)
			}
		})
	}
}

// TestHints: a lost memory is named with the commit that has it, and what the
// hint says to type brings it back.
func TestHints(t *testing.T) {
	third := about("Glaze dries for two days")
	r := diverged(t, nothing, func(r *repo) { r.put(third) })
	r.merge(nothing)
	c := r.certify("")
	if len(c.Problems) != 1 {
		t.Fatalf("%+v", c)
	}
	lost := c.Problems[0]
	if want := workspacetest.Git(t, r.w, "rev-parse", "side"); lost.Commit != want || lost.Side != "HEAD^2" {
		t.Errorf("of %s, in %s, want HEAD^2 and %s", lost.Side, lost.Commit, want)
	}
	r.git(strings.Fields(strings.TrimPrefix(lost.Hint, "git "))...)
	if got := r.read(third); got != string(memory.Format(third)) {
		t.Errorf("%s brings back %q", lost.Hint, got)
	}
}

// TestSquash: a commit with one parent is certified against the sides that the
// user names.
func TestSquash(t *testing.T) {
	third := about("Glaze dries for two days")
	r := diverged(t, nothing, func(r *repo) { r.put(third) })
	r.git("branch", "before")
	r.git("merge", "-q", "--squash", "side")
	r.commit("squashed")
	if _, err := Merge(t.Context(), workspacetest.Open(t, r.w.Repo.Root), "", nil); !errors.Is(err, ErrNoMerge) {
		t.Errorf("without sides: %v", err)
	}
	if c := r.certify("HEAD", "before", "side"); !c.Certified || c.Memories != 3 {
		t.Errorf("%+v", c)
	}
	if c := r.certify("before", "before", "side"); c.Certified || len(c.Problems) != 1 || c.Problems[0].Side != "side" {
		t.Errorf("%+v", c)
	}
}

// TestHintsOfNames: whoever names a file writes no command into a hint.
func TestHintsOfNames(t *testing.T) {
	const name = ".cortex/memories/fix/a;curl evil;.md"
	write := func(text string) func(*repo) { return func(r *repo) { r.write(name, text) } }
	r := diverged(t, write("Ours.\n"), write("Theirs.\n"))
	if err := workspacetest.TryGit(t, r.w, "merge", "-q", "side"); err == nil {
		t.Fatal("git met no conflict")
	}
	hints := ""
	for _, f := range r.certify("").Problems {
		hints += f.Hint + "\n"
	}
	if !strings.Contains(hints, "git add '"+name+"'") {
		t.Errorf("the hints are %s", hints)
	}
}

// TestUnderWay: a merge that is not committed yet is read from the index, and a
// path in conflict from the working tree.
func TestUnderWay(t *testing.T) {
	edit := func(text string) func(*repo) {
		return func(r *repo) { r.put(saying(first(), text)) }
	}
	r := diverged(t, edit("Ours."), edit("Theirs."))
	if err := workspacetest.TryGit(t, r.w, "merge", "-q", "side"); err == nil {
		t.Fatal("git met no conflict")
	}
	c := r.certify("")
	want := []string{"problem: markers: " + file(first()), "problem: unresolved: " + file(first())}
	if diff := cmp.Diff(want, remarks(c)); diff != "" || c.Merge != "index" {
		t.Errorf("%s (-want +got):\n%s", c.Merge, diff)
	}
	if !strings.HasPrefix(c.Problems[0].Hint, "edit ") {
		t.Errorf("the hint is %q", c.Problems[0].Hint)
	}
	r.put(saying(first(), "Ours. Theirs."))
	r.git("add", file(first()))
	if c := r.certify(""); !c.Certified {
		t.Errorf("resolved: %v", remarks(c))
	}
}

// TestPages: pages that differ from the memories of the merge are a problem
// where every branch keeps them, and a note where the default branch does.
func TestPages(t *testing.T) {
	for mode, want := range map[string][]string{
		"branch":         {"problem: page: .cortex/decisions.md"},
		"default-branch": {"note: page: .cortex/decisions.md"},
		"off":            {},
	} {
		r := diverged(t, nothing, nothing)
		r.merge(func(r *repo) {
			r.write(workspace.ConfigPath, "projections: \""+mode+"\"\n")
			w := workspacetest.Open(t, r.w.Repo.Root)
			if _, err := w.Project(t.Context(), false, true); err != nil {
				t.Fatal(err)
			}
			r.write(".cortex/decisions.md", "Something else.\n")
		})
		if diff := cmp.Diff(want, remarks(r.certify(""))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", mode, diff)
		}
		r.git("rm", "-q", ".cortex/decisions.md")
		r.git("commit", "-q", "--amend", "--no-edit")
		c := r.certify("")
		if diff := cmp.Diff(want, remarks(c)); diff != "" {
			t.Errorf("%s, no page (-want +got):\n%s", mode, diff)
		}
		for _, f := range slices.Concat(c.Problems, c.Notes) {
			if !strings.HasPrefix(f.Text, "it is missing") {
				t.Errorf("%s: %s", mode, f.Text)
			}
		}
	}
}

// TestCannotTell: there is no certificate where the question has no answer.
func TestCannotTell(t *testing.T) {
	r := diverged(t, nothing, nothing)
	if _, err := Merge(t.Context(), r.w, "", nil); !errors.Is(err, ErrNoMerge) {
		t.Errorf("no merge: %v", err)
	}
	many := slices.Repeat([]string{"main"}, maxSides+1)
	if _, err := Merge(t.Context(), r.w, "HEAD", many); err == nil || !strings.Contains(err.Error(), "17 sides") {
		t.Errorf("many sides: %v", err)
	}
	if _, err := Merge(t.Context(), r.w, "HEAD", []string{"main", "nowhere"}); err == nil {
		t.Error("a side that is not there: no error")
	}
	r.merge(nothing)
	shallow := filepath.Join(t.TempDir(), "shallow")
	r.git("clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(r.w.Repo.Root), shallow)
	if _, err := Merge(t.Context(), workspacetest.Open(t, shallow), "", nil); !errors.Is(err, ErrShallow) {
		t.Errorf("a shallow clone: %v", err)
	}
}
