package query

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
)

// span is a range of time: since takes its beginning, until its end.
type span struct{ from, to time.Time }

// Span reads a time as the filters since: and until: do. It begins at the first moment
// and ends before the second.
func Span(s string, now time.Time) (from, to time.Time, err error) {
	sp, err := parseTime(s, now)
	return sp.from, sp.to, err
}

// step is a length of time on the calendar.
type step int

const (
	oneDay step = iota
	oneWeek
	oneMonth
	oneYear
)

// after is the time n steps after another.
func (s step) after(t time.Time, n int) time.Time {
	switch s {
	case oneDay:
		return t.AddDate(0, 0, n)
	case oneWeek:
		return t.AddDate(0, 0, 7*n)
	case oneMonth:
		return t.AddDate(0, n, 0)
	}
	return t.AddDate(n, 0, 0)
}

// from is the span of one step that begins at a time.
func (s step) from(t time.Time) span { return span{t, s.after(t, 1)} }

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
	for _, date := range []struct {
		layout string
		step
	}{{"2006-01-02", oneDay}, {"2006/01/02", oneDay}, {"2006-01", oneMonth}, {"2006", oneYear}} {
		if t, err := time.ParseInLocation(date.layout, s, now.Location()); err == nil {
			return date.from(t), nil
		}
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	for _, parse := range []func(s string, now, today time.Time) (span, bool){parseAge, parseNamed, parseCalendar} {
		if sp, ok := parse(s, now, today); ok {
			return sp, nil
		}
	}
	return span{}, fmt.Errorf("%q is not a time (2026-11-01, 7d, 2w, 3 months, yesterday, last week, march)", s)
}

// ages are the units of an age, without the s of the plural.
var ages = lazy.Value(func() map[string]step {
	return map[string]step{
		"d": oneDay, "day": oneDay,
		"w": oneWeek, "wk": oneWeek, "week": oneWeek,
		"m": oneMonth, "mo": oneMonth, "month": oneMonth,
		"y": oneYear, "yr": oneYear, "year": oneYear,
	}
})

// parseAge reads a number and a unit. From days on, an age is a day: 1d is yesterday.
func parseAge(s string, now, today time.Time) (span, bool) {
	unit := strings.TrimLeft(s, "0123456789")
	n, err := strconv.Atoi(s[:len(s)-len(unit)])
	if err != nil || n > 9999 {
		return span{}, false
	}
	unit = strings.TrimSuffix(strings.TrimSpace(unit), "s")
	switch unit {
	case "h", "hr", "hour":
		from := now.Add(-time.Duration(n) * time.Hour)
		return span{from, from}, true
	}
	age, ok := ages()[unit]
	return oneDay.from(age.after(today, -n)), ok
}

// parseNamed reads today, yesterday, and this or the last week, month or year.
func parseNamed(s string, _, today time.Time) (span, bool) {
	s = strings.ReplaceAll(s, "-", " ")
	switch s {
	case "today", "now":
		return oneDay.from(today), true
	case "yesterday":
		return oneDay.from(oneDay.after(today, -1)), true
	}
	which, unit, _ := strings.Cut(s, " ")
	var length step
	var start time.Time
	switch unit {
	case "week":
		length, start = oneWeek, today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	case "month":
		length, start = oneMonth, today.AddDate(0, 0, 1-today.Day())
	case "year":
		length, start = oneYear, today.AddDate(0, 0, 1-today.YearDay())
	default:
		return span{}, false
	}
	switch which {
	case "this":
		return length.from(start), true
	case "last":
		return length.from(length.after(start, -1)), true
	}
	return span{}, false
}

// calendar holds the names of months and weekdays in small letters, and their first three
// letters.
type calendar struct {
	months   map[string]time.Month
	weekdays map[string]time.Weekday
}

var calendarNames = lazy.Value(func() calendar {
	c := calendar{map[string]time.Month{}, map[string]time.Weekday{}}
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		c.months[name], c.months[name[:3]] = m, m
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		name := strings.ToLower(d.String())
		c.weekdays[name], c.weekdays[name[:3]] = d, d
	}
	return c
})

// isCalendarName reports whether a word is the whole name of a month or weekday.
func isCalendarName(word string) bool {
	if len(word) <= 3 && word != "may" {
		return false
	}
	_, month := calendarNames().months[word]
	_, weekday := calendarNames().weekdays[word]
	return month || weekday
}

// parseCalendar reads the name of a weekday or month, the latest one that has
// begun; a month may be followed by a year.
func parseCalendar(s string, _, today time.Time) (span, bool) {
	name, rest, _ := strings.Cut(strings.ReplaceAll(s, "-", " "), " ")
	if day, ok := calendarNames().weekdays[name]; ok && rest == "" {
		ago := (int(today.Weekday()-day) + 7) % 7
		return oneDay.from(oneDay.after(today, -ago)), true
	}
	month, ok := calendarNames().months[name]
	if !ok {
		return span{}, false
	}
	first := time.Date(today.Year(), month, 1, 0, 0, 0, 0, today.Location())
	if first.After(today) {
		first = oneYear.after(first, -1)
	}
	if rest != "" {
		year, err := time.Parse("2006", rest)
		if err != nil {
			return span{}, false
		}
		first = time.Date(year.Year(), month, 1, 0, 0, 0, 0, today.Location())
	}
	return oneMonth.from(first), true
}
