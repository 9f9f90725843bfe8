package recall

import (
	"fmt"
	"slices"
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
// change shares many words with the memory, more than a change of another file has to.
func TestCuratedEdits(t *testing.T) {
	m := made("Warders keep ferrets in the dike house", "They are white and sleep beside the pump.", "before: gauges/poll.go")
	m.Source.Layer = layerCurated
	const change = "warders feed ferrets(dike, house, pump); white ones sleep"
	for _, tt := range []struct {
		file, input string
		want        bool
	}{
		{"gauges/poll.go", "", false},
		{"gauges/poll.go", "x := 1", false},
		{"gauges/poll.go", "ferrets(dike)", false},
		{"gauges/poll.go", change, true},
		{"gauges/other.go", change, false},
	} {
		hits := library(t, m).Find(Moment{Kind: File, File: tt.file, Input: tt.input}, Options{})
		if got := len(hits) == 1 && hits[0].Speaks; got != tt.want {
			t.Errorf("%s, %q: said %v; %+v", tt.file, tt.input, got, hits)
		}
	}
}

// TestCuratedCalls: a command that a reader names is spoken of alone while few memories
// name its program, and a person's rule about it always.
func TestCuratedCalls(t *testing.T) {
	call := Moment{Kind: Command, Command: "quill push", Calls: [][]string{{"quill", "push"}}}
	for _, tt := range []struct {
		named int // memories that name the program
		layer string
		want  bool
	}{{1, layerCurated, true}, {60, layerCurated, false}, {60, "user", true}} {
		all := []*memory.Memory{made("Warders keep ferrets", "They are white.", "before: quill push")}
		all[0].Source.Layer = tt.layer
		for i := range tt.named - 1 {
			other := made(fmt.Sprintf("Ferry %d leaves the pier", i), "It is late.", "before: quill count")
			other.Source.Layer = tt.layer
			all = append(all, other)
		}
		hits := library(t, all...).Find(call, Options{})
		if got := len(hits) == 1 && hits[0].ID == all[0].ID; got != tt.want {
			t.Errorf("named by %d of layer %s: said %v; %+v", tt.named, tt.layer, got, hits)
		}
	}
}

// TestCuratedTitles: at a prompt what the title of a reader names counts more than what
// stands in the text alone.
func TestCuratedTitles(t *testing.T) {
	titled := made("Warders keep ferrets", "They sleep beside the pump.")
	inText := made("Warders keep the pump", "They sleep beside ferrets.")
	score := func(m *memory.Memory, layer string) float64 {
		m.Source.Layer = layer
		return library(t, m).Find(Moment{Kind: Prompt, Prompt: "where are the ferrets"}, Options{All: true})[0].Score
	}
	if a, b := score(titled, layerCurated), score(inText, layerCurated); a <= b {
		t.Errorf("in the title %v, in the text %v", a, b)
	}
	if a, b := score(titled, "answer"), score(inText, "answer"); a != b {
		t.Errorf("of another layer: in the title %v, in the text %v", a, b)
	}
}

// TestTurnedDown: a prompt that shares much with what was rejected is told so, though it names nothing in code.
func TestTurnedDown(t *testing.T) {
	m := made("Drawing the tide tables with gnuplot as pictures: it would be the first program to be installed", "")
	for kind, want := range map[memory.Type]bool{memory.Rejected: true, memory.Learned: false} {
		m.Type = kind
		for prompt, about := range map[string]bool{
			"make pictures of the tide with gnuplot": true, "let's use gnuplot for the tables": true, "the tide is high": false,
		} {
			hits := library(t, m).Find(Moment{Kind: Prompt, Prompt: prompt}, Options{All: true})
			if said := len(hits) > 0 && hits[0].Speaks; said != (want && about) {
				t.Errorf("%s, %q: said %v", kind, prompt, said)
			}
		}
	}
}

// TestCuratedThresholds: what a reader worded has to share more with a search and a call.
func TestCuratedThresholds(t *testing.T) {
	h, curated := Hit{}, Hit{curated: true}
	for _, k := range Kinds() {
		more := k == Search || k == Command || k == File
		if a, b := h.threshold(k), curated.threshold(k); a > b || a == b && more || a < b && !more {
			t.Errorf("%s: %v, %v", k, a, b)
		}
	}
}

// TestBeside: at a prompt a memory is said beside another if it has most of its score.
func TestBeside(t *testing.T) {
	for _, x := range []struct {
		scores  []float64
		curated bool // the first
		said    int
	}{
		{[]float64{1.9}, false, 0},
		{[]float64{2.1, 2.05}, false, 2},
		{[]float64{2.1, 1.95}, false, 1},
		{[]float64{4, 2.1}, false, 1}, // far from the best
		{[]float64{9, 3.1}, false, 2}, // far from it, and one and a half times the threshold
		{[]float64{1.95, 1.65}, true, 0},
		{[]float64{2.05, 2}, true, 2},
	} {
		var hits []Hit
		for i, s := range x.scores {
			hits = append(hits, Hit{Score: s, Said: []string{"the tides"}, titled: true, curated: x.curated && i == 0})
		}
		if got := decide(Prompt, slices.Clone(hits), Options{}); len(got) != x.said {
			t.Errorf("of %v %d are said, want %d", x.scores, len(got), x.said)
		}
		for _, h := range decide(Prompt, hits, Options{All: true}) {
			why := ""
			switch {
			case h.Score < h.Threshold:
				why = LeftWeak
			case !h.Speaks:
				why = LeftFar
			}
			if h.Left != why {
				t.Errorf("of %v, %v is left because it is %q, want %q", x.scores, h.Score, h.Left, why)
			}
		}
	}
}
