package exchange

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// versions are the content of one path of a journal in two clones and after they
// have met. "" is no file.
type versions struct{ a, b, want string }

// TestUnion: what two clones made of the files of their journals, and what each
// becomes for both of them, whoever syncs first.
func TestUnion(t *testing.T) {
	base := map[string][]byte{}
	cases := map[string]map[string]versions{}
	note := func(name string, edit func(m *memory.Memory)) (path, text string) {
		m := workspacetest.Sure(memory.Decision, strings.ToUpper(name[:1])+name[1:])
		m.Text = "At ten.\n\nFor the price."
		path = "pending/main/" + m.Path()
		base[path] = memory.Format(m)
		edit(m)
		return path, string(memory.Format(m))
	}
	same := func(*memory.Memory) {}
	tagged := func(m *memory.Memory) { m.Tags = []string{"clay"} }
	later := func(m *memory.Memory) { m.Text = "At eleven.\n\nFor the price." }

	path, a := note("two edits of a memory", tagged)
	_, b := note("two edits of a memory", later)
	_, both := note("two edits of a memory", func(m *memory.Memory) { tagged(m); later(m) })
	cases["two edits"] = map[string]versions{path: {a, b, both}}

	path, a = note("an edit and a removal", tagged)
	cases["an edit and a removal"] = map[string]versions{path: {a, "", a}}

	path, a = note("an edit and a refusal", tagged)
	_, b = note("an edit and a refusal", same)
	m, err := memory.Parse(path, []byte(b))
	if err != nil {
		t.Fatal(err)
	}
	cases["an edit and a refusal"] = map[string]versions{path: {a, "", ""}, journal.DismissedPath(m.ID): {"", b, b}}

	path, a = note("a removal", same)
	cases["a removal"] = map[string]versions{path: {a, "", ""}}

	// One clone edits the memory, the other gives it another title: there is no
	// common version under that name, so the greater title is kept.
	path, a = note("two names of a memory", tagged)
	named, b := "", ""
	_, b = note("two names of a memory", func(m *memory.Memory) {
		m.Title = "Another title of it"
		named = "pending/main/" + m.Path()
	})
	cases["two names"] = map[string]versions{path: {a, "", a}, named: {"", b, ""}}

	const counters, id, id2 = "access/0123456789abcdef.tsv", "0gt40bvwb1anm79w", "0gt41bvwb1anm79w"
	cases["counters"] = map[string]versions{counters: {
		id + "\t3\t1700000000\n",
		id + "\t2\t1800000000\n" + id2 + "\t1\t1700000000\n",
		id + "\t3\t1800000000\n" + id2 + "\t1\t1700000000\n",
	}}

	record := func(name string, offset int64, end time.Time) (path, text string) {
		s := &session.Session{
			Agent: "claude-code", ID: name, Start: workspacetest.Clock(), End: end,
			Cursor: session.Cursor{Offset: offset},
		}
		return s.Path(), string(session.Format(s))
	}
	now, hence := workspacetest.Clock(), workspacetest.Clock().Add(time.Hour)
	path, a = record("further", 900, now)
	_, b = record("further", 800, hence)
	cases["records, one further"] = map[string]versions{path: {a, b, a}}
	path, a = record("longer", 900, now)
	_, b = record("longer", 900, hence)
	cases["records, one later"] = map[string]versions{path: {a, b, b}}

	checkUnion(t, base, cases)
}

// checkUnion syncs two clones that come from the same files and made something else of them, in both orders.
func checkUnion(t *testing.T, base map[string][]byte, cases map[string]map[string]versions) {
	t.Helper()
	for _, order := range [][3]int{{0, 1, 0}, {1, 0, 1}} {
		_, clones := workspacetest.Team(t, 2)
		workspacetest.Change(t, clones[0], base)
		sync(t, clones[0])
		sync(t, clones[1])
		for i, w := range clones {
			put, remove := map[string][]byte{}, []string(nil)
			for _, c := range cases {
				for path, v := range c {
					text := []string{v.a, v.b}[i]
					if text != "" {
						put[path] = []byte(text)
					} else if base[path] != nil {
						remove = append(remove, path)
					}
				}
			}
			workspacetest.Change(t, w, put, remove...)
		}
		for _, i := range order {
			sync(t, clones[i])
		}
		for i, w := range clones {
			have := files(t, w)
			for name, c := range cases {
				for path, v := range c {
					if diff := cmp.Diff(v.want, have[path]); diff != "" {
						t.Errorf("order %v, clone %d, %s: %s (-want +got):\n%s", order, i, name, path, diff)
					}
					delete(have, path)
				}
			}
			if len(have) > 0 {
				t.Errorf("order %v, clone %d: besides there are %v", order, i, have)
			}
		}
	}
}

