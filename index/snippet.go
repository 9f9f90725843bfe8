package index

import (
	"github.com/git-cortex/cortex/index/internal/snippet"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
)

// Snippet is the passage that shows why a memory was found, on one line.
type Snippet = snippet.Snippet

// Span is a range of bytes.
type Span = snippet.Span

// Snippet cuts the passage of m that a query is best answered by.
func (x *Index) Snippet(m *memory.Memory, q query.Query) Snippet {
	a := x.borrow()
	defer x.giveBack(a)
	return snippet.Cut(a, m.Text, planQuery(a, q.Words).marks, snippet.Width)
}
