package index

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
)

// TestNames: a query that names an entity or a file of a memory raises it, however the name is spelled.
func TestNames(t *testing.T) {
	of := func(title string, entities, files []string) *memory.Memory {
		m := memory.New("decision", title, "", testNow)
		m.Entities, m.Files = entities, files
		return m
	}
	s := newShelf(t,
		of("Pages are loaded by the react router when somebody asks", []string{"React Router"}, nil),
		of("A react page needs no router of its own, say reviewers", []string{"react"}, nil),
		of("The log is cut when somebody starts it", nil, []string{"store/write-ahead_log.go"}),
		of("Erika Muster knows how the log is cut", []string{"Erika Muster"}, nil),
	)
	for text, want := range map[string]string{
		"why the React Router":            "React Router",
		"react-router pages":              "React Router",
		"ReactRouter pages":               "React Router",
		"router pages":                    "",
		"who is erika MUSTER":             "Erika Muster",
		"log of write-ahead_log.go":       "write-ahead_log.go",
		"log in store/write-ahead_log.go": "store/write-ahead_log.go",
		"-- log":                          "",
	} {
		r, err := s.index.Search(context.Background(), s.view, query.Parse(text, testNow), SearchOptions{Explain: true})
		if err != nil || len(r.Hits) == 0 {
			t.Fatalf("%q: %v, %v", text, r, err)
		}
		named := slices.Sorted(slices.Values(r.Hits[0].Why.Named))
		if got := strings.Join(named, " "); got != want {
			t.Errorf("%q: named %q, want %q", text, got, want)
		}
		if got := r.Hits[0].Why.Name; (got > 1) != (want != "") {
			t.Errorf("%q: a factor of %v", text, got)
		}
	}
}
