package consolidate

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

func noted(typ memory.Type, title, text string, more ...func(*memory.Memory)) *memory.Memory {
	m := memory.New(typ, title, text, workspacetest.Clock().Add(-time.Hour))
	m.Source.Agent = "claude-code"
	for _, change := range more {
		change(m)
	}
	return m
}

// gauges are three memories of one matter.
func gauges() []*memory.Memory {
	return []*memory.Memory{
		noted(memory.Gotcha, "Tide gauges of the harbour sleep after 60 s of silence", "PollGauge must ask every 30 s. The log says \"gauge asleep\"."),
		noted(memory.Gotcha, "The tide gauges of the harbour sleep after 60 s of silence, so PollGauge must ask every 30 s or they return E42", ""),
		noted(memory.Gotcha, "Tide gauges of the harbour sleep after 60 s of silence", "PollGauge must ask every 30 s."),
	}
}

// TestWordings: one trap in three wordings is one group around the one that is like both
// others, whatever the forms and the order of its words, and its draft has what each says.
// Tabs and spaces in contrast to each other are none.
func TestWordings(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Put(t, w,
		noted(memory.Gotcha, "The staging database truncates timestamps to seconds, so orders_test.go fails when it compares milliseconds", ""),
		noted(memory.Gotcha, "Timestamps in the staging database are truncated to seconds: compare whole seconds, not milliseconds", ""),
		noted(memory.Gotcha, "Staging truncates timestamps to whole seconds (seen in PR 418), comparing milliseconds fails", ""),
		noted(memory.Gotcha, "The mail server of the staging cluster drops messages above 2 MB without a word", ""),
		noted(memory.Preference, "Indent the templates of the harbour office with tabs, not spaces", ""),
		noted(memory.Preference, "Indent the templates of the harbour office with spaces, not tabs", ""),
	)
	p, err := Propose(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Groups) != 1 || len(p.Groups[0].Members) != 3 {
		t.Fatalf("%+v", p.Groups)
	}
	draft := p.Groups[0].Draft
	for _, detail := range []string{"orders_test.go", "418", "not milliseconds", "whole seconds"} {
		if !strings.Contains(draft.Title+"\n"+draft.Text, detail) {
			t.Errorf("%q is lost in %+v", detail, draft)
		}
	}
}

