package dependencies

import (
	"fmt"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// BenchmarkUnmet holds ten thousand decisions against what a project depends on; one in
// a hundred chooses a technology.
func BenchmarkUnmet(b *testing.B) {
	var live []*memory.Memory
	for i := range 10_000 {
		title := fmt.Sprintf("Keep the readings of gauge %d in segments of one day each", i)
		if i%100 == 0 {
			title = fmt.Sprintf("Use Redis for the cache of gauge %d", i)
		}
		live = append(live, memory.New(memory.Decision, title, "Old ones can be dropped whole, and nothing else reads them.", time.Unix(int64(i), 0)))
	}
	table := Builtin()
	b.ReportAllocs()
	for b.Loop() {
		if found := Unmet(live, table, func() []string { return []string{"left-pad"} }); len(found) != 100 {
			b.Fatal(len(found))
		}
	}
}
