package index

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// Embedder turns texts into vectors whose cosine says how close texts are in
// meaning. [OpenStaticModel] and [NewRemoteModel] make some.
type Embedder interface {
	// Embed returns one vector for each text, in order, all of Dims numbers,
	// finite, of any length (norm). A text without a known word may be all
	// zeros. It is called from one goroutine at a time.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Model names what made the vectors: vectors of one name can be compared.
	Model() string
	// Dims is the number of dimensions; 0 as long as it is not known.
	Dims() int
}

// maxDims bounds the dimensions of a vector.
const maxDims = 8192

// embedText is what of a memory is embedded: its title, unless that only
// repeats how the text begins, and its text.
func embedText(m *memory.Memory) string {
	if echoes(m) {
		return m.Text
	}
	return m.Title + "\n" + m.Text
}

// echoes reports whether the title of m only repeats how its text begins, as
// titles made by machines do.
func echoes(m *memory.Memory) bool {
	title := strings.TrimRight(m.Title, ".…! ")
	return strings.HasPrefix(memory.OneLine(m.Text[:min(len(m.Text), 2*len(title)+16)]), title)
}

// checkVectors makes sure that an embedder kept its promise.
func checkVectors(vectors [][]float32, count, dims int) error {
	if len(vectors) != count {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), count)
	}
	if count > 0 && dims == 0 {
		return fmt.Errorf("vectors of 0 dimensions")
	}
	for _, v := range vectors {
		if len(v) != dims {
			return fmt.Errorf("a vector of %d dimensions, not of %d", len(v), dims)
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("a vector with a number that is not finite")
			}
		}
	}
	return nil
}

// normalise makes v of length 1, unless it is all zeros.
func normalise(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	if sum == 0 {
		return
	}
	scale := 1 / math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) * scale)
	}
}
