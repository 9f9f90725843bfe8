package memory

import (
	"cmp"
	"strconv"
	"sync"
	"time"
)

// Field is one key of the frontmatter. [Parse], [Format], [Merge],
// [Memory.Tidy], JSON, and every other package that stores memories, go through
// [Fields]: a new key is a field of [Memory] and one line of the table.
type Field struct {
	Key string

	value    value
	required bool // a file without it is no memory
}

// value reads, writes, merges and mends one field of a memory.
type value interface {
	of(m *Memory) any           // a pointer to the field
	json(m *Memory) (any, bool) // see [Field.JSON]
	read(m *Memory, v node) error
	append(b []byte, key string, m *Memory) []byte // appends nothing for a default value
	merge(m, base, ours, theirs *Memory, first side)
	loses(base, ours, theirs *Memory, first side) []byte // the value of a side that merge drops, as the file shows it
	tidy(m *Memory)
}

// Fields returns every key that this version knows, in canonical order. The
// slice is shared: do not change it.
func Fields() []Field { return fieldTable() }

var fieldTable = sync.OnceValue(func() []Field {
	return []Field{
		{"id", single[ID]{
			at: func(m *Memory) *ID { return &m.ID }, parse: ParseID, print: appendText[ID],
		}, true},
		{"type", single[Type]{
			at: func(m *Memory) *Type { return &m.Type }, parse: parseExactType, print: appendText[Type],
		}, true},
		{"title", single[string]{
			at: func(m *Memory) *string { return &m.Title }, parse: parseTitle, print: appendText[string],
			mend: func(_ *Memory, s string) string { return cutTitle(repair(s)) },
		}, true},
		{"created", moment{at: func(m *Memory) *time.Time { return &m.Created }, both: earliest}, true},
		{"updated", moment{at: func(m *Memory) *time.Time { return &m.Updated }, both: latest}, false},
		{"confidence", single[float64]{
			at: func(m *Memory) *float64 { return &m.Confidence }, parse: parseConfidence, print: appendConfidence,
			absent: func(*Memory) float64 { return 1 },
			mend:   func(_ *Memory, f float64) float64 { return tidyConfidence(f) },
		}, false},
		{"priority", single[int]{
			at: func(m *Memory) *int { return &m.Priority }, parse: parsePriority, print: appendInt,
			absent: func(m *Memory) int { return m.Type.Priority() },
			mend:   tidyPriority,
		}, false},
		{"tags", many[string]{
			at: func(m *Memory) *[]string { return &m.Tags }, parse: scalarOf(parseItem), print: appendItem,
			mend: tidyItem, compare: cmp.Compare[string], bytes: textBytes,
		}, false},
		{"files", many[string]{
			at: func(m *Memory) *[]string { return &m.Files }, parse: scalarOf(parsePath), print: appendItem,
			mend: parsePath, compare: cmp.Compare[string], bytes: textBytes,
		}, false},
		{"entities", many[string]{
			at: func(m *Memory) *[]string { return &m.Entities }, parse: scalarOf(parseItem), print: appendItem,
			mend: tidyItem, compare: cmp.Compare[string], bytes: textBytes,
		}, false},
		{"links", many[Link]{
			at: func(m *Memory) *[]Link { return &m.Links }, parse: parseLink, print: appendLink,
			mend: tidyLink, compare: compareLinks,
			bytes: func(Link) int { return 1 }, // links are cut last
		}, false},
		{"anchors", many[Anchor]{
			at: func(m *Memory) *[]Anchor { return &m.Anchors }, parse: parseAnchor, print: appendAnchor,
			mend: tidyAnchor, compare: compareAnchors,
			bytes: func(a Anchor) int { return len(a.Path) + len(a.Blob) },
		}, false},
		{"triggers", many[string]{
			at: func(m *Memory) *[]string { return &m.Triggers }, parse: scalarOf(parseItem), print: appendItem,
			mend: tidyItem, compare: cmp.Compare[string], bytes: textBytes,
		}, false},
		{"seen", many[string]{
			at: func(m *Memory) *[]string { return &m.Seen }, parse: scalarOf(parseItem), print: appendItem,
			mend: tidyItem, compare: cmp.Compare[string], bytes: textBytes,
		}, false},
		{"scope", single[string]{
			at: func(m *Memory) *string { return &m.Scope }, parse: parseScope, print: appendText[string],
			absent: func(*Memory) string { return "" },
			mend:   func(_ *Memory, s string) string { s, _ = parseScope(s); return s },
		}, false},
		{"hold", single[string]{
			at: func(m *Memory) *string { return &m.Hold }, parse: parseWord, print: appendText[string],
			absent: func(*Memory) string { return "" },
			mend:   func(_ *Memory, s string) string { s, _ = parseWord(repair(s)); return s },
		}, false},
		{"source", sourceValue{}, false},
		{"pinned", flag(func(m *Memory) *bool { return &m.Pinned }), false},
		{"contested", flag(func(m *Memory) *bool { return &m.Contested }), false},
	}
})

