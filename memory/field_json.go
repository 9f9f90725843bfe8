package memory

import (
	"encoding/json"
	"fmt"
	"strconv"
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

// SetJSON decodes what [Field.JSON] returned into m. Its error reports a value
// that no memory file can hold. It does not mend: see [Memory.Tidy].
func (f *Field) SetJSON(m *Memory, data []byte) error {
	if err := setJSON(f.Of(m), data); err != nil {
		return fmt.Errorf("%s: %w", f.Key, err)
	}
	return nil
}

func setJSON(field any, data []byte) (err error) {
	if t, ok := field.(*time.Time); ok {
		return setTime(t, data)
	}
	if err := json.Unmarshal(data, field); err != nil {
		return err
	}
	switch p := field.(type) {
	case *ID:
		_, err = ParseID(string(*p))
	case *Type:
		_, err = parseExactType(string(*p))
	case *string:
		*p = OneLine(*p)
	case *float64:
		_, err = parseConfidence(strconv.FormatFloat(*p, 'g', -1, 64))
	case *[]Link:
		err = checkItems(*p, tidyLink)
	case *[]Anchor:
		err = checkItems(*p, tidyAnchor)
	}
	return err
}

// checkItems replaces every item by what check returns for it.
func checkItems[T any](items []T, check func(T) (T, error)) (err error) {
	for i := range items {
		if items[i], err = check(items[i]); err != nil {
			return err
		}
	}
	return nil
}

func setTime(to *time.Time, data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	if s == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339, s)
	*to = t.UTC()
	return err
}
