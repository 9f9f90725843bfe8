package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// TestPairedMemories has git's rename detection take two memories for one: one
// side replaces a memory by another in much the same words, the other side
// edits or replaces it too. No word of any side may go without a conflict.
func TestPairedMemories(t *testing.T) {
	fullOnly(t, "a script, merge-paired, walks one way through this")
	t.Parallel()
	for _, tc := range []struct{ edited, swap bool }{{true, false}, {true, true}, {false, true}, {false, false}} {
		t.Run(fmt.Sprintf("edited %v, swapped %v", tc.edited, tc.swap), func(t *testing.T) {
			t.Parallel()
			h := newHistory(t, "drivers", rand.New(rand.NewPCG(7, 7)), 3)
			old := h.like("old")
			h.commit("shared")
			h.git("branch", "-f", "one")
			h.replace(old, "new")
			h.commit("replace")
			h.switchTo("one")
			if tc.edited {
				h.edit(old.ID, ".cortex/memories/"+old.Path())
			} else {
				h.replace(old, "newer")
			}
			h.commit("other side")
			if tc.swap {
				h.join("merge", "ort", "main")
			} else {
				h.switchTo("main")
				h.join("merge", "ort", "one")
			}
			if h.stops != 1 {
				t.Errorf("git stopped %d times:\n%s", h.stops, strings.Join(h.log, "\n"))
			}
			h.finish()
		})
	}
}

// like adds a memory that is like its kin but for its title and one line.
func (h *history) like(title string) *memory.Memory {
	text := strings.Repeat("The gauge is read every minute and its values are kept.\n\n", 12)
	m := memory.New(memory.Decision, "Gauge of the "+title+" kind", text+"It is "+title+".", time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC))
	h.write(".cortex/memories/"+m.Path(), string(memory.Format(m))+"\n") // an editor's last line
	return m
}

func (h *history) replace(old *memory.Memory, title string) {
	h.like(title)
	if err := os.Remove(filepath.Join(h.dir, ".cortex/memories", old.Path())); err != nil {
		h.t.Fatal(err)
	}
}
