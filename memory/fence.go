package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"strings"
)

// Fence stands around what memories say wherever an agent may read it, so that
// evidence from a repository can be told from the words of the program. It is a
// word that no memory inside of it can know. The zero Fence has a fixed word.
type Fence struct{ word string }

// NewFence makes a fence of a random word, of which letters, digits and dashes
// count: at least eight of them, so that no ordinary word changes when the word
// is taken out of evidence.
func NewFence(word string) Fence {
	const kept = lowerLetters + upperLetters + decimals + "-"
	parts := strings.FieldsFunc(word, func(r rune) bool { return !strings.ContainsRune(kept, r) })
	word = strings.Join(parts, "")
	word = word[:min(len(word), 64)]
	if len(word) < 8 {
		word = "cortex-" + word
	}
	return Fence{word}
}

// FenceOver makes a fence whose word is a hash over parts, which are all that
// stands inside of it, or name it: a text that held the word would change it.
// The same parts have the same fence.
func FenceOver(parts iter.Seq[string]) Fence {
	h := sha256.New()
	var b []byte
	for part := range parts {
		b = append(append(b[:0], part...), 0)
		_, _ = h.Write(b)
	}
	return Fence{hex.EncodeToString(h.Sum(nil))[:12]}
}

// Word returns the word that the opening and the closing line of a fence contain.
func (f Fence) Word() string { return cmp.Or(f.word, "cortex-") }

// Open is the line before the evidence, without its end.
func (f Fence) Open() string { return "=== evidence " + f.Word() + " ===" }

// Close is the line after the evidence, without its end.
func (f Fence) Close() string { return "=== end of evidence " + f.Word() + " ===" }

// Text is s as it may stand inside of the fence: [Defang], without its word.
func (f Fence) Text(s string) string {
	return strings.ReplaceAll(Defang(s), f.Word(), "…")
}
