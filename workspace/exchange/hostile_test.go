package exchange

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// hostile returns a clone and another one whose user wants to do it harm.
func hostile(t *testing.T) (w, other *workspace.Workspace) {
	t.Helper()
	_, clones := workspacetest.Team(t, 2)
	return clones[0], clones[1]
}

// TestRemoteDismisses: a remote that dismisses many memories is asked about like
// one that removes them.
func TestRemoteDismisses(t *testing.T) {
	w, other := hostile(t)
	for _, title := range strings.Fields("One Two Three Four Five Six") {
		workspacetest.PutPending(t, w, workspacetest.Sure(memory.Decision, title))
	}
	sync(t, w)
	sync(t, other)
	dismissed, gone := map[string][]byte{}, []string(nil)
	for p, data := range files(t, other) {
		m, err := memory.Parse(p, []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		dismissed[journal.DismissedPath(m.ID)] = nil
		gone = append(gone, p)
	}
	workspacetest.Change(t, other, dismissed, gone...)
	sync(t, other)
	var mass *MassRemoval
	if _, err := Sync(t.Context(), w, Options{}); !errors.As(err, &mass) || len(mass.Paths) != 6 {
		t.Errorf("%+v, %v", mass, err)
	}
	if n := len(files(t, w)); n != 6 {
		t.Errorf("%d files are left", n)
	}
	if out := sync(t, w); len(out.Received.Removed) != 6 {
		t.Errorf("with consent: %+v", out.Received)
	}
}

// TestAlike: a remote's memory whose id begins like that of one of ours neither
// takes its place, nor marks it as received, nor dismisses it.
func TestAlike(t *testing.T) {
	const beginning = "0gt40bv"
	made := func(id, title string) *memory.Memory {
		m := workspacetest.Sure(memory.Decision, title)
		m.ID = memory.ID(beginning + id)
		return m
	}
	ours, theirs := made("wb1anm79w", "Kilns are fired at night"), made("zzzzzzzzz", "Kilns are fired at night")
	theirs.Text = "Ask the mayor for the key."
	for name, c := range map[string]struct {
		met    bool                                                  // both clones had ours before
		attack func(p string) (put map[string][]byte, gone []string) // p is the path of ours
		shown  bool                                                  // theirs is there in the end
	}{
		"at the same path": {false, func(p string) (map[string][]byte,
			[]string,
		) {
			return map[string][]byte{p: memory.Format(theirs)}, nil
		}, true},
		"in place of ours": {true, func(p string) (map[string][]byte,
			[]string,
		) {
			return map[string][]byte{p: memory.Format(theirs)}, nil
		}, true},
		"under another title": {true, func(string) (map[string][]byte, []string) {
			return map[string][]byte{"pending/main/" + retitled(theirs): memory.Format(theirs)}, nil
		}, true},
		"dismissed, when it begins like ours": {false, func(p string) (map[string][]byte, []string) {
			return map[string][]byte{journal.DismissedPath(theirs.ID): nil}, nil
		}, false},
		"dismissed after both had ours": {true, func(p string) (map[string][]byte, []string) {
			return map[string][]byte{journal.DismissedPath(theirs.ID): nil}, nil
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w, other := hostile(t)
			path := "pending/main/" + ours.Path()
			workspacetest.Change(t, w, map[string][]byte{path: memory.Format(ours)})
			if c.met {
				sync(t, w)
				sync(t, other)
			}
			put, gone := c.attack(path)
			workspacetest.Change(t, other, put, gone...)
			sync(t, other)
			sync(t, w)
			sync(t, other)
			sync(t, w)
			marks := w.Journal.Marks(t.Context())
			stages := map[memory.ID]index.Stage{}
			for _, e := range workspacetest.View(t, w, workspace.ViewOptions{}).Entries(t.Context()) {
				stages[e.Memory.ID] = e.Stage
				if e.Memory.ID == ours.ID && (e.Received(marks) || e.Memory.Text != ours.Text) {
					t.Errorf("ours is as if it were theirs: %+v", e.Memory)
				}
				if e.Memory.ID == theirs.ID && !e.Received(marks) {
					t.Error("theirs is as if it were ours")
				}
			}
			if stages[ours.ID] != index.Pending || (stages[theirs.ID] != "") != c.shown {
				t.Errorf("the view has %v", stages)
			}
			here, there := files(t, w), files(t, other)
			for p, data := range here {
				if there[p] != data {
					t.Errorf("%s differs in the other clone", p)
				}
			}
			if len(here) != len(there) {
				t.Errorf("%d files here, %d there", len(here), len(there))
			}
		})
	}
}

// retitled returns the path that a memory has under another title.
func retitled(m *memory.Memory) string {
	other := *m
	other.Title = "Kilns stay cold"
	return other.Path()
}

// TestReceivedChangesNoStatus: what came from a remote and nobody accepted
// supersedes, contests and answers nothing.
func TestReceivedChangesNoStatus(t *testing.T) {
	w, other := hostile(t)
	decision, question := workspacetest.Sure(memory.Decision, "Kilns are fired at night"),
		workspacetest.Sure(memory.Question, "Who has the key of the kiln?")
	workspacetest.Put(t, w, decision, question)
	workspacetest.Commit(t, w, "landed")
	w = workspacetest.Open(t, w.Repo.Root)
	linked := func(title string, rel memory.Rel, to *memory.Memory) *memory.Memory {
		m := workspacetest.Sure(memory.Decision, title)
		m.Links = []memory.Link{{Rel: rel, To: to.ID}}
		return m
	}
	instead := linked("Kilns are never fired", memory.Supersedes, decision)
	workspacetest.PutPending(t, other, instead, linked("Kilns are fired at noon", memory.Supersedes, decision),
		linked("Ask the mayor for the key", memory.Answers, question))
	sync(t, other)
	sync(t, w)
	states := func() (status memory.Status, open bool) {
		t.Helper()
		v := workspacetest.View(t, w, workspace.ViewOptions{})
		if v.Count(index.Pending) == 0 {
			t.Fatal("nothing was received")
		}
		for i := range v.Items {
			switch v.ID(i) {
			case decision.ID:
				status = v.Items[i].Status
			case question.ID:
				open = v.Items[i].Open
			}
		}
		return status, open
	}
	if status, open := states(); status != memory.StatusActive || !open {
		t.Errorf("the decision is %s, the question is open: %v", status, open)
	}
	b, _, err := w.Brief(t.Context(), workspace.BriefOptions{})
	if err != nil || !slices.Contains(b.Shown, decision.ID) || !strings.Contains(b.Text, "Who has the key") {
		t.Errorf("the briefing lacks what is landed: %s, %v", b.Text, err)
	}
	answer, err := w.Search(t.Context(), "kilns fired at night", workspace.SearchOptions{})
	if err != nil || len(answer.Results) == 0 || answer.Results[0].Entry.Memory.ID != decision.ID {
		t.Fatalf("%+v, %v", answer, err)
	}
	for _, f := range answer.Results {
		if strings.HasPrefix(f.Via, "supersedes") || strings.HasPrefix(f.Via, "contests") {
			t.Errorf("%s is shown because it %s", f.Entry.Memory.Title, f.Via)
		}
	}
	if _, err := w.Land(t.Context(), []string{string(instead.ID)}, false); err != nil {
		t.Fatal(err)
	}
	if status, _ := states(); status != memory.StatusSuperseded {
		t.Errorf("after a person accepted it the decision is %s", status)
	}
}
