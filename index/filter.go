package index

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// matcher decides whether items pass the filters of a query.
type matcher struct {
	catalog *Catalog
	keys    map[query.Key][]query.Clause // alternatives
	not     []query.Clause
	deep    bool // some clause needs more than the facts
}

func newMatcher(c *Catalog, q *query.Query) *matcher {
	m := &matcher{catalog: c, keys: map[query.Key][]query.Clause{}}
	for _, cl := range q.Clauses {
		switch cl.Key {
		case query.Tag, query.File, query.Entity, query.Branch, query.Session:
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
		if !slices.ContainsFunc(alternatives, func(c query.Clause) bool { return holds(&c, it, f, head) }) {
			return false
		}
	}
	return !slices.ContainsFunc(m.not, func(c query.Clause) bool { return holds(&c, it, f, head) })
}

// holds decides one clause, as if it were not negated.
func holds(c *query.Clause, it *Item, f *Facts, head *memory.Memory) bool {
	switch c.Key {
	case query.Type:
		return string(f.Type) == c.Value
	case query.Since:
		return !f.touched().Before(c.Time)
	case query.Until:
		return f.touched().Before(c.Time)
	case query.Status:
		return string(it.Status) == c.Value || c.Value == string(memory.StatusContested) && f.Contested
	case query.Stage:
		return string(it.Stage) == c.Value
	case query.Is:
		return is(c.Value, it, f)
	case query.Branch:
		return it.Branch != "" && matchName(c.Value, it.Branch) || matchName(c.Value, head.Source.Branch)
	}
	return holdsOfHead(c, head)
}

// holdsOfHead is holds of the clauses that ask for what stands in the head of a memory alone.
func holdsOfHead(c *query.Clause, head *memory.Memory) bool {
	same := func(s string) bool { return words.Fold(s) == words.Fold(c.Value) }
	switch c.Key {
	case query.Tag:
		return slices.ContainsFunc(head.Tags, same)
	case query.Entity:
		return slices.ContainsFunc(head.Entities, same)
	case query.File:
		matches := func(p string) bool { return matchPath(c.Value, p) }
		return slices.ContainsFunc(head.Files, matches) ||
			slices.ContainsFunc(head.Anchors, func(a memory.Anchor) bool { return matches(a.Path) })
	case query.Session:
		session := strings.ToLower(head.Source.Session)
		return session != "" && strings.HasPrefix(session, strings.ToLower(c.Value))
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

// is decides a clause of the key "is".
func is(value string, it *Item, f *Facts) bool {
	switch value {
	case "pinned":
		return f.Pinned
	case "contested":
		return f.Contested || it.Status == memory.StatusContested
	case "stale":
		return it.Stale
	case "open":
		return it.Open
	case "landed", "pending", "global":
		return string(it.Stage) == value
	}
	return string(it.Status) == value
}

// matchPath holds for the path itself, a folder above it, its last elements, or
// a pattern with * and ?.
func matchPath(pattern, p string) bool {
	v := strings.Trim(strings.TrimPrefix(words.TrimLine(pattern), "./"), "/")
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