// TestDryRun: a dry run reports exactly the changes that a sync then makes, and
// writes nothing, here or there.
func TestDryRun(t *testing.T) {
	hub, clones := workspacetest.Team(t, 2)
	a, b := clones[0], clones[1]
	workspacetest.PutPending(t, a, workspacetest.Sure(memory.Decision, "Theirs"))
	sync(t, a)
	workspacetest.PutPending(t, b, workspacetest.Sure(memory.Decision, "Ours"))
	refs := func() string {
		return workspacetest.Git(t, b, "for-each-ref") + "\n" + workspacetest.Git(t, b, "-C", hub, "for-each-ref")
	}
	before := refs()
	said, err := Sync(t.Context(), b, Options{DryRun: true, Agreed: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, refs()); diff != "" {
		t.Errorf("the dry run wrote:\n%s", diff)
	}
	if diff := cmp.Diff(said, sync(t, b)); diff != "" {
		t.Errorf("(-said +did):\n%s", diff)
	}
	if len(said.Received.Added) != 1 || len(said.Sent.Added) != 1 {
		t.Errorf("%+v", said)
	}
}

// TestDryRunAsks: a dry run says what would be asked.
func TestDryRunAsks(t *testing.T) {
	_, clones := workspacetest.Team(t, 1)
	var paths []string
	for _, title := range strings.Fields("One Two Three Four Five Six") {
		m := workspacetest.Sure(memory.Decision, title)
		workspacetest.PutPending(t, clones[0], m)
		paths = append(paths, "pending/main/"+m.Path())
	}
	sync(t, clones[0])
	workspacetest.Change(t, clones[0], nil, paths...)
	out, err := Sync(t.Context(), clones[0], Options{DryRun: true, Agreed: true})
	if err != nil || !strings.Contains(out.Asks, "removed 6 of the 6 pending memories of origin") {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestRemote: with whom a clone exchanges its journal.
func TestRemote(t *testing.T) {
	for name, c := range map[string]struct {
		remotes []string
		follows string
		asked   string
		want    string
		err     error
	}{
		"none":                   {nil, "", "", "", ErrNoRemote},
		"none of that name":      {nil, "", "hub", "", ErrNoRemote},
		"the only one":           {[]string{"hub"}, "", "", "hub", nil},
		"origin":                 {[]string{"hub", "origin"}, "", "", "origin", nil},
		"the one that is asked":  {[]string{"hub", "origin"}, "", "hub", "hub", nil},
		"the one that it tracks": {[]string{"hub", "origin"}, "hub", "", "hub", nil},
		"several":                {[]string{"a", "b"}, "", "", "", ErrWhichRemote},
		"another name":           {[]string{"a", "b"}, "", "c", "", ErrUnknownRemote},
	} {
		w := workspacetest.New(t)
		for _, r := range c.remotes {
			workspacetest.Git(t, w, "remote", "add", r, "../"+r+".git")
		}
		if c.follows != "" {
			workspacetest.Git(t, w, "config", "branch.main.remote", c.follows)
			workspacetest.Git(t, w, "config", "branch.main.merge", "refs/heads/main")
		}
		w = workspacetest.Open(t, w.Repo.Root)
		if got, err := remote(t.Context(), w.Repo, c.asked); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestContended: a clone that another was faster than begins again, and gives up
// after a number of times; nothing is lost either way.
func TestContended(t *testing.T) {
	for name, c := range map[string]struct {
		faster, retries int
		err             error
	}{"once": {1, 1, nil}, "always": {99, maxRetries, ErrContended}} {
		t.Run(name, func(t *testing.T) {
			_, clones := workspacetest.Team(t, 2)
			a, b := clones[0], clones[1]
			workspacetest.PutPending(t, a, workspacetest.Sure(memory.Decision, "Slow"))
			n := 0
			out, err := Sync(t.Context(), a, Options{Agreed: true, Progress: func(step string) {
				if strings.HasPrefix(step, "pushing to") && n < c.faster {
					n++
					workspacetest.PutPending(t, b, workspacetest.Sure(memory.Decision, strings.Repeat("Fast ", n)))
					sync(t, b)
				}
			}})
			if !errors.Is(err, c.err) || out.Retries != c.retries {
				t.Errorf("%d retries, %v", out.Retries, err)
			}
			for _, w := range []*workspace.Workspace{a, b} {
				sync(t, w)
				if have := files(t, w); len(have) != n+1 {
					t.Errorf("%d files, want %d", len(have), n+1)
				}
			}
		})
	}
}

// TestFolded: memories that a clone folded into the records of their sessions are no
// unexplained removal when it sends that.
func TestFolded(t *testing.T) {
	_, clones := workspacetest.Team(t, 1)
	w := clones[0]
	s := &session.Session{Agent: "claude-code", ID: "s1", Start: workspacetest.Clock()}
	record := func() map[string][]byte { return map[string][]byte{s.Path(): session.Format(s)} }
	workspacetest.Change(t, w, record())
	var paths []string
	for _, title := range strings.Fields("One Two Three Four Five Six") {
		m := workspacetest.Sure(memory.Learned, title)
		m.Source = memory.Source{Agent: s.Agent, Session: s.ID, Layer: string(session.LayerPattern)}
		workspacetest.PutPending(t, w, m)
		s.Decide(session.Verdict{ID: m.ID, Is: session.Folded, Note: "learned: " + title})
		paths = append(paths, gitops.PendingPrefix("main")+"/"+m.Path())
	}
	sync(t, w)
	workspacetest.Change(t, w, record(), paths...)
	out, err := Sync(t.Context(), w, Options{})
	if err != nil || len(out.Sent.Removed) != len(paths) {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestLandedElsewhere: memories that have landed are no unexplained removal.
func TestLandedElsewhere(t *testing.T) {
	_, clones := workspacetest.Team(t, 1)
	w := clones[0]
	var paths []string
	for _, title := range strings.Fields("One Two Three Four Five Six") {
		m := workspacetest.Sure(memory.Decision, title)
		workspacetest.PutPending(t, w, m)
		workspacetest.Put(t, w, m)
		paths = append(paths, gitops.PendingPrefix("main")+"/"+m.Path())
	}
	sync(t, w)
	workspacetest.Commit(t, w, "landed by hand")
	w = workspacetest.Open(t, w.Repo.Root)
	out, err := Sync(t.Context(), w, Options{})
	if err != nil || len(out.Sent.Removed) != len(paths) {
		t.Errorf("%+v, %v", out, err)
	}
}
