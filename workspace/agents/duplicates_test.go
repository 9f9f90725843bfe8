package agents

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// What one session found out about a gauge, as it told it and as it wrote it down.
const (
	sluiceTitle     = "The sluice gauge resets its counter at every read"
	sluiceDiagnosis = "Two pumps poll the register one after the other, so the second pump sees zero litres and starts early.\nThe reading has to be shared between both pumps."
	sluiceCommit    = "The sluice gauge resets its counter whenever the register is read, and two pumps poll it, one after the other: " +
		"the second pump sees zero litres and starts early.\nShare one reading between both pumps and keep it for a tick."
)

// TestFoldTold: what capture guessed folds once the session is over, where another memory
// tells it better; what a person edited, pinned, tagged or restored stays, and what another
// session said again, and a fact that stands beside it.
func TestFoldTold(t *testing.T) {
	w := workspacetest.New(t)
	read := func(day int) {
		t.Helper()
		if _, err := Capture(t.Context(), later(t, w, 0), CaptureInput{Path: onDay(t, "s"+strconv.Itoa(day), day)}); err != nil {
			t.Fatal(err)
		}
	}
	read(10)
	minute := 0
	found := func(name string, layer session.Layer, confidence float64, title, text string, with func(*memory.Memory)) *memory.Memory {
		minute++
		m := memory.New(memory.Gotcha, title, text, time.Date(2026, 11, 10, 10, minute, 0, 0, time.UTC))
		m.Tags = []string{name}
		if with != nil {
			with(m)
		}
		putGuess(t, w, "s10", m, confidence, layer)
		return m
	}
	told := found("told", session.LayerPattern, 0.9, sluiceTitle, sluiceDiagnosis, nil)
	found("pinned", session.LayerPattern, 0.9, sluiceTitle+" of it", sluiceDiagnosis, func(m *memory.Memory) { m.Pinned = true })
	found("edited", session.LayerPattern, 0.9, sluiceTitle+" now", sluiceDiagnosis, func(m *memory.Memory) { m.Updated = m.Created })
	found("tagged", session.LayerTag, 0.9, sluiceTitle+" again", sluiceDiagnosis, nil)
	found("again", session.LayerPattern, 0.9, sluiceTitle+" twice", sluiceDiagnosis, func(m *memory.Memory) { m.Seen = []string{"s10", "s9"} })
	found("beside", session.LayerPattern, 0.9, "Brine corrodes every valve below deck", sluiceDiagnosis, nil)
	found("commit", session.LayerStructure, 0.85, "Share one gauge reading between both pumps", sluiceCommit, nil)
	pending := func() string {
		t.Helper()
		var out []string
		for _, m := range pendingIn(t, later(t, w, 0)) {
			if len(m.Tags) == 1 && m.Source.Session == "s10" && strings.Contains("told pinned edited tagged again beside commit", m.Tags[0]) {
				out = append(out, m.Tags[0])
			}
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	const all, without = "again beside commit edited pinned tagged told", "again beside commit edited pinned tagged"
	if got := pending(); got != all {
		t.Fatalf("%q are pending before the next session", got)
	}
	read(11)
	if got := pending(); got != without {
		t.Fatalf("after the next session %q are pending", got)
	}
	snap, err := later(t, w, 0).Journal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := snap.File(t.Context(), "sessions/2026-11/claude-code-s10.md")
	if err != nil || !strings.Contains(string(data), string(told.ID)+" folded: gotcha: "+sluiceTitle+". Two pumps poll") {
		t.Errorf("the record says (%v):\n%s", err, data)
	}
	workspacetest.PutPending(t, later(t, w, 0), told) // as cortex restore does
	read(12)
	if got := pending(); got != all {
		t.Errorf("after a restore %q are pending", got)
	}
}

// TestLastFound: the session at hand keeps all that it found; of those before it only the
// last are looked at.
func TestLastFound(t *testing.T) {
	at := func(id string) *session.Session {
		return &session.Session{ID: id, Found: []session.Finding{{ID: memory.ID(strings.Repeat(id[:1], 10)), Layer: session.LayerPattern}}}
	}
	for _, x := range []struct {
		name     string
		sessions []string
		want     string
	}{
		{"without the one at hand and its subagents", []string{"h", "h/1", "a"}, "aaaaaaa"},
		{"subagents belong to their session", []string{"a/1", "a/2", "a", "b", "c", "d", "e", "f"}, "aaaaaaa bbbbbbb ccccccc ddddddd eeeeeee"},
	} {
		var sessions []*session.Session
		for _, id := range x.sessions {
			sessions = append(sessions, at(id))
		}
		var got []string
		for id := range lastFound(sessions, "h") {
			got = append(got, id)
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != x.want {
			t.Errorf("%s: %s, want %s", x.name, s, x.want)
		}
	}
	a := at("a")
	a.Decide(session.Verdict{ID: a.Found[0].ID, Is: session.Left})
	if got := lastFound([]*session.Session{a}, "h"); len(got) != 0 {
		t.Errorf("what a reader decided about: %v", got)
	}
}

// TestFoldToldStays: nothing folds for one that is no longer there when it comes to it, nor
// what a reader decided about.
func TestFoldToldStays(t *testing.T) {
	w := workspacetest.New(t)
	if _, err := Capture(t.Context(), w, CaptureInput{Path: onDay(t, "s10", 10)}); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 10, 10, 0, 0, 0, time.UTC)
	told, commit := memory.New(memory.Gotcha, sluiceTitle, sluiceDiagnosis, at), memory.New(memory.Gotcha, "Share one gauge reading between both pumps", sluiceCommit, at)
	putGuess(t, w, "s10", told, 0.9, session.LayerPattern)
	putGuess(t, w, "s10", commit, 0.85, session.LayerStructure)
	w = later(t, w, 0)
	out := &Captured{Result: &capture.Result{Session: &session.Session{ID: "s11"}}, view: workspacetest.View(t, w, workspace.ViewOptions{Bare: true})}
	folds := func(want int, why string) {
		t.Helper()
		if n, err := newCapturer(w).foldDuplicates(t.Context(), out); err != nil || n != want {
			t.Errorf("%s %d are folded, want %d (%v)", why, n, want, err)
		}
	}
	path := ""
	for _, it := range out.view.Items {
		if strings.HasSuffix(it.Path, commit.ID.Short()+".md") {
			path = it.Path
		}
	}
	workspacetest.Change(t, w, nil, path)
	folds(0, "without the other one")
	workspacetest.PutPending(t, w, commit)

	const record = "sessions/2026-11/claude-code-s10.md"
	snap, err := w.Journal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := snap.File(t.Context(), record)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	s.Decide(session.Verdict{ID: told.ID, Is: session.Left})
	workspacetest.Change(t, w, map[string][]byte{record: session.Format(s)})
	folds(0, "after a reader's verdict")
	workspacetest.Change(t, w, map[string][]byte{record: data})
	folds(1, "with the other one")
}

// TestToldBy: what tells what.
func TestToldBy(t *testing.T) {
	const pattern, structure = string(session.LayerPattern), string(session.LayerStructure)
	day := time.Date(2026, 11, 10, 9, 0, 0, 0, time.UTC)
	of := func(typ memory.Type, layer, of string, days int, title, text string) *telling {
		m := memory.New(typ, title, text, day.AddDate(0, 0, days))
		m.Source = memory.Source{Layer: layer, Session: of, Agent: "claude-code"}
		return &telling{m, &index.Item{Stage: index.Pending}, memory.Signature(title, text)}
	}
	const elsewhere = "Alerts leave through harbour mail, barge traffic pauses, keepers sign ledgers, lanterns burn amber, foghorns answer thrice, " +
		"wardens raise red flags, divers wait ashore, cranes lower hooks, tugs turn back, customs close early"
	commit := of(memory.Decision, structure, "s1", 1, "Share one gauge reading between both pumps", sluiceCommit)
	landed := of(memory.Gotcha, pattern, "s1", 0, sluiceTitle, sluiceDiagnosis)
	landed.it.Stage = index.Landed
	for _, x := range []struct {
		name    string
		gone, o *telling
		want    bool
	}{
		{"the diagnosis, by the commit", of(memory.Gotcha, pattern, "s1", 0, sluiceTitle, sluiceDiagnosis), commit, true},
		{"what has landed", landed, commit, false},
		{"under a title of its own", of(memory.Gotcha, pattern, "s1", 0, "Brine corrodes every valve below deck", sluiceDiagnosis), commit, false},
		{"few words", of(memory.Gotcha, pattern, "s1", 0, sluiceTitle, ""), commit, false},
		{"much that is told nowhere else", of(memory.Gotcha, pattern, "s1", 0, sluiceTitle, sluiceDiagnosis+"\n"+elsewhere), commit, false},
		{"a later denial", of(memory.Gotcha, pattern, "s2", 2, "The sluice gauge no longer resets its counter at a read", sluiceDiagnosis), commit, false},
		{"an earlier denial", of(memory.Gotcha, pattern, "s1", 0, "The sluice gauge never resets its counter at a read", sluiceDiagnosis), commit, true},
		{"a later repair", of(memory.Fix, pattern, "s2", 2, sluiceTitle, sluiceDiagnosis), commit, false},
		{"a repair of the session", of(memory.Fix, pattern, "s1", 2, sluiceTitle, sluiceDiagnosis), commit, true},
		{"an answer, by its question", of(memory.Decision, pattern, "s1", 0, sluiceTitle, sluiceDiagnosis), of(memory.Question, structure, "s1", 1, "Share one gauge reading?", sluiceCommit), false},
	} {
		if got := x.gone.toldBy(x.o); got != x.want {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
	for _, rel := range []memory.Rel{memory.Answers, memory.Contradicts, memory.Supersedes, memory.StepOf, memory.Refines} {
		linked := of(memory.Gotcha, pattern, "s1", 0, sluiceTitle, sluiceDiagnosis)
		linked.m.Links = []memory.Link{{Rel: rel, To: "0123456789abcdef"}}
		if got := linked.toldBy(commit); got != (rel == memory.Refines) {
			t.Errorf("what %s another one: %v", rel, got)
		}
		both := of(memory.Decision, structure, "s1", 1, "Share one gauge reading between both pumps", sluiceCommit)
		if both.m.Links = linked.m.Links; !linked.toldBy(both) {
			t.Errorf("what %s another one stays beside one that does too", rel)
		}
	}
	for _, x := range []struct {
		gone, o float64
		stage   index.Stage
		want    bool
	}{{0.7, 0.65, index.Pending, true}, {0.7, 0.55, index.Pending, false}, {0.55, 0.5, index.Pending, true}, {0.7, 0.55, index.Landed, true}} {
		surer, weaker := of(memory.Gotcha, pattern, "s1", 0, sluiceTitle, sluiceDiagnosis), of(memory.Decision, structure, "s1", 1, "Share one gauge reading between both pumps", sluiceCommit)
		surer.m.Confidence, weaker.m.Confidence, weaker.it.Stage = x.gone, x.o, x.stage
		if got := surer.toldBy(weaker); got != x.want {
			t.Errorf("%v by %v, %s: %v", x.gone, x.o, x.stage, got)
		}
	}
	against := of(memory.Decision, structure, "s1", 1, "Share one gauge reading between both pumps", sluiceCommit)
	against.m.Links = []memory.Link{{Rel: memory.Contradicts, To: landed.m.ID}}
	if of(memory.Gotcha, pattern, "s1", 0, sluiceTitle, sluiceDiagnosis).toldBy(against) {
		t.Error("what the other one contradicts folds into it")
	}
	if commit.below(landed) >= 0 || of(memory.Gotcha, pattern, "s1", 5, "a", "").below(commit) >= 0 {
		t.Error("what was written down is not between what was said and what has landed")
	}
}

// TestSeenWith: nobody loses a fact whose better wording they do not have.
func TestSeenWith(t *testing.T) {
	at := func(stage index.Stage, branch, source string) *telling {
		return &telling{m: &memory.Memory{Source: memory.Source{Branch: source}}, it: &index.Item{Stage: stage, Branch: branch}}
	}
	for _, x := range []struct {
		name    string
		o, stay *telling
		want    bool
	}{
		{"both wait for one branch", at(index.Pending, "main", ""), at(index.Pending, "main", ""), true},
		{"another branch", at(index.Pending, "main", ""), at(index.Pending, "topic", ""), false},
		{"landed here, for here", at(index.Pending, "topic", ""), at(index.Landed, "", "topic"), true},
		{"landed before, for elsewhere", at(index.Pending, "main", ""), at(index.Landed, "", "main"), true},
		{"landed here alone, for elsewhere", at(index.Pending, "main", ""), at(index.Landed, "", "topic"), false},
	} {
		if got := x.stay.seenWith(x.o, "topic"); got != x.want {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}
