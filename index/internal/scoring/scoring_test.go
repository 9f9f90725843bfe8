package scoring

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// shelf is a source of a few texts. It counts how often it is asked.
type shelf struct {
	docs  []*postings.Document
	asked int
}

func newShelf(titles ...string) *shelf {
	s := &shelf{}
	for _, title := range titles {
		m := memory.New(memory.Learned, title, "It was so.", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
		s.docs = append(s.docs, postings.NewDocument(&words.Analyser{}, "", m))
	}
	return s
}

func (s *shelf) Len() int { return len(s.docs) }

func (s *shelf) Postings(_ context.Context, terms []postings.Term) ([][]postings.Hit, error) {
	s.asked++
	out := make([][]postings.Hit, len(terms))
	for i, t := range terms {
		for at, d := range s.docs {
			for term, freq := range d.Terms(t.Field) {
				if term == t.Text {
					out[i] = append(out[i], postings.Hit{Item: int32(at), Freq: freq})
				}
			}
		}
	}
	return out, nil
}

func (s *shelf) Spelled(context.Context, string, int) ([]string, error) {
	var out []string
	for _, d := range s.docs {
		for term := range d.Terms(postings.Exact) {
			out = append(out, term)
		}
	}
	return append(out, "prxoy", "elsewhere"), nil
}

func (s *shelf) rank(t *testing.T, query ...string) (*Ranking, []Missing) {
	t.Helper()
	lengths := make([][postings.Fields]uint32, len(s.docs))
	for i, d := range s.docs {
		lengths[i] = d.Lengths()
	}
	a := &words.Analyser{}
	r := New(s, MeasureLengths(lengths), NewPlan(a, query), &Rooms{})
	r.Hits = [][]postings.Hit{}
	missing, err := r.Widen(t.Context(), a, false)
	if err == nil {
		err = r.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return r, missing
}

// found are the places of what holds some term, best first.
func (r *Ranking) found() []int {
	var out []int
	for at, score := range r.Scores {
		if score > 0 {
			out = append(out, at)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return int(1e6 * (r.Scores[b] - r.Scores[a])) })
	return out
}

func TestWords(t *testing.T) {
	s := newShelf("the proxy drops uploads", "uploads wait in a queue", "GitHub closes idle runners", "a hub for the git server")
	for _, c := range []struct {
		query   []string
		want    []int
		missing []Missing
	}{
		{[]string{"proxy", "uploads"}, []int{0, 1}, nil},
		{[]string{"github"}, []int{2, 3}, nil},
		{[]string{"uploads", "prxy"}, []int{0, 1}, []Missing{{"prxy", []string{"proxy"}}}},
		{[]string{"uploads", "zebra"}, []int{0, 1}, []Missing{{Word: "zebra"}}},
		{[]string{"nothing"}, nil, []Missing{{Word: "nothing"}}},
	} {
		r, missing := s.rank(t, c.query...)
		if diff := cmp.Diff(c.want, r.found()); diff != "" || len(r.Scored()) != len(c.want) {
			t.Errorf("%q finds %d (-want +got):\n%s", c.query, len(r.Scored()), diff)
		}
		if diff := cmp.Diff(c.missing, missing); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.query, diff)
		}
	}
}

// TestMeasure: the parts of a score are its sum, and a source is asked once for the words of a query.
func TestMeasure(t *testing.T) {
	s := newShelf("the proxy drops uploads", "uploads wait in a queue", "a proxy")
	r, _ := s.rank(t, "proxy", "uploads")
	if s.asked != 1 {
		t.Errorf("the source was asked %d times", s.asked)
	}
	for at, want := range r.Scores {
		got := 0.0
		for i, term := range r.Terms {
			for _, h := range r.Hits[i] {
				if int(h.Item) == at {
					_, score, _ := r.Measure(term, h.Item, len(r.Hits[i]), h.Freq)
					got += score
				}
			}
		}
		if got != want {
			t.Errorf("memory %d has the score %v, its parts are %v", at, want, got)
		}
	}
}

func TestPairs(t *testing.T) {
	s := newShelf("drops uploads", "uploads")
	r, _ := s.rank(t, "drops", "the", "uploads")
	if !r.MayHavePair(0) || r.MayHavePair(1) {
		t.Error("the pair may stand elsewhere")
	}
	counts := make([]uint32, len(r.Pairs))
	a := &words.Analyser{Near: r.Near()}
	r.CountPairs(a, "It drops an upload, and drops no uploads.", counts)
	if diff := cmp.Diff([]uint32{2}, counts); diff != "" {
		t.Error(diff)
	}
	if one, two := r.PairScore(0, 1, 1), r.PairScore(0, 1, 2); one <= 0 || two <= one {
		t.Errorf("a pair adds %v, two add %v", one, two)
	}
}

// FuzzPlan takes any query apart for ranking.
func FuzzPlan(f *testing.F) {
	f.Add(`a "b c" -d --flag src/a_b.go:42 日本語 🚀 C++`)
	f.Fuzz(func(t *testing.T, s string) {
		p := NewPlan(&words.Analyser{}, query.Parse(s, time.Unix(0, 0)).Words)
		if len(p.Terms) > maxQueryTerms || len(p.Pairs) != len(p.pairMasks) {
			t.Fatalf("%q: %d terms, %d pairs, %d masks", s, len(p.Terms), len(p.Pairs), len(p.pairMasks))
		}
	})
}
