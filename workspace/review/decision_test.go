package review

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// desk is a repository whose memories are reviewed.
type desk struct {
	*testing.T
	w *workspace.Workspace
}

// newDesk makes a repository with memories that have landed, and no pages.
func newDesk(t *testing.T, landed ...*memory.Memory) *desk {
	t.Helper()
	d := &desk{t, workspacetest.New(t)}
	workspacetest.Write(t, d.w, workspace.ConfigPath, "projections: \"off\"\n")
	workspacetest.Put(t, d.w, landed...)
	workspacetest.Commit(t, d.w, "base")
	d.reopen()
	return d
}

func (d *desk) reopen()                 { d.Helper(); d.w = workspacetest.Open(d.T, d.w.Repo.Root) }
func (d *desk) git(args ...string)      { d.Helper(); workspacetest.Git(d.T, d.w, args...); d.reopen() }
func (d *desk) pend(m *memory.Memory)   { d.Helper(); workspacetest.PutPending(d.T, d.w, m) }
func (d *desk) read(path string) string { d.Helper(); return workspacetest.Read(d.T, d.w, path) }
func (d *desk) status() string {
	d.Helper()
	return workspacetest.Git(d.T, d.w, "status", "--porcelain")
}
func file(m *memory.Memory) string         { return view.MemoryPath(m.Path()) }
func decision(title string) *memory.Memory { return workspacetest.Sure(memory.Decision, title) }

// item returns what is reviewed of a memory, as opt has it.
func (d *desk) item(m *memory.Memory, opt Options) Item {
	d.Helper()
	items, _, err := List(d.Context(), d.w, opt)
	if err != nil {
		d.Fatal(err)
	}
	r, err := Find(items, string(m.ID))
	if err != nil {
		d.Fatal(err)
	}
	return r
}

// state returns everything that a decision may change: the files of the journal, those
// of the working tree, by path, and the status by git.
func (d *desk) state() map[string]string {
	d.Helper()
	snap, err := d.w.Journal.Snapshot(d.Context())
	if err != nil {
		d.Fatal(err)
	}
	entries, err := snap.List(d.Context(), "")
	if err != nil {
		d.Fatal(err)
	}
	out := map[string]string{"status": d.status()}
	err = snap.Read(d.Context(), entries, func(e gitops.Entry, data []byte) error {
		out["journal:"+e.Path] = string(data)
		return nil
	})
	if err != nil {
		d.Fatal(err)
	}
	for path := range strings.SplitSeq(workspacetest.Git(d.T, d.w, "ls-files", "-c", "-o", ".cortex"), "\n") {
		out[path] = d.read(path)
	}
	return out
}

// undone takes a decision back and wants everything to be as before.
func (d *desk) undone(decision Decision, before map[string]string) {
	d.Helper()
	if err := Undo(d.Context(), d.w, decision); err != nil {
		d.Fatalf("undoing %s: %v", decision.Verb, err)
	}
	if diff := cmp.Diff(before, d.state()); diff != "" {
		d.Errorf("undoing %s (-before +after):\n%s", decision.Verb, diff)
	}
}

// TestUndoPages: undoing what was accepted gives the index and the working tree the
// pages that they had, whatever those were.
func TestUndoPages(t *testing.T) {
	for name, prepare := range map[string]func(*desk){
		"none in the commit": func(*desk) {},
		"outdated ones": func(d *desk) {
			workspacetest.Write(d.T, d.w, ".cortex/decisions.md", "<!-- cortex:projection decisions 1 -->\n<!--"+
				" cortex:end -->\n")
			workspacetest.Commit(d.T, d.w, "an old page")
		},
		"one that is staged": func(d *desk) {
			workspacetest.Write(d.T, d.w, ".cortex/decisions.md", "")
			d.git("add", ".cortex/decisions.md")
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, decision("Glazes are mixed by weight"))
			workspacetest.Write(t, d.w, workspace.ConfigPath, "projections: branch\n")
			d.git("commit", "-q", "-am", "pages on")
			prepare(d)
			d.reopen()
			m, second := decision("Kilns are fired at night"), decision("Kilns are swept at noon")
			d.pend(m)
			d.pend(second)
			before := d.state()
			first, err := Accept(t.Context(), d.w, d.item(m, Options{}), false)
			if err != nil {
				t.Fatal(err)
			}
			between := d.state()
			then, err := Accept(t.Context(), d.w, d.item(second, Options{}), false)
			if err != nil {
				t.Fatal(err)
			}
			d.undone(then, between)
			d.undone(first, before)
		})
	}
}

