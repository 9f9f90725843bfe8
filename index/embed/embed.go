// Package embed turns texts into vectors that say how close two texts are in
// meaning.
//
// [OpenStatic] reads a model from a folder on this machine, [NewRemote] asks an
// endpoint that is compatible with OpenAI's. Both are a [Model]. Vectors are
// optional, and nothing in a repository can turn them on: the user's own settings
// name the folder or the address. Only this package speaks to a network.
package embed

import (
	"context"
	"fmt"
	"math"
)

// Model turns texts into vectors whose cosine says how close texts are in
// meaning. [OpenStatic] and [NewRemote] make some.
type Model interface {
	// Embed returns one vector for each text, in order. Each has Dims numbers,
	// all finite; its length (norm) may be anything, and that of a text without
	// a known word may be 0. It is called from one goroutine at a time.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Name says what makes the vectors: those of one name can be compared.
	Name() string
	// Dims is the number of dimensions; 0 while it is not known.
	Dims() int
}

// MaxDims is the number of dimensions that a vector has at most.
const MaxDims = 8192

// Check returns an error unless vectors keep the contract of [Model] for count texts:
// one vector for each, all of dims dimensions, every number finite.
func Check(vectors [][]float32, count, dims int) error {
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

// Normalise gives v the length (norm) 1, unless it is all zeros.
func Normalise(v []float32) {
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
