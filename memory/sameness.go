package memory

import (
	"cmp"

	"github.com/git-cortex/cortex/internal/sameness"
)

// Statement is [sameness.Statement].
type Statement = sameness.Statement

// Names of [sameness] for callers that do not import it yet.
const (
	SimilarEdge      = sameness.Edge
	SimilarCandidate = sameness.Candidate
	SimilarSame      = sameness.Same
	StepAlike        = sameness.StepAlike
)

// Signature is [sameness.Signature].
func Signature(texts ...string) []uint32 { return sameness.Signature(texts...) }

// AppendWords is [sameness.AppendWords].
func AppendWords(sig []uint32, texts ...string) []uint32 { return sameness.AppendWords(sig, texts...) }

// Jaccard is [sameness.Jaccard].
func Jaccard(a, b []uint32) float64 { return sameness.Jaccard(a, b) }

// Inside is [sameness.Inside].
func Inside(a, b []uint32) float64 { return sameness.Inside(a, b) }

// Shared is [sameness.Shared].
func Shared[T cmp.Ordered](a, b []T) int { return sameness.Shared(a, b) }

// Covers is [sameness.Covers].
func Covers(kept, gone string) bool { return sameness.Covers(kept, gone) }

// StatementOf is [sameness.StatementOf].
func StatementOf(text string) Statement { return sameness.StatementOf(text) }

// SameStep is [sameness.SameStep].
func SameStep(a, b string) float64 { return sameness.SameStep(a, b) }
