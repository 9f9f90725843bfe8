package recall

import "github.com/git-cortex/cortex/internal/words"

// Two titles are about one matter if they share so many words, and this share of the
// shorter one's.
const (
	kinWords = 3
	kinShare = 0.5
)

// kinship holds the words of the titles of hits.
type kinship []termSet

func kinshipOf(hits []Hit) kinship {
	var a words.Analyser
	out := make(kinship, len(hits))
	for i := range hits {
		out[i] = termSet{}
		out[i].add(&a, hits[i].Said[0])
	}
	return out
}

// kin reports whether two hits are about one matter.
func (k kinship) kin(i, j int) bool {
	shared := len(k[i].where(func(h uint32) bool { return k[j][h] }))
	return shared >= kinWords && float64(shared) >= kinShare*float64(min(len(k[i]), len(k[j])))
}
