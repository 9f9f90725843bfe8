package projection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// textLimit is the longest text of a record, in bytes. If a text is longer, a
// merged page may differ from rendering the merged memories.
const textLimit = 8 << 10

// own reports whether m is of the types that the page shows.
func (k Kind) own(m *memory.Memory) bool {
	switch k {
	case Plan:
		return slices.Contains([]memory.Type{memory.Plan, memory.Progress}, m.Type)
	case Surface:
		return m.Type == memory.Preference || isDecision(m)
	}
	return isDecision(m)
}

// concerns reports whether m has a record on the page: it is of one of the
// page's types, or it supersedes another memory and so decides what is shown. It
// depends on m alone, so that both sides of a merge agree.
func (k Kind) concerns(m *memory.Memory) bool {
	return k.own(m) || len(m.Linked(memory.Supersedes)) > 0
}

func isDecision(m *memory.Memory) bool {
	return slices.Contains([]memory.Type{memory.Decision, memory.Rejected}, m.Type)
}

// reduce keeps the fields of m from which the page is rendered. It takes or
// leaves each field as a whole, so that reducing and merging commute. Of a memory
// of another type it keeps only the links: if it kept more, a record that exists
// because of a new link could not be merged with an edit on the other side, where
// the memory has no record.
func (k Kind) reduce(m *memory.Memory) *memory.Memory {
	r := &memory.Memory{ID: m.ID, Type: m.Type, Created: m.Created.UTC().Truncate(time.Second)}
	if !k.own(m) {
		r.Links = keepLinks(m.Links, memory.Supersedes)
		return r
	}
	r.Title, r.Source, r.Pinned = memory.OneLine(valid(m.Title)), validSource(m.Source), m.Pinned
	r.Priority, r.Scope, r.Hold = m.Priority, valid(m.Scope), valid(m.Hold) // of which a merge may keep both
	if !m.Updated.IsZero() {
		r.Updated = m.Updated.UTC().Truncate(time.Second)
	}
	switch k {
	case Decisions:
		r.Links = keepLinks(m.Links, memory.Supersedes, memory.Contradicts)
		r.Confidence, r.Contested, r.Text = m.Confidence, m.Contested, limitText(m.Text)
		for _, f := range m.Files {
			r.Files = append(r.Files, valid(f))
		}
	case Plan:
		r.Links = keepLinks(m.Links, memory.Supersedes, memory.StepOf)
		if m.Type == memory.Plan { // a step shows its title only
			r.Confidence, r.Contested, r.Text = m.Confidence, m.Contested, limitText(m.Text)
		}
	default:
		r.Links = keepLinks(m.Links, memory.Supersedes)
	}
	return r
}

func keepLinks(links []memory.Link, rels ...memory.Rel) []memory.Link {
	var out []memory.Link
	for _, l := range links {
		if slices.Contains(rels, l.Rel) && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	lists.Sort(out, func(a, b memory.Link) int {
		return cmp.Or(cmp.Compare(a.Rel, b.Rel), cmp.Compare(a.To, b.To))
	})
	return out
}

// valid replaces invalid UTF-8, as encoding as JSON would.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func validSource(s memory.Source) memory.Source {
	for _, field := range s.AppendFields(nil) {
		if word, ok := field.(*string); ok {
			*word = valid(*word)
		}
	}
	return s
}

func limitText(s string) string { return limitBytes(valid(s), textLimit) }

// limitBytes cuts s at the end of a word, or between characters where the last word is
// long.
func limitBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end := strings.LastIndexAny(s[:n], " \n")
	if end < n/2 {
		end = len(strings.ToValidUTF8(s[:n], ""))
	}
	return strings.TrimRight(s[:end], " \n") + " …"
}

// records are all that a page is rendered from: one for each memory that concerns it.
type records struct {
	list  []*memory.Memory     // reduced, newest first
	blobs map[memory.ID]string // the objects of their files
}

// records reduces the memories that concern the page, one for each id.
func (k Kind) records(files []File) records {
	byID := k.newest(files)
	rs := records{list: make([]*memory.Memory, 0, len(byID)), blobs: make(map[memory.ID]string, len(byID))}
	for id, f := range byID {
		rs.list = append(rs.list, f.Memory)
		rs.blobs[id] = f.Blob
	}
	lists.Sort(rs.list, newestFirst)
	return rs
}

// newest are the newest versions of the memories that concern the page, reduced.
func (k Kind) newest(files []File) map[memory.ID]File {
	byID := make(map[memory.ID]File, len(files))
	for _, f := range files {
		if !k.concerns(f.Memory) {
			continue
		}
		f.Memory = k.reduce(f.Memory)
		have, known := byID[f.ID]
		if !known || later(have, f) {
			byID[f.ID] = f
		}
	}
	return byID
}

// later reports whether, of two versions of one memory, b is the one to keep.
func later(a, b File) bool {
	if !a.Updated.Equal(b.Updated) {
		return b.Updated.After(a.Updated)
	}
	return a.Blob < b.Blob
}

func newestFirst(a, b *memory.Memory) int {
	return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
}

// appendVisible appends JSON with every invisible character written as \uXXXX.
func appendVisible(dst, data []byte) []byte {
	for _, r := range string(data) {
		if r < 0x7f || isVisible(r) {
			dst = append(dst, string(r)...)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			dst = fmt.Appendf(dst, `\u%04x`, unit)
		}
	}
	return dst
}

func isVisible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r) && !unicode.Is(unicode.Variation_Selector, r)
}
