package purge

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestHistories: branches are looked through where HEAD has no commit, and a history
// that cannot be read is an error: it may hold the text.
func TestHistories(t *testing.T) {
	w := workspacetest.New(t)
	m := workspacetest.Sure(memory.Decision, "The gauge opens with zanzibar4711")
	workspacetest.Put(t, w, m)
	workspacetest.Commit(t, w, "a leak")
	blob := workspacetest.Git(t, w, "rev-parse", "HEAD:"+view.MemoryPath(m.Path()))
	workspacetest.Git(t, w, "switch", "-q", "--orphan", "other")
	w = workspacetest.Open(t, w.Repo.Root)
	found, err := Find(t.Context(), w, "zanzibar4711")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"refs/heads/main"}, found.Refs); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(filepath.Join(w.Repo.CommonDir, "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	if found, err := Find(t.Context(), w, "zanzibar4711"); err == nil {
		t.Errorf("what cannot be read does not hold it: %+v", found)
	}
}

// TestPullRequests: what a remote has as a pull request is not made a branch of it.
func TestPullRequests(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Put(t, w, workspacetest.Sure(memory.Decision, "The gauge opens with zanzibar4711"))
	workspacetest.Commit(t, w, "a leak")
	workspacetest.Git(t, w, "remote", "add", "origin", "/nowhere")
	workspacetest.Git(t, w, "config", "--add", "remote.origin.fetch", "+refs/pull/*/head:refs/remotes/origin/pr/*")
	for _, ref := range []string{"main", "pr/7"} {
		workspacetest.Git(t, w, "update-ref", "refs/remotes/origin/"+ref, "HEAD")
	}
	w = workspacetest.Open(t, w.Repo.Root)
	found, err := Find(t.Context(), w, "zanzibar4711")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, step := range found.Commands() {
		for _, c := range step.Commands {
			if _, push, ok := strings.Cut(c, "git push"); ok || strings.Contains(c, "pr/7") {
				got = append(got, push)
			}
		}
	}
	if diff := cmp.Diff([]string{" --force origin refs/remotes/origin/main:refs/heads/main"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestRules: files of memories that have the text go from all histories, whatever they were
// called; one that has it no more stays, and so does one that only was made on a branch of
// that name.
func TestRules(t *testing.T) {
	w := workspacetest.New(t)
	m := workspacetest.Sure(memory.Decision, "The gauge opens with zanzibar4711")
	workspacetest.Put(t, w, m)
	workspacetest.Commit(t, w, "a leak")
	workspacetest.Git(t, w, "mv", view.MemoryPath(m.Path()),
		workspace.MemoriesDir+"/decision/gauge-"+m.ID.Short()+".md")
	edited := workspacetest.Sure(memory.Fix, "The crane is oiled with zanzibar4711")
	workspacetest.Put(t, w, edited)
	aside := workspacetest.Sure(memory.Fix, "The ferry leaves at six")
	aside.Source.Branch = "zanzibar4711"
	workspacetest.Put(t, w, aside)
	workspacetest.Commit(t, w, "a better name")
	at := view.MemoryPath(edited.Path())
	edited.Title = "The crane is oiled"
	workspacetest.Write(t, w, at, string(memory.Format(edited)))
	workspacetest.Commit(t, w, "edited")
	w = workspacetest.Open(t, w.Repo.Root)
	found, err := Find(t.Context(), w, "zanzibar4711")
	if err == nil {
		err = found.settle(t.Context(), w)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := []string{view.MemoryPath(m.Path()), workspace.MemoriesDir + "/decision/gauge-" + m.ID.Short() + ".md"}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(found.hits.drop))); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	if !found.hits.rename[edited.ID.Short()] || found.hits.rename[aside.ID.Short()] {
		t.Errorf("renamed: %v", found.hits.rename)
	}
	for _, place := range found.Places {
		if strings.Contains(place.Path, "zanzibar") || strings.Contains(place.Path, "gauge") {
			t.Errorf("the place %s tells", place.Path)
		}
	}
}

// TestPattern: a text of words is found however they are written, a secret as it is, and a
// name of a file also where it was cut in the middle of the text.
func TestPattern(t *testing.T) {
	person := patternOf([]string{"Erika Mustermann"})
	for text, want := range map[string]bool{
		"with Erika Mustermann.": true, "ERIKA\n> mustermann": true, "x-erika-mustermann-y": true,
		"erika.mustermann@example.invalid": true,
		"ErikaMustermann":                  true, "Erika met Mustermann": false, "Erika": false,
		"Erika" + strings.Repeat(" ", 40) + "Mustermann": false,
	} {
		if got := person.holds([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for name, want := range map[string]bool{
		"whatever-happens-below-the-old-bridge-ask-erika-k7q2m9x.md": true,
		"below-the-old-bridge-ask-erika-k7q2m9x.md":                  false,
		"erika-mustermann": true,
	} {
		if got := person.named(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	secret := patternOf([]string{"a$b#c!d%e^f"})
	if secret.holds([]byte("abcdef")) || !secret.holds([]byte("it is a$b#c!d%e^f.")) {
		t.Error("letters that stand apart are no words")
	}
	buffer := make([]byte, chunk+person.longest())
	long := strings.Repeat("x", chunk-4) + "Erika Mustermann" + strings.Repeat("y", chunk)
	if v, err := person.in(strings.NewReader(long), buffer); err != nil || !v.hit {
		t.Errorf("over the end of a part: %+v, %v", v, err)
	}
	if got := string(person.replaced([]byte("a erika-mustermann b Erika Mustermann"), "*")); got != "a * b *" {
		t.Errorf("replaced: %q", got)
	}
}

// TestOtherRefs: stashes, notes and whatever else has a ref of its own are looked through.
func TestOtherRefs(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Put(t, w, workspacetest.Sure(memory.Decision, "The pump starts at noon"))
	workspacetest.Commit(t, w, "start")
	workspacetest.Write(t, w, "outside.txt", "The gauge opens with zanzibar4711\n")
	workspacetest.Git(t, w, "add", ".")
	workspacetest.Git(t, w, "stash")
	workspacetest.Git(t, w, "notes", "add", "-m", "It opens with zanzibar4711")
	workspacetest.Git(t, w, "reflog", "expire", "--expire=now", "--all")
	found, err := Find(t.Context(), workspacetest.Open(t, w.Repo.Root), "zanzibar4711")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"refs/notes/commits", "refs/stash"}, found.holding()); diff != "" {
		t.Error(diff)
	}
}

// TestMessages: what people write into messages of commits and of tags is found, also where
// only git's logs have the commit by now, and so is what such a commit has outside of .cortex.
func TestMessages(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Put(t, w, workspacetest.Sure(memory.Decision, "The pump starts at noon"))
	workspacetest.Commit(t, w, "start")
	workspacetest.Git(t, w, "tag", "-a", "-m", "It opens with zanzibar4711", "v1")
	workspacetest.Git(t, w, "switch", "-q", "-c", "feature")
	workspacetest.Git(t, w, "commit", "-q", "--allow-empty", "-m", "Open it\n\nThe word is zanzibar4712.\n")
	workspacetest.Git(t, w, "commit", "-q", "--allow-empty", "-m", "Another\n\nAda\nQuay 5")
	workspacetest.Git(t, w, "switch", "-q", "main")
	workspacetest.Write(t, w, "outside.txt", "zanzibar4714\n")
	workspacetest.Git(t, w, "add", ".")
	workspacetest.Git(t, w, "commit", "-q", "-m", "with zanzibar4713")
	workspacetest.Git(t, w, "reset", "-q", "--hard", "HEAD^")
	w = workspacetest.Open(t, w.Repo.Root)
	for text, want := range map[string][]Place{
		"zanzibar4711": {{Kind: Message, Ref: "refs/tags/v1"}},
		"zanzibar4712": {{Kind: Message, Ref: "refs/heads/feature"}},
		"zanzibar4713": {{Kind: Message}},
		"zanzibar4714": {{Kind: Outside}},
		"Ada\nQuay 5":  {{Kind: Message, Ref: "refs/heads/feature"}},
		"Ada\nQuay 4":  {},
	} {
		found, err := Find(t.Context(), w, text)
		if err != nil {
			t.Fatal(err)
		}
		// logs, and the message of the last commit
		places := slices.DeleteFunc(slices.Clone(found.Places), func(at Place) bool { return at.Kind == Git })
		if diff := cmp.Diff(want, places, cmp.AllowUnexported(Place{})); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		rewrites, forgets := false, false
		for _, step := range found.Commands() {
			for _, c := range step.Commands {
				rewrites = rewrites || strings.Contains(c, "--message-callback")
				forgets = forgets || strings.HasPrefix(c, "git gc")
			}
		}
		if wantRewrite := len(want) > 0 && want[0].Ref != ""; rewrites != wantRewrite || forgets != (len(want) > 0) {
			t.Errorf("%q: %+v", text, found.Commands())
		}
	}
}

// TestSeveralLines: of a text of several lines, such as a key, each line that can be of
// nothing else counts, wherever it stands alone; a short text counts as a whole.
func TestSeveralLines(t *testing.T) {
	w := workspacetest.New(t)
	for word, want := range map[string][]string{
		"-----BEGIN SOME PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n  AAAAgQDx7Qm2nVbZpQ  \nend\n-----END SOME PRIVATE" +
			" KEY-----": {"b3BlbnNzaC1rZXktdjE", "AAAAgQDx7Qm2nVbZpQ"},
		"Ada\nQuay 4": {"Ada\nQuay 4"},
		"zanzibar":    {"zanzibar"},
	} {
		got, err := Meant(t.Context(), w, word)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s", word, err, diff)
		}
	}
	workspacetest.Write(t, w, "outside.txt", "indented:\n  AAAAgQDx7Qm2nVbZpQ\n")
	workspacetest.Git(t, w, "add", ".")
	workspacetest.Commit(t, w, "a part of it")
	workspacetest.PutPending(t, w, workspacetest.Sure(memory.Gotcha, "The gauge has b3BlbnNzaC1rZXktdjE"))
	w = workspacetest.Open(t, w.Repo.Root)
	found, err := Find(t.Context(), w, "b3BlbnNzaC1rZXktdjE", "AAAAgQDx7Qm2nVbZpQ", "(no|expression")
	if err != nil || !found.Has(Pending) || !found.Has(Outside) || found.Has(File) {
		t.Errorf("%+v, %v", found, err)
	}
	if err := Clear(t.Context(), w, found); err != nil {
		t.Fatal(err)
	}
	if found, err = Find(t.Context(), w, "b3BlbnNzaC1rZXktdjE"); err != nil || found.Has(Pending) {
		t.Errorf("after it was cleared: %+v, %v", found, err)
	}
}
