package sameness

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Signature is the set of content words of a text as sorted hashes (32-bit
// FNV-1a): lower case, letters, digits and underscores; words of one letter
// and the commonest English words are left out, numbers never are. Scripts
// written without spaces count by pairs of characters. Compare two with
// [Jaccard], [Inside] or a [Level].
func Signature(texts ...string) []uint32 {
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	sig := AppendWords(make([]uint32, 0, size/6+1), texts...)
	slices.Sort(sig)
	return slices.Compact(sig)
}

// AppendWords appends the words of [Signature] to sig in the order of the text, each as
// often as it occurs.
func AppendWords(sig []uint32, texts ...string) []uint32 {
	c := cutter{words: sig, word: make([]byte, 0, 64)}
	for _, text := range texts {
		c.before = 0
		for i := 0; i < len(text); {
			if text[i] < utf8.RuneSelf { // most are, and need no tables of Unicode
				c.ascii(text[i])
				i++
				continue
			}
			r, size := utf8.DecodeRuneInString(text[i:])
			c.rune(r)
			i += size
		}
		c.endWord()
	}
	return c.words
}

// cutter collects the hashes of the words of a text.
type cutter struct {
	words  []uint32
	word   []byte // what was read of the word at hand
	before rune   // the first character of a pair; 0 for none
}

func (c *cutter) ascii(b byte) {
	c.before = 0
	const toLower = 'a' - 'A' // the bit that small letters have
	switch lower := b | toLower; {
	case lower-'a' < 26:
		c.word = append(c.word, lower)
	case b-'0' < 10, b == '_':
		c.word = append(c.word, b)
	case len(c.word) > 0:
		c.endWord()
	}
}

func (c *cutter) rune(r rune) {
	before := c.before
	c.before = 0
	switch {
	case ideographic(r):
		c.endWord()
		c.pair(before, r)
	case unicode.IsLetter(r), unicode.IsDigit(r):
		c.word = utf8.AppendRune(c.word, unicode.ToLower(r))
	default:
		c.endWord()
	}
}

// pair adds two characters of a script without spaces, if there is a first one.
func (c *cutter) pair(before, r rune) {
	c.before = r
	if before != 0 {
		c.words = append(c.words, hash([]byte(string(before)+string(r))))
	}
}

// endWord adds the word that was read, unless it is too common or too short.
func (c *cutter) endWord() {
	if len(c.word) > 0 && tells(c.word) {
		c.words = append(c.words, hash(c.word))
	}
	c.word = c.word[:0]
}

// tells reports whether a word is content: a number, or longer than a letter and not one of
// the commonest.
func tells(word []byte) bool {
	switch n := len(word); {
	case n > longestCommon:
		return true
	case n == 1:
		return word[0]-'0' < 10
	}
	return !common(string(word))
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
func Jaccard[T cmp.Ordered](a, b []T) float64 {
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
