package sameness

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestSignatureOfRunes: words of ASCII are taken byte by byte, and are those that the
// tables of Unicode give.
func TestSignatureOfRunes(t *testing.T) {
	plain := func(text string) (out []uint32) { // of texts without scripts that have no spaces
		for _, w := range strings.FieldsFunc(
			text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) },
		) {
			word := []byte(strings.Map(unicode.ToLower, w))
			if len(word) > 0 && tells(word) {
				out = append(out, hash(word))
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	letters := []rune("aZ09_ .-\n\x00\x7fé٣ßİ’\u00a0\ufffdthe")
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		text := make([]rune, r.IntN(30))
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		if got, want := Signature(string(text)), plain(string(text)); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", string(text), got, want)
		}
	}
	for _, w := range []string{"should", "the", "shoulds", "7", "x", "\xff7\xfe"} {
		if got, want := Signature(w), plain(w); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", w, got, want)
		}
	}
}
