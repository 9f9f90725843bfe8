package index

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/vector"
	"github.com/git-cortex/cortex/memory"
)

// Vectors opens the vectors that a model makes of memories of the index. The caller
// closes them before the index.
func (x *Index) Vectors(m embed.Model) *vector.Store {
	dir := ""
	if x.opt.Dir != "" {
		dir = x.path("vectors")
	}
	return vector.Open(vector.Options{Dir: dir, SHA256: x.opt.SHA256, Model: m, Text: x.embedded})
}

// embedded is the text of a memory that is embedded: its title, unless that only
// repeats how the text begins, and its text.
func (x *Index) embedded(ctx context.Context, blob string) (string, bool) {
	m, ok := x.catalog.Memory(ctx, blob)
	if !ok {
		return "", false
	}
	if echoes(m) {
		return m.Text, true
	}
	return m.Title + "\n" + m.Text, true
}

// echoes reports whether the title of m only repeats how its text begins, as
// titles made by machines do.
func echoes(m *memory.Memory) bool {
	title := strings.TrimRight(m.Title, ".…! ")
	return strings.HasPrefix(memory.OneLine(m.Text[:min(len(m.Text), 2*len(title)+16)]), title)
}
