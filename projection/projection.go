// Package projection renders memories for people and agents: the three
// generated pages of .cortex (decisions.md, decisions-archive.md and
// active-plan.md), and the briefing that an agent gets at session start.
//
// [Render] is a pure function of a set of memories. It depends on no clock (the
// newest memory defines the current time), no locale, no recall counts, and no
// order. Every memory that could appear on a page has a record in its file, a
// one-line comment with the fields from which the page is rendered. So [Merge]
// can merge two versions of a page from their three texts alone, as a git merge
// driver must, and the result has the bytes that rendering the merged memories
// would give. [Parse] reads the records.
//
// [Brief] and [RecallContext] pack ranked memories into a budget. They return text
// for a model, fenced as evidence; on every line of a briefing are confidence and
// provenance.
//
// The package has no state and does no input or output: all functions may be
// called from several goroutines. It implements "Projections" of FORMAT.md.
package projection

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"

	"github.com/git-cortex/cortex/memory"
)

// Kind is a generated page. The set is closed; see [Kinds].
type Kind string

// The generated pages, each named after its file without the ending.
const (
	Decisions Kind = "decisions"         // active decisions and rejections, older ones in one line each
	Archive   Kind = "decisions-archive" // all other decisions and rejections, one line each
	Plan      Kind = "active-plan"       // the newest open plan with its steps
)

// Layout is raised whenever the same memories are rendered to other bytes: whoever
// changes a golden page raises it, and keeps for [IsRendering] what is needed to render
// the older one. History: 1 is the first; 2 has marks for the steps of a plan.
const Layout = 2

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{Decisions, Archive, Plan} }

// File is the name of the page inside .cortex, such as "decisions.md".
func (k Kind) File() string { return string(k) + ".md" }

// KindOf returns the page of a path, by its last element; false for any other
// file. The path need not exist.
func KindOf(name string) (Kind, bool) {
	for _, k := range Kinds() {
		if path.Base(name) == k.File() {
			return k, true
		}
	}
	return "", false
}

// Concerns reports whether m has a part in the page of kind: whether the page may be
// another one without m. It depends on m alone.
func (k Kind) Concerns(m *memory.Memory) bool { return k.concerns(m) }

// Render renders the page of kind from memories, in canonical form. Memories may
// be in any order, and those that do not concern the page are ignored. Of two
// with the same id the one updated last is used. An empty set gives a page that
// says that there is nothing.
func Render(kind Kind, memories []*memory.Memory) []byte {
	return kind.page(kind.records(memories))
}

// Version is the version of the pages' format. A page of a newer version is
// not merged. History: 1, the first.
const Version = 1

// The comments that make up a page's frame. A line that begins with
// recordOpen carries a record; memoryOpen marks where one is shown.
const (
	pageOpen     = "<!-- cortex:projection "
	recordsOpen  = "<!-- cortex:records: what this page is rendered from, so that branches can merge it. Edit memories, not these lines. -->"
	recordOpen   = "<!-- cortex:record "
	memoryOpen   = "<!-- cortex:memory "
	pageEnd      = "<!-- cortex:end -->"
	commentClose = " -->"
)

// IsRendering reports whether a page is what [Render] gives for its records, or gave in an
// older layout: nobody has edited it.
func IsRendering(kind Kind, page []byte) bool {
	records, template, err := Parse(kind, page)
	if err != nil {
		return false
	}
	records = kind.records(records)
	if template != "" {
		again, err := kind.pageBy(template, records)
		return err == nil && bytes.Equal(again, page)
	}
	return bytes.Equal(kind.page(records), page) || kind == Plan && bytes.Equal(kind.pageIn(1, records), page)
}

// page lays out records, newest first, as a file.
func (k Kind) page(records []*memory.Memory) []byte { return k.pageIn(Layout, records) }

func (k Kind) pageIn(layout int, records []*memory.Memory) []byte {
	w := &writer{layout: layout}
	w.shown(k, records)
	w.records(records)
	return w.Bytes()
}

// records ends a page with its records.
func (w *writer) records(records []*memory.Memory) {
	for _, r := range slices.SortedFunc(slices.Values(records), func(a, b *memory.Memory) int { return cmp.Compare(a.ID, b.ID) }) {
		w.Write(encodeRecord(r))
		w.WriteByte('\n')
	}
	w.line(pageEnd)
}

// shown writes a page as far as its records.
func (w *writer) shown(k Kind, records []*memory.Memory) {
	w.open(k)
	switch k {
	case Decisions:
		w.decisions(divide(records))
	case Archive:
		w.archive(divide(records))
	default:
		w.plan(records)
	}
	w.blank()
	w.line(recordsOpen)
}

func (w *writer) open(k Kind) { w.line(pageOpen, string(k), " ", strconv.Itoa(Version), commentClose) }
