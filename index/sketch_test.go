package index

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/index/internal/entry"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// changed replaces a share of the words of a text.
func changed(c *corpus, text string, share float64) string {
	words := strings.Fields(text)
	for i := range words {
		if c.rand.Float64() < share {
			words[i] = c.word()
		}
	}
	return strings.Join(words, " ")
}

func TestSketchEstimatesJaccard(t *testing.T) {
	c := newCorpus(71)
	sum, squares, n := 0.0, 0.0, 0
	for range 2000 {
		text := c.sentence(40)
		a, b := sameness.Signature(text), sameness.Signature(changed(c, text, c.rand.Float64()))
		sa, sb := entry.SketchOf(a), entry.SketchOf(b)
		lanes := 0
		for i := range sa {
			if sa[i] == sb[i] {
				lanes++
			}
		}
		if got := entry.Same(sa.Bytes(), sb.Bytes()); got != lanes {
			t.Fatalf("%d lanes agree, counted four at a time %d", lanes, got)
		}
		off := float64(lanes)/entry.Lanes - sameness.Jaccard(a, b)
		sum, squares, n = sum+off, squares+off*off, n+1
	}
	if mean, deviation := sum/float64(n), math.Sqrt(squares/float64(n)); math.Abs(mean) > 0.01 || deviation > 0.09 {
		t.Errorf("off by %.4f on average, by %.4f as a standard deviation", mean, deviation)
	}
}

// TestAlikeFindsWhatBruteForceFinds compares with every pair's Jaccard index.
func TestAlikeFindsWhatBruteForceFinds(t *testing.T) {
	c := newCorpus(72)
	ms := c.memories(300)
	for i := range 200 {
		m := c.memory()
		m.Title, m.Text = ms[i].Title, changed(c, ms[i].Text, 0.6*c.rand.Float64())
		ms = append(ms, m)
	}
	s := newShelf(t)
	for _, m := range ms {
		s.put(t, memory.New(m.Type, m.Title, m.Text, m.Created), Landed)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(s.view.Items), func(i, k int) {
		s.view.Items[i], s.view.Items[k] = s.view.Items[k], s.view.Items[i]
	})
	signatures := [][]uint32{{}}
	for _, it := range s.view.Items {
		m, _ := s.index.Catalog().Memory(t.Context(), it.Blob)
		signatures = append(signatures, sameness.Signature(m.Title, m.Text))
	}
	alike := s.index.Alike(s.view.Items, signatures, sameness.Same)
	if len(alike[0]) > 0 {
		t.Errorf("no words are like %d memories", len(alike[0]))
	}
	pairs, missed := 0, 0
	for i, a := range signatures[1:] {
		for k, b := range signatures[1:] {
			close := sameness.Jaccard(a, b) >= sameness.Same
			found := slices.ContainsFunc(alike[i+1], func(it Alike) bool { return it.Blob == s.view.Items[k].Blob })
			switch {
			case close && !found:
				missed++
			case close:
				pairs++
			}
		}
		if len(alike[i+1]) > alikeKept {
			t.Errorf("%d memories returned", len(alike[i+1]))
		}
	}
	if missed > 1 || pairs < 550 {
		t.Errorf("%d pairs found, %d missed", pairs, missed)
	}
}
