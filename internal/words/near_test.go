package words

import (
	"math/rand/v2"
	"testing"
)

// TestNear holds that the automaton matches a word exactly when it is as few edits
// away as speller counts, and gives up on no beginning of such a word.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := []rune("abcéß語🚀")
	word := func() string {
		w := make([]rune, r.IntN(9))
		for i := range w {
			w[i] = letters[r.IntN(len(letters))]
		}
		return string(w)
	}
	matched := 0
	for range 20000 {
		a, b, most := word(), word(), r.IntN(3)
		n := NewNear(a, most)
		s, can := n.Start(), true
		for i := range len(b) {
			s = n.Accept(s, b[i])
			can = can && n.CanMatch(s)
		}
		distance := new(speller).Distance([]rune(a), []rune(b))
		want := distance <= most
		if got := n.Distance(b); got != min(distance, most+1) {
			t.Fatalf("%q is %d edits from %q, not %d", a, got, b, distance)
		}
		s = n.Start()
		for i := range len(b) {
			s = n.Accept(s, b[i])
		}
		if got := n.IsMatch(s); got != want || want && !can {
			t.Fatalf("%q, %d edits from %q: %v, want %v; could match %v", b, most, a, got, want, can)
		}
		if want {
			matched++
		}
	}
	if matched < 100 {
		t.Errorf("%d pairs were near", matched)
	}
}

func BenchmarkNear(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var dictionary [][]byte
	for range 10000 {
		w := make([]byte, 3+r.IntN(9))
		for i := range w {
			w[i] = 'a' + byte(r.IntN(26))
		}
		dictionary = append(dictionary, w)
	}
	for b.Loop() {
		n := NewNear("telemetry", 2)
		for _, w := range dictionary {
			s := n.Start()
			for i := 0; i < len(w) && n.CanMatch(s); i++ {
				s = n.Accept(s, w[i])
			}
		}
	}
}

// speller counts edits between words one by one: what the automaton has to agree with.
type speller struct{ before, last, row []int }

// Distance is the optimal string alignment distance of a and b: letters
// changed, left out, added, or swapped with their neighbour.
func (s *speller) Distance(a, b []rune) int {
	reset := func(r []int) []int { return append(r[:0], make([]int, len(b)+1)...) }
	s.before, s.last, s.row = reset(s.before), reset(s.last), reset(s.row)
	for j := range s.last {
		s.last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		s.row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			s.row[j] = min(s.last[j]+1, s.row[j-1]+1, s.last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				s.row[j] = min(s.row[j], s.before[j-2]+1)
			}
		}
		s.before, s.last, s.row = s.last, s.row, s.before
	}
	return s.last[len(b)]
}
