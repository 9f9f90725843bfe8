package index

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// weightNamed is the share of its score that a memory gains of which the query names an entity or a file:
// more than the prior adds, and too little to bury a clear match.
const weightNamed = 0.15

// nameCandidates is the number of memories, best first, whose names are read. A source may have to read whole
// files for them.
const nameCandidates = 32

// longestName is how many words of a query are taken for one name.
const longestName = 4

// scoreNames raises memories of which the query names an entity or a file, in whatever case, and whatever
// stands between the words of the name: "react router" names React Router and react-router. It looks at the
// first candidates only.
func (s *search) scoreNames(ctx context.Context) error {
	said := map[string]bool{}
	for n := range longestName {
		for at := range max(0, len(s.query.Words)-n) {
			said[letters(strings.Join(s.query.Words[at:at+n+1], ""))] = true
		}
	}
	delete(said, "")
	if len(said) == 0 {
		return nil
	}
	top := s.found[:min(len(s.found), nameCandidates)]
	memories, err := s.source.Memories(ctx, placesOf(top), false)
	if err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	s.named = map[int32][]string{}
	for i, m := range memories {
		named := lists.Where(namesOf(m), func(name string) bool { return said[letters(name)] })
		s.named[top[i].Item] = named
		top[i].Score = float64(top[i].Score * nameFactor(named))
	}
	slices.SortFunc(top, s.compare)
	return nil
}

// nameFactor is the factor of the names of a memory that a query has.
func nameFactor(named []string) float64 { return 1 + float64(weightNamed*float64(min(1, len(named)))) }

// namesOf are the entities of a memory and its files, with and without their folders.
func namesOf(m *memory.Memory) []string {
	if m == nil {
		return nil
	}
	return slices.Concat(m.Entities, m.Files, lists.Map(m.Files, path.Base))
}

// letters are the letters and digits of a name, in the form in which words are compared.
func letters(name string) string {
	return strings.Join(slices.Collect(words.Split(words.Fold(name), "")), "")
}
