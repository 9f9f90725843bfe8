package projection_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	. "github.com/git-cortex/cortex/projection"
)

// TestBriefPinned: five hundred pinned decisions are within whatever budget is set.
func TestBriefPinned(t *testing.T) {
	items := decided(500)
	for i := range items {
		items[i].Memory.Pinned = true
	}
	for _, tokens := range []int{200, 1200, 3000, 20000} {
		b := Brief(BriefInput{Items: items, Tokens: tokens, Bytes: HookBytes})
		if b.Tokens > tokens || b.Bytes > HookBytes || encoded(t, b.Text) > HookBytes+2 || len(b.Shown)+b.Left != len(items) {
			t.Errorf("%d tokens: %d tokens, %d bytes, %d shown and %d left", tokens, b.Tokens, b.Bytes, len(b.Shown), b.Left)
		}
		if len(b.Shown) == 0 && tokens > 200 {
			t.Errorf("%d tokens: nothing is shown", tokens)
		}
	}
}

// TestPagesOfASet: a page depends on the set of memories alone: not on their order, not
// on the zone in which their times are given, and not on the fraction of a second that a
// file does not hold. Templates change nothing of that.
func TestPagesOfASet(t *testing.T) {
	for seed := range uint64(20) {
		w := newWorld(seed)
		s := set{}
		for range 60 {
			m := w.memory(s)
			s[m.ID] = m
		}
		list := s.list()
		r := rand.New(rand.NewPCG(seed, 7))
		for _, kind := range Kinds() {
			for _, template := range []string{"", ownLayout(kind)} {
				want, err := renderBy(kind, template, list)
				if err != nil {
					t.Fatal(err)
				}
				other := make([]*memory.Memory, len(list))
				for i, at := range r.Perm(len(list)) {
					m := *list[at]
					m.Created = m.Created.In(time.FixedZone("other", r.IntN(24)*3600-12*3600)).Add(time.Duration(r.IntN(999)) * time.Millisecond)
					other[i] = &m
				}
				if got, err := renderBy(kind, template, other); err != nil || string(got) != string(want) {
					t.Fatalf("seed %d, %s: two renderings of one set differ (%v):\n%s\n---\n%s", seed, kind, err, want, got)
				}
			}
		}
	}
}

// BenchmarkRenderMany renders ten thousand decisions of five hundred sessions.
func BenchmarkRenderMany(b *testing.B) {
	var list []*memory.Memory
	for i := range 10_000 {
		m := memory.New(memory.Decision, fmt.Sprintf("Decision %d about the gauges of the harbour", i), "Because the office asked for it, and the other way takes a second store.", time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC))
		m.Source = memory.Source{Agent: "claude-code", Session: fmt.Sprint(i / 20), Branch: "main", Commit: "3fa9c1e02b77"}
		list = append(list, m)
	}
	for _, kind := range []Kind{Decisions, Archive} {
		b.Run(string(kind), func(b *testing.B) {
			for b.Loop() {
				render(kind, list)
			}
		})
		b.Run("template/"+string(kind), func(b *testing.B) {
			for b.Loop() {
				if _, err := renderBy(kind, ownLayout(kind), list); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
