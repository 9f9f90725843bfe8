package doctor

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

func TestCaseClashes(t *testing.T) {
	got := caseClashes([]string{"a/B.md", "a/b.md", "a/c.md", "A/C.md", "a/c.md"})
	if len(got) != 2 || got[0].Path != "a/b.md" || got[1].Path != "A/C.md" || got[0].Rule != "case" {
		t.Errorf("%+v", got)
	}
	got = caseClashes([]string{"a/caf\u00e9.md", "a/cafe\u0301.md", "a/cafe.md"})
	if len(got) != 1 || got[0].Path != "a/cafe\u0301.md" || !strings.Contains(got[0].Text, "how accents are composed") {
		t.Errorf("accents: %+v", got)
	}
}

// TestFindingsOfBranches: memories can be looked at for a branch that is gone
// and for a detached HEAD, as they can be listed.
func TestFindingsOfBranches(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "switch", "-q", "-c", "feature")
	w = workspacetest.Open(t, w.Repo.Root)
	workspacetest.PutPending(t, w, workspacetest.Sure(memory.Decision, "Waits for a branch that is gone"))
	workspacetest.Git(t, w, "switch", "-q", "main")
	workspacetest.Git(t, w, "branch", "-q", "-D", "feature")
	w = workspacetest.Open(t, w.Repo.Root)
	// What waits for a branch that is gone is in every view.
	for branch, want := range map[string]int{"feature": 1, workspace.DetachedName: 1} {
		report, err := Findings(t.Context(), w, workspace.ViewOptions{Branch: branch}, nil)
		if err != nil || len(report.Findings) != 0 || len(report.View.Items) != want {
			t.Errorf("%s: %+v, %v", branch, report, err)
		}
	}
}

// TestFindingsContested: what two branches decided differently is named at both, with the
// other one, until it is settled.
func TestFindingsContested(t *testing.T) {
	w := workspacetest.New(t)
	old := workspacetest.Sure(memory.Decision, "Alerts go out by mail")
	one, two := workspacetest.Sure(memory.Decision, "Alerts are rung"),
		workspacetest.Sure(memory.Decision, "Lamps blink for alerts")
	workspacetest.Put(t, w, old)
	for _, m := range []*memory.Memory{one, two} {
		m.Links = []memory.Link{{Rel: memory.Supersedes, To: old.ID}}
		workspacetest.Put(t, w, m)
	}
	contested := func() (texts []string) {
		found, err := findingsOf(t, w)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if f.Rule == "contested" {
				texts = append(texts, f.Text)
			}
		}
		return texts
	}
	if got := strings.Join(contested(), "\n"); strings.Count(got, "supersedes "+old.ID.Short()+" too") != 2 ||
		!strings.Contains(got, one.ID.Short()) || !strings.Contains(got, two.ID.Short()) {
		t.Errorf("%s", got)
	}
	two.Links = append(two.Links, memory.Link{Rel: memory.Supersedes, To: one.ID})
	workspacetest.Put(t, w, two)
	if got := contested(); len(got) != 0 {
		t.Errorf("once settled: %q", got)
	}
}

// TestFindingsOfManyRivals: however many supersede one memory, each is told of a few of them.
func TestFindingsOfManyRivals(t *testing.T) {
	w := workspacetest.New(t)
	old := workspacetest.Sure(memory.Decision, "Alerts go out by mail")
	workspacetest.Put(t, w, old)
	for _, way := range []string{"horn", "lamp", "phone", "pigeon", "radio", "flag"} {
		m := workspacetest.Sure(memory.Decision, "Alerts go out by "+way)
		m.Links = []memory.Link{{Rel: memory.Supersedes, To: old.ID}}
		workspacetest.Put(t, w, m)
	}
	found, err := findingsOf(t, w)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, f := range found {
		if f.Rule == "contested" {
			told++
			if strings.Count(f.Text, "supersedes") != namedRivals || !strings.HasSuffix(f.Text, " and 2 more") {
				t.Errorf("%s", f.Text)
			}
		}
	}
	if told != 6 {
		t.Errorf("%d of 6 are told", told)
	}
}

// TestFindingsOnce: two secrets of one kind in one file are one remark.
func TestFindingsOnce(t *testing.T) {
	w := workspacetest.New(t)
	m := workspacetest.Sure(memory.Gotcha, "The door opens")
	token := strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_")
	m.Text = "With " + token + " by day, and " + strings.Replace(token, "1", "7", 1) + " by night."
	workspacetest.Put(t, w, m)
	found, err := findingsOf(t, w)
	if err != nil || len(found) != 1 || found[0].Rule != "secret" {
		t.Errorf("%+v, %v", found, err)
	}
}

// findingsOf are the findings of a check of all memories, read anew.
func findingsOf(t *testing.T, w *workspace.Workspace) ([]Finding, error) {
	t.Helper()
	report, err := Findings(t.Context(), workspacetest.Open(t, w.Repo.Root), workspace.ViewOptions{}, nil)
	if err != nil {
		return nil, err
	}
	return report.Findings, nil
}
