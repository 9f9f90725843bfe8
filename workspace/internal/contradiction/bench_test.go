package contradiction_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

func BenchmarkFind(b *testing.B) {
	var live []*memory.Memory
	for i := range 10_000 {
		title := fmt.Sprintf("Readings of the station of pier %d are kept for 30 days, because queries name it", i)
		live = append(live, memory.New(memory.Decision, title, "", time.Date(2026, 3, 1, 0, i, 0, 0, time.UTC)))
	}
	for b.Loop() {
		contradiction.Find(live, anybody)
	}
}
