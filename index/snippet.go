package index

import (
	"github.com/git-cortex/cortex/index/internal/scoring"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// Snippet is the passage that shows why a memory was found, on one line.
type Snippet = words.Snippet

// Span is a range of bytes.
type Span = words.Span

const (
	snippetWidth   = 160      // characters, by default
	maxSnippetText = 64 << 10 // how much of a text is searched for the best passage
)

// Snippet cuts the passage of m that a query is best answered by.
func (x *Index) Snippet(m *memory.Memory, q query.Query) Snippet {
	a := x.ranker.borrow()
	defer x.ranker.giveBack(a)
	return cutSnippet(a, m.Text, scoring.NewPlan(a, q.Words).Marks, snippetWidth)
}

// cutSnippet cuts the passage of a text that holds the most marked words.
func cutSnippet(a *words.Analyser, text string, marks map[string]bool, width int) Snippet {
	text = memory.Plain(words.Head(text, maxSnippetText))
	return words.Cut(a, memory.OneLine(memory.Clean(text)), marks, width)
}
