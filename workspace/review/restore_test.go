package review

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/places"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestRestore: whatever removed a memory, it comes back as what it was.
func TestRestore(t *testing.T) {
	m := decision("Kilns are fired at night")
	forget := func(d *desk) {
		d.Helper()
		if _, err := d.w.Forget(d.Context(), string(m.ID)); err != nil {
			d.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		landed bool
		remove func(*desk)
		stage  index.Stage
		from   string
	}{
		"a file that was forgotten": {true, forget, index.Landed, file(m)},
		"a file that git removed": {
			true,
			func(d *desk) { d.git("rm", "-q", file(m)); d.git("commit", "-q", "-m", "gone") }, index.Landed, file(m),
		},
		"a file of a branch that is gone": {false, func(d *desk) {
			d.git("switch", "-q", "-c", "feature")
			workspacetest.Put(d.T, d.w, m)
			workspacetest.Commit(d.T, d.w, "on a branch")
			d.git("switch", "-q", "main")
			d.git("branch", "-q", "-D", "feature")
		}, index.Landed, file(m)},
		"a pending one that was refused": {false, func(d *desk) {
			d.pend(m)
			if _, err := Reject(d.Context(), d.w, d.item(m, Options{})); err != nil {
				d.Fatal(err)
			}
		}, index.Pending, "refs/cortex/journal:" + journal.DismissedPath(m.ID)},
		"a pending one that is in the journal's history": {false, func(d *desk) {
			d.pend(m)
			workspacetest.Change(d.T, d.w, nil, "pending/main/"+m.Path())
		}, index.Pending, "pending/main/" + m.Path()},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			if c.landed {
				d = newDesk(t, m)
			}
			c.remove(d)
			got, err := Restore(t.Context(), d.w, " "+strings.ToUpper(m.ID.Short()))
			if err != nil || got.Entry.Stage != c.stage || got.Entry.Memory.Title != m.Title {
				t.Fatalf("%+v, %v", got, err)
			}
			if c.stage == index.Landed && d.read(file(m)) != string(memory.Format(m)) {
				t.Errorf("the file is %q", d.read(file(m)))
			}
			if !strings.HasSuffix(got.From, c.from) {
				t.Errorf("from %s, want %s", got.From, c.from)
			}
			if kept, err := Dismissed(t.Context(), d.w); err != nil || len(kept) != 0 {
				t.Errorf("still refused: %v, %v", kept, err)
			}
			if _, err := Restore(t.Context(), d.w, string(m.ID)); err == nil ||
				!strings.Contains(err.Error(), "is not removed") {
				t.Errorf("restored twice: %v", err)
			}
		})
	}
}

// TestRestoreOverwritten: a memory whose file was given to another one comes back
// beside that.
func TestRestoreOverwritten(t *testing.T) {
	m := decision("Kilns are fired at night")
	other := decision("Kilns are cold at noon")
	other.ID = m.ID[:7] + "000000000"
	over := func(d *desk, files map[string]string) {
		d.Helper()
		for p, text := range files {
			workspacetest.Write(d.T, d.w, p, text)
		}
		workspacetest.Commit(d.T, d.w, "overwritten")
	}
	for name, c := range map[string]struct {
		overwrite func(*desk)
		stage     index.Stage
	}{
		"in a commit": {
			func(d *desk) { over(d, map[string]string{file(m): string(memory.Format(other))}) },
			index.Landed,
		},
		"with nothing": {func(d *desk) { over(d, map[string]string{file(m): ""}) }, index.Landed},
		"and then removed": {func(d *desk) {
			over(d, map[string]string{file(m): string(memory.Format(other))})
			d.git("rm", "-q", file(m))
			d.git("commit", "-q", "-m", "gone")
		}, index.Landed},
		"on a branch that is gone": {func(d *desk) {
			d.git("switch", "-q", "-c", "feature")
			over(d, map[string]string{file(m): string(memory.Format(other))})
			d.git("switch", "-q", "main")
			d.git("branch", "-q", "-D", "feature")
			d.git("rm", "-q", file(m))
			d.git("commit", "-q", "-m", "gone")
		}, index.Landed},
		"in the journal": {func(d *desk) {
			d.git("rm", "-q", file(m))
			d.git("commit", "-q", "-m", "gone")
			d.git("checkout", "-q", "--orphan", "anew")
			d.git("commit", "-q", "--allow-empty", "-m", "a history without it")
			d.git("branch", "-q", "-D", "main")
			d.git("reflog", "expire", "--expire=now", "--all")
			d.git("switch", "-q", "-c", "main")
			d.w = workspacetest.Open(d.T, d.w.Repo.Root)
			d.pend(m)
			workspacetest.Change(d.T, d.w, map[string][]byte{"pending/main/" + m.Path(): memory.Format(other)})
		}, index.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, m)
			c.overwrite(d)
			got, err := Restore(t.Context(), d.w, string(m.ID))
			if err != nil || got.Entry.Stage != c.stage || got.Entry.Memory.Title != m.Title {
				t.Fatalf("%+v, %v", got, err)
			}
			if got.From == "" {
				t.Error("it is from nowhere")
			}
			for _, e := range workspacetest.View(t, d.w, workspace.ViewOptions{}).Entries(t.Context()) {
				if e.Memory.ID == other.ID && e.Memory.Title != other.Title || e.Memory.ID != other.ID &&
					e.Memory.ID != m.ID {
					t.Errorf("the view has %+v", e)
				}
			}
			if _, err := Restore(t.Context(), d.w, string(m.ID)); err == nil ||
				!strings.Contains(err.Error(), "is not removed") {
				t.Errorf("restored twice: %v", err)
			}
		})
	}
}

