// Package embed turns texts into vectors that say how close two texts are in
// meaning.
//
// [NewRemote] asks an endpoint that is compatible with OpenAI's; index/embed/static reads
// a model from a folder on this machine. Both are a [Model]. Vectors are optional, and
// nothing in a repository can turn them on: the user's own settings name the folder or the
// address. Only this package speaks to a network.
package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Model turns texts into vectors whose cosine says how close texts are in
// meaning. [NewRemote] and index/embed/static make some.
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
	for _, v := range vectors {
		switch {
		case len(v) == 0:
			return errors.New("a vector of 0 dimensions")
		case len(v) != dims:
			return fmt.Errorf("a vector of %d dimensions, not of %d", len(v), dims)
		case slices.ContainsFunc(v, isNotFinite):
			return errors.New("a vector with a number that is not finite")
		}
	}
	return nil
}

func isNotFinite(x float32) bool { return math.IsNaN(float64(x - x)) }

// FirstChars returns the beginning of s, of at most n characters.
func FirstChars(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
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
