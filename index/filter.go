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
	clauses []query.Clause
	deep    bool // some clause needs more than the facts
}

func newMatcher(c *Catalog, q *query.Query) *matcher {
	deep := []query.Key{query.Tag, query.File, query.Entity, query.Branch, query.Session}
	return &matcher{catalog: c, clauses: q.Clauses, deep: slices.ContainsFunc(q.Clauses, func(c query.Clause) bool {
		return slices.Contains(deep, c.Key)
	})}
}

// match reports whether it passes every filter.
func (m *matcher) match(ctx context.Context, it *Item) bool {
	if len(m.clauses) == 0 {
		return true
	}
	facts, ok := m.catalog.FactsOf(it)
	if !ok {
		return false
	}
	var head *memory.Memory
	if m.deep {
		if head, ok = m.catalog.HeadOf(ctx, it); !ok {
			return false
		}
	}
	return query.Meets(m.clauses, func(c query.Clause) bool { return holds(&c, it, &facts, head) })
}

// holds decides one clause, as if it were not negated.
func holds(c *query.Clause, it *Item, f *Facts, head *memory.Memory) bool {
	switch c.Key {
	case query.Since:
		return !f.touched().Before(c.Time)
	case query.Until:
		return f.touched().Before(c.Time)
	case query.Type:
		return string(f.Type) == c.Value
	case query.Status, query.Stage, query.Is:
		return it.is(c.Value, f)
	}
	return holdsOfHead(c, it, head)
}

// is reports whether an item is of a status or stage, or what the key "is" has besides
// those.
func (it *Item) is(value string, f *Facts) bool {
	switch value {
	case "pinned":
		return f.Pinned
	case "stale":
		return it.Stale
	case "open":
		return it.Open
	}
	held := []string{string(it.Status), string(it.Stage)}
	if f.Contested {
		held = append(held, string(memory.StatusContested))
	}
	return slices.Contains(held, value)
}

// holdsOfHead is holds of the clauses that ask for what stands in the head of a memory.
func holdsOfHead(c *query.Clause, it *Item, head *memory.Memory) bool {
	same := func(s string) bool { return words.Fold(s) == words.Fold(c.Value) }
	switch c.Key {
	case query.Tag:
		return slices.ContainsFunc(head.Tags, same)
	case query.Entity:
		return slices.ContainsFunc(head.Entities, same)
	case query.File:
		return isAbout(head, c.Value)
	case query.Session:
		return isOfSession(head, c.Value)
	case query.Branch:
		return isOnBranch(c.Value, it, head)
	}
	return false
}

// isOfSession reports whether a memory is of a session whose id begins so.
func isOfSession(head *memory.Memory, id string) bool {
	session := strings.ToLower(head.Source.Session)
	return session != "" && strings.HasPrefix(session, strings.ToLower(id))
}

// isAbout reports whether a memory is about a file that a pattern matches.
func isAbout(head *memory.Memory, pattern string) bool {
	anchored := slices.ContainsFunc(head.Anchors, func(a memory.Anchor) bool { return matchPath(pattern, a.Path) })
	return anchored || slices.ContainsFunc(head.Files, func(p string) bool { return matchPath(pattern, p) })
}

// isOnBranch reports whether an item is pending for a branch, or was learned on it.
func isOnBranch(pattern string, it *Item, head *memory.Memory) bool {
	pending := it.Branch != "" && matchName(pattern, it.Branch)
	return pending || matchName(pattern, head.Source.Branch)
}

// touched is the time since and until look at: when it was last written.
func (f *Facts) touched() time.Time {
	if f.Updated.After(f.Created) {
		return f.Updated
	}
	return f.Created
}

// matchPath reports whether a pattern is a path itself, a folder above it, its last
// elements, or a pattern with * and ? of the path or its last element.
func matchPath(pattern, p string) bool {
	v := strings.Trim(strings.TrimPrefix(words.TrimLine(pattern), "./"), "/")
	if !strings.ContainsAny(v, "*?[") {
		return strings.HasPrefix(p+"/", v+"/") || strings.HasSuffix(p, "/"+v)
	}
	return matchGlob(v, p) || matchGlob(v, path.Base(p))
}

// matchGlob reports whether a name fits a pattern that may be malformed.
func matchGlob(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// matchName compares branch names; a pattern may hold * and ?.
func matchName(pattern, name string) bool {
	return pattern == name || matchGlob(pattern, name)
}
