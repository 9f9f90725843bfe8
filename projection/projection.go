// Package projection renders memories into what people and agents read: the
// three generated pages of .cortex (decisions.md, decisions-archive.md and
// active-plan.md), and the briefing an agent gets at session start.
//
// [Render] is a pure function of a set of memories: no clock (the newest
// memory is now), no locale, no recall counts, one order. Every memory that
// could appear on a page has a record in its file, a one-line comment that
// carries the fields the page is rendered from, so [Merge] can merge two
// versions of a page from their three texts alone, as a git merge driver must,
// and end with the bytes that rendering the merged memories would give.
// [Parse] reads the records back.
//
// [Brief] and [PromptContext] pack ranked memories into a budget of tokens and
// characters. What they return is text for a model: fenced as evidence, with
// confidence and provenance on every line.
//
// The package does no input or output of its own. It implements the section
// "Projections" of FORMAT.md.
package projection

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"github.com/git-cortex/cortex/memory"
)

// Kind is one of the generated pages. The set is closed; see [Kinds].
type Kind string

// The generated pages, each named after its file without the ending.
const (
	Decisions Kind = "decisions"         // active decisions and rejections, aging ones in a line
	Archive   Kind = "decisions-archive" // every other decision and rejection, a line each
	Plan      Kind = "active-plan"       // the newest open plan with its steps
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{Decisions, Archive, Plan} }

// File is the name of the page inside .cortex, such as "decisions.md".
func (k Kind) File() string { return string(k) + ".md" }

// KindOf tells which page a path is, by its last element; false for any other
// file. The path may be of either slash and need not exist.
func KindOf(name string) (Kind, bool) {
	for _, k := range Kinds() {
		if path.Base(name) == k.File() {
			return k, true
		}
	}
	return "", false
}

// Render renders the page of kind from memories, in canonical form. The
// memories may be all there are and in any order: only those that concern the
// page are used, and of two with one id the one updated last. An empty set
// gives a page that says so.
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

// page lays records, newest first, out as a file.
func (k Kind) page(records []*memory.Memory) []byte {
	w := &writer{}
	w.line(pageOpen, string(k), " ", strconv.Itoa(Version), commentClose)
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
	for _, r := range slices.SortedFunc(slices.Values(records), func(a, b *memory.Memory) int { return cmp.Compare(a.ID, b.ID) }) {
		w.Write(encodeRecord(r))
		w.WriteByte('\n')
	}
	w.line(pageEnd)
	return w.Bytes()
}
