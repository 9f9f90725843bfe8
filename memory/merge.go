package memory

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
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
// Where both sides changed the same value of a base, that of the version updated last
// stands, and of two that were updated at the same time always the same one, whichever
// is ours; the other is kept as a line below the text. Where both changed the same
// lines of the text, both texts are kept one after the other. Either way the memory is
// marked contested. No conflict markers are ever written. Two clones that merge in
// opposite directions end with the same bytes, provided that text does.
func Merge(base, ours, theirs *Memory, text TextMerge) (*Memory, error) {
	if ours.ID != theirs.ID || base != nil && base.ID != ours.ID {
		return nil, fmt.Errorf("merging %s and %s: %w", ours.ID, theirs.ID, ErrDifferent)
	}
	both := base != nil // what both added was often worked out twice from one session
	base = cmp.Or(base, &Memory{ID: ours.ID})
	first := prefer(ours, theirs)
	m := &Memory{Unknown: mergeUnknown(base.Unknown, ours.Unknown, theirs.Unknown, first)}
	var lost []byte
	for _, f := range Fields() {
		f.value.merge(m, base, ours, theirs, first)
		if value := f.value.loses(base, ours, theirs, first); both && value != nil {
			lost = fmt.Appendf(lost, "- %s: %s\n", f.Key, value)
		}
	}
	m.mergeText(base.Text, ours.Text, theirs.Text, text)
	if lost != nil {
		m.Text, m.Contested = tidyText(m.Text+contestedValues+string(lost)), true
	}
	return m, nil
}

// Of a contested memory: what separates its two texts, and its text from the values of
// the other version.
const (
	contestedTexts  = "\n\n**Contested**, the other version says:\n\n"
	contestedValues = "\n\n**Contested**, the other version has:\n\n"
)

// HoldsBoth reports whether a text still holds what [Merge] kept of another version.
func HoldsBoth(text string) bool {
	return strings.Contains(text, strings.TrimSpace(contestedTexts)) ||
		strings.Contains(text, strings.TrimSpace(contestedValues))
}

// OtherTitle is the title that the other version of a contested memory has; "" if its title is not in question.
func (m *Memory) OtherTitle() string {
	_, lost, _ := strings.Cut(m.Text, strings.TrimLeft(contestedValues, "\n"))
	_, title, _ := strings.Cut("\n"+lost, "\n- title: ")
	title, _, _ = strings.Cut(title, "\n")
	return title
}

// Settle accepts a contested memory as it is: both texts stay, and the values that
// stand are those of the frontmatter alone.
func (m *Memory) Settle() {
	m.Contested = false
	if text, values, ok := strings.Cut(m.Text, strings.TrimLeft(contestedValues, "\n")); ok {
		_, more, _ := strings.Cut(values, "\n\n") // what somebody wrote below
		m.Text = tidyText(strings.TrimRight(text, "\n") + "\n\n" + more)
	}
}

func (m *Memory) mergeText(base, ours, theirs string, text TextMerge) {
	switch {
	case ours == theirs, theirs == base:
		m.Text = ours
	case ours == base:
		m.Text = theirs
	default:
		merged, clean := text(base, ours, theirs)
		if !clean {
			merged = min(ours, theirs) + contestedTexts + max(ours, theirs)
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

func earliest(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }

func latest(a, b time.Time) time.Time { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }

// mergeSet returns the side that changed or, if both did, the items of base
// that both kept, in their order, and then the added items, sorted.
func mergeSet[T comparable](base, ours, theirs []T, compare func(a, b T) int) []T {
	switch {
	case equal(theirs, base), equal(ours, theirs):
		return slices.Clone(ours)
	case equal(ours, base):
		return slices.Clone(theirs)
	}
	isKept := func(v T) bool { return has(ours, v) && has(theirs, v) }
	out := slices.DeleteFunc(slices.Clone(base), func(v T) bool { return !isKept(v) })
	added := slices.DeleteFunc(slices.Concat(ours, theirs), func(v T) bool { return has(base, v) })
	return append(out, inOrder(added, compare)...)
}

// inOrder returns the items of a short list in order, each once. It has little code for each
// type; a sort has much.
func inOrder[T any](list []T, compare func(a, b T) int) []T {
	var out []T
	for _, v := range list {
		if i, ok := slices.BinarySearchFunc(out, v, compare); !ok {
			out = append(out, v)
			copy(out[i+1:], out[i:])
			out[i] = v
		}
	}
	return out
}

// equal and has are compiled once for each type, where inlining would repeat their loops.
//
//go:noinline
func equal[T comparable](a, b []T) bool { return slices.Equal(a, b) }

//go:noinline
func has[T comparable](list []T, v T) bool { return slices.Contains(list, v) }

func compareLinks(a, b Link) int {
	return cmp.Or(cmp.Compare(a.Rel, b.Rel), cmp.Compare(a.To, b.To))
}

func compareAnchors(a, b Anchor) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Blob, b.Blob))
}
