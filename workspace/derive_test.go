package workspace

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// TestFadesOfAServer: a server derives the same as a new process at any time, whatever
// happened since it looked first, and finds out once how each memory fades.
func TestFadesOfAServer(t *testing.T) {
	w := newWorkspace(t)
	now := clock()
	env := w.env
	env.Lives, env.Now = true, func() time.Time { return now }
	server, err := Open(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	old := sure(memory.Progress, "An old note on the segments", 0.9, 40)
	linked := sure(memory.Gotcha, "A trap of the merge", 0.8, 30)
	linked.Links = []memory.Link{{Rel: memory.Supersedes, To: old.ID}}
	w.put(t, old, linked, sure(memory.Question, "Which port is it?", 0.7, 3), sure(memory.Decision, "We keep the segments", 1, 300))
	same := func(what string) []fades {
		t.Helper()
		s, err := server.Refresh(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := s.view(t, ViewOptions{})
		fresh := w.again(t)
		fresh.env.Now, fresh.views.now = env.Now, env.Now
		want := fresh.view(t, ViewOptions{})
		if diff := cmp.Diff(want.Items, got.Items, cmpopts.IgnoreUnexported(index.Item{})); diff != "" {
			t.Errorf("%s: (-a new process +the server)\n%s", what, diff)
		}
		return s.views.fades.list
	}
	first := same("at first")
	now = now.Add(24 * time.Hour)
	if again := same("a day later"); &again[0] != &first[0] {
		t.Error("of the same memories it was found out again how they fade")
	}
	now = now.Add(-48 * time.Hour)
	if back := same("by a clock that was set back"); &back[0] == &first[0] {
		t.Error("what is known of a later time was taken for an earlier one")
	}
	now = now.Add(96 * time.Hour)
	count := func(id memory.ID, last time.Time) {
		t.Helper()
		err := w.again(t).Update(t.Context(), func(*gitops.Snapshot) (gitops.Change, error) {
			return gitops.Change{Message: "m", Trailers: w.Trailers("", ""), When: w.Now(), Put: map[string][]byte{
				"access/0000000000000001.tsv": FormatAccess(map[memory.ID]memory.Use{id: {Recalls: 4, Last: last}}),
			}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	count(old.ID, now)
	same("when one was recalled")
	count(linked.ID, now.Add(36*time.Hour))
	same("when one was recalled by a clock that is ahead")
	now = now.Add(20 * time.Hour)
	same("when that recall has come to count")
	w.put(t, sure(memory.Fix, "A new one", 0.9, 1))
	same("with another memory")
	w.git(t, "switch", "-q", "-c", "work")
	same("on another branch")
}
