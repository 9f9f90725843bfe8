package index

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// clause checks one value and brings it into canonical form.
func (p *queryParser) clause(key, value string) (Clause, error) {
	c := Clause{Key: key, Value: value}
	lower := strings.ToLower(value)
	switch key {
	case "type":
		t, err := memory.ParseType(value)
		if err != nil {
			return c, err
		}
		c.Value = string(t)
	case "status":
		return c, c.oneOf(lower, string(memory.StatusActive), string(memory.StatusSuperseded), string(memory.StatusContested), string(memory.StatusArchived))
	case "stage":
		return c, c.oneOf(lower, string(Landed), string(Pending), string(Global))
	case "is":
		return c, c.oneOf(lower, "pinned", "stale", "contested", "open", "active", "superseded", "archived", "landed", "pending", "global")
	case "since", "until":
		s, err := parseTime(lower, p.now)
		if err != nil {
			return c, err
		}
		c.Time = s.from
		if key == "until" {
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

// parseTime reads a date, an age (7d, 3 weeks, 2 months), or a word for a day,
// week, month or year.
func parseTime(s string, now time.Time) (span, error) {
	s = strings.ToLower(memory.OneLine(strings.NewReplacer("-ago", "", " ago", "", "_", " ").Replace(s)))
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

// parseAge reads a number and a unit. From days on, an age counts whole days.
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
	return span{from, from}, true
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

// matcher decides whether items pass the filters of a query.
type matcher struct {
	catalog *Catalog
	keys    map[string][]Clause // alternatives
	not     []Clause
	deep    bool // some clause needs more than the facts
}

func newMatcher(c *Catalog, q *Query) *matcher {
	m := &matcher{catalog: c, keys: map[string][]Clause{}}
	for _, cl := range q.Clauses {
		switch cl.Key {
		case "tag", "file", "entity", "branch", "session":
			m.deep = true
		}
		if cl.Not {
			m.not = append(m.not, cl)
		} else {
			m.keys[cl.Key] = append(m.keys[cl.Key], cl)
		}
	}
	return m
}

// match reports whether it passes every filter.
func (m *matcher) match(ctx context.Context, it *Item) bool {
	if len(m.keys) == 0 && len(m.not) == 0 {
		return true
	}
	facts, ok := m.catalog.FactsOf(it)
	if !ok {
		return false
	}
	f := &facts
	var head *memory.Memory
	if m.deep {
		if head, ok = m.catalog.HeadOf(ctx, it); !ok {
			return false
		}
	}
	for _, alternatives := range m.keys {
		if !slices.ContainsFunc(alternatives, func(c Clause) bool { return c.holds(it, f, head) }) {
			return false
		}
	}
	return !slices.ContainsFunc(m.not, func(c Clause) bool { return c.holds(it, f, head) })
}

// holds decides one clause, as if it were not negated.
func (c *Clause) holds(it *Item, f *Facts, head *memory.Memory) bool {
	switch c.Key {
	case "type":
		return string(f.Type) == c.Value
	case "since":
		return !f.touched().Before(c.Time)
	case "until":
		return f.touched().Before(c.Time)
	case "status":
		return string(it.Status) == c.Value || c.Value == string(memory.StatusContested) && f.Contested
	case "stage":
		return string(it.Stage) == c.Value
	case "is":
		return c.is(it, f)
	case "tag":
		return slices.ContainsFunc(head.Tags, func(s string) bool { return words.Fold(s) == words.Fold(c.Value) })
	case "entity":
		return slices.ContainsFunc(head.Entities, func(s string) bool { return words.Fold(s) == words.Fold(c.Value) })
	case "file":
		return slices.ContainsFunc(head.Files, c.matchPath) ||
			slices.ContainsFunc(head.Anchors, func(a memory.Anchor) bool { return c.matchPath(a.Path) })
	case "branch":
		return it.Branch != "" && matchName(c.Value, it.Branch) || matchName(c.Value, head.Source.Branch)
	case "session":
		return head.Source.Session != "" && strings.HasPrefix(strings.ToLower(head.Source.Session), strings.ToLower(c.Value))
	}
	return false
}

// touched is the time since and until look at: when it was last written.
func (f *Facts) touched() time.Time {
	if f.Updated.After(f.Created) {
		return f.Updated
	}
	return f.Created
}

func (c *Clause) is(it *Item, f *Facts) bool {
	switch c.Value {
	case "pinned":
		return f.Pinned
	case "contested":
		return f.Contested || it.Status == memory.StatusContested
	case "stale":
		return it.Stale
	case "open":
		return it.Open
	case "landed", "pending", "global":
		return string(it.Stage) == c.Value
	}
	return string(it.Status) == c.Value
}

// matchPath holds for the path itself, a folder above it, its last elements, or
// a pattern with * and ?.
func (c *Clause) matchPath(p string) bool {
	v := strings.Trim(strings.TrimPrefix(words.TrimLine(c.Value), "./"), "/")
	if strings.ContainsAny(v, "*?[") {
		if ok, err := path.Match(v, p); err == nil && ok {
			return true
		}
		ok, err := path.Match(v, path.Base(p))
		return err == nil && ok
	}
	return p == v || strings.HasPrefix(p, v+"/") || strings.HasSuffix(p, "/"+v)
}

// matchName compares branch names; a pattern may hold * and ?.
func matchName(pattern, name string) bool {
	if pattern == name {
		return true
	}
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}
