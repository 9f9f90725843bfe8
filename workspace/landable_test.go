package workspace

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// TestHeldMemories: what may not be for everybody, and what would replace a person's
// memory on an agent's word, lands neither by itself nor with all.
func TestHeldMemories(t *testing.T) {
	w := newWorkspace(t)
	by := func(agent string, m *memory.Memory, links ...memory.Link) *memory.Memory {
		m.Source.Agent, m.Links = agent, links
		return m
	}
	person := by(memory.Human, sure(memory.Decision, "We keep segments", 1, 9))
	person.Pinned = true
	agents := by("claude-code", sure(memory.Decision, "Agents keep tables", 1, 9))
	answer := by("claude-code", sure(memory.Decision, "The user chose poll", 0.95, 9))
	answer.Source.Layer = string(session.LayerAnswer)
	w.put(t, person, agents, answer)
	supersedes := func(m *memory.Memory) memory.Link { return memory.Link{Rel: memory.Supersedes, To: m.ID} }
	held := sure(memory.Gotcha, "Held for a person", 1, 1)
	held.Hold = memory.HoldPrivate
	concluded := func(m *memory.Memory) *memory.Memory { m.Source.Origin = memory.OriginAgent; return m }
	w.putPending(t,
		held,
		sure(memory.Gotcha, "The gateway of the plant is at 192.168.17.4", 1, 1),
		sure(memory.Gotcha, "Ask ina.quill@harbour-works.de before the export", 1, 1),
		by("claude-code", sure(memory.Decision, "Tables replace segments", 1, 1), supersedes(person)),
		by("claude-code", sure(memory.Decision, "Interrupts replace poll", 1, 1), supersedes(answer)),
		by("claude-code", sure(memory.Decision, "Not segments", 1, 1),
			memory.Link{Rel: memory.Contradicts, To: person.ID}),
		concluded(by("claude-code", sure(memory.Decision, "Columns replace tables", 1, 1), supersedes(agents))),
		by(memory.Human, sure(memory.Decision, "Now rows, says a person", 1, 1), supersedes(person)),
	)
	w.lander.policy.LandMax, w.lander.policy.LandBranchMax = 100, 100
	v := w.view(t, ViewOptions{})
	want := []string{"Columns replace tables", "Now rows, says a person"}
	for name, choice := range map[string]landChoice{"by policy": {}, "all": {all: true}} {
		picked, err := w.lander.pick(t.Context(), w.judge(t, v), nil, choice)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range picked {
			got = append(got, e.Memory.Title)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: picked %q, want %q", name, got, want)
		}
	}
	for title, want := range map[string]memory.Status{
		"Agents keep tables": memory.StatusSuperseded, "The user chose poll": memory.StatusActive,
		"We keep segments": memory.StatusSuperseded,
	} {
		i := slices.IndexFunc(v.Items, func(it index.Item) bool {
			return strings.Contains(it.Path,
				memory.Slug(title))
		})
		if got := v.Items[i].Status; got != want {
			t.Errorf("%q is %s, want %s", title, got, want)
		}
	}
	// Named by a person it lands, and is held no longer.
	if _, err := w.Land(t.Context(), []string{string(held.ID)}, false); err != nil {
		t.Fatal(err)
	}
	if e, err := w.view(t, ViewOptions{}).Find(t.Context(), string(held.ID)); err != nil || e.Memory.Hold != "" ||
		e.Stage != "landed" {
		t.Errorf("landed by name: %+v, %v", e, err)
	}
	w.lander.agent = "claude-code"
	if _, err := w.Land(t.Context(), []string{string(sure(memory.Decision, "Tables replace segments", 1, 1).ID)},
		false); err == nil {
		t.Error("an agent landed what replaces a person's memory")
	}
}

// TestSomeSureKept: that no pending memory is sure enough is kept until another one is pending, and
// for one policy and one version of the program.
func TestSomeSureKept(t *testing.T) {
	w := newWorkspace(t)
	w.putPending(t, sure(memory.Decision, "Perhaps", 0.5, 1), sure(memory.Decision, "Nearly", 0.84, 1))
	notes := func() int {
		found, _ := filepath.Glob(filepath.Join(w.Repo.CacheDir(), "sure-1-*"))
		return len(found)
	}
	is := func(name string, want bool) {
		t.Helper()
		for range 2 {
			if got := w.lander.someSure(t.Context()); got != want {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
	is("nothing sure", false)
	if notes() != 1 {
		t.Error("no note is kept")
	}
	w.lander.policy.LandConfidence = 0.8
	is("another policy", true)
	w.lander.policy.LandConfidence = 0.85
	is("the policy from before", false)
	w.putPending(t, sure(memory.Fix, "Sure", 1, 1))
	is("one that is sure", true)
	w.lander.policy.LandConfidence = 0.85
	w.lander.version = "another"
	is("another version", true)
}
