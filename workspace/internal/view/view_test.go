package view_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

func TestMain(m *testing.M) { os.Exit(testrun.InMemory(m).Run()) }

// titles are the titles of what a view holds, in order.
func titles(t *testing.T, w *workspace.Workspace, opt workspace.ViewOptions) []string {
	t.Helper()
	var out []string
	for _, e := range workspacetest.View(t, w, opt).Entries(t.Context()) {
		out = append(out, e.Memory.Title)
	}
	slices.Sort(out)
	return out
}

// TestViews: which memories each state holds.
func TestViews(t *testing.T) {
	w := workspacetest.New(t)
	landed := workspacetest.Sure(memory.Decision, "Use UTC")
	workspacetest.Put(t, w, landed)
	workspacetest.Commit(t, w, "one")
	workspacetest.Git(t, w, "branch", "feature")
	workspacetest.PutPending(t, w, workspacetest.Sure(memory.Fix, "Drain first"))
	workspacetest.Put(t, w, workspacetest.Sure(memory.Learned, "Gauges drift"))
	workspacetest.Commit(t, w, "two")
	w, err := w.Refresh(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		says string
		opt  workspace.ViewOptions
		want []string
	}{
		{"the working tree", workspace.ViewOptions{}, []string{"Drain first", "Gauges drift", "Use UTC"}},
		{"the commit before", workspace.ViewOptions{At: "HEAD~1"}, []string{"Use UTC"}},
		{"all branches", workspace.ViewOptions{AllBranches: true}, []string{"Drain first", "Gauges drift", "Use UTC"}},
	} {
		if got := titles(t, w, test.opt); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.says, got, test.want)
		}
	}
	if got := titles(t, w, workspace.ViewOptions{Branch: "feature"}); !slices.Contains(got, "Use UTC") ||
		slices.Contains(got, "Gauges drift") {
		t.Errorf("another branch: %q", got)
	}
}

// TestStatuses: status, stage and prefix of an id follow from the memories alone.
func TestStatuses(t *testing.T) {
	w := workspacetest.New(t)
	before, after := workspacetest.Sure(memory.Decision, "Use Redis"), workspacetest.Sure(memory.Decision, "Use Postgres")
	after.Links = []memory.Link{{Rel: memory.Supersedes, To: before.ID}}
	workspacetest.Put(t, w, before)
	workspacetest.Commit(t, w, "one")
	workspacetest.Put(t, w, after)
	v := workspacetest.View(t, w, workspace.ViewOptions{})
	e, err := v.Find(t.Context(), string(before.ID[:8]))
	if err != nil || e.Status != memory.StatusSuperseded || e.Stage != index.Landed {
		t.Errorf("%+v %v", e.Item, err)
	}
	if _, err := v.Find(t.Context(), "zzzzzzzz"); err == nil {
		t.Error("an id that nobody has was found")
	}
	if v.Count(index.Landed) != 2 || !v.HasLinks() || v.Presumes(after.ID) {
		t.Errorf("%d landed", v.Count(index.Landed))
	}
}

// TestPresumes: what an agent says of a person's memory does not count until a person says so.
func TestPresumes(t *testing.T) {
	w := workspacetest.New(t)
	person, agent := workspacetest.Sure(memory.Decision, "Use Redis"), workspacetest.Sure(memory.Decision, "Use Postgres")
	person.Source = memory.Source{Agent: memory.Human}
	agent.Source = memory.Source{Agent: "codex", Session: "s", Layer: "tag", Origin: memory.OriginAgent}
	agent.Links = []memory.Link{{Rel: memory.Supersedes, To: person.ID}}
	workspacetest.Put(t, w, person)
	workspacetest.Commit(t, w, "one")
	workspacetest.PutPending(t, w, agent)
	v := workspacetest.View(t, w, workspace.ViewOptions{})
	if !v.Presumes(agent.ID) || !v.ReplacesPersons(t.Context(), agent) {
		t.Error("an agent replaces what a person said")
	}
	e, err := v.Find(t.Context(), string(person.ID))
	if err != nil || e.Status != memory.StatusActive {
		t.Errorf("%s %v", e.Status, err)
	}
}

// TestConsolidated: a memory stands for several others if it says so of more than one.
func TestConsolidated(t *testing.T) {
	m := &memory.Memory{}
	for i, id := range []memory.ID{"0123456789abcdef", "123456789abcdef0"} {
		if view.Consolidated(m) {
			t.Errorf("with %d", i)
		}
		m.Links = append(m.Links, memory.Link{Rel: memory.DerivedFrom, To: id}, memory.Link{Rel: memory.Supersedes, To: id})
	}
	if !view.Consolidated(m) {
		t.Error("with two")
	}
}

// TestManyPending: a list of what is pending that was kept is only believed of the state that it is of, and
// while it is whole.
func TestManyPending(t *testing.T) {
	w := workspacetest.New(t)
	var many []*memory.Memory
	for i := range 600 {
		many = append(many, workspacetest.Sure(memory.Fix, fmt.Sprintf("Drain queue %d first", i)))
	}
	workspacetest.PutPending(t, w, many...)
	pending := func(want int) {
		t.Helper()
		for range 2 { // the second one reads what the first kept
			v := workspacetest.View(t, w, workspace.ViewOptions{})
			if got := v.Count(index.Pending); got != want || v.Items[0].Branch != "main" || len(v.Problems) > 0 {
				t.Errorf("%d pending for %q, want %d; %v", got, v.Items[0].Branch, want, v.ProblemTexts())
			}
		}
	}
	pending(600)
	workspacetest.PutPending(t, w, workspacetest.Sure(memory.Fix, "Close the valve"))
	pending(601)
	kept := w.Index.CacheFile("list-pending")
	data, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(kept, data, 0o600); err != nil {
		t.Fatal(err)
	}
	pending(601)
}
