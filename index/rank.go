package index

import (
	"sync"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/internal/scoring"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// Ranker takes texts apart into the words that memories are found by. The zero value is ready. It
// is safe for concurrent use, and who works more than once keeps it: it holds what it has learned of
// the shapes of words.
type Ranker struct {
	analysers sync.Pool
	rooms     scoring.Rooms
}

// Document takes a memory apart into what a [Source] keeps of it. Blob is the name of its file.
func (r *Ranker) Document(blob string, m *memory.Memory) *Document {
	a := r.borrow()
	defer r.giveBack(a)
	return postings.NewDocument(a, blob, m)
}

// Each is Document for who counts the terms: it visits them wherever they stand. A compound is no word, and has no part
// in the length of its field.
func (r *Ranker) Each(m *memory.Memory, visit func(f Field, term string, word bool)) {
	a := r.borrow()
	defer r.giveBack(a)
	postings.Each(a, m, visit)
}

// Home is the stem that a term of [ExactField] has where it is one word, and any other term itself: a source may
// keep what is found of a word in one place.
func (r *Ranker) Home(term string) string {
	a := r.borrow()
	defer r.giveBack(a)
	if t := a.Plain(term); len(t) == 1 && t[0].Term == term {
		return t[0].Stem
	}
	return term
}

func (r *Ranker) borrow() *words.Analyser {
	if a, ok := r.analysers.Get().(*words.Analyser); ok {
		return a
	}
	return &words.Analyser{}
}

func (r *Ranker) giveBack(a *words.Analyser) { r.analysers.Put(a) }