// TestRestoreNewest: a file that was edited and forgotten before it was committed
// comes back with the edit.
func TestRestoreNewest(t *testing.T) {
	m := decision("Kilns are fired at night")
	d := newDesk(t, m)
	newer := *m
	newer.Text, newer.Updated = "Not in summer.", workspacetest.Clock()
	workspacetest.Put(t, d.w, &newer)
	if _, err := d.w.Forget(t.Context(), string(m.ID)); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), d.w, string(m.ID)); err != nil ||
		d.read(file(m)) != string(memory.Format(&newer)) {
		t.Errorf("%v\n%s", err, d.read(file(m)))
	}
}

// TestRestoreBeside: where another file has taken the place, the memory comes
// back under its own name, or not at all.
func TestRestoreBeside(t *testing.T) {
	const by = ".cortex/memories/decision/by-hand.md"
	m := decision("Kilns are fired at night")
	d := newDesk(t)
	workspacetest.Write(t, d.w, by, string(memory.Format(m)))
	workspacetest.Commit(t, d.w, "named by hand")
	d.git("rm", "-q", by)
	d.git("commit", "-q", "-m", "gone")
	workspacetest.Write(t, d.w, by, string(memory.Format(decision("Something else"))))
	got, err := Restore(t.Context(), d.w, string(m.ID))
	if err != nil || got.Entry.Path != file(m) {
		t.Fatalf("%+v, %v", got, err)
	}
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "back")
	d.git("rm", "-q", file(m))
	workspacetest.Write(t, d.w, file(m), "not a memory\n")
	long := places.Long(file(m), m.ID)
	if got, err := Restore(t.Context(), d.w, string(m.ID)); err != nil || got.Entry.Path != long {
		t.Fatalf("%+v, %v", got, err)
	}
	workspacetest.Write(t, d.w, long, "not a memory\n")
	if _, err := Restore(t.Context(), d.w, string(m.ID)); err == nil ||
		!strings.Contains(err.Error(), "a different file is at") {
		t.Errorf("over another file: %v", err)
	}
}

func TestRestoreNothing(t *testing.T) {
	d := newDesk(t)
	for prefix, want := range map[string]string{
		"0gt40bvwb1anm79w": "here or in the history", "0gt": "no such memory", "not an id": "not an id",
	} {
		if _, err := Restore(t.Context(), d.w, prefix); !errors.Is(err, workspace.ErrNotFound) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", prefix, err)
		}
	}
}

// TestDismissed: what was refused is listed, the newest first.
func TestDismissed(t *testing.T) {
	d := newDesk(t)
	older, newer := sure(memory.Fix, "Older", 0.5, 9), sure(memory.Fix, "Newer", 0.5, 1)
	for _, m := range []*memory.Memory{older, newer} {
		d.pend(m)
		if _, err := Reject(t.Context(), d.w, d.item(m, Options{})); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := Dismissed(t.Context(), d.w)
	if err != nil || len(kept) != 2 || kept[0].ID != newer.ID {
		t.Errorf("%v, %v", kept, err)
	}
}

// TestRehome: what waits for a branch that is gone waits for another one then,
// and it can be taken back.
func TestRehome(t *testing.T) {
	m, there := decision("Kilns are fired at night"), decision("Both branches know this")
	strayed := func(t *testing.T) *desk {
		d := newDesk(t)
		d.git("branch", "target")
		d.git("switch", "-q", "-c", "feature")
		d.pend(m)
		d.pend(there)
		d.git("switch", "-q", "main")
		d.pend(there)
		return d
	}
	for name, c := range map[string]struct {
		gone     func(*desk)
		from, to string
		want     string
	}{
		"to the branch that is checked out": {
			func(d *desk) { d.git("branch", "-q", "-D", "feature") }, "feature", "",
			"main",
		},
		"to a branch that is named": {
			func(d *desk) { d.git("branch", "-q", "-D", "feature") }, "feature", "target",
			"target",
		},
		"to its new name": {func(d *desk) { d.git("branch", "-m", "feature", "anew") }, "feature", "", "anew"},
	} {
		t.Run(name, func(t *testing.T) {
			d := strayed(t)
			c.gone(d)
			before := d.state()
			got, err := Rehome(t.Context(), d.w, c.from, c.to)
			if err != nil || got.Verb != Moved || got.Count != 1 || got.From != c.from || got.Branch != c.want {
				t.Fatalf("%+v, %v", got, err)
			}
			after := d.state()
			if after["journal:"+gitops.PendingPrefix(c.want)+"/"+m.Path()] == "" ||
				after["journal:"+gitops.PendingPrefix(c.from)+"/"+m.Path()] != "" {
				t.Errorf("it is not where it should be:\n%s", cmp.Diff(before, after))
			}
			d.undone(got, before)
		})
	}
	d := strayed(t)
	d.git("branch", "-q", "-D", "feature")
	if _, err := Rehome(t.Context(), d.w, "feature", "nowhere"); !errors.Is(err, gitops.ErrNoRevision) {
		t.Errorf("to a branch that is not there: %v", err)
	}
	d.git("switch", "-q", "--detach")
	if _, err := Rehome(t.Context(), d.w, "feature", ""); err == nil ||
		!strings.Contains(err.Error(), "HEAD is detached") {
		t.Errorf("on a detached HEAD: %v", err)
	}
}
