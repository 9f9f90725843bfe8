package vector

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// benchStore is n vectors of 256 dimensions on disk, and the view of them.
func benchStore(b *testing.B, n int) (*Store, View) {
	b.Helper()
	const dims = 256
	s := newStock(b, n)
	v := s.open(b, &hashModel{dims: dims})
	data := formatHeader("hash", dims, 40)
	r := rand.New(rand.NewPCG(1, 1))
	for _, blob := range s.blobs {
		vector := make([]float32, dims)
		for k := range vector {
			vector[k] = r.Float32() - 0.5
		}
		data = append(data, newRecord(blob, vector)...)
	}
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(v.path(), data, 0o666); err != nil {
		b.Fatal(err)
	}
	return v, s.view()
}

func eachSize(b *testing.B, run func(b *testing.B, v *Store, view View)) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("%dk", n/1000), func(b *testing.B) {
			v, view := benchStore(b, n)
			b.ResetTimer()
			run(b, v, view)
		})
	}
}

// BenchmarkVectorScan compares a query with all vectors that are located.
func BenchmarkVectorScan(b *testing.B) {
	eachSize(b, func(b *testing.B, v *Store, view View) {
		rows, err := v.locate(view)
		if err != nil {
			b.Fatal(err)
		}
		vectors, _ := v.opt.Model.Embed(context.Background(), []string{"query"})
		query := newQueryVector(vectors[0])
		for b.Loop() {
			if _, err := v.similarities(rows, query); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkVectorCold opens the file, verifies and locates all vectors and
// compares a query with them, as every process that searches does.
func BenchmarkVectorCold(b *testing.B) {
	eachSize(b, func(b *testing.B, v *Store, view View) {
		vectors, _ := v.opt.Model.Embed(context.Background(), []string{"query"})
		query := newQueryVector(vectors[0])
		for b.Loop() {
			_ = v.Close()
			rows, err := v.locate(view)
			if err != nil || len(rows.lacking()) != 0 {
				b.Fatal(err)
			}
			if _, err := v.similarities(rows, query); err != nil {
				b.Fatal(err)
			}
		}
	})
}
