package ui

import (
	"net/url"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

// facetShown bounds how many values of one facet are offered.
const facetShown = 12

// facet is a key of the search language, with the values that memories have for it.
type facet struct {
	Name   string
	Values []facetValue
}

// facetValue is a value of a facet, how many memories of the view have it, and the
// address that narrows the query to it, or if it is Chosen widens the query again.
type facetValue struct {
	counted
	Link   string
	Chosen bool
}

// facetsOf counts what a query can be narrowed to.
func facetsOf(all []workspace.Entry, asked string) []facet {
	tallies := map[query.Key]map[string]int{
		query.Type: {}, query.Stage: {}, query.Status: {}, query.Tag: {},
		query.Branch: {},
	}
	for i := range all {
		e := &all[i]
		tallies[query.Type][string(e.Memory.Type)]++
		tallies[query.Stage][string(e.Stage)]++
		tallies[query.Status][string(e.Status)]++
		for _, tag := range e.Memory.Tags {
			tallies[query.Tag][tag]++
		}
		learned := e.Memory.Source.Branch
		if learned != "" {
			tallies[query.Branch][learned]++
		}
		if e.Branch != "" && e.Branch != learned {
			tallies[query.Branch][e.Branch]++
		}
	}
	var out []facet
	for _, key := range []query.Key{query.Type, query.Stage, query.Status, query.Tag, query.Branch} {
		f := facet{Name: string(key)}
		for _, c := range counts(tallies[key]) {
			if strings.ContainsAny(c.Value, " \t\n\",*?") || len(f.Values) == facetShown {
				continue // such a value is no clause
			}
			rest, chosen := without(asked, key, c.Value)
			if !chosen {
				rest = strings.TrimSpace(rest + " " + string(key) + ":" + c.Value)
			}
			f.Values = append(f.Values, facetValue{c, listed(rest), chosen})
		}
		if len(f.Values) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// without removes the clauses of a key from a query, and reports whether one of them
// asked for this value.
func without(asked string, key query.Key, value string) (rest string, chosen bool) {
	prefix := string(key) + ":"
	words := strings.Fields(asked)
	if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, prefix) }) {
		return asked, false
	}
	words = lists.Without(words, func(w string) bool {
		chosen = chosen || w == prefix+value
		return strings.HasPrefix(w, prefix)
	})
	return strings.Join(words, " "), chosen
}

// listed is the address of what a query finds. A type, a stage or both of them are a list,
// the newest first and page by page.
func listed(asked string) string {
	plain := url.Values{}
	for _, w := range strings.Fields(asked) {
		key, value, _ := strings.Cut(w, ":")
		if !isFacet(key, value) || plain.Has(key) {
			return "memories?" + url.Values{"q": {asked}}.Encode()
		}
		plain.Set(key, value)
	}
	if len(plain) == 0 {
		return "memories"
	}
	return "memories?" + plain.Encode()
}

// isFacet reports whether a filter is one of those that the list of memories offers.
func isFacet(key, value string) bool {
	return slices.Contains([]string{"type", "stage"}, key) && !strings.Contains(value, ",")
}
