package memory

import (
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

// Merge is the three-way merge of one memory, field by field: lists as sets
// (what either side added is there, what either side removed is not), single
// values by the side that changed them, the text by text. A base of nil means
// that both sides added the file.
//
// Where both sides changed the same value, the version updated last wins, ours
// on a tie; where both changed the same lines of the text, both texts are kept
// one after the other and the memory is marked contested. No conflict markers
// are ever written.
func Merge(base, ours, theirs *Memory, text TextMerge) (*Memory, error) {
	if ours.ID != theirs.ID || base != nil && base.ID != ours.ID {
		return nil, fmt.Errorf("merging %s and %s: %w", ours.ID, theirs.ID, ErrDifferent)
	}
	if base == nil {
		base = &Memory{ID: ours.ID}
	}
	later := !theirs.Updated.After(ours.Updated) // ours wins ties
	m := &Memory{
		ID:         ours.ID,
		Type:       pick(base.Type, ours.Type, theirs.Type, later),
		Title:      pick(base.Title, ours.Title, theirs.Title, later),
		Created:    earlier(ours.Created, theirs.Created),
		Updated:    latest(ours.Updated, theirs.Updated),
		Confidence: pick(base.Confidence, ours.Confidence, theirs.Confidence, later),
		Priority:   pick(base.Priority, ours.Priority, theirs.Priority, later),
		Tags:       mergeSet(base.Tags, ours.Tags, theirs.Tags),
		Files:      mergeSet(base.Files, ours.Files, theirs.Files),
		Entities:   mergeSet(base.Entities, ours.Entities, theirs.Entities),
		Links:      mergeSet(base.Links, ours.Links, theirs.Links),
		Anchors:    mergeSet(base.Anchors, ours.Anchors, theirs.Anchors),
		Source:     pick(base.Source, ours.Source, theirs.Source, later),
		Pinned:     pick(base.Pinned, ours.Pinned, theirs.Pinned, later),
		Contested:  pick(base.Contested, ours.Contested, theirs.Contested, later),
		Unknown:    pick(base.Unknown, ours.Unknown, theirs.Unknown, later),
	}
	m.mergeText(base.Text, ours.Text, theirs.Text, text)
	return m, nil
}

// ContestedSeparator stands between the two texts of a contested memory.
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
			// The same order on both sides, so that two clones that merge
			// in opposite directions end with the same bytes.
			first, second := min(ours, theirs), max(ours, theirs)
			merged = first + ContestedSeparator + second
			m.Contested = true
		}
		m.Text = trimBody(merged)
	}
}

func pick[T comparable](base, ours, theirs T, preferOurs bool) T {
	switch {
	case ours == base:
		return theirs
	case theirs == base || ours == theirs || preferOurs:
		return ours
	default:
		return theirs
	}
}

func earlier(a, b time.Time) time.Time {
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

// mergeSet keeps the order of ours and appends what theirs added.
func mergeSet[T comparable](base, ours, theirs []T) []T {
	var out []T
	for _, v := range ours {
		if (slices.Contains(theirs, v) || !slices.Contains(base, v)) && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	for _, v := range theirs {
		if !slices.Contains(base, v) && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
