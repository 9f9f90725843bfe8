package graph

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

var testNow = time.Date(2026, 11, 20, 15, 4, 5, 0, time.UTC)

// shelf is a view of memories and the index that knows them.
type shelf struct {
	index *index.Index
	view  index.View
	ids   map[string]memory.ID // by title
}

func newShelf(tb testing.TB, ms ...*memory.Memory) *shelf {
	tb.Helper()
	s := &shelf{
		index: index.Open(index.Options{Dir: filepath.Join(tb.TempDir(), "cache")}), ids: map[string]memory.ID{},
	}
	tb.Cleanup(func() { _ = s.index.Close() })
	for _, m := range ms {
		s.put(tb, m)
	}
	return s
}

func (s *shelf) put(tb testing.TB, m *memory.Memory) {
	tb.Helper()
	data := memory.Format(m)
	blob := index.BlobID(data, false)
	if p := s.index.Catalog().Add(blob, m.Path(), data); p != nil {
		tb.Fatal(p)
	}
	s.ids[m.Title] = m.ID
	item := index.Item{Blob: blob, Path: m.Path(), Stage: index.Landed, Status: memory.StatusActive}
	s.view.Items = append(s.view.Items, item)
}

func memo(typ memory.Type, title, text string, edit ...func(*memory.Memory)) *memory.Memory {
	m := memory.New(typ, title, text, testNow.Add(-48*time.Hour))
	for _, e := range edit {
		e(m)
	}
	return m
}

// madeUp are memories with files, names and sessions that several have in common.
func madeUp(seed uint64, n int) []*memory.Memory {
	r := rand.New(rand.NewPCG(seed, 7))
	word := func() string { return fmt.Sprintf("word%d", min(r.IntN(300), r.IntN(300))) }
	out := make([]*memory.Memory, n)
	for i := range out {
		var text []string
		for range 60 {
			text = append(text, word())
		}
		m := memo(memory.Types()[r.IntN(len(memory.Types()))], word()+" "+word()+" "+word(), strings.Join(text, " ")+".")
		m.Files, m.Entities = []string{"src/" + word() + ".go"}, []string{word()}
		m.Source = memory.Source{Agent: "claude-code", Session: fmt.Sprintf("s%04d", r.IntN(300))}
		out[i] = m
	}
	return out
}
