package recall

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// BenchmarkRenew renews the table of many memories: after one of them changed, and as a
// whole from the records of an earlier one.
func BenchmarkRenew(b *testing.B) {
	sizes := []int{10_000}
	if os.Getenv("CORTEX_BENCH_LARGE") != "" {
		sizes = append(sizes, 100_000)
	}
	for _, n := range sizes {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		some := func() *memory.Memory {
			var text []string
			for range 90 {
				text = append(text, fmt.Sprint("w", min(r.IntN(20_000), r.IntN(20_000), r.IntN(20_000))))
			}
			return made(fmt.Sprint("Item ", r.IntN(1<<30)), strings.Join(text, " ")+".")
		}
		all, docs := make([]*memory.Memory, n), make([]Doc, n)
		for i := range all {
			all[i], docs[i].Blob = some(), fmt.Sprintf("%040x", i*7919)
		}
		serial := n
		load := func(i int) *memory.Memory { return all[i] }
		renew := func(path string) {
			docs[r.IntN(n)].Blob = fmt.Sprintf("%040x", serial*7919)
			serial++
			var names []byte
			for _, d := range docs {
				names = append(names, d.Blob...)
			}
			t, err := Renew(path, fmt.Sprintf("%x", sha256.Sum256(names)), docs, 1<<20, load)
			if err != nil {
				b.Fatal(err)
			}
			_ = t.Close()
		}
		b.Run(fmt.Sprintf("one/memories=%d", n), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "main")
			renew(path)
			for b.Loop() {
				renew(path)
			}
		})
		b.Run(fmt.Sprintf("whole/memories=%d", n), func(b *testing.B) {
			earlier, err := Read(string(Build("s", docs, nil, 1<<20, load)))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				Build("t", docs, earlier, 0, load)
			}
		})
	}
}
