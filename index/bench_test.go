package index

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var benchBig = flag.Bool("big", false, "benchmark with 100,000 memories too")

// bench is a prepared tree with caches, shared by the benchmarks of a size.
type bench struct {
	dir, root string
	corpus    *corpus
}

func prepare(b *testing.B, n int) *bench {
	b.Helper()
	c := newCorpus(1)
	x := &bench{dir: b.TempDir(), corpus: c}
	x.root = filepath.Join(x.dir, "memories")
	writeTree(b, x.root, c.memories(n))
	i := x.open()
	v := viewOf(scan(b, i, x.root))
	update(b, i, v)
	if err := i.Close(); err != nil {
		b.Fatal(err)
	}
	i = x.open() // past the moment in which files count as racily clean
	scan(b, i, x.root)
	_ = i.Close()
	return x
}

func (x *bench) open() *Index { return Open(Options{Dir: filepath.Join(x.dir, "cache")}) }

func sizes() []int {
	if *benchBig {
		return []int{1000, 10_000, 100_000}
	}
	return []int{1000, 10_000}
}

func each(b *testing.B, run func(b *testing.B, x *bench)) {
	for _, n := range sizes() {
		b.Run(fmt.Sprintf("%dk", n/1000), func(b *testing.B) {
			x := prepare(b, n)
			b.ResetTimer()
			run(b, x)
		})
	}
}

// BenchmarkScan is one stat pass over an unchanged tree, catalog loaded anew.
func BenchmarkScan(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		for b.Loop() {
			i := x.open()
			if t := scan(b, i, x.root); t.Read != 0 {
				b.Fatalf("%d files were read again", t.Read)
			}
			_ = i.Close()
		}
	})
}

// BenchmarkScanCold reads every file of a tree, as the first command of a clone does.
func BenchmarkScanCold(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		b.ReportAllocs()
		for b.Loop() {
			_ = os.RemoveAll(filepath.Join(x.dir, "cache"))
			i := x.open()
			viewOf(scan(b, i, x.root))
			_ = i.Close()
		}
	})
}

func BenchmarkCatalogLoad(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		for b.Loop() {
			i := x.open()
			i.catalog.load()
			_ = i.Close()
		}
	})
}

func BenchmarkOpenSegments(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		for b.Loop() {
			s, err := x.open().folder().Open()
			if err != nil {
				b.Fatal(err)
			}
			s.Close()
		}
	})
}

// BenchmarkSearchCold measures one search by a new process: open, scan, search.
func BenchmarkSearchCold(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		queries := x.corpus.queries(64)
		n := 0
		for b.Loop() {
			i := x.open()
			i.Warm()
			r := find(b, i, viewOf(scan(b, i, x.root)), queries[n%len(queries)], 10)
			if r.Overlay != 0 {
				b.Fatalf("%d not indexed", r.Overlay)
			}
			_ = i.Close()
			n++
		}
	})
}

// BenchmarkSearchWarm measures one search by a server, which keeps the index open.
func BenchmarkSearchWarm(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		queries := x.corpus.queries(64)
		i := x.open()
		v := viewOf(scan(b, i, x.root))
		n := 0
		for b.Loop() {
			find(b, i, v, queries[n%len(queries)], 10)
			n++
		}
		_ = i.Close()
	})
}

// BenchmarkAddOne adds a memory, searches, and indexes it.
func BenchmarkAddOne(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		for b.Loop() {
			writeTree(b, x.root, x.corpus.memories(1))
			i := x.open()
			i.Warm()
			v := viewOf(scan(b, i, x.root))
			find(b, i, v, "journal snapshot", 10)
			if update(b, i, v) != 1 {
				b.Fatal("not indexed")
			}
			_ = i.Close()
		}
	})
}

// BenchmarkRebuild builds everything from the files.
func BenchmarkRebuild(b *testing.B) {
	each(b, func(b *testing.B, x *bench) {
		for b.Loop() {
			_ = os.RemoveAll(filepath.Join(x.dir, "cache"))
			i := x.open()
			if err := i.Rebuild(context.Background(), viewOf(scan(b, i, x.root)), nil); err != nil {
				b.Fatal(err)
			}
			_ = i.Close()
		}
	})
}
