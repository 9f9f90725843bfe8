package recall

import "github.com/git-cortex/cortex/internal/words"

// Two titles are about one matter if they share so many words, and this share of the
// shorter one's.
const (
	kinWords = 3
	kinShare = 0.5
)

// kin reports whether two titles are about one matter.
func kin(a, b string) bool {
	x, y := wordsOf(a), wordsOf(b)
	shared := len(x.where(func(h uint32) bool { return y[h] }))
	return shared >= kinWords && float64(shared) >= kinShare*float64(min(len(x), len(y)))
}

func wordsOf(title string) termSet {
	var a words.Analyser
	out := termSet{}
	out.add(&a, title)
	return out
}
