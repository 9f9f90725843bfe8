package memory

import (
	"time"
)

// JSON returns a value that encodes the field of m: a time as RFC 3339 text, an
// empty list rather than nil, anything else unchanged. ok is false for a zero
// value: 0, false, "", the zero time, or an empty list.
func (f *Field) JSON(m *Memory) (value any, ok bool) { return f.value.json(m) }

func (k single[T]) json(m *Memory) (any, bool) {
	var zero T
	v := *k.at(m)
	return v, v != zero
}

func (k moment) json(m *Memory) (any, bool) {
	t := *k.at(m)
	return t.Format(time.RFC3339), !t.IsZero()
}

func (k many[T]) json(m *Memory) (any, bool) { return notNull(*k.at(m)), len(*k.at(m)) > 0 }

func (sourceValue) json(m *Memory) (any, bool) { return m.Source, m.Source != Source{} }

func notNull[T any](items []T) []T {
	return append([]T{}, items...)
}
