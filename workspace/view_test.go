package workspace

import (
	"errors"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// TestDerive: what a view makes of memories that no file says.
func TestDerive(t *testing.T) {
	w := newWorkspace(t)
	old := sure(memory.Decision, "Readings live in CSV files", 1, 100)
	newer := linked(sure(memory.Decision, "Readings live in segment files", 1, 10), memory.Supersedes, old)
	disputed := sure(memory.Decision, "Alerts go out by mail", 1, 100)
	one := linked(sure(memory.Decision, "Alerts go out by phone", 1, 9), memory.Supersedes, disputed)
	two := linked(sure(memory.Decision, "Alerts go out by radio", 1, 8), memory.Supersedes, disputed)
	faded := sure(memory.Progress, "Half of the importer is done", 1, 200)
	fading := sure(memory.Gotcha, "The importer drops the last line", 1, 45)
	pinned := sure(memory.Progress, "The release is on Friday", 1, 200)
	pinned.Pinned = true
	asked := sure(memory.Question, "Who reads alerts at night", 1, 3)
	waiting := sure(memory.Question, "Is a week of logs enough", 1, 3)
	answer := linked(sure(memory.Learned, "The harbour master does", 1, 2), memory.Answers, asked)
	w.put(t, old, newer, disputed, one, two, faded, fading, pinned, asked, waiting)
	w.putPending(t, answer)

	type derived struct {
		Stage     index.Stage
		Status    memory.Status
		Effective float64
		Open      bool
	}
	got := map[string]derived{}
	v := w.view(t, ViewOptions{})
	for _, e := range v.Entries(t.Context()) {
		got[e.Memory.Title] = derived{e.Stage, e.Status, math.Round(e.Effective*100) / 100, e.Open}
	}
	want := map[string]derived{
		old.Title:      {index.Landed, memory.StatusSuperseded, 1, false},
		newer.Title:    {index.Landed, memory.StatusActive, 1, false},
		disputed.Title: {index.Landed, memory.StatusSuperseded, 1, false},
		one.Title:      {index.Landed, memory.StatusContested, 1, false},
		two.Title:      {index.Landed, memory.StatusContested, 1, false},
		faded.Title:    {index.Landed, memory.StatusArchived, 0, false},
		fading.Title:   {index.Landed, memory.StatusActive, 0.5, false},
		pinned.Title:   {index.Landed, memory.StatusActive, 1, false},
		asked.Title:    {index.Landed, memory.StatusActive, got[asked.Title].Effective, false},
		waiting.Title:  {index.Landed, memory.StatusActive, got[waiting.Title].Effective, true},
		answer.Title:   {index.Pending, memory.StatusActive, got[answer.Title].Effective, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("derived (-want +got):\n%s", diff)
	}
	if v.Count(index.Landed) != 10 || v.Count(index.Pending) != 1 {
		t.Errorf("counts: %+v", v.Shape())
	}
	prior := map[string]float64{}
	for _, e := range v.Entries(t.Context()) {
		prior[e.Memory.Title] = e.Prior
	}
	if prior[faded.Title] >= prior[pinned.Title] || prior[fading.Title] >= prior[newer.Title] {
		t.Errorf("what faded ranks over what did not: %v", prior)
	}
}

// TestViewHasEachMemoryOnce: landed goes before pending.
func TestViewHasEachMemoryOnce(t *testing.T) {
	w := newWorkspace(t)
	both := sure(memory.Decision, "Readings live in segment files", 1, 1)
	only := sure(memory.Decision, "Alerts go out by mail", 1, 1)
	w.put(t, both)
	w.putPending(t, both, only)
	v := w.view(t, ViewOptions{})
	stages := map[string]index.Stage{}
	for _, e := range v.Entries(t.Context()) {
		stages[e.Memory.Title] = e.Stage
	}
	want := map[string]index.Stage{both.Title: index.Landed, only.Title: index.Pending}
	if diff := cmp.Diff(want, stages); diff != "" || len(v.Items) != 2 {
		t.Errorf("%d items (-want +got):\n%s", len(v.Items), diff)
	}
	// A revision has nothing pending, and here nothing landed.
	if v := w.view(t, ViewOptions{At: "HEAD"}); len(v.Items) != 0 {
		t.Errorf("HEAD holds %d memories", len(v.Items))
	}
}

// TestViewSurvivesBrokenFiles: what is no memory becomes a problem.
func TestViewSurvivesBrokenFiles(t *testing.T) {
	w := newWorkspace(t)
	m := sure(memory.Decision, "Readings live in segment files", 1, 1)
	w.put(t, m, sure(memory.Gotcha, "Broken soon", 1, 1))
	broken := view.MemoryPath(sure(memory.Gotcha, "Broken soon", 1, 1).Path())
	if err := os.WriteFile(w.tree.Abs(broken), []byte("---\ntype: gotcha\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	v := w.view(t, ViewOptions{})
	if len(v.Items) != 1 || len(v.Problems) != 1 || v.Problems[0].Path != broken {
		t.Errorf("items %v, problems %v", v.Items, v.Problems)
	}
}

func TestFind(t *testing.T) {
	w := newWorkspace(t)
	m := sure(memory.Decision, "Readings live in segment files", 1, 1)
	w.put(t, m, sure(memory.Decision, "Alerts go out by mail", 1, 1))
	v := w.view(t, ViewOptions{})
	for _, prefix := range []string{string(m.ID), m.ID.Short(), " " + string(m.ID[:9]) + "\n"} {
		if e, err := v.Find(t.Context(), prefix); err != nil || e.Memory.ID != m.ID {
			t.Errorf("%q: %v", prefix, err)
		}
	}
	for prefix, want := range map[string]error{
		"zzzzzzzzzz": ErrNotFound, "": ErrNotFound, "no id": ErrNotFound,
		"../x": ErrNotFound,
	} {
		if _, err := v.Find(t.Context(), prefix); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", prefix, err, want)
		}
	}
}