// TestAccept: the file of the memory is written and staged, with the pages of
// the branch, and nothing else.
func TestAccept(t *testing.T) {
	d := newDesk(t)
	workspacetest.Write(t, d.w, workspace.ConfigPath, "projections: branch\n")
	d.git("commit", "-q", "-am", "pages on")
	m := decision("Kilns are fired at night")
	d.pend(m)
	before := d.state()
	got, err := Accept(t.Context(), d.w, d.item(m, Options{}), false)
	if err != nil || got.Verb != Accepted || got.Path != file(m) || len(got.Pages) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if d.read(file(m)) != string(memory.Format(m)) {
		t.Errorf("the file is %q", d.read(file(m)))
	}
	for line := range strings.SplitSeq(d.status(), "\n") {
		if !strings.HasPrefix(line, "A  .cortex/") {
			t.Errorf("status: %s", line)
		}
	}
	d.undone(got, before)
}

// TestAcceptReplacing: a person says that a memory replaces what it contradicts.
func TestAcceptReplacing(t *testing.T) {
	old, m := decision("Kilns are fired at noon"), decision("Kilns are fired at night")
	m.Links = []memory.Link{{Rel: memory.Contradicts, To: old.ID}}
	d := newDesk(t, old)
	d.pend(m)
	before, r := d.state(), d.item(m, Options{})
	if !r.Replaceable() || r.Question == "" || len(r.Contradict) != 1 || r.Contradict[0].Title != old.Title {
		t.Errorf("%+v", r)
	}
	got, err := Accept(t.Context(), d.w, r, true)
	if err != nil {
		t.Fatal(err)
	}
	landed, err := memory.Parse(got.Path, []byte(d.read(got.Path)))
	if err != nil || len(landed.Linked(memory.Supersedes)) != 1 || len(landed.Linked(memory.Contradicts)) != 0 {
		t.Errorf("links: %v, %v", landed.Links, err)
	}
	d.undone(got, before)
}

