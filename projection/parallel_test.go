package projection_test

import (
	"bytes"
	"sync"
	"testing"

	. "github.com/git-cortex/cortex/projection"
)

// TestParallel: all functions share the memories that they are given, which
// they do not change, and nothing else. It is for the race detector.
func TestParallel(t *testing.T) {
	memories := story()
	items := itemsOf(memories)
	shelf := shelf{}
	page, text := shelf.render(Decisions, memories), Brief(BriefInput{Items: items}).Text
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 5 {
				if got := render(Decisions, memories); !bytes.Equal(got, page) {
					t.Error("another page")
				}
				if got, err := Merge(Decisions, nil, page, page, shelf.store()); err != nil || !bytes.Equal(got, page) {
					t.Errorf("another merge: %v", err)
				}
				if got, _, err := Parse(Decisions, page, shelf.store()); err != nil || len(got) == 0 {
					t.Errorf("%d records: %v", len(got), err)
				}
				if got := Brief(BriefInput{Items: items}).Text; got != text {
					t.Error("another briefing")
				}
				RecallContext(recalled(items), HookBytes)
			}
		})
	}
	group.Wait()
}
