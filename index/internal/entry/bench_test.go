package entry

import (
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

func BenchmarkSketchOf(b *testing.B) {
	var words []uint32
	for i := range 90 {
		words = append(words, uint32(i*i)*2654435761)
	}
	for b.Loop() {
		SketchOf(words)
	}
}

// BenchmarkMaker is a memory of some 900 bytes among many, as a scan reads them.
func BenchmarkMaker(b *testing.B) {
	m := memory.New(memory.Decision, "Chose one file a memory", strings.Repeat("Files merge by themselves and git keeps them. ", 16), time.Unix(1700000000, 0))
	m.Tags, m.Files = []string{"storage", "merge"}, []string{"index/scan.go"}
	data, blob := memory.Format(m), strings.Repeat("b", 20)
	var by Maker
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		by.BlobID(data, false)
		if _, err := by.Make(blob, "x.md", data); err != nil {
			b.Fatal(err)
		}
	}
}