// TestAcceptRefused: what must not land does not, and nothing is changed.
func TestAcceptRefused(t *testing.T) {
	m := decision("Kilns are fired at night")
	for name, c := range map[string]struct {
		start func(*desk, *memory.Memory)
		opt   Options
		check func(error) bool
	}{
		"a secret": {
			func(d *desk, m *memory.Memory) {
				m.Text = strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_")
				d.pend(m)
			},
			Options{},
			func(err error) bool { return errors.Is(err, ErrSecret) },
		},
		"a branch that is there": {
			func(d *desk, m *memory.Memory) {
				d.git("switch", "-q", "-c", "feature")
				d.git("commit", "-q", "--allow-empty", "-m", "work")
				d.pend(m)
				d.git("switch", "-q", "main")
			},
			Options{AllBranches: true},
			func(err error) bool {
				var elsewhere *workspace.ElsewhereError
				return errors.As(err, &elsewhere) && elsewhere.Branch == "feature"
			},
		},
		"a merge under way": {
			func(d *desk, m *memory.Memory) {
				d.pend(m)
				d.git("switch", "-q", "-c", "side")
				d.git("commit", "-q", "--allow-empty", "-m", "side")
				d.git("switch", "-q", "main")
				d.git("merge", "-q", "--no-ff", "--no-commit", "side")
			},
			Options{},
			func(err error) bool {
				var blocked *BlockedError
				return errors.As(err, &blocked) && strings.Contains(err.Error(), "nothing can land now")
			},
		},
		"a newer format": {
			func(d *desk, m *memory.Memory) {
				d.pend(m)
				workspacetest.Write(d.T, d.w, workspace.ConfigPath, "format: 99\n")
				d.reopen()
			},
			Options{},
			func(err error) bool { var newer *workspace.NewerError; return errors.As(err, &newer) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, m := newDesk(t), *m
			c.start(d, &m)
			before := d.state()
			if _, err := Accept(t.Context(), d.w, d.item(&m, c.opt), false); !c.check(err) {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(before, d.state()); diff != "" {
				t.Errorf("changed:\n%s", diff)
			}
		})
	}
}

// TestAcceptFromGone: what waits for a branch that is gone lands here.
func TestAcceptFromGone(t *testing.T) {
	d, m := newDesk(t), decision("Kilns are fired at night")
	d.git("switch", "-q", "-c", "feature")
	d.pend(m)
	d.git("switch", "-q", "main")
	d.git("branch", "-q", "-D", "feature")
	before, r := d.state(), d.item(m, Options{Branch: "feature"})
	if !strings.Contains(r.Why, "feature, a branch that is gone") || r.Elsewhere {
		t.Errorf("%+v", r)
	}
	got, err := Accept(t.Context(), d.w, r, false)
	if err != nil || d.read(file(m)) == "" {
		t.Fatalf("%+v, %v", got, err)
	}
	d.undone(got, before)
}

// TestContested: a landed memory with two texts is accepted as it is, or edited
// into one.
func TestContested(t *testing.T) {
	m := decision("Kilns are fired at night")
	m.Text, m.Contested = "At ten.\n\n**Contested**, the other version says:\n\nAt two.", true
	d := newDesk(t, m)
	before, r := d.state(), d.item(m, Options{})
	if r.Why != "a merge left it contested" || !strings.Contains(r.Question, "both sides") {
		t.Errorf("%+v", r)
	}
	got, err := Accept(t.Context(), d.w, r, false)
	if err != nil || got.Verb != Accepted || strings.Contains(d.read(file(m)), "contested:") ||
		!strings.Contains(d.read(file(m)), "At two.") {
		t.Errorf("%+v, %v\n%s", got, err, d.read(file(m)))
	}
	d.undone(got, before)

	one := *m
	one.Text = "At ten, and at two in winter."
	edited, err := CheckEdited(t.Context(), d.w, d.item(m, Options{}), memory.Format(&one))
	if err != nil || edited.Contested {
		t.Fatalf("%+v, %v", edited, err)
	}
	r = d.item(m, Options{})
	got, err = Edit(t.Context(), d.w, &r, edited)
	if err != nil || got.Verb != Edited || !strings.Contains(d.read(file(m)), "in winter") {
		t.Errorf("%+v, %v", got, err)
	}
	d.undone(got, before)

	r = d.item(m, Options{})
	workspacetest.Write(t, d.w, file(m), d.read(file(m))+"More.\n")
	if _, err := Edit(t.Context(), d.w, &r, edited); !errors.Is(err, ErrMovedOn) {
		t.Errorf("edited in another program: %v", err)
	}
}

// TestReject: a refused memory is gone, and a copy is kept; a landed one is
// removed from the working tree.
func TestReject(t *testing.T) {
	landed, pending := decision("Kilns are fired at noon"), decision("Kilns are fired at night")
	landed.Contested = true
	d := newDesk(t, landed)
	d.pend(pending)
	before := d.state()
	for _, m := range []*memory.Memory{landed, pending} {
		got, err := Reject(t.Context(), d.w, d.item(m, Options{}))
		if err != nil || got.Verb != Rejected {
			t.Fatalf("%s: %+v, %v", m.Title, got, err)
		}
		kept, err := Dismissed(t.Context(), d.w)
		if err != nil || len(kept) != 1 || kept[0].ID != m.ID {
			t.Errorf("%s: kept %v, %v", m.Title, kept, err)
		}
		v := workspacetest.View(t, d.w, workspace.ViewOptions{})
		if _, err := v.Find(t.Context(), string(m.ID)); !errors.Is(err, workspace.ErrNotFound) {
			t.Errorf("%s is still there: %v", m.Title, err)
		}
		d.undone(got, before)
	}
	got, err := Reject(t.Context(), d.w, d.item(landed, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	workspacetest.Write(t, d.w, file(landed), "something else\n")
	if err := Undo(t.Context(), d.w, got); err == nil || d.read(file(landed)) != "something else\n" {
		t.Errorf("undone over a file that is there again: %v", err)
	}
	if err := Undo(t.Context(), d.w, Decision{}); err == nil {
		t.Error("undone nothing")
	}
}

// TestCheckEdited: what comes back from an editor is the same memory, readable,
// and without a secret.
func TestCheckEdited(t *testing.T) {
	d, m := newDesk(t), decision("Kilns are fired at night")
	d.pend(m)
	r := d.item(m, Options{})
	text := string(memory.Format(m))
	for name, c := range map[string]struct{ text, want string }{
		"as it was":   {text, ""},
		"blank lines": {text + "\n\n\n", ""},
		"another id":  {strings.Replace(text, string(m.ID), "0gt40bvwb1anm79w", 1), "an id never changes"},
		"a secret": {
			text + strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_") + "\n",
			ErrSecret.Error(),
		},
		"not a memory": {"Hello.\n", "the edited memory"},
	} {
		got, err := CheckEdited(t.Context(), d.w, r, []byte(c.text))
		if c.want == "" && (err != nil || string(memory.Format(got)) != text) || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := Edit(t.Context(), d.w, &r, m); !errors.Is(err, errUnchanged) {
		t.Errorf("an edit that changes nothing: %v", err)
	}
}

// TestFind: an item is found by the beginning of its id.
func TestFind(t *testing.T) {
	items := []Item{
		{Entry: workspace.Entry{Memory: &memory.Memory{ID: "0gt40bvwb1anm79w"}}},
		{Entry: workspace.Entry{Memory: &memory.Memory{ID: "0gt41bvwb1anm79w"}}},
	}
	for prefix, want := range map[string]error{
		"0gt40": nil, " 0GT41BV ": nil, "0gt4": workspace.ErrAmbiguous, "9": workspace.ErrNotFound,
		"": workspace.ErrNotFound, "no id!": workspace.ErrNotFound,
	} {
		r, err := Find(items, prefix)
		if !errors.Is(err, want) || err == nil &&
			!strings.HasPrefix(string(r.Memory.ID), strings.ToLower(strings.TrimSpace(prefix))) {
			t.Errorf("%q: %v, %v", prefix, r.Memory, err)
		}
	}
}

// TestWhy: every memory that waits says why.
func TestWhy(t *testing.T) {
	for policy, want := range map[string]string{
		"":                         "it lands with your next commit",
		"land: manual\n":           "memories do not land by themselves here (land: manual)",
		"land_confidence: 0.99\n":  "it lands with your next commit",
		"land_max: 0\n":            "at most 0 land with one commit",
		"land_confidence: 1.0\n":   "it lands with your next commit",
		"brief_tokens: nonsense\n": "it lands with your next commit",
	} {
		d, m := newDesk(t), decision("Kilns are fired at night")
		workspacetest.Write(t, d.w, workspace.ConfigPath, policy)
		d.reopen()
		d.pend(m)
		if got := d.item(m, Options{}).Why; got != want {
			t.Errorf("%q: %q, want %q", policy, got, want)
		}
	}
	d, received := newDesk(t), decision("Kilns are fired at night")
	d.pend(received)
	workspacetest.Change(t, d.w, map[string][]byte{journal.MarkOf("pending/main/"+received.Path(), received.ID): {}})
	if r := d.item(received, Options{}); r.Why != "it came from another clone" || r.Lands {
		t.Errorf("%+v", r)
	}
	d.git("switch", "-q", "-c", "other")
	if r := d.item(received, Options{AllBranches: true}); r.Why != "it came from another clone" || r.Elsewhere {
		t.Errorf("%+v", r)
	}
}

// TestJSON: an item has the fields of its memory and those of the review.
func TestJSON(t *testing.T) {
	old, m, twin := decision("Kilns"), decision("Kilns are fired at night by two potters"),
		decision("Kilns are fired at night by three potters")
	m.Links, twin.Links = []memory.Link{{Rel: memory.Supersedes, To: old.ID}},
		[]memory.Link{{Rel: memory.Supersedes, To: old.ID}}
	d := newDesk(t, old)
	d.pend(m)
	d.pend(twin)
	data, err := json.Marshal(d.item(m, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		ID, Title, Why, Question            string
		Stage                               index.Stage
		Lands                               bool
		Duplicates, Supersedes, Contradicts []Counterpart
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.ID != string(m.ID) || got.Title != m.Title || got.Stage != index.Pending || !got.Lands || got.Why == "" {
		t.Errorf("%s", data)
	}
	if len(got.Duplicates) != 1 || got.Duplicates[0].ID != twin.ID || len(got.Supersedes) != 1 ||
		got.Supersedes[0].ID != old.ID {
		t.Errorf("%s", data)
	}
	if len(got.Contradicts) != 1 || got.Contradicts[0].ID != twin.ID ||
		!strings.Contains(got.Question, "reject one of the two") {
		t.Errorf("%s", data)
	}
}

// TestShelve: a memory becomes a note of its session, is not asked about again, and comes back by undo. One that comes
// from no session cannot be a note.
func TestShelve(t *testing.T) {
	w := workspacetest.New(t)
	of := &session.Session{ID: "s-1", Agent: "claude-code", Branch: "main"}
	m := sure(memory.Gotcha, "Pumps stall at noon", 0.9, 1)
	m.Source = memory.Source{Agent: of.Agent, Session: of.ID, Record: 3, Branch: "main"}
	workspacetest.PutPending(t, w, m, sure(memory.Gotcha, "Of no session", 0.9, 1))
	workspacetest.Change(t, w, map[string][]byte{of.Path(): session.Format(of)})
	items, _, err := List(t.Context(), w, Options{})
	if err != nil || len(items) != 2 {
		t.Fatal(items, err)
	}
	var d Decision
	for _, r := range items {
		done, err := Shelve(t.Context(), w, r)
		if isNote := r.Memory.Source.Session != ""; (err == nil) != isNote || r.Noteworthy() != isNote {
			t.Errorf("%s: %v", r.Memory.Title, err)
		}
		if err == nil {
			d = done
		}
	}
	if note, err := w.Note(t.Context(), string(m.ID)); err != nil || note.Title != m.Title {
		t.Errorf("the note is %v, %v", note, err)
	}
	for _, want := range []int{1, 2} {
		items, _, err := List(t.Context(), w, Options{})
		if err != nil || len(items) != want {
			t.Errorf("%d wait, want %d: %v", len(items), want, err)
		}
		if want == 1 {
			if err := Undo(t.Context(), w, d); err != nil {
				t.Error(err)
			}
		}
	}
	if notes, err := w.Journal.Notes(t.Context()); err != nil || len(notes) != 0 {
		t.Errorf("after undo it is still a note: %v, %v", notes, err)
	}
}
