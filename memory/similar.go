package memory

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

// Thresholds of similarity between memories, as Jaccard indices (DESIGN §2, §3).
const (
	SimilarEdge      = 0.1 // an edge in the graph
	SimilarCandidate = 0.5 // a candidate for merging
	SimilarSame      = 0.6 // reinforces instead of adding
)

// Signature is the set of content words of a text as sorted hashes: lower
// case, words of two characters and more, the commonest English words left
// out. Compare two with [Jaccard].
func Signature(texts ...string) []uint32 {
	var sig []uint32
	for _, text := range texts {
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
		})
		for _, w := range words {
			if len(w) < 2 || common(w) {
				continue
			}
			h := fnv.New32a()
			h.Write([]byte(w))
			sig = append(sig, h.Sum32())
		}
	}
	slices.Sort(sig)
	return slices.Compact(sig)
}

// Jaccard is |a ∩ b| / |a ∪ b| of two signatures, 0 when both are empty.
func Jaccard(a, b []uint32) float64 {
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

func common(w string) bool {
	switch w {
	case "the", "an", "and", "or", "of", "to", "in", "is", "are", "was", "were", "be", "been", "it", "its",
		"this", "that", "for", "with", "on", "as", "at", "by", "we", "you", "he", "she", "they", "our",
		"your", "from", "so", "if", "but", "do", "does", "did", "have", "has", "had", "will", "would",
		"can", "could", "should", "may", "might":
		return true
	}
	return false
}
