package memory_test

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// TestParallel: all functions share the memory that they are given, which they
// do not change, and nothing else. It is for the race detector.
func TestParallel(t *testing.T) {
	m := memory.New(memory.Decision, "Chose Bluge", "It needs `no` cgo.\n\n- a\n- <b>", time.Unix(1700000000, 0))
	m.Tags, m.Links = []string{" a", "b"}, []memory.Link{{Rel: memory.Refines, To: "0123456789abcdef"}}
	data := memory.Format(m)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				got, err := memory.Parse("x.md", data)
				if err != nil || !bytes.Equal(memory.Format(got), data) || !bytes.Equal(memory.Format(m), data) {
					t.Errorf("another file: %v", err)
				}
				merged, err := memory.Merge(nil, m, got, func(_, ours, _ string) (string, bool) { return ours, true })
				if err != nil || merged.ID != m.ID {
					t.Errorf("another memory: %v", err)
				}
				memory.Plain(m.Text)
				memory.Defang(m.Text)
				memory.Tokens(m.Text)
				sameness.Signature(m.Title, m.Text)
				memory.Statuses([]memory.Node{{ID: m.ID}})
			}
		})
	}
	group.Wait()
}
