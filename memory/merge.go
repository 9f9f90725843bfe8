package memory

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// TextMerge merges three versions of a text; clean is false when both sides
// changed the same lines.
type TextMerge func(base, ours, theirs string) (merged string, clean bool)

// ErrDifferent is returned by [Merge] for versions of different memories,
// which rename detection may pair: both must be kept as they are.
var ErrDifferent = errors.New("the versions are of different memories")

// Merge is the three-way merge of one memory, field by field: lists and
// unknown keys as sets (what either side added is there, what either side
// removed is not), single values by the side that changed them, the text by
// text. A base of nil means that both sides added the file.
//
// Where both sides changed the same value, the version updated last wins, and
// of two that were updated at the same time always the same one, whichever is
// ours; where both changed the same lines of the text, both texts are kept one
// after the other and the memory is marked contested. No conflict markers are
// ever written. Two clones that merge in opposite directions end with the same
// bytes, provided that text does.
func Merge(base, ours, theirs *Memory, text TextMerge) (*Memory, error) {
	if ours.ID != theirs.ID || base != nil && base.ID != ours.ID {
		return nil, fmt.Errorf("merging %s and %s: %w", ours.ID, theirs.ID, ErrDifferent)
	}
	if base == nil {
		base = &Memory{ID: ours.ID}
	}
	first := prefer(ours, theirs)
	m := &Memory{Unknown: mergeUnknown(base.Unknown, ours.Unknown, theirs.Unknown, first)}
	for _, f := range Fields() {
		f.value.merge(m, base, ours, theirs, first)
	}
	m.mergeText(base.Text, ours.Text, theirs.Text, text)
	return m, nil
}

// ContestedSeparator separates the two texts of a contested memory.
const ContestedSeparator = "\n\n**Contested**, the other version says:\n\n"

func (m *Memory) mergeText(base, ours, theirs string, text TextMerge) {
	switch {
	case ours == theirs || theirs == base:
		m.Text = ours
	case ours == base:
		m.Text = theirs
	default:
		merged, clean := text(base, ours, theirs)
		if !clean {
			merged = min(ours, theirs) + ContestedSeparator + max(ours, theirs)
			m.Contested = true
		}
		m.Text = tidyText(merged)
	}
}

// side is the version whose value is taken when both changed it.
type side bool

const (
	oursFirst   side = true
	theirsFirst side = false
)

// prefer picks the version updated last. On a tie the choice does not depend on
// which one is called ours.
func prefer(ours, theirs *Memory) side {
	if n := ours.Updated.Compare(theirs.Updated); n != 0 {
		return n > 0
	}
	return bytes.Compare(Format(ours), Format(theirs)) >= 0
}

func pick[T comparable](base, ours, theirs T, first side) T {
	if ours != base && (theirs == base || first == oursFirst) {
		return ours
	}
	return theirs
}

func pickTime(base, ours, theirs time.Time, both func(a, b time.Time) time.Time) time.Time {
	switch {
	case theirs.Equal(base):
		return ours
	case ours.Equal(base):
		return theirs
	}
	return both(ours, theirs)
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// mergeSet returns the side that changed or, if both did, the items of base
// that both kept, in their order, and then the added items, sorted.
func mergeSet[T comparable](base, ours, theirs []T, compare func(a, b T) int) []T {
	switch {
	case slices.Equal(theirs, base) || slices.Equal(ours, theirs):
		return slices.Clone(ours)
	case slices.Equal(ours, base):
		return slices.Clone(theirs)
	}
	var out []T
	for _, v := range base {
		if slices.Contains(ours, v) && slices.Contains(theirs, v) {
			out = append(out, v)
		}
	}
	added := slices.DeleteFunc(slices.Concat(ours, theirs), func(v T) bool { return slices.Contains(base, v) })
	slices.SortFunc(added, compare)
	return append(out, slices.Compact(added)...)
}

func compareLinks(a, b Link) int {
	return cmp.Or(cmp.Compare(a.Rel, b.Rel), cmp.Compare(a.To, b.To))
}

func compareAnchors(a, b Anchor) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Blob, b.Blob))
}
