package agents

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestRequests: what three sessions ask for, each in its own words, is proposed as a rule
// that quotes them; a fourth is counted, and nothing is proposed twice or after it was
// dismissed.
func TestRequests(t *testing.T) {
	w := workspacetest.New(t)
	read := func(session, words string) {
		t.Helper()
		if _, err := Capture(t.Context(), w, CaptureInput{Path: saying(t, session, words)}); err != nil {
			t.Fatal(err)
		}
	}
	rules := func() []*memory.Memory {
		t.Helper()
		return slices.DeleteFunc(pendingIn(t, w), func(m *memory.Memory) bool { return !strings.Contains(m.Text, "harbour") })
	}
	read("session1", "Delegate the export to the harbour skill")
	read("session2", "ok, write the reply with the harbour skill")
	read("session2-fork", "ok, write the reply with the harbour skill")
	if got := rules(); len(got) != 0 {
		t.Fatalf("two sessions made a rule: %v", titles(got))
	}
	read("session3", "Rewrite the tide pages with the harbour skill")
	got := rules()
	if len(got) != 1 || got[0].Type != memory.Preference || got[0].Title != "Asked for again and again: Delegate the export to the harbour skill" || len(got[0].Seen) != 3 || session.Layer(got[0].Source.Layer).Lands(1) {
		t.Fatalf("three sessions: %v %+v", titles(got), got)
	}
	for _, want := range []string{"“Rewrite the tide pages with the harbour skill”", "“ok, write the reply with the harbour skill”"} {
		if !strings.Contains(got[0].Text, want) {
			t.Errorf("%s is not quoted in %q", want, got[0].Text)
		}
	}
	read("session4", "Use the harbour skill for the new gauges")
	if got := rules(); len(got) != 1 || len(got[0].Seen) != 4 {
		t.Errorf("the fourth session: %v, seen by %v", titles(got), got[0].Seen)
	}
	if _, err := w.Forget(t.Context(), string(got[0].ID)); err != nil {
		t.Fatal(err)
	}
	read("session5", "Draw the chart of the locks with the harbour skill")
	if got := rules(); len(got) != 0 {
		t.Errorf("after it was dismissed: %v", titles(got))
	}
}

// TestRequestsOfOthers: what came from a remote is not what the user asks for.
func TestRequestsOfOthers(t *testing.T) {
	w := workspacetest.New(t)
	marks := map[string][]byte{}
	for i, words := range []string{"Delegate the export to the harbour skill", "ok, write the reply with the harbour skill", "Rewrite the tide pages with the harbour skill"} {
		out, err := Capture(t.Context(), w, CaptureInput{Path: saying(t, fmt.Sprintf("session%d", i), words)})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			marks[workspace.ReceivedFolder+strings.TrimSuffix(path.Base(out.Session.Path()), ".md")] = []byte{}
			workspacetest.Change(t, w, marks)
		}
	}
	for _, m := range pendingIn(t, w) {
		if strings.Contains(m.Text, "harbour") {
			t.Errorf("proposed: %s\n%s", m.Title, m.Text)
		}
	}
}

// TestFewRequests: a session whose words are those of many others proposes a few rules.
func TestFewRequests(t *testing.T) {
	w := workspacetest.New(t)
	for i, verb := range []string{"Move", "Check", "Rename"} {
		var said []string
		for _, about := range []string{"harbour crane", "tide gauge", "chart room", "lock keeper", "alarm horn", "ferry ticket"} {
			said = append(said, verb+" the "+about+".")
		}
		if _, err := Capture(t.Context(), w, CaptureInput{Path: saying(t, fmt.Sprintf("session%d", i), strings.Join(said, " "))}); err != nil {
			t.Fatal(err)
		}
	}
	if got := pendingIn(t, w); len(got) != requestsAtOnce {
		t.Errorf("%d rules: %v", len(got), titles(got))
	}
}

