package recall

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestMoments: a memory of any type and layer is said at the moments that it names, and
// for them at no other.
func TestMoments(t *testing.T) {
	call := func(words string) Moment {
		return Moment{Kind: Command, Command: words, Calls: [][]string{strings.Fields(words)}}
	}
	for _, tt := range []struct {
		trigger string
		moment  Moment
		want    bool
	}{
		{"before: git stash", call("git stash pop"), true},
		{"before: git stash", call("git -C api stash"), true},
		{"before: git stash", call("git status"), false},
		{"before: git stash", Moment{Kind: Prompt, Prompt: "what does git stash do?"}, false},
		{"before: pnpm test --run", call("pnpm --filter web test --run"), true},
		{"before: pnpm test --run", call("pnpm test"), false},
		{"before: gauges/poll.go", Moment{Kind: File, File: "gauges/poll.go"}, true},
		{"before: gauges/poll.go", Moment{Kind: File, File: "/home/x/harbour/gauges/poll.go"}, true},
		{"before: gauges/poll.go", Moment{Kind: File, File: "gauges/poll_test.go"}, false},
		{"before: gauges/", Moment{Kind: File, File: "gauges/poll_test.go"}, true},
		{"before: *.gen.go", Moment{Kind: File, File: "gauges/poll.gen.go"}, true},
		{"before: scripts/dike.sh", call("dike.sh --close"), true},
		{"when: release notes", Moment{Kind: Prompt, Prompt: "Please write the notes for this release."}, true},
		{"when: release notes", Moment{Kind: Prompt, Prompt: "Please release it."}, false},
		{"when: release notes", call("notes release"), false},
		{"when: ERR_SLUICE_SHUT", Moment{Kind: Error, Error: "Error [ERR_SLUICE_SHUT]: not now"}, true},
		{"when: ERR_SLUICE_SHUT", Moment{Kind: Error, Error: "Error [ERR_SLUICE_OPEN]: not now"}, false},
		{"when: docs/tides.md", Moment{Kind: Prompt, Prompt: "look at docs/tides.md again"}, true},
		{"when: sluice gate", Moment{Kind: Question, Question: "Which gate of the sluice?"}, true},
		{"when: sluice gate", Moment{Kind: Search, Search: "sluice_gate|gate"}, true},
		{"when: notes", Moment{Kind: Prompt, Prompt: "notes"}, false},                // one word tells nothing
		{"when: it is so", Moment{Kind: Prompt, Prompt: "why is it so slow"}, false}, // nor do these
		{"before: ", call("git stash"), false},
		{"someday: git stash", call("git stash"), false}, // of a newer version
	} {
		for _, typ := range []memory.Type{memory.Decision, memory.Architecture, memory.Gotcha} {
			m := made("Warders keep ferrets", "They are white.")
			m.Type, m.Triggers = typ, []string{tt.trigger}
			if tt.moment.Kind != File {
				m.Source.Layer = layerCurated
			}
			hits := library(t, m).Find(tt.moment, Options{})
			if got := len(hits) == 1 && hits[0].ID == m.ID && contains(hits[0].Why, "rule"); got != tt.want || !tt.want && len(hits) > 0 {
				t.Errorf("%s, %q at %+v: said %v", typ, tt.trigger, tt.moment, got)
			}
		}
	}
}

// TestMomentsOfTraps: a trap that names a moment besides its error is said at that, and a
// memory that names moments is no trap.
func TestMomentsOfTraps(t *testing.T) {
	m := made("Warders keep ferrets", "They are white.", "error: ferret not found", "command: warder feed", "before: warder wash")
	wash := Moment{Kind: Command, Command: "warder wash", Calls: [][]string{{"warder", "wash"}}, Triggers: []string{"command: warder wash", "command: warder"}}
	if hits := library(t, m).Find(wash, Options{}); len(hits) != 1 || hits[0].ID != m.ID {
		t.Errorf("not said before the call that it names: %+v", hits)
	}
	if memory.IsTrap([]string{"before: git stash", "when: a b"}) || !memory.IsTrap(m.Triggers) || memory.IsTrap(nil) {
		t.Error("traps are not told from others")
	}
}

// TestCuratedEdits: a file that a reader names is spoken of where it is changed, and the
// change shares words with the memory.
func TestCuratedEdits(t *testing.T) {
	m := made("Warders keep ferrets in the dike house", "They are white.", "before: gauges/poll.go")
	m.Source.Layer = layerCurated
	for input, want := range map[string]bool{"": false, "x := 1": false, "ferrets(dike)": true} {
		hits := library(t, m).Find(Moment{Kind: File, File: "gauges/poll.go", Input: input}, Options{})
		if got := len(hits) == 1 && hits[0].Speaks; got != want {
			t.Errorf("%q: said %v; %+v", input, got, hits)
		}
	}
}

// TestCuratedThresholds: what a reader worded has to share more with a prompt and a search.
func TestCuratedThresholds(t *testing.T) {
	h, curated := Hit{}, Hit{curated: true}
	if h.threshold(Search) >= curated.threshold(Search) || h.threshold(Prompt) >= curated.threshold(Prompt) || h.threshold(Error) != curated.threshold(Error) {
		t.Errorf("%v, %v", h.threshold(Search), curated.threshold(Search))
	}
}

// TestOpensPrompt: at a prompt one memory has to be well on its subject before another is
// said beside it.
func TestOpensPrompt(t *testing.T) {
	for _, x := range []struct {
		scores []float64
		said   int
	}{
		{[]float64{1.55}, 0},
		{[]float64{1.65, 1.55}, 2},
		{[]float64{1.65, 1.45}, 1},
	} {
		var hits []Hit
		for _, s := range x.scores {
			hits = append(hits, Hit{Score: s, Said: []string{"the tides"}})
		}
		if got := decide(Prompt, hits, Options{}); len(got) != x.said {
			t.Errorf("of %v %d are said, want %d", x.scores, len(got), x.said)
		}
	}
}
