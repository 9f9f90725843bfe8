package graph

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// BenchmarkDerive derives the graph of a view: with similarity and nothing kept of an
// earlier run, with what memories say of themselves alone, and from the cache folder.
func BenchmarkDerive(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		s := newShelf(b, madeUp(1, n)...)
		for _, kind := range []struct {
			name          string
			similar, keep bool
		}{{"similar", true, false}, {"links", false, false}, {"cached", true, true}} {
			b.Run(fmt.Sprintf("%s/%dk", kind.name, n/1000), func(b *testing.B) {
				for b.Loop() {
					if !kind.keep {
						_ = os.Remove(s.index.CacheFile(graphName))
					}
					if _, err := Derive(context.Background(), s.index, s.view, Options{Similar: kind.similar}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkSimilarPairs shows how the time of comparing grows with the number
// of memories: divide by it.
func BenchmarkSimilarPairs(b *testing.B) {
	for _, n := range []int{1000, 10_000, 50_000} {
		b.Run(fmt.Sprintf("%dk", n/1000), func(b *testing.B) {
			signatures, sketches := similarCorpus(n)
			pairs := 0
			for b.Loop() {
				pairs = len(similarPairs(sketches, signatures))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/memory")
			b.ReportMetric(float64(pairs)/float64(n), "pairs/memory")
		})
	}
}
