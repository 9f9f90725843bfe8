package recall

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestHitsOutliveTheirTable: what was found can be read when the file is closed,
// and so no longer in memory.
func TestHitsOutliveTheirTable(t *testing.T) {
	trap := made("quill test finds nothing", "Use `npx quill` in packages/api.", "command: quill test")
	trap.Files = []string{"packages/api/quill.json"}
	name := filepath.Join(t.TempDir(), "table")
	data := Build("stamp", []Doc{{Blob: "a"}}, nil, 1, func(int) *memory.Memory { return trap })
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{All: true}, {All: true, Again: func(memory.ID) bool { return true }}} {
		table, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		hits := table.Find(Moment{Kind: Command, Command: "quill test", Triggers: trap.Triggers}, opt)
		if err := table.Close(); err != nil {
			t.Fatal(err)
		}
		if len(hits) != 1 {
			t.Fatalf("found %d", len(hits))
		}
		h := hits[0]
		if h.ID != trap.ID || h.Type != trap.Type || h.Line == "" || h.Files[0] != trap.Files[0] || h.Triggers[0] != trap.Triggers[0] || h.Said[0] == "" {
			t.Errorf("%+v", h)
		}
		for _, w := range h.Why {
			if w.Kind == "" || w.Text == "" {
				t.Errorf("reason %+v", w)
			}
		}
	}
}

// TestBoost: what became of a memory that was shown moves its score a little, and
// says so.
func TestBoost(t *testing.T) {
	trap := made("quill test finds nothing", "Use `npx quill` in packages/api.", "command: quill test")
	table := library(t, trap)
	m := Moment{Kind: Command, Command: "quill test", Triggers: trap.Triggers}
	plain := table.Find(m, Options{All: true})[0]
	less := table.Find(m, Options{All: true, Boost: func(memory.ID) float64 { return 0.875 }})[0]
	if less.Score >= plain.Score || less.Score < 0.87*plain.Score {
		t.Errorf("%v became %v", plain.Score, less.Score)
	}
	if !contains(less.Why, "shown") || contains(plain.Why, "shown") {
		t.Errorf("reasons %+v", less.Why)
	}
}

func contains(reasons []Reason, kind string) bool {
	for _, r := range reasons {
		if r.Kind == kind {
			return true
		}
	}
	return false
}