// TestDetails: where something was seen does not tell two wordings of it apart, but what names other places does.
func TestDetails(t *testing.T) {
	for _, tt := range []struct {
		want int // members of the one group
		said []string
	}{
		{3, []string{"The buoy light fails at dusk, see buoy_test.go", "The light of the buoy fails at dusk", "At dusk the buoy light fails, since PR 77"}},
		{2, []string{"The ferry bell rings twice in fog (seen in PR 77)", "The ferry bell rings twice in fog, as bell.go says"}},
		{0, []string{"The bell rings twice in PR 77", "The bell rings twice in PR 78"}},
		{3, []string{
			"Without TZ=UTC the tide test fails by one day",
			"tide_test.go needs TZ=UTC, or the tide test fails by one day",
			"The tide test fails by one day unless TZ=UTC is set (PR 418)",
		}},
		{0, []string{"Without radar the pilot boat leaves the harbour by noon", "With radar the pilot boat leaves the harbour by noon"}},
		{0, []string{"The pilot boat leaves the harbour by noon with radar", "Without radar the pilot boat leaves the harbour by noon"}},
		{0, []string{"The pilot boat leaves the harbour without radar", "The pilot boat leaves the harbour with its radar"}},
	} {
		w := workspacetest.New(t)
		for _, text := range tt.said {
			workspacetest.Put(t, w, noted(memory.Gotcha, text, ""))
		}
		p, err := Propose(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, g := range p.Groups {
			got = max(got, len(g.Members))
		}
		if got != tt.want {
			t.Errorf("%q: a group of %d, want %d", tt.said, got, tt.want)
		}
	}
}

// TestTrapsOfOtherErrors: two traps in much the same words are no group where they have no error in common.
func TestTrapsOfOtherErrors(t *testing.T) {
	trap := func(title, text, err string) *memory.Memory {
		m := noted(memory.Fix, title, text)
		m.Triggers = []string{memory.Trigger(memory.TriggerError, err)}
		return m
	}
	npm := trap("`npm` is not available in the shell here: `pnpm test` is", "Tried: `npm test`. What works: `pnpm test`", "command not found: npm")
	for other, want := range map[*memory.Memory]int{
		trap("`npx` is not available in the shell here: `pnpm test` is", "Tried: `npx test`. What works: `pnpm test`", "command not found: npx"):  0,
		trap("`npm` is not available in this shell here: `pnpm test` is", "Tried: `npm test`. What works: `pnpm test`", "command not found: npm"): 1,
	} {
		w := workspacetest.New(t)
		workspacetest.Put(t, w, npm, other)
		p, err := Propose(t.Context(), w)
		if err != nil || len(p.Groups) != want {
			t.Errorf("%s: %v, %+v", other.Title, err, p.Groups)
		}
	}
}

// TestPropose: memories of one type in much the same words are a group. Those that say
// the opposite, name other numbers, are pinned, or are about something else are none.
func TestPropose(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Put(t, w, gauges()...)
	workspacetest.Put(t, w,
		noted(memory.Gotcha, "Tide gauges of the harbour do not sleep after 60 s of silence", "PollGauge must ask every 30 s."),
		noted(memory.Learned, "Tide gauges of the harbour sleep after 60 s of silence", "PollGauge must ask every 30 s."),
		noted(memory.Gotcha, "Tide gauges of the harbour sleep after 90 s of silence", "PollGauge must ask every 30 s."),
		noted(memory.Gotcha, "Tide gauges of the harbour sleep after 60 s of silence", "PollGauge must ask, every 30 s.", func(m *memory.Memory) { m.Pinned = true }),
		noted(memory.Learned, "The pier is painted by the pier office", ""),
		noted(memory.Learned, "The quay is painted by the quay office", ""),
		noted(memory.Decision, "Use Redis for the session cache of the web server", "It is fast enough."),
		noted(memory.Decision, "Don't use Redis for the session cache of the web server", "It is not fast enough."),
	)
	p, err := Propose(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Groups) != 1 {
		t.Fatalf("%d groups: %+v", len(p.Groups), p.Groups)
	}
	var ids, want []string
	for _, m := range p.Groups[0].Members {
		ids = append(ids, m.Entry.Memory.ID.Short())
	}
	for _, m := range gauges() {
		want = append(want, m.ID.Short())
	}
	slices.Sort(ids)
	slices.Sort(want)
	if !slices.Equal(ids, want) {
		t.Errorf("grouped %v, want %v", ids, want)
	}
	again, err := Propose(t.Context(), w)
	if err != nil || again.Groups[0].ID != p.Groups[0].ID || again.Groups[0].Draft != p.Groups[0].Draft {
		t.Errorf("the same memories give another group: %+v, %v", again.Groups[0], err)
	}
}

// TestDraftKeepsAll: whatever members say, each sentence of theirs stands in the draft, or
// one that says all of it; and nothing that they name is lost.
func TestDraftKeepsAll(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	parts := []string{
		"Gauges sleep after 60 s.", "Gauges of the harbour sleep after 60 s when nobody asks.", "PollGauge asks every 30 s.", "The log says \"gauge asleep\".",
		"See store/poll.go for the loop", "- never ask twice in a second", "1. open the valve", "```sh\nmake gauges\n```", "Do not poll in the night.", "Poll in the night.",
		"Frau Petersen owns the gauges", "E42 means that it sleeps!", "    indented code 7", "> quoted by the office", "Billing calls ledger.", "Ledger calls billing.",
	}
	pick := func(n int) string {
		var out []string
		for range n {
			out = append(out, parts[r.IntN(len(parts))])
		}
		sep := []string{" ", "\n", "\n\n"}[r.IntN(3)]
		if slices.ContainsFunc(out, func(s string) bool { return strings.HasPrefix(s, "`") }) {
			sep = "\n" // a fence begins a line
		}
		return strings.Join(out, sep)
	}
	for range 400 {
		var members []Member
		for range 2 + r.IntN(4) {
			m := noted(memory.Gotcha, strings.TrimSuffix(parts[r.IntN(5)], "."), pick(r.IntN(5)))
			members = append(members, Member{Entry: workspace.Entry{Memory: m}})
		}
		d := draftOf(members)
		draft := noted(memory.Gotcha, d.Title, d.Text)
		kept := sentencesOf(draft)
		for _, m := range members {
			old := m.Entry.Memory
			if draft.ID == old.ID {
				t.Fatalf("the draft is the member %q %q", old.Title, old.Text)
			}
			if lost := grounding.Lost(old.Title+"\n"+old.Text, d.Title+"\n"+d.Text); len(lost) > 0 {
				t.Fatalf("%q is lost of %q %q in\n%s\n%s", lost, old.Title, old.Text, d.Title, d.Text)
			}
			for _, s := range sentencesOf(old) {
				if !slices.ContainsFunc(kept, s.within) && !strings.Contains(d.Title+"\n"+d.Text, s.text) {
					t.Fatalf("%q is lost in\n%s\n%s", s.text, d.Title, d.Text)
				}
			}
		}
	}
}

// statuses returns the status of each memory by its short id.
func statuses(t *testing.T, w *workspace.Workspace) map[string]memory.Status {
	t.Helper()
	v, err := w.View(t.Context(), workspace.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]memory.Status{}
	for _, e := range v.Entries(t.Context()) {
		out[e.Memory.ID.Short()] = e.Status
	}
	return out
}

// TestApply: one memory comes of a group, with what a program knows of its members. They
// stay, superseded; and everything is in a snapshot before.
func TestApply(t *testing.T) {
	w := workspacetest.New(t)
	old := gauges()
	old[0].Tags, old[0].Files, old[0].Confidence = []string{"tide"}, []string{"poll.go"}, 0.9
	old[1].Entities, old[1].Confidence, old[1].Source.Session = []string{"PollGauge"}, 0.6, "0123456789"
	older := memory.ID("k7q2m9xw4d3h8t5v")
	old[1].Links = []memory.Link{{Rel: memory.Answers, To: older}, {Rel: memory.Supersedes, To: older}, {Rel: memory.RelatesTo, To: old[0].ID}}
	early, late := memory.Anchor{Path: "poll.go", Blob: strings.Repeat("1", 40)}, memory.Anchor{Path: "poll.go", Blob: strings.Repeat("2", 40)}
	old[0].Anchors, old[2].Anchors = []memory.Anchor{early}, []memory.Anchor{late}
	old[2].Confidence, old[2].Created = 0.8, old[2].Created.Add(time.Minute)
	workspacetest.Put(t, w, old...)
	p, err := Propose(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Apply(t.Context(), w, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Written) != 1 || len(out.Written[0].For) != 3 || out.Written[0].Waits || out.Written[0].Entry.Stage != index.Landed {
		t.Fatalf("%+v", out.Written)
	}
	m := out.Written[0].Entry.Memory
	if m.Confidence != 0.9 || !slices.Equal(m.Tags, []string{"tide"}) || !slices.Equal(m.Entities, []string{"PollGauge"}) || !slices.Equal(m.Seen, []string{"01234567"}) ||
		!slices.Equal(m.Anchors, []memory.Anchor{late}) || !slices.Equal(m.Linked(memory.Answers), []memory.ID{older}) || len(m.Linked(memory.RelatesTo)) != 0 ||
		len(m.Linked(memory.Supersedes)) != 3 || !view.Consolidated(m) {
		t.Errorf("%+v", m)
	}
	is := statuses(t, w)
	for _, o := range old {
		if is[o.ID.Short()] != memory.StatusSuperseded || workspacetest.Read(t, w, view.MemoryPath(o.Path())) == "" {
			t.Errorf("%s is %s", o.ID.Short(), is[o.ID.Short()])
		}
	}
	if is[m.ID.Short()] != memory.StatusActive {
		t.Errorf("the new one is %s", is[m.ID.Short()])
	}
	for _, o := range old {
		if workspacetest.Git(t, w, "show", out.Snapshot+":"+view.MemoryPath(o.Path())) == "" {
			t.Errorf("%s is not in the snapshot", o.ID.Short())
		}
	}
	if p, err = Propose(t.Context(), w); err != nil || len(p.Groups) != 0 || p.Since.New != 0 {
		t.Errorf("proposed again: %+v, %v", p, err)
	}
	if _, err := w.Forget(t.Context(), string(m.ID)); err != nil {
		t.Fatal(err)
	}
	if is := statuses(t, w)[old[0].ID.Short()]; is != memory.StatusActive {
		t.Errorf("without the new one it is %s", is)
	}
}

// TestAgent: what an agent writes is pending, and changes nothing for a person's memory.
func TestAgent(t *testing.T) {
	dir := workspacetest.New(t).Repo.Root
	env := workspacetest.Env(t, dir)
	env.Agent = "claude-code"
	w, err := workspace.Open(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	old := gauges()
	old[2].Source.Agent = memory.Human
	workspacetest.Put(t, w, old...)
	p, err := Propose(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Apply(t.Context(), w, p)
	if err != nil {
		t.Fatal(err)
	}
	if e := out.Written[0].Entry; e.Stage != index.Pending || !out.Written[0].Waits || e.Memory.Source.Layer != "curated" || e.Memory.Source.Agent != "claude-code" {
		t.Errorf("%+v", out.Written[0])
	}
	if is := statuses(t, w); is[old[0].ID.Short()] != memory.StatusActive || is[old[2].ID.Short()] != memory.StatusActive {
		t.Errorf("%v", is)
	}
}

// TestAnswer: what a reader words is held against the memories of its group.
func TestAnswer(t *testing.T) {
	w := workspacetest.New(t)
	old := gauges()
	workspacetest.Put(t, w, old...)
	p, err := Propose(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	id := p.Groups[0].ID
	const title = "Tide gauges of the harbour sleep after 60 s of silence"
	const whole = "PollGauge must ask every 30 s, or they return E42 and the log says \"gauge asleep\"."
	for name, c := range map[string]struct {
		group reworded
		want  string
	}{
		"a detail left out":     {reworded{id, nil, title, "PollGauge must ask every 30 s, or they return E42."}, "leaves out gauge asleep"},
		"a number left out":     {reworded{id, nil, "Tide gauges of the harbour sleep", whole}, "leaves out 60"},
		"a name made up":        {reworded{id, nil, title, whole + " Ask the Hafenamt."}, "the name Hafenamt"},
		"a number made up":      {reworded{id, nil, title, whole + " That takes 5 ms."}, "the number 5"},
		"an unknown group":      {reworded{"0123456789", nil, title, whole}, "no such group"},
		"one member":            {reworded{id, []string{string(old[0].ID)}, title, whole}, "fewer than two"},
		"a member of elsewhere": {reworded{id, []string{"k7q2m9x"}, title, whole}, "k7q2m9x is no memory of the group"},
		"a long title":          {reworded{id, nil, strings.Repeat(title+" ", 4), whole}, "the title is not"},
		"a title that points":   {reworded{id, nil, "This sleeps after 60 s of silence", whole}, "points at something else"},
		"words of a member":     {reworded{id, []string{old[0].ID.Short(), old[2].ID.Short()}, old[0].Title, old[0].Text}, "word by word"},
	} {
		out := answered(t, w, c.group)
		if len(out.Written) != 0 || len(out.Refused) != 1 || !strings.Contains(out.Refused[0].Reason, c.want) {
			t.Errorf("%s: %+v", name, out)
		}
	}
	out := answered(t, w, reworded{id, nil, title, whole})
	if len(out.Written) != 1 || out.Written[0].Entry.Memory.Text != whole {
		t.Fatalf("%+v", out)
	}
	if out = answered(t, w, reworded{id, nil, title, whole}); len(out.Refused) != 1 || !strings.Contains(out.Refused[0].Reason, ErrNoGroup.Error()) {
		t.Errorf("applied twice: %+v", out)
	}
	for _, bad := range []string{"", "no", `{"groups":[],"more":1}`, `{"groups":[]} x`, strings.Repeat(" ", 3) + `[`} {
		var refused *RefusedError
		if _, err := Answer(t.Context(), w, []byte(bad)); !errors.As(err, &refused) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func answered(t *testing.T, w *workspace.Workspace, groups ...reworded) *Outcome {
	t.Helper()
	data, err := json.Marshal(reply{groups})
	if err != nil {
		t.Fatal(err)
	}
	out, err := Answer(t.Context(), w, data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestUnconsolidated: what is new counts from the last look, and from the last time that
// memories were brought together, in whatever clone.
func TestUnconsolidated(t *testing.T) {
	w := workspacetest.New(t)
	for i := range 12 {
		workspacetest.Put(t, w, noted(memory.Learned, fmt.Sprintf("Gauge %d stands at pier %d", i, i*7), "", func(m *memory.Memory) { m.Created = workspacetest.Clock().Add(time.Duration(i-6) * time.Minute) }))
	}
	count := func() workspace.Unconsolidated {
		v, err := w.View(t.Context(), workspace.ViewOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return w.Unconsolidated(v)
	}
	if u := count(); u != (workspace.Unconsolidated{New: 12, All: 12, Due: 1}) {
		t.Errorf("at first: %+v", u)
	}
	w.Config.Consolidate.All = 12
	if u := count(); u.Due != 2 {
		t.Errorf("both: %+v", u)
	}
	w.LookedAtGroups()
	if u := count(); u.New != 5 || u.Due != 1 {
		t.Errorf("after a look: %+v", u)
	}
	a, b := memory.ID("k7q2m9xw4d3h8t5v"), memory.ID("3mfw0c1r5t9k2v7x")
	workspacetest.Put(t, w, noted(memory.Learned, "Gauges stand at piers", "", func(m *memory.Memory) {
		m.Created = workspacetest.Clock().Add(5 * time.Minute)
		for _, id := range []memory.ID{a, b} {
			m.Links = append(m.Links, memory.Link{Rel: memory.DerivedFrom, To: id}, memory.Link{Rel: memory.Supersedes, To: id})
		}
	}))
	if u := count(); u.New != 0 || u.Due != 0 {
		t.Errorf("after it was done: %+v", u)
	}
}

// TestUnconsolidatedLater: a clock that was set wrong neither silences the suggestion for
// years nor keeps it up.
func TestUnconsolidatedLater(t *testing.T) {
	w := workspacetest.New(t)
	later := func(m *memory.Memory) { m.Created = workspacetest.Clock().AddDate(9, 0, 0) }
	for i := range 12 {
		workspacetest.Put(t, w, noted(memory.Learned, fmt.Sprintf("Gauge %d stands at pier %d", i, i*7), ""))
	}
	workspacetest.Put(t, w, noted(memory.Learned, "Piers will be moved", "", later), noted(memory.Learned, "Gauges stand at piers", "", later, func(m *memory.Memory) {
		for _, id := range []memory.ID{"k7q2m9xw4d3h8t5v", "3mfw0c1r5t9k2v7x"} {
			m.Links = append(m.Links, memory.Link{Rel: memory.DerivedFrom, To: id}, memory.Link{Rel: memory.Supersedes, To: id})
		}
	}))
	if u := w.Unconsolidated(workspacetest.View(t, w, workspace.ViewOptions{})); u.New != 12 || u.Due != 1 {
		t.Errorf("at first: %+v", u)
	}
	w.LookedAtGroups()
	if u := w.Unconsolidated(workspacetest.View(t, w, workspace.ViewOptions{})); u.New != 0 {
		t.Errorf("after a look: %+v", u)
	}
	facts.Write(w.Repo, facts.Groups, []string{strconv.FormatInt(workspacetest.Clock().AddDate(9, 0, 0).Unix(), 10)})
	if u := w.Unconsolidated(workspacetest.View(t, w, workspace.ViewOptions{})); u.New != 12 || u.Due != 1 {
		t.Errorf("after a look by a clock that was set wrong: %+v", u)
	}
}

// TestFences: a fence ends at its own mark, and one that was never closed is closed.
func TestFences(t *testing.T) {
	for text, want := range map[string]string{
		"~~~\nmake\n```\nnot the end\n~~~": "~~~\nmake\n```\nnot the end\n~~~",
		"  ```sh\n  make":                  "  ```sh\n  make\n```",
	} {
		got := sentencesOf(memory.New(memory.Fix, "Say how", text, workspacetest.Clock()))
		if len(got) != 2 || !got[1].block || strings.TrimSpace(got[1].text) != strings.TrimSpace(want) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestOrigin: what stands for several memories has the weakest of their origins.
func TestOrigin(t *testing.T) {
	w := workspacetest.New(t)
	for _, test := range []struct{ a, b, want string }{
		{memory.OriginPerson, memory.OriginPerson, memory.OriginPerson},
		{memory.OriginPerson, memory.OriginAgent, memory.OriginAgent},
		{memory.OriginAgent, "", ""},
		{memory.OriginOutside, memory.OriginPerson, memory.OriginOutside},
	} {
		member := func(origin string) Member {
			return Member{Entry: workspace.Entry{Memory: noted(memory.Gotcha, "Tide gauges sleep", origin, func(m *memory.Memory) { m.Source.Origin = origin })}}
		}
		p := piece{members: []Member{member(test.a), member(test.b)}, draft: Draft{Title: "Tide gauges sleep", Text: "All of them."}}
		if got := p.memory(w).Source.Origin; got != test.want {
			t.Errorf("of %q and %q: %q, want %q", test.a, test.b, got, test.want)
		}
	}
}
