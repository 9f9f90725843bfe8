package query

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// FilterError is a filter whose value its key does not have.
type FilterError struct {
	Filter string // as typed
	Key    Key
	Reason string // why the value is none
	Try    string // the filter that was probably meant; "" when none is near
}

func (e *FilterError) Error() string { return e.Filter + ": " + e.Reason }

// Hint says what to type instead.
func (e *FilterError) Hint() string {
	words := strings.Trim(e.Filter, `"`)
	quoted := fmt.Sprintf("to search for the words themselves, put them in quotes: '\"%s\"'", words)
	if e.Try == "" {
		return "for example: " + e.Key.example() + "\n" + quoted
	}
	return "did you mean: " + e.Try + "\n" + quoted
}

// nearValue is the filter of a key whose value is spelled like value; "" when
// there is none.
func nearValue(key Key, value string) string {
	if near := Nearest(value, key.Values()); near != "" {
		return string(key) + ":" + near
	}
	return ""
}

// Nearest is the one of known that is spelled like word but for two letters at most,
// and for less than half of the letters of word; "" when there is none. Case, spaces,
// dashes and underscores make no difference.
func Nearest(word string, known []string) string {
	joined := strings.NewReplacer(" ", "", "-", "", "_", "")
	typed := joined.Replace(strings.ToLower(word))
	most := min(2, (utf8.RuneCountInString(typed)-1)/2)
	near := words.NewNear(typed, most)
	best := ""
	for _, k := range known {
		if d := near.Distance(joined.Replace(strings.ToLower(k))); d <= most {
			best, most = k, d-1
		}
	}
	return best
}

// Values are the values of a key that has only some, and examples of times.
func (k Key) Values() []string {
	times := []string{
		"today", "yesterday", "this-week", "last-week", "this-month", "last-month", "this-year", "last-year",
	}
	return map[Key][]string{
		Type:   names(memory.Types()),
		Status: {"active", "superseded", "contested", "archived"},
		Stage:  {"landed", "pending", "global"},
		Is: {
			"pinned", "stale", "contested", "open", "active", "superseded", "archived", "landed", "pending", "global",
		},
		Since: times, Until: times,
	}[k]
}

// names are values of a type of strings as strings.
func names[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// clause checks one value and brings it into canonical form. Exclusive is for
// before and after, which leave out the day, month or year that they name.
func (p *parser) clause(key Key, value string, exclusive bool) (Clause, error) {
	c := Clause{Key: key, Value: value}
	lower := strings.ToLower(value)
	switch key {
	case Type:
		t, err := memory.ParseType(value)
		if err != nil {
			return c, err
		}
		c.Value = string(t)
	case Status, Stage, Is:
		if !slices.Contains(key.Values(), lower) {
			return c, fmt.Errorf("%q is none of %s", lower, strings.Join(key.Values(), ", "))
		}
		c.Value = lower
	case Since, Until:
		s, err := parseTime(lower, p.now)
		if err != nil {
			return c, err
		}
		c.Time = s.from
		if (key == Until) != exclusive {
			c.Time = s.to
		}
		c.Value = c.Time.UTC().Format(time.RFC3339)
	}
	return c, nil
}
