package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Filter chooses among what waits for review. The zero value lets everything
// pass.
type Filter struct {
	layers []string
	query  query.Query
}

// filterKeys are the filters that a review knows.
func filterKeys() []query.Key {
	return []query.Key{
		query.Type, query.Tag, query.File, query.Entity, query.Branch, query.Session, query.Since,
		query.Until,
	}
}

// ParseFilter reads filters as they are typed into a search, such as "type:fix
// since:7d", and "layer:pattern,user" for the evidence that a memory rests on.
// Words must all occur. An unknown filter or value is an error: a bulk decision
// must not rest on a misreading.
func ParseFilter(words []string, now time.Time) (Filter, error) {
	var f Filter
	var rest []string
	for _, w := range words {
		key, value, ok := strings.Cut(w, ":")
		if !ok || strings.ToLower(key) != "layer" {
			rest = append(rest, w)
			continue
		}
		for l := range strings.SplitSeq(strings.ToLower(value), ",") {
			if !session.KnownLayer(session.Layer(l)) {
				return f, fmt.Errorf("%s: no such layer (one of %s)", l, strings.Join(layerNames(), ", "))
			}
			f.layers = append(f.layers, l)
		}
	}
	q := query.Parse(strings.Join(rest, " "), now)
	f.query = q.Literal()
	for _, c := range f.query.Clauses {
		if !slices.Contains(filterKeys(), c.Key) {
			return f, fmt.Errorf("%s: review has no such filter (type, layer, tag, file, entity, branch, session,"+
				" since, until)", c)
		}
	}
	if len(q.Hints) > 0 {
		return f, fmt.Errorf("%s", q.Hints[0])
	}
	return f, nil
}

func layerNames() []string {
	return lists.Map(session.Layers(), func(l session.Layer) string { return string(l) })
}

// Empty reports whether f lets everything pass.
func (f Filter) Empty() bool {
	return len(f.layers)+len(f.query.Clauses)+len(f.query.Not) == 0 && f.query.Empty()
}

// Passes reports whether r is among what f chooses.
func (f Filter) Passes(r *Item) bool {
	if len(f.layers) > 0 && !slices.Contains(f.layers, r.Memory.Source.Layer) {
		return false
	}
	said := strings.ToLower(r.Memory.Title + "\n" + r.Memory.Text)
	has := func(word string) bool { return strings.Contains(said, strings.ToLower(word)) }
	lacks := func(word string) bool { return !has(word) }
	if slices.ContainsFunc(f.query.Words, lacks) || slices.ContainsFunc(f.query.Not, has) {
		return false
	}
	return query.Meets(f.query.Clauses, func(c query.Clause) bool { return holds(r, c) })
}

func holds(r *Item, c query.Clause) bool {
	m := r.Memory
	if (query.Facts{Type: string(m.Type), Start: m.Created, End: m.Created}).Hold(c) {
		return true
	}
	lists := map[query.Key][]string{
		query.Tag: m.Tags, query.File: m.Files, query.Entity: m.Entities,
		query.Branch:  {cmp.Or(r.Branch, m.Source.Branch)},
		query.Session: append([]string{m.Source.Session}, m.Seen...),
	}
	return slices.ContainsFunc(lists[c.Key], func(x string) bool {
		return strings.Contains(strings.ToLower(x), strings.ToLower(c.Value))
	})
}

// better orders items as they are shown: by tiers, and in each the most worth first.
func better(a, b *Item) int {
	return cmp.Or(a.tier-b.tier, strings.Compare(a.Branch, b.Branch), view.ByWorth(a.Memory, b.Memory))
}

func olderFirst(a, b *memory.Memory) int {
	return cmp.Or(a.Created.Compare(b.Created), strings.Compare(string(a.ID), string(b.ID)))
}
