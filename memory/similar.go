package memory

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Thresholds of similarity between memories, as Jaccard indices of their [Signature].
const (
	SimilarEdge      = 0.1 // an edge in the graph
	SimilarCandidate = 0.5 // a candidate for merging
	SimilarSame      = 0.6 // counts as a repetition, which adds no memory
)

// Signature is the set of content words of a text as sorted hashes (32-bit
// FNV-1a): lower case, letters, digits and underscores; words of one letter
// and the commonest English words are left out, numbers never are. Scripts
// written without spaces count by pairs of characters. Compare two with
// [Jaccard].
func Signature(texts ...string) []uint32 {
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	sig := AppendWords(make([]uint32, 0, size/6+1), texts...)
	slices.Sort(sig)
	return slices.Compact(sig)
}

// AppendWords appends the words of [Signature] to sig as they come, each as often as it
// is there.
func AppendWords(sig []uint32, texts ...string) []uint32 {
	word := make([]byte, 0, 64)
	for _, text := range texts {
		var before rune // the first character of a pair
		for i := 0; i < len(text); {
			if c := text[i]; c < utf8.RuneSelf { // most are, and need no tables
				i, before = i+1, 0
				switch {
				case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_':
					word = append(word, c)
				case c >= 'A' && c <= 'Z':
					word = append(word, c+'a'-'A')
				case len(word) > 0:
					sig, word = addWord(sig, word)
				}
				continue
			}
			r, size := utf8.DecodeRuneInString(text[i:])
			i += size
			switch {
			case ideographic(r):
				sig, word = addWord(sig, word)
				if before != 0 {
					sig = append(sig, hash(append(append(word, string(before)...), string(r)...)))
				}
				before = r
				continue
			case unicode.IsLetter(r), unicode.IsDigit(r):
				word = utf8.AppendRune(word, unicode.ToLower(r))
			default:
				sig, word = addWord(sig, word)
			}
			before = 0
		}
		sig, word = addWord(sig, word)
	}
	return sig
}

// addWord adds a word, unless it is too common or too short, and empties it.
func addWord(sig []uint32, word []byte) ([]uint32, []byte) {
	digit := len(word) == 1 && word[0] >= '0' && word[0] <= '9'
	if digit || len(word) > longestCommon || len(word) > 1 && !common(string(word)) {
		sig = append(sig, hash(word))
	}
	return sig, word[:0]
}

// hash is FNV-1a, written out because that of the library allocates.
func hash(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

func ideographic(r rune) bool {
	return r >= 0xe00 && unicode.In(r, unicode.Thai, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// Jaccard is |a ∩ b| / |a ∪ b| of two signatures, 0 when both are empty.
func Jaccard(a, b []uint32) float64 {
	both := Shared(a, b)
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

// Inside is the share of a's words that b has too, from 0 to 1. Both are signatures.
func Inside(a, b []uint32) float64 {
	if len(a) == 0 {
		return 0
	}
	return float64(Shared(a, b)) / float64(len(a))
}

// Shared counts what is in both of two sorted lists.
func Shared[T cmp.Ordered](a, b []T) int {
	n, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			n, i, j = n+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}

// longestCommon is the length of the longest words that are common.
const longestCommon = 6

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
