package scoring

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
)

// spelledFrom is how many letters a word has from which others are near to it.
const spelledFrom = 3

// Spelling is a word, and how far it is from another.
type Spelling struct {
	Term     string
	Distance int
}

// edits is how many edits a word that is spelled like word may be away from it.
func edits(word string) int {
	if utf8.RuneCountInString(word) > 5 {
		return 2
	}
	return 1
}

// SpelledLike are the words of a source near to word, nearest first.
func SpelledLike(ctx context.Context, from Source, word string) ([]Spelling, error) {
	vocabulary, err := from.Spelled(ctx, word, edits(word))
	if err != nil {
		return nil, err
	}
	slices.Sort(vocabulary)
	var list []Spelling
	near, most := words.NewNear(word, edits(word)), edits(word)
	for _, term := range slices.Compact(vocabulary) {
		distance := near.Distance(term)
		if distance <= most && utf8.RuneCountInString(term) >= spelledFrom {
			list = append(list, Spelling{term, distance})
		}
	}
	lists.Sort(list, func(a, b Spelling) int {
		return cmp.Or(
			cmp.Compare(a.Distance, b.Distance), cmp.Compare(len(a.Term), len(b.Term)), cmp.Compare(a.Term, b.Term),
		)
	})
	return list, nil
}
