package query

import (
	"fmt"
	"slices"
	"strings"
	"time"

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
	quoted := fmt.Sprintf("to search for the words themselves, put them in quotes: '\"%s\"'", strings.Trim(e.Filter, `"`))
	if e.Try == "" {
		return "for example: " + e.Key.example() + "\n" + quoted
	}
	return "did you mean: " + e.Try + "\n" + quoted
}

// nearValue is the filter of a key whose value is spelled like value; "" when
// there is none.
func nearValue(key Key, value string) string {
	if near := Nearest(value, key.values()); near != "" {
		return string(key) + ":" + near
	}
	return ""
}

// Nearest is the one of known that is spelled like word but for two letters at most,
// and for less than half of the letters of word; "" when there is none. Case, spaces,
// dashes and underscores make no difference.
func Nearest(word string, known []string) string {
	var speller words.Speller
	letters := func(s string) []rune {
		return []rune(strings.Map(func(r rune) rune {
			if strings.ContainsRune(" -_", r) {
				return -1
			}
			return r
		}, strings.ToLower(s)))
	}
	best, most := "", 3
	typed := letters(word)
	for _, k := range known {
		if d := speller.Distance(typed, letters(k)); d < most && 2*d < len(typed) {
			best, most = k, d
		}
	}
	return best
}

// values are the values of a key that has only some, and examples of times.
func (k Key) values() []string {
	switch k {
	case Type:
		var out []string
		for _, t := range memory.Types() {
			out = append(out, string(t))
		}
		return out
	case Status:
		return []string{string(memory.StatusActive), string(memory.StatusSuperseded), string(memory.StatusContested), string(memory.StatusArchived)}
	case Stage:
		return []string{"landed", "pending", "global"}
	case Is:
		return []string{"pinned", "stale", "contested", "open", "active", "superseded", "archived", "landed", "pending", "global"}
	case Since, Until:
		return []string{"today", "yesterday", "this-week", "last-week", "this-month", "last-month", "this-year", "last-year"}
	}
	return nil
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
	case Status:
		return c, c.oneOf(lower, key.values()...)
	case Stage:
		return c, c.oneOf(lower, key.values()...)
	case Is:
		return c, c.oneOf(lower, key.values()...)
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

func (c *Clause) oneOf(value string, allowed ...string) error {
	if !slices.Contains(allowed, value) {
		return fmt.Errorf("%q is none of %s", value, strings.Join(allowed, ", "))
	}
	c.Value = value
	return nil
}

// span is a range of time: since takes its beginning, until its end.
type span struct{ from, to time.Time }

// Span reads a time as the filters since: and until: do. It begins at the first moment
// and ends before the second.
func Span(s string, now time.Time) (from, to time.Time, err error) {
	sp, err := parseTime(s, now)
	return sp.from, sp.to, err
}

// parseTime reads a date, an age (7d, 3 weeks, two months ago), or a word for a day,
// week, month or year.
func parseTime(s string, now time.Time) (span, error) {
	s = strings.ToLower(memory.OneLine(strings.NewReplacer("-ago", "", " ago", "", "_", " ").Replace(s)))
	if first, rest, more := strings.Cut(s, " "); more && countOf(first) != "" {
		s = countOf(first) + " " + rest
	}
	if t, err := time.Parse(time.RFC3339, strings.ToUpper(s)); err == nil {
		return span{t, t}, nil
	}
	for _, l := range []struct {
		layout string
		y, m   int
		d      int
	}{{"2006-01-02", 0, 0, 1}, {"2006/01/02", 0, 0, 1}, {"2006-01", 0, 1, 0}, {"2006", 1, 0, 0}} {
		if t, err := time.ParseInLocation(l.layout, s, now.Location()); err == nil {
			return span{t, t.AddDate(l.y, l.m, l.d)}, nil
		}
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	if sp, ok := parseAge(s, now, today); ok {
		return sp, nil
	}
	if sp, ok := parseNamed(strings.ReplaceAll(s, "-", " "), today); ok {
		return sp, nil
	}
	return span{}, fmt.Errorf("%q is not a time (2026-11-01, 7d, 2w, 3 months, yesterday, last week, march)", s)
}

// parseAge reads a number and a unit. From days on, an age is a day: 1d is yesterday.
func parseAge(s string, now, today time.Time) (span, bool) {
	unit := strings.TrimLeft(s, "0123456789")
	digits := s[:len(s)-len(unit)]
	if digits == "" || len(digits) > 4 {
		return span{}, false
	}
	n := 0
	for _, d := range digits {
		n = n*10 + int(d-'0')
	}
	var from time.Time
	switch strings.TrimSuffix(strings.TrimSpace(unit), "s") {
	case "h", "hour", "hr":
		from = now.Add(-time.Duration(n) * time.Hour)
		return span{from, from}, true
	case "d", "day":
		from = today.AddDate(0, 0, -n)
	case "w", "week", "wk":
		from = today.AddDate(0, 0, -7*n)
	case "m", "mo", "month":
		from = today.AddDate(0, -n, 0)
	case "y", "year", "yr":
		from = today.AddDate(-n, 0, 0)
	default:
		return span{}, false
	}
	return span{from, from.AddDate(0, 0, 1)}, true
}

func parseNamed(s string, today time.Time) (span, bool) {
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, today.Location())
	year := time.Date(today.Year(), 1, 1, 0, 0, 0, 0, today.Location())
	switch s {
	case "today", "now":
		return span{today, today.AddDate(0, 0, 1)}, true
	case "yesterday":
		return span{today.AddDate(0, 0, -1), today}, true
	case "this week":
		return span{monday, monday.AddDate(0, 0, 7)}, true
	case "last week":
		return span{monday.AddDate(0, 0, -7), monday}, true
	case "this month":
		return span{month, month.AddDate(0, 1, 0)}, true
	case "last month":
		return span{month.AddDate(0, -1, 0), month}, true
	case "this year":
		return span{year, year.AddDate(1, 0, 0)}, true
	case "last year":
		return span{year.AddDate(-1, 0, 0), year}, true
	}
	return parseCalendar(s, today)
}

// parseCalendar reads the name of a weekday or month, the latest one that has
// begun; a month may be followed by a year.
func parseCalendar(s string, today time.Time) (span, bool) {
	name, rest, _ := strings.Cut(s, " ")
	if len(name) < 3 {
		return span{}, false
	}
	for d := range 7 {
		day := today.AddDate(0, 0, -d)
		if full := strings.ToLower(day.Weekday().String()); rest == "" && (name == full || name == full[:3]) {
			return span{day, day.AddDate(0, 0, 1)}, true
		}
	}
	for m := time.January; m <= time.December; m++ {
		full := strings.ToLower(m.String())
		if name != full && name != full[:3] {
			continue
		}
		first := time.Date(today.Year(), m, 1, 0, 0, 0, 0, today.Location())
		if first.After(today) {
			first = first.AddDate(-1, 0, 0)
		}
		if rest != "" {
			y, err := time.Parse("2006", rest)
			if err != nil {
				return span{}, false
			}
			first = time.Date(y.Year(), m, 1, 0, 0, 0, 0, today.Location())
		}
		return span{first, first.AddDate(0, 1, 0)}, true
	}
	return span{}, false
}
