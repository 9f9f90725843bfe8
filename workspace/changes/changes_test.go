package changes

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// linked is a memory with a link.
func linked(typ memory.Type, title string, rel memory.Rel, to *memory.Memory) *memory.Memory {
	m := workspacetest.Sure(typ, title)
	m.Links = []memory.Link{{Rel: rel, To: to.ID}}
	return m
}

// described says in a line each what a report holds.
func described(r *Report) []string {
	var out []string
	add := func(kind, title string) { out = append(out, kind+": "+title) }
	for _, e := range r.Added {
		add("added", e.Memory.Title)
	}
	for _, c := range r.Changed {
		for _, field := range c.Fields {
			add("changed "+field, c.Now.Memory.Title)
		}
	}
	for _, e := range r.Removed {
		add("removed", e.Memory.Title)
	}
	for _, s := range r.Superseded {
		add("superseded by "+s.By[0].Title, s.Entry.Memory.Title)
	}
	for _, c := range r.Contested {
		add("contested", c.Entry.Memory.Title)
	}
	for _, s := range r.Stale {
		add("stale by "+s.Code[0].Path+s.Code[0].Moved, s.Entry.Memory.Title)
	}
	for _, p := range r.Problems {
		add("problem", p.Path)
	}
	for _, p := range r.Policy {
		add("policy "+p.Kind, p.Path+" "+p.Key)
	}
	return out
}

// TestRead: what the commits of a branch do to memories, and the same of files that are not
// committed yet.
func TestRead(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Write(t, w, "gauge.go", "package gauge\n")
	blob := workspacetest.Git(t, w, "hash-object", "gauge.go")
	kept, edited, gone := workspacetest.Sure(memory.Fix, "The lamp blinks"),
		workspacetest.Sure(memory.Decision, "Alerts are rung"), workspacetest.Sure(memory.Fix, "The door creaks")
	about := workspacetest.Sure(memory.Gotcha, "The gauge reads low")
	about.Files, about.Anchors = []string{"gauge.go"}, []memory.Anchor{{Path: "gauge.go", Blob: blob}}
	workspacetest.Put(t, w, kept, edited, gone, about)
	workspacetest.Commit(t, w, "before")

	workspacetest.Git(t, w, "switch", "-q", "-c", "feature")
	w = workspacetest.Open(t, w.Repo.Root)
	edited.Text = "By a bell."
	workspacetest.Put(t, w, edited, linked(memory.Fix, "The lamp glows", memory.Supersedes, kept))
	workspacetest.Git(t, w, "rm", "-q", view.MemoryPath(gone.Path()))
	workspacetest.Write(t, w, "gauge.go", "package gauge // other\n")
	workspacetest.Write(t, w, workspace.ConfigPath, "land: manual\n")
	workspacetest.Write(t, w, ".gitattributes", "*.md -diff\nweb/*.js binary\n")
	workspacetest.Write(t, w, workspace.MemoriesDir+"/fix/broken-1234567.md", "---\nnothing\n")
	workspacetest.Commit(t, w, "work")
	w = workspacetest.Open(t, w.Repo.Root)
	want := []string{
		"added: The lamp glows", "changed text: Alerts are rung", "removed: The door creaks",
		"superseded by The lamp glows: The lamp blinks", "stale by gauge.go: The gauge reads low",
		"problem: " + workspace.MemoriesDir + "/fix/broken-1234567.md", "policy setting: " + workspace.ConfigPath + " land",
		"policy attributes: .gitattributes ",
	}
	report := func(words []string, files bool) *Report {
		at, err := Choose(t.Context(), w, words, files)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(t.Context(), w, at)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, words := range [][]string{nil, {"main"}, {"main..feature"}, {"main..."}, {"main", "feature"}} {
		if diff := cmp.Diff(want, described(report(words, false))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", words, diff)
		}
	}
	if r := report([]string{"feature", "feature"}, false); !r.Quiet() {
		t.Errorf("nothing, but %q", described(r))
	}
	workspacetest.Put(t, w, linked(memory.Fix, "The lamp is off", memory.Supersedes, kept))
	w = workspacetest.Open(t, w.Repo.Root)
	r := report([]string{"feature"}, true)
	if diff := cmp.Diff([]string{
		"added: The lamp is off", "contested: The lamp glows", "contested: The lamp is off",
	}, described(r)); diff != "" || r.Head != Worktree {
		t.Errorf("of the working tree %s (-want +got):\n%s", r.Head, diff)
	}
}

// TestContradictions: a pair of which the range brought one, told from that one.
func TestContradictions(t *testing.T) {
	w := workspacetest.New(t)
	first := workspacetest.Sure(memory.Decision, "Use SQLite for the index")
	workspacetest.Put(t, w, first)
	workspacetest.Commit(t, w, "before")
	workspacetest.Git(t, w, "switch", "-q", "-c", "feature")
	second := linked(memory.Decision, "Use Bluge for the index", memory.Contradicts, first)
	second.Created = first.Created.AddDate(0, 0, -1) // whichever is older
	workspacetest.Put(t, w, second)
	workspacetest.Commit(t, w, "work")
	w = workspacetest.Open(t, w.Repo.Root)
	at, err := Since(t.Context(), w, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(t.Context(), w, at)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Contradicts) != 1 || r.Contradicts[0].By.ID != second.ID || r.Contradicts[0].Of.ID != first.ID {
		t.Errorf("%+v", r.Contradicts)
	}
}

// TestChooseErrors: what has no base is an error that says why.
func TestChooseErrors(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "switch", "-q", "--orphan", "apart")
	workspacetest.Git(t, w, "commit", "-q", "--allow-empty", "-m", "apart")
	w = workspacetest.Open(t, w.Repo.Root)
	if _, err := Choose(t.Context(), w, []string{"main"}, false); !errors.Is(err, ErrUnrelated) {
		t.Errorf("unrelated: %v", err)
	}
	for _, words := range [][]string{{"none"}, {"none", "main"}, {"main", "none"}, {"main..none"}} {
		if _, err := Choose(t.Context(), w, words, false); err == nil {
			t.Errorf("%q: no error", words)
		}
	}
}
