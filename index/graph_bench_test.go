package index

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// BenchmarkGraph derives the graph of a view, similarity included, with
// nothing kept of an earlier run.
func BenchmarkGraph(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		i := x.open()
		v := i.View(viewOf(scan(b, i, x.root)).Items)
		for b.Loop() {
			_ = os.Remove(i.path(graphName))
			if _, err := i.Graph(context.Background(), v, GraphOptions{Similar: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkGraphLinks is the part of it that memories say of themselves.
func BenchmarkGraphLinks(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		i := x.open()
		v := i.View(viewOf(scan(b, i, x.root)).Items)
		_ = os.Remove(i.path(graphName))
		for b.Loop() {
			if _, err := i.Graph(context.Background(), v, GraphOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkGraphCached is the same as it comes from the cache folder.
func BenchmarkGraphCached(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		i := x.open()
		v := i.View(viewOf(scan(b, i, x.root)).Items)
		_, _ = i.Graph(context.Background(), v, GraphOptions{Similar: true})
		for b.Loop() {
			if _, err := i.Graph(context.Background(), v, GraphOptions{Similar: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
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