// TestRequestsLatest: of more sessions than are looked at those count that began last,
// whatever their names.
func TestRequestsLatest(t *testing.T) {
	w := workspacetest.New(t)
	put := map[string][]byte{}
	add := func(id, words string, began time.Time) {
		s := &session.Session{Agent: "claude-code", ID: id, Branch: "main", Start: began, End: began, Requests: []session.Request{{Text: words, Record: 1}}}
		put[s.Path()] = session.Format(s)
	}
	begin := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	for i := range requestRecords {
		add(fmt.Sprintf("a%03d", i), "What does this do?", begin.Add(time.Duration(i)*time.Minute))
	}
	add("z1", "Delegate the export to the harbour skill", begin.AddDate(0, 0, 7))
	add("z2", "ok, write the reply with the harbour skill", begin.AddDate(0, 0, 8))
	workspacetest.Change(t, w, put)
	if _, err := Capture(t.Context(), w, CaptureInput{Path: saying(t, "session3", "Rewrite the tide pages with the harbour skill")}); err != nil {
		t.Fatal(err)
	}
	if got := pendingIn(t, w); !slices.ContainsFunc(got, func(m *memory.Memory) bool { return strings.Contains(m.Text, "harbour skill") }) {
		t.Errorf("the latest sessions do not count: %v", titles(got))
	}
}

// TestRequestsBounded: however many records there are, a session reads so many of them to
// learn which are the latest; those that follow read the rest, and no record twice.
func TestRequestsBounded(t *testing.T) {
	var entries []gitops.Entry
	begin := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	began := map[gitops.ObjectID]time.Time{}
	for i := range 2*requestDated + 7 {
		e := gitops.Entry{Path: fmt.Sprintf("sessions/2026-11/claude-code-%04d.md", i), Blob: gitops.ObjectID(fmt.Sprintf("%040x", i))}
		entries, began[e.Blob] = append(entries, e), begin.Add(time.Duration(i*i%1009)*time.Hour)
	}
	read := map[gitops.ObjectID]int{}
	var found []gitops.Entry
	var known []string
	for round, want := range []int{requestDated, 2 * requestDated, len(entries), len(entries)} {
		var err error
		found, known, err = latest(t.Context(), entries, known, func(_ context.Context, entries []gitops.Entry, yield func(gitops.Entry, []byte) error) error {
			for _, e := range entries {
				read[e.Blob]++
				s := &session.Session{Agent: "claude-code", ID: e.Path, Start: began[e.Blob]}
				if err := yield(e, session.Format(s)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || len(read) != want || len(found) != requestRecords {
			t.Fatalf("round %d: %d records read, %d found: %v", round, len(read), len(found), err)
		}
	}
	for blob, n := range read {
		if n != 1 {
			t.Errorf("%s was read %d times", blob, n)
		}
	}
	slices.SortStableFunc(entries, func(a, b gitops.Entry) int { return began[b.Blob].Compare(began[a.Blob]) })
	if diff := cmp.Diff(entries[:requestRecords], found); diff != "" {
		t.Errorf("the latest (-want +got):\n%s", diff)
	}
	if _, again, err := latest(t.Context(), entries[:3], known, func(context.Context, []gitops.Entry, func(gitops.Entry, []byte) error) error { return nil }); err != nil || len(again) != 6 {
		t.Errorf("records that are gone are kept: %d words, %v", len(again), err)
	}
}

// TestRequestPromoted: a rule that became one of the user's own is not proposed again.
func TestRequestPromoted(t *testing.T) {
	env := workspacetest.Env(t, workspacetest.New(t).Repo.Root)
	env.Global = t.TempDir() + "/global"
	w, err := workspace.Open(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	for i, words := range []string{"Delegate the export to the harbour skill", "ok, write the reply with the harbour skill", "Rewrite the tide pages with the harbour skill"} {
		if i == 2 {
			err := w.InGlobal(t.Context(), true, func(store *workspace.Workspace) error {
				_, err := store.Remember(t.Context(), workspace.Note{Type: memory.Preference, Title: "Use the harbour skill", Text: "For all pages."})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Capture(t.Context(), w, CaptureInput{Path: saying(t, fmt.Sprintf("session%d", i), words)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range pendingIn(t, w) {
		if strings.Contains(m.Text, "harbour") {
			t.Errorf("proposed again: %s\n%s", m.Title, m.Text)
		}
	}
}
