package memory_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// typical is a memory of about 800 bytes with every kind of key.
func typical() *memory.Memory {
	text := "Bluge needs no cgo and its index can be thrown away. " +
		"FTS5 would have meant a second source of truth, and a build with cgo on three systems. " +
		"The price is `4 ms` at start, which **every hook** pays; see *index/open.go*.\n\n" +
		"- measured on 10,000 memories\n- rebuilt in four seconds\n"
	m := memory.New(memory.Decision, "Chose Bluge over SQLite FTS5 for the search index", text, time.Date(2026, 11, 20, 14, 3, 11, 0, time.UTC))
	m.Confidence = 0.95
	m.Tags = []string{"search", "index"}
	m.Files = []string{"index/search.go"}
	m.Entities = []string{"bluge", "sqlite"}
	m.Links = []memory.Link{{Rel: memory.Supersedes, To: "3mfw0c1r5t9k2v7x"}}
	m.Anchors = []memory.Anchor{{Path: "index/search.go", Blob: "9f2c1d07aa4be1f0c6a1d3f09e7b5a2c8d4e6f01"}}
	m.Source = memory.Source{Agent: "claude-code", Session: "7d31c0aa", Layer: "answer", Branch: "feature/search", Commit: "3fa9c1e", Record: 412}
	return m
}

func BenchmarkParse(b *testing.B) {
	canonical := memory.Format(typical())
	for name, data := range map[string][]byte{
		"canonical": canonical,
		"yaml":      []byte(strings.Replace(string(canonical), "tags: [search, index]", "tags:\n- search\n- index", 1)),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := memory.Parse("x.md", data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParser is a file among many, as a scan reads them.
func BenchmarkParser(b *testing.B) {
	file := string(memory.Format(typical()))
	var p memory.Parser
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Parse("x.md", file); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	m := typical()
	b.ReportAllocs()
	for b.Loop() {
		memory.Format(m)
	}
}

func BenchmarkSignature(b *testing.B) {
	m := typical()
	b.ReportAllocs()
	for b.Loop() {
		sameness.Signature(m.Title, m.Text)
	}
}

func BenchmarkTokens(b *testing.B) {
	data := string(memory.Format(typical()))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		memory.Tokens(data)
	}
}

func BenchmarkPlain(b *testing.B) {
	m := typical()
	b.SetBytes(int64(len(m.Text)))
	b.ReportAllocs()
	for b.Loop() {
		memory.Plain(m.Text)
	}
}

func BenchmarkDefang(b *testing.B) {
	text := strings.Repeat("a < b, Map<K, V> and <system-reminder> – ", 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		memory.Defang(text)
	}
}

// BenchmarkStatuses is a chain of 10,000 memories, each superseding the next.
func BenchmarkStatuses(b *testing.B) {
	ids := make([]memory.ID, 10_001)
	for i := range ids {
		ids[i] = memory.NewID(memory.Fix, strings.Repeat("x", i%100), strings.Repeat("y", i/100))
	}
	view := make([]memory.Node, len(ids)-1)
	for i := range view {
		view[i] = memory.Node{ID: ids[i], Supersedes: ids[i+1 : i+2]}
	}
	for b.Loop() {
		memory.Statuses(view)
	}
}
