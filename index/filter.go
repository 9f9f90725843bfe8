package index

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// readsHead reports whether some clause needs more than the facts.
func readsHead(clauses []query.Clause) bool {
	deep := []query.Key{query.Tag, query.File, query.Entity, query.Branch, query.Session}
	return slices.ContainsFunc(clauses, func(c query.Clause) bool { return slices.Contains(deep, c.Key) })
}

// filtered are those of places that pass every filter of the query.
func (s *search) filtered(ctx context.Context, places []int32) ([]int32, error) {
	clauses := s.query.Clauses
	if len(clauses) == 0 {
		return places, nil
	}
	out := places[:0]
	for part := range slices.Chunk(places, atOnce) {
		heads, err := s.heads(ctx, part)
		if err != nil {
			return nil, err
		}
		for i, at := range part {
			facts, ok := s.source.Facts(at)
			if ok && heads[i] != nil && meets(clauses, s.source.Item(at), &facts, heads[i]) {
				out = append(out, at)
			}
		}
	}
	return out, nil
}

// heads are memories for filters, without their texts: nil where one cannot be had, and empty
// where no filter looks into them.
func (s *search) heads(ctx context.Context, places []int32) ([]*memory.Memory, error) {
	if !readsHead(s.query.Clauses) {
		none := make([]*memory.Memory, len(places))
		empty := &memory.Memory{}
		for i := range none {
			none[i] = empty
		}
		return none, nil
	}
	heads, err := s.source.Memories(ctx, places, false)
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	return heads, nil
}

// meets reports whether an item passes every filter.
func meets(clauses []query.Clause, it *Item, f *Facts, head *memory.Memory) bool {
	return query.Meets(clauses, func(c query.Clause) bool { return holds(&c, it, f, head) })
}

// Passes reports whether an item passes the filters that were typed in q.
func (x *Index) Passes(ctx context.Context, q query.Query, it Item) bool {
	clauses := q.Literal().Clauses
	if len(clauses) == 0 {
		return true
	}
	facts, ok := x.catalog.FactsOf(&it)
	if !ok {
		return false
	}
	if !readsHead(clauses) {
		return meets(clauses, &it, &facts, nil)
	}
	head, ok := x.catalog.HeadOf(ctx, &it)
	return ok && meets(clauses, &it, &facts, head)
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
