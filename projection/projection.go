// Package projection renders memories for people and agents: the three
// generated pages of .cortex (decisions.md, decisions-archive.md and
// active-plan.md), and the briefing that an agent gets at session start.
//
// [Render] is a pure function of a set of memory files. It depends on no clock (the
// newest memory defines the current time), no locale, no recall counts, and no
// order. A page names every memory file that could appear on it by the first digits of
// its object id. So [Merge] can merge two versions of a page from their three texts and
// the objects of the repository, which is all that a git merge driver has, and the
// result has the bytes that rendering the merged memories would give. [Parse] reads what
// a page was rendered from.
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
	"path"
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
// changes a golden page raises it. History: 1 is the first; 2 has marks for the steps of a
// plan; 3 names memory files in place of records, and ends in a checksum; 4 has comments that
// linters and formatters of Markdown leave it alone for.
const Layout = 4

// oldestLayout is the first layout of the format as it is: pages of it are known as rendered.
const oldestLayout = 3

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

// Names reports whether the page of kind names the file of m, if it has a part in it at
// all: of other memories it says what they supersede.
func (k Kind) Names(m *memory.Memory) bool { return k.own(m) }

// File is a memory as a file of the repository.
type File struct {
	*memory.Memory
	Blob string // the id of the file's object, in hexadecimal digits
}

// Render renders the page of kind from memory files, in canonical form. They may
// be in any order, and those that do not concern the page are ignored. Of two
// with the same id the one updated last is used. An empty set gives a page that
// says that there is nothing.
//
// Template is that of a team: docs/behaviour.md, "Templates". "" is the layout of this package. A
// template that cannot be used is an error, and the page then has the layout of this
// package.
func Render(kind Kind, template string, files []File) ([]byte, error) {
	return kind.pageBy(template, kind.records(files))
}

// RenderHeads is [Render], without a template, from memories without their texts: text
// gives those of the few that are shown in full. It is false, and nothing is rendered, for
// the page of plans, which needs all texts, and for two memories with the same id.
func RenderHeads(kind Kind, heads []File, text func(memory.ID) string) (page []byte, ok bool) {
	rs := kind.records(heads)
	concerned := 0
	for _, f := range heads {
		if kind.concerns(f.Memory) {
			concerned++
		}
	}
	if kind == Plan || concerned != len(rs.list) {
		return nil, false
	}
	return kind.page(rs, text), true
}

// Version is the version of the pages' format. A page of another version is
// not merged. History: 1, which was never released, held records of memories; 2 names their files.
const Version = 2

// What a page quotes is Markdown by whoever wrote it, in any style. These comments tell
// markdownlint, prettier and dprint to leave it as it is: a page that one of them formats is
// rendered again at the next commit.
const (
	untouched    = "<!-- markdownlint-disable -->\n<!-- prettier-ignore-start -->\n<!-- dprint-ignore-start -->\n"
	untouchedEnd = "<!-- dprint-ignore-end -->\n<!-- prettier-ignore-end -->\n"
)

// The comments that make up a page's frame; memoryOpen marks where a memory is shown.
const (
	pageOpen  = "<!-- cortex:projection "
	filesOpen = "<!-- cortex:records: the memory files that this page is rendered from, by which branches merge it. " +
		"Edit memories, not these lines."
	filesClose   = "-->"
	memoryOpen   = "<!-- cortex:memory "
	pageEnd      = "<!-- cortex:end"
	commentClose = " -->"
)

// IsRendering reports whether a page is what [Render] gave, in this layout or an
// older one: nobody has edited it.
func IsRendering(kind Kind, page []byte) bool {
	sum, body, ok := checksumOf(page)
	return ok && sum == checksum(body) && bytes.HasPrefix(page, []byte(kind.head()))
}

// head is the first line of a page.
func (k Kind) head() string {
	return pageOpen + string(k) + " " + strconv.Itoa(Version) + commentClose + "\n"
}

// page lays out records as a file. Text is that of a writer.
func (k Kind) page(rs records, text func(memory.ID) string) []byte {
	if k == Surface {
		return surface(rs)
	}
	w := &writer{text: text}
	w.shown(k, rs.list)
	w.end(k, "", rs)
	return w.Bytes()
}

// end ends a page with what it was rendered from, and the template by which.
func (w *writer) end(k Kind, template string, rs records) {
	w.blank()
	w.WriteString(untouchedEnd)
	w.Write(encodeLayout(template))
	w.files(k, rs)
	w.line(endLine(strconv.Itoa(Layout), checksum(w.Bytes())))
}

// shown writes the part of a page that people read.
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
}

func (w *writer) open(k Kind) {
	w.WriteString(k.head() + untouched)
}
