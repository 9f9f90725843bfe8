package projection

import (
	"fmt"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// Merge is the three-way merge of a page by records, rendered canonically: for
// pages that [Render] wrote it equals rendering the merged set of memories.
// An empty base means that both sides added the page.
//
// Text merges bodies that both sides edited; it is the function that merges
// memory files (git merge-file). If it is nil, both texts are kept and the
// record is contested. A record that one side edited and the other removed is
// kept. Records missing from a damaged file, one that is truncated or empty, do
// not count as removed. Merge fails with a *[FormatError] if a side is not a
// page or names a record that no side has whole; the caller then leaves the
// file to git's own merge.
func Merge(kind Kind, base, ours, theirs []byte, text memory.TextMerge) ([]byte, error) {
	var v [3]*version
	for i, data := range [][]byte{base, ours, theirs} {
		var err error
		v[i], err = readVersion(kind, data)
		if err != nil && i > 0 {
			return nil, err // without a base nothing counts as removed
		}
		if v[i] == nil {
			v[i] = &version{complete: i == 0}
		}
		if i > 0 && v[i].problem != nil {
			return nil, v[i].problem
		}
	}
	m := merger{kind: kind, base: v[0], ours: v[1], theirs: v[2], text: text}
	var out []*memory.Memory
	for _, id := range m.ids() {
		r, err := m.merge(id)
		if err != nil {
			return nil, err
		}
		if r != nil {
			out = append(out, r)
		}
	}
	page, _ := RenderBy(kind, mergeLayouts(v[0], v[1], v[2]), out) // as rendering by a template that cannot be used
	return page, nil
}

type merger struct {
	kind               Kind
	base, ours, theirs *version
	text               memory.TextMerge
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
func (m *merger) merge(id memory.ID) (*memory.Memory, error) {
	base, err := m.base.resolve(id, nil, m.text)
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
	case !oursKnown && !theirsKnown && base == nil:
		return nil, m.lost(id)
	case !oursKnown && theirsKnown && theirs == nil, !theirsKnown && oursKnown && ours == nil:
		if base == nil {
			return nil, m.lost(id)
		}
		return base, nil
	case !oursKnown && !theirsKnown:
		return base, nil
	case !oursKnown:
		return theirs, nil
	case !theirsKnown:
		return ours, nil
	}
	return m.threeWay(base, ours, theirs)
}

// side returns the record of one side, or nil if there is none. known is false
// if the text is too damaged to tell.
func (m *merger) side(v *version, id memory.ID, base *memory.Memory) (r *memory.Memory, known bool, err error) {
	r, err = v.resolve(id, base, m.text)
	if err != nil || r != nil {
		return r, err == nil, err
	}
	_, damaged := v.damaged[id]
	return nil, !damaged && (v.complete || base == nil), nil
}

func (m *merger) threeWay(base, ours, theirs *memory.Memory) (*memory.Memory, error) {
	switch {
	case equalRecords(ours, theirs), equalRecords(theirs, base):
		return ours, nil
	case equalRecords(ours, base):
		return theirs, nil
	case ours == nil:
		return theirs, nil // removed here, edited there: the edit stays
	case theirs == nil:
		return ours, nil
	}
	merged, err := memory.Merge(base, ours, theirs, orBoth(m.text))
	if err != nil {
		return nil, &FormatError{Kind: m.kind, Err: err}
	}
	return m.kind.reduce(merged), nil // without the text that a merge may give what shows none
}

func (m *merger) lost(id memory.ID) error {
	line := m.ours.damaged[id]
	if line == 0 {
		line = m.theirs.damaged[id]
	}
	return &FormatError{m.kind, line, fmt.Errorf("the record of %s is damaged on every side", id.Short())}
}
