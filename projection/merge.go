package projection

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Merge is the three-way merge of a page by what it was rendered from, rendered
// canonically: for pages that [Render] wrote it equals rendering the merged set of
// memory files. An empty base means that both sides added the page.
//
// A memory that one side edited and the other removed is
// kept. What is missing from a damaged file, one that is truncated or empty, does
// not count as removed. Merge fails with a *[FormatError] if a side is not a
// page, names a memory file that is not in the store, or shows a memory that no side
// names; the caller then leaves the file to git's own merge.
func Merge(kind Kind, base, ours, theirs []byte, store *Store) ([]byte, error) {
	b, err := readVersion(kind, base)
	if err != nil || b == nil {
		b = &version{complete: true} // without a base nothing counts as removed
	}
	o, err := readSide(kind, ours)
	if err != nil {
		return nil, err
	}
	t, err := readSide(kind, theirs)
	if err != nil {
		return nil, err
	}
	if err := store.fill(kind, b, o, t); err != nil {
		return nil, err
	}
	if problem := cmp.Or(o.problem, t.problem); problem != nil {
		return nil, problem
	}
	m := merger{kind: kind, store: store, base: b, ours: o, theirs: t}
	var out []File
	for _, id := range m.ids() {
		r, err := m.merge(id)
		if err != nil {
			return nil, err
		}
		if r != nil {
			out = append(out, r.file())
		}
	}
	page, _ := Render(kind, mergeLayouts(b, o, t), out) // as rendering by a template that cannot be used
	return page, nil
}

// readSide reads a side of a merge. Of an empty one nothing is known.
func readSide(kind Kind, data []byte) (*version, error) {
	v, err := readVersion(kind, data)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return &version{}, nil
	}
	if v.problem != nil {
		return nil, v.problem // before what it names is read
	}
	return v, nil
}

type merger struct {
	kind               Kind
	store              *Store
	base, ours, theirs *version
}

// ids returns every id that one of the texts names, sorted.
func (m *merger) ids() []memory.ID {
	all := map[memory.ID]bool{}
	for _, v := range []*version{m.base, m.ours, m.theirs} {
		for id := range v.records {
			all[id] = true
		}
	}
	for _, v := range []*version{m.ours, m.theirs} {
		for id := range v.damaged {
			all[id] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// merge merges one record; nil if it is removed.
func (m *merger) merge(id memory.ID) (*record, error) {
	base, err := m.resolve(m.base, id, nil)
	if err != nil {
		return nil, err
	}
	ours, oursKnown, err := m.side(m.ours, id, base)
	if err != nil {
		return nil, err
	}
	theirs, theirsKnown, err := m.side(m.theirs, id, base)
	if err != nil {
		return nil, err
	}
	switch {
	case oursKnown && theirsKnown:
		return m.threeWay(base, ours, theirs)
	case ours != nil:
		return ours, nil
	case theirs != nil:
		return theirs, nil
	case base == nil: // one side has none, and nobody can tell of the other
		return nil, m.lost(id)
	}
	return base, nil
}

// side returns the record of one side, or nil if there is none. known is false
// if the text is too damaged to tell.
func (m *merger) side(v *version, id memory.ID, base *record) (r *record, known bool, err error) {
	r, err = m.resolve(v, id, base)
	if err != nil || r != nil {
		return r, err == nil, err
	}
	_, damaged := v.damaged[id]
	return nil, !damaged && (v.complete || base == nil), nil
}

func (m *merger) threeWay(base, ours, theirs *record) (*record, error) {
	switch {
	case ours.same(theirs), theirs.same(base):
		return ours, nil
	case ours.same(base):
		return theirs, nil
	case ours == nil:
		return theirs, nil // removed here, edited there: the edit stays
	case theirs == nil:
		return ours, nil
	}
	merged, err := m.both(base, ours, theirs)
	if err != nil {
		return nil, &FormatError{Kind: m.kind, Err: err}
	}
	return merged, nil
}

// both merges two versions of a memory, as the merge driver of memory files does. Where one side alone took it
// from the types that the page shows, its file is not known and the other side's stays: the page is rendered again
// from what is merged.
func (m *merger) both(base, a, b *record) (*record, error) {
	if (a.whole == nil) != (b.whole == nil) {
		if a.whole == nil {
			return b, nil
		}
		return a, nil
	}
	merged, err := memory.Merge(base.file().Memory, a.file().Memory, b.file().Memory, m.store.text())
	if err != nil {
		return nil, err
	}
	r := &record{Memory: m.kind.reduce(merged)}
	if m.kind.own(merged) {
		r.whole, r.blob = merged, m.store.Blob(memory.Format(merged))
	}
	return r, nil
}

// text is the merge of texts, one that always fails if the store has none: both are kept.
func (s *Store) text() memory.TextMerge {
	if s != nil && s.Text != nil {
		return s.Text
	}
	return func(string, string, string) (string, bool) { return "", false }
}

// maxVersions is how many versions of one memory a page may have. To merge them costs by
// the square of their number, and whoever makes a page says which those are.
const maxVersions = 32

// resolve makes one record of the versions of an id in a text, or nil if
// there is none. A version that equals the base is older than the others. Of
// those, the one updated last is used, and those updated at the same time are
// merged.
func (m *merger) resolve(v *version, id memory.ID, base *record) (*record, error) {
	all := v.records[id]
	if len(all) > 1 {
		all = lists.Without(all, func(r *record) bool { return r.same(base) })
	}
	if len(all) == 0 {
		return nil, nil
	}
	if len(all) > maxVersions {
		err := fmt.Errorf("it has more than %d versions of %s", maxVersions, id.Short())
		return nil, &FormatError{Kind: m.kind, Err: err}
	}
	lists.Sort(all, compareRecords)
	out := all[0]
	for _, r := range all[1:] {
		if !r.Updated.Equal(out.Updated) {
			if r.Updated.After(out.Updated) {
				out = r
			}
			continue
		}
		merged, err := m.both(base, out, r)
		if err != nil {
			return nil, fmt.Errorf("merging the versions of %s: %w", id.Short(), err)
		}
		out = merged
	}
	return out, nil
}

func (m *merger) lost(id memory.ID) error {
	line := m.ours.damaged[id]
	line = cmp.Or(line, m.theirs.damaged[id])
	return &FormatError{m.kind, line, fmt.Errorf("the record of %s is damaged on every side", id.Short())}
}