// Of returns a pointer to the field of m: a *ID, *Type, *string, *time.Time,
// *float64, *int, *bool, *[]string, *[]Link, *[]Anchor or *Source.
func (f *Field) Of(m *Memory) any { return f.value.of(m) }

// read reads a value. A blank value counts as no key, unless the key is
// required.
func (f *Field) read(m *Memory, v node) error {
	if v.empty() && !f.required {
		return nil
	}
	return f.value.read(m, v)
}

// single is a field with one value.
type single[T comparable] struct {
	at     func(m *Memory) *T
	parse  func(string) (T, error)
	print  func([]byte, T) []byte
	absent func(m *Memory) T      // the default; nil if the key is always written
	mend   func(m *Memory, v T) T // the valid value closest to v; nil if every value is valid
}

func (k single[T]) of(m *Memory) any { return k.at(m) }

func (k single[T]) read(m *Memory, v node) (err error) {
	*k.at(m), err = parseScalar(v, k.parse)
	return err
}

func (k single[T]) append(b []byte, key string, m *Memory) []byte {
	v := *k.at(m)
	if k.absent != nil && v == k.absent(m) {
		return b
	}
	return append(k.print(append(append(b, key...), ": "...), v), '\n')
}

func (k single[T]) merge(m, base, ours, theirs *Memory, first side) {
	*k.at(m) = pick(*k.at(base), *k.at(ours), *k.at(theirs), first)
}

func (k single[T]) loses(base, ours, theirs *Memory, first side) []byte {
	b, o, t := *k.at(base), *k.at(ours), *k.at(theirs)
	switch {
	case o == t, o == b, t == b:
		return nil
	case first == oursFirst:
		return k.print(nil, t)
	}
	return k.print(nil, o)
}

func (k single[T]) tidy(m *Memory) {
	if k.mend != nil {
		*k.at(m) = k.mend(m, *k.at(m))
	}
}

// flag is a field that is only written when it is true.
func flag(at func(m *Memory) *bool) single[bool] {
	return single[bool]{
		at: at, parse: parseBool, print: strconv.AppendBool, absent: func(*Memory) bool { return false },
	}
}

// moment is a time; the zero time is not written. When both sides of a merge
// changed it, both picks one.
type moment struct {
	at   func(m *Memory) *time.Time
	both func(a, b time.Time) time.Time
}

func (k moment) of(m *Memory) any { return k.at(m) }

func (k moment) read(m *Memory, v node) (err error) {
	*k.at(m), err = parseScalar(v, parseTime)
	return err
}

func (k moment) append(b []byte, key string, m *Memory) []byte {
	t := *k.at(m)
	if t.IsZero() {
		return b
	}
	return append(t.AppendFormat(append(append(b, key...), ": "...), time.RFC3339), '\n')
}

func (k moment) merge(m, base, ours, theirs *Memory, _ side) {
	*k.at(m) = pickTime(*k.at(base), *k.at(ours), *k.at(theirs), k.both)
}

func (moment) loses(_, _, _ *Memory, _ side) []byte { return nil }

func (k moment) tidy(m *Memory) { *k.at(m) = tidyTime(*k.at(m)) }

// many is a field with a list of distinct items.
type many[T comparable] struct {
	at      func(m *Memory) *[]T
	parse   func(node) (T, error)
	print   func([]byte, T) []byte
	mend    func(T) (T, error) // an error drops the item
	compare func(a, b T) int
	bytes   func(T) int // weight of an item when the longest list must be cut
}

func (k many[T]) of(m *Memory) any { return k.at(m) }

func (k many[T]) read(m *Memory, v node) (err error) {
	*k.at(m), err = parseList(v, k.parse)
	return err
}

func (k many[T]) append(b []byte, key string, m *Memory) []byte {
	items := *k.at(m)
	for i, v := range items {
		if i == 0 {
			b = append(append(b, key...), ": ["...)
		} else {
			b = append(b, ", "...)
		}
		b = k.print(b, v)
	}
	if len(items) > 0 {
		b = append(b, "]\n"...)
	}
	return b
}

func (k many[T]) merge(m, base, ours, theirs *Memory, _ side) {
	*k.at(m) = mergeSet(*k.at(base), *k.at(ours), *k.at(theirs), k.compare)
}

func (many[T]) loses(_, _, _ *Memory, _ side) []byte { return nil }

func (k many[T]) tidy(m *Memory) { *k.at(m) = kept(*k.at(m), k.mend) }

// size is the weight of the list when the longest must be cut.
func (k many[T]) size(m *Memory) int {
	n := 0
	for _, item := range *k.at(m) {
		n += k.bytes(item)
	}
	return n
}

func (k many[T]) halve(m *Memory) {
	items := k.at(m)
	*items = (*items)[:len(*items)/2]
}

func textBytes(s string) int { return len(s) }

func tidyPriority(m *Memory, n int) int {
	return min(max(cmp.Or(n, m.Type.Priority()), 1), 10)
}
