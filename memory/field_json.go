package memory

import (
	"encoding/json"
	"fmt"
	"time"
)

// JSON returns a value that encodes the field of m: a time as RFC 3339 text, an
// empty list rather than nil, anything else unchanged. ok is false for a zero
// value: 0, false, "", the zero time, or an empty list.
func (f *Field) JSON(m *Memory) (value any, ok bool) {
	switch p := f.Of(m).(type) {
	case *ID:
		return *p, *p != ""
	case *Type:
		return *p, *p != ""
	case *string:
		return *p, *p != ""
	case *time.Time:
		return p.Format(time.RFC3339), !p.IsZero()
	case *float64:
		return *p, *p != 0
	case *int:
		return *p, *p != 0
	case *bool:
		return *p, *p
	case *[]string:
		return notNull(*p), len(*p) > 0
	case *[]Link:
		return notNull(*p), len(*p) > 0
	case *[]Anchor:
		return notNull(*p), len(*p) > 0
	case *Source:
		return *p, *p != Source{}
	}
	panic("memory: no JSON for " + f.Key)
}

func notNull[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// SetJSON decodes what [Field.JSON] returned into m. Its error reports a value
// that no memory file can hold. It does not mend: see [Memory.Tidy].
func (f *Field) SetJSON(m *Memory, data []byte) error {
	if err := setJSON(f.Of(m), data); err != nil {
		return fmt.Errorf("%s: %w", f.Key, err)
	}
	return nil
}

func setJSON(field any, data []byte) error {
	if t, ok := field.(*time.Time); ok {
		return setTime(t, data)
	}
	if err := json.Unmarshal(data, field); err != nil {
		return err
	}
	switch p := field.(type) {
	case *ID:
		_, err := ParseID(string(*p))
		return err
	case *Type:
		_, err := parseExactType(string(*p))
		return err
	case *string:
		*p = OneLine(*p)
	case *float64:
		if !(*p >= 0 && *p <= 1) {
			return fmt.Errorf("%v is not within 0 and 1", *p)
		}
	case *[]Link:
		return checkItems(*p, tidyLink)
	case *[]Anchor:
		return checkItems(*p, tidyAnchor)
	}
	return nil
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
