package memory

import (
	"encoding/json"
	"fmt"
	"time"
)

// JSON returns what the field of m is in JSON: a time as text (RFC 3339), a
// list never as null, everything else as it is. ok is false for a value that
// says nothing: zero, false, "", or an empty list.
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

// SetJSON reads what [Field.JSON] returned back into m. It refuses values that
// no memory has, but not what [Memory.Tidy] would mend.
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

// checkItems replaces every item by what check makes of it.
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
