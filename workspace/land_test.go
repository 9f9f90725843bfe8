package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// TestPick: what lands by itself is sure enough, the surest first, at most so
// many, and never holds a secret.
func TestPick(t *testing.T) {
	w := newWorkspace(t)
	secret := sure(memory.Gotcha, "The mirror takes "+
		strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_"), 1, 1)
	landed := sure(memory.Decision, "Landed before", 1, 1)
	w.put(t, landed)
	w.putPending(t,
		sure(memory.Gotcha, "Sure gotcha", 1, 2),
		sure(memory.Decision, "Sure decision", 1, 1),
		sure(memory.Decision, "Sure older decision", 1, 5),
		sure(memory.Decision, "Answered", 0.95, 1),
		sure(memory.Decision, "Just enough", 0.85, 1),
		sure(memory.Decision, "Not quite", 0.84, 1),
		sure(memory.Decision, "Weak", 0.5, 1),
		secret)
	v := w.view(t, ViewOptions{})
	weak, err := v.Find(t.Context(), string(sure(memory.Decision, "Weak", 0.5, 1).ID))
	if err != nil {
		t.Fatal(err)
	}
	sureOnes := []string{"Sure older decision", "Sure decision", "Sure gotcha", "Answered", "Just enough"}
	for name, tt := range map[string]struct {
		ids  []string
		all  bool
		most int
		want []string
	}{
		"by policy":    {most: 10, want: sureOnes},
		"at most":      {most: 2, want: sureOnes[:2]},
		"none":         {most: 0, want: nil},
		"all":          {all: true, most: 2, want: append(sureOnes[:5:5], "Not quite", "Weak")},
		"by id":        {ids: []string{string(weak.Memory.ID)}, most: 0, want: []string{"Weak"}},
		"by beginning": {ids: []string{weak.Memory.ID.Short()}, want: []string{"Weak"}},
	} {
		t.Run(name, func(t *testing.T) {
			w.lander.policy.LandMax = tt.most
			picked, err := w.lander.pick(t.Context(), w.judge(t, v), nil, landChoice{ids: tt.ids, all: tt.all})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range picked {
				got = append(got, e.Memory.Title)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("picked (-want +got):\n%s", diff)
			}
		})
	}
	for name, tt := range map[string]struct{ id, want string }{
		"landed":   {string(landed.ID), "has landed already"},
		"a secret": {string(secret.ID), "what looks like a secret"},
		"unknown":  {"zzzzzzzz", "no such memory"},
	} {
		if _, err := w.lander.pick(t.Context(), w.judge(t, v), nil, landChoice{ids: []string{tt.id}}); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

// TestPickHalfPlan: a plan whose file was written and not staged, by a landing that was
// killed, lands before its step all the same.
func TestPickHalfPlan(t *testing.T) {
	w := newWorkspace(t)
	plan := sure(memory.Plan, "Keep the readings", 0.6, 2)
	w.putPending(t, plan, linked(sure(memory.Progress, "The outbox is written", 1, 1), memory.StepOf, plan))
	w.put(t, plan)
	w.lander.policy.LandMax = 10
	v := w.view(t, ViewOptions{})
	half, err := w.lander.halfLanded(t.Context(), v)
	if err != nil || len(half) != 1 {
		t.Fatalf("%d landed by half (%v)", len(half), err)
	}
	picked, err := w.lander.pick(t.Context(), w.judge(t, v), half, landChoice{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range picked {
		got = append(got, e.Memory.Title)
	}
	if diff := cmp.Diff([]string{"Keep the readings", "The outbox is written"}, got); diff != "" {
		t.Errorf("picked (-want +got):\n%s", diff)
	}
}

// TestCommitLooks: a commit looks at the files of the working tree only where something may
// land or a page is concerned, and once if they are those of the commit.
func TestCommitLooks(t *testing.T) {
	w := newWorkspace(t)
	w.git(t, "config", "cortex.enabled", "true")
	looks, landed := 0, w.pages.Landed
	w.pages.Landed = func(ctx context.Context) ([]index.Item, []index.Problem, error) {
		looks++
		return landed(ctx)
	}
	cached := func() int {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(w.Repo.CacheDir(), "stat-*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	decision, fix := sure(memory.Decision, "One file a memory", 1, 3), sure(memory.Fix, "Close the reader", 1, 3)
	stage := func() { // git refuses a commit of nothing, so none lands with it
		if err := os.WriteFile(filepath.Join(w.Repo.Root, "main.go"), []byte(time.Now().String()), 0o666); err != nil {
			t.Fatal(err)
		}
		w.git(t, "add", "main.go")
	}
	for _, step := range []struct {
		name    string
		do      func()
		looks   int
		lands   int
		scanned bool
	}{
		{"the first pages", func() { w.put(t, decision, fix); w.git(t, "add", ".") }, 1, 0, true},
		{"no memory", func() {}, 0, 0, false},
		{
			"of no page", func() { w.put(t, sure(memory.Fix, "Close the writer", 1, 3)); w.git(t, "add", ".") }, 0, 0,
			false,
		},
		{
			"of no page, with one that is not sure",
			func() { w.putPending(t, sure(memory.Decision, "Perhaps", 0.5, 1)) },
			0, 0, false,
		},
		{"of a page", func() { w.put(t, sure(memory.Decision, "Two files", 1, 3)); w.git(t, "add", ".") }, 1, 0, true},
		{"landing", func() {
			w.putPending(t, sure(memory.Decision, "Three files", 1, 1))
			stage()
		}, 0, 1, true},
		{"landing beside what is not staged", func() {
			w.put(t, sure(memory.Decision, "Not staged", 1, 3))
			w.putPending(t, sure(memory.Decision, "Four files", 1, 1))
			stage()
		}, 1, 1, true},
		{"no room", func() {
			w.lander.policy.LandMax = 0
			w.putPending(t, sure(memory.Decision, "Five files", 1, 1))
			stage()
		}, 0, 0, false},
	} {
		looks = 0
		for _, name := range []string{"stat-*", "catalog*"} {
			found, _ := filepath.Glob(filepath.Join(w.Repo.CacheDir(), name))
			for _, f := range found {
				os.Remove(f)
			}
		}
		step.do()
		out, err := w.PreCommit(t.Context())
		if err != nil || len(out.Landed) != step.lands || len(out.Refused) > 0 {
			t.Fatalf("%s: %+v, %v", step.name, out, err)
		}
		if looks != step.looks || (cached() > 0) != step.scanned {
			t.Errorf("%s: %d looks, %d files of the cache", step.name, looks, cached())
		}
		w.git(t, "commit", "-q", "--allow-empty", "--no-verify", "-m", step.name)
		if _, err := w.PostCommit(t.Context()); err != nil {
			t.Fatal(err)
		}
		pages, err := w.Project(t.Context(), true, true)
		if err != nil || len(pages) == 0 {
			t.Fatal(err)
		}
		for _, p := range pages {
			if !p.Current {
				t.Errorf("%s: %s is not current", step.name, p.Path)
			}
		}
	}
}

// TestPruneKept: that nothing was to be pruned is kept, and holds for no other commit, however a
// memory came into it, and no other pending memory.
func TestPruneKept(t *testing.T) {
	w := newWorkspace(t)
	w.git(t, "config", "cortex.enabled", "true")
	one, two, three := sure(memory.Fix, "One", 1, 1), sure(memory.Fix, "Two", 1, 1), sure(memory.Fix, "Three", 1, 1)
	four, apart := sure(memory.Fix, "Four", 1, 1), sure(memory.Gotcha, "Apart", 1, 1)
	commit := func() {
		w.git(t, "add", ".")
		w.git(t, "commit", "-q", "--no-verify", "--allow-empty", "-m", "x")
	}
	w.put(t, apart)
	commit()
	w.putPending(t, one, two, three)
	note := filepath.Join(w.Repo.CacheDir(), "pruned-1-*")
	for _, step := range []struct {
		name string
		do   func()
		want int
	}{
		{"nothing landed", commit, 0},
		{"the same again", commit, 0},
		{"landed on another branch", func() {
			w.git(t, "switch", "-q", "-c", "topic")
			w.put(t, one)
			commit()
			w.git(t, "switch", "-q", "main")
			w.git(t, "merge", "-q", "--ff-only", "topic")
		}, 1},
		{"another text at the same path", func() {
			other := *two
			other.Text = "A teammate's words.\n"
			w.put(t, &other)
			commit()
		}, 1},
		{"a commit that was taken back, and came again", func() {
			w.put(t, three)
			commit()
			w.git(t, "reset", "-q", "--hard", "HEAD^")
			if n, err := w.PostCommit(t.Context()); n != 0 || err != nil {
				t.Errorf("taken back: %d, %v", n, err)
			}
			w.git(t, "merge", "-q", "--ff-only", "ORIG_HEAD")
		}, 1},
		{"pending after it landed", func() {
			w.put(t, four)
			commit()
			if n, err := w.PostCommit(t.Context()); n != 0 || err != nil {
				t.Errorf("not pending: %d, %v", n, err)
			}
			w.putPending(t, four)
		}, 1},
		{"a note that was cut", func() {
			w.putPending(t, four)
			found, err := filepath.Glob(note)
			if err != nil || len(found) != 1 {
				t.Fatalf("notes: %v, %v", found, err)
			}
			if err := os.Truncate(found[0], 20); err != nil {
				t.Fatal(err)
			}
		}, 1},
	} {
		step.do()
		if n, err := w.PostCommit(t.Context()); n != step.want || err != nil {
			t.Errorf("%s: %d pruned, %v; want %d", step.name, n, err, step.want)
		}
		if n, err := w.PostCommit(t.Context()); n != 0 || err != nil {
			t.Errorf("%s: %d pruned again, %v", step.name, n, err)
		}
	}
}
